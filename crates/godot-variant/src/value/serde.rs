//! [`Value`] through serde: whole in this crate's format, readable in others.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::error::Error;
use crate::handoff;
use crate::types::{GString, PackedByteArray, PackedElement, TAG, Tagged, WireElement};
use crate::value::Inside;
use crate::value::{Array, Dictionary, Object, by_numbers, encode};
use crate::{Options, Value};

const NAME: &str = "$godot_variant::Value";

/// How deep a value may be in other formats, which go through it by recursion.
const MAX_LEVELS: usize = 128;

macro_rules! whole {
    ($($name:ident: $start:ident, |$value:ident| $readable:expr;)+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(NAME, &Inner(self))
            }
        }

        impl Serialize for Inner<'_, $name> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let native = handoff::write_native(serializer, |writer| {
                    let depth = writer.depth;
                    encode::encode(writer, self.0, depth, encode::$start)
                });
                match native {
                    Ok(done) => done,
                    Err(serializer) => {
                        let $value = self.0;
                        $readable.serialize(serializer)
                    }
                }
            }
        }
    )+};
}

whole! {
    Value: start, |value| Readable(value, 0);
    Array: untyped_array, |items| ReadableInside(Inside::Items(&items.0), 0);
    Dictionary: untyped_dictionary, |entries| ReadableInside(Inside::Entries(entries.as_slice()), 0);
}

/// The content of the newtype: written whole by this crate, readable in other formats.
struct Inner<'a, T>(&'a T);

/// A value as other formats show it, and how deep it stands; and what is inside of a container.
struct Readable<'a>(&'a Value, usize);
struct ReadableInside<'a>(Inside<'a>, usize);

impl Serialize for ReadableInside<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ReadableInside(inside, depth) = *self;
        if depth >= MAX_LEVELS {
            let text = format!("nested deeper than {MAX_LEVELS} levels");
            return Err(serde_core::ser::Error::custom(text));
        }
        let below = |value| Readable(value, depth.saturating_add(1));
        match inside {
            Inside::Items(items) => serializer.collect_seq(items.iter().map(below)),
            Inside::Entries(entries) => serializer
                .collect_map(entries.iter().map(|(key, value)| (below(key), below(value)))),
            Inside::Properties(properties) => {
                serializer.collect_map(properties.iter().map(|(name, value)| (name, below(value))))
            }
        }
    }
}

impl Serialize for Readable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use Value::*;
        let Readable(value, depth) = *self;
        by_numbers!(
            value,
            ints v => v.serialize(serializer),
            reals v => v.serialize(serializer),
            packed v => v.serialize(serializer),
            Nil | Object(self::Object::Null) => serializer.serialize_unit(),
            Bool(v) => serializer.serialize_bool(*v),
            Int(v) => serializer.serialize_i64(*v),
            Float(v) => serializer.serialize_f64(*v),
            String(v) => serializer.serialize_str(v),
            StringName(v) => v.serialize(serializer),
            NodePath(v) => v.serialize(serializer),
            Rid(v) => v.serialize(serializer),
            Object(self::Object::Id(v)) => v.serialize(serializer),
            Object(self::Object::Reference(v)) => serializer.collect_str(v),
            Object(self::Object::Instance(v)) => {
                ReadableInside(Inside::Properties(&v.properties), depth).serialize(serializer)
            },
            Callable(v) => v.serialize(serializer),
            Signal(v) => v.serialize(serializer),
            Dictionary(v) => ReadableInside(Inside::Entries(v.as_slice()), depth).serialize(serializer),
            TypedDictionary(v) => {
                ReadableInside(Inside::Entries(v.entries.as_slice()), depth).serialize(serializer)
            },
            Array(v) => ReadableInside(Inside::Items(&v.0), depth).serialize(serializer),
            TypedArray(v) => ReadableInside(Inside::Items(&v.items.0), depth).serialize(serializer),
            PackedByteArray(v) => serializer.serialize_bytes(v),
            PackedInt32Array(v) => v.serialize(serializer),
            PackedInt64Array(v) => v.serialize(serializer),
            PackedFloat32Array(v) => v.serialize(serializer),
            PackedFloat64Array(v) => v.serialize(serializer),
            PackedStringArray(v) => v.serialize(serializer),
        )
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, ValueVisitor)
    }
}

macro_rules! part {
    ($part:ident, $expected:literal, $($pattern:pat => $take:expr),+) => {
        impl<'de> Deserialize<'de> for $part {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Value::deserialize(deserializer)? {
                    $($pattern => Ok($take),)+
                    other => Err(serde_core::de::Error::custom(format_args!(
                        "expected {}, found {}", $expected, other.kind()
                    ))),
                }
            }
        }
    };
}

part!(Array, "an array", Value::Array(items) => items, Value::TypedArray(typed) => typed.items);
part!(
    Dictionary, "a dictionary",
    Value::Dictionary(entries) => entries, Value::TypedDictionary(typed) => typed.entries
);

gamewire_core::value_deserializer! { Value, Options, Error, false, texts }

/// The texts and bytes of a value itself, which a type can borrow.
fn texts<'v>(value: &'v Value, texts: &mut Vec<&'v [u8]>) {
    match value {
        Value::String(text) => texts.push(text.as_bytes()),
        Value::StringName(text) => texts.push(text.as_str().as_bytes()),
        Value::PackedByteArray(bytes) => texts.push(bytes),
        Value::PackedStringArray(all) => texts.extend(all.iter().map(|text| text.as_bytes())),
        Value::Object(Object::Instance(instance)) => {
            texts.extend(instance.properties.iter().map(|(name, _)| name.as_bytes()));
        }
        _ => {}
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        match handoff::take() {
            Some(value) => Ok(value),
            None => inner.deserialize_any(self),
        }
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(Value::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(Value::Int(v))
    }

    fn visit_u64<E: serde_core::de::Error>(self, v: u64) -> Result<Value, E> {
        i64::try_from(v).map(Value::Int).map_err(|_| {
            E::invalid_value(serde_core::de::Unexpected::Unsigned(v), &"an integer of 64 bits")
        })
    }

    fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
        Ok(Value::Float(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(Value::String(GString::new(v)))
    }

    fn visit_bytes<E>(self, v: &[u8]) -> Result<Value, E> {
        Ok(Value::PackedByteArray(PackedByteArray(v.to_vec())))
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        Value::deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::with_capacity(seq.size_hint().unwrap_or(0).min(1024));
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(Array(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(0).min(1024));
        while let Some(key) = map.next_key::<Value>()? {
            if entries.is_empty() && key.as_str() == Some(TAG) {
                return map.next_value().map(|Tagged(value)| value);
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Value::Dictionary(entries.into()))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        // Formats that keep enums apart from maps: the name alone, or the name and its content.
        let (name, content) = data.variant::<Value>()?;
        match serde_core::de::VariantAccess::newtype_variant::<Value>(content)? {
            Value::Nil => Ok(name),
            content => Ok(Value::Dictionary(vec![(name, content)].into())),
        }
    }
}

/// The elements of a packed array of this type, in either width.
pub(crate) fn packed_elements<T: PackedElement + WireElement>(value: &Value) -> Option<Vec<T>> {
    if value.kind() != T::PACKED {
        return None;
    }
    let own = if T::WIDE { crate::Precision::Double } else { crate::Precision::Single };
    let bytes = Options::new().precision(own).value_to_vec(value).ok()?;
    let (count, elements) = bytes.get(4..)?.split_first_chunk::<4>()?;
    let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
    elements.get(..count.checked_mul(T::SIZE)?).map(T::read_all)
}
