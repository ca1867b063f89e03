//! Serialization: Rust types to BSON.

mod compound;
mod key;

use std::io;

use serde_core::ser::{self, Serialize};

use crate::container;
use crate::error::{Error, Result};
use crate::handoff;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;
use crate::value::{self, Value};
use crate::write::Writer;
use compound::{Entries, Fields, Items};

impl Options {
    /// Encodes a value as a whole file.
    ///
    /// # Errors
    /// A value that the format cannot say, a root that is not a struct or map, a codec that is switched
    /// off, or a limit.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        container::seal(self.bson_of(value)?, self)
    }

    /// Encodes a value as a whole file at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    ///
    /// # Example
    /// ```
    /// use resonite_brson::{Container, Options};
    ///
    /// let mut out = b"before ".to_vec();
    /// let options = Options::new().container(Container::BSON);
    /// options.append_to_vec(&mut out, &std::collections::BTreeMap::<&str, i32>::new())?;
    /// assert_eq!(out, b"before \x05\0\0\0\0");
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn append_to_vec<T: Serialize + ?Sized>(&self, out: &mut Vec<u8>, value: &T) -> Result<()> {
        let start = out.len();
        container::pack_to(&mut *out, &self.bson_of(value)?, self)
            .inspect_err(|_| out.truncate(start))
    }

    /// Encodes a value as a whole file and writes it; nothing is written when encoding fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), or an I/O error.
    pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(
        &self,
        writer: W,
        value: &T,
    ) -> Result<()> {
        container::pack_to(writer, &self.bson_of(value)?, self)
    }

    /// The BSON of a value, without a container.
    fn bson_of<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.serialize(&mut serializer)?;
        serializer.into_inner()
    }

    /// The [`Value`] of what would be written.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), but any value can stand at the root.
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        // Through bytes, as the only entry of a document: see `from_value`.
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        let at = serializer.writer.open(Kind::Document)?;
        serializer.writer.key("")?;
        value.serialize(&mut serializer)?;
        serializer.writer.close(at)?;
        let bson = serializer.into_inner()?;
        let mut reader = Reader::new(&bson, *self);
        let kind = reader.open_only()?;
        value::decode(&mut reader, kind).map_err(Error::without_offset)
    }
}

/// Writes Rust types as BSON without a container, at the end of a vector.
///
/// Usually [`to_vec`](crate::to_vec) is all that is needed. Several documents may be written one
/// after another.
pub struct Serializer {
    pub(crate) writer: Writer,
    /// Options that are open.
    options: usize,
}

gamewire_core::debug_place! { Serializer, "len", |own| own.writer.out.len() }

impl Serializer {
    /// Writes at the end of `out`.
    pub fn new(out: Vec<u8>, options: Options) -> Self {
        Serializer { writer: Writer::new(out, options), options: 0 }
    }

    /// The bytes, with those that were there at first.
    ///
    /// # Errors
    /// More than [`max_output`](Options::max_output) bytes were written.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        self.writer.check_output()?;
        Ok(self.writer.out)
    }

    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.writer.depth = self.writer.depth.saturating_add(1);
        if self.writer.depth > self.writer.options.limits.max_typed_depth {
            let limit = self.writer.options.limits.max_typed_depth;
            return Err(Error::too_deep(limit, "max_typed_depth"));
        }
        Ok(())
    }

    /// Writes one level deeper in Rust types, in the same place.
    #[inline]
    fn deeper<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.enter()?;
        value.serialize(&mut *self)?;
        self.leave();
        Ok(())
    }

    #[inline]
    fn leave(&mut self) {
        self.writer.depth = self.writer.depth.saturating_sub(1);
    }

    #[inline]
    fn small(&mut self, value: i32) -> Result<()> {
        if self.writer.options.wide_ints {
            return self.writer.int64(i64::from(value));
        }
        self.writer.int32(value)
    }

    /// Starts the document of one entry that is a variant with content.
    #[inline]
    fn start_variant(&mut self, variant: &'static str) -> Result<usize> {
        let at = self.writer.open(Kind::Document)?;
        self.enter()?;
        self.writer.field(variant)?;
        Ok(at)
    }
}

