//! What every byte of a text means.
//!
//! [`explain`](crate::explain()) and [`Options::explain`](crate::Options::explain) give an
//! [`Explanation`]: a row of [`Span`]s, in the order of the text, in which every byte is in exactly
//! one span. It asks the same lexer that reads a [`Value`](crate::Value), so it accepts and refuses
//! the same texts with the same error; what was understood before the error is explained, and what
//! comes after it is [not reached](Role::NotReached).
//!
//! What readers pass over in silence is said: names that are there twice, objects that stand for a
//! default, integers that only an unsigned type holds.
//!
//! ```
//! use o3de_json::explain::Role;
//!
//! let explanation = o3de_json::explain(b"{\"Id\": 7, // seven\n\"Tint\": {}}");
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                   value
//! 00000000  7b                       Object                    2 members
//! 00000001  22 49 64 22                name                    "Id"
//! 00000005  3a 20                      separator               ": "
//! 00000007  37                         Id: Integer             7
//! 00000008  2c 20                      separator               ", "
//! 0000000a  2f 2f 20 73 65 76 65 6e    comment                 // seven
//! 00000012  0a                         separator               "\n"
//! 00000013  22 54 69 6e 74 22          name                    "Tint"
//! 00000019  3a 20                      separator               ": "
//! 0000001b  7b                         Tint: Object            0 members  · explicit default
//! 0000001c  7d                         end of Tint
//! 0000001d  7d                       end of the object
//! "#.trim_start());
//!
//! let id = &explanation.spans()[3];
//! assert_eq!((id.role(), id.range()), (Role::Header, 7..8));
//! assert_eq!(id.path().to_string(), "/Id");
//! ```

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

pub(crate) use walk::explain;

/// What every byte of a text means.
///
/// `Display` is [`to_text`](Self::to_text). In other formats it is a map with the length of the
/// text, the error, and the spans with their bytes in hex (the first 64 of each):
///
/// ```
/// let explanation = o3de_json::explain(b"5");
/// assert_eq!(
///     serde_json::to_value(&explanation).unwrap(),
///     serde_json::json!({
///         "len": 1,
///         "error": null,
///         "spans": [{
///             "offset": 0, "len": 1, "hex": "35", "path": "",
///             "role": "header", "meaning": "type Integer", "value": "5",
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
