//! Bytes to [`Value`], without recursion.

use super::keys::Keys;
use super::{Array, Document};
use crate::Value;
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::kind::Kind;
use crate::read::{Outer, Reader};
use crate::text::Str;
use crate::types::{
    Binary, CodeWithScope, DateTime, DbPointer, Decimal128, ObjectId, Regex, Timestamp,
};

/// A container whose elements are being read.
struct Frame<'b> {
    contents: Contents<'b>,
    outer: Outer<'b>,
}

enum Contents<'b> {
    Items(Vec<Value>),
    /// The key is that of the value which is read.
    Entries(Vec<(Str, Value)>, Keys<'b>, &'b str),
    /// The variables of code, and what lies behind the code.
    Scope(Str, Vec<(Str, Value)>, Keys<'b>, &'b str, Outer<'b>),
}

/// Reads the payload of a value.
pub(crate) fn decode(reader: &mut Reader<'_>, kind: Kind) -> Result<Value> {
    match kind {
        Kind::Document | Kind::Array | Kind::CodeWithScope => {
            let mut stack = Vec::new();
            let depth = reader.depth;
            let read = decode_nested(reader, kind, &mut stack);
            reader.depth = depth;
            read.map_err(|error| place(error, &stack))
        }
        _ => leaf(reader, kind),
    }
}

/// Adds the way to the value at fault.
#[cold]
fn place(error: Error, stack: &[Frame<'_>]) -> Error {
    stack.iter().rev().fold(error, |error, frame| match &frame.contents {
        Contents::Items(items) => error.in_index(items.len()),
        Contents::Entries(_, _, NO_KEY) | Contents::Scope(_, _, _, NO_KEY, _) => error,
        Contents::Entries(_, _, key) | Contents::Scope(_, _, _, key, _) => error.in_field(key),
    })
}

/// Stands for no key: a key cannot contain NUL.
const NO_KEY: &str = "\0";

fn decode_nested<'b>(
    reader: &mut Reader<'b>,
    kind: Kind,
    stack: &mut Vec<Frame<'b>>,
) -> Result<Value> {
    let frame = open(reader, kind)?;
    stack.push(frame);
    loop {
        let Some(frame) = stack.last_mut() else { return Ok(Value::Null) };
        if let Some(kind) = next(reader, &mut frame.contents)? {
            let frame = open(reader, kind)?;
            stack.push(frame);
            continue;
        }
        let Some(Frame { contents, outer }) = stack.pop() else { return Ok(Value::Null) };
        let value = close(reader, contents, outer)?;
        match stack.last_mut() {
            Some(frame) => attach(&mut frame.contents, value),
            None => return Ok(value),
        }
    }
}

/// Reads elements of the innermost container up to the next one inside it.
#[inline]
fn next<'b>(reader: &mut Reader<'b>, contents: &mut Contents<'b>) -> Result<Option<Kind>> {
    match contents {
        Contents::Items(items) => {
            while let Some(kind) = reader.kind()? {
                reader.index_key(items.len())?;
                if is_container(kind) {
                    return Ok(Some(kind));
                }
                items.push(leaf(reader, kind)?);
            }
        }
        Contents::Entries(entries, keys, current)
        | Contents::Scope(_, entries, keys, current, _) => {
            *current = NO_KEY;
            while let Some(kind) = reader.kind()? {
                let at = reader.offset();
                let key = reader.cstring()?;
                if !reader.options.allow_duplicates && !keys.is_new_in(key.as_bytes(), entries) {
                    return Err(duplicate(key, at));
                }
                *current = key;
                if is_container(kind) {
                    return Ok(Some(kind));
                }
                entries.push((Str::new(key), leaf(reader, kind)?));
                *current = NO_KEY;
            }
        }
    }
    Ok(None)
}

#[cold]
pub(crate) fn duplicate(key: &str, at: usize) -> Error {
    Error::at(ErrorKind::DuplicateKey, at, format!("the key \"{}\" is there twice", Shortened(key)))
}

#[inline]
fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::Document | Kind::Array | Kind::CodeWithScope)
}

