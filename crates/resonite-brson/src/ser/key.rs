//! Keys of Rust maps: text, what text can say, or JSON of anything else.

use serde_core::ser::{Impossible, Serialize, Serializer};

use crate::de::NULL;
use crate::error::{Error, Result};
use crate::write::Writer;

pub(super) struct KeySerializer<'a> {
    pub(super) writer: &'a mut Writer,
    /// Set where a key is no text.
    pub(super) is_composite: &'a mut bool,
}

impl KeySerializer<'_> {
    /// Refuses a key that no text says; it is then written as JSON.
    #[cold]
    fn composite<T>(self) -> Result<T> {
        *self.is_composite = true;
        Err(Error::data("expected a key that is text, a number or a bool"))
    }
}

macro_rules! shown {
    ($($method:ident $type:ty),+ $(,)?) => {$(
        fn $method(self, v: $type) -> Result<()> {
            self.writer.key(&v.to_string())
        }
    )+};
}

macro_rules! composite {
    ($($method:ident($($arg:ty),*) $(-> $made:ident)?;)+) => {$(
        fn $method(self $(, _: $arg)*) -> Result<composite!($($made)?)> {
            self.composite()
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

    shown! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_f32 f32,
        serialize_f64 f64, serialize_char char,
    }

    #[inline]
    fn serialize_str(self, v: &str) -> Result<()> {
        self.writer.key(v)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.writer.key(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name == crate::handoff::NAME {
            return Err(Error::data("expected a key that is text, found a value of any type"));
        }
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        let (at, writer) = (self.writer.position(), self.writer);
        value.serialize(KeySerializer { writer: &mut *writer, is_composite: self.is_composite })?;
        match writer.key_since(at) == NULL.as_bytes() {
            true => {
                Err(Error::data("expected a key that is not the text of `None`, found \"null\""))
            }
            false => Ok(()),
        }
    }

    composite! {
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct(&'static str, usize) -> SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        self.composite()
    }
}
