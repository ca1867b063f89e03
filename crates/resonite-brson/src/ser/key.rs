//! Keys of Rust maps: text, or what text can say.

use serde_core::ser::{Impossible, Serialize, Serializer};

use crate::error::{Error, ErrorKind, Result};
use crate::write::Writer;

pub(super) struct Key<'a>(pub(super) &'a mut Writer);

#[cold]
fn refused(found: &str) -> Error {
    Error::new(
        ErrorKind::Data,
        format!("expected a key that is text, a number or a bool, found {found}"),
    )
}

macro_rules! shown {
    ($($method:ident $type:ty),+ $(,)?) => {$(
        fn $method(self, v: $type) -> Result<()> {
            self.0.key(&v.to_string())
        }
    )+};
}

impl Serializer for Key<'_> {
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

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<()> {
        self.0.key(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name == crate::handoff::NAME {
            return Err(refused("a value of any type"));
        }
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_f32(self, _: f32) -> Result<()> {
        Err(refused("a float"))
    }

    fn serialize_f64(self, _: f64) -> Result<()> {
        Err(refused("a float"))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<()> {
        Err(refused("bytes"))
    }

    fn serialize_none(self) -> Result<()> {
        Err(refused("null"))
    }

    fn serialize_unit(self) -> Result<()> {
        Err(refused("null"))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Err(refused("null"))
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

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        Err(refused("an array"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        Err(refused("an array"))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct> {
        Err(refused("an array"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(refused("a variant with content"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        Err(refused("a document"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        Err(refused("a document"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(refused("a variant with content"))
    }
}
