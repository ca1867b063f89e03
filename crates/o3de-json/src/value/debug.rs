//! `Debug` as JSON, without recursion.

use std::fmt::{self, Debug, Formatter, Write};
use std::slice;

use super::{Array, Object, Text, Value};

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut levels = Vec::new();
        start(f, self, &mut levels)?;
        rest(f, levels)
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        rest(f, vec![Level { children: Children::Items(self.0.iter()), written: 0 }])
    }
}

impl Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        rest(f, vec![Level { children: Children::Members(self.0.iter()), written: 0 }])
    }
}

struct Level<'a> {
    children: Children<'a>,
    written: usize,
}

enum Children<'a> {
    Items(slice::Iter<'a, Value>),
    Members(slice::Iter<'a, (Text, Value)>),
}

/// Writes a leaf whole, and of a container the opening bracket.
fn start<'a>(f: &mut Formatter<'_>, value: &'a Value, levels: &mut Vec<Level<'a>>) -> fmt::Result {
    let children = match value {
        Value::Null => return f.write_str("null"),
        Value::Bool(value) => return write!(f, "{value}"),
        Value::Number(number) => return write!(f, "{number}"),
        Value::String(text) => return write!(f, "{text:?}"),
        Value::Array(array) => {
            f.write_char('[')?;
            Children::Items(array.0.iter())
        }
        Value::Object(object) => {
            f.write_char('{')?;
            Children::Members(object.0.iter())
        }
    };
    levels.push(Level { children, written: 0 });
    Ok(())
}

fn rest(f: &mut Formatter<'_>, mut levels: Vec<Level<'_>>) -> fmt::Result {
    let pretty = f.alternate();
    loop {
        let depth = levels.len();
        let Some(level) = levels.last_mut() else { return Ok(()) };
        let (child, close) = match &mut level.children {
            Children::Items(items) => (items.next().map(|value| (None, value)), ']'),
            Children::Members(members) => {
                (members.next().map(|(name, value)| (Some(name), value)), '}')
            }
        };
        let Some((name, value)) = child else {
            let filled = level.written > 0;
            levels.pop();
            if pretty && filled {
                new_line(f, levels.len())?;
            }
            f.write_char(close)?;
            continue;
        };
        match level.written {
            0 => {}
            _ if pretty => f.write_char(',')?,
            _ => f.write_str(", ")?,
        }
        level.written = level.written.saturating_add(1);
        if pretty {
            new_line(f, depth)?;
        }
        if let Some(name) = name {
            write!(f, "{name:?}: ")?;
        }
        start(f, value, &mut levels)?;
    }
}

fn new_line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    (0..depth).try_for_each(|_| f.write_str("    "))
}
