//! Values in serde: whole in this crate's format, maps with a `$type` in others.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_core::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Object, Value, encode};
use crate::handoff;
use crate::schema::Property;

/// In other formats an object is a map whose first entry `$type` is the name of its class; enums
/// are numbers. The module for JSON writes and reads a notation in which nothing is lost.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = handoff::with_writer(|writer, rules, place| match place {
            Some((property, element)) => {
                let element = element.then_some(&property.kind);
                encode::encode(writer, rules, property, element, self)
            }
            None => encode::root(writer, rules, self),
        });
        if written {
            return serializer.serialize_unit();
        }
        let shown = Shown { value: self, levels: Value::MAX_SERDE_DEPTH };
        serializer.serialize_newtype_struct(crate::types::VALUE, &shown)
    }
}

impl Value {
    /// The most levels with which a value passes through serde into another format, and comes from
    /// one: serde goes into what is nested by recursion. Deeper values are an error there. This
    /// crate's own format, its JSON text and its XML take any depth.
    pub const MAX_SERDE_DEPTH: usize = 255;
}

#[derive(Clone, Copy)]
struct Shown<'a> {
    value: &'a Value,
    /// How many levels may follow.
    levels: usize,
}

impl<'a> Shown<'a> {
    fn inner<E: Error>(self, value: &'a Value) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom(too_deep()))?;
        Ok(Shown { value, levels })
    }
}

/// Why a value that is nested too deep does not pass through serde.
#[cold]
pub(crate) fn too_deep() -> String {
    format!("nested deeper than {} levels, which is the most for serde", Value::MAX_SERDE_DEPTH)
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The serializer of this crate asks here for the whole value.
        if handoff::is_lent() {
            return self.value.serialize(serializer);
        }
        match self.value {
            Value::Null => serializer.serialize_none(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::UInt(value) => serializer.serialize_u64(*value),
            Value::Float(value) => serializer.serialize_f32(*value),
            Value::Double(value) => serializer.serialize_f64(*value),
            Value::Enum(value) => serializer.serialize_u32(*value),
            Value::String(text) => text.serialize(serializer),
            Value::WString(text) => text.serialize(serializer),
            Value::Color(value) => value.serialize(serializer),
            Value::Vector3D(value) => value.serialize(serializer),
            Value::Quaternion(value) => value.serialize(serializer),
            Value::Euler(value) => value.serialize(serializer),
            Value::Matrix3x3(value) => value.serialize(serializer),
            Value::Size(value) => value.serialize(serializer),
            Value::Point(value) => value.serialize(serializer),
            Value::Rect(value) => value.serialize(serializer),
            Value::List(list) => {
                let mut seq = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    seq.serialize_element(&self.inner(value)?)?;
                }
                seq.end()
            }
            Value::Bools(list) => serializer.collect_seq(list.iter()),
            Value::SmallInts(list) => serializer.collect_seq(list.iter()),
            Value::Object(object) => self.object(object, serializer),
            Value::Raw(object) => object.serialize(serializer),
            Value::Bits(bits) => serializer.serialize_bytes(bits.as_bytes()),
        }
    }
}

impl<'a> Shown<'a> {
    fn object<S: Serializer>(self, object: &'a Object, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$type", object.class().name())?;
        if let Some(core) = object.core() {
            map.serialize_entry(crate::core_object::FIELD, &core)?;
        }
        for field in object.fields() {
            let value = self.inner(&field.value)?;
            match object.property_of(field).map(Property::name) {
                Some(name) => map.serialize_entry(name, &value)?,
                None => {
                    let hash = field.unknown_hash().unwrap_or_default();
                    map.serialize_entry(&format!("${hash:08x}"), &value)?;
                }
            }
        }
        map.end()
    }
}

/// Only from this crate's own format: other formats do not say which type a number has. The module
/// for JSON reads values with a schema.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;

        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with a schema")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                _inner: D,
            ) -> Result<Value, D::Error> {
                handoff::take_value().ok_or_else(|| {
                    D::Error::custom("a value can only be read with a schema that says its types")
                })
            }
        }

        deserializer.deserialize_newtype_struct(crate::types::VALUE, ValueVisitor)
    }
}
