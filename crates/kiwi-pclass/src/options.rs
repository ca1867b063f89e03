use std::fmt;
use std::io;
use std::sync::Arc;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::core_object::CoreTypes;
use crate::explain::Explanation;
use crate::read::{self, Header};
use crate::types::{PropertyFlags, SerializerFlags};
use crate::{Deserializer, Error, ErrorKind, Game, Result, Schema, Value, write};

/// How objects are laid out. Nothing in the bytes says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Values in the order of the class's properties, without names or sizes: network messages.
    #[default]
    Shallow,
    /// Each property with its size and hash, in any order: files.
    Deep,
}

/// What becomes of classes and properties that the schema does not have. Only deep mode has the
/// sizes by which they can be passed over; in shallow mode they are always an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unknown {
    /// They are an error.
    #[default]
    Refuse,
    /// They are skipped: an object becomes null, a property is left out.
    Skip,
    /// A [`Value`] keeps them as raw bits and writes them back; Rust types skip them, unless they
    /// have a place for a [`RawObject`](crate::RawObject).
    Keep,
}

/// Settings for reading and writing: mode, flags, mask, schema, layers around the objects, limits.
///
/// A builder by value whose verbs are the free functions of the crate. It is cheap to clone, and
/// reading never changes it: flags that one stream carries do not reach the next.
///
/// ```
/// use kiwi_pclass::{Mode, Options};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// #[serde(rename = "class Leaf")]
/// struct Leaf {
///     m_id: u32,
///     m_on: bool,
/// }
///
/// let leaf = Leaf { m_id: 7, m_on: true };
/// let deep = Options::new().mode(Mode::Deep);
/// let bytes = deep.to_vec(&leaf)?;
/// assert_eq!(bytes.len(), 4 + 4 + (4 + 4 + 4) + (4 + 4 + 1));
/// assert_eq!(deep.from_slice::<Leaf>(&bytes)?, leaf);
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
#[derive(Clone)]
pub struct Options {
    pub(crate) mode: Mode,
    pub(crate) flags: SerializerFlags,
    pub(crate) mask: PropertyFlags,
    pub(crate) game: Game,
    pub(crate) schema: Option<Arc<Schema>>,
    pub(crate) core_types: Option<Arc<CoreTypes>>,
    pub(crate) unknown: Unknown,
    pub(crate) any_class: bool,
    pub(crate) skip_deprecated: bool,
    pub(crate) fill_defaults: bool,
    pub(crate) bind: bool,
    pub(crate) manual_compression: bool,
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
    /// The most levels that [`max_depth`](Self::max_depth) may allow: reading and writing recurse.
    pub const MAX_DEPTH: usize = 255;

