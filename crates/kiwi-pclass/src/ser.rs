//! Serialization: Rust types to bytes.

mod list;
mod object;
mod value;

use std::io;

use serde_core::Serialize;
use serde_core::ser;

use crate::compound::binary;
use crate::error::Shortened;
use crate::options::{Mode, Options, Unknown};
use crate::read::{ClassHeader, Wire};
use crate::schema::{Class, infer_from_value};
use crate::types::{PropertyFlags, SerializerFlags};
use crate::write::{self, Rules, Writer, missing_schema};
use crate::{Error, ErrorKind, Result, Value};
use list::{ListSer, StructSer};
use value::{Declared, Parent, ValueSer, lend};

/// Writing.
impl Options {
    /// Encodes an object with the layers around it.
    ///
    /// # Errors
    /// Values that the format cannot say, or a limit.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.append_to_vec(&mut out, value)?;
        Ok(out)
    }

    /// Encodes an object and writes it in one call of `write_all`; nothing is written on an error.
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

    /// Encodes an object at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append_to_vec<T: Serialize + ?Sized>(&self, out: &mut Vec<u8>, value: &T) -> Result<()> {
        let mut options = self.clone();
        if options.schema.is_none() {
            options = options.schema(infer_from_value(value, self.game, Some(self.mode))?);
        }
        let start = out.len();
        let mut serializer = Serializer::new(std::mem::take(out), options);
        let written = value.serialize(&mut serializer);
        let (bytes, outcome) = serializer.finish(written);
        *out = bytes;
        if outcome.is_err() {
            out.truncate(start);
        }
        outcome
    }

    /// The [`Value`] of an object: every property of the class that the type has, whatever the mask.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let mut own = self.in_memory();
        if own.schema.is_none() {
            own = own.schema(infer_from_value(value, self.game, None)?);
        }
        own.from_slice(&own.to_vec(value)?).map_err(Error::without_offset)
    }

    /// Options that keep everything, for conversions that never leave the program.
    pub(crate) fn in_memory(&self) -> Options {
        Options {
            mode: Mode::Deep,
            flags: SerializerFlags::COMPACT_LENGTHS,
            mask: PropertyFlags::NONE,
            unknown: Unknown::Keep,
            bind: false,
            manual_compression: false,
            saves_all: true,
            ..self.clone()
        }
    }
}

/// Writes Rust types as encoded objects, one root object each.
///
/// Usually [`to_vec`](crate::to_vec) is all that is needed. A separate serializer needs options
/// with a schema, except for a [`Value`].
///
/// ```
/// use kiwi_pclass::{Options, Schema, Serializer};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(rename = "class Leaf")]
/// struct Leaf {
///     m_on: bool,
/// }
///
/// let options = Options::new().schema(Schema::infer::<Leaf>()?);
/// let mut serializer = Serializer::new(b"before".to_vec(), options);
/// Leaf { m_on: true }.serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner()?.len(), 6 + 4 + 1);
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub struct Serializer {
    options: Options,
    rules: Rules,
    writer: Writer,
    /// The bytes before the stream, if the objects are compressed or split after they are written; else the
    /// writer has them.
    before: Option<Vec<u8>>,
    /// Where the stream begins in the buffer.
    start: usize,
}

gamewire_core::debug_place! { Serializer, "len", |own| own.writer.bits.position() / 8 }

/// The writer and its rules, on their way down.
pub(crate) struct Core<'a> {
    pub(crate) writer: &'a mut Writer,
    pub(crate) rules: &'a Rules,
}

impl<'a> Core<'a> {
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Core<'_> {
        Core { writer: self.writer, rules: self.rules }
    }

    /// A class by its place in the schema.
    #[inline]
    fn class_at(&self, at: usize) -> Result<&'a Class> {
        self.rules.schema.class_at(at).map(|class| &**class).ok_or_else(missing_schema)
    }

    /// The place of the class of a struct: of the variant it is in, or of its own name.
    fn index_for(&mut self, name: &'static str) -> Result<usize> {
        // The variant around a struct says its class better than its own name: one struct may stand
        // for several classes.
        let best = self.writer.variant.take().unwrap_or(name);
        self.index_of_variant(name, best)
    }

    fn index_of_variant(&mut self, name: &'static str, variant: &'static str) -> Result<usize> {
        match self.writer.names.get(variant) {
            Some(at) => Ok(at),
            None => self.find_class(name, variant),
        }
    }

    #[inline(never)]
    fn find_class(&mut self, name: &'static str, best: &'static str) -> Result<usize> {
        let schema = &self.rules.schema;
        let named = |name: &str| {
            schema.index_of(name).or_else(|| schema.index_of(&format!("class {name}")))
        };
        let Some(at) = named(best).or_else(|| named(name)) else {
            let message = format!("expected a class of the schema, found `{}`", Shortened(best));
            return Err(Error::new(ErrorKind::UnknownClass, message));
        };
        self.writer.names.set(best, at);
        Ok(at)
    }
}

