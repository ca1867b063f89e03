//! Values and raw objects in serde: whole in this crate's format; in others in the JSON notation, and as
//! bytes.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::shown::Shown;
use super::{RawObject, Value};
use crate::handoff;
use crate::types::{ByteString, TextVisitor};
use crate::{Error, Options};

/// In other formats a value is as in the notation of the module for JSON.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(crate::types::VALUE, &Shown::new(self, None))
    }
}

impl Value {
    /// The most levels with which a value passes through serde into another format: serde goes into
    /// what is nested by recursion. Deeper values are an error there. This crate's own format, its
    /// JSON text and its XML take any depth.
    pub const MAX_SERDE_DEPTH: usize = 255;
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

            fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<Value, D::Error> {
                handoff::take().ok_or_else(|| {
                    D::Error::custom("a value can only be read with a schema that says its types")
                })
            }
        }

        deserializer.deserialize_newtype_struct(crate::types::VALUE, ValueVisitor)
    }
}

gamewire_core::value_deserializer! { Value, Options, Error, false, texts }

/// The texts and bytes of a value itself, which a type can borrow.
fn texts<'v>(value: &'v Value, texts: &mut Vec<&'v [u8]>) {
    match value {
        Value::String(text) => texts.push(text.as_bytes()),
        Value::Object(object) => texts.extend(object.iter().map(|(name, _)| name.as_bytes())),
        _ => {}
    }
}

/// As bytes: hash, number of bits, bits. In other formats too.
impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(crate::types::RAW_OBJECT, &Packed(self))
    }
}

struct Packed<'a>(&'a RawObject);

impl Serialize for Packed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match handoff::write_native(serializer, |lent| lent.write_raw(self.0)) {
            Ok(written) => written,
            Err(serializer) => serializer.serialize_bytes(&self.0.pack()),
        }
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor::<ByteString>::new("an object of an unknown class");
        let bytes = deserializer.deserialize_newtype_struct(crate::types::RAW_OBJECT, visitor)?;
        RawObject::unpack(bytes.as_bytes())
            .ok_or_else(|| D::Error::custom("the raw object is not whole"))
    }
}
