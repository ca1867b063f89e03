//! Keys of documents as the keys of Rust maps: text, or what text can say.

use std::marker::PhantomData;

use gamewire_core::words::{Name, Names};
use serde_core::de::{self, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::lend::Lend;
use crate::error::{Error, Result};

pub(super) struct KeyDeserializer<'b, M> {
    text: &'b str,
    mode: PhantomData<M>,
}

impl<'b, M> KeyDeserializer<'b, M> {
    #[inline]
    pub(super) fn new(text: &'b str) -> Self {
        KeyDeserializer { text, mode: PhantomData }
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident $type:ty),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.text.parse::<$type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => M::str(visitor, self.text),
            }
        }
    )+};
}

impl<'de, 'b, M: Lend<'b, 'de>> de::Deserializer<'de> for KeyDeserializer<'b, M> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        M::str(visitor, self.text)
    }

    parsed! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: Name, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: Name, _: Names, visitor: V) -> Result<V::Value> {
        visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(self.text))
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
