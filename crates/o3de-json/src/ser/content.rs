//! The content of a variant: a class gets `$type` as its first member, anything else stands in
//! `Value`, as in `AZStd::any`.

use gamewire_core::words::Name;
use serde_core::ser::{self, Serialize};

use super::Serializer;
use super::store::type_text;
use super::text::{Compound, Entries};
use crate::types::handoff;
use crate::{Error, Result};

pub(super) struct Content<'a> {
    pub(super) serializer: &'a mut Serializer,
    pub(super) variant: &'static str,
}

impl<'a> Content<'a> {
    /// `{"$type": …` without an end.
    fn open(self) -> Result<&'a mut Serializer> {
        let text = type_text(self.variant, &self.serializer.options);
        let writer = &mut self.serializer.writer;
        writer.open(b'{')?;
        writer.next(&mut true);
        writer.key("$type");
        writer.string(&text);
        Ok(self.serializer)
    }

    /// `{"$type": …, "Value":` without an end.
    fn open_value(self) -> Result<&'a mut Serializer> {
        let serializer = self.open()?;
        serializer.writer.next(&mut false);
        serializer.writer.key("Value");
        Ok(serializer)
    }
}

/// Writes all of it into `Value`.
macro_rules! values {
    ($($method:ident $(<$own:ident>)? ($($arg:ident: $type:ty),*);)*) => {$(
        fn $method $(<$own: Serialize + ?Sized>)? (self, $($arg: $type),*) -> Result<()> {
            let serializer = self.open_value()?;
            ser::Serializer::$method(&mut *serializer, $($arg),*)?;
            serializer.writer.close(b'}', false);
            Ok(())
        }
    )*};
}

/// Begins it in `Value`; the object around is closed with it.
macro_rules! compounds {
    ($($method:ident($($arg:ident: $type:ty),*) -> $compound:ident;)*) => {$(
        fn $method(self, $($arg: $type),*) -> Result<$compound<'a>> {
            let mut compound = ser::Serializer::$method(self.open_value()?, $($arg),*)?;
            compound.more = compound.more.saturating_add(1);
            Ok(compound)
        }
    )*};
}

impl<'a> ser::Serializer for Content<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    values! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_f32(value: f32);
        serialize_f64(value: f64);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_some<T>(value: &T);
        serialize_unit_variant(name: Name, index: u32, variant: Name);
        serialize_newtype_variant<T>(name: Name, index: u32, variant: Name, value: &T);
    }

    compounds! {
        serialize_seq(len: Option<usize>) -> Compound;
        serialize_tuple(len: usize) -> Compound;
        serialize_tuple_struct(name: Name, len: usize) -> Compound;
        serialize_tuple_variant(name: Name, index: u32, variant: Name, len: usize) -> Compound;
        serialize_map(len: Option<usize>) -> Entries;
        serialize_struct_variant(name: Name, index: u32, variant: Name, len: usize) -> Compound;
    }

    fn serialize_unit(self) -> Result<()> {
        self.open()?.writer.close(b'}', false);
        Ok(())
    }

    fn serialize_unit_struct(self, _: Name) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: Name, value: &T) -> Result<()> {
        if !name.starts_with(handoff::PREFIX) {
            return value.serialize(self);
        }
        let left = handoff::take_enum();
        let serializer = self.open_value()?;
        if let Some((info, bits)) = left {
            handoff::leave_enum(info, bits);
        }
        serializer.native(name, value)?;
        serializer.writer.close(b'}', false);
        Ok(())
    }

    fn serialize_struct(self, _: Name, _: usize) -> Result<Compound<'a>> {
        let serializer = self.open()?;
        Ok(Compound { serializer, first: false, index: 0, bracket: b'}', more: 0 })
    }

    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(
        self,
        entries: I,
    ) -> Result<()> {
        let serializer = self.open_value()?;
        ser::Serializer::collect_map(&mut *serializer, entries)?;
        serializer.writer.close(b'}', false);
        Ok(())
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.serialize_str(&value.to_string())
    }
}
