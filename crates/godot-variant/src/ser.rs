//! Serialization: Rust types to bytes.

mod compound;
mod native;

use std::io;

use serde_core::ser::{self, Serialize};

use crate::error::{Error, ErrorKind, Result, Segment};
use crate::handoff;
use crate::options::Options;
use crate::read::Reader;
use crate::types::{ElementType, Native, Type};
use crate::value::Value;
use crate::write::Writer;
use compound::{Fields, Items, MapEntries, VariantFields, VariantItems};

/// Writes Rust types as encoded variants, at the end of a vector.
///
/// Usually [`to_vec`](crate::to_vec) is all that is needed. Several values may be written one after
/// another.
pub struct Serializer {
    pub(crate) writer: Writer,
    /// Levels of Rust types that are open; serde needs stack for each.
    depth: usize,
    /// Options that are open.
    options: usize,
    /// Types of the next container: elements or keys, and values.
    typed: (Option<Type>, Option<Type>),
}

gamewire_core::debug_place! { Serializer, "len", |own| own.writer.out.len() }

impl Serializer {
    /// Writes at the end of `out`.
    pub fn new(out: Vec<u8>, options: Options) -> Self {
        Serializer { writer: Writer::new(out, options), depth: 0, options: 0, typed: (None, None) }
    }

    /// The bytes so far, for formats that put variants among other things.
    #[inline]
    pub fn get_mut(&mut self) -> &mut Vec<u8> {
        &mut self.writer.out
    }

    /// The bytes, with those that were there at first.
    ///
    /// # Errors
    /// More than [`max_output`](Options::max_output) bytes were written.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        let (bytes, within) = self.into_parts();
        within.map(|()| bytes)
    }

    pub(crate) fn into_parts(self) -> (Vec<u8>, Result<()>) {
        let Writer { out, start, options, .. } = self.writer;
        let within = options.check_output(out.len().saturating_sub(start));
        (out, within)
    }

    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.writer.options.limits.max_typed_depth {
            let limit = self.writer.options.limits.max_typed_depth;
            return Err(self.writer.too_deep(limit, "max_typed_depth"));
        }
        Ok(())
    }

    #[inline]
    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Starts an array with a count that may not be known yet; returns the place of the count, which
    /// is patched at the end where the claim was wrong or left open.
    #[inline]
    fn start_array(&mut self, count: Option<usize>) -> Result<usize> {
        match std::mem::take(&mut self.typed) {
            (None, _) => self.writer.plain_start(Type::Array, count.unwrap_or(0))?,
            (Some(element), _) => {
                self.writer.array_start(&ElementType::Builtin(element))?;
                self.writer.u32(0);
            }
        }
        self.enter()?;
        Ok(self.writer.position().saturating_sub(4))
    }

    #[inline]
    fn start_dictionary(&mut self, count: Option<usize>) -> Result<usize> {
        match std::mem::take(&mut self.typed) {
            (None, None) => self.writer.plain_start(Type::Dictionary, count.unwrap_or(0))?,
            (key, value) => {
                let element =
                    |kind: Option<Type>| kind.map_or(ElementType::Any, ElementType::Builtin);
                self.writer.dictionary_start(&element(key), &element(value))?;
                self.writer.u32(0);
            }
        }
        self.enter()?;
        Ok(self.writer.position().saturating_sub(4))
    }

    /// Starts the dictionary of one entry that is a variant with content.
    #[inline]
    fn start_variant(&mut self, variant: &'static str) -> Result<()> {
        self.start_dictionary(Some(1))?;
        self.writer.key(variant)
    }
}

#[cold]
pub(crate) fn out_of_range(value: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::NumberRange,
        format!("expected an integer that fits 64 bits with a sign, found {value}"),
    )
}

impl Options {
    /// Encodes a value.
    ///
    /// # Errors
    /// A value that the format cannot represent, or a limit.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), self.clone());
        value.serialize(&mut serializer)?;
        serializer.into_inner()
    }

    /// Encodes a [`Value`] without serde.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn value_to_vec(&self, value: &Value) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), self.clone());
        crate::value::write(&mut serializer.writer, value)?;
        serializer.into_inner()
    }

    /// Encodes a value and writes it in one call of `write_all`; nothing is written on an error.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), or an I/O error.
    pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        writer.write_all(&self.to_vec(value)?).map_err(Error::io)
    }

    /// Encodes a value at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append_to_vec<T: Serialize + ?Sized>(&self, out: &mut Vec<u8>, value: &T) -> Result<()> {
        let start = out.len();
        let mut serializer = Serializer::new(std::mem::take(out), self.clone());
        let written = value.serialize(&mut serializer);
        let (bytes, within) = serializer.into_parts();
        *out = bytes;
        written.and(within).inspect_err(|_| out.truncate(start))
    }

    /// The [`Value`] that the engine would see for `value`.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let own = self.in_memory();
        own.value_from_slice(&own.to_vec(value)?).map_err(Error::without_offset)
    }
}

macro_rules! integers {
    ($($method:ident($integer:ty)),+ $(,)?) => {$(
        #[inline]
        fn $method(self, v: $integer) -> Result<()> {
            self.serialize_i64(i64::from(v))
        }
    )+};
}

