//! Reading Rust types.

/// Methods of serde's `Deserializer` that a slot answers, which `$lend` gives to a closure.
macro_rules! through {
    ($lend:ident: $($method:ident($($arg:ident: $type:ty),*)),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.$lend(|slot| slot.$method($($arg,)* visitor))
        }
    )*};
}

mod buffers;
mod class;
mod compound;
mod dispatch;
pub(crate) mod load;
mod map;
mod native;
mod payload;
mod pointer;
mod raw;
mod readings;
mod repeats;
mod scalar;
mod slot;

use std::io;

use gamewire_core::bytes::part;
use serde_core::de::{self, DeserializeOwned, Visitor};
use serde_core::{Deserialize, Serialize};

use crate::node::node_of;
use crate::read::{Input, Reader};
use crate::report::Report;
use crate::value::to_compact;
use crate::{Error, Options, Result, Value};
pub(crate) use buffers::note as note_in_buffers;
use slot::Slot;

/// Reads Rust types from a text, with the results of [`from_str`](crate::from_str) and
/// [`from_slice`](crate::from_slice).
///
/// It is for wrappers that take any serde deserializer, and for several values in one text. The
/// functions are faster: they need not look for repeated names first, because they can begin again.
///
/// ```
/// use o3de_json::{Deserializer, Options};
///
/// let mut scales = Deserializer::new(b"[1.0, 2] // first\n [3]", Options::new()).into_iter::<Vec<f32>>();
/// assert_eq!(scales.next().transpose()?, Some(vec![1.0, 2.0]));
/// assert_eq!(scales.byte_offset(), 8);
/// assert_eq!(scales.next().transpose()?, Some(vec![3.0]));
/// assert!(scales.next().is_none());
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    options: Options,
    /// Where the next value begins.
    at: usize,
}

impl<'de> Deserializer<'de> {
    /// Reads from the beginning of some UTF-8 bytes, by options.
    pub fn new(bytes: &'de [u8], options: Options) -> Self {
        Deserializer { bytes, options, at: 0 }
    }

    /// Reads from the beginning of some UTF-8 bytes.
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(bytes, Options::new())
    }

    /// Reads from the beginning of a text.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json has")]
    pub fn from_str(text: &'de str) -> Self {
        Deserializer::from_slice(text.as_bytes())
    }

    /// Offset of the first byte after the last value.
    pub fn byte_offset(&self) -> usize {
        self.at
    }

    /// The bytes after the last value.
    pub fn rest(&self) -> &'de [u8] {
        part(self.bytes, self.at..)
    }

    /// Refuses anything but white space and comments up to the end of the text.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingBytes`](crate::ErrorKind::TrailingBytes).
    pub fn end(&mut self) -> Result<()> {
        let mut reader = Reader::of(self.text()?, &self.options);
        reader.seek(self.at);
        reader.end().map_err(|error| error.placed(self.bytes))
    }

    /// Reads the values of a text one after the other, with white space between them.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json has")]
    pub fn into_iter<T: Deserialize<'de>>(self) -> Iter<'de, T> {
        Iter { deserializer: self, done: false, of: std::marker::PhantomData }
    }

    fn text(&self) -> Result<Input<'de>> {
        Input::check(self.bytes, &self.options)
    }

    fn read<T>(&mut self, read: impl FnOnce(Slot<'_, 'de, '_>) -> Result<T>) -> Result<T> {
        let (value, end) = load::read_once(self.text()?, self.at, &self.options, read)?;
        self.at = end;
        Ok(value)
    }
}

gamewire_core::debug_place! { Deserializer<'_>, "byte_offset", |own| own.at }

/// Iterator over the values of a text; see [`Deserializer::into_iter`].
#[derive(Debug)]
pub struct Iter<'de, T> {
    deserializer: Deserializer<'de>,
    done: bool,
    of: std::marker::PhantomData<fn() -> T>,
}

impl<T> Iter<'_, T> {
    /// Offset of the first byte after the last value.
    pub fn byte_offset(&self) -> usize {
        self.deserializer.at
    }
}

impl<'de, T: Deserialize<'de>> Iterator for Iter<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.done || self.deserializer.end().is_ok() {
            return None;
        }
        let Deserializer { options, at, .. } = &self.deserializer;
        match self.deserializer.text().and_then(|text| load::read(text, *at, options, false)) {
            Ok((value, end)) => {
                self.deserializer.at = end;
                Some(Ok(value))
            }
            Err(error) => {
                self.done = true;
                Some(Err(error))
            }
        }
    }
}

