//! Deserialization: BSON to Rust types.

mod access;
mod key;
mod lend;
mod typed;

use std::borrow::Cow;
use std::io;
use std::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeOwned, Visitor};

use crate::body::Body;
use crate::container;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{Reader, read_to_end};
use crate::value::{self, Value};
use crate::write::Writer;
pub(crate) use key::NULL;
use lend::{Copied, Lent};
use typed::TypedReader;

impl Options {
    /// Reads a file: any container, one document that takes the whole of it.
    ///
    /// Text and bytes can be borrowed where the file is not compressed; see
    /// [`open`](Self::open) for borrowing from compressed files.
    ///
    /// # Errors
    /// A damaged container, malformed BSON, data that does not fit `T`, a limit, or bytes after the
    /// end.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let (value, rest) = self.read(bytes, true)?;
        match rest.len() {
            0 => Ok(value),
            left => Err(Error::trailing(bytes.len().saturating_sub(left), left)),
        }
    }

    /// Reads a file and returns the bytes after it.
    ///
    /// Chunk streams of LZ4 have no end and take all that is there.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the end are fine.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        self.read(bytes, false)
    }

    fn read<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
        whole: bool,
    ) -> Result<(T, &'de [u8])> {
        let opened = container::open(bytes, self, whole)?;
        match opened.bson {
            Cow::Borrowed(bson) => {
                let at = bytes.len().saturating_sub(bson.len());
                let mut deserializer = Deserializer::new(bson, self.after(bytes.len(), 0));
                let value = T::deserialize(&mut deserializer)
                    .map_err(|error| error.or_at(0).shifted(at))?;
                Ok((value, deserializer.rest()))
            }
            // The decompressed bytes go when this returns, so nothing can be borrowed from them.
            Cow::Owned(bson) => {
                let mut deserializer =
                    TypedReader::<Copied>::new(&bson, self.after(bytes.len(), bson.len()));
                let value = deserializer.document_of_all();
                let value = value.map_err(|error| error.in_decompressed().unless_borrowed())?;
                Ok((value, opened.rest))
            }
        }
    }

    /// Decompresses a file; [`Body::read`] then lends text and bytes out of it.
    ///
    /// # Errors
    /// A damaged container, a limit, or bytes after the end.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<Body<'a>> {
        let opened = container::open(bytes, self, true)?;
        match opened.rest.len() {
            0 => {
                let plain = if let Cow::Owned(bson) = &opened.bson { bson.len() } else { 0 };
                Ok(Body::new(opened.container, opened.bson, self.after(bytes.len(), plain)))
            }
            left => Err(Error::trailing(bytes.len().saturating_sub(left), left)),
        }
    }

    /// Reads a reader to its end, and the one document in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        self.open_reader(reader)?.read()
    }

    /// Reads a reader to its end, and decompresses it.
    ///
    /// # Errors
    /// As [`open`](Self::open), an I/O error, or more than [`max_alloc`](Self::max_alloc) bytes.
    pub fn open_reader<R: io::Read>(&self, reader: R) -> Result<Body<'static>> {
        let bytes = read_to_end(reader, self.limits.max_alloc)?;
        let Body { container, bson, options } = self.open(&bytes)?;
        let bson = match bson {
            Cow::Owned(bson) => Some(bson),
            Cow::Borrowed(bson) => (bson.len() < bytes.len()).then(|| bson.to_vec()),
        };
        Ok(Body { container, bson: Cow::Owned(bson.unwrap_or(bytes)), options })
    }

    /// Checks a document without a container, and keeps nothing of it.
    ///
    /// # Errors
    /// Those of reading a [`Value`], but for memory.
    pub fn validate(&self, bson: &[u8]) -> Result<()> {
        let mut reader = Reader::new(bson, *self);
        value::validate(&mut reader).map_err(|error| error.or_at(0))?;
        reader.end()
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
        read: impl FnOnce(&mut TypedReader<'_, Copied>) -> Result<T>,
    ) -> Result<T> {
        // Through bytes: they are read faster than values are cloned, and by the same code. The
        // root can be any value, so it becomes the only entry of a document.
        let mut writer = Writer::new(Vec::with_capacity(128), *self);
        let at = writer.open(Kind::Document)?;
        writer.key("")?;
        value::encode(&mut writer, value)?;
        writer.close(at)?;
        let mut deserializer = TypedReader::<Copied>::new(&writer.out, *self);
        deserializer.enter_only()?;
        read(&mut deserializer).map_err(Error::without_offset)
    }
}

impl Body<'_> {
    /// Reads the document. Text and bytes are borrowed from this body.
    ///
    /// # Errors
    /// Malformed BSON, data that does not fit `T`, a limit, or bytes after the document.
    pub fn read<'de, T: Deserialize<'de>>(&'de self) -> Result<T> {
        let value = TypedReader::<Lent>::new(self.bson(), self.options).document_of_all();
        if self.is_packed() { value.map_err(Error::in_decompressed) } else { value }
    }
}

/// Reads Rust types from BSON that is not packed in a container.
///
/// Usually [`from_slice`](crate::from_slice) is all that is needed. A separate deserializer reads
/// one document after another, or only the first.
pub struct Deserializer<'b>(TypedReader<'b, Lent>);

gamewire_core::debug_place! { Deserializer<'_>, "byte_offset", |own| own.byte_offset() }

impl<'b> Deserializer<'b> {
    /// Reads from a slice with the default options.
    pub fn from_slice(bson: &'b [u8]) -> Self {
        Deserializer::new(bson, Options::new())
    }

    /// Reads from a slice.
    #[inline]
    pub fn new(bson: &'b [u8], options: Options) -> Self {
        Deserializer(TypedReader::new(bson, options))
    }

    /// Reads documents one after another until the input ends.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json gave it")]
    pub fn into_iter<T>(self) -> Iter<'b, T> {
        Iter { deserializer: Some(self), values: PhantomData }
    }

    /// The bytes that were not read yet.
    pub fn rest(&self) -> &'b [u8] {
        self.0.reader.rest()
    }

    /// Bytes used so far.
    pub fn byte_offset(&self) -> usize {
        self.0.reader.offset()
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`TrailingBytes`](crate::ErrorKind::TrailingBytes) with the offset of the first one.
    pub fn end(&self) -> Result<()> {
        self.0.reader.end()
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*))+) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self $(, $argument: $type)*, visitor: V) -> Result<V::Value> {
            self.0.$method($($argument,)* visitor)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.0.reader.options.human_readable
    }

    forward! {
        deserialize_any() deserialize_bool() deserialize_char()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit()
        deserialize_seq() deserialize_map() deserialize_identifier() deserialize_ignored_any()
        deserialize_tuple(len: usize) deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str) deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) deserialize_enum(name: &'static str, names: &'static [&'static str])
    }
}

/// Documents one after another; made by [`Deserializer::into_iter`]. Ends after an error.
#[derive(Debug)]
pub struct Iter<'b, T> {
    deserializer: Option<Deserializer<'b>>,
    values: PhantomData<T>,
}

impl<'b, T: Deserialize<'b>> Iterator for Iter<'b, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        // Put back only after a good value: nothing is known of what follows a bad one.
        let mut own = self.deserializer.take().filter(|own| !own.rest().is_empty())?;
        let at = own.byte_offset();
        own.0.kind = Kind::Document;
        let value = T::deserialize(&mut own).map_err(|error| error.or_at(at));
        self.deserializer = value.is_ok().then_some(own);
        Some(value)
    }
}

impl<'b, T: Deserialize<'b>> std::iter::FusedIterator for Iter<'b, T> {}
