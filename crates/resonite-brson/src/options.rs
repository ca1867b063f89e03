use gamewire_core::limits::Limits;

use crate::codec::Container;

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
    pub(crate) human_readable: bool,
    pub(crate) limits: Limits,
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
            human_readable: false,
            limits: Limits::DEFAULT.with_depth(1024),
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
    /// The engine skips the keys of arrays and takes any bool that is not 0 for true. So does
    /// this crate by default. With `strict` both are errors of kind
    /// [`NotCanonical`](crate::ErrorKind::NotCanonical).
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Accepts duplicate keys in one document. Default `false`: the engine refuses them.
    ///
    /// A [`Value`](crate::Value) keeps all of them in order. In Rust types the last one counts for
    /// maps, and for structs it is an error all the same.
    #[must_use]
    pub const fn allow_duplicates(mut self, allow: bool) -> Self {
        self.allow_duplicates = allow;
        self
    }

    /// Writes every integer of a Rust type with 64 bits, as in trees that the engine loaded and
    /// saved again without making objects of them. Default `false`. A
    /// [`Value`](crate::Value) keeps its widths.
    #[must_use]
    pub const fn wide_ints(mut self, wide: bool) -> Self {
        self.wide_ints = wide;
        self
    }

    /// Lets unsigned numbers above the signed range wrap to negative ones and back, as the engine
    /// does. Default `false`.
    ///
    /// A negative int32 is read as the `u32` of the same bits in any case, and a negative int64 as the
    /// `u64`, because the width tells. With this option a `u32` above `i32::MAX` is written as one, where
    /// it is an int64 otherwise, a `u64` above `i64::MAX` is written as a negative int64, and a negative
    /// integer of the other width is read too. Without it the latter two are errors. What is read
    /// through a buffer of serde, in flattened, tagged and untagged types, does not wrap back.
    #[must_use]
    pub const fn wrap_unsigned(mut self, wrap: bool) -> Self {
        self.wrap_unsigned = wrap;
        self
    }

    /// Tells Rust types that the format is one for people, so that those with two forms are written and
    /// read as text: `uuid::Uuid`, `IpAddr`, dates. Default `false`.
    ///
    /// The identifiers of the engine are such text. Keys of maps are text with either setting.
    #[must_use]
    pub const fn human_readable(mut self, readable: bool) -> Self {
        self.human_readable = readable;
        self
    }

    /// The limits, for crates that stand on this one.
    #[doc(hidden)]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The options for the document of an input, of which `plain` bytes were decompressed.
    pub(crate) fn after(self, len: usize, plain: usize) -> Self {
        self.max_memory(self.limits.memory(len).saturating_sub(plain))
    }
}

gamewire_core::limit_methods! { Options;
    /// How deep documents and arrays may nest inside a [`Value`](crate::Value), reading and writing;
    /// the root is 0. Default 1024. The engine overflows its stack somewhere between 1000 and 2000.
    max_depth;
    /// How deep Rust types may nest through `serde`, which needs stack for each level. Default 128.
    max_typed_depth;
    /// The most bytes that a reader is drained into, and the largest dictionary of a codec.
    /// Default 256 MiB.
    max_alloc;
    /// The most bytes of BSON that a file may be decompressed to, or that a value may be written
    /// to. Default 256 MiB; the format ends at 2³¹ − 1.
    max_output;
    /// About the most bytes of memory that reading one input may hold: the decompressed document, a
    /// [`Value`](crate::Value) of it or of JSON text, the elements of sequences and maps of Rust types
    /// and of serde's buffers, the spans of an explanation.
    max_memory;
}
