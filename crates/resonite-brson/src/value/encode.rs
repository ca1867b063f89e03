//! [`Value`] to bytes, without recursion.

use super::{Array, Document, Key, Keys};
use crate::Value;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::write::{IndexKey, Writer, duplicate};

/// A container whose elements are being written.
struct Frame<'v> {
    contents: Contents<'v>,
    /// Where its length stands, and that of the code around a scope.
    at: usize,
    code_at: Option<usize>,
}

enum Contents<'v> {
    Items(std::slice::Iter<'v, Value>, IndexKey, usize),
    /// All of them, how many were begun, and their keys.
    Entries(&'v [(Key, Value)], usize, Keys<'v>),
}

/// Writes a value whose key was written.
pub(crate) fn encode(writer: &mut Writer, value: &Value) -> Result<()> {
    match start(writer, value)? {
        Some(frame) => run(writer, frame),
        None => Ok(()),
    }
}

/// The same for the elements of an array.
pub(super) fn encode_array(writer: &mut Writer, array: &Array) -> Result<()> {
    let frame = items_frame(writer, array)?;
    run(writer, frame)
}

/// The same for the entries of a document.
pub(super) fn encode_document(writer: &mut Writer, document: &Document) -> Result<()> {
    check_depth(writer)?;
    let at = writer.open(Kind::Document)?;
    run(writer, entries_frame(document, at, None))
}

fn run(writer: &mut Writer, frame: Frame<'_>) -> Result<()> {
    let depth = writer.depth;
    let mut stack = vec![frame];
    writer.depth = depth.saturating_add(1);
    let written = fill(writer, &mut stack);
    writer.depth = depth;
    written.map_err(|error| place(error, &stack))
}

#[cold]
fn place(error: Error, stack: &[Frame<'_>]) -> Error {
    stack.iter().rev().fold(error, |error, frame| match &frame.contents {
        Contents::Items(_, _, begun) => error.in_index(begun.saturating_sub(1)),
        Contents::Entries(entries, begun, _) => match entries.get(begun.saturating_sub(1)) {
            Some((key, _)) => error.in_field(key),
            None => error,
        },
    })
}

fn fill<'v>(writer: &mut Writer, stack: &mut Vec<Frame<'v>>) -> Result<()> {
    while let Some(frame) = stack.last_mut() {
        let inner = match &mut frame.contents {
            Contents::Items(items, index, begun) => items_of(writer, items, index, begun)?,
            Contents::Entries(entries, begun, keys) => entries_of(writer, entries, begun, keys)?,
        };
        match inner {
            Some(inner) => {
                stack.push(inner);
                writer.depth = writer.depth.saturating_add(1);
            }
            None => {
                writer.close(frame.at)?;
                if let Some(at) = frame.code_at {
                    writer.close_part(at)?;
                }
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
) -> Result<Option<Frame<'v>>> {
    for value in items {
        *begun = begun.saturating_add(1);
        writer.index(index);
        if let Some(frame) = start(writer, value)? {
            return Ok(Some(frame));
        }
    }
    Ok(None)
}

fn entries_of<'v>(
    writer: &mut Writer,
    entries: &'v [(Key, Value)],
    begun: &mut usize,
    keys: &mut Keys<'v>,
) -> Result<Option<Frame<'v>>> {
    while let Some((before, [(key, value), ..])) = entries.split_at_checked(*begun) {
        // An error of the key is none of a value: past the end there is no entry to name.
        *begun = usize::MAX;
        if !writer.options.allow_duplicates && !keys.is_new_in(key.bytes(), before) {
            return Err(duplicate(key));
        }
        writer.key_bytes(key.bytes())?;
        *begun = before.len().saturating_add(1);
        if let Some(frame) = start(writer, value)? {
            return Ok(Some(frame));
        }
    }
    Ok(None)
}

/// Writes a value, or the start of a container.
#[inline]
fn start<'v>(writer: &mut Writer, value: &'v Value) -> Result<Option<Frame<'v>>> {
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
            return Ok(Some(entries_frame(v, at, None)));
        }
        Value::Array(v) => return items_frame(writer, v).map(Some),
        other => return rare(writer, other),
    }
    Ok(None)
}

fn entries_frame(entries: &[(Key, Value)], at: usize, code_at: Option<usize>) -> Frame<'_> {
    let contents = Contents::Entries(entries, 0, Keys::new(entries.len()));
    Frame { contents, at, code_at }
}

fn items_frame<'v>(writer: &mut Writer, items: &'v [Value]) -> Result<Frame<'v>> {
    check_depth(writer)?;
    let at = writer.open(Kind::Array)?;
    let contents = Contents::Items(items.iter(), IndexKey::new(), 0);
    Ok(Frame { contents, at, code_at: None })
}

fn check_depth(writer: &Writer) -> Result<()> {
    let limit = writer.options.limits.max_depth;
    if writer.depth > limit { Err(writer.too_deep(limit, "max_depth")) } else { Ok(()) }
}

/// What the engine never writes, and dates.
#[cold]
#[inline(never)]
fn rare<'v>(writer: &mut Writer, value: &'v Value) -> Result<Option<Frame<'v>>> {
    match value {
        Value::DateTime(v) => writer.eight(Kind::DateTime, v.0.cast_unsigned())?,
        Value::Binary(v) => writer.binary(v.subtype, &v.bytes)?,
        Value::ObjectId(v) => writer.bytes(Kind::ObjectId, &v.0)?,
        Value::Regex(v) => writer.regex(&v.pattern, &v.options)?,
        Value::DbPointer(v) => {
            writer.text(Kind::DbPointer, &v.namespace)?;
            writer.raw(&v.id.0);
        }
        Value::Code(v) => writer.text(Kind::Code, v)?,
        Value::Symbol(v) => writer.text(Kind::Symbol, v)?,
        Value::CodeWithScope(v) => {
            check_depth(writer)?;
            let code_at = writer.open(Kind::CodeWithScope)?;
            writer.string_part(v.code.bytes())?;
            let at = writer.open_part();
            return Ok(Some(entries_frame(&v.scope, at, Some(code_at))));
        }
        Value::Timestamp(v) => {
            let bits = u64::from(v.time) << 32 | u64::from(v.increment);
            writer.eight(Kind::Timestamp, bits)?;
        }
        Value::Decimal128(v) => writer.bytes(Kind::Decimal128, &v.0)?,
        other => writer.start(other.kind())?,
    }
    Ok(None)
}
