//! Takes bytes from serde whole.

use crate::compound::binary;
use crate::{Error, ErrorKind, Result};
use gamewire_core::words::Name;
use serde_core::ser::{Impossible, Serialize, Serializer};

/// Takes bytes, or a unit for none; of any other value it says what was expected.
#[derive(Clone, Copy)]
pub(crate) struct BytesSerializer<'a> {
    expected: &'a str,
}

impl<'a> BytesSerializer<'a> {
    pub(crate) fn new(expected: &'a str) -> Self {
        BytesSerializer { expected }
    }

    #[cold]
    pub(crate) fn fault(self) -> Error {
        Error::new(ErrorKind::Data, format!("expected {}", self.expected))
    }
}

macro_rules! refuse {
    ($($name:ident($($arg:ty),*) -> $ok:ty;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<$ok> { Err(self.fault()) }
    )+};
}

impl<'a> Serializer for BytesSerializer<'a> {
    type Ok = Vec<u8>;
    type Error = Error;
    type SerializeSeq = Impossible<Vec<u8>, Error>;
    type SerializeTuple = Impossible<Vec<u8>, Error>;
    type SerializeTupleStruct = Impossible<Vec<u8>, Error>;
    type SerializeStruct = Impossible<Vec<u8>, Error>;
    type SerializeTupleVariant = Impossible<Vec<u8>, Error>;
    type SerializeMap = Impossible<Vec<u8>, Error>;
    type SerializeStructVariant = Impossible<Vec<u8>, Error>;
    binary!();

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Vec<u8>> {
        Ok(bytes.to_vec())
    }

    fn serialize_unit(self) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Vec<u8>> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: Name,
        value: &T,
    ) -> Result<Vec<u8>> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: Name,
        _: u32,
        _: Name,
        _: &T,
    ) -> Result<Vec<u8>> {
        Err(self.fault())
    }

    refuse! {
        serialize_bool(bool) -> Vec<u8>;
        serialize_i8(i8) -> Vec<u8>;
        serialize_i16(i16) -> Vec<u8>;
        serialize_i32(i32) -> Vec<u8>;
        serialize_i64(i64) -> Vec<u8>;
        serialize_u8(u8) -> Vec<u8>;
        serialize_u16(u16) -> Vec<u8>;
        serialize_u32(u32) -> Vec<u8>;
        serialize_u64(u64) -> Vec<u8>;
        serialize_f32(f32) -> Vec<u8>;
        serialize_f64(f64) -> Vec<u8>;
        serialize_char(char) -> Vec<u8>;
        serialize_str(&str) -> Vec<u8>;
        serialize_unit_variant(Name, u32, Name) -> Vec<u8>;
        serialize_none() -> Vec<u8>;
        serialize_unit_struct(Name) -> Vec<u8>;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(Name, usize) -> Self::SerializeTupleStruct;
        serialize_struct(Name, usize) -> Self::SerializeStruct;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_tuple_variant(Name, u32, Name, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(Name, u32, Name, usize) -> Self::SerializeStructVariant;
    }
}
