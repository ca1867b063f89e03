//! [`Value`] through serde: whole in this crate's format, readable in others.

use std::any::type_name;
use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{self, Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::error::Error;
use crate::handoff::{self, NAME};
use crate::options::Options;
use crate::text::Str;
use crate::types::Binary;
use crate::value::{Array, Document, Key, encode};
use crate::{Value, extended};

/// How deep a value may be in other formats, which go through it by recursion.
const MAX_LEVELS: usize = 128;

/// Types that are whole in this format, and in others as `$readable` shows them at depth 0.
macro_rules! whole {
    ($($whole:ident $inner:ident $encode:ident $readable:ident;)+) => {$(
        impl Serialize for $whole {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(NAME, &$inner(self))
            }
        }

        struct $inner<'a>(&'a $whole);

        impl Serialize for $inner<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match handoff::write_native(serializer, |writer| encode::$encode(writer, self.0)) {
                    Ok(done) => done,
                    Err(serializer) => $readable(self.0, serializer, 0),
                }
            }
        }
    )+};
}

whole! {
    Value InnerValue encode readable;
    Array InnerArray encode_array array;
    Document InnerDocument encode_document document;
}

macro_rules! parts {
    ($($part:ident $words:literal;)+) => {$(
        impl<'de> Deserialize<'de> for $part {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Value::deserialize(deserializer)? {
                    Value::$part(part) => Ok(part),
                    other => Err(de::Error::custom(format_args!(
                        "expected {}, found {}", $words, other.kind().words()
                    ))),
                }
            }
        }
    )+};
}

parts! {
    Array "an array";
    Document "a document";
}

/// A value as other formats show it, and how deep it stands.
struct Readable<'a>(&'a Value, usize);

fn readable<S: Serializer>(value: &Value, serializer: S, depth: usize) -> Result<S::Ok, S::Error> {
    Readable(value, depth).serialize(serializer)
}

fn deeper<E: ser::Error>(depth: usize) -> Result<usize, E> {
    if depth >= MAX_LEVELS {
        return Err(E::custom(format_args!("nested deeper than {MAX_LEVELS} levels")));
    }
    Ok(depth.saturating_add(1))
}

fn array<S: Serializer>(items: &[Value], serializer: S, depth: usize) -> Result<S::Ok, S::Error> {
    let depth = deeper::<S::Error>(depth)?;
    let mut seq = serializer.serialize_seq(Some(items.len()))?;
    items.iter().try_for_each(|item| seq.serialize_element(&Readable(item, depth)))?;
    seq.end()
}

fn document<S: Serializer>(
    entries: &[(Key, Value)],
    serializer: S,
    depth: usize,
) -> Result<S::Ok, S::Error> {
    let depth = deeper::<S::Error>(depth)?;
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    entries
        .iter()
        .try_for_each(|(key, value)| map.serialize_entry(key.as_str(), &Readable(value, depth)))?;
    map.end()
}

impl Serialize for Readable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Readable(value, depth) = *self;
        match value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(v) => serializer.serialize_bool(*v),
            Value::Int32(v) => serializer.serialize_i32(*v),
            Value::Int64(v) => serializer.serialize_i64(*v),
            // Text has no NaN, and not all readers of it round as they should.
            Value::Double(v) if serializer.is_human_readable() && !extended::is_plain(*v) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("$numberDouble", &extended::double_text(*v))?;
                map.end()
            }
            Value::Double(v) => serializer.serialize_f64(*v),
            Value::String(v) => serializer.serialize_str(v),
            Value::Array(items) => array(items, serializer, depth),
            Value::Document(entries) if extended::is_ambiguous(entries) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(extended::LITERAL, &Literal(entries, deeper(depth)?))?;
                map.end()
            }
            Value::Document(entries) => document(entries, serializer, depth),
            Value::Binary(v) if v.subtype == 0 && !serializer.is_human_readable() => {
                serializer.serialize_bytes(&v.bytes)
            }
            other => Wrapper(&extended::wrap(other.clone())).serialize(serializer),
        }
    }
}

/// The wrapper of a value: a few documents of numbers and text, none of which needs a wrapper.
struct Wrapper<'a>(&'a Value);

