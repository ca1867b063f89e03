//! What every byte of an encoded bean means.
//!
//! [`explain`](crate::explain()), [`Options::explain`] and [`Framing::explain`] give an
//! [`Explanation`]: a row of [`Span`]s, in the order of the input, in which every byte is in
//! exactly one span. It accepts and refuses the same bytes as the reader of a
//! [`Value`](crate::Value), with the same error; what was understood before the error is
//! explained, and what comes after it is [not reached](Role::NotReached).
//!
//! ```
//! use zeze_serialize::explain::Role;
//!
//! let bytes = [0x10, 0x07, 0x24, 0x23, 1, b'a', 1, b'b', 0x00];
//! let explanation = zeze_serialize::explain(&bytes);
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                     value
//! 00000000  10                       [field 1]: int              7
//! 00000001  07                         integer                   7
//! 00000002  24                       [field 3]: list             2 elements
//! 00000003  23                         list                      2 elements of string
//! 00000004  01                           [0]: length in bytes    1
//! 00000005  61                             text                  "a"
//! 00000006  01                           [1]: length in bytes    1
//! 00000007  62                             text                  "b"
//! 00000008  00                       end of the bean
//! "#.trim_start());
//!
//! let text = &explanation.spans()[5];
//! assert_eq!((text.role(), text.range()), (Role::Text, 5..6));
//! assert_eq!(text.path().to_string(), "[field 3][0]");
//!
//! // Cut off, the same bytes show where reading ended.
//! let explanation = zeze_serialize::explain(&bytes[..7]);
//! let error = explanation.error().expect("the string is not whole");
//! assert_eq!(
//!     error.to_string(),
//!     "expected 1 byte, found 0 bytes left in the input at byte 0x6, in [field 3][1]",
//! );
//! assert_eq!(explanation.spans().last().map(|span| span.role()), Some(Role::Error));
//! # Ok::<(), zeze_serialize::Error>(())
//! ```
//!
//! [`Options::explain`]: crate::Options::explain
//! [`Framing::explain`]: crate::frame::Framing::explain

mod html;
mod json;
mod sink;
mod span;
mod text;
mod walk;

use std::fmt;
use std::sync::Arc;

use crate::Error;
pub use span::{Role, Span};

pub(crate) use json::hex;
pub(crate) use walk::{explain, explain_frames};

/// What every byte of an input means.
///
/// `Display` is [`to_text`](Self::to_text). In other formats it is a map with the length of the
/// input, the error, and the spans with their bytes in hex (the first 64 of each):
///
/// ```
/// let explanation = zeze_serialize::explain(&[0]);
/// assert_eq!(
///     serde_json::to_value(&explanation).unwrap(),
///     serde_json::json!({
///         "len": 1,
///         "error": null,
///         "spans": [{
///             "offset": 0, "len": 1, "hex": "00", "path": "",
///             "role": "end", "meaning": "end of the bean", "value": "no fields",
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
