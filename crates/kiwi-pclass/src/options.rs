//! Settings. What they are for stands beside the machines: reading in `de.rs`, writing in `ser.rs`,
//! explanations in `explain.rs`.

use std::sync::Arc;

use gamewire_core::limits::Limits;

use crate::core_object::CoreTypes;
use crate::hash::Game;
use crate::schema::Schema;
use crate::setters::setters;
use crate::types::{PropertyFlags, SerializerFlags};

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

/// How classes and properties are read that the schema does not have. Only deep mode has the
/// sizes by which they can be skipped; in shallow mode they are always an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unknown {
    /// They are an error.
    #[default]
    Refuse,
    /// They are skipped: an object becomes null, a property is left out.
    Skip,
    /// A [`Value`](crate::Value) keeps them as raw bits and writes them back; Rust types skip them, unless they
    /// have a place for a [`RawObject`](crate::value::RawObject).
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
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub(crate) mode: Mode,
    pub(crate) flags: SerializerFlags,
    pub(crate) mask: PropertyFlags,
    pub(crate) game: Game,
    pub(crate) schema: Option<Arc<Schema>>,
    pub(crate) core_types: Option<Arc<CoreTypes>>,
    pub(crate) unknown: Unknown,
    pub(crate) any_class: bool,
    pub(crate) slice_derived: bool,
    pub(crate) strict: bool,
    pub(crate) skip_deprecated: bool,
    pub(crate) keep_deprecated: bool,
    pub(crate) ignore_checksums: bool,
    pub(crate) fill_defaults: bool,
    pub(crate) bind: bool,
    pub(crate) manual_compression: bool,
    /// Deep mode leaves nothing out: for conversions that never leave the program.
    pub(crate) saves_all: bool,
    pub(crate) limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Shallow mode, no serializer flags, the mask of network messages
    /// ([`PropertyFlags::TRANSMITTED`]), no layers, no schema, finite limits.
    #[inline]
    pub const fn new() -> Self {
        let mut limits = Limits::DEFAULT.with_depth(127);
        limits.max_typed_depth = 127;
        Options {
            mode: Mode::Shallow,
            flags: SerializerFlags::NONE,
            mask: PropertyFlags::TRANSMITTED,
            game: Game::Wizard101,
            schema: None,
            core_types: None,
            unknown: Unknown::Refuse,
            any_class: false,
            slice_derived: false,
            strict: false,
            skip_deprecated: false,
            keep_deprecated: false,
            ignore_checksums: false,
            fill_defaults: false,
            bind: false,
            manual_compression: false,
            saves_all: false,
            limits,
        }
    }

    /// For BINd files: the magic, deep mode, the flags that such files have
    /// ([`SerializerFlags::FILE`]), the mask [`PropertyFlags::SAVE`].
    pub const fn file() -> Self {
        let mut options = Options::new();
        options.mode = Mode::Deep;
        options.flags = SerializerFlags::FILE;
        options.mask = PropertyFlags::SAVE;
        options.bind = true;
        options
    }

    /// The classes. Without it, they are inferred from the Rust types ([`Schema::infer`]), and
    /// [`Value`](crate::Value)s cannot be read.
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
}

setters! { Options;
    /// Layout of objects. Default [`Mode::Shallow`].
    mode(mode: Mode) => mode = mode;
    /// Flags of the serializer. Default none. When reading, a flags word in the stream
    /// ([`SerializerFlags::STATEFUL`]) replaces them for that stream.
    flags(flags: SerializerFlags) => flags = flags;
    /// Which properties take part: those that have all of these flags. Default
    /// [`PropertyFlags::TRANSMITTED`].
    ///
    /// In deep mode it decides only what is written; what stands in the bytes is read anyway.
    mask(mask: PropertyFlags) => mask = mask;
    /// Whose hashes are used for a schema that is made from Rust types. Default
    /// [`Game::Wizard101`]. A schema names its game.
    game(game: Game) => game = game;
    /// How unknown classes and properties are read in deep mode. Default [`Unknown::Refuse`].
    unknown(unknown: Unknown) => unknown = unknown;
    /// Reads any class into a Rust struct, whatever the struct is called: the names of properties
    /// decide. Default `false`: the class must be the struct's own.
    any_class(any: bool) => any_class = any;
    /// Reads an object of a derived class as its base where only that has a place: the struct of the base, or
    /// its variant. What the derived class has more is dropped, and it would be written as the base. Default
    /// `false`: that is an error.
    ///
    /// A variant `$unknown` with a [`RawObject`](crate::value::RawObject) keeps such an object whole, and so does
    /// a [`Value`](crate::Value).
    slice_derived(slice: bool) => slice_derived = slice;
    /// Refuses bytes that would not be written back the same. Default `false`.
    ///
    /// The game's own writer leaves old bits in the padding before whole bytes, and readers take
    /// lengths that are longer than they need be, names of options with blanks around them, and
    /// any upper bits of the compression byte. So does this crate by default. With `strict` all of
    /// it is an error of kind [`NotCanonical`](crate::ErrorKind::NotCanonical). How data was
    /// compressed is not looked at.
    strict(strict: bool) => strict = strict;
    /// Leaves deprecated properties out of shallow objects. Default `false`, as the published page
    /// says; other implementations leave them out.
    skip_deprecated(skip: bool) => skip_deprecated = skip;
    /// Writes the deprecated properties of a struct in deep mode. Default `false`: they are left out, as by
    /// the game's own writer, also where the bytes had them that the struct was read from.
    ///
    /// Make such a field an `Option`: what was not there is `None`, and stays out. A
    /// [`Value`](crate::Value) knows what was there, and keeps it without this.
    keep_deprecated(keep: bool) => keep_deprecated = keep;
    /// Reads entries of archives whose checksum is wrong: older tools computed it over the content. Default
    /// `false`.
    ignore_checksums(ignore: bool) => ignore_checksums = ignore;
    /// Writes the default of a property that shallow mode needs and the data does not have: zero,
    /// empty, null, or the type list's `__DEFAULT`. Default `false`: that is an error.
    ///
    /// The other way, a field of a Rust struct whose property is absent reads the same. Without this
    /// option that is so for lists, pointers, and what has a `__DEFAULT`; other fields that are
    /// absent are for serde: `#[serde(default)]`, else an error. An absent `Option` is `None`.
    fill_defaults(fill: bool) => fill_defaults = fill;
    /// The whole stream, flags word included, is compressed: its size in four bytes, then zlib.
    /// Default `false`. Inside, [`SerializerFlags::COMPRESS`] may compress once more.
    manual_compression(manual: bool) => manual_compression = manual;
}

gamewire_core::limit_methods! { Options;
    /// The most levels of objects and lists in a [`Value`](crate::Value), reading and writing; the
    /// root is 1. Default 127, as in the reference decoder.
    max_depth;
    /// The same for Rust types, where options and tuples count too. Default 127. serde reads and
    /// writes them by recursion: more levels take more stack.
    max_typed_depth;
    /// The most bytes that a reader is drained into. Default 256 MiB.
    max_alloc;
    /// The most bytes that compressed data may inflate to, and that one value may be encoded to.
    /// Default 256 MiB.
    max_output;
    /// About the most bytes of memory that reading one input may hold: the inflated data, a
    /// [`Value`](crate::Value) of it, what serde buffers for types that read anything, the document
    /// in another notation, the spans of an explanation.
    max_memory;
}
