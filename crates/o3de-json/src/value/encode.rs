//! From [`Value`] to text.

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
    /// Every member and element on its own line, as the engine writes.
    Lines {
        newline: &'a str,
        /// Indentation of one level.
        unit: &'a str,
        /// Indentation of the line on which the value begins.
        base: &'a str,
    },
}

/// A value as text without space.
pub(crate) fn compact(own: &Value, max_depth: usize, max_output: usize) -> Result<String> {
    let mut text = Vec::new();
    value(&mut text, own, Layout::Compact, Limits::new(max_depth, max_output))?;
    Ok(write::into_text(text))
}

/// Appends a value to a text.
pub(crate) fn value(
    out: &mut Vec<u8>,
    value: &Value,
    layout: Layout<'_>,
    limits: Limits,
) -> Result<()> {
    Encoder { out, layout, limits }.value(value, 0)
}

/// Writes values by recursion, which is no deeper than `max_depth`.
pub(super) struct Encoder<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) layout: Layout<'o>,
    pub(super) limits: Limits,
}

impl Encoder<'_> {
    /// Writes a value with `depth` containers of this text around it.
    #[inline]
    pub(super) fn value(&mut self, value: &Value, depth: usize) -> Result<()> {
        match value {
            Value::String(text) => self.string(text),
            Value::Number(number) if self.limits.debug || number.is_finite() => {
                self.out.extend_from_slice(number.text().as_bytes());
            }
            Value::Number(number) => return Err(write::not_finite(number.as_f64())),
            Value::Null => self.out.extend_from_slice(b"null"),
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Array(array) => return self.array(&array.0, depth),
            Value::Object(object) => return self.object(&object.0, depth),
        }
        // A text over the limit is longer by its last value at most.
        if self.out.len() > self.limits.max_len {
            return Err(write::too_long());
        }
        Ok(())
    }

    pub(super) fn array(&mut self, items: &[Value], depth: usize) -> Result<()> {
        let inner = self.open(b'[', depth)?;
        for (index, item) in items.iter().enumerate() {
            self.separate(index, inner);
            self.value(item, inner).map_err(|error| error.in_index(index))?;
        }
        self.close(b']', items.is_empty(), depth);
        Ok(())
    }

    pub(super) fn object(&mut self, members: &[(Text, Value)], depth: usize) -> Result<()> {
        let inner = self.open(b'{', depth)?;
        for (index, (name, value)) in members.iter().enumerate() {
            self.separate(index, inner);
            self.string(name);
            let is_compact = matches!(self.layout, Layout::Compact);
            self.out.extend_from_slice(if is_compact { b":" } else { b": " });
            self.value(value, inner).map_err(|error| error.in_field(name))?;
        }
        self.close(b'}', members.is_empty(), depth);
        Ok(())
    }

    /// Writes a bracket, and returns the depth of what is inside.
    #[inline]
    fn open(&mut self, bracket: u8, depth: usize) -> Result<usize> {
        self.out.push(bracket);
        if depth.saturating_add(self.limits.depth) >= self.limits.max_depth {
            return Err(too_deep(self.limits.max_depth));
        }
        Ok(depth.saturating_add(1))
    }

    #[inline]
    fn close(&mut self, bracket: u8, is_empty: bool, depth: usize) {
        if !is_empty {
            self.new_line(depth);
        }
        self.out.push(bracket);
    }

    #[inline]
    fn string(&mut self, text: &str) {
        match self.limits.debug {
            true => self.out.extend_from_slice(format!("{text:?}").as_bytes()),
            false => write::push_string(self.out, text),
        }
    }

    /// Writes the space before a child.
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
}

#[cold]
pub(super) fn too_deep(max_depth: usize) -> Error {
    let message = format!("more than max_depth, which is {max_depth}, nested containers");
    Error::new(ErrorKind::DepthLimit, message)
}
