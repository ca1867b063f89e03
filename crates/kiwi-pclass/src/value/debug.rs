//! Values as text for people: `class Leaf { m_id: 7, m_on: true }`. Without recursion.

use std::fmt::{self, Formatter};

use super::walk::{Container, MAX_INDENT, Part, Visit, walk};
use super::{Field, List, Object, Value};
use crate::schema::Property;

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
        walk(Container::List(self), &mut Writer(f))
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk(Container::Object(self), &mut Writer(f))
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

/// Writes names, brackets and what stands between them.
struct Writer<'f, 'g>(&'f mut Formatter<'g>);

impl Writer<'_, '_> {
    /// A new line after `end`, or what stands in its place where all is on one line.
    fn line(&mut self, blank: bool, end: &str, depth: usize) -> fmt::Result {
        if !self.0.alternate() {
            return self.0.write_str(if blank { " " } else { "" });
        }
        let spaces = depth.min(MAX_INDENT).saturating_mul(4);
        write!(self.0, "{end}\n{:spaces$}", "")
    }

    /// What stands before a part that follows others.
    fn next(&mut self, depth: usize) -> fmt::Result {
        self.0.write_str(if self.0.alternate() { "" } else { "," })?;
        self.line(true, ",", depth)
    }
}

impl<'v> Visit<'v> for Writer<'_, '_> {
    type Error = fmt::Error;

    fn begin(&mut self, container: Container<'v>, depth: usize) -> fmt::Result {
        let Container::Object(object) = container else { return self.0.write_str("[") };
        self.0.write_str(object.class().name())?;
        // An object without anything is its name alone.
        if object.core().is_some() || !object.fields().is_empty() {
            self.0.write_str(" {")?;
            self.line(true, "", depth)?;
        }
        match object.core() {
            Some(core) => write!(self.0, "$core: {core:?}"),
            None => Ok(()),
        }
    }

    fn part(&mut self, part: Part<'v>, before: usize, depth: usize) -> fmt::Result {
        let Part::Field(object, field) = part else {
            return if before == 0 { self.line(false, "", depth) } else { self.next(depth) };
        };
        if before > 0 || object.core().is_some() {
            self.next(depth)?;
        }
        match object.property_of(field) {
            Some(property) => write!(self.0, "{}: ", property.name()),
            None => write!(self.0, "{:#010x}: ", field.unknown_hash().unwrap_or_default()),
        }
    }

    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>) -> fmt::Result {
        let options = property.and_then(Property::options);
        if let (Value::Enum(value), Some(options)) = (value, options) {
            let name = options.format(*value);
            if !name.is_empty() {
                return self.0.write_str(&name);
            }
        }
        write_leaf(self.0, value)
    }

    fn end(&mut self, container: Container<'v>, parts: usize, depth: usize) -> fmt::Result {
        let (is_empty, blank, close) = match container {
            Container::Object(object) => (parts == 0 && object.core().is_none(), true, "}"),
            Container::List(_) => (parts == 0, false, "]"),
        };
        if !is_empty {
            self.line(blank, ",", depth.saturating_sub(1))?;
        } else if blank {
            return Ok(());
        }
        self.0.write_str(close)
    }
}
