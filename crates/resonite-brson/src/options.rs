use std::borrow::Cow;
use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::container::{self, Container};
use crate::explain::Explanation;
use crate::kind::Kind;
use crate::{Body, Deserializer, Error, Result, Serializer, Value};

/// Settings for reading and writing: container, strictness, limits.
///
/// A builder by value whose verbs are the free functions of the crate. Reading never changes it.
///
/// ```
/// use resonite_brson::{Container, Options};
///
/// let plain = Options::new().container(Container::BSON);
/// let bytes = plain.to_vec(&std::collections::BTreeMap::from([("a", 1)]))?;
/// assert_eq!(bytes, b"\x0c\0\0\0\x10a\0\x01\0\0\0\0");
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) container: Container,
    pub(crate) input: Option<Container>,
    pub(crate) strict: bool,
    pub(crate) allow_duplicates: bool,
    pub(crate) wide_ints: bool,
    pub(crate) wrap_unsigned: bool,
    pub(crate) max_depth: usize,
    pub(crate) max_typed_depth: usize,
    pub(crate) max_alloc: usize,
    pub(crate) max_output: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Writes `.brson`, reads every container, refuses repeated keys, finite limits.
    #[inline]
    pub const fn new() -> Self {
        Options {
            container: Container::BRSON,
            input: None,
            strict: false,
            allow_duplicates: false,
            wide_ints: false,
            wrap_unsigned: false,
            max_depth: 1024,
            max_typed_depth: 128,
            max_alloc: 256 << 20,
            max_output: 256 << 20,
        }
    }

    /// The container to write. Default [`Container::BRSON`], what the engine writes.
    #[must_use]
    pub const fn container(mut self, container: Container) -> Self {
        self.container = container;
        self
    }

    /// The container to read, where it is known; nothing else is then accepted. Default: what the
    /// content says.
    #[must_use]
    pub const fn input(mut self, container: Container) -> Self {
        self.input = Some(container);
        self
    }

    /// Refuses BSON that would not be written back the same. Default `false`.
    ///
    /// The engine passes over the keys of arrays and takes any bool that is not 0 for true. So does
    /// this crate by default. With `strict` both are errors of kind
    /// [`NotCanonical`](crate::ErrorKind::NotCanonical).
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Accepts keys that are twice in one document. Default `false`: the engine refuses them.
    ///
    /// A [`Value`] keeps all of them in order. In Rust types the last one counts for maps, and for
    /// structs it is an error all the same.
    #[must_use]
    pub const fn allow_duplicates(mut self, allow: bool) -> Self {
        self.allow_duplicates = allow;
        self
    }

    /// Writes every integer of a Rust type with 64 bits, as in trees that the engine loaded and
    /// saved again without making objects of them. Default `false`. A [`Value`] keeps its widths.
    #[must_use]
    pub const fn wide_ints(mut self, wide: bool) -> Self {
        self.wide_ints = wide;
        self
    }

    /// Lets unsigned numbers above the signed range wrap to negative ones and back, as the engine
    /// does. Default `false`.
    ///
    /// A `u32` is wrapped into an int32 in any case, because its width tells: 4294967295 is the
    /// int32 -1. With this option a `u64` above `i64::MAX` is the negative int64, and a negative
    /// integer of either width is read as the `u32` or `u64` of the same bits. Without it both are
    /// errors.
    #[must_use]
    pub const fn wrap_unsigned(mut self, wrap: bool) -> Self {
        self.wrap_unsigned = wrap;
        self
    }

    /// How deep documents and arrays may nest inside a [`Value`], reading and writing; the root is
    /// 0. Default 1024. The engine overflows its stack somewhere between 1000 and 2000.
    #[must_use]
    pub const fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }

    /// How deep Rust types may nest through `serde`, which needs stack for each level. Default 128.
    #[must_use]
    pub const fn max_typed_depth(mut self, depth: usize) -> Self {
        self.max_typed_depth = depth;
        self
    }

    /// The most bytes that a reader is drained into, and the largest dictionary of a codec.
    /// Default 256 MiB.
    #[must_use]
    pub const fn max_alloc(mut self, bytes: usize) -> Self {
        self.max_alloc = bytes;
        self
    }

    /// The most bytes of BSON that a file may be decompressed to, or that a value may be written
    /// to. Default 256 MiB; the format ends at 2³¹ − 1.
    #[must_use]
    pub const fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

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
            left => Err(container::trailing(bytes.len().saturating_sub(left), left)),
        }
    }

    /// Reads a file and gives the bytes after it.
    ///
    /// Chunk streams of LZ4 have no end of their own and take all that is there.
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
                let mut deserializer = Deserializer::new(bson, *self);
                let value = T::deserialize(&mut deserializer)
                    .map_err(|error| error.or_at(0).shifted(at))?;
                Ok((value, deserializer.rest()))
            }
            Cow::Owned(bson) => {
                let mut deserializer = Deserializer::transient(&bson, *self);
                let value = T::deserialize(&mut deserializer)
                    .map_err(|error| error.or_at(0))
                    .and_then(|value| deserializer.end().map(|()| value))
                    .map_err(Error::in_decompressed)?;
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
            0 => Ok(Body::new(opened.container, opened.bson, *self)),
            left => Err(container::trailing(bytes.len().saturating_sub(left), left)),
        }
    }

    /// Reads a reader to its end, decompressing on the way, and the one document in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        self.open_reader(reader)?.read()
    }

    /// Reads a reader to its end, decompressing on the way.
    ///
    /// # Errors
    /// As [`open`](Self::open), an I/O error, or more than [`max_alloc`](Self::max_alloc) bytes.
    pub fn open_reader<R: io::Read>(&self, reader: R) -> Result<Body<'static>> {
        let (container, bson) = container::open_reader(reader, self)?;
        Ok(Body::new(container, Cow::Owned(bson), *self))
    }

    /// Encodes a value as a whole file.
    ///
    /// # Errors
    /// What the format cannot say, a root that is not a struct or map, a codec that is switched
    /// off, or a limit.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        container::seal(self.bson_of(value)?, self)
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
        container::seal_to(writer, self.bson_of(value)?, self)
    }

    /// The BSON of a value, without a container.
    pub(crate) fn bson_of<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.serialize(&mut serializer)?;
        serializer.into_inner()
    }

    /// The [`Value`] of what would be written.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), but any value can stand at the root.
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        self.through_bson(value)
    }

    /// Reads a Rust type from a [`Value`].
    ///
    /// # Errors
    /// Data that does not fit `T`, or a limit.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        self.through_bson(value)
    }

    /// Writes a value as the only entry of a document and reads it back.
    fn through_bson<T: DeserializeOwned>(&self, value: &(impl Serialize + ?Sized)) -> Result<T> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        let at = serializer.writer.open(Kind::Document)?;
        serializer.writer.key("")?;
        value.serialize(&mut serializer)?;
        serializer.writer.close(at)?;
        let bson = serializer.into_inner()?;
        let mut deserializer = Deserializer::transient(&bson, *self);
        deserializer.enter_first()?;
        T::deserialize(&mut deserializer).map_err(Error::without_offset)
    }

    /// Says what every byte of a file means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        crate::explain::explain(bytes, self)
    }
}