impl Serializer {
    /// Writes at the end of `out`.
    pub fn new(out: Vec<u8>, options: Options) -> Self {
        let start = out.len();
        let (bits, before) = match write::open(out, &options) {
            Ok(bits) => (bits, None),
            // Objects that are compressed, or split by the flags word, are written elsewhere first.
            Err(before) => (Default::default(), Some(before)),
        };
        let writer = Writer { bits, ..Writer::default() };
        let rules = Rules::new(&options);
        Serializer { options, rules, writer, before, start }
    }

    /// The encoded object with the layers around it, after the bytes that were there before.
    ///
    /// # Errors
    /// A limit, or what compression refuses.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        let (bytes, outcome) = self.finish(Ok(()));
        outcome.map(|()| bytes)
    }

    /// The buffer, whatever became of the writing.
    fn finish(self, written: Result<()>) -> (Vec<u8>, Result<()>) {
        let Serializer { writer, options, before, start, .. } = self;
        let bytes = writer.bits.into_bytes();
        let Some(mut before) = before else {
            debug_assert!(start <= bytes.len(), "the bytes before the stream stay");
            let len = bytes.len().saturating_sub(start);
            return (bytes, written.and_then(|()| write::check_output(len, &options)));
        };
        let stream = written.and_then(|()| write::close(bytes, writer.root, &options));
        let outcome = stream.map(|stream| before.extend_from_slice(&stream));
        (before, outcome)
    }

    /// The root, which is written as any object is.
    fn root(&mut self) -> Result<ValueSer<'_, Self>> {
        match self.options.schema {
            Some(_) => Ok(ValueSer::any(self)),
            None => Err(missing_schema()),
        }
    }
}

impl Parent for Serializer {
    fn core(&mut self) -> Core<'_> {
        Core { writer: &mut self.writer, rules: &self.rules }
    }

    fn declared(&mut self) -> Declared<'_> {
        Declared::root(self.core())
    }
}

macro_rules! root {
    ($($method:ident($($arg:ident: $type:ty),*) -> $ok:ty;)+) => {$(
        fn $method(self, $($arg: $type),*) -> Result<$ok> {
            self.root()?.$method($($arg),*)
        }
    )+};
}

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ListSer<'a>;
    type SerializeTuple = ListSer<'a>;
    type SerializeTupleStruct = ListSer<'a>;
    type SerializeTupleVariant = ListSer<'a>;
    type SerializeMap = ListSer<'a>;
    type SerializeStruct = StructSer<'a>;
    type SerializeStructVariant = StructSer<'a>;

    binary!();

    root! {
        serialize_bool(v: bool) -> ();
        serialize_i8(v: i8) -> ();
        serialize_i16(v: i16) -> ();
        serialize_i32(v: i32) -> ();
        serialize_i64(v: i64) -> ();
        serialize_u8(v: u8) -> ();
        serialize_u16(v: u16) -> ();
        serialize_u32(v: u32) -> ();
        serialize_u64(v: u64) -> ();
        serialize_f32(v: f32) -> ();
        serialize_f64(v: f64) -> ();
        serialize_char(v: char) -> ();
        serialize_str(v: &str) -> ();
        serialize_bytes(v: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(len: Option<usize>) -> ListSer<'a>;
        serialize_tuple(len: usize) -> ListSer<'a>;
        serialize_tuple_struct(name: &'static str, len: usize) -> ListSer<'a>;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> ListSer<'a>;
        serialize_struct(name: &'static str, len: usize) -> StructSer<'a>;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> StructSer<'a>;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.root()?.serialize_some(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match name {
            // The objects in it know their classes.
            crate::types::VALUE => lend(&mut self.core(), None, value),
            _ => self.root()?.serialize_newtype_struct(name, value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.root()?.serialize_newtype_variant(name, index, variant, value)
    }
}

/// A null pointer, or what stands for it.
fn write_null(writer: &mut Writer, wire: &Wire) -> Result<()> {
    writer.class_header(wire, ClassHeader::Null)
}
