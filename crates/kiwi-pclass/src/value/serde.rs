//! Values in serde: whole in this crate's format, in the JSON notation in others.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::Value;
use super::shown::Shown;
use crate::handoff;

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
