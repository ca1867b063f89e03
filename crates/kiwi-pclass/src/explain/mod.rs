//! What every bit of an encoded object means.
//!
//! [`explain`](crate::explain()) and [`Options::explain`] give an [`Explanation`]: a row of
//! [`Span`]s in which every bit is in exactly one span. It listens to the same decoder that reads a
//! [`Value`](crate::Value), so it accepts and refuses the same bytes with the same error; what was
//! understood before the error is explained, and what comes after it is
//! [not reached](Role::NotReached). Padding before whole bytes is named, and said if it is not zero.
//!
//! Where a layer is compressed, the spans of the input come first, with the compressed data as one
//! of them, and then those of the inflated data ([`Span::is_inflated`]), which count from 0 again.
//!
//! ```
//! use kiwi_pclass::schema::{ClassDef, PropertyDef};
//! use kiwi_pclass::{Options, Schema};
//!
//! const LEAF: ClassDef = ClassDef::new("class Leaf", &[], &[
//!     PropertyDef::new("m_on", "bool", 0x1f),
//!     PropertyDef::new("m_id", "unsigned short", 0x1f),
//! ]);
//! let options = Options::new().schema(Schema::builder().class(&LEAF)?.build()?);
//! let explanation = options.explain(&[0xe0, 0x0e, 0x10, 0x05, 1, 7, 0]);
//! assert_eq!(explanation.to_string(), r#"
//! offset      bits                     meaning                   value
//! 00000000    e0 0e 10 05              class Leaf                84938464
//! 00000004    1                          m_on: bool              true
//! 00000004.1  0000000                    padding
//! 00000005    07 00                      m_id: unsigned short    7
//! "#.trim_start());
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```
//!
//! [`Options::explain`]: crate::Options::explain

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

/// What every bit of an input means.
///
/// `Display` is [`to_text`](Self::to_text). In other formats it is a map with the length of the
/// input in bytes, the error, and the spans with their bytes in hex (the first 64 of each).
#[derive(Clone)]
pub struct Explanation {
    bytes: Vec<u8>,
    inflated: Option<Vec<u8>>,
    spans: Vec<Span>,
    error: Option<Arc<Error>>,
}

impl Explanation {
    /// The most spans that are kept; what follows them is one span of [`Role::Omitted`].
    pub const MAX_SPANS: usize = 1_000_000;

    /// The spans: those of the input, then those of what was inflated. In both, each begins where
    /// the one before it ends, and together they are the whole.
    ///
    /// Only the span of an error may be empty.
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

    /// What the innermost compressed layer holds; `None` if there is no such layer.
    pub fn inflated(&self) -> Option<&[u8]> {
        self.inflated.as_deref()
    }

    /// The bytes in which a span has bits.
    pub fn bytes_of(&self, span: &Span) -> &[u8] {
        let whole = match (&self.inflated, span.is_inflated()) {
            (Some(inflated), true) => inflated,
            _ => &self.bytes,
        };
        let end = span.end().div_ceil(8);
        whole.get(span.bit_offset() >> 3..end).unwrap_or_default()
    }

    /// A table of plain text: offset, bits, meaning and value of each span, at most 120 columns
    /// wide. Whole bytes are shown in hexadecimal digits, other bits with the highest first.
    pub fn to_text(&self) -> String {
        text::table(self, false)
    }

    /// [`to_text`](Self::to_text) with ANSI colours, for a terminal.
    pub fn to_text_colored(&self) -> String {
        text::table(self, true)
    }

    /// One self-contained HTML page with the same table; it needs nothing from the network.
    ///
    /// The page shows at most the first 200 000 spans, and says so.
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
