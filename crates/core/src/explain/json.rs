//! An explanation as a map, in any format that serde knows.

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::explanation::{Explanation, Failure};
use super::span::{Space, Span};
use crate::Notation;
use crate::bytes::hex;

/// The most bytes of a span that are shown.
const MAX_HEX: usize = 64;

impl<E: Failure> Serialize for Explanation<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Explanation", 5)?;
        fields.serialize_field("len", &self.bytes().len())?;
        fields.serialize_field("error", &self.error().map(|error| Why(error, self)))?;
        fields.serialize_field("spaces", &self.spaces)?;
        fields.serialize_field("spans", &Spans(self))?;
        fields.serialize_field("unlisted", &self.unlisted())?;
        fields.end()
    }
}

struct Why<'a, E>(&'a E, &'a Explanation<E>);

impl<E: Failure> Serialize for Why<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Error", 5)?;
        fields.serialize_field("kind", &format_args!("{:?}", self.0.kind()))?;
        fields.serialize_field("message", self.0.message())?;
        fields.serialize_field("space", &self.1.error_space)?;
        fields.serialize_field("offset", &self.0.bit().map(|bit| bit >> 3))?;
        fields
            .serialize_field("path", &format_args!("{}", self.0.path().display(self.1.notation)))?;
        fields.end()
    }
}

impl Serialize for Space {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Space", 3)?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("len", &self.bytes.len())?;
        fields.serialize_field("origin", &self.origin())?;
        fields.end()
    }
}

struct Spans<'a, E>(&'a Explanation<E>);

impl<E> Serialize for Spans<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Spans(all) = self;
        serializer
            .collect_seq(all.spans.iter().map(|span| Item(span, all.bytes_of(span), all.notation)))
    }
}

struct Item<'a>(&'a Span, &'a [u8], Notation);

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Item(span, bytes, notation) = self;
        let (aligned, kind, notes) = (span.is_aligned(), span.kind(), span.notes());
        let count =
            [!aligned, !kind.is_empty(), !notes.is_empty()].into_iter().filter(|there| *there);
        let mut fields = serializer.serialize_struct("Span", count.count().saturating_add(8))?;
        fields.serialize_field("space", &span.space)?;
        fields.serialize_field("offset", &span.offset())?;
        fields.serialize_field("len", &span.len())?;
        match aligned {
            true => fields.skip_field("bits")?,
            // The first bit within the first byte, and how many there are.
            false => fields
                .serialize_field("bits", &(span.start & 7, span.end.saturating_sub(span.start)))?,
        }
        fields.serialize_field("hex", &hex(bytes.get(..MAX_HEX).unwrap_or(bytes)))?;
        fields.serialize_field("path", &format_args!("{}", span.path().display(*notation)))?;
        fields.serialize_field("role", span.note.role.name())?;
        match kind {
            "" => fields.skip_field("kind")?,
            kind => fields.serialize_field("kind", kind)?,
        }
        fields.serialize_field("meaning", &span.note.meaning)?;
        fields.serialize_field("value", &span.note.value)?;
        match notes {
            "" => fields.skip_field("notes")?,
            notes => fields.serialize_field("notes", notes)?,
        }
        fields.end()
    }
}
