use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::error::Count;
use crate::explain::Explanation;
use crate::read::Reader;
use crate::{Deserializer, Error, ErrorKind, Result, Serializer, Value};

/// Settings for reading and writing: strictness, numbers, limits.
///
/// A builder by value whose verbs are the free functions of the crate. Reading never changes it.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use zeze_serialize::Options;
///
/// #[derive(Serialize)]
/// struct Old {
///     level: String,
/// }
/// #[derive(Deserialize)]
/// struct New {
///     level: i32,
/// }
///
/// // Text does not become a number: by the published page the field is ignored, in Java it is
/// // an error.
/// let bytes = zeze_serialize::to_vec(&Old { level: "seven".into() })?;
/// assert_eq!(zeze_serialize::from_slice::<New>(&bytes)?.level, 0);
/// assert!(Options::new().strict(true).from_slice::<New>(&bytes).is_err());
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) strict: bool,
    pub(crate) lossy_text: bool,
    pub(crate) exact_integers: bool,
    pub(crate) keep_negative_zero: bool,
    pub(crate) max_depth: usize,
    pub(crate) max_alloc: usize,
    pub(crate) max_output: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// The most that [`max_depth`](Self::max_depth) may be: what a stack of 2 MiB holds.
    pub const MOST_DEPTH: usize = 256;

    /// The published page's leniency, integers cut as everywhere in Zeze, finite limits.
    #[inline]
    pub const fn new() -> Self {
        Options {
            strict: false,
            lossy_text: false,
            exact_integers: false,
            keep_negative_zero: false,
            max_depth: 128,
            max_alloc: 256 << 20,
            max_output: 1 << 30,
        }
    }

    /// Refuses what does not convert, as the Java, C# and Python implementations do. Default
    /// `false`.
    ///
    /// By the published page a field of an incompatible type is ignored, and the C++ and
    /// TypeScript implementations do so: the field is zero, an incompatible container is empty,
    /// and each incompatible element of a container is zero. A dynamic bean with an unknown type
    /// id is the empty one. With `strict` all of it is an error of kind
    /// [`Incompatible`](ErrorKind::Incompatible).
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Reads text that is not UTF-8 with U+FFFD in place of what is wrong, as Java, C# and
    /// TypeScript do. Default `false`: it is an error. How many of them stand for a wrong sequence
    /// differs between implementations.
    #[must_use]
    pub const fn lossy_text(mut self, lossy: bool) -> Self {
        self.lossy_text = lossy;
        self
    }

    /// Refuses integers and floats that do not fit a narrower signed field, where Zeze keeps the
    /// low bits. Default `false`.
    ///
    /// Zeze has no unsigned fields, so a number that does not fit `u8` to `u64` is always an
    /// error.
    #[must_use]
    pub const fn exact_integers(mut self, exact: bool) -> Self {
        self.exact_integers = exact;
        self
    }

    /// Writes fields that are −0.0, which Zeze takes for zero and leaves out. Default `false`.
    ///
    /// Every implementation reads such a field.
    #[must_use]
    pub const fn keep_negative_zero(mut self, keep: bool) -> Self {
        self.keep_negative_zero = keep;
        self
    }

    /// How deep lists, maps and beans may nest, both ways; Rust types count too, for serde reads
    /// and writes them by recursion. Default 128; more than
    /// [`MOST_DEPTH`](Self::MOST_DEPTH) is taken as that.
    ///
    /// No implementation of Zeze has a limit: they overflow their stack.
    #[must_use]
    pub const fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = if depth < Self::MOST_DEPTH { depth } else { Self::MOST_DEPTH };
        self
    }

    /// The most bytes that a reader is drained into. Default 256 MiB.
    ///
    /// Frames have a limit of their own: [`Framing::max_size`](crate::frame::Framing::max_size).
    #[must_use]
    pub const fn max_alloc(mut self, bytes: usize) -> Self {
        self.max_alloc = bytes;
        self
    }

    /// The most bytes that one value may be encoded to. Default 2³⁰, the size of the reference's
    /// largest buffer.
    #[must_use]
    pub const fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// Reads one value that takes the whole input.
    ///
    /// # Errors
    /// Malformed input, data that does not fit `T`, a limit, or bytes after the value.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer::new(bytes, *self);
        let value = T::deserialize(&mut deserializer).map_err(|error| error.or_at(0))?;
        deserializer.end()?;
        Ok(value)
    }

    /// Reads one value and gives the bytes after it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the value are fine.
    #[inline]
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let mut deserializer = Deserializer::new(bytes, *self);
        let value = T::deserialize(&mut deserializer).map_err(|error| error.or_at(0))?;
        Ok((value, deserializer.rest()))
    }

    /// Reads a reader to its end and the one value in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let bytes = crate::read::read_to_end(reader, self.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Encodes a value.
    ///
    /// # Errors
    /// What the format cannot say, or a limit.
    #[inline]
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.serialize(&mut serializer)?;
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
        let mut serializer = Serializer::new(std::mem::take(out), *self);
        let written = value.serialize(&mut serializer);
        let (bytes, within) = serializer.into_parts();
        *out = bytes;
        written.and(within).inspect_err(|_| out.truncate(start))
    }

    /// The [`Value`] of what is written for `value`.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.serialize(&mut serializer)?;
        let kind = serializer.root_kind()?;
        let bytes = serializer.into_inner()?;
        let mut reader = Reader::new(&bytes, *self);
        crate::value::decode(&mut reader, kind, 0).map_err(Error::without_offset)
    }

    /// Reads a Rust type from a [`Value`].
    ///
    /// # Errors
    /// Data that does not fit `T`, or a limit.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        let mut bytes = Vec::new();
        crate::value::encode(value, &mut bytes, 0, self)?;
        let mut deserializer = Deserializer::of_kind(&bytes, *self, value.kind());
        let read = T::deserialize(&mut deserializer);
        read.and_then(|read| deserializer.end().map(|()| read)).map_err(Error::without_offset)
    }

    /// Says what every byte of the input means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        crate::explain::explain(bytes, self)
    }

    pub(crate) fn check_output(&self, len: usize) -> Result<()> {
        if len > self.max_output {
            return Err(Error::new(
                ErrorKind::OutputLimit,
                format!("{len} bytes are more than max_output, which is {} bytes", self.max_output),
            ));
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn too_deep(&self, at: Option<usize>) -> Error {
        let limit = Count(self.max_depth, "level");
        let text = format!("more than {limit}, the limit of max_depth");
        match at {
            Some(at) => Error::at(ErrorKind::DepthLimit, at, text),
            None => Error::new(ErrorKind::DepthLimit, text),
        }
    }
}
