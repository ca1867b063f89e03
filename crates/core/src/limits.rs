//! Limits that all formats have, and the methods of `Options` that set them.
//!
//! A format keeps a [`Limits`] in its options, and [`limit_methods!`](crate::limit_methods) adds the
//! five methods with the documentation that is given:
//!
//! ```
//! use gamewire_core::limits::{Limits, MAX_DEPTH};
//!
//! /// Settings.
//! #[derive(Clone, Debug)]
//! pub struct Options {
//!     limits: Limits,
//! }
//!
//! impl Options {
//!     pub const fn new() -> Self {
//!         Options { limits: Limits::DEFAULT.with_output(1 << 30) }
//!     }
//! }
//!
//! gamewire_core::limit_methods! { Options;
//!     /// How deep lists may nest; the root is 0. Default 128.
//!     max_depth;
//!     /// How deep Rust types may nest. Default 128.
//!     max_typed_depth;
//!     /// The most bytes that a reader is drained into. Default 256 MiB.
//!     max_alloc;
//!     /// The most bytes that one value may be written as. Default 1 GiB.
//!     max_output;
//!     /// About the most bytes of memory that reading one input may hold.
//!     max_memory;
//! }
//!
//! let options = Options::new().max_depth(1_000_000).max_alloc(10);
//! assert_eq!(options.limits.max_depth, MAX_DEPTH);
//! assert_eq!(options.limits.memory(2 << 20), 128 << 20);
//! ```

/// The most levels that any `max_depth` allows: one more than Godot's 1 024, which no other engine
/// comes near to.
///
/// Values are dropped and compared by recursion, which at this depth takes less than 1 MiB of stack
/// in a debug build.
pub const MAX_DEPTH: usize = 1025;

/// How much reading and writing may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How deep containers may nest in a `Value`, at most [`MAX_DEPTH`].
    pub max_depth: usize,
    /// How deep Rust types may nest through serde, which recurses.
    pub max_typed_depth: usize,
    /// The most bytes that a reader is drained into.
    pub max_alloc: usize,
    /// The most bytes that one value may be written as.
    pub max_output: usize,
    /// About the most bytes that reading one input may hold; `None` goes by the length of the input.
    pub max_memory: Option<usize>,
}

impl Limits {
    /// 128 levels, 256 MiB of input and of output, memory by the length of the input.
    pub const DEFAULT: Limits = Limits {
        max_depth: 128,
        max_typed_depth: 128,
        max_alloc: 256 << 20,
        max_output: 256 << 20,
        max_memory: None,
    };

    /// These limits with others for depth, where more than [`MAX_DEPTH`] counts as that.
    #[must_use]
    pub const fn with_depth(mut self, levels: usize) -> Self {
        self.max_depth = if levels < MAX_DEPTH { levels } else { MAX_DEPTH };
        self
    }

    /// These limits with another for the bytes that one value may be written as.
    #[must_use]
    pub const fn with_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// The memory that an input of `len` bytes may take.
    pub const fn memory(&self, len: usize) -> usize {
        match self.max_memory {
            Some(bytes) => bytes,
            None => match len.saturating_mul(64) {
                bytes if bytes > 64 << 20 => bytes,
                _ => 64 << 20,
            },
        }
    }
}

/// Adds the builder methods `max_depth`, `max_typed_depth`, `max_alloc`, `max_output` and `max_memory`
/// to a type with a field `limits: Limits`. Documentation comes before each name; what is the same in
/// all formats is added to it.
#[macro_export]
macro_rules! limit_methods {
    (
        $options:ident;
        $(#[$depth:meta])+ max_depth;
        $(#[$typed:meta])+ max_typed_depth;
        $(#[$alloc:meta])+ max_alloc;
        $(#[$output:meta])+ max_output;
        $(#[$memory:meta])+ max_memory;
    ) => {
        impl $options {
            $(#[$depth])+
            ///
            /// More than 1 025 counts as 1 025, so that dropping and comparing a value never takes
            /// more than 1 MiB of stack.
            #[must_use]
            pub const fn max_depth(mut self, levels: usize) -> Self {
                self.limits = self.limits.with_depth(levels);
                self
            }

            $(#[$typed])+
            #[must_use]
            pub const fn max_typed_depth(mut self, levels: usize) -> Self {
                self.limits.max_typed_depth = levels;
                self
            }

            $(#[$alloc])+
            #[must_use]
            pub const fn max_alloc(mut self, bytes: usize) -> Self {
                self.limits.max_alloc = bytes;
                self
            }

            $(#[$output])+
            #[must_use]
            pub const fn max_output(mut self, bytes: usize) -> Self {
                self.limits.max_output = bytes;
                self
            }

            $(#[$memory])+
            /// Default: the larger of 64 MiB and 64 bytes for each byte of input.
            ///
            /// Past it, reading fails with [`MemoryLimit`](crate::ErrorKind::MemoryLimit); an
            /// explanation continues without listing more bytes.
            #[must_use]
            pub const fn max_memory(mut self, bytes: usize) -> Self {
                self.limits.max_memory = Some(bytes);
                self
            }
        }
    };
}
