use core::fmt;

use super::walk::{Open, Place, Step, Walk};
use super::{Bean, List, Map, Value};

/// `{1: 7, 3: ["a", "b"]}`: beans by their ids, text as text, bytes in hex.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(Walk::new(self), f)
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        write(Walk::inside(Open::List(self, 0)), f)
    }
}

/// `map {1: "a"}`.
impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("map {")?;
        write(Walk::inside(Open::Map(self, 0)), f)
    }
}

impl fmt::Debug for Bean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        write(Walk::inside(Open::Bean(self, 0)), f)
    }
}

fn write(mut walk: Walk<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Whether parts of the innermost container were written.
    let mut has_parts = false;
    while let Some(step) = walk.next() {
        match step {
            Step::Value(place, value) => {
                let is_container = value.kind().is_container();
                let level = walk.levels().saturating_sub(is_container.into());
                match place {
                    Place::Root => {}
                    Place::Entry(_) => f.write_str(": ")?,
                    _ => separate(f, has_parts, level)?,
                }
                if let Place::Field { id, .. } = place {
                    write!(f, "{id}: ")?;
                }
                match value {
                    Value::List(_) => f.write_str("[")?,
                    Value::Map(_) => f.write_str("map {")?,
                    Value::Bean(_) => f.write_str("{")?,
                    Value::Dynamic(dynamic) => write!(f, "dynamic {} {{", dynamic.type_id)?,
                    scalar => write_scalar(scalar, f)?,
                }
                has_parts = !is_container;
            }
            Step::Base => {
                separate(f, has_parts, walk.levels().saturating_sub(1))?;
                f.write_str("base: {")?;
                has_parts = false;
            }
            Step::Close(open) => {
                if f.alternate() && has_parts {
                    f.write_str(",")?;
                    new_line(f, walk.levels())?;
                }
                f.write_str(if matches!(open, Open::List(..)) { "]" } else { "}" })?;
                has_parts = true;
            }
        }
    }
    Ok(())
}

/// What stands before a part: a comma after the one before, and in the long form a new line.
fn separate(f: &mut fmt::Formatter<'_>, has_parts: bool, level: usize) -> fmt::Result {
    match (has_parts, f.alternate()) {
        (true, true) => f.write_str(",")?,
        (true, false) => return f.write_str(", "),
        (false, true) => {}
        (false, false) => return Ok(()),
    }
    new_line(f, level)
}

fn new_line(f: &mut fmt::Formatter<'_>, level: usize) -> fmt::Result {
    f.write_str("\n")?;
    (0..level).try_for_each(|_| f.write_str("    "))
}

fn write_scalar(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Int(value) => write!(f, "{value}"),
        Value::Float(value) => write!(f, "{value:?}f"),
        Value::Double(value) => write!(f, "{value:?}"),
        Value::Bytes(bytes) => match core::str::from_utf8(bytes) {
            Ok(text) => write!(f, "{text:?}"),
            Err(_) => {
                f.write_str("x\"")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("\"")
            }
        },
        Value::Vector2(vector) => write!(f, "{vector:?}"),
        Value::Vector3(vector) => write!(f, "{vector:?}"),
        Value::Vector4(vector) => write!(f, "{vector:?}"),
        Value::Vector2Int([x, y]) => write!(f, "Vector2Int {{ x: {x}, y: {y} }}"),
        Value::Vector3Int([x, y, z]) => write!(f, "Vector3Int {{ x: {x}, y: {y}, z: {z} }}"),
        // Their parts are written one by one.
        Value::List(_) | Value::Map(_) | Value::Bean(_) | Value::Dynamic(_) => Ok(()),
    }
}
