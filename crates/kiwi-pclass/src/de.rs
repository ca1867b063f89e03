//! Deserialization: bytes to Rust types.

mod access;
mod object;
mod value;

use std::borrow::Cow;
use std::io;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_core::de::{self, Deserialize, DeserializeOwned, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::compound::binary;
use crate::handoff;
use crate::options::Options;
pub use crate::read::Header;
use crate::read::{self, ClassHeader, Classes, Layers, Reader};
use crate::schema::{Class, Property};
use crate::value::build;
use crate::write::missing_schema;
use crate::{Error, Result, Schema, Value};
use object::ObjectDe;

/// Reading.
impl Options {
    /// The layers around the root object: flags in effect, compression, sizes. Reads nothing of the
    /// object, and inflates nothing but the manual layer.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), as far as layers are concerned.
    pub fn header(&self, bytes: &[u8]) -> Result<Header> {
        read::header(bytes, self)
    }

    /// Reads one object that takes the whole input.
    ///
    /// # Errors
    /// Malformed input, data that does not fit `T`, a limit, or bytes after the object.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer::new(bytes, self.with_schema_of::<T>()?);
        let value = T::deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(value)
    }

    /// Reads one object and returns it with the bytes after it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the object are fine.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let mut deserializer = Deserializer::new(bytes, self.with_schema_of::<T>()?);
        let value = T::deserialize(&mut deserializer)?;
        Ok((value, deserializer.rest()))
    }

    /// Reads a reader to its end and the one object in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let bytes = read::read_to_end(reader, self.limits.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Reads a Rust type from a [`Value`].
    ///
    /// # Errors
    /// Data that does not fit `T`, or a limit.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        self.read_value(value, |own| T::deserialize(own))
    }

    pub(crate) fn read_value<T>(
        &self,
        value: &Value,
        read: impl FnOnce(&mut Deserializer<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut own = self.in_memory();
        if own.schema.is_none() {
            own = own.schema(Schema::of_value(value)?);
        }
        let bytes = own.to_vec(value)?;
        read(&mut Deserializer::new(&bytes, own)).map_err(Error::without_offset)
    }

    /// The classes of `T`, if there are no others.
    fn with_schema_of<'de, T: Deserialize<'de>>(&self) -> Result<Options> {
        match self.schema {
            Some(_) => Ok(self.clone()),
            None => Ok(self.clone().schema(Schema::infer_for::<T>(self.game)?)),
        }
    }
}

/// Reads Rust types from encoded objects.
///
/// Usually [`from_slice`](crate::from_slice) is all that is needed. A separate deserializer reads
/// one object after another, or only the first. It needs options with a schema
/// ([`Schema::infer`] makes one of a Rust type); [`into_iter`](Self::into_iter) makes its own.
pub struct Deserializer<'de> {
    input: &'de [u8],
    /// Where the next stream begins.
    at: usize,
    options: Options,
}

gamewire_core::debug_place! { Deserializer<'_>, "byte_offset", |own| own.at }

/// One stream that is being read.
pub(crate) struct State<'a, 'de> {
    pub(crate) reader: Reader<'a>,
    pub(crate) classes: Classes<'a>,
    pub(crate) any_class: bool,
    pub(crate) slice_derived: bool,
    /// Absent properties have the values of a new object.
    pub(crate) fill: bool,
    /// The input, if it is what is read: then text can be borrowed from it.
    pub(crate) borrow: Option<&'de [u8]>,
    /// The structs that were found to fit classes last, by the hash of the class.
    known: [Option<Known<'a>>; 16],
}

/// Places that a struct may have among those that are known.
const MAX_PROBES: u32 = 4;

/// A struct that fits a class: the addresses of its name and fields, and what [`State::known`] returns.
#[derive(Clone, Copy)]
struct Known<'a> {
    hash: u32,
    name: usize,
    fields: usize,
    class: &'a Class,
    names: &'static [&'static str],
}

impl<'a, 'de> State<'a, 'de> {
    /// The class of a hash, if a struct of this name and these fields was found to fit it, and the names of
    /// the fields, if they are the properties of shallow objects in their order, so that none need be
    /// compared.
    #[inline]
    fn known(
        &self,
        hash: u32,
        name: &'static str,
        fields: &'static [&'static str],
    ) -> Option<(&'a Class, &'static [&'static str])> {
        // A few places by the hash: where two classes fall on one, the next ones are looked at.
        for step in 0..MAX_PROBES {
            let known = self.known.get(hash.wrapping_add(step) as usize & 15)?.as_ref()?;
            if known.hash == hash
                && known.name == name.as_ptr().addr()
                && known.fields == fields.as_ptr().addr()
            {
                return Some((known.class, known.names));
            }
        }
        None
    }

    #[inline(never)]
    fn compare(
        &mut self,
        class: &'a Class,
        name: &'static str,
        fields: &'static [&'static str],
    ) -> &'static [&'static str] {
        let wire = self.reader.wire;
        let selected = class.properties().iter().filter(|property| wire.has(property));
        let is_in_order = fields.iter().copied().eq(selected.map(Property::name));
        let names = if is_in_order { fields } else { &[] };
        let (name, fields, hash) = (name.as_ptr().addr(), fields.as_ptr().addr(), class.hash());
        let place = |step: u32| hash.wrapping_add(step) as usize & 15;
        let free = (0..MAX_PROBES).map(place).find(|at| matches!(self.known.get(*at), Some(None)));
        let entry = self.known.get_mut(free.unwrap_or(place(0)));
        let known = Known { hash, name, fields, class, names };
        entry.into_iter().for_each(|entry| *entry = Some(known));
        names
    }

    /// The same bytes with the input's own lifetime, if they are of the input.
    #[inline]
    pub(crate) fn borrowed(&self, bytes: &[u8]) -> Option<&'de [u8]> {
        // The bytes were taken last and end here, so their offset is known without addresses.
        let end = self.reader.bits.position() >> 3;
        self.borrow?.get(end.checked_sub(bytes.len())?..end)
    }
}