impl<'de, T: Deserialize<'de>> std::iter::FusedIterator for Iter<'de, T> {}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    through! {
        read: deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(),
        deserialize_i32(), deserialize_i64(), deserialize_i128(), deserialize_u8(),
        deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(),
        deserialize_string(), deserialize_bytes(), deserialize_byte_buf(), deserialize_option(),
        deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str), deserialize_seq(),
        deserialize_tuple(len: usize), deserialize_tuple_struct(name: &'static str, len: usize),
        deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
        deserialize_identifier(), deserialize_ignored_any(),
    }
}

impl Options {
    /// Reads one value that takes the whole text. Strings can be borrowed.
    ///
    /// The last of several members of one name counts, and names match in any case. `{}` is the zero value
    /// of the field's type, a new instance for an `Option`; what is missing is serde's affair, or
    /// that of [`absent_as_zero`](Self::absent_as_zero).
    ///
    /// # Errors
    /// Text that is not JSON, data that does not fit `T`, a limit, or text after the value.
    pub fn from_str<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T> {
        load::read(Input::of(text, self), 0, self, true).map(|(value, _)| value)
    }

    /// Reads one value that takes the whole of some UTF-8 bytes.
    ///
    /// # Errors
    /// As [`from_str`](Self::from_str), or bytes that are not UTF-8.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        load::read(Input::check(bytes, self)?, 0, self, true).map(|(value, _)| value)
    }

    /// Reads a reader to its end and the one value in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let bytes = crate::read::read_to_end(reader, self.limits.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Reads one value and returns the bytes after it, as the engine's settings registry does.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the value are fine.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let (value, end) = load::read(Input::check(bytes, self)?, 0, self, false)?;
        Ok((value, part(bytes, end..)))
    }

    /// Reads a Rust type from a document, with all coercions.
    ///
    /// # Errors
    /// As [`from_str`](Options::from_str), without line and column: there is no text to see.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        let text = to_compact(value, self.limits.max_depth, usize::MAX)?;
        let read = load::read(Input::text(&text), 0, self, true);
        read.map(|(value, _)| value).map_err(Error::without_offset)
    }

    pub(crate) fn read_value<T>(
        &self,
        value: &Value,
        read: impl FnOnce(&mut Deserializer<'_>) -> Result<T>,
    ) -> Result<T> {
        let text = to_compact(value, self.limits.max_depth, usize::MAX)?;
        read(&mut Deserializer::new(text.as_bytes(), self.clone())).map_err(Error::without_offset)
    }

    /// Loads a value as the engine does: what does not fit is left out and reported.
    ///
    /// A member that is left out is as one that is missing: serde's affair, or that of
    /// [`absent_as_zero`](Self::absent_as_zero). [`strict`](Self::strict) has no say here; the callback
    /// of [`on_issue`](Self::on_issue) has.
    ///
    /// # Errors
    /// Text that is not JSON, a limit, text after the value, or a member without a default that is
    /// absent or left out where nothing around it can be left out in its place.
    pub fn load<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<(T, Report)> {
        load::load(Input::of(text, self), self, None)
    }

    /// [`load`](Self::load) from bytes.
    ///
    /// # Errors
    /// As [`load`](Self::load), or bytes that are not UTF-8, unless
    /// [`invalid_utf8`](Self::invalid_utf8) accepts them.
    pub fn load_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<(T, Report)> {
        load::load(Input::check(bytes, self)?, self, None)
    }

    /// Loads onto a value that is present, as the engine does: members that the text does not have,
    /// has as `{}`, or has wrong, stay as they are; sequences and maps are added to, or emptied
    /// first with [`clear_containers`](Self::clear_containers); a pointer keeps the type it has
    /// unless `$type` says another.
    ///
    /// `target` is as before when this fails.
    ///
    /// # Errors
    /// As [`load`](Self::load), what serde cannot show of `target`, or a member under an `alias`,
    /// which serde shows as a separate field.
    pub fn load_into<T: Serialize + DeserializeOwned>(
        &self,
        target: &mut T,
        text: &str,
    ) -> Result<Report> {
        let old = node_of(target, self)?;
        let (value, report) = load::load(Input::of(text, self), self, Some(&old))?;
        *target = value;
        Ok(report)
    }
}
