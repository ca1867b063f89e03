//! Values to text.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Write as _};

/// Lines of numbers end here.
const WIDTH: usize = 100;

/// How text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Without white space.
    Compact,
    /// Each member and each element on a line of its own, indented by two spaces.
    Lines,
    /// The same, but numbers, bools and nulls in a list share lines of about 100 bytes.
    Shared,
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
    elements: Elements,
}

/// How the elements of a list are laid out so far.
#[derive(Clone, Copy, Debug)]
enum Elements {
    /// All are short and fit into one line; where that begins.
    Line(usize),
    /// All are short and share lines; the column.
    Flow(usize),
    /// Each is on a line of its own.
    Apart,
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

    /// The text so far.
    pub fn as_text(&self) -> &str {
        &self.out
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.out
    }

    /// Opens a list.
    pub fn list(&mut self) {
        self.open('[', ']', self.layout != Layout::Compact);
    }

    /// Opens a list without white space inside.
    pub fn inline_list(&mut self) {
        self.open('[', ']', false);
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
        self.before_long();
        self.out.push(open);
        self.depth = self.depth.saturating_add(usize::from(lines));
        let elements = match self.layout == Layout::Shared && lines && close == ']' {
            true => Elements::Line(self.out.len()),
            false => Elements::Apart,
        };
        self.levels.push(Level { close, lines, has_parts: false, elements });
    }

    /// Closes what was opened last.
    pub fn end(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        if level.lines {
            self.depth = self.depth.saturating_sub(1);
            if level.has_parts && matches!(level.elements, Elements::Apart) {
                self.new_line();
            }
        }
        self.out.push(level.close);
    }

    /// The name of the member that is written next.
    pub fn name(&mut self, name: impl Display) {
        let Some(level) = self.levels.last_mut() else { return };
        let (has_parts, lines) = (core::mem::replace(&mut level.has_parts, true), level.lines);
        if has_parts {
            self.out.push(',');
        }
        if lines {
            self.new_line();
        }
        self.quoted(name);
        self.out.push_str(if lines { ": " } else { ":" });
        self.named = true;
    }

    /// A string.
    pub fn text(&mut self, text: impl Display) {
        self.before_long();
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

    /// A number, or anything else that is short and needs no quotes.
    pub fn number(&mut self, number: impl Display) {
        let in_list = !core::mem::take(&mut self.named);
        let indent = self.indent();
        let level = self.levels.last_mut().filter(|_| in_list);
        let first = level.as_ref().is_none_or(|level| !level.has_parts);
        let elements = level.map(|level| {
            level.has_parts = true;
            (level.elements, level.lines)
        });
        match elements {
            _ if first && !matches!(elements, Some((Elements::Apart, true))) => {}
            None => {}
            Some((Elements::Line(_), _)) => self.out.push_str(", "),
            Some((Elements::Flow(column), _)) if column < WIDTH => self.out.push_str(", "),
            Some((_, lines)) => {
                self.out.push_str(if first { "" } else { "," });
                if lines {
                    self.new_line();
                }
            }
        }
        let start = self.out.len();
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{number}");
        let len = self.out.len().saturating_sub(start);
        let end = self.out.len();
        let Some(level) = self.levels.last_mut().filter(|_| in_list) else { return };
        match &mut level.elements {
            Elements::Line(begun) if end.saturating_sub(*begun) > WIDTH => {
                level.elements = Elements::Flow(WIDTH);
            }
            Elements::Flow(column) if *column < WIDTH => {
                *column = column.saturating_add(len).saturating_add(2);
            }
            Elements::Flow(column) => *column = indent.saturating_add(len),
            Elements::Line(_) | Elements::Apart => {}
        }
    }

    /// Before an element that is not short, which has a line of its own; so have those before it then.
    fn before_long(&mut self) {
        if core::mem::take(&mut self.named) {
            return;
        }
        let Some(level) = self.levels.last_mut() else { return };
        let has_parts = core::mem::replace(&mut level.has_parts, true);
        let before = core::mem::replace(&mut level.elements, Elements::Apart);
        let lines = level.lines;
        if let Elements::Line(begun) = before {
            let line = self.out.get(begun..).unwrap_or_default().to_owned();
            self.out.truncate(begun);
            for element in line.split(' ').filter(|element| !element.is_empty()) {
                self.new_line();
                self.out.push_str(element);
            }
        }
        if has_parts {
            self.out.push(',');
        }
        if lines {
            self.new_line();
        }
    }

    fn indent(&self) -> usize {
        self.depth.min(self.max_indent).saturating_mul(2)
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        (0..self.indent()).for_each(|_| self.out.push(' '));
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
            out.push_str(text.get(from..at).unwrap_or_default());
            from = at.saturating_add(1);
            match escape {
                "" => write!(out, "\\u{byte:04x}")?,
                escape => out.push_str(escape),
            }
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Ok(())
    }
}
