//! From [`Value`] to text, without recursion.

use super::{Text, Value};
use crate::write::{self, Limits};
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

/// An open container: its children, and how many of them were begun.
pub(super) enum Level<'a> {
    Items(&'a [Value], usize),
    Members(&'a [(Text, Value)], usize),
}

/// A value as text without space.
pub(crate) fn compact(own: &Value, max_depth: usize, max_output: usize) -> Result<String> {
    let mut text = Vec::new();
    value(&mut text, own, Layout::Compact, Limits::new(max_depth, max_output))?;
    Ok(String::from_utf8(text).unwrap_or_default())
}

/// Appends a value to a text.
pub(crate) fn value(
    out: &mut Vec<u8>,
    value: &Value,
    layout: Layout<'_>,
    limits: Limits,
) -> Result<()> {
    let mut encoder = Encoder { out, layout, limits };
    match encoder.begin(value)? {
        Some(level) => encoder.run(level),
        None => encoder.check(),
    }
}

/// Appends what is in a container, and the bracket at its end.
pub(super) fn children(
    out: &mut Vec<u8>,
    level: Level<'_>,
    layout: Layout<'_>,
    limits: Limits,
) -> Result<()> {
    Encoder { out, layout, limits }.run(level)
}

struct Encoder<'o> {
    out: &'o mut Vec<u8>,
    layout: Layout<'o>,
    limits: Limits,
}

impl Encoder<'_> {
    fn run<'v>(&mut self, mut level: Level<'v>) -> Result<()> {
        // The innermost container is not on the stack: leaves do not touch it.
        let mut outer: Vec<Level<'v>> = Vec::new();
        loop {
            let depth = outer.len().saturating_add(1);
            let next = match depth.saturating_add(self.limits.depth) > self.limits.max_depth {
                true => Err(too_deep(self.limits.max_depth)),
                false => self.children(&mut level, depth).map_err(|error| error.in_child(&level)),
            };
            match next {
                Ok(Some(inner)) => outer.push(std::mem::replace(&mut level, inner)),
                Ok(None) => match outer.pop() {
                    Some(around) => level = around,
                    None => return Ok(()),
                },
                Err(error) => {
                    return Err(outer.iter().rev().fold(error, |error, own| error.in_child(own)));
                }
            }
        }
    }

    /// Writes children up to the next container, which is opened, or to the end of this one.
    #[inline]
    fn children<'v>(&mut self, level: &mut Level<'v>, depth: usize) -> Result<Option<Level<'v>>> {
        let close = match level {
            Level::Items(items, next) => {
                while let Some(item) = items.get(*next) {
                    self.separate(*next, depth);
                    *next = next.wrapping_add(1);
                    if let Some(inner) = self.begin(item)? {
                        return Ok(Some(inner));
                    }
                    self.check()?;
                }
                b']'
            }
            Level::Members(members, next) => {
                while let Some((name, value)) = members.get(*next) {
                    self.separate(*next, depth);
                    *next = next.wrapping_add(1);
                    self.string(name);
                    let is_compact = matches!(self.layout, Layout::Compact);
                    self.out.extend_from_slice(if is_compact { b":" } else { b": " });
                    if let Some(inner) = self.begin(value)? {
                        return Ok(Some(inner));
                    }
                    self.check()?;
                }
                b'}'
            }
        };
        if level.begun() > 0 {
            self.new_line(depth.saturating_sub(1));
        }
        self.out.push(close);
        Ok(None)
    }

    /// Writes a leaf whole, and of a container the opening bracket.
    #[inline]
    fn begin<'v>(&mut self, value: &'v Value) -> Result<Option<Level<'v>>> {
        match value {
            Value::String(text) => self.string(text),
            Value::Number(number) if self.limits.debug || number.is_finite() => {
                self.out.extend_from_slice(number.text().as_bytes());
            }
            Value::Number(number) => return Err(write::not_finite(number.as_f64())),
            Value::Null => self.out.extend_from_slice(b"null"),
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Array(array) => {
                self.out.push(b'[');
                return Ok(Some(Level::Items(&array.0, 0)));
            }
            Value::Object(object) => {
                self.out.push(b'{');
                return Ok(Some(Level::Members(&object.0, 0)));
            }
        }
        Ok(None)
    }

    #[inline]
    fn string(&mut self, text: &str) {
        match self.limits.debug {
            true => self.out.extend_from_slice(format!("{text:?}").as_bytes()),
            false => write::push_string(self.out, text),
        }
    }

    /// What stands before a child.
    #[inline]
    fn separate(&mut self, index: usize, depth: usize) {
        if index > 0 {
            let is_inline = matches!(self.layout, Layout::Inline);
            self.out.extend_from_slice(if is_inline { b", " } else { b"," });
        }
        self.new_line(depth);
    }

    #[inline]
    fn new_line(&mut self, depth: usize) {
        if let Layout::Lines { newline, unit, base } = self.layout {
            self.out.extend_from_slice(newline.as_bytes());
            self.out.extend_from_slice(base.as_bytes());
            (0..depth).for_each(|_| self.out.extend_from_slice(unit.as_bytes()));
        }
    }

    /// Once for each value: what is over the limit is no longer than the last one.
    #[inline]
    fn check(&self) -> Result<()> {
        if self.out.len() > self.limits.max_len {
            return Err(write::too_long());
        }
        Ok(())
    }
}

impl Level<'_> {
    fn begun(&self) -> usize {
        match self {
            Level::Items(_, next) | Level::Members(_, next) => *next,
        }
    }
}

impl Error {
    /// The error in the child that was begun last.
    #[cold]
    fn in_child(self, level: &Level<'_>) -> Error {
        let last = level.begun().saturating_sub(1);
        match level {
            Level::Items(..) => self.in_index(last),
            Level::Members(members, _) => {
                self.in_field(members.get(last).map_or("", |(name, _)| name))
            }
        }
    }
}

#[cold]
pub(super) fn too_deep(max_depth: usize) -> Error {
    let message = format!("more than max_depth, which is {max_depth}, nested containers");
    Error::new(ErrorKind::DepthLimit, message)
}
