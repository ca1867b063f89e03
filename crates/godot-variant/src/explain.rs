//! What every byte of an encoded variant means.
//!
//! [`explain`](crate::explain()), [`Options::explain`], [`Framing::explain`] and
//! [`ProjectSettings::explain`] give an [`Explanation`]: a row of [`Span`]s, in the order of the
//! input, in which every byte is in exactly one span. It listens to the same decoder that reads a
//! [`Value`](crate::Value), so it accepts and refuses the same bytes with the same error; what was
//! understood before the error is explained, and what comes after it is
//! [not reached](Role::NotReached).
//!
//! What the decoder passes over in silence is said: ignored flags, padding that is not zero, text
//! cut at a NUL, elements that a typed array converts or drops, keys that are there twice.
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
//! [`ProjectSettings::explain`]: crate::project::ProjectSettings::explain

mod html;
mod json;
mod names;
mod note;
mod sink;
mod span;
mod text;
mod walk;

use std::fmt;
use std::sync::Arc;

use crate::Error;
pub use span::{Role, Span};

pub(crate) use walk::{explain, explain_frames, explain_project};

/// What every byte of an input means.
///
/// `Display` is [`to_text`](Self::to_text). In other formats it is a map with the length of the
/// input, the error, and the spans with their bytes in hex (the first 64 of each):
///
/// ```
/// let explanation = godot_variant::explain(&[0, 0, 0, 0]);
/// assert_eq!(
///     serde_json::to_value(&explanation).unwrap(),
///     serde_json::json!({
///         "len": 4,
///         "error": null,
///         "spans": [{
///             "offset": 0, "len": 4, "hex": "00000000", "path": "",
///             "role": "header", "meaning": "type Nil", "value": "null",
///         }],
///     }),
/// );
/// ```
#[derive(Clone)]
pub struct Explanation {
    bytes: Vec<u8>,
    spans: Vec<Span>,
    error: Option<Arc<Error>>,
}

impl Explanation {
    /// The most spans that are kept; what follows them is one span of [`Role::Omitted`].
    pub const MAX_SPANS: usize = 1_000_000;

    /// The spans, in the order of the input: each begins where the one before it ends, and
    /// together they are the whole input.
    ///
    /// Only the span of an error may be empty: where bytes are missing, or nothing but the sum of
    /// all is wrong.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Why the input is refused, exactly as the reader gives it; `None` if it is accepted.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_deref()
    }

    /// The input.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The span that owns a byte; `None` past the end of the input.
    pub fn span_at(&self, offset: usize) -> Option<&Span> {
        let after = self.spans.partition_point(|span| span.offset() <= offset);
        self.spans.get(after.checked_sub(1)?).filter(|span| span.range().contains(&offset))
    }

    /// The bytes of one of the spans.
    pub fn bytes_of(&self, span: &Span) -> &[u8] {
        self.bytes.get(span.range()).unwrap_or_default()
    }

    /// A table of plain text: offset, bytes, meaning and value of each span, at most 120 columns
    /// wide.
    pub fn to_text(&self) -> String {
        text::table(self, false)
    }

    /// [`to_text`](Self::to_text) with ANSI colours, for a terminal.
    pub fn to_text_colored(&self) -> String {
        text::table(self, true)
    }

    /// One self-contained HTML page: the bytes beside the tree of values, each lighting up the
    /// other. It needs a browser with JavaScript, and nothing from the network.
    ///
    /// The page shows at most the first 4 MiB and the first 200 000 spans, and says so.
    pub fn to_html(&self, title: &str) -> String {
        html::page(self, title)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

impl fmt::Debug for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explanation")
            .field("len", &self.bytes.len())
            .field("error", &self.error)
            .field("spans", &self.spans)
            .finish()
    }
}
