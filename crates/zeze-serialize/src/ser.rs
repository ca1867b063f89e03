//! Typed writing: Rust types to bytes, by serde.
//!
//! Where a value stands (at the root, in a field, in a list) is its [`Slot`], which knows what to
//! write before it and whether it is left out.

mod compound;
mod elements;
mod layer;
mod native;
mod output;
mod slot;
mod tuple;

use std::io;
use std::panic::Location;

use serde_core::Serialize;
use serde_core::ser;

use crate::error::{Error, ErrorKind, Result};
use crate::ids;
use crate::kind::Kind;
use crate::options::Options;
use crate::types::marker;
use crate::value::decode::Decoder;
use crate::value::{self, Value};
use crate::write;
use compound::{MapSerializer, SeqSerializer, StructSerializer, VariantSerializer};
use native::TupleStructSerializer;
pub use output::Serializer;
use slot::{BaseSlot, ContentSlot, Field, Root, Slot, WholeSlot};
use tuple::TupleSerializer;

impl Options {
    /// Encodes a value; as [`to_vec`](crate::to_vec).
    ///
    /// # Errors
    /// A value that the format cannot represent, or a limit.
    #[inline]
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.serialize(&mut serializer)?;
        serializer.into_inner()
    }

    /// Encodes a value and writes it in one call of `write_all`; nothing is written on an error. As
    /// [`to_writer`](crate::to_writer).
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), or an I/O error.
    pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        // Lists learn their type and maps their count late, so nothing can be written before the end.
        writer.write_all(&self.to_vec(value)?).map_err(Error::io)
    }

    /// Encodes a value at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append_to_vec<T: Serialize + ?Sized>(&self, out: &mut Vec<u8>, value: &T) -> Result<()> {
        let start = out.len();
        let mut serializer = Serializer::new(std::mem::take(out), *self);
        let written = value.serialize(&mut serializer);
        let within = serializer.check();
        *out = serializer.out;
        written.and(within).inspect_err(|_| out.truncate(start))
    }

    /// The [`Value`] of what is written for `value`; as [`to_value`](crate::to_value).
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.serialize(&mut serializer)?;
        let nothing = || Error::new(ErrorKind::Unsupported, "nothing was written");
        let kind = serializer.root.ok_or_else(nothing)?;
        let bytes = serializer.into_inner()?;
        let mut decoder = Decoder::new(&bytes, *self);
        let memory = &mut self.limits.memory(bytes.len());
        value::decode(&mut decoder, kind, 0, memory).map_err(Error::without_offset)
    }
}

/// Writes one value into its place: the root, a field, an element.
pub(crate) struct ValueSerializer<'a, S> {
    pub(super) ser: &'a mut Serializer,
    pub(super) slot: S,
}

/// Two registers: a third word would go through memory for each field.
const _: () = assert!(size_of::<ValueSerializer<'_, Field<'_>>>() == 2 * size_of::<usize>());

#[cold]
fn too_large(value: &dyn std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::NumberRange,
        format!("expected an integer of 64 bits with a sign, found {value}"),
    )
}

impl<S: Slot> ValueSerializer<'_, S> {
    #[inline(always)]
    fn int(mut self, value: i64) -> Result<()> {
        self.slot.int(self.ser, value)
    }

    /// A variant without content as a dynamic bean.
    fn dynamic_unit(mut self, variant: &str) -> Result<()> {
        let id = ids::variant(variant);
        if id == 0 && self.slot.omits() {
            return Ok(());
        }
        self.slot.begin(self.ser, Kind::Dynamic)?;
        write::int(&mut self.ser.out, id);
        self.ser.out.push(write::END);
        Ok(())
    }

    #[inline(never)]
    fn reserved<T: Serialize + ?Sized>(mut self, name: &str, value: &T) -> Result<()> {
        match name {
            // In an `Option` it would not be found again: a layer has no id to be absent by.
            marker::BASE | marker::UNKNOWN if !self.slot.omits() => Err(marker::misplaced(name)),
            marker::BASE => {
                let Some(layer) = self.slot.layer() else { return Err(marker::misplaced(name)) };
                layer.begin_base(self.ser)?;
                self.ser.enter()?;
                value.serialize(ValueSerializer { ser: &mut *self.ser, slot: BaseSlot })?;
                self.ser.leave();
                Ok(())
            }
            marker::UNKNOWN if self.slot.layer().is_none() => Err(marker::misplaced(name)),
            marker::UNKNOWN | marker::VALUE | marker::RAW_BEAN => {
                native::write(self.ser, &mut self.slot, name, value)
            }
            _ => Err(marker::misplaced(name)),
        }
    }
}

