//! Explains every byte of an encoded variant. Feature `explain`.
//!
//! [`explain`](crate::explain()), [`Options::explain`], [`Framing::explain`] and [`File::explain`]
//! return an [`Explanation`]: a row of [`Span`]s, in the order of the input, in which every byte is
//! in exactly one span. It listens to the same decoder that reads a
//! [`Value`](crate::Value), so it accepts and refuses the same bytes with the same error; what was
//! understood before the error is explained, and what comes after it is
//! [not reached](Role::NotReached). A frame or a setting whose length says more than there is is
//! explained as far as its bytes go.
//!
//! Notes tell of data that the decoder skips in silence: ignored flags, padding that is not zero, text
//! cut at a NUL, elements that a typed array converts or drops, keys that are present before.
//!
//! ```
//! use godot_variant::explain::Role;
//!
//! let bytes = godot_variant::to_vec(&("Åsa", 5))?;
//! let explanation = godot_variant::explain(&bytes);
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                   value
//! 00000000  1c 00 00 00              Array                     2 elements
//! 00000004  02 00 00 00                count of elements       2
//! 00000008  04 00 00 00                [0]: String             "Åsa"
//! 0000000c  04 00 00 00                  length in bytes       4
//! 00000010  c3 85 73 61                  text                  "Åsa"
//! 00000014  02 00 00 00                [1]: int                5
//! 00000018  05 00 00 00                  32-bit integer        5
//! "#.trim_start());
//!
//! let text = &explanation.spans()[4];
//! assert_eq!((text.role(), text.range()), (Role::Text, 16..20));
//! assert_eq!(text.path().to_string(), "[0]");
//! assert_eq!(text.value(), "\"Åsa\"");
//!
//! // Cut off, the same bytes show where reading ended.
//! let explanation = godot_variant::explain(&bytes[..14]);
//! let error = explanation.error().expect("the string is not whole");
//! assert_eq!(error.to_string(), "expected 4 bytes of a string's length, found 2 at byte 0xc, in [0]");
//! assert_eq!(explanation.spans().last().map(|span| span.role()), Some(Role::Error));
//! # Ok::<(), godot_variant::Error>(())
//! ```
//!
//! [`Options::explain`]: crate::Options::explain
//! [`Framing::explain`]: crate::frame::Framing::explain

mod files;
mod names;
mod note;
mod whole;

pub use gamewire_core::explain::{Role, Space, Span};
pub use whole::File;
#[cfg(feature = "gcpf")]
pub use whole::compressed;

use crate::error::Error;

/// The meaning of every byte of an input, in spans, which show themselves as text, in JSON and as a page.
pub type Explanation = gamewire_core::explain::Explanation<Error>;
