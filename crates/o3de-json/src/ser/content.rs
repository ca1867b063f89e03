//! The content of a variant: a class gets `$type` as its first member, anything else stands in
//! `Value`, as in `AZStd::any`.

use gamewire_core::words::Name;
use serde_core::ser::{self, Serialize};

use super::Serializer;
use super::store::type_text;
use super::text::{Compound, Entries, child};
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

    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        let serializer = self.open_value()?;
        child(value, serializer)?;
        serializer.writer.close(b'}', false);
        Ok(())
    }
}

macro_rules! values {
    ($($method:ident $type:ty),* $(,)?) => {$(
        fn $method(self, value: $type) -> Result<()> {
            self.value(&value)
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
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_f32 f32,
        serialize_f64 f64, serialize_char char, serialize_str &str,
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        let serializer = self.open_value()?;
        ser::Serializer::serialize_bytes(&mut *serializer, value)?;
        serializer.writer.close(b'}', false);
        Ok(())
    }

    fn serialize_none(self) -> Result<()> {
        self.value(&None::<()>)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.value(&Some(value))
    }

    fn serialize_unit(self) -> Result<()> {
        self.open()?.writer.close(b'}', false);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.value(variant)
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

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let serializer = self.open_value()?;
        ser::Serializer::serialize_newtype_variant(&mut *serializer, name, index, variant, value)?;
        serializer.writer.close(b'}', false);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>> {
        let mut compound = Compound::open(self.open_value()?, b'[')?;
        compound.more = 1;
        Ok(compound)
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        let serializer = self.open_value()?;
        let mut compound =
            ser::Serializer::serialize_tuple_variant(serializer, name, index, variant, len)?;
        compound.more = compound.more.saturating_add(1);
        Ok(compound)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a>> {
        let mut entries = ser::Serializer::serialize_map(self.open_value()?, len)?;
        entries.more = 1;
        Ok(entries)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>> {
        let serializer = self.open()?;
        Ok(Compound { serializer, first: false, index: 0, bracket: b'}', more: 0 })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        let serializer = self.open_value()?;
        let mut compound =
            ser::Serializer::serialize_struct_variant(serializer, name, index, variant, len)?;
        compound.more = compound.more.saturating_add(1);
        Ok(compound)
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.value(&value.to_string())
    }
}
