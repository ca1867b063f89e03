//! From [`Value`] to text, without recursion.

use std::slice;

use super::{Text, Value};
use crate::{Error, ErrorKind, Result};

/// How text is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout<'a> {
    /// No space at all.
    Compact,
    /// On one line, with spaces after commas and colons.
    Inline,
    /// Every member and element on a line of its own, as the engine writes.
    Lines {
        newline: &'a str,
        /// Indentation of one level.
        unit: &'a str,
        /// Indentation of the line on which the value begins.
        base: &'a str,
    },
}

impl Layout<'static> {
    /// The engine's: four spaces.
    pub(crate) const ENGINE: Layout<'static> =
        Layout::Lines { newline: "\n", unit: "    ", base: "" };
}

/// What limits the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_depth: usize,
    pub(crate) max_output: usize,
}

struct Level<'a> {
    children: Children<'a>,
    first: bool,
}

enum Children<'a> {
    Items(slice::Iter<'a, Value>),
    Members(slice::Iter<'a, (Text, Value)>),
}

impl<'a> Children<'a> {
    fn next(&mut self) -> Option<(Option<&'a Text>, &'a Value)> {
        match self {
            Children::Items(items) => items.next().map(|value| (None, value)),
            Children::Members(members) => members.next().map(|(name, value)| (Some(name), value)),
        }
    }
}

/// Appends a value to a text.
pub(crate) fn value(
    out: &mut String,
    value: &Value,
    layout: Layout<'_>,
    limits: Limits,
) -> Result<()> {
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        if out.len() > limits.max_output {
            let message = format!("more than max_output, which is {}, bytes", limits.max_output);
            return Err(Error::new(ErrorKind::OutputLimit, message));
        }
        if let Some(value) = next.take()
            && let Some(children) = begin(out, value)?
        {
            if levels.len() >= limits.max_depth {
                let message = format!(
                    "more than max_depth, which is {}, nested containers",
                    limits.max_depth
                );
                return Err(Error::new(ErrorKind::DepthLimit, message));
            }
            levels.push(Level { children, first: true });
        }
        let depth = levels.len();
        let Some(level) = levels.last_mut() else { return Ok(()) };
        let Some((name, child)) = level.children.next() else {
            let close = match level.children {
                Children::Items(_) => ']',
                Children::Members(_) => '}',
            };
            if !level.first {
                new_line(out, layout, depth.saturating_sub(1));
            }
            out.push(close);
            levels.pop();
            continue;
        };
        if !std::mem::replace(&mut level.first, false) {
            out.push(',');
            if matches!(layout, Layout::Inline) {
                out.push(' ');
            }
        }
        new_line(out, layout, depth);
        if let Some(name) = name {
            string(out, name);
            out.push_str(if matches!(layout, Layout::Compact) { ":" } else { ": " });
        }
        next = Some(child);
    }
}

/// Writes a leaf whole, and of a container the opening bracket.
fn begin<'a>(out: &mut String, value: &'a Value) -> Result<Option<Children<'a>>> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) if number.is_finite() => out.push_str(&number.text()),
        Value::Number(number) => {
            let message = format!("JSON has no spelling for {number}");
            return Err(Error::new(ErrorKind::NotFinite, message));
        }
        Value::String(text) => string(out, text),
        Value::Array(array) => {
            out.push('[');
            return Ok(Some(Children::Items(array.0.iter())));
        }
        Value::Object(object) => {
            out.push('{');
            return Ok(Some(Children::Members(object.0.iter())));
        }
    }
    Ok(None)
}

fn new_line(out: &mut String, layout: Layout<'_>, depth: usize) {
    if let Layout::Lines { newline, unit, base } = layout {
        out.push_str(newline);
        out.push_str(base);
        (0..depth).for_each(|_| out.push_str(unit));
    }
}

/// Appends a string in quotes.
pub(crate) fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

pub(crate) fn double(value: f64) -> String {
    format!("{value:?}")
}