impl Serialize for Wrapper<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Document(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| {
                    map.serialize_entry(key.as_str(), &Wrapper(value))
                })?;
                map.end()
            }
            other => Readable(other, 0).serialize(serializer),
        }
    }
}

/// A document whose keys are taken as they are.
struct Literal<'a>(&'a Document, usize);

impl Serialize for Literal<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        document(self.0, serializer, self.1)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Text does not say how wide a number is. The buffers of serde count as text, but what this
        // crate read into them has the widths that were read, and its errors.
        let is_text =
            deserializer.is_human_readable() && type_name::<D::Error>() != type_name::<Error>();
        deserializer.deserialize_newtype_struct(NAME, ValueVisitor { is_text })
    }
}

gamewire_core::value_deserializer! { Value, Options, Error, false, texts }

/// The texts and bytes of a value itself, which a type can borrow.
fn texts<'v>(value: &'v Value, texts: &mut Vec<&'v [u8]>) {
    match value {
        Value::String(text) => texts.push(text.as_str().as_bytes()),
        Value::Binary(binary) => texts.push(&binary.bytes),
        Value::Document(document) => {
            texts.extend(document.0.iter().map(|(key, _)| key.as_str().as_bytes()));
        }
        _ => {}
    }
}

/// The elements to reserve for a hint, which is only a claim.
fn room(hint: Option<usize>) -> usize {
    hint.map_or(0, |hint| hint.min(1024))
}

struct ValueVisitor {
    /// Whether integers have no width.
    is_text: bool,
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        handoff::take().map_or_else(|| inner.deserialize_any(self), Ok)
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(Value::Bool(v))
    }

    fn visit_i8<E>(self, v: i8) -> Result<Value, E> {
        Ok(Value::Int32(v.into()))
    }

    fn visit_i16<E>(self, v: i16) -> Result<Value, E> {
        Ok(Value::Int32(v.into()))
    }

    fn visit_i32<E>(self, v: i32) -> Result<Value, E> {
        Ok(Value::Int32(v))
    }

    /// Binary formats say how wide a number is.
    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(i32::try_from(v).ok().filter(|_| self.is_text).map_or(Value::Int64(v), Value::Int32))
    }

    fn visit_u64<E: de::Error>(self, v: u64) -> Result<Value, E> {
        let int = |v: i64| i32::try_from(v).map_or(Value::Int64(v), Value::Int32);
        let expected = &"an integer of 64 bits";
        let value = i64::try_from(v);
        value.map(int).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(v), expected))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
        Ok(Value::Double(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(Value::String(Str::new(v)))
    }

    fn visit_string<E>(self, v: String) -> Result<Value, E> {
        Ok(Value::String(v.into()))
    }

    fn visit_bytes<E>(self, v: &[u8]) -> Result<Value, E> {
        Ok(Value::Binary(Box::new(Binary { subtype: 0, bytes: v.to_vec() })))
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        Value::deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut array = Array(Vec::with_capacity(room(seq.size_hint())));
        while let Some(value) = seq.next_element::<Value>()? {
            array.push(value);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::with_capacity(room(map.size_hint()));
        while let Some(key) = map.next_key::<String>()? {
            // The contents of a literal document are not interpreted.
            if entries.is_empty() && key == extended::LITERAL {
                let LiteralEntries(literal) = map.next_value()?;
                return Ok(Value::Document(literal));
            }
            entries.push((Key::from(key), map.next_value()?));
        }
        extended::unwrap(Document(entries)).map_err(de::Error::custom)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        // Formats that keep enums apart from maps: the name alone, or the name and its content.
        let (name, content) = data.variant::<String>()?;
        match de::VariantAccess::newtype_variant::<Value>(content)? {
            Value::Null => Ok(Value::String(name.into())),
            content => Ok(Value::Document(Document(vec![(name.into(), content)]))),
        }
    }
}

/// The entries of a map as they stand.
struct LiteralEntries(Document);

impl<'de> Deserialize<'de> for LiteralEntries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LiteralVisitor;
        impl<'de> Visitor<'de> for LiteralVisitor {
            type Value = LiteralEntries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a document")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LiteralEntries, A::Error> {
                let mut entries = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    entries.push((Key::from(key), map.next_value()?));
                }
                Ok(LiteralEntries(Document(entries)))
            }
        }
        deserializer.deserialize_map(LiteralVisitor)
    }
}
