//! [`Value`] to text, without recursion.

use std::fmt::Write;

use super::Style;
use crate::Value;
use crate::extended;
use crate::types::DateTime;
use crate::value::Children;

struct Level<'a> {
    children: Children<'a>,
    written: bool,
    /// What ends it: a container inside a wrapper ends the wrapper too.
    close: &'static str,
}

struct Writer {
    out: String,
    style: Style,
    pretty: bool,
}

pub(super) fn write(value: &Value, style: Style, pretty: bool) -> String {
    let mut writer = Writer { out: String::new(), style, pretty };
    let mut stack: Vec<Level<'_>> = Vec::new();
    stack.extend(writer.start(value));
    loop {
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { return writer.out };
        let Some((key, value)) = level.children.next_entry() else {
            let (close, filled) = (level.close, level.written);
            stack.pop();
            if filled {
                writer.line(depth.saturating_sub(1));
            }
            writer.out.push_str(close);
            continue;
        };
        if level.written {
            writer.out.push(',');
        }
        level.written = true;
        writer.line(depth);
        if let Some(key) = key {
            writer.string(key);
            writer.out.push_str(if pretty { ": " } else { ":" });
        }
        stack.extend(writer.start(value));
    }
}

impl Writer {
    fn line(&mut self, depth: usize) {
        if self.pretty {
            self.out.push('\n');
            (0..depth).for_each(|_| self.out.push_str("  "));
        }
    }

    /// Writes a value, or what stands before the entries of a container.
    fn start<'a>(&mut self, value: &'a Value) -> Option<Level<'a>> {
        let canonical = self.style == Style::Canonical;
        let close = match value {
            Value::Array(_) => {
                self.out.push('[');
                "]"
            }
            Value::Document(document) => self.document(document),
            Value::CodeWithScope(code) => {
                self.out.push_str("{\"$code\":");
                self.string(&code.code);
                self.out.push_str(",\"$scope\":");
                match self.document(&code.scope) {
                    "}" => "}}",
                    _ => "}}}",
                }
            }
            Value::Int32(v) if canonical => return self.wrapped("$numberInt", v),
            Value::Int64(v) if canonical => return self.wrapped("$numberLong", v),
            Value::Double(v) if canonical || !v.is_finite() => {
                return self.wrapped("$numberDouble", extended::double_text(*v));
            }
            Value::Double(v) => {
                self.out.push_str(&extended::double_text(*v));
                return None;
            }
            Value::DateTime(v) if !canonical && is_usual(*v) => return self.wrapped("$date", v),
            other => {
                self.plain(&extended::wrap(other.clone()));
                return None;
            }
        };
        Children::of(value).map(|children| Level { children, written: false, close })
    }

    /// Opens a document and returns what closes it.
    fn document(&mut self, document: &crate::value::Document) -> &'static str {
        if extended::is_ambiguous(document) {
            self.out.push('{');
            self.string(extended::LITERAL);
            self.out.push_str(":{");
            return "}}";
        }
        self.out.push('{');
        "}"
    }

    fn wrapped<'a>(&mut self, key: &str, text: impl std::fmt::Display) -> Option<Level<'a>> {
        // Writing to a string cannot fail; none of the texts needs an escape.
        let _ = write!(self.out, "{{\"{key}\":\"{text}\"}}");
        None
    }

    /// A leaf, or the wrapper of one, which is never deep.
    fn plain(&mut self, value: &Value) {
        match value {
            Value::Bool(v) => self.out.push_str(if *v { "true" } else { "false" }),
            Value::Int32(v) => self.display(v),
            Value::Int64(v) => self.display(v),
            Value::String(v) => self.string(v),
            Value::Document(entries) => {
                self.out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.string(key);
                    self.out.push(':');
                    self.plain(value);
                }
                self.out.push('}');
            }
            _ => self.out.push_str("null"),
        }
    }

    fn display(&mut self, value: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{value}");
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut from = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escape = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                0x08 => "\\b",
                0x0c => "\\f",
                0..=0x1f | 0x7f => "",
                _ => continue,
            };
            self.out.push_str(text.get(from..at).unwrap_or_default());
            from = at.saturating_add(1);
            match escape {
                "" => self.display(format_args!("\\u{byte:04x}")),
                escape => self.out.push_str(escape),
            }
        }
        self.out.push_str(text.get(from..).unwrap_or_default());
        self.out.push('"');
    }
}

/// Whether the notation has a date in ISO 8601 for it.
fn is_usual(time: DateTime) -> bool {
    (1970..=9999).contains(&time.date().0)
}
