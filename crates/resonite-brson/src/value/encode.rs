//! [`Value`] to bytes, without recursion.

use super::{Array, Document, Key, Keys};
use crate::Value;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::write::{IndexKey, Writer};

/// A container whose elements are being written.
struct UnwrittenLevel<'v> {
    contents: Unwritten<'v>,
    /// The offset of its length.
    at: usize,
}

enum Unwritten<'v> {
    Items(std::slice::Iter<'v, Value>, IndexKey, usize),
    /// All of them, how many were begun, and their keys.
    Entries(&'v [(Key, Value)], usize, Keys<'v>),
}

/// Writes a value whose key was written.
pub(crate) fn encode(writer: &mut Writer, value: &Value) -> Result<()> {
    match start(writer, value)? {
        Some(level) => run(writer, level),
        None => Ok(()),
    }
}

/// The same for the elements of an array.
pub(super) fn encode_array(writer: &mut Writer, array: &Array) -> Result<()> {
    let level = items_level(writer, array)?;
    run(writer, level)
}

/// The same for the entries of a document.
pub(super) fn encode_document(writer: &mut Writer, document: &Document) -> Result<()> {
    check_depth(writer)?;
    let at = writer.open(Kind::Document)?;
    run(writer, entries_level(document, at))
}

fn run(writer: &mut Writer, level: UnwrittenLevel<'_>) -> Result<()> {
    let depth = writer.depth;
    let mut stack = vec![level];
    writer.depth = depth.saturating_add(1);
    let written = fill(writer, &mut stack);
    writer.depth = depth;
    written.map_err(|error| locate(error, &stack))
}

#[cold]
fn locate(error: Error, stack: &[UnwrittenLevel<'_>]) -> Error {
    stack.iter().rev().fold(error, |error, level| match &level.contents {
        Unwritten::Items(_, _, begun) => error.in_index(begun.saturating_sub(1)),
        Unwritten::Entries(entries, begun, _) => match entries.get(begun.saturating_sub(1)) {
            Some((key, _)) => error.in_field(key),
            None => error,
        },
    })
}

fn fill<'v>(writer: &mut Writer, stack: &mut Vec<UnwrittenLevel<'v>>) -> Result<()> {
    while let Some(level) = stack.last_mut() {
        let inner = match &mut level.contents {
            Unwritten::Items(items, index, begun) => items_of(writer, items, index, begun)?,
            Unwritten::Entries(entries, begun, keys) => entries_of(writer, entries, begun, keys)?,
        };
        match inner {
            Some(inner) => {
                stack.push(inner);
                writer.depth = writer.depth.saturating_add(1);
            }
            None => {
                writer.close(level.at)?;
                stack.pop();
                writer.depth = writer.depth.saturating_sub(1);
            }
        }
    }
    Ok(())
}

/// Writes elements up to the next container.
fn items_of<'v>(
    writer: &mut Writer,
    items: &mut std::slice::Iter<'v, Value>,
    index: &mut IndexKey,
    begun: &mut usize,
) -> Result<Option<UnwrittenLevel<'v>>> {
    for value in items {
        *begun = begun.saturating_add(1);
        writer.index(index);
        if let Some(level) = start(writer, value)? {
            return Ok(Some(level));
        }
    }
    Ok(None)
}

fn entries_of<'v>(
    writer: &mut Writer,
    entries: &'v [(Key, Value)],
    begun: &mut usize,
    keys: &mut Keys<'v>,
) -> Result<Option<UnwrittenLevel<'v>>> {
    while let Some((before, [(key, value), ..])) = entries.split_at_checked(*begun) {
        // An error of the key is none of a value: past the end there is no entry to name.
        *begun = usize::MAX;
        if !writer.options.allow_duplicates && !keys.is_new_in(key.bytes(), before) {
            return Err(Error::duplicate_key(key));
        }
        writer.key_bytes(key.bytes())?;
        *begun = before.len().saturating_add(1);
        if let Some(level) = start(writer, value)? {
            return Ok(Some(level));
        }
    }
    Ok(None)
}

/// Writes a value, or the start of a container.
#[inline]
fn start<'v>(writer: &mut Writer, value: &'v Value) -> Result<Option<UnwrittenLevel<'v>>> {
    match value {
        Value::Null => writer.null()?,
        Value::Bool(v) => writer.bool(*v)?,
        Value::Int32(v) => writer.int32(*v)?,
        Value::Int64(v) => writer.int64(*v)?,
        Value::Double(v) => writer.double(*v)?,
        // The bytes of a `Str` are known to be UTF-8, so they are not asked for as text.
        Value::String(v) => {
            writer.start(Kind::String)?;
            writer.string_part(v.bytes())?;
        }
        Value::Document(v) => {
            check_depth(writer)?;
            let at = writer.open(Kind::Document)?;
            return Ok(Some(entries_level(v, at)));
        }
        Value::Array(v) => return items_level(writer, v).map(Some),
        other => rare(writer, other)?,
    }
    Ok(None)
}

fn entries_level(entries: &[(Key, Value)], at: usize) -> UnwrittenLevel<'_> {
    UnwrittenLevel { contents: Unwritten::Entries(entries, 0, Keys::new(entries.len())), at }
}

fn items_level<'v>(writer: &mut Writer, items: &'v [Value]) -> Result<UnwrittenLevel<'v>> {
    check_depth(writer)?;
    let at = writer.open(Kind::Array)?;
    let contents = Unwritten::Items(items.iter(), IndexKey::new(), 0);
    Ok(UnwrittenLevel { contents, at })
}

fn check_depth(writer: &Writer) -> Result<()> {
    let limit = writer.options.limits.max_depth;
    if writer.depth > limit { Err(Error::too_deep(limit, "max_depth")) } else { Ok(()) }
}

/// Values that the engine never writes, and dates.
#[cold]
#[inline(never)]
fn rare(writer: &mut Writer, value: &Value) -> Result<()> {
    match value {
        Value::DateTime(v) => writer.eight(Kind::DateTime, v.0.cast_unsigned()),
        Value::Binary(v) => writer.binary(v.subtype, &v.bytes),
        Value::Other(v) => writer.bytes(v.kind(), v.bytes()),
        other => writer.start(other.kind()),
    }
}
