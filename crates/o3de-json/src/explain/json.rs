//! An explanation in other formats.

use std::fmt::Write;

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::{Explanation, Span};
use crate::Error;

/// The most bytes of a span that are shown.
const MOST: usize = 64;

impl Serialize for Explanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Explanation", 3)?;
        fields.serialize_field("len", &self.bytes.len())?;
        fields.serialize_field("error", &self.error().map(Failure))?;
        fields.serialize_field("spans", &Spans(self))?;
        fields.end()
    }
}

struct Failure<'a>(&'a Error);

impl Serialize for Failure<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Error", 4)?;
        fields.serialize_field("kind", &format_args!("{:?}", self.0.kind()))?;
        fields.serialize_field("message", self.0.message())?;
        fields.serialize_field("offset", &self.0.offset())?;
        fields.serialize_field("path", &format_args!("{}", self.0.path()))?;
        fields.end()
    }
}

struct Spans<'a>(&'a Explanation);

impl Serialize for Spans<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.spans.iter().map(|span| Item(span, self.0.bytes_of(span))))
    }
}

struct Item<'a>(&'a Span, &'a [u8]);

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Item(span, bytes) = self;
        let mut fields = serializer.serialize_struct("Span", 7)?;
        fields.serialize_field("offset", &span.offset)?;
        fields.serialize_field("len", &span.len)?;
        fields.serialize_field("hex", &hex(bytes.get(..MOST).unwrap_or(bytes)))?;
        fields.serialize_field("path", &format_args!("{}", span.path()))?;
        fields.serialize_field("role", span.role.name())?;
        fields.serialize_field("meaning", &span.meaning)?;
        fields.serialize_field("value", &span.value)?;
        fields.end()
    }
}

/// Lower-case digits without separators.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
