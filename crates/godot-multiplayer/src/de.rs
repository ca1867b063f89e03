//! Lists of compact variants to Rust types.

use gamewire_core::words::Count;
use godot_variant::de::ScalarDeserializer;
use godot_variant::types::{Native, Type};
use serde_core::de::value::SeqDeserializer;
use serde_core::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::compact::{self, Compact};
use crate::read::Reader;
use crate::{Error, ErrorKind, Options, Result};

/// The variants, which are read one after another.
pub(crate) struct List<'de> {
    reader: Reader<'de>,
    end: End<'de>,
    index: usize,
}

/// The end of a list.
enum End<'de> {
    Count(usize),
    /// The end of the bytes.
    Bytes,
    /// The only element is these bytes; without them there is none.
    Raw(Option<&'de [u8]>),
}

impl<'de> List<'de> {
    pub(crate) fn counted(bytes: &'de [u8], count: usize, options: Options) -> Self {
        List { reader: Reader::new(bytes, options), end: End::Count(count), index: 0 }
    }

    pub(crate) fn to_end(bytes: &'de [u8], options: Options) -> Self {
        List { reader: Reader::new(bytes, options), end: End::Bytes, index: 0 }
    }

    pub(crate) fn raw(bytes: &'de [u8], options: Options) -> Self {
        let raw = Some(bytes).filter(|bytes| !bytes.is_empty());
        List { reader: Reader::new(&[], options), end: End::Raw(raw), index: 0 }
    }

    /// Reads all of it.
    pub(crate) fn read<T: Deserialize<'de>>(mut self) -> Result<T> {
        let value = T::deserialize(&mut self).map_err(|error| error.or_at(0))?;
        if !self.is_done() {
            return Err(self.more());
        }
        // As the engine, which reads as many arguments as it was told; strict reading looks.
        if matches!(self.end, End::Count(_)) && self.reader.strict() {
            self.reader.de.end()?;
        }
        Ok(value)
    }

    fn is_done(&self) -> bool {
        match self.end {
            End::Count(count) => self.index >= count,
            End::Bytes => self.reader.rest().is_empty(),
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
        let at = self.reader.offset();
        Error::at(ErrorKind::Data, at, format!("expected {expected}, found {found}"))
    }

    fn seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }

    #[cold]
    fn no_list<V: Visitor<'de>>(&self, visitor: &V) -> Error {
        de::Error::invalid_type(de::Unexpected::Other("a list of values"), visitor)
    }
}

impl<'de> SeqAccess<'de> for &mut List<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.is_done() {
            return Ok(None);
        }
        let at = self.reader.offset();
        let read = match &mut self.end {
            End::Raw(raw) => seed.deserialize(RawBytes(raw.take().unwrap_or_default())),
            _ => match compact::read(&mut self.reader) {
                Ok(Compact::Bool(value)) => seed.deserialize(ScalarDeserializer::Bool(value)),
                Ok(Compact::Int(value)) => seed.deserialize(ScalarDeserializer::Int(value)),
                Ok(Compact::Plain) => seed.deserialize(&mut self.reader.de),
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

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Native::from_name(name) {
            None | Some(Native::TypedArray(_) | Native::Any) => visitor.visit_newtype_struct(self),
            Some(_) => Err(self.no_list(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        Err(self.no_list(&visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf seq
        tuple tuple_struct map struct identifier ignored_any
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
            None | Some(Native::Any) => visitor.visit_newtype_struct(self),
            Some(Native::Packed(Type::PackedByteArray, _)) => visitor.visit_borrowed_bytes(self.0),
            Some(_) => Err(de::Error::invalid_type(de::Unexpected::Bytes(self.0), &visitor)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple_struct map struct enum identifier ignored_any
    }
}
