//! Bodies to Rust types.

use gamewire_core::words::invalid_utf8;
use kiwi_pclass::{Error, ErrorKind, Result};
use serde_core::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::Kind;
use crate::read::{Reader, error_at};

/// The newtype of `WString`, in which bytes are code units.
pub(crate) const WSTRING: &str = "$kiwi_pclass::std::wstring";

/// Reads a whole body, of which the Rust type says what is there.
pub(crate) fn from_body<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T> {
    let reader = Reader::new(body);
    let mut fields =
        Fields { reader, names: &[], index: 0, len: 0, in_field: false, is_wide: false };
    let value = T::deserialize(&mut fields)?;
    fields.reader.end("the last field").map(|()| value)
}

/// The fields, which are read one after another, each as wide as its Rust type.
struct Fields<'de> {
    reader: Reader<'de>,
    names: &'static [&'static str],
    index: usize,
    len: usize,
    /// One of them is read, not the message.
    in_field: bool,
    /// Inside of a `WString`.
    is_wide: bool,
}

impl<'de> Fields<'de> {
    fn array<const N: usize, V: Visitor<'de>>(
        &mut self,
        kind: Kind,
        visitor: &V,
    ) -> Result<[u8; N]> {
        match self.in_field {
            true => self.reader.array(kind.name()),
            false => Err(self.wrong(visitor)),
        }
    }

    fn text<V: Visitor<'de>>(&mut self, kind: Kind, visitor: &V) -> Result<&'de [u8]> {
        match self.in_field {
            true => self.reader.text(kind),
            false => Err(self.wrong(visitor)),
        }
    }

    #[cold]
    fn wrong<V: Visitor<'de>>(&self, visitor: &V) -> Error {
        let found = if self.in_field { "a field of a message" } else { "the fields of a message" };
        de::Error::invalid_type(de::Unexpected::Other(found), visitor)
    }
}

impl<'de> SeqAccess<'de> for &mut Fields<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.index >= self.len {
            return Ok(None);
        }
        let (at, index) = (self.reader.offset(), self.index);
        self.index = index.saturating_add(1);
        self.is_wide = false;
        let read = seed.deserialize(&mut **self).map_err(|error| {
            let error = error.or_at(at.saturating_mul(8));
            match self.names.get(index) {
                Some(name) => error.inside(*name),
                None => error.inside(index),
            }
        });
        read.map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.index))
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ty, $kind:ident;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let bytes = self.array(Kind::$kind, &visitor)?;
            visitor.$visit(<$type>::from_le_bytes(bytes))
        }
    )+};
}

impl<'de> de::Deserializer<'de> for &mut Fields<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(self.wrong(&visitor))
    }

    numbers! {
        deserialize_i8 visit_i8 i8, Byt;
        deserialize_u8 visit_u8 u8, UByt;
        deserialize_i16 visit_i16 i16, Shrt;
        deserialize_u16 visit_u16 u16, UShrt;
        deserialize_i32 visit_i32 i32, Int;
        deserialize_u32 visit_u32 u32, UInt;
        deserialize_u64 visit_u64 u64, Gid;
        deserialize_f32 visit_f32 f32, Flt;
        deserialize_f64 visit_f64 f64, Dbl;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.array(Kind::UByt, &visitor)? {
            [flag @ 0..=1] => visitor.visit_bool(flag == 1),
            [other] => visitor.visit_u8(other),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let bytes = self.text(Kind::Str, &visitor)?;
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let left = bytes.len().saturating_sub(error.valid_up_to());
            let at = self.reader.offset().saturating_sub(left);
            error_at(ErrorKind::InvalidText, at, invalid_utf8(bytes, error))
        })?;
        visitor.visit_borrowed_str(text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let kind = if self.is_wide { Kind::WStr } else { Kind::Str };
        let bytes = self.text(kind, &visitor)?;
        visitor.visit_borrowed_bytes(bytes)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.is_wide |= name == WSTRING;
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if !self.in_field {
            self.names = names;
        }
        self.deserialize_tuple(names.len(), visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        if self.in_field {
            return Err(self.wrong(&visitor));
        }
        self.in_field = true;
        self.len = len;
        visitor.visit_seq(self)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.in_field {
            true => Err(self.wrong(&visitor)),
            false => visitor.visit_unit(),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    forward_to_deserialize_any! {
        i64 i128 u128 char option seq map enum identifier ignored_any
    }
}
