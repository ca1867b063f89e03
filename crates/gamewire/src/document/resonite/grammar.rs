//! BSON as it stands in the bytes: docs/formats/resonite-brson.md.

use resonite_brson::{Error as BsonError, Kind};
use serde::de::Error as _;

use super::Resonite;
use crate::document::error::Error;
use crate::document::ranges::{Around, Child, Grammar, Key, Next, Open, Opened, Out};

/// Whether there are values in a value.
pub(super) fn has_parts(kind: Kind) -> bool {
    matches!(kind, Kind::Document | Kind::Array)
}

/// Returns where a value ends, by its head.
fn end_of(bytes: &[u8], at: usize, kind: Kind) -> Result<usize, BsonError> {
    let end = bytes.get(at..).and_then(|rest| at.checked_add(kind.len_in(rest)?));
    end.filter(|end| *end <= bytes.len())
        .ok_or_else(|| BsonError::custom(format!("expected {kind}, found other bytes at {at:#x}")))
}

impl Grammar for Resonite {
    type Error = BsonError;
    type Context<'g> = Kind;
    /// The type of the container: nothing of a listing has to be remembered.
    type State<'g> = Kind;

    #[inline]
    fn open(&self, bytes: &[u8], at: usize, kind: Kind) -> Result<Opened<Kind>, BsonError> {
        let end = end_of(bytes, at, kind)?;
        if !has_parts(kind) {
            return Ok(Opened::Leaf(end));
        }
        let is_list = kind == Kind::Array;
        let open = Open::new(kind, at + 4);
        Ok(Opened::Container(Open { end: Some(end), is_list, is_numbered: is_list, ..open }))
    }

    #[inline]
    fn next<'b>(
        &self,
        bytes: &'b [u8],
        state: &mut Kind,
        at: usize,
    ) -> Result<Next<'b, Kind>, BsonError> {
        let element = bytes.get(at..).and_then(<[u8]>::split_first);
        let Some((tag, rest)) = element.filter(|(tag, _)| **tag != 0) else {
            return Ok(Next::End(at + 1));
        };
        let read = Kind::from_byte(*tag).zip(rest.iter().position(|byte| *byte == 0));
        let Some((kind, len)) = read else {
            return Err(BsonError::custom(format!("expected an element at {at:#x}")));
        };
        let key = match state {
            Kind::Array => Key::Position,
            _ => Key::Bytes(rest.get(..len).unwrap_or_default()),
        };
        let start = at + len + 2;
        let end = Some(end_of(bytes, start, kind)?);
        Ok(Next::Child(Child { key, entry: at, start, end, context: kind }))
    }

    fn pass(&self, _: &mut Kind, _: usize) -> bool {
        true
    }

    fn mend(&self, out: &mut Out, around: Around<'_, Kind, Kind>) -> Result<(), Error> {
        match around {
            Around::Begin { .. } => {
                out.marks.push((out.bytes.len(), 0));
                out.bytes.extend([0; 4]);
            }
            Around::Lead { bytes, old: Some(range), is_kept: true, .. } => {
                out.copy(bytes, range.start * 8..range.end * 8);
            }
            Around::Lead { key, at, context, .. } => {
                out.bytes.push(context.byte());
                match key {
                    Key::Bytes(key) => out.bytes.extend_from_slice(key),
                    _ => out.bytes.extend_from_slice(at.to_string().as_bytes()),
                }
                out.bytes.push(0);
            }
            Around::End { .. } => {
                out.bytes.push(0);
                let Some((start, _)) = out.marks.pop() else {
                    debug_assert!(false, "the container has begun");
                    return Ok(());
                };
                let len = out.bytes.len() - start;
                let len = i32::try_from(len).map_err(|_| {
                    Error::new(format!("length {len} is more than the format's 2147483647"))
                })?;
                out.overwrite(start, &len.to_le_bytes());
            }
            Around::Trail { .. } | Around::Moved { .. } => {}
        }
        Ok(())
    }

    fn reads_alike(&self, own: Kind, other: Kind) -> bool {
        own == other
    }
}
