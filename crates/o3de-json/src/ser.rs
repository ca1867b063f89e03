//! Writing Rust types.

mod content;
mod json;
mod names;
pub(crate) mod store;
mod text;
pub(crate) mod tree;

#[doc(hidden)]
pub use text::{Compound, Entries};

use crate::write::Writer;
use crate::{Options, Result};

/// Writes Rust types as text, with all their defaults; [`to_string`](crate::to_string) and the other
/// functions make it for one call.
pub struct Serializer {
    pub(crate) writer: Writer,
    pub(crate) options: Options,
}

impl Serializer {
    /// Writes at the end of `out`.
    pub fn new(out: Vec<u8>) -> Self {
        Serializer::with_options(out, Options::new())
    }

    /// Writes at the end of `out`, by options.
    pub fn with_options(out: Vec<u8>, options: Options) -> Self {
        Serializer { writer: Writer::new(out, &options), options }
    }

    /// The buffer with all that was written.
    ///
    /// # Errors
    /// More than [`max_output`](Options::max_output) bytes were written.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        self.writer.into_inner()
    }

    /// The buffer, and whether the text kept within the limit.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Result<()>) {
        let within = self.writer.check();
        (self.writer.into_buffer(), within)
    }
}
