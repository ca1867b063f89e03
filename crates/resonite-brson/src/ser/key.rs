//! Keys of Rust maps: text, or what text can say.

use gamewire_core::words::Name;
use serde_core::ser::{Impossible, Serialize, Serializer};

use crate::error::{Error, Result};
use crate::write::Writer;

pub(super) struct KeySerializer<'a>(pub(super) &'a mut Writer);

#[cold]
fn refused(found: &str) -> Error {
    Error::data(format!("expected a key that is text, a number or a bool, found {found}"))
}

macro_rules! shown {
    ($($method:ident $type:ty),+ $(,)?) => {$(
        fn $method(self, v: $type) -> Result<()> {
            self.0.key(&v.to_string())
        }
    )+};
}

macro_rules! refuse {
    ($($method:ident($($arg:ty),*) $(-> $made:ident)?, $found:literal;)+) => {$(
        fn $method(self $(, _: $arg)*) -> Result<refuse!($($made)?)> {
            Err(refused($found))
        }
    )+};
    () => { () };
    ($made:ident) => { Self::$made };
}

impl Serializer for KeySerializer<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn is_human_readable(&self) -> bool {
        false
    }

    shown! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_char char,
    }

    #[inline]
    fn serialize_str(self, v: &str) -> Result<()> {
        self.0.key(v)
    }

    fn serialize_unit_variant(self, _: Name, _: u32, variant: Name) -> Result<()> {
        self.0.key(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: Name, value: &T) -> Result<()> {
        if name == crate::handoff::NAME {
            return Err(refused("a value of any type"));
        }
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    refuse! {
        serialize_f32(f32), "a float";
        serialize_f64(f64), "a float";
        serialize_bytes(&[u8]), "bytes";
        serialize_none(), "null";
        serialize_unit(), "null";
        serialize_unit_struct(&'static str), "null";
        serialize_seq(Option<usize>) -> SerializeSeq, "an array";
        serialize_tuple(usize) -> SerializeTuple, "an array";
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct, "an array";
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant,
            "a variant with content";
        serialize_map(Option<usize>) -> SerializeMap, "a document";
        serialize_struct(&'static str, usize) -> SerializeStruct, "a document";
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant,
            "a variant with content";
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(refused("a variant with content"))
    }
}
