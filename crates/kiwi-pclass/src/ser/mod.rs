//! Serialization: Rust types to bytes.

mod catch;
mod list;
mod object;
mod value;

use std::sync::Arc;

use serde_core::Serialize;
use serde_core::ser;

use crate::handoff;
use crate::options::Options;
use crate::read::{ClassHeader, Wire};
use crate::schema::Class;
use crate::value::{Rules, UNKNOWN_VARIANT};
use crate::write::{self, Open, Writer, class_named, missing_schema};
use crate::{Error, ErrorKind, Result, Schema};
pub(crate) use catch::{no_compounds, refuse};
use object::{ObjectSer, RawSer};

/// Writes Rust types as encoded objects, one root object each.
///
/// Usually [`to_vec`](crate::to_vec) is all that is needed. A serializer of its own needs options
/// with a schema, except for a [`Value`](crate::Value).
pub struct Serializer {
    options: Options,
    rules: Rules,
    schema: Option<Arc<Schema>>,
    writer: Writer,
    rounds: usize,
    /// The class of a variant around the root.
    hint: Option<&'static str>,
    /// What stands before the stream, unless the writer has it.
    before: Vec<u8>,
    /// Where the stream begins in the writer, if nothing has to be done to its end.
    direct: Option<usize>,
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
    /// Writes with some options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Serializer::after(Vec::new(), options)
    }

    /// Writes after some bytes.
    #[must_use]
    pub fn after(bytes: Vec<u8>, options: Options) -> Self {
        let wire = Wire::new(&options, write::flags(&options));
        let rules = Rules {
            wire,
            fill_defaults: options.fill_defaults,
            core_types: options.core_types.clone(),
        };
        let schema = options.schema.clone();
        let start = bytes.len();
        let (writer, before, direct) = match write::open(bytes, &options) {
            Ok(bits) => (Writer { bits, ..Writer::default() }, Vec::new(), Some(start)),
            Err(before) => (Writer::default(), before, None),
        };
        Serializer { rules, schema, writer, options, rounds: 0, hint: None, before, direct }
    }

    /// The encoded object with the layers around it, after the bytes that were there before.
    ///
    /// # Errors
    /// A limit, or what compression refuses.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        self.finish().map_err(|(error, _)| error)
    }

    /// As [`into_inner`](Self::into_inner); an error comes with the buffer.
    pub(crate) fn finish(self) -> std::result::Result<Vec<u8>, (Error, Vec<u8>)> {
        let Serializer { writer, options, mut before, direct, .. } = self;
        let bytes = writer.bits.into_bytes();
        match direct {
            Some(start) => match options.check_output(bytes.len().saturating_sub(start)) {
                Ok(()) => Ok(bytes),
                Err(error) => Err((error, bytes)),
            },
            None => match write::close(bytes, writer.root, &options) {
                Ok(stream) if before.is_empty() && before.capacity() == 0 => Ok(stream),
                Ok(stream) => {
                    before.extend_from_slice(&stream);
                    Ok(before)
                }
                Err(error) => Err((error, before)),
            },
        }
    }

    /// The buffer of a stream that could not be written.
    pub(crate) fn abandon(self) -> Vec<u8> {
        if self.direct.is_some() { self.writer.bits.into_bytes() } else { self.before }
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
        self.rounds = self.rounds.saturating_add(1);
        too_many_rounds(self.rounds)
    }
}

/// Levels of Rust types around one value that write nothing.
const MOST_ROUNDS: usize = 64;

fn too_many_rounds(rounds: usize) -> Result<()> {
    if rounds > MOST_ROUNDS {
        let message = format!("more than {MOST_ROUNDS} newtypes and options are around one value");
        return Err(Error::new(ErrorKind::DepthLimit, message));
    }
    Ok(())
}

/// The class of a struct: of the variant it is in, or of its own name.
pub(crate) fn class_for<'s>(
    schema: &'s Schema,
    name: &str,
    hint: Option<&str>,
) -> Result<&'s Arc<Class>> {
    let named = |name: &str| schema.class(name).or_else(|| schema.class(&format!("class {name}")));
    match hint.and_then(named).or_else(|| named(name)) {
        Some(class) => Ok(class),
        None => class_named(schema, hint.unwrap_or(name)),
    }
}

/// An object without any property of its own in Rust.
fn empty_object(core: Core<'_>, class: &Class, outer: Option<Open>) -> Result<Option<Open>> {
    ser::SerializeStruct::end(ObjectSer::new(core, class, outer)?)
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
    no_compounds! { SerializeMap SerializeSeq SerializeTuple SerializeTupleStruct SerializeTupleVariant }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<RootObject<'a>> {
        self.object(name).map(RootObject)
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        ser::SerializeStruct::end(self.object(name)?).map(drop)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        ser::SerializeStruct::end(self.object(variant)?).map(drop)
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

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.round()?;
        match name {
            crate::types::VALUE => handoff::lend(&mut self.writer, &self.rules, None, value),
            crate::types::RAW_OBJECT => {
                let raw = value.serialize(RawSer)?;
                RawSer::write(&mut self.writer, &self.rules.wire, &raw)
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

impl ser::SerializeStruct for RootObject<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        ser::SerializeStruct::serialize_field(&mut self.0, key, value)
    }

    fn end(self) -> Result<()> {
        ser::SerializeStruct::end(self.0).map(drop)
    }
}

impl ser::SerializeStructVariant for RootObject<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        ser::SerializeStruct::serialize_field(&mut self.0, key, value)
    }

    fn end(self) -> Result<()> {
        ser::SerializeStruct::end(self.0).map(drop)
    }
}

/// A null pointer, or what stands for it.
pub(crate) fn write_null(core: &mut Core<'_>) {
    core.writer.class_header(&core.rules.wire, ClassHeader::Null);
}

/// The `float` that is exactly this number, if there is one.
#[allow(clippy::cast_possible_truncation, reason = "checked by widening again")]
pub(crate) fn narrow(value: f64) -> Option<f32> {
    let narrow = value as f32;
    let same = f64::from(narrow).to_bits() == value.to_bits();
    (same || value.is_nan()).then_some(narrow)
}

/// A number in so many bits, if it fits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
pub(crate) fn fit_bits(number: i128, width: u8, signed: bool) -> Option<u32> {
    let width = u32::from(width.min(32));
    let half = 1i128 << width.saturating_sub(1);
    let (least, most) = match signed {
        true => (half.wrapping_neg(), half.wrapping_sub(1)),
        false => (0, (1i128 << width).wrapping_sub(1)),
    };
    (least..=most).contains(&number).then_some(number as u32)
}