macro_rules! wide_integers {
    ($($method:ident($integer:ty)),+) => {$(
        #[inline]
        fn $method(self, v: $integer) -> Result<()> {
            self.serialize_i64(i64::try_from(v).map_err(|_| out_of_range(v))?)
        }
    )+};
}

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = VariantItems<'a>;
    type SerializeMap = MapEntries<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = VariantFields<'a>;

    fn is_human_readable(&self) -> bool {
        self.writer.options.human_readable
    }

    #[inline]
    fn serialize_bool(self, v: bool) -> Result<()> {
        self.writer.bool(v);
        Ok(())
    }

    #[inline]
    fn serialize_i64(self, v: i64) -> Result<()> {
        self.writer.int(v);
        Ok(())
    }

    integers! {
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_u8(u8),
        serialize_u16(u16), serialize_u32(u32),
    }

    wide_integers!(serialize_i128(i128), serialize_u64(u64), serialize_u128(u128));

    #[inline]
    fn serialize_f32(self, v: f32) -> Result<()> {
        self.writer.short_float(v);
        Ok(())
    }

    #[inline]
    fn serialize_f64(self, v: f64) -> Result<()> {
        self.writer.float(v);
        Ok(())
    }

    fn serialize_char(self, v: char) -> Result<()> {
        self.serialize_str(v.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, v: &str) -> Result<()> {
        self.writer.string(v)
    }

    fn serialize_bytes(self, v: &[u8]) -> Result<()> {
        self.writer.packed(Type::PackedByteArray, false, v)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        // No level, but no more than as many: an option in an option needs stack too.
        if self.options >= self.writer.options.limits.max_typed_depth {
            let limit = self.writer.options.limits.max_typed_depth;
            return Err(self.writer.too_deep(limit, "max_typed_depth"));
        }
        self.options = self.options.saturating_add(1);
        let written = value.serialize(&mut *self);
        self.options = self.options.saturating_sub(1);
        written
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.writer.nil();
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.writer.key(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match Native::from_name(name) {
            Some(native) => self.native(native, value),
            None => {
                self.enter()?;
                value.serialize(&mut *self)?;
                self.leave();
                Ok(())
            }
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.start_variant(variant)?;
        value.serialize(&mut *self).map_err(|error| error.inside(variant))?;
        self.leave();
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Items<'a>> {
        Items::start(self, len)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Items<'a>> {
        Items::start(self, Some(len))
    }

    #[inline]
    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Items<'a>> {
        Items::start(self, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<VariantItems<'a>> {
        self.start_variant(variant)?;
        Ok(VariantItems { items: Items::start(self, Some(len))?, variant })
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<MapEntries<'a>> {
        MapEntries::start(self, len)
    }

    #[inline]
    fn serialize_struct(self, _name: &'static str, len: usize) -> Result<Fields<'a>> {
        Fields::start(self, len)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<VariantFields<'a>> {
        self.start_variant(variant)?;
        Ok(VariantFields { fields: Fields::start(self, len)?, variant })
    }
}

impl Serializer {
    /// Writes a type as a whole.
    #[inline]
    fn lend<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let writer = std::mem::take(&mut self.writer);
        let (back, written) =
            handoff::lend(writer, || value.serialize(native::NativeSerializer::Whole));
        self.writer = back.unwrap_or_default();
        written
    }

    /// Writes one of this crate's own types.
    #[inline]
    fn native<T: Serialize + ?Sized>(&mut self, native: Native, value: &T) -> Result<()> {
        match native {
            Native::Math(kind, given) => {
                let wide = match kind {
                    Type::Color => self.writer.wide_color(given),
                    kind if kind.is_real() => self.writer.wide(given),
                    _ => false,
                };
                self.writer.math_header(kind, wide)?;
                let start = self.writer.position();
                value.serialize(native::NativeSerializer::Components(
                    &mut self.writer,
                    kind,
                    wide,
                ))?;
                if matches!(kind, Type::Basis | Type::Transform3D) && self.writer.basis_by_rows() {
                    self.writer.transpose_written(if wide { 8 } else { 4 }, start);
                }
                Ok(())
            }
            Native::StringName => value.serialize(native::NativeSerializer::Name(&mut self.writer)),
            Native::Any => {
                // A `Value` continues counting where the Rust types around it are.
                self.writer.depth = self.depth;
                self.lend(value)
            }
            Native::Whole(_) | Native::Packed(..) => {
                self.writer.depth = 0;
                self.lend(value)
            }
            Native::TypedArray(element) | Native::TypedKey(element) => {
                self.typed = (element, None);
                let start = self.writer.position();
                value.serialize(&mut *self)?;
                match self.writer.checks(true) {
                    true => crate::value::check_elements(&self.writer, start),
                    false => Ok(()),
                }
            }
            Native::TypedValue(kind) => {
                self.typed.1 = kind;
                value.serialize(self)
            }
        }
    }
}

/// The key that was written, for the path of an error.
#[cold]
fn key_segment(written: &[u8], options: &Options) -> Segment {
    let mut reader = Reader::new(written, options.clone().allow_objects(true));
    match crate::value::decode(&mut reader, 0) {
        Ok(key) => crate::value::step_of(&key),
        Err(_) => Segment::Key("?".to_owned()),
    }
}
