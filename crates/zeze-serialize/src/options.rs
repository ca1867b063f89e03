//! Settings. The verbs of [`Options`] stand beside the machines that do the work: in `de.rs`,
//! `ser.rs` and `explain.rs`.

use gamewire_core::limits::Limits;

use crate::error::{Count, Error, ErrorKind, Result};

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
///     #[serde(rename = "1:level")]
///     level: String,
/// }
/// #[derive(Deserialize)]
/// struct New {
///     #[serde(rename = "1:level")]
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
    pub(crate) unknown_as_empty: bool,
    pub(crate) lossy_text: bool,
    pub(crate) exact_integers: bool,
    pub(crate) keep_negative_zero: bool,
    pub(crate) limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// The largest [`max_typed_depth`](Self::max_typed_depth): what a stack of 2 MiB holds.
    pub const MAX_TYPED_DEPTH: usize = 256;

    /// The published page's leniency, integers cut as everywhere in Zeze, finite limits.
    #[inline]
    pub const fn new() -> Self {
        Options {
            strict: false,
            unknown_as_empty: false,
            lossy_text: false,
            exact_integers: false,
            keep_negative_zero: false,
            limits: Limits::DEFAULT.with_output(1 << 30),
        }
    }

    /// Refuses what does not convert, as the Java, C# and Python implementations do. Default
    /// `false`.
    ///
    /// By the published page a field of an incompatible type is ignored, and the C++ and
    /// TypeScript implementations do so: the field is zero, an incompatible container is empty,
    /// and each incompatible element of a container is zero. With `strict` all of it is an error of
    /// kind [`Incompatible`](ErrorKind::Incompatible). What converts is in the
    /// [table of changed types].
    ///
    /// [table of changed types]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#changed-types
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Reads a dynamic bean of a type that the enum has not as its variant with the id 0, as C#, C++
    /// and TypeScript do: what was in it is lost. Default `false`: it is an error, or goes to the
    /// variant `*` of the enum, which keeps it. With [`strict`](Self::strict) it always is.
    #[must_use]
    pub const fn unknown_as_empty(mut self, empty: bool) -> Self {
        self.unknown_as_empty = empty;
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

    /// How deep Rust types may nest.
    #[inline]
    pub(crate) fn typed_depth(&self) -> usize {
        self.limits.max_typed_depth.min(Self::MAX_TYPED_DEPTH)
    }

    pub(crate) fn check_output(&self, len: usize) -> Result<()> {
        if len > self.limits.max_output {
            return Err(Error::new(
                ErrorKind::OutputLimit,
                format!(
                    "{len} bytes are more than max_output, which is {} bytes",
                    self.limits.max_output
                ),
            ));
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn too_deep(&self, at: Option<usize>) -> Error {
        too_deep(self.limits.max_depth, "max_depth", at)
    }

    #[cold]
    pub(crate) fn too_deep_typed(&self, at: Option<usize>) -> Error {
        too_deep(self.typed_depth(), "max_typed_depth", at)
    }
}

gamewire_core::limit_methods! { Options;
    /// How many lists, maps and beans may be around one another, both ways, layers of bases
    /// included: in a [`Value`](crate::Value), in what is skipped, and in an explanation.
    /// Default 128.
    max_depth;
    /// How deep Rust types may nest, both ways: structs, tuples, lists and maps, and newtypes,
    /// options and enums too, for serde needs stack for each. Default 128; more than
    /// [`MAX_TYPED_DEPTH`](Self::MAX_TYPED_DEPTH) counts as that.
    max_typed_depth;
    /// The most bytes that a reader is drained into. Default 256 MiB.
    ///
    /// Frames have a limit of their own: [`Framing::max_size`](crate::frame::Framing::max_size).
    max_alloc;
    /// The most bytes that one value may be encoded to. Default 2³⁰, the size of the reference's
    /// largest buffer.
    max_output;
    /// About the most bytes of memory that reading one input may hold: a [`Value`](crate::Value) of
    /// it, what serde keeps of it for types that look at the data first (untagged enums and
    /// `serde_json::Value`), the spans of an explanation.
    max_memory;
}

fn too_deep(limit: usize, name: &str, at: Option<usize>) -> Error {
    let text = format!("more than {}, the limit of {name}", Count(limit, "level"));
    Error::at(ErrorKind::DepthLimit, at, text)
}
