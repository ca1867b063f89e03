//! How a value that was decoded as a whole reaches the type that asked for it.

use serde_core::de::{self, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Result};
use crate::{Value, handoff};

/// Hands a value to the visitor of one of this crate's types.
pub(super) fn give<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    handoff::give(value, || visitor.visit_newtype_struct(HandedValue))
}

/// Stands in for the value that is handed over.
struct HandedValue;

impl<'de> de::Deserializer<'de> for HandedValue {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        handoff::take();
        Err(de::Error::invalid_type(de::Unexpected::Other("a native value"), &visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
