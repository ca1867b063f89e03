//! Serialization: Rust types to bytes.

mod list;
mod object;
mod value;

use std::io;
use std::sync::Arc;

use gamewire_core::words::Name;
use serde_core::Serialize;
use serde_core::ser::{self, Impossible};

use crate::catch::{Catch, Caught};
use crate::compound::structs;
use crate::handoff;
use crate::options::{Mode, Options, Unknown};
use crate::read::ClassHeader;
use crate::schema::Class;
use crate::types::{PropertyFlags, SerializerFlags};
use crate::value::UNKNOWN_VARIANT;
use crate::write::{self, Open, Rules, Writer, class_named, missing_schema};
use crate::{Error, ErrorKind, RawObject, Result, Schema, Value};
use object::ObjectSer;

/// Writing.
impl Options {
    /// Encodes an object with the layers around it.
    ///
    /// # Errors
    /// What the format cannot say, or a limit.
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
            options = options.schema(Schema::infer_from_value(value, self.game)?);
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
            own = own.schema(Schema::infer_from_value(value, self.game)?);
        }
        own.from_slice(&own.to_vec(value)?).map_err(Error::without_offset)
    }

    /// What keeps everything, for conversions that never leave the program.
    pub(crate) fn in_memory(&self) -> Options {
        Options {
            mode: Mode::Deep,
            flags: SerializerFlags::COMPACT_LENGTHS,
            mask: PropertyFlags::NONE,
            unknown: Unknown::Keep,
            bind: false,
            manual_compression: false,
            ..self.clone()
        }
    }
}

/// Writes Rust types as encoded objects, one root object each.
///
/// Usually [`to_vec`](crate::to_vec) is all that is needed. A serializer of its own needs options
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
    schema: Option<Arc<Schema>>,
    writer: Writer,
    /// What stands before the stream, unless the writer has it: then nothing is to be done to the
    /// objects after they are written.
    before: Option<Vec<u8>>,
    /// Where the stream begins in the buffer.
    start: usize,
    rounds: usize,
    /// The class of a variant around the root.
    hint: Option<&'static str>,
}

/// What writing needs on its way down.
pub(crate) struct Core<'a> {
    pub(crate) writer: &'a mut Writer,
    pub(crate) rules: &'a Rules,
    pub(crate) schema: &'a Schema,
}

impl Core<'_> {
    #[inline]
    pub(crate) fn again(&mut self) -> Core<'_> {
        Core { writer: self.writer, rules: self.rules, schema: self.schema }
    }
}

impl Serializer {
    /// Writes at the end of `out`.
    #[must_use]
    pub fn new(out: Vec<u8>, options: Options) -> Self {
        let start = out.len();
        let (bits, before) = match write::open(out, &options) {
            Ok(bits) => (bits, None),
            // Objects that are compressed, or split by the flags word, are written elsewhere first.
            Err(before) => (Default::default(), Some(before)),
        };
        let writer = Writer { bits, ..Writer::default() };
        let (rules, schema) = (Rules::new(&options), options.schema.clone());
        Serializer { options, rules, schema, writer, before, start, rounds: 0, hint: None }
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
            let len = bytes.len().saturating_sub(start);
            return (bytes, written.and_then(|()| write::check_output(len, &options)));
        };
        let stream = written.and_then(|()| write::close(bytes, writer.root, &options));
        let outcome = stream.map(|stream| before.extend_from_slice(&stream));
        (before, outcome)
    }

    fn core(&mut self) -> Result<Core<'_>> {
        let schema = self.schema.as_deref().ok_or_else(missing_schema)?;
        Ok(Core { writer: &mut self.writer, rules: &self.rules, schema })
    }

    fn object(&mut self, name: &'static str) -> Result<ObjectSer<'_>> {
        let hint = self.hint.take();
        let core = self.core()?;
        let class = class_for(core.schema, name, hint)?;
        ObjectSer::new(core, class, None)
    }

    fn round(&mut self) -> Result<()> {
        next_round(&mut self.rounds)
    }
}

/// Levels of Rust types around one value that write nothing.
const MAX_ROUNDS: usize = 64;