    /// Shallow mode, no serializer flags, the mask of network messages
    /// ([`PropertyFlags::TRANSMITTED`]), no layers, no schema, finite limits.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Options {
            mode: Mode::Shallow,
            flags: SerializerFlags::NONE,
            mask: PropertyFlags::TRANSMITTED,
            game: Game::Wizard101,
            schema: None,
            core_types: None,
            unknown: Unknown::Refuse,
            any_class: false,
            skip_deprecated: false,
            fill_defaults: false,
            bind: false,
            manual_compression: false,
            max_depth: 127,
            max_alloc: 256 << 20,
            max_output: 256 << 20,
        }
    }

    /// For BINd files: the magic, deep mode, the flags that such files have
    /// ([`SerializerFlags::FILE`]), the mask [`PropertyFlags::SAVE`].
    #[must_use]
    pub const fn file() -> Self {
        let mut options = Options::new();
        options.mode = Mode::Deep;
        options.flags = SerializerFlags::FILE;
        options.mask = PropertyFlags::SAVE;
        options.bind = true;
        options
    }

    /// Layout of objects. Default [`Mode::Shallow`].
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Flags of the serializer. Default none. When reading, a flags word in the stream
    /// ([`SerializerFlags::STATEFUL`]) replaces them for that stream.
    #[must_use]
    pub fn flags(mut self, flags: SerializerFlags) -> Self {
        self.flags = flags;
        self
    }

    /// Which properties take part: those that have all of these flags. Default
    /// [`PropertyFlags::TRANSMITTED`].
    ///
    /// In deep mode it decides only what is written; what stands in the bytes is read anyway.
    #[must_use]
    pub fn mask(mut self, mask: PropertyFlags) -> Self {
        self.mask = mask;
        self
    }

    /// Whose hashes are used for a schema that is made from Rust types. Default
    /// [`Game::Wizard101`]. A schema of its own knows its game.
    #[must_use]
    pub fn game(mut self, game: Game) -> Self {
        self.game = game;
        self
    }

    /// The classes. Without it, they are inferred from the Rust types ([`Schema::infer`]), and
    /// [`Value`]s cannot be read.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<Arc<Schema>>) -> Self {
        self.schema = Some(schema.into());
        self
    }

    /// Objects have the headers of core objects: six bytes of type and template instead of a class
    /// hash. Shallow mode only; deep mode ignores it. Default off.
    #[must_use]
    pub fn core_types(mut self, types: impl Into<Arc<CoreTypes>>) -> Self {
        self.core_types = Some(types.into());
        self
    }

    /// What becomes of unknown classes and properties in deep mode. Default [`Unknown::Refuse`].
    #[must_use]
    pub fn unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// Reads any class into a Rust struct, whatever the struct is called: the names of properties
    /// decide. Default `false`: the class must be the struct's own or derived from it.
    #[must_use]
    pub fn any_class(mut self, any: bool) -> Self {
        self.any_class = any;
        self
    }

    /// Leaves deprecated properties out of shallow objects. Default `false`, as the published page
    /// says; other implementations leave them out.
    #[must_use]
    pub fn skip_deprecated(mut self, skip: bool) -> Self {
        self.skip_deprecated = skip;
        self
    }

    /// Writes the default of a property that shallow mode needs and the data does not have: zero,
    /// empty, null, or the type list's `__DEFAULT`. Default `false`: that is an error.
    #[must_use]
    pub fn fill_defaults(mut self, fill: bool) -> Self {
        self.fill_defaults = fill;
        self
    }

    /// The stream begins with the magic `BINd`, and always with a flags word; the mode is deep.
    /// Default `false`; [`Options::file`] sets it.
    #[must_use]
    pub fn bind(mut self, bind: bool) -> Self {
        self.bind = bind;
        if bind {
            self.mode = Mode::Deep;
        }
        self
    }

    /// The whole stream, flags word included, is compressed: its size in four bytes, then zlib.
    /// Default `false`. Inside, [`SerializerFlags::COMPRESS`] may compress once more.
    #[must_use]
    pub fn manual_compression(mut self, manual: bool) -> Self {
        self.manual_compression = manual;
        self
    }

    /// How deep objects and lists may nest, reading and writing; the root is 1. Default 127, at
    /// most [`MAX_DEPTH`](Self::MAX_DEPTH): higher numbers count as that.
    #[must_use]
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = if depth > Self::MAX_DEPTH { Self::MAX_DEPTH } else { depth };
        self
    }

    /// The most bytes that a reader is drained into. Default 256 MiB.
    #[must_use]
    pub fn max_alloc(mut self, bytes: usize) -> Self {
        self.max_alloc = bytes;
        self
    }

    /// The most bytes that compressed data may inflate to, and that one value may be encoded to.
    /// Default 256 MiB.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

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

    /// Reads one object and gives the bytes after it.
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
        let bytes = read::read_to_end(reader, self.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Encodes an object with the layers around it.
    ///
    /// # Errors
    /// What the format cannot say, or a limit.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        write::to_vec(value, self)
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
        write::append(out, value, self)
    }

    /// The [`Value`] of an object: every property of the class that the type has, whatever the mask.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let own = self.in_memory_for(value)?;
        own.from_slice(&own.to_vec(value)?).map_err(Error::without_offset)
    }

    /// Reads a Rust type from a [`Value`].
    ///
    /// # Errors
    /// Data that does not fit `T`, or a limit.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        let mut own = self.in_memory();
        if own.schema.is_none() {
            own = own.schema(Schema::of_value(value)?);
        }
        own.from_slice(&own.to_vec(value)?).map_err(Error::without_offset)
    }

    /// Says what every bit of the input means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        crate::explain::explain(bytes, self)
    }

    /// The classes of `T`, if there are no others.
    fn with_schema_of<'de, T: Deserialize<'de>>(&self) -> Result<Options> {
        match self.schema {
            Some(_) => Ok(self.clone()),
            None => Ok(self.clone().schema(Schema::infer_for::<T>(self.game)?)),
        }
    }

    /// What keeps everything, for conversions that never leave the program.
    fn in_memory(&self) -> Options {
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

    fn in_memory_for<T: Serialize + ?Sized>(&self, value: &T) -> Result<Options> {
        let own = self.in_memory();
        match own.schema {
            Some(_) => Ok(own),
            None => {
                let schema = Schema::infer_from_value(value, own.game)?;
                Ok(own.schema(schema))
            }
        }
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
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("mode", &self.mode)
            .field("flags", &self.flags)
            .field("mask", &self.mask)
            .field("game", &self.game)
            .field("schema", &self.schema.as_ref().map(|schema| schema.len()))
            .field("core_types", &self.core_types)
            .field("unknown", &self.unknown)
            .field("any_class", &self.any_class)
            .field("skip_deprecated", &self.skip_deprecated)
            .field("fill_defaults", &self.fill_defaults)
            .field("bind", &self.bind)
            .field("manual_compression", &self.manual_compression)
            .field("max_depth", &self.max_depth)
            .field("max_alloc", &self.max_alloc)
            .field("max_output", &self.max_output)
            .finish()
    }
}
