//! Lists of compact variants to Rust types.

use alloc::borrow::ToOwned as _;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use gamewire_core::words::{Name, Names};
use serde_core::de::value::SeqDeserializer;
use serde_core::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::compact::{self, Compact};
use crate::de::{give, visit_exact};
use crate::error::{Count, Error, ErrorKind, Result};
use crate::types::{Native, PackedByteArray, Type};
use crate::{Deserializer, Options, Value};

/// The variants, which are read one after another.
pub(super) struct List<'de> {
    de: Deserializer<'de>,
    end: End<'de>,
    index: usize,
}

/// What ends a list.
enum End<'de> {
    Count(usize),
    /// The end of the bytes.
    Bytes,
    /// The only element is these bytes; without them there is none.
    Raw(Option<&'de [u8]>),
}

impl<'de> List<'de> {
    pub(super) fn counted(bytes: &'de [u8], count: usize, options: Options) -> Self {
        List { de: Deserializer::new(bytes, options), end: End::Count(count), index: 0 }
    }

    pub(super) fn to_end(bytes: &'de [u8], options: Options) -> Self {
        List { de: Deserializer::new(bytes, options), end: End::Bytes, index: 0 }
    }

    pub(super) fn raw(bytes: &'de [u8], options: Options) -> Self {
        let raw = Some(bytes).filter(|bytes| !bytes.is_empty());
        List { de: Deserializer::new(&[], options), end: End::Raw(raw), index: 0 }
    }

    /// Reads all of it.
    pub(super) fn read<T: Deserialize<'de>>(mut self) -> Result<T> {
        let value = T::deserialize(&mut self).map_err(|error| error.or_at(0))?;
        if !self.is_done() {
            return Err(self.more());
        }
        // As the engine, which reads as many arguments as it was told; strict reading looks.
        if matches!(self.end, End::Count(_)) && self.de.reader.strict() {
            self.de.end()?;
        }
        Ok(value)
    }

    fn is_done(&self) -> bool {
        match self.end {
            End::Count(count) => self.index >= count,
            End::Bytes => self.de.rest().is_empty(),
            End::Raw(raw) => raw.is_none(),
        }
    }

    #[cold]
    fn more(&self) -> Error {
        let expected = Count(self.index, "value");
        let found = match self.end {
            End::Count(count) => count.to_string(),
            _ => "more".to_owned(),
        };
        let at = self.de.byte_offset();
        Error::at(ErrorKind::Data, at, format!("expected {expected}, found {found}"))
    }

    fn seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }

    #[cold]
    fn no_list<V: Visitor<'de>>(&self, visitor: &V) -> Error {
        de::Error::invalid_type(de::Unexpected::Other("a list of values"), visitor)
    }

    /// All of it, as values.
    fn values(&mut self) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        let mut list = &mut *self;
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(values)
    }
}

impl<'de> SeqAccess<'de> for &mut List<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.is_done() {
            return Ok(None);
        }
        let at = self.de.byte_offset();
        let read = match &mut self.end {
            End::Raw(raw) => seed.deserialize(RawBytes(raw.take().unwrap_or_default())),
            _ => match compact::read(&mut self.de.reader) {
                Ok(Compact::Bool(value)) => seed.deserialize(Scalar::Bool(value)),
                Ok(Compact::Int(value)) => seed.deserialize(Scalar::Int(value)),
                Ok(Compact::Plain) => seed.deserialize(&mut self.de),
                Err(error) => Err(error),
            },
        };
        let value = read.map_err(|error| error.or_at(at).inside(self.index))?;
        self.index = self.index.saturating_add(1);
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        match self.end {
            End::Count(count) => Some(count.saturating_sub(self.index)),
            End::Bytes => None,
            End::Raw(raw) => Some(usize::from(raw.is_some())),
        }
    }
}

impl<'de> de::Deserializer<'de> for &mut List<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.seq(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: Name, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Native::from_name(name) {
            None | Some(Native::TypedArray(_)) => visitor.visit_newtype_struct(self),
            Some(Native::Any) => {
                let values = self.values()?;
                give(Value::Array(values.into()), visitor)
            }
            Some(_) => Err(self.no_list(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: Name, _: Names, visitor: V) -> Result<V::Value> {
        Err(self.no_list(&visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

/// A compact bool or int.
#[derive(Clone, Copy)]
enum Scalar {
    Bool(bool),
    Int(i64),
}

macro_rules! floats {
    ($($float:ident $bits:literal),+) => {
        $(fn $float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self {
                Scalar::Int(value) => visit_exact(value, $bits, visitor),
                Scalar::Bool(_) => self.deserialize_any(visitor),
            }
        })+
    };
}

impl<'de> de::Deserializer<'de> for Scalar {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Scalar::Bool(value) => visitor.visit_bool(value),
            Scalar::Int(value) => visitor.visit_i64(value),
        }
    }

    floats!(deserialize_f32 32, deserialize_f64 64);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match (Native::from_name(name), self) {
            (None, _) => visitor.visit_newtype_struct(self),
            (Some(Native::Any), Scalar::Bool(value)) => give(Value::Bool(value), visitor),
            (Some(Native::Any), Scalar::Int(value)) => give(Value::Int(value), visitor),
            (Some(_), _) => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The bytes of the only argument.
struct RawBytes<'de>(&'de [u8]);

impl<'de> de::Deserializer<'de> for RawBytes<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.0)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let bytes = self.0.iter().copied();
        SeqDeserializer::<_, Error>::new(bytes).deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Native::from_name(name) {
            None => visitor.visit_newtype_struct(self),
            Some(Native::Any) => {
                give(Value::PackedByteArray(PackedByteArray(self.0.to_vec())), visitor)
            }
            Some(Native::Packed(Type::PackedByteArray, _)) => visitor.visit_borrowed_bytes(self.0),
            Some(_) => Err(de::Error::invalid_type(de::Unexpected::Bytes(self.0), &visitor)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple_struct map struct enum identifier ignored_any
    }
}
