//! Values to text.

use std::fmt::{self, Display, Write as _};

use crate::bytes::text_part;

/// Layout of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Without white space.
    Compact,
    /// Each member and each element on its own line, indented by two spaces.
    Lines,
}

/// Writes JSON text piece by piece: a value, or [`list`](Self::list) or [`map`](Self::map), its parts
/// and [`end`](Self::end). In a map, [`name`](Self::name) comes before each value.
#[derive(Debug)]
pub struct Writer {
    out: String,
    layout: Layout,
    /// Parts of deeper containers are not indented further.
    max_indent: usize,
    /// Whether U+007F is written as an escape.
    escapes_delete: bool,
    levels: Vec<Level>,
    /// Containers with lines around the next value.
    depth: usize,
    /// Whether the name of the next value was written.
    named: bool,
}

/// A container that is open.
#[derive(Clone, Copy, Debug)]
struct Level {
    close: char,
    /// Whether its parts have lines.
    lines: bool,
    has_parts: bool,
}

impl Writer {
    /// An empty text.
    pub fn new(layout: Layout) -> Self {
        Writer {
            out: String::new(),
            layout,
            max_indent: usize::MAX,
            escapes_delete: false,
            levels: Vec::new(),
            depth: 0,
            named: false,
        }
    }

    /// Indents at most this many levels, so that a deep value does not become a very long text.
    #[must_use]
    pub fn max_indent(mut self, levels: usize) -> Self {
        self.max_indent = levels;
        self
    }

    /// Writes U+007F as an escape. Default `false`.
    #[must_use]
    pub fn escape_delete(mut self, escape: bool) -> Self {
        self.escapes_delete = escape;
        self
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.out
    }

    /// Opens a list.
    pub fn list(&mut self) {
        self.open('[', ']', self.layout != Layout::Compact);
    }

    /// Opens an object.
    pub fn map(&mut self) {
        self.open('{', '}', self.layout != Layout::Compact);
    }

    /// Opens an object without white space inside.
    pub fn inline_map(&mut self) {
        self.open('{', '}', false);
    }

    fn open(&mut self, open: char, close: char, lines: bool) {
        self.before();
        self.out.push(open);
        self.depth = self.depth.saturating_add(usize::from(lines));
        self.levels.push(Level { close, lines, has_parts: false });
    }

    /// Closes what was opened last.
    pub fn end(&mut self) {
        let Some(level) = self.levels.pop() else {
            debug_assert!(false, "only what is open ends");
            return;
        };
        if level.lines {
            self.depth = self.depth.saturating_sub(1);
            if level.has_parts {
                self.new_line();
            }
        }
        self.out.push(level.close);
    }

    /// The name of the member that is written next.
    pub fn name(&mut self, name: impl Display) {
        self.before();
        self.quoted(name);
        let lines = self.levels.last().is_some_and(|level| level.lines);
        self.out.push_str(if lines { ": " } else { ":" });
        self.named = true;
    }

    /// A string.
    pub fn text(&mut self, text: impl Display) {
        self.before();
        self.quoted(text);
    }

    /// `null`
    pub fn null(&mut self) {
        self.number("null");
    }

    /// `true` or `false`
    pub fn bool(&mut self, value: bool) {
        self.number(value);
    }

    /// A number, or anything else that is JSON text.
    pub fn number(&mut self, number: impl Display) {
        self.before();
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{number}");
    }

    /// Writes what stands between an element or a name and what is before it.
    fn before(&mut self) {
        let level = self.levels.last_mut().filter(|_| !self.named);
        self.named = false;
        let Some(level) = level else { return };
        let lines = level.lines;
        if std::mem::replace(&mut level.has_parts, true) {
            self.out.push(',');
        }
        if lines {
            self.new_line();
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        (0..self.depth.min(self.max_indent)).for_each(|_| self.out.push_str("  "));
    }

    fn quoted(&mut self, text: impl Display) {
        self.out.push('"');
        // Writing to a string cannot fail.
        let _ = write!(Escaped(self), "{text}");
        self.out.push('"');
    }
}

/// Appends the characters of a string.
struct Escaped<'w>(&'w mut Writer);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let out = &mut self.0.out;
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
                0..=0x1f => "",
                0x7f if self.0.escapes_delete => "",
                _ => continue,
            };
            out.push_str(text_part(text, from..at));
            from = at.saturating_add(1);
            match escape {
                "" => write!(out, "\\u{byte:04x}")?,
                escape => out.push_str(escape),
            }
        }
        out.push_str(text_part(text, from..));
        Ok(())
    }
}