impl<'de> Deserializer<'de> {
    /// Reads from a slice with the default options, for [`into_iter`](Self::into_iter).
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(bytes, Options::new())
    }

    /// Reads from a slice. The options need a schema.
    pub fn new(bytes: &'de [u8], options: Options) -> Self {
        Deserializer { input: bytes, at: 0, options }
    }

    /// The bytes that were not read yet.
    pub fn rest(&self) -> &'de [u8] {
        self.input.get(self.at..).unwrap_or_default()
    }

    /// Bytes used so far.
    pub fn byte_offset(&self) -> usize {
        self.at
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`TrailingBytes`](crate::ErrorKind::TrailingBytes) with the offset of the first one.
    pub fn end(&self) -> Result<()> {
        match self.rest().len() {
            0 => Ok(()),
            left => Err(read::trailing(self.at, left)),
        }
    }

    /// Reads objects one after another until the input ends. Without a schema, the classes are
    /// those of `T`.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json gave it")]
    pub fn into_iter<T: Deserialize<'de>>(self) -> Iter<'de, T> {
        Iter { deserializer: Some(self), values: PhantomData }
    }

    /// Reads one stream: its layers, its root, and that nothing follows inside of layers.
    fn stream<T>(
        &mut self,
        read: impl FnOnce(&mut State<'_, 'de>, Option<ClassHeader>) -> Result<T>,
    ) -> Result<T> {
        let schema = Arc::clone(self.options.schema.as_ref().ok_or_else(missing_schema)?);
        let stream = Layers::open(self.input, self.at, &self.options, &mut ())?;
        let start = stream.start.saturating_mul(8);
        let outcome = stream.reader().and_then(|reader| {
            let core_types = self.options.core_types.as_deref();
            let mut state = State {
                reader,
                classes: Classes { schema: &schema, core_types },
                any_class: self.options.any_class,
                slice_derived: self.options.slice_derived,
                fill: self.options.fill_defaults,
                borrow: match stream.data {
                    Cow::Borrowed(_) => Some(self.input),
                    Cow::Owned(_) => None,
                },
                known: [None; 16],
            };
            let value = read(&mut state, stream.root)?;
            Ok((value, stream.end(&mut state.reader)?))
        });
        let is_inflated = stream.is_inflated();
        let (value, at) =
            outcome.map_err(|error: Error| error.or_at(start).in_inflated(is_inflated))?;
        self.at = at;
        Ok(value)
    }
}

macro_rules! root {
    ($($method:ident($($arg:ident: $type:ty),*);)+) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.stream(|state, root| ObjectDe::root(state, root)?.$method($($arg,)* visitor))
        }
    )+};
}

/// The root is an object: a struct, an enum over classes, a map, or a [`Value`].
impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    binary!();

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == crate::types::VALUE {
            let value =
                self.stream(|state, root| build::root(&mut state.reader, state.classes, root))?;
            return handoff::give_to(value, visitor);
        }
        self.stream(|state, root| {
            ObjectDe::root(state, root)?.deserialize_newtype_struct(name, visitor)
        })
    }

    root! {
        deserialize_any();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_ignored_any();
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf seq
        tuple tuple_struct identifier
    }
}

/// Objects one after another; made by [`Deserializer::into_iter`]. Ends after an error.
#[derive(Debug)]
pub struct Iter<'de, T> {
    deserializer: Option<Deserializer<'de>>,
    values: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Iterator for Iter<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let deserializer = self.deserializer.as_mut()?;
        if deserializer.rest().is_empty() {
            self.deserializer = None;
            return None;
        }
        if deserializer.options.schema.is_none() {
            match deserializer.options.with_schema_of::<T>() {
                Ok(options) => deserializer.options = options,
                Err(error) => {
                    self.deserializer = None;
                    return Some(Err(error));
                }
            }
        }
        let value = T::deserialize(&mut *deserializer);
        if value.is_err() {
            // The offset of the next object is not known.
            self.deserializer = None;
        }
        Some(value)
    }
}

impl<'de, T: Deserialize<'de>> FusedIterator for Iter<'de, T> {}
