//! The parts of the format one by one, for code that reads or writes bytes by hand: [integers] and
//! [headers].
//!
//! The functions that read return what they read and the bytes after it.
//!
//! ```
//! use zeze_serialize::{Kind, wire};
//!
//! let mut out = Vec::new();
//! wire::write_tag(&mut out, 0, 1, Kind::Int)?;
//! wire::write_int(&mut out, -1);
//! wire::write_end(&mut out);
//! assert_eq!(out, [0x10, 0xff, 0x00]);
//!
//! let (tag, rest) = wire::read_tag(&out, 0)?;
//! assert_eq!(tag, wire::Tag::Field(1, Kind::Int));
//! assert_eq!(wire::read_int(rest)?, (-1, &[0][..]));
//! # Ok::<(), zeze_serialize::Error>(())
//! ```
//!
//! [integers]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#integers
//! [headers]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#headers

use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;
pub use crate::read::Tag;
use crate::value::decode::Decoder;
use crate::write;

/// The value that was read, and the bytes after it.
pub type Read<'a, T> = Result<(T, &'a [u8])>;

fn with<'a, T>(bytes: &'a [u8], read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Read<'a, T> {
    let mut reader = Reader::new(bytes, Options::new());
    let value = read(&mut reader)?;
    Ok((value, reader.rest()))
}

/// Appends a signed integer of 1 to 9 bytes.
pub fn write_int(out: &mut Vec<u8>, value: i64) {
    write::int(out, value);
}

/// Reads a signed integer. Forms that are longer than they have to be are read too.
///
/// # Errors
/// The input ends too early.
pub fn read_int(bytes: &[u8]) -> Read<'_, i64> {
    with(bytes, Reader::int)
}

/// Appends an unsigned integer of 1 to 5 bytes: a length, a count, the rest of an id step.
pub fn write_uint(out: &mut Vec<u8>, value: u32) {
    write::uint(out, value);
}

/// Reads an unsigned integer of 32 bits.
///
/// # Errors
/// The input ends too early, or the first byte is above `f0`: nothing writes that, and the
/// reference reads it otherwise than it skips it.
pub fn read_uint(bytes: &[u8]) -> Read<'_, u32> {
    with(bytes, |reader| reader.uint("an unsigned integer"))
}

/// Appends an unsigned integer of 1 to 9 bytes, which only the Java, C# and Python implementations
/// have.
pub fn write_ulong(out: &mut Vec<u8>, value: u64) {
    write::ulong(out, value);
}

/// Reads an unsigned integer of 1 to 9 bytes.
///
/// # Errors
/// The input ends too early.
pub fn read_ulong(bytes: &[u8]) -> Read<'_, u64> {
    with(bytes, Reader::ulong)
}

/// Appends the tag of a field; `last` is the id of the field before it in the same layer, or 0.
///
/// # Errors
/// An id that is not above `last`, or above 2³¹ − 1.
pub fn write_tag(out: &mut Vec<u8>, last: u32, id: u32, kind: Kind) -> Result<()> {
    let step = id.checked_sub(last).filter(|step| *step > 0 && id <= write::MAX_ID);
    let Some(step) = step else {
        return Err(Error::new(
            ErrorKind::InvalidId,
            format!("expected an id above {last}, and at most {}, found {id}", write::MAX_ID),
        ));
    };
    write::tag(out, step, kind);
    Ok(())
}

/// Reads a tag; `last` is the id of the field before it in the same layer, or 0.
///
/// # Errors
/// A tag that is reserved, an id above 2³¹ − 1, or the input ends too early.
pub fn read_tag(bytes: &[u8], last: u32) -> Read<'_, Tag> {
    with(bytes, |reader| reader.tag(last))
}

/// Appends the end of a bean.
pub fn write_end(out: &mut Vec<u8>) {
    out.push(write::END);
}

/// Appends the header of a list.
///
/// # Errors
/// 2³¹ elements or more.
pub fn write_list_header(out: &mut Vec<u8>, count: usize, element: Kind) -> Result<()> {
    write::list_header(out, write::length(count)?, element.number());
    Ok(())
}

/// Reads the header of a list: how many elements, and of which wire type.
///
/// # Errors
/// More elements than the bytes after it can hold, an undefined wire type, or the input ends too
/// early. An empty list of an undefined type counts as one of integers.
pub fn read_list_header(bytes: &[u8]) -> Read<'_, (usize, Kind)> {
    with(bytes, |reader| reader.list_head().map(|head| (head.count, head.kind)))
}

/// Appends the header of a map.
///
/// # Errors
/// 2³¹ entries or more.
pub fn write_map_header(out: &mut Vec<u8>, count: usize, key: Kind, value: Kind) -> Result<()> {
    write::map_header(out, write::length(count)?, key.number(), value.number());
    Ok(())
}

/// Reads the header of a map: how many entries, and the wire types of keys and values.
///
/// # Errors
/// More entries than the bytes after it can hold, an undefined wire type, or the input ends too
/// early. An empty map of undefined types counts as one of integers.
pub fn read_map_header(bytes: &[u8]) -> Read<'_, (usize, Kind, Kind)> {
    with(bytes, |reader| reader.map_head().map(|head| (head.count, head.kinds.0, head.kinds.1)))
}

/// Skips a value of a wire type without looking at it. Returns the bytes after it.
///
/// # Errors
/// Malformed input, or more than the default [`max_depth`](Options::max_depth) levels.
pub fn skip(bytes: &[u8], kind: Kind) -> Result<&[u8]> {
    let mut decoder = Decoder::new(bytes, Options::new());
    decoder.skip(kind, 0)?;
    Ok(decoder.rest())
}