#[cold]
fn out_of_range(value: impl std::fmt::Display) -> Error {
    Error::range(format!("expected an integer that fits an int64, found {value}"))
}

/// Integers that fit an int32.
macro_rules! small {
    ($($method:ident($int:ty)),+ $(,)?) => {$(
        #[inline]
        fn $method(self, v: $int) -> Result<()> {
            self.small(v.into())
        }
    )+};
}

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Fields<'a>;

    fn is_human_readable(&self) -> bool {
        self.writer.options.human_readable
    }

    #[inline]
    fn serialize_bool(self, v: bool) -> Result<()> {
        self.writer.bool(v)
    }

    small! {
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_u8(u8),
        serialize_u16(u16),
    }

    #[inline]
    fn serialize_i64(self, v: i64) -> Result<()> {
        self.writer.int64(v)
    }

    fn serialize_i128(self, v: i128) -> Result<()> {
        self.serialize_i64(i64::try_from(v).map_err(|_| out_of_range(v))?)
    }

    /// Wide where an int32 does not hold it: serde's buffers do not know that a negative one is wrapped.
    #[inline]
    fn serialize_u32(self, v: u32) -> Result<()> {
        match i32::try_from(v) {
            Ok(v) => self.small(v),
            Err(_) if self.writer.options.wrap_unsigned => self.small(v.cast_signed()),
            Err(_) => self.writer.int64(i64::from(v)),
        }
    }

    #[inline]
    fn serialize_u64(self, v: u64) -> Result<()> {
        match i64::try_from(v) {
            Ok(v) => self.writer.int64(v),
            Err(_) if self.writer.options.wrap_unsigned => self.writer.int64(v.cast_signed()),
            Err(_) => Err(out_of_range(v)),
        }
    }

    fn serialize_u128(self, v: u128) -> Result<()> {
        self.serialize_u64(u64::try_from(v).map_err(|_| out_of_range(v))?)
    }

    #[inline]
    fn serialize_f32(self, v: f32) -> Result<()> {
        self.writer.double(f64::from(v))
    }

    #[inline]
    fn serialize_f64(self, v: f64) -> Result<()> {
        self.writer.double(v)
    }

    fn serialize_char(self, v: char) -> Result<()> {
        self.writer.string(v.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, v: &str) -> Result<()> {
        self.writer.string(v)
    }

    fn serialize_bytes(self, v: &[u8]) -> Result<()> {
        self.writer.binary(0, v)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.writer.null()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        // No level, but no more than as many: an option in an option needs stack too.
        if self.options >= self.writer.options.limits.max_typed_depth {
            let limit = self.writer.options.limits.max_typed_depth;
            return Err(Error::too_deep(limit, "max_typed_depth"));
        }
        self.options = self.options.saturating_add(1);
        let written = value.serialize(&mut *self);
        self.options = self.options.saturating_sub(1);
        written
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        // A type that was lent the writer says so with a unit.
        if self.writer.is_lent() { Ok(()) } else { self.writer.null() }
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.writer.null()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.writer.string(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name == handoff::NAME {
            // The type writes with the lent writer, and this serializer has none meanwhile.
            let writer = std::mem::take(&mut self.writer);
            let (writer, written) = handoff::lend(writer, || value.serialize(&mut *self));
            self.writer = writer.unwrap_or_default();
            return written;
        }
        self.deeper(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let at = self.start_variant(variant)?;
        value.serialize(&mut *self).map_err(|error| error.in_field(variant))?;
        self.leave();
        self.writer.close(at)
    }

    #[inline]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Items<'a>> {
        Items::start(self, None)
    }

    #[inline]
    fn serialize_tuple(self, _len: usize) -> Result<Items<'a>> {
        Items::start(self, None)
    }

    #[inline]
    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Items<'a>> {
        Items::start(self, None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Items<'a>> {
        let at = self.start_variant(variant)?;
        Items::start(self, Some((variant, at)))
    }

    #[inline]
    fn serialize_map(self, _len: Option<usize>) -> Result<Entries<'a>> {
        Entries::start(self)
    }

    #[inline]
    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Fields<'a>> {
        Fields::start(self, None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Fields<'a>> {
        let at = self.start_variant(variant)?;
        Fields::start(self, Some((variant, at)))
    }
}