/// One more such level.
fn next_round(rounds: &mut usize) -> Result<()> {
    *rounds = rounds.saturating_add(1);
    if *rounds <= MAX_ROUNDS {
        return Ok(());
    }
    let message = format!("more than {MAX_ROUNDS} newtypes and options are around one value");
    Err(Error::new(ErrorKind::DepthLimit, message))
}

/// The class of a struct: of the variant it is in, or of its own name.
pub(crate) fn class_for<'s>(
    schema: &'s Schema,
    name: &str,
    hint: Option<&str>,
) -> Result<&'s Arc<Class>> {
    let named = |name: &str| schema.class(name).or_else(|| schema.class(&format!("class {name}")));
    // The variant around a struct says its class better than its own name: one struct may stand for
    // several classes.
    match hint.and_then(named).or_else(|| named(name)) {
        Some(class) => Ok(class),
        None => class_named(schema, hint.unwrap_or(name)),
    }
}

/// An object without any property of its own in Rust.
fn empty_object(core: Core<'_>, class: &Class, outer: Option<Open>) -> Result<Option<Open>> {
    ObjectSer::new(core, class, outer)?.finish()
}

#[cold]
fn no_root(found: &str) -> Error {
    Error::new(ErrorKind::Data, format!("expected an object as the root, found {found}"))
}

macro_rules! no_root {
    ($($name:ident($($arg:ty),*) $(-> $ok:ty)? = $found:literal;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<no_root!(@ok $($ok)?)> { Err(no_root($found)) }
    )+};
    (@ok) => { () };
    (@ok $ok:ty) => { $ok };
}

/// A struct that is the root.
pub struct RootObject<'a>(ObjectSer<'a>);

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeStruct = RootObject<'a>;
    type SerializeStructVariant = RootObject<'a>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<RootObject<'a>> {
        self.object(name).map(RootObject)
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        self.object(name)?.finish().map(drop)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.object(variant)?.finish().map(drop)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<RootObject<'a>> {
        self.object(variant).map(RootObject)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.round()?;
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: Name, value: &T) -> Result<()> {
        self.round()?;
        match name {
            crate::types::VALUE => handoff::lend(&mut self.writer, &self.rules, None, value),
            crate::types::RAW_OBJECT => {
                self.writer.raw_object(&self.rules.wire, &raw_object(value)?)
            }
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        if variant == UNKNOWN_VARIANT {
            return value.serialize(self);
        }
        self.round()?;
        self.hint = Some(variant);
        value.serialize(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        Err(no_root("a map, which has no class: flattened structs have none either"))
    }

    no_root! {
        serialize_bool(bool) = "a bool";
        serialize_i8(i8) = "a number";
        serialize_i16(i16) = "a number";
        serialize_i32(i32) = "a number";
        serialize_i64(i64) = "a number";
        serialize_u8(u8) = "a number";
        serialize_u16(u16) = "a number";
        serialize_u32(u32) = "a number";
        serialize_u64(u64) = "a number";
        serialize_f32(f32) = "a number";
        serialize_f64(f64) = "a number";
        serialize_char(char) = "a string";
        serialize_str(&str) = "a string";
        serialize_bytes(&[u8]) = "bytes";
        serialize_none() = "none";
        serialize_unit() = "nothing";
        serialize_seq(Option<usize>) -> Self::SerializeSeq = "a list";
        serialize_tuple(usize) -> Self::SerializeTuple = "a tuple";
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct = "a tuple";
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant = "a tuple";
    }
}

impl RootObject<'_> {
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.0.field(key, value)
    }

    fn skip(&mut self, key: &'static str) -> Result<()> {
        self.0.skip(key)
    }

    #[inline]
    fn finish(self) -> Result<()> {
        self.0.finish().map(drop)
    }
}

structs!(RootObject<'a> => ());

/// A null pointer, or what stands for it.
fn write_null(core: &mut Core<'_>) -> Result<()> {
    core.writer.class_header(&core.rules.wire, ClassHeader::Null)
}

/// The raw object that a value serializes as.
fn raw_object<T: Serialize + ?Sized>(value: &T) -> Result<RawObject> {
    let catch = Catch("a raw object");
    match value.serialize(catch)? {
        Caught::Bytes(bytes) => RawObject::unpack(&bytes).ok_or_else(|| catch.fault()),
        _ => Err(catch.fault()),
    }
}
