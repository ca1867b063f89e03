//! The only code that builds output bytes.

use crate::cast::low_u8;
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use alloc::vec::Vec;

/// The largest field id, and the largest length.
pub(crate) const MAX_ID: u32 = 0x7fff_ffff;

/// Ends a bean.
pub(crate) const END: u8 = 0;
/// Ends a layer of a bean; the layer of its base follows.
pub(crate) const BASE: u8 = 1;

/// Appends the first `len` of eight bytes; `len` is at most 8.
#[inline]
fn put(out: &mut Vec<u8>, bytes: [u8; 8], len: usize) {
    // Eight bytes are stored at once and the rest is cut off: faster than to copy a length that is not
    // known when this is compiled.
    let end = out.len().wrapping_add(len);
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// A field's tag and a value of up to eight bytes, which is little-endian in a word; `step` is at
/// least 1.
#[inline]
#[allow(
    clippy::arithmetic_side_effects,
    reason = "len is at most 8, and a step of one byte below 15"
)]
pub(crate) fn tagged(out: &mut Vec<u8>, step: u32, kind: Kind, value: u64, len: usize) {
    let end = out.len().wrapping_add(len + 1);
    let head = u64::from(step.wrapping_shl(4) | u32::from(kind.number()));
    if step >= 15 {
        tagged_far(out, step, kind, value, len);
    } else if len < 8 {
        out.extend_from_slice(&(value << 8 | head).to_le_bytes());
        out.truncate(end);
    } else {
        out.extend_from_slice(&(u128::from(value) << 8 | u128::from(head)).to_le_bytes());
        out.truncate(end);
    }
}

/// Out of line, so that the usual way is small enough to be inlined.
#[cold]
#[inline(never)]
fn tagged_far(out: &mut Vec<u8>, step: u32, kind: Kind, value: u64, len: usize) {
    tag(out, step, kind);
    put(out, value.to_le_bytes(), len);
}

/// A field's tag and a signed integer.
#[inline]
pub(crate) fn tagged_int(out: &mut Vec<u8>, step: u32, value: i64) {
    // A field that is there is seldom 0, and often small.
    if let (0..15, -0x40..0x40) = (step, value) {
        let tag = u64::from(step).wrapping_shl(4);
        return out.extend_from_slice(&[low_u8(tag), low_u8(value.cast_unsigned() & 0xff)]);
    }
    tagged_long(out, step, value);
}

/// Out of line, so that the usual way is small enough to be inlined.
#[inline(never)]
fn tagged_long(out: &mut Vec<u8>, step: u32, value: i64) {
    match int_word(value) {
        Some((word, len)) => tagged(out, step, Kind::Int, word.swap_bytes(), len),
        None => {
            tag(out, step, Kind::Int);
            int(out, value);
        }
    }
}

/// The form of an integer, by its number of leading zeros without the sign.
#[derive(Clone, Copy)]
struct Form {
    /// The prefix, which is combined with the number by "exclusive or": a sign inverts both alike.
    prefix: u64,
    /// How far the bytes are from the upper end of a word.
    shift: u8,
    /// How many they are; 9 are more than a word.
    len: u8,
}

const FORMS: [Form; 64] = {
    let mut forms = [Form { prefix: 0, shift: 0, len: 9 }; 64];
    let mut zeros = 9;
    while zeros < 64 {
        // Seven bits for each byte, less one for the sign.
        let len = (64 - zeros + 7) / 7;
        #[allow(
            clippy::indexing_slicing,
            clippy::cast_possible_truncation,
            reason = "at compile time"
        )]
        {
            let prefix = ((1 << (len - 1)) - 1) << (7 * len);
            forms[zeros] = Form { prefix, shift: (64 - 8 * len) as u8, len: len as u8 };
        }
        zeros += 1;
    }
    forms
};

/// A signed integer of up to 8 bytes in a word, big-endian, and how many they are.
#[inline]
fn int_word(value: i64) -> Option<(u64, usize)> {
    let bits = (value ^ (value >> 63)).cast_unsigned();
    let form = FORMS.get((bits | 1).leading_zeros() as usize & 63)?;
    let word = (value.cast_unsigned() ^ form.prefix).wrapping_shl(form.shift.into());
    (form.len < 9).then_some((word, form.len.into()))
}

/// A signed integer of 1 to 9 bytes, the shortest form.
///
/// `n` bytes hold `7n - 1` bits and the sign (9 bytes hold all 64): a zero, `n - 1` ones, a zero,
/// then the bits, big-endian; for negative numbers all of it inverted.
#[inline]
pub(crate) fn int(out: &mut Vec<u8>, value: i64) {
    if let -0x40..0x40 = value {
        return out.push(low_u8(value.cast_unsigned() & 0xff));
    }
    long_int(out, value);
}

