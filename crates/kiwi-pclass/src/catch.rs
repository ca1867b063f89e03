//! Small things that are taken from serde whole: numbers, names, raw bytes.

use gamewire_core::words::Name;
use serde_core::ser::{Impossible, Serialize, Serializer};

use crate::compound::{lists, structs};
use crate::schema::Number;
use crate::{Error, ErrorKind, Result};

/// What a small value turned out to be.
pub(crate) enum Caught {
    /// None, or a unit.
    Nothing,
    Number(Number),
    /// Those of a list, an array or a struct, flattened.
    Numbers(Vec<Number>),
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

    /// A number.
    #[inline]
    pub(crate) fn number<T: Serialize + ?Sized>(self, value: &T) -> Result<Number> {
        match value.serialize(self)? {
            Caught::Number(number) => Ok(number),
            _ => Err(self.fault()),
        }
    }

    fn numbers(self) -> Numbers<'a> {
        Numbers { catch: self, found: Vec::new() }
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty => $number:ident;)+) => {$(
        #[inline]
        fn $method(self, number: $type) -> Result<Caught> {
            Ok(Caught::Number(Number::$number(number.into())))
        }
    )+};
}

macro_rules! refuse {
    ($($name:ident($($arg:ty),*) -> $ok:ty;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<$ok> { Err(self.fault()) }
    )+};
}

impl<'a> Serializer for Catch<'a> {
    type Ok = Caught;
    type Error = Error;
    type SerializeSeq = Numbers<'a>;
    type SerializeTuple = Numbers<'a>;
    type SerializeTupleStruct = Numbers<'a>;
    type SerializeStruct = Numbers<'a>;
    type SerializeTupleVariant = Impossible<Caught, Error>;
    type SerializeMap = Impossible<Caught, Error>;
    type SerializeStructVariant = Impossible<Caught, Error>;

    fn is_human_readable(&self) -> bool {
        false
    }

    numbers! {
        serialize_i8 i8 => Int;
        serialize_i16 i16 => Int;
        serialize_i32 i32 => Int;
        serialize_i64 i64 => Int;
        serialize_u8 u8 => UInt;
        serialize_u16 u16 => UInt;
        serialize_u32 u32 => UInt;
        serialize_u64 u64 => UInt;
        serialize_f32 f32 => Float;
        serialize_f64 f64 => Double;
    }

    fn serialize_str(self, text: &str) -> Result<Caught> {
        Ok(Caught::Text(text.to_owned()))
    }

    fn serialize_unit_variant(self, _: Name, _: u32, variant: Name) -> Result<Caught> {
        Ok(Caught::Text(variant.to_owned()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Caught> {
        Ok(Caught::Bytes(bytes.to_vec()))
    }

    fn serialize_none(self) -> Result<Caught> {
        Ok(Caught::Nothing)
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
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Caught> {
        Err(self.fault())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Numbers<'a>> {
        Ok(self.numbers())
    }

    fn serialize_tuple(self, _: usize) -> Result<Numbers<'a>> {
        Ok(self.numbers())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Numbers<'a>> {
        Ok(self.numbers())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Numbers<'a>> {
        Ok(self.numbers())
    }

    refuse! {
        serialize_bool(bool) -> Caught;
        serialize_char(char) -> Caught;
        serialize_unit_struct(&'static str) -> Caught;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }
}

/// The numbers of a compound.
pub(crate) struct Numbers<'a> {
    catch: Catch<'a>,
    found: Vec<Number>,
}

impl Numbers<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<()> {
        self.item(value)
    }

    fn skip(&mut self, _: &'static str) -> Result<()> {
        Ok(())
    }

    fn finish(self) -> Result<Caught> {
        Ok(Caught::Numbers(self.found))
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        /// More than any row of the format.
        const MAX: usize = 9;
        match value.serialize(self.catch)? {
            Caught::Number(number) => self.found.push(number),
            Caught::Numbers(numbers) => self.found.extend(numbers),
            _ => return Err(self.catch.fault()),
        }
        if self.found.len() > MAX {
            return Err(Error::new(ErrorKind::Data, "these are too many numbers"));
        }
        Ok(())
    }
}

lists!(Numbers<'a> => Caught);
structs!(Numbers<'a> => Caught);
