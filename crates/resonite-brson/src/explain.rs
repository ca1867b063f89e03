//! The meaning of every byte of a file.
//!
//! [`explain`](crate::explain()) and [`Options::explain`](crate::Options::explain) return an
//! [`Explanation`]: rows of [`Span`]s in which every byte is in exactly one span. The file is one
//! [`Space`]; the BSON that it is decompressed to is another one, with separate offsets. What the reader of a [`Value`](crate::Value)
//! refuses is refused here too, with the same error; a file that is cut off is explained as far as
//! its bytes go, and as far as they can be decompressed.
//!
//! ```
//! use resonite_brson::explain::Role;
//!
//! let bytes = b"\x14\0\0\0\x02Name\0\x05\0\0\0\xc3\x85sa\0\0";
//! let explanation = resonite_brson::explain(bytes);
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                   value
//! 00000000  14 00 00 00              Document, 20 bytes        1 entry
//! 00000004  02                         Name: String            "Åsa"
//! 00000005  4e 61 6d 65 00               key                   "Name"
//! 0000000a  05 00 00 00                  length with the 0     5
//! 0000000e  c3 85 73 61 00               text                  "Åsa"
//! 00000013  00                         end of the document
//! "#.trim_start());
//!
//! let text = explanation.span_at(0x0f).expect("every byte has a span");
//! assert_eq!((text.role(), text.range()), (Role::Text, 14..19));
//! assert_eq!(text.path().to_string(), "Name");
//! ```

mod bson;
mod container;

#[doc(hidden)]
pub use container::file;
pub use gamewire_core::explain::{Role, Space, Span};

use gamewire_core::explain::Sink;

use crate::error::Error;
use crate::options::Options;

/// The meaning of every byte of a file, and the error if the file is refused.
pub type Explanation = gamewire_core::explain::Explanation<Error>;

impl Options {
    /// Says what every byte of a file means. Never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        let mut sink = Sink::new(bytes).max_memory(self.limits.memory(bytes.len()));
        let error = file(&mut sink, "", bytes, self);
        sink.finish(error)
    }
}