/// Out of line, so that the usual way is small enough to be inlined.
#[inline(never)]
fn long_int(out: &mut Vec<u8>, value: i64) {
    match int_word(value) {
        Some((word, len)) => put(out, word.to_be_bytes(), len),
        None => {
            let sign = (value >> 63).cast_unsigned();
            out.push(low_u8((0x7f ^ sign) & 0xff));
            let rest = (value.cast_unsigned() ^ sign | 1 << 63) ^ sign;
            out.extend_from_slice(&rest.to_be_bytes());
        }
    }
}

/// An unsigned integer of 1 to 5 bytes: lengths, counts, id steps.
#[inline]
#[allow(clippy::arithmetic_side_effects, reason = "no shift or sum is out of range")]
pub(crate) fn uint(out: &mut Vec<u8>, value: u32) {
    let wide = u64::from(value);
    match value {
        0..0x80 => out.push(low_u8(wide)),
        0x80..0x4000 => put(out, ((wide | 0x8000) << 48).to_be_bytes(), 2),
        0x4000..0x20_0000 => put(out, ((wide | 0xc0_0000) << 40).to_be_bytes(), 3),
        0x20_0000..0x1000_0000 => put(out, ((wide | 0xe000_0000) << 32).to_be_bytes(), 4),
        _ => put(out, ((wide | 0xf0_0000_0000) << 24).to_be_bytes(), 5),
    }
}

/// An unsigned integer of 1 to 9 bytes, the extension of some implementations.
#[allow(clippy::arithmetic_side_effects, reason = "no shift or sum is out of range")]
pub(crate) fn ulong(out: &mut Vec<u8>, value: u64) {
    match value {
        0..0x1000_0000 => uint(out, u32::try_from(value).unwrap_or(u32::MAX)),
        _ if value < 1 << 35 => put(out, ((value | 0xf0 << 32) << 24).to_be_bytes(), 5),
        _ if value < 1 << 42 => put(out, ((value | 0xf8 << 40) << 16).to_be_bytes(), 6),
        _ if value < 1 << 49 => put(out, ((value | 0xfc << 48) << 8).to_be_bytes(), 7),
        _ if value < 1 << 56 => put(out, (value | 0xfe << 56).to_be_bytes(), 8),
        _ => {
            out.push(0xff);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

/// A length or count, which the format holds up to [`MAX_ID`].
#[inline]
pub(crate) fn length(length: usize) -> Result<u32> {
    match u32::try_from(length) {
        Ok(length) if length <= MAX_ID => Ok(length),
        _ => Err(Error::new(
            ErrorKind::NumberRange,
            format!("expected a length of at most {MAX_ID}, found {length}"),
        )),
    }
}

/// A field's tag; `step` is at least 1.
#[inline]
pub(crate) fn tag(out: &mut Vec<u8>, step: u32, kind: Kind) {
    header(out, step, kind.number());
}

/// Four bits of a number, or 15 and the rest of it, above four bits of a type.
#[inline]
fn header(out: &mut Vec<u8>, number: u32, low: u8) {
    match number.checked_sub(15) {
        None => out.push(low_u8(u64::from(number)) << 4 | low & 0xf),
        Some(rest) => far_header(out, rest, low),
    }
}

#[cold]
#[inline(never)]
fn far_header(out: &mut Vec<u8>, rest: u32, low: u8) {
    out.push(0xf0 | low & 0xf);
    uint(out, rest);
}

/// The header of a list; `element` is the number of a wire type.
#[inline]
pub(crate) fn list_header(out: &mut Vec<u8>, count: u32, element: u8) {
    header(out, count, element);
}

/// The header of a map; `key` and `value` are numbers of wire types.
#[inline]
pub(crate) fn map_header(out: &mut Vec<u8>, count: u32, key: u8, value: u8) {
    out.push(key << 4 | value & 0xf);
    uint(out, count);
}

/// Replaces the bytes from `at` to `end` by others.
pub(crate) fn replace(out: &mut Vec<u8>, at: usize, end: usize, by: &[u8]) {
    if let (Some(old), true) = (out.get_mut(at..end), end.checked_sub(at) == Some(by.len())) {
        old.copy_from_slice(by);
    } else {
        let end = end.min(out.len());
        out.splice(at.min(end)..end, by.iter().copied());
    }
}

/// Whether the bytes are a value that is left out of a bean.
pub(crate) fn is_default(kind: Kind, bytes: &[u8], keep_negative_zero: bool) -> bool {
    let zero = |bytes: &[u8]| match bytes {
        [rest @ .., sign] if !keep_negative_zero => sign & 0x7f == 0 && all_zero(rest),
        bytes => all_zero(bytes),
    };
    match kind {
        Kind::Int | Kind::Bytes | Kind::Bean => bytes == [0],
        Kind::Float | Kind::Double => zero(bytes),
        // No elements; and in a map no entries, of whatever types.
        Kind::List => bytes.first().is_some_and(|head| head >> 4 == 0),
        Kind::Map => bytes.get(1) == Some(&0),
        Kind::Dynamic => bytes == [0, 0],
        Kind::Vector2 | Kind::Vector3 | Kind::Vector4 => bytes.chunks(4).all(zero),
        Kind::Vector2Int | Kind::Vector3Int => all_zero(bytes),
    }
}

fn all_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}
