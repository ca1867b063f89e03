//! How a value that was decoded as a whole reaches the type that asked for it.

use serde_core::de::{self, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Result};
use crate::{Value, handoff};

/// Hands a value to the visitor of one of this crate's types.
#[cfg(feature = "std")]
pub(crate) fn give<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    handoff::leave_value(value);
    visitor.visit_newtype_struct(Given)
}

#[cfg(not(feature = "std"))]
pub(crate) fn give<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    visitor.visit_newtype_struct(Given(handoff::carried(&value)?))
}

/// Stands in for the value that was handed over.
#[cfg(feature = "std")]
struct Given;

/// What stands for a value in serde's buffers.
#[cfg(not(feature = "std"))]
struct Given(alloc::vec::Vec<u8>);

impl<'de> de::Deserializer<'de> for Given {
    type Error = Error;

    #[cfg(feature = "std")]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        handoff::take_value();
        Err(de::Error::invalid_type(de::Unexpected::Other("a native value"), &visitor))
    }

    #[cfg(not(feature = "std"))]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_map(super::native::TagAccess::new(self.0.into(), &crate::Options::whole()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