macro_rules! integers {
    ($($method:ident $type:ty),+ $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            self.int(i64::from(value))
        }
    )+};
}

macro_rules! wide_integers {
    ($($method:ident $type:ty),+ $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            match i64::try_from(value) {
                Ok(value) => self.int(value),
                Err(_) => Err(too_large(&value)),
            }
        }
    )+};
}

impl<'a, S: Slot> ser::Serializer for ValueSerializer<'a, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = SeqSerializer<'a, S>;
    type SerializeTuple = TupleSerializer<'a, S>;
    type SerializeTupleStruct = TupleStructSerializer<'a, S>;
    type SerializeTupleVariant = VariantSerializer<'a, S>;
    type SerializeMap = MapSerializer<'a, S>;
    type SerializeStruct = StructSerializer<'a, S>;
    type SerializeStructVariant = VariantSerializer<'a, S>;

    fn is_human_readable(&self) -> bool {
        false
    }

    integers! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
    }

    wide_integers!(serialize_u64 u64, serialize_i128 i128, serialize_u128 u128);

    #[inline(always)]
    fn serialize_f32(mut self, value: f32) -> Result<()> {
        if self.slot.omits() && self.ser.is_zero(f64::from(value)) {
            return Ok(());
        }
        self.slot.float(self.ser, value)
    }

    #[inline(always)]
    fn serialize_f64(mut self, value: f64) -> Result<()> {
        if self.slot.omits() && self.ser.is_zero(value) {
            return Ok(());
        }
        self.slot.double(self.ser, value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        if value == '\0' && self.slot.omits() {
            return Ok(());
        }
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.serialize_bytes(value.as_bytes())
    }

    #[inline]
    fn serialize_bytes(mut self, value: &[u8]) -> Result<()> {
        if S::TAKES_BYTES {
            return self.slot.take(self.ser, value);
        }
        if value.is_empty() && self.slot.omits() {
            return Ok(());
        }
        self.slot.begin(self.ser, Kind::Bytes)?;
        write::bytes(&mut self.ser.out, value)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.slot.none(self.ser)
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        if self.slot.wraps_option() {
            return compound::some(self.ser, self.slot, value);
        }
        self.ser.open_option()?;
        let written = value.serialize(ValueSerializer { ser: &mut *self.ser, slot: self.slot });
        self.ser.close_option();
        written
    }

    fn serialize_unit(mut self) -> Result<()> {
        if self.slot.omits() {
            return Ok(());
        }
        self.slot.begin(self.ser, Kind::Bean)?;
        self.ser.out.push(write::END);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<()> {
        if ids::is_other(variant) {
            return Err(ids::other_without_content(variant));
        }
        if let Some(tag) = self.slot.tag_of(name) {
            return Err(ids::no_tag(tag));
        }
        if marker::is_dynamic(name) || self.slot.is_dynamic(self.ser, variant) {
            return self.dynamic_unit(variant);
        }
        self.int(ids::number(variant).unwrap_or(i64::from(index)))
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if marker::is_reserved(name) {
            return self.reserved(name, value);
        }
        let ValueSerializer { ser, slot } = self;
        ser.enter()?;
        value.serialize(ValueSerializer { ser: &mut *ser, slot })?;
        ser.leave();
        Ok(())
    }

    /// A dynamic bean: the content if it is a bean, else a bean with the content as field 1.
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let ValueSerializer { ser, mut slot } = self;
        slot.begin(ser, Kind::Dynamic)?;
        ser.enter()?;
        if ids::is_other(variant) {
            value
                .serialize(ValueSerializer { ser: &mut *ser, slot: WholeSlot(variant) })
                .map_err(|error| error.inside(ids::shown(variant)))?;
            ser.leave();
            return Ok(());
        }
        write::int(&mut ser.out, ids::variant(variant));
        // The content says what it is when it begins: a bean, or something for field 1 of one.
        let mut is_bean = false;
        let content = ContentSlot { is_bean: &mut is_bean, forced: false };
        value
            .serialize(ValueSerializer { ser: &mut *ser, slot: content })
            .map_err(|error| error.inside(ids::shown(variant)))?;
        if !is_bean {
            ser.out.push(write::END);
        }
        ser.leave();
        Ok(())
    }

    #[inline(always)]
    fn serialize_seq(self, len: Option<usize>) -> Result<SeqSerializer<'a, S>> {
        SeqSerializer::new(self.ser, self.slot, len)
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<TupleSerializer<'a, S>> {
        TupleSerializer::new(self.ser, self.slot, len)
    }

    #[inline]
    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<TupleStructSerializer<'a, S>> {
        TupleStructSerializer::new(self.ser, self.slot, name)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<VariantSerializer<'a, S>> {
        VariantSerializer::new(self.ser, self.slot, variant, len)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<MapSerializer<'a, S>> {
        MapSerializer::new(self.ser, self.slot, len)
    }

    #[inline(always)]
    #[track_caller]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<StructSerializer<'a, S>> {
        let mut bean = StructSerializer::new(self.ser, self.slot)?;
        // An adjacently tagged enum has a tag, and perhaps content.
        bean.layer.enum_name = if len <= 2 { name } else { "" };
        bean.layer.opened = Some(Location::caller());
        Ok(bean)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<VariantSerializer<'a, S>> {
        VariantSerializer::new(self.ser, self.slot, variant, len)
    }
}

