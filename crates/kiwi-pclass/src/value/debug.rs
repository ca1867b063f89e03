//! Values as text for people: `class Leaf { m_id: 7, m_on: true }`. Without recursion.

use std::fmt::{self, Formatter};

use super::{Field, List, Object, Value};
use crate::CoreHeader;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Object(object) => object.fmt(f),
            Value::List(list) => list.fmt(f),
            leaf => write_leaf(f, leaf),
        }
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        write_all(f, Container::List(self))
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.class().name())?;
        write_all(f, Container::Object(self))
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field")
            .field("index", &self.index())
            .field("kept", &self.is_kept())
            .field("value", &self.value)
            .finish()
    }
}

fn write_leaf(f: &mut Formatter<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::Null | Value::Object(_) | Value::List(_) => f.write_str("null"),
        Value::Bool(value) => fmt::Debug::fmt(value, f),
        Value::Int(value) => fmt::Debug::fmt(value, f),
        Value::UInt(value) => fmt::Debug::fmt(value, f),
        Value::Float(value) => fmt::Debug::fmt(value, f),
        Value::Double(value) => fmt::Debug::fmt(value, f),
        Value::Enum(value) => fmt::Debug::fmt(value, f),
        // The rest on one line also where the whole has many.
        Value::String(text) => write!(f, "{text:?}"),
        Value::WString(text) => write!(f, "L{text:?}"),
        Value::Color(value) => write!(f, "{value:?}"),
        Value::Vector3D(value) => write!(f, "{value:?}"),
        Value::Quaternion(value) => write!(f, "{value:?}"),
        Value::Euler(value) => write!(f, "{value:?}"),
        Value::Matrix3x3(value) => write!(f, "{value:?}"),
        Value::Size(value) => write!(f, "{value:?}"),
        Value::Point(value) => write!(f, "{value:?}"),
        Value::Rect(value) => write!(f, "{value:?}"),
        Value::Bools(list) => write!(f, "{list:?}"),
        Value::SmallInts(list) => write!(f, "{list:?}"),
        Value::Raw(object) => write!(f, "{object:?}"),
        Value::Bits(bits) => write!(f, "{bits:?}"),
    }
}

/// A container that is open.
struct Level<'v> {
    container: Container<'v>,
    /// Parts of it that are written.
    written: usize,
}

#[derive(Clone, Copy)]
enum Container<'v> {
    Object(&'v Object),
    List(&'v [Value]),
}

/// What stands in a container.
enum Part<'v> {
    Core(CoreHeader),
    Field(&'v Object, &'v Field),
    Item(&'v Value),
}

impl<'v> Container<'v> {
    fn part(self, index: usize) -> Option<Part<'v>> {
        match self {
            Container::Object(object) => match (object.core(), index) {
                (Some(core), 0) => Some(Part::Core(core)),
                (core, index) => {
                    let index = index.saturating_sub(usize::from(core.is_some()));
                    object.fields().get(index).map(|field| Part::Field(object, field))
                }
            },
            Container::List(list) => list.get(index).map(Part::Item),
        }
    }
}

/// Levels below this are not indented further, or a deep value would become a very long text.
const MAX_INDENT: usize = 40;

/// Writes a container whose name or bracket is written.
fn write_all(f: &mut Formatter<'_>, container: Container<'_>) -> fmt::Result {
    let mut stack = vec![Level { container, written: 0 }];
    loop {
        let depth = stack.len();
        let Some(Level { container, written }) = stack.last_mut() else { return Ok(()) };
        let (container, before) = (*container, *written);
        *written = before.saturating_add(1);
        let is_object = matches!(container, Container::Object(_));
        let Some(part) = container.part(before) else {
            stack.pop();
            match (is_object, before) {
                // An object without properties is its name alone.
                (true, 0) => {}
                (true, _) => {
                    line(f, true, ",", stack.len())?;
                    f.write_str("}")?;
                }
                (false, 0) => f.write_str("]")?,
                (false, _) => {
                    line(f, false, ",", stack.len())?;
                    f.write_str("]")?;
                }
            }
            continue;
        };
        match (is_object, before) {
            (true, 0) => {
                f.write_str(" {")?;
                line(f, true, "", depth)?;
            }
            (false, 0) => line(f, false, "", depth)?,
            _ => {
                f.write_str(if f.alternate() { "" } else { "," })?;
                line(f, true, ",", depth)?;
            }
        }
        let value = match part {
            Part::Core(core) => {
                write!(f, "$core: {core:?}")?;
                continue;
            }
            Part::Field(object, field) => match write_name(f, object, field)? {
                Some(value) => value,
                None => continue,
            },
            Part::Item(value) => value,
        };
        let container = match value {
            Value::Object(inner) => {
                f.write_str(inner.class().name())?;
                Container::Object(inner)
            }
            Value::List(inner) => {
                f.write_str("[")?;
                Container::List(inner)
            }
            leaf => {
                write_leaf(f, leaf)?;
                continue;
            }
        };
        stack.push(Level { container, written: 0 });
    }
}

/// A new line after `end`, or what stands in its place where all is on one line.
fn line(f: &mut Formatter<'_>, blank: bool, end: &str, depth: usize) -> fmt::Result {
    if !f.alternate() {
        return f.write_str(if blank { " " } else { "" });
    }
    let spaces = depth.min(MAX_INDENT).saturating_mul(4);
    write!(f, "{end}\n{:spaces$}", "")
}

/// Writes the name of a property, and its value if it is the name of an option. Returns the value
/// if it is still to be written.
fn write_name<'v>(
    f: &mut Formatter<'_>,
    object: &Object,
    field: &'v Field,
) -> Result<Option<&'v Value>, fmt::Error> {
    let Some(property) = object.property_of(field) else {
        write!(f, "{:#010x}: ", field.unknown_hash().unwrap_or_default())?;
        return Ok(Some(&field.value));
    };
    write!(f, "{}: ", property.name())?;
    if let (Value::Enum(value), Some(options)) = (&field.value, property.options()) {
        let name = options.format(*value);
        if !name.is_empty() {
            f.write_str(&name)?;
            return Ok(None);
        }
    }
    Ok(Some(&field.value))
}
