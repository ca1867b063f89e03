//! Values as text for people: `class Leaf { m_id: 7, m_on: true }`.

use std::fmt::{self, Formatter};

use gamewire_core::walk::{self, DebugTree};

use super::tree::MAX_INDENT;
use super::{Field, List, Object, Value};
use crate::core_object::CoreHeader;
use crate::schema::Property;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(DebugPart::of(self, None), f)
    }
}

/// The same text as `Debug`: on one line, or with `{:#}` on many.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(DebugPart::List(self, None), f)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(DebugPart::Object(self), f)
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
    macro_rules! write_each {
        ($($number:ident),+; $($other:ident),+) => {
            match value {
                Value::Null | Value::Object(_) | Value::List(_) => f.write_str("null"),
                Value::WString(text) => write!(f, "L{text:?}"),
                $(Value::$number(value) => fmt::Debug::fmt(value, f),)+
                // On one line also where the whole has many.
                $(Value::$other(value) => write!(f, "{value:?}"),)+
            }
        };
    }
    write_each! {
        Bool, Int, UInt, Float, Double, Enum;
        String, Color, Vector3D, Quaternion, Euler, Matrix3x3, Size, Point, Rect, Bools, SmallInts,
        Raw, Bits
    }
}

/// A value, or the header of a core object. A property adds the names of options.
#[derive(Clone, Copy)]
enum DebugPart<'v> {
    Object(&'v Object),
    List(&'v [Value], Option<&'v Property>),
    Leaf(&'v Value, Option<&'v Property>),
    Header(CoreHeader),
}

impl<'v> DebugPart<'v> {
    fn of(value: &'v Value, property: Option<&'v Property>) -> Self {
        match value {
            Value::Object(object) => DebugPart::Object(object),
            Value::List(list) => DebugPart::List(list, property),
            leaf => DebugPart::Leaf(leaf, property),
        }
    }

    /// Whether there is anything in an object besides its name.
    fn has_parts(object: &Object) -> bool {
        object.core().is_some() || !object.fields().is_empty()
    }

    /// The field at the place of a part; `None` for the header, which is the first part.
    fn field(object: &Object, index: usize) -> Option<Option<&Field>> {
        match (object.core(), index.checked_sub(1)) {
            (None, _) => object.fields().get(index).map(Some),
            (Some(_), None) => Some(None),
            (Some(_), Some(index)) => object.fields().get(index).map(Some),
        }
    }
}

impl DebugTree for DebugPart<'_> {
    const ENDS_WITH_COMMA: bool = true;
    const MAX_INDENT: usize = MAX_INDENT;

    fn child(self, index: usize) -> Option<Self> {
        match self {
            DebugPart::Object(object) => match DebugPart::field(object, index)? {
                Some(field) => Some(DebugPart::of(&field.value, object.property_of(field))),
                None => object.core().map(DebugPart::Header),
            },
            DebugPart::List(list, property) => Some(DebugPart::of(list.get(index)?, property)),
            DebugPart::Leaf(..) | DebugPart::Header(_) => None,
        }
    }

    fn open(self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            DebugPart::Object(object) => {
                f.write_str(object.class().name())?;
                f.write_str(if DebugPart::has_parts(object) { " {" } else { "" })
            }
            DebugPart::List(..) => f.write_str("["),
            DebugPart::Leaf(leaf @ Value::Enum(value), Some(property)) => {
                match property.options().map(|options| options.format(*value)) {
                    Some(name) if !name.is_empty() => f.write_str(&name),
                    _ => write_leaf(f, leaf),
                }
            }
            DebugPart::Leaf(leaf, _) => write_leaf(f, leaf),
            DebugPart::Header(core) => write!(f, "{core:?}"),
        }
    }

    fn close(self) -> &'static str {
        match self {
            DebugPart::Object(object) if DebugPart::has_parts(object) => "}",
            DebugPart::List(..) => "]",
            _ => "",
        }
    }

    fn before(self, index: usize, f: &mut Formatter<'_>) -> fmt::Result {
        let DebugPart::Object(object) = self else { return Ok(()) };
        match DebugPart::field(object, index) {
            Some(Some(field)) => match object.property_of(field) {
                Some(property) => write!(f, "{}: ", property.name()),
                None => write!(f, "{:#010x}: ", field.unknown_hash().unwrap_or_default()),
            },
            _ => f.write_str("$core: "),
        }
    }

    fn padding(self) -> &'static str {
        if let DebugPart::Object(_) = self { " " } else { "" }
    }
}
