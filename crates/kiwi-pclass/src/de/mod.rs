//! Deserialization: bytes to Rust types.

mod access;
mod object;
mod value;

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_core::de::{self, Visitor};

use crate::core_object::CoreTypes;
use crate::handoff;
use crate::options::Options;
use crate::read::{self, ClassHeader, Reader};
use crate::value::{Decoder, Silent};
use crate::write::missing_schema;
use crate::{Error, Result, Schema};
use object::ObjectDe;

/// Reads Rust types from encoded objects.
///
/// Usually [`from_slice`](crate::from_slice) is all that is needed. A deserializer of its own reads
/// one object after another, or only the first. It needs options with a schema
/// ([`Schema::infer`] makes one of a Rust type).
pub struct Deserializer<'de> {
    input: &'de [u8],
    /// Where the next stream begins.
    at: usize,
    options: Options,
}

/// One stream that is being read.
pub(crate) struct State<'a, 'de> {
    pub(crate) reader: Reader<'a>,
    pub(crate) schema: &'a Schema,
    pub(crate) core_types: Option<&'a CoreTypes>,
    pub(crate) any_class: bool,
    /// The input, if it is what is read: then text can be borrowed from it.
    pub(crate) borrow: Option<&'de [u8]>,
}

impl<'de> State<'_, 'de> {
    /// The same bytes with the input's own lifetime, if they are of the input.
    #[inline]
    pub(crate) fn borrowed(&self, bytes: &[u8]) -> Option<&'de [u8]> {
        let end = self.reader.bits.position() >> 3;
        self.borrow?.get(end.checked_sub(bytes.len())?..end)
    }
}

impl<'de> Deserializer<'de> {
    /// Reads from a slice. The options need a schema.
    #[must_use]
    pub fn new(bytes: &'de [u8], options: Options) -> Self {
        Deserializer { input: bytes, at: 0, options }
    }

    /// The bytes that were not read yet.
    #[must_use]
    pub fn rest(&self) -> &'de [u8] {
        self.input.get(self.at..).unwrap_or_default()
    }

    /// Bytes used so far.
    #[must_use]
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
            left => Err(read::trailing(self.at.saturating_mul(8), left)),
        }
    }

    /// Reads objects one after another until the input ends.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json gave it")]
    #[must_use]
    pub fn into_iter<T: de::Deserialize<'de>>(self) -> Iter<'de, T> {
        Iter { deserializer: Some(self), values: PhantomData }
    }

    /// Reads one stream: its layers, its root, and that nothing follows inside of layers.
    fn stream<T>(
        &mut self,
        read: impl FnOnce(&mut State<'_, 'de>, Option<ClassHeader>) -> Result<T>,
    ) -> Result<T> {
        let schema = Arc::clone(self.options.schema.as_ref().ok_or_else(missing_schema)?);
        let stream = read::open(self.input, self.at, &self.options, &mut |_| {})?;
        let inflated = stream.inflated();
        let bits = stream.reader().map_err(|error| error.in_inflated(inflated))?;
        let mut state = State {
            reader: Reader::new(bits, stream.wire),
            schema: &schema,
            core_types: self.options.core_types.as_deref(),
            any_class: self.options.any_class,
            borrow: match stream.data {
                Cow::Borrowed(_) => Some(self.input),
                Cow::Owned(_) => None,
            },
        };
        let outcome = read(&mut state, stream.root).and_then(|value| {
            state.reader.bits.align();
            let (at, len) = (state.reader.bits.position(), state.reader.bits.len());
            if inflated && at < len {
                return Err(read::trailing(at, len.saturating_sub(at) >> 3));
            }
            Ok((value, at >> 3))
        });
        let start = stream.start.saturating_mul(8);
        let (value, at) = outcome.map_err(|error| error.or_at(start).in_inflated(inflated))?;
        self.at = stream.end.unwrap_or(at);
        Ok(value)
    }

    fn value(&mut self) -> Result<crate::Value> {
        self.stream(|state, root| {
            let mut decoder = Decoder {
                reader: &mut state.reader,
                schema: state.schema,
                core_types: state.core_types,
                listener: Silent,
            };
            decoder.root(root)
        })
    }
}

macro_rules! root {
    ($($method:ident($($arg:ident: $type:ty),*);)+) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.stream(|state, root| ObjectDe::root(state, root)?.$method($($arg,)* visitor))
        }
    )+};
}

/// The root is an object: a struct, an enum over classes, a map, or a [`Value`](crate::Value).
impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == crate::types::VALUE {
            let value = self.value()?;
            handoff::leave_value(value);
            return visitor.visit_newtype_struct(Nothing);
        }
        self.stream(|state, root| {
            ObjectDe::root(state, root)?.deserialize_newtype_struct(name, visitor)
        })
    }

    root! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}

/// Stands in for the value that was handed over.
pub(crate) struct Nothing;

impl<'de> de::Deserializer<'de> for Nothing {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value> {
        handoff::take_value();
        Err(handoff::reserved())
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// Objects one after another; made by [`Deserializer::into_iter`]. Ends after an error.
pub struct Iter<'de, T> {
    deserializer: Option<Deserializer<'de>>,
    values: PhantomData<T>,
}

impl<'de, T: de::Deserialize<'de>> Iterator for Iter<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let deserializer = self.deserializer.as_mut()?;
        if deserializer.rest().is_empty() {
            self.deserializer = None;
            return None;
        }
        let value = T::deserialize(&mut *deserializer);
        if value.is_err() {
            self.deserializer = None;
        }
        Some(value)
    }
}