#[inline]
fn attach(contents: &mut Contents<'_>, value: Value) {
    match contents {
        Contents::Items(items) => items.push(value),
        Contents::Entries(entries, _, key) | Contents::Scope(_, entries, _, key, _) => {
            entries.push((Str::new(key), value));
        }
    }
}

/// Goes into a container.
fn open<'b>(reader: &mut Reader<'b>, kind: Kind) -> Result<Frame<'b>> {
    if reader.depth > reader.options.max_depth {
        return Err(reader.too_deep(reader.options.max_depth, "max_depth"));
    }
    if kind == Kind::CodeWithScope {
        let (code, behind) = reader.code_with_scope()?;
        let outer = reader.open()?;
        reader.depth = reader.depth.saturating_add(1);
        let count = reader.count();
        let entries = Vec::with_capacity(count);
        let contents = Contents::Scope(Str::new(code), entries, Keys::new(count), NO_KEY, behind);
        return Ok(Frame { contents, outer });
    }
    let outer = reader.open()?;
    reader.depth = reader.depth.saturating_add(1);
    let count = reader.count();
    let contents = match kind {
        Kind::Array => Contents::Items(Vec::with_capacity(count)),
        _ => Contents::Entries(Vec::with_capacity(count), Keys::new(count), NO_KEY),
    };
    Ok(Frame { contents, outer })
}

/// Leaves a container.
fn close<'b>(reader: &mut Reader<'b>, contents: Contents<'b>, outer: Outer<'b>) -> Result<Value> {
    reader.close(outer);
    reader.depth = reader.depth.saturating_sub(1);
    Ok(match contents {
        Contents::Items(items) => Value::Array(Array(items)),
        Contents::Entries(entries, ..) => Value::Document(Document(entries)),
        Contents::Scope(code, entries, _, _, behind) => {
            reader.end_of_scope()?;
            reader.close(behind);
            let scope = Document(entries);
            Value::CodeWithScope(Box::new(CodeWithScope { code, scope }))
        }
    })
}

/// A value that contains no other.
#[inline]
fn leaf(reader: &mut Reader<'_>, kind: Kind) -> Result<Value> {
    Ok(match kind {
        Kind::Double => Value::Double(reader.double()?),
        Kind::String => Value::String(Str::new(reader.string()?)),
        Kind::Bool => Value::Bool(reader.bool()?),
        Kind::Null => Value::Null,
        Kind::Int32 => Value::Int32(reader.int32()?),
        Kind::Int64 => Value::Int64(reader.int64()?),
        other => return rare(reader, other),
    })
}

/// What the engine never writes, and dates.
#[cold]
#[inline(never)]
fn rare(reader: &mut Reader<'_>, kind: Kind) -> Result<Value> {
    Ok(match kind {
        Kind::DateTime => Value::DateTime(DateTime(reader.int64()?)),
        Kind::Binary => {
            let (subtype, bytes) = reader.binary()?;
            Value::Binary(Box::new(Binary { subtype, bytes: bytes.to_vec() }))
        }
        Kind::ObjectId => Value::ObjectId(ObjectId(reader.array("an ObjectId")?)),
        Kind::Regex => {
            let pattern = Str::new(reader.cstring()?);
            let options = Str::new(reader.cstring()?);
            Value::Regex(Box::new(Regex { pattern, options }))
        }
        Kind::DbPointer => {
            let namespace = Str::new(reader.string()?);
            let id = ObjectId(reader.array("an ObjectId")?);
            Value::DbPointer(Box::new(DbPointer { namespace, id }))
        }
        Kind::Code => Value::Code(Str::new(reader.string()?)),
        Kind::Symbol => Value::Symbol(Str::new(reader.string()?)),
        Kind::Timestamp => {
            let [a, b, c, d, e, f, g, h] = reader.array("a timestamp")?;
            Value::Timestamp(Timestamp {
                increment: u32::from_le_bytes([a, b, c, d]),
                time: u32::from_le_bytes([e, f, g, h]),
            })
        }
        Kind::Decimal128 => Value::Decimal128(Decimal128(reader.array("a decimal128")?)),
        Kind::Undefined => Value::Undefined,
        Kind::MinKey => Value::MinKey,
        Kind::MaxKey => Value::MaxKey,
        _ => Value::Null,
    })
}
