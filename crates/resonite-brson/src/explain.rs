//! What every byte of a file means.
//!
//! [`explain`](crate::explain()) and [`Options::explain`](crate::Options::explain) give an
//! [`Explanation`]: a row of [`Span`]s, in the order of the input, in which every byte is in exactly
//! one span. A compressed file has two of them: that of the file, and that of the decompressed
//! [`body`](Explanation::body). What the reader of a [`Value`](crate::Value) refuses is refused
//! here too, with the same error; what was understood before the error is explained, and what comes
//! after it is [not reached](Role::NotReached).
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

mod html;
mod json;
mod sink;
mod span;
mod text;
mod walk;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::Error;
pub use span::{Role, Span};

pub(crate) use walk::explain;

/// What the container says of its next bytes.
pub(crate) struct Part {
    /// Number of bytes.
    pub(crate) len: usize,
    pub(crate) role: Role,
    /// What it is, in words.
    pub(crate) meaning: Cow<'static, str>,
    /// What it says, readable.
    pub(crate) value: Cow<'static, str>,
}

/// What every byte of an input means.
///
/// `Display` is [`to_text`](Self::to_text). In other formats it is a map with the length of the
/// input, the error, the spans with their bytes in hex (the first 64 of each), and the decompressed
/// body:
///
/// ```
/// let explanation = resonite_brson::explain(&[5, 0, 0, 0, 0]);
/// assert_eq!(
///     serde_json::to_value(&explanation).unwrap(),
///     serde_json::json!({
///         "len": 5,
///         "error": null,
///         "spans": [
///             {
///                 "offset": 0, "len": 4, "hex": "05000000", "path": "",
///                 "role": "header", "meaning": "type Document, 5 bytes", "value": "0 entries",
///             },
///             {
///                 "offset": 4, "len": 1, "hex": "00", "path": "",
///                 "role": "end", "meaning": "end of the document", "value": "",
///             },
///         ],
///         "body": null,
///     }),
/// );
/// ```
#[derive(Clone)]
pub struct Explanation {
    bytes: Vec<u8>,
    spans: Vec<Span>,
    error: Option<Arc<Error>>,
    body: Option<Arc<Explanation>>,
}

impl Explanation {
    /// The most spans that are kept; what follows them is one span of [`Role::Omitted`].
    pub const MAX_SPANS: usize = 1_000_000;

    /// The spans of the file, in its order: each begins where the one before it ends, and together
    /// they are the whole file.
    ///
    /// Only the span of an error may be empty, where bytes are missing.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Why the input is refused, exactly as the reader gives it; `None` if it is accepted.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_deref().or_else(|| self.body.as_deref()?.error())
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The decompressed BSON and its spans, where the file is compressed.
    pub fn body(&self) -> Option<&Explanation> {
        self.body.as_deref()
    }

    /// The span that owns a byte of the file; `None` past its end.
    pub fn span_at(&self, offset: usize) -> Option<&Span> {
        let after = self.spans.partition_point(|span| span.offset() <= offset);
        self.spans.get(after.checked_sub(1)?).filter(|span| span.range().contains(&offset))
    }

    /// The bytes of one of the spans.
    pub fn bytes_of(&self, span: &Span) -> &[u8] {
        self.bytes.get(span.range()).unwrap_or_default()
    }

    /// A table of plain text: offset, bytes, meaning and value of each span, at most 120 columns
    /// wide; one more table for a decompressed body.
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
    /// A decompressed body follows the file, and the offsets go on. The page shows at most the
    /// first 4 MiB and the first 200 000 spans, and says so.
    pub fn to_html(&self, title: &str) -> String {
        match &self.body {
            None => html::page(self, title),
            Some(body) => html::page(&self.joined(body), title),
        }
    }

    /// The file and its body one after the other.
    fn joined(&self, body: &Explanation) -> Explanation {
        let base = self.bytes.len();
        let mut spans = self.spans.clone();
        spans.extend(body.spans.iter().map(|span| span.moved(base)));
        let bytes = [&self.bytes[..], &body.bytes].concat();
        let error = self.error.clone().or_else(|| body.error.clone());
        Explanation { bytes, spans, error, body: None }
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
            .field("body", &self.body)
            .finish()
    }
}

impl crate::Options {
    /// Says what every byte of a file means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        explain(bytes, self)
    }
}
