//! Damaged saves, as far as they can be read: what the codec gives, and of that all that is whole.

use gamewire_core::explain::{Explanation, Role};
use resonite_brson::{Codec, Container, Options, Value, container};

use crate::document::error::Error;
use crate::document::salvage::{Salvaged, best, ends};

/// Whether a file begins as a save, in a container or as a document that is cut off.
pub(super) fn begins(bytes: &[u8]) -> bool {
    // A length, the kind of the first entry, and its key, which ends with a zero.
    let key = bytes.get(5..).and_then(|rest| rest.iter().take(256).position(|byte| *byte == 0));
    let is_document = matches!(bytes.get(4), Some(1..=19)) && key.is_some_and(|len| len > 0);
    matches!(container::detect(bytes), Ok(Some(_)))
        || (is_document && claimed(bytes, 0).is_some_and(|len| len > 5))
}

pub(super) fn salvage(bytes: &[u8], is_meant: bool, options: &Options) -> Result<Salvaged, Error> {
    let own = match container::detect(bytes) {
        Ok(Some(head)) => Some(head.container()),
        _ => None,
    };
    let made = salvage_as(bytes, own.unwrap_or(Container::BSON), options);
    if own.is_some() || !is_meant {
        return made;
    }
    // Without a header, what is damaged does not show how it was compressed.
    let [brotli, lz4, lzma] = [Codec::Brotli, Codec::Lz4, Codec::Lzma].map(|codec| {
        let own = Container::legacy(codec);
        salvage_as(bytes, own, &options.input(own))
    });
    best([made, brotli, lz4, lzma])
}

fn salvage_as(bytes: &[u8], own: Container, options: &Options) -> Result<Salvaged, Error> {
    let explained = options.explain(bytes);
    let Some(why) = explained.error() else {
        return Ok(Salvaged { bytes: bytes.to_vec(), kept: bytes.len(), lost: Vec::new() });
    };
    // The document is in the last space: the input, or what is unpacked.
    let last = explained.spaces().len().saturating_sub(1);
    let bson = explained.spaces().get(last).map_or(&[][..], |space| space.bytes());
    let roles = [Role::Error, Role::Header, Role::End];
    for end in ends(explained.spans_in(last), &roles, bson.len()) {
        let closed = closed(&explained, last, bson, end);
        let plain = options.input(Container::BSON);
        if plain.from_slice::<Value>(&closed).is_err() {
            continue;
        }
        let mut lost = vec![format!("{why}")];
        let missing =
            explained.spans_in(last).first().and_then(|span| claimed(bson, span.range().start));
        let missing = missing.map_or(bson.len(), |claimed| claimed.max(bson.len())) - end;
        lost.push(format!("{missing} bytes of the document, from byte {end:#x} of it on"));
        let bytes = container::pack_with(&closed, &options.container(own))?;
        // Bytes of the document, which are what can be compared.
        return Ok(Salvaged { bytes, kept: end, lost });
    }
    Err(Error::from(why))
}

/// The length that a document claims.
fn claimed(bson: &[u8], at: usize) -> Option<usize> {
    let len = bson.get(at..).and_then(<[u8]>::first_chunk).map(|len| i32::from_le_bytes(*len))?;
    usize::try_from(len).ok()
}

/// The document up to an offset, with an end for each of the documents that are open there.
fn closed(
    explained: &Explanation<resonite_brson::Error>,
    space: usize,
    bson: &[u8],
    end: usize,
) -> Vec<u8> {
    let spans = explained.spans_in(space);
    let lengths = spans.iter().filter(|span| {
        let is_length = matches!(span.role(), Role::Length | Role::Header);
        is_length && span.len() == 4 && span.range().start < end
    });
    let mut open: Vec<usize> = Vec::new();
    for start in lengths.map(|span| span.range().start) {
        let claimed = claimed(bson, start).unwrap_or(0);
        // Only documents reach beyond the end, and each is in the one before.
        if claimed >= 5 && start + claimed > end && start + 4 <= end {
            open.push(start);
        }
    }
    let mut closed = bson.get(..end).unwrap_or_default().to_vec();
    for (inner, start) in open.iter().enumerate() {
        // After the end come the ends of this one and of those in it.
        let len = i32::try_from(end - start + open.len() - inner).unwrap_or(i32::MAX);
        if let Some(place) = closed.get_mut(*start..start + 4) {
            place.copy_from_slice(&len.to_le_bytes());
        }
    }
    closed.resize(end + open.len(), 0);
    closed
}
