//! Whether text and bytes of the input may be kept, or only looked at.

use serde_core::de::Visitor;

use crate::error::Result;

/// How text of a buffer `'b` is given to a visitor of data that lives for `'de`.
pub(crate) trait Lend<'b, 'de> {
    /// Shows text to a visitor.
    fn str<V: Visitor<'de>>(visitor: V, text: &'b str) -> Result<V::Value>;
    /// Shows bytes to a visitor.
    fn bytes<V: Visitor<'de>>(visitor: V, bytes: &'b [u8]) -> Result<V::Value>;
}

/// The buffer lives as long as the data.
pub(crate) enum Lent {}

/// The buffer goes when reading is done: it was decompressed for it.
pub(crate) enum Copied {}

impl<'de> Lend<'de, 'de> for Lent {
    #[inline]
    fn str<V: Visitor<'de>>(visitor: V, text: &'de str) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    #[inline]
    fn bytes<V: Visitor<'de>>(visitor: V, bytes: &'de [u8]) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl<'b, 'de> Lend<'b, 'de> for Copied {
    #[inline]
    fn str<V: Visitor<'de>>(visitor: V, text: &'b str) -> Result<V::Value> {
        visitor.visit_str(text)
    }

    #[inline]
    fn bytes<V: Visitor<'de>>(visitor: V, bytes: &'b [u8]) -> Result<V::Value> {
        visitor.visit_bytes(bytes)
    }
}
