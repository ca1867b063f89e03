//! Small things that are taken from serde whole: names, raw bytes.

use gamewire_core::words::Name;
use serde_core::ser::{Impossible, Serialize, Serializer};

use crate::compound::binary;
use crate::{Error, ErrorKind, Result};

/// What a small value turned out to be.
pub(crate) enum Caught {
    /// A unit.
    Nothing,
    /// Text, or the name of a variant.
    Text(String),
    Bytes(Vec<u8>),
}

/// Takes a small value; says what was expected where there is another.
#[derive(Clone, Copy)]
pub(crate) struct Catch<'a>(pub(crate) &'a str);

impl<'a> Catch<'a> {
    #[cold]
    pub(crate) fn fault(self) -> Error {
        Error::new(ErrorKind::Data, format!("expected {}", self.0))
    }
}

macro_rules! refuse {
    ($($name:ident($($arg:ty),*) -> $ok:ty;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<$ok> { Err(self.fault()) }
    )+};
}

impl<'a> Serializer for Catch<'a> {
    type Ok = Caught;
    type Error = Error;
    type SerializeSeq = Impossible<Caught, Error>;
    type SerializeTuple = Impossible<Caught, Error>;
    type SerializeTupleStruct = Impossible<Caught, Error>;
    type SerializeStruct = Impossible<Caught, Error>;
    type SerializeTupleVariant = Impossible<Caught, Error>;
    type SerializeMap = Impossible<Caught, Error>;
    type SerializeStructVariant = Impossible<Caught, Error>;

    binary!();

    fn serialize_str(self, text: &str) -> Result<Caught> {
        Ok(Caught::Text(text.to_owned()))
    }

    fn serialize_unit_variant(self, _: Name, _: u32, variant: Name) -> Result<Caught> {
        Ok(Caught::Text(variant.to_owned()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Caught> {
        Ok(Caught::Bytes(bytes.to_vec()))
    }

    fn serialize_unit(self) -> Result<Caught> {
        Ok(Caught::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Caught> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: Name, value: &T) -> Result<Caught> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: Name,
        _: u32,
        _: Name,
        _: &T,
    ) -> Result<Caught> {
        Err(self.fault())
    }

    refuse! {
        serialize_bool(bool) -> Caught;
        serialize_i8(i8) -> Caught;
        serialize_i16(i16) -> Caught;
        serialize_i32(i32) -> Caught;
        serialize_i64(i64) -> Caught;
        serialize_u8(u8) -> Caught;
        serialize_u16(u16) -> Caught;
        serialize_u32(u32) -> Caught;
        serialize_u64(u64) -> Caught;
        serialize_f32(f32) -> Caught;
        serialize_f64(f64) -> Caught;
        serialize_char(char) -> Caught;
        serialize_none() -> Caught;
        serialize_unit_struct(Name) -> Caught;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(Name, usize) -> Self::SerializeTupleStruct;
        serialize_struct(Name, usize) -> Self::SerializeStruct;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_tuple_variant(Name, u32, Name, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(Name, u32, Name, usize) -> Self::SerializeStructVariant;
    }
}
