//! Values as text for people: `class Leaf { m_id: 7, m_on: true }`.

use std::fmt;

use super::{Field, List, Object, Value};

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::UInt(value) => value.fmt(f),
            Value::Float(value) => value.fmt(f),
            Value::Double(value) => value.fmt(f),
            Value::Enum(value) => value.fmt(f),
            Value::String(text) => text.fmt(f),
            Value::WString(text) => {
                f.write_str("L")?;
                text.fmt(f)
            }
            Value::Color(value) => value.fmt(f),
            Value::Vector3D(value) => value.fmt(f),
            Value::Quaternion(value) => value.fmt(f),
            Value::Euler(value) => value.fmt(f),
            Value::Matrix3x3(value) => value.fmt(f),
            Value::Size(value) => value.fmt(f),
            Value::Point(value) => value.fmt(f),
            Value::Rect(value) => value.fmt(f),
            Value::List(list) => list.fmt(f),
            Value::Bools(list) => list.fmt(f),
            Value::SmallInts(list) => list.fmt(f),
            Value::Object(object) => object.fmt(f),
            Value::Raw(object) => object.fmt(f),
            Value::Bits(bits) => bits.fmt(f),
        }
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&**self).finish()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct(self.class().name());
        if let Some(core) = self.core() {
            text.field("$core", &core);
        }
        for field in self.fields() {
            match (self.property_of(field), field.value.clone_enum()) {
                (Some(property), Some(value)) => {
                    let name = property.options().map(|options| options.format(value));
                    match name.filter(|name| !name.is_empty()) {
                        Some(name) => text.field(property.name(), &format_args!("{name}")),
                        None => text.field(property.name(), &value),
                    };
                }
                (Some(property), None) => {
                    text.field(property.name(), &field.value);
                }
                (None, _) => {
                    let hash = field.unknown_hash().unwrap_or_default();
                    text.field(&format!("{hash:#010x}"), &field.value);
                }
            }
        }
        text.finish()
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field")
            .field("index", &self.index())
            .field("kept", &self.is_kept())
            .field("value", &self.value)
            .finish()
    }
}

impl Value {
    fn clone_enum(&self) -> Option<u32> {
        match self {
            Value::Enum(value) => Some(*value),
            _ => None,
        }
    }
}
