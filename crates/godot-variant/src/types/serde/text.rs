//! `StringName` and `GString`.

use std::fmt;

use serde_core::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_core::ser::Serializer;
use serde_core::{Deserialize, Serialize};

use super::*;
use crate::Value;

impl Serialize for StringName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(name!("StringName"), self.as_str())
    }
}

/// Reads text, from this crate or another.
struct TextVisitor(&'static str);

impl<'de> Visitor<'de> for TextVisitor {
    type Value = GString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<GString, D::Error> {
        inside(inner, self, D::deserialize_str)
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<GString, E> {
        Ok(GString::new(text))
    }

    fn visit_string<E: serde_core::de::Error>(self, text: String) -> Result<GString, E> {
        Ok(text.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GString, A::Error> {
        match tagged(&mut map, &self)? {
            Value::StringName(name) => Ok(name.0),
            Value::String(text) => Ok(text),
            _ => Err(A::Error::invalid_type(serde_core::de::Unexpected::Map, &self)),
        }
    }
}

impl<'de> Deserialize<'de> for StringName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor("a StringName");
        deserializer.deserialize_newtype_struct(name!("StringName"), visitor).map(StringName)
    }
}

impl Serialize for GString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for GString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor("a string"))
    }
}
