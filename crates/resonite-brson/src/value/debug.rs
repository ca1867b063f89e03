//! `Debug` in the manner of JSON, without recursion. An int64 is told from an int32 by `i64`.

use std::fmt::{self, Debug, Formatter, Write};

use crate::Value;
use crate::value::walk::Children;
use crate::value::{Array, Document};

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match start(f, self)? {
            Some(children) => nested(f, children),
            None => Ok(()),
        }
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        nested(f, Children::Items(self.iter()))
    }
}

impl Debug for Document {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        nested(f, Children::Entries(self.iter()))
    }
}

struct Level<'a> {
    children: Children<'a>,
    written: bool,
}

fn nested(f: &mut Formatter<'_>, children: Children<'_>) -> fmt::Result {
    let pretty = f.alternate();
    f.write_char(brackets(&children).0)?;
    let mut stack = vec![Level { children, written: false }];
    loop {
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { return Ok(()) };
        let Some((key, value)) = level.children.next_entry() else {
            let (close, filled) = (brackets(&level.children).1, level.written);
            stack.pop();
            if pretty && filled {
                new_line(f, stack.len())?;
            }
            f.write_char(close)?;
            continue;
        };
        match (level.written, pretty) {
            (true, true) => f.write_char(',')?,
            (true, false) => f.write_str(", ")?,
            _ => {}
        }
        level.written = true;
        if pretty {
            new_line(f, depth)?;
        }
        if let Some(key) = key {
            write!(f, "{:?}: ", key.as_str())?;
        }
        if let Some(children) = start(f, value)? {
            f.write_char(brackets(&children).0)?;
            stack.push(Level { children, written: false });
        }
    }
}

fn new_line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    (0..depth).try_for_each(|_| f.write_str("    "))
}

fn brackets(children: &Children<'_>) -> (char, char) {
    if matches!(children, Children::Items(_)) { ('[', ']') } else { ('{', '}') }
}

/// Writes a value, or what stands before the brackets of a container.
fn start<'a>(f: &mut Formatter<'_>, value: &'a Value) -> Result<Option<Children<'a>>, fmt::Error> {
    // Not with `f`: its alternate form would put each number on a line of its own.
    match value {
        Value::Null => f.write_str("null")?,
        Value::Bool(v) => write!(f, "{v}")?,
        Value::Int32(v) => write!(f, "{v}")?,
        Value::Int64(v) => write!(f, "{v}i64")?,
        Value::Double(v) => write!(f, "{v:?}")?,
        Value::String(v) => write!(f, "{:?}", v.as_str())?,
        Value::Document(_) | Value::Array(_) => {}
        Value::DateTime(v) => write!(f, "DateTime({v})")?,
        Value::Binary(v) => {
            write!(f, "Binary({}, ", v.subtype)?;
            v.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            f.write_char(')')?;
        }
        Value::ObjectId(v) => write!(f, "ObjectId({v})")?,
        Value::Regex(v) => write!(f, "Regex({:?}, {:?})", v.pattern.as_str(), v.options.as_str())?,
        Value::DbPointer(v) => write!(f, "DbPointer({:?}, {})", v.namespace.as_str(), v.id)?,
        Value::Code(v) => write!(f, "Code({v:?})")?,
        Value::Symbol(v) => write!(f, "Symbol({v:?})")?,
        Value::CodeWithScope(v) => write!(f, "Code({:?}) with ", v.code.as_str())?,
        Value::Timestamp(v) => write!(f, "Timestamp({}, {})", v.time, v.increment)?,
        Value::Decimal128(v) => write!(f, "Decimal128({v})")?,
        Value::Undefined => f.write_str("undefined")?,
        Value::MinKey => f.write_str("MinKey")?,
        Value::MaxKey => f.write_str("MaxKey")?,
    }
    Ok(Children::of(value))
}