/// The root, which is written without a tag.
macro_rules! root {
    ($($method:ident($($arg:ident: $type:ty),*) $(-> $ok:ty)?;)+) => {$(
        #[inline]
        #[track_caller]
        fn $method(self, $($arg: $type),*) -> Result<root!(@ok $($ok)?)> {
            ValueSerializer { ser: self, slot: Root }.$method($($arg),*)
        }
    )+};
    (@ok) => { () };
    (@ok $ok:ty) => { $ok };
}

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = SeqSerializer<'a, Root>;
    type SerializeTuple = TupleSerializer<'a, Root>;
    type SerializeTupleStruct = TupleStructSerializer<'a, Root>;
    type SerializeTupleVariant = VariantSerializer<'a, Root>;
    type SerializeMap = MapSerializer<'a, Root>;
    type SerializeStruct = StructSerializer<'a, Root>;
    type SerializeStructVariant = VariantSerializer<'a, Root>;

    fn is_human_readable(&self) -> bool {
        false
    }

    root! {
        serialize_bool(value: bool); serialize_i8(value: i8); serialize_i16(value: i16);
        serialize_i32(value: i32); serialize_i64(value: i64); serialize_i128(value: i128);
        serialize_u8(value: u8); serialize_u16(value: u16); serialize_u32(value: u32);
        serialize_u64(value: u64); serialize_u128(value: u128); serialize_f32(value: f32);
        serialize_f64(value: f64); serialize_char(value: char); serialize_str(value: &str);
        serialize_bytes(value: &[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
        serialize_seq(len: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(len: usize) -> Self::SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> Self::SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> Self::SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        ValueSerializer { ser: self, slot: Root }.serialize_some(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        ValueSerializer { ser: self, slot: Root }.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        ValueSerializer { ser: self, slot: Root }
            .serialize_newtype_variant(name, index, variant, value)
    }
}
