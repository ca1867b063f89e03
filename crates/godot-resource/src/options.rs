//! Settings for reading and writing.

use gamewire_core::limits::Limits;
use godot_variant::Spelling;

/// Settings for reading and writing: limits.
///
/// ```
/// let options = godot_resource::Options::new().max_alloc(1 << 20);
/// assert!(options.parse("[gd_resource type=\"Curve\" format=3]\n\n[resource]\n").is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) exact: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Finite limits.
    pub const fn new() -> Self {
        Options { limits: Limits::DEFAULT.with_depth(1024), exact: false }
    }

    /// Spells floats in text with all their digits, so that text says all that binary files do. Default `false`: as
    /// engines spell them.
    #[must_use]
    pub const fn exact(self, exact: bool) -> Self {
        Options { exact, ..self }
    }

    /// The options for values. Objects in a file are data: nothing is run by reading them.
    pub(crate) fn values(&self) -> godot_variant::Options {
        let Limits { max_depth, max_typed_depth, max_alloc, max_output, max_memory, .. } =
            self.limits;
        let values = godot_variant::Options::new()
            .allow_objects(true)
            .references(true)
            .unchecked_types(true)
            .max_depth(max_depth)
            .max_typed_depth(max_typed_depth)
            .max_alloc(max_alloc)
            .max_output(max_output);
        let values = if self.exact { values.spelling(Spelling::Exact) } else { values };
        match max_memory {
            Some(bytes) => values.max_memory(bytes),
            None => values,
        }
    }
}

gamewire_core::limit_methods! { Options;
    /// How deep containers may nest inside a value; the root is 0. Default 1024.
    max_depth;
    /// How deep Rust types may nest through `serde`, which needs stack for each level. Default 128.
    max_typed_depth;
    /// The most bytes of a file, and the most that a compressed one may unpack to. Default 256 MiB.
    max_alloc;
    /// The most bytes that a file may be written as. Default 256 MiB.
    max_output;
    /// About the most bytes of memory that a value or what is read from it may hold.
    max_memory;
}
