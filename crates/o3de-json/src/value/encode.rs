//! From [`Value`] to text, without recursion.

use std::slice;

use super::{Text, Value};
use crate::{Error, ErrorKind, Result, write};

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

/// What limits the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_depth: usize,
    pub(crate) max_output: usize,
    /// For `Debug`: numbers may be NaN, and text has the escapes of Rust, which are safe to show.
    pub(crate) debug: bool,
}

impl Limits {
    pub(crate) const fn new(max_depth: usize, max_output: usize) -> Self {
        Limits { max_depth, max_output, debug: false }
    }
}

struct Level<'a> {
    children: Children<'a>,
    first: bool,
    /// Name and number of the child that is being written.
    name: Option<&'a Text>,
    index: usize,
}

pub(super) enum Children<'a> {
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

/// A value as text without space.
pub(crate) fn compact(own: &Value, max_depth: usize, max_output: usize) -> Result<String> {
    let mut text = String::new();
    value(&mut text, own, Layout::Compact, Limits::new(max_depth, max_output))?;
    Ok(text)
}

/// Appends a value to a text.
pub(crate) fn value(
    out: &mut String,
    value: &Value,
    layout: Layout<'_>,
    limits: Limits,
) -> Result<()> {
    match begin(out, value, limits)? {
        Some(_) if limits.max_depth == 0 => Err(too_deep(0)),
        Some(inside) => children(out, inside, layout, limits),
        None => check(out, limits),
    }
}

/// Appends what is in a container, and the bracket at its end.
pub(super) fn children(
    out: &mut String,
    children: Children<'_>,
    layout: Layout<'_>,
    limits: Limits,
) -> Result<()> {
    let mut levels = vec![Level { children, first: true, name: None, index: 0 }];
    let mut next = None;
    loop {
        // Once for each value: what is over the limit is no longer than the last one.
        check(out, limits)?;
        if let Some(value) = next.take()
            && let Some(children) =
                begin(out, value, limits).map_err(|error| within(error, &levels))?
        {
            if levels.len() >= limits.max_depth {
                return Err(within(too_deep(limits.max_depth), &levels));
            }
            levels.push(Level { children, first: true, name: None, index: 0 });
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
        level.name = name;
        if !std::mem::replace(&mut level.first, false) {
            level.index = level.index.saturating_add(1);
            out.push(',');
            if matches!(layout, Layout::Inline) {
                out.push(' ');
            }
        }
        new_line(out, layout, depth);
        if let Some(name) = name {
            string(out, name, limits);
            out.push_str(if matches!(layout, Layout::Compact) { ":" } else { ": " });
        }
        next = Some(child);
    }
}

fn string(out: &mut String, text: &str, limits: Limits) {
    match limits.debug {
        true => out.push_str(&format!("{text:?}")),
        false => write::push_string(out, text),
    }
}

fn check(out: &str, limits: Limits) -> Result<()> {
    if out.len() > limits.max_output {
        let message = format!("more than max_output, which is {}, bytes", limits.max_output);
        return Err(Error::new(ErrorKind::OutputLimit, message));
    }
    Ok(())
}

/// The error in the value that is being written.
#[cold]
fn within(error: Error, levels: &[Level<'_>]) -> Error {
    levels.iter().rev().fold(error, |error, level| match level.name {
        Some(name) => error.in_field(name),
        None => error.in_index(level.index),
    })
}

#[cold]
pub(crate) fn too_deep(max_depth: usize) -> Error {
    let message = format!("more than max_depth, which is {max_depth}, nested containers");
    Error::new(ErrorKind::DepthLimit, message)
}

/// Writes a leaf whole, and of a container the opening bracket.
fn begin<'a>(out: &mut String, value: &'a Value, limits: Limits) -> Result<Option<Children<'a>>> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) if limits.debug || number.is_finite() => {
            out.push_str(&number.text());
        }
        Value::Number(number) => return Err(write::not_finite(number.as_f64())),
        Value::String(text) => string(out, text, limits),
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
