//! Keys of documents as the keys of Rust maps: text, what text can say, or JSON of anything else.

use std::marker::PhantomData;

use serde_core::de::{self, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::lend::{Copied, Lend};
use super::typed::TypedReader;
use crate::error::{Error, Result};
use crate::{Options, json};

/// The key that is nothing.
pub(crate) const NULL: &str = "null";

pub(super) struct KeyDeserializer<'a, 'b, M> {
    text: &'b str,
    options: &'a Options,
    mode: PhantomData<M>,
}

impl<'a, 'b, M> KeyDeserializer<'a, 'b, M> {
    #[inline]
    pub(super) fn new(text: &'b str, options: &'a Options) -> Self {
        KeyDeserializer { text, options, mode: PhantomData }
    }

    /// Reads a key that is JSON.
    #[cold]
    fn parsed<T>(&self, read: impl FnOnce(&mut TypedReader<'_, Copied>) -> Result<T>) -> Result<T> {
        let options = self.options.human_readable(true);
        let value = json::from_str_with(self.text, &options);
        value.and_then(|value| options.read_value(&value, read)).map_err(Error::without_offset)
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

macro_rules! json {
    ($($method:ident($($type:ty),*))+) => {$(
        fn $method<V: Visitor<'de>>(self $(, _: $type)*, visitor: V) -> Result<V::Value> {
            self.parsed(|own| own.deserialize_any(visitor))
        }
    )+};
}

impl<'de, 'b, M: Lend<'b, 'de>> de::Deserializer<'de> for KeyDeserializer<'_, 'b, M> {
    type Error = Error;

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
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    json! {
        deserialize_bytes() deserialize_byte_buf() deserialize_unit() deserialize_seq()
        deserialize_map() deserialize_unit_struct(&'static str) deserialize_tuple(usize)
        deserialize_tuple_struct(&'static str, usize) deserialize_struct(&'static str, &'static [&'static str])
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.text == NULL { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // A variant with content is an object.
        if self.text.starts_with('{') {
            return self.parsed(|own| own.deserialize_enum(name, names, visitor));
        }
        visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(self.text))
    }

    forward_to_deserialize_any! { char str string identifier ignored_any }
}
