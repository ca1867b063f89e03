//! The only code that builds output bytes.

use crate::cast::low_u8;
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use gamewire_core::bytes::{has_room, push_part, push_short};

/// The largest field id, and the largest length.
pub(crate) const MAX_ID: u32 = 0x7fff_ffff;

/// Ends a bean.
pub(crate) const END: u8 = 0;
/// Ends a layer of a bean; the layer of its base follows.
pub(crate) const BASE: u8 = 1;

/// A field's tag and a value of up to eight bytes, which is little-endian in a word; `step` is at
/// least 1.
#[inline]
#[allow(
    clippy::arithmetic_side_effects,
    reason = "len is at most 8, and a step of one byte below 15"
)]
pub(crate) fn tagged(out: &mut Vec<u8>, step: u32, kind: Kind, value: u64, len: usize) {
    let head = u64::from(step.wrapping_shl(4) | u32::from(kind.number()));
    if step >= 15 || !has_room(out, 16) {
        tagged_far(out, step, kind, value, len);
    } else if len < 8 {
        push_part(out, (value << 8 | head).to_le_bytes(), len + 1);
    } else {
        push_part(out, (u128::from(value) << 8 | u128::from(head)).to_le_bytes(), len + 1);
    }
}

/// Out of line, so that the usual way is small enough to be inlined.
#[cold]
#[inline(never)]
fn tagged_far(out: &mut Vec<u8>, step: u32, kind: Kind, value: u64, len: usize) {
    tag(out, step, kind);
    push_part(out, value.to_le_bytes(), len);
}

/// A field's tag and an integer of 1 to 7 bytes; nothing if it is not kept. False where that is not all of
/// it: then nothing was written.
///
/// Whether a number is zero or small cannot be foreseen, so there is no branch on it.
#[inline]
#[allow(clippy::arithmetic_side_effects, reason = "len is at most 8")]
pub(crate) fn tagged_int(out: &mut Vec<u8>, step: u32, value: i64, is_kept: bool) -> bool {
    let (word, len) = int_word(value);
    let is_usual = matches!(step, 1..15) && len < 8 && has_room(out, 8);
    if is_usual {
        let tag = u64::from(step << 4 | u32::from(Kind::Int.number()));
        let bytes = (word << 8 | tag).to_le_bytes();
        push_part(out, bytes, if is_kept { (len & 7) + 1 } else { 0 });
    }
    is_usual
}

/// The form of an integer, by its highest bit without the sign.
#[derive(Clone, Copy)]
#[repr(align(4))]
struct Form {
    /// The first bits, which are combined with the first byte by "exclusive or": a sign inverts both alike.
    first: u8,
    /// How far the bytes are from the upper end of a word.
    shift: u8,
    /// How many they are; 9 are more than a word.
    len: u8,
}

const FORMS: [Form; 64] = {
    let mut forms = [Form { first: 0, shift: 0, len: 9 }; 64];
    let mut bit = 0;
    while bit < 55 {
        // Seven bits for each byte, less one for the sign.
        let len = (bit + 8) / 7;
        #[allow(
            clippy::indexing_slicing,
            clippy::cast_possible_truncation,
            reason = "at compile time"
        )]
        {
            let first = (0x80_u32 - (0x80 >> (len - 1))) as u8;
            forms[bit] = Form { first, shift: (64 - 8 * len) as u8, len: len as u8 };
        }
        bit += 1;
    }
    forms
};

/// A signed integer in a word, its first byte lowest, and how many bytes it has; 9 are more than a word.
#[inline]
fn int_word(value: i64) -> (u64, usize) {
    let bits = (value ^ (value >> 63)).cast_unsigned();
    let Some(form) = FORMS.get((bits | 1).ilog2() as usize & 63) else { return (0, 9) };
    let word = value.cast_unsigned().wrapping_shl(form.shift.into()).swap_bytes();
    (word ^ u64::from(form.first), form.len.into())
}

/// A signed integer of 1 to 9 bytes, the shortest form.
///
/// `n` bytes hold `7n - 1` bits and the sign (9 bytes hold all 64): a zero, `n - 1` ones, a zero,
/// then the bits, big-endian; for negative numbers all of it inverted.
#[inline]
pub(crate) fn int(out: &mut Vec<u8>, value: i64) {
    // Of a boolean this is known when it is compiled.
    if let 0 | 1 = value {
        return out.push(low_u8(value.cast_unsigned() & 1));
    }
    let (word, len) = int_word(value);
    if len < 9 && has_room(out, 8) {
        push_part(out, word.to_le_bytes(), len);
    } else {
        long_int(out, value);
    }
}

/// Out of line, so that the usual way is small enough to be inlined.
#[cold]
#[inline(never)]
fn long_int(out: &mut Vec<u8>, value: i64) {
    match int_word(value) {
        (word, len @ ..9) => push_part(out, word.to_le_bytes(), len),
        _ => {
            let sign = (value >> 63).cast_unsigned();
            out.push(low_u8((0x7f ^ sign) & 0xff));
            let rest = (value.cast_unsigned() ^ sign | 1 << 63) ^ sign;
            out.extend_from_slice(&rest.to_be_bytes());
        }
    }
}

/// A length, and that number of bytes.
#[inline]
pub(crate) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    if bytes.len() < 0x80 {
        out.push(low_u8(bytes.len() as u64));
    } else {
        uint(out, length(bytes.len())?);
    }
    push_short(out, bytes);
    Ok(())
}

/// An unsigned integer of 1 to 5 bytes: lengths, counts, id steps.
#[inline]
pub(crate) fn uint(out: &mut Vec<u8>, value: u32) {
    let wide = u64::from(value);
    match value {
        0..0x80 => out.push(low_u8(wide)),
        0x80..0x4000 => push_part(out, ((wide | 0x8000) << 48).to_be_bytes(), 2),
        0x4000..0x20_0000 => push_part(out, ((wide | 0xc0_0000) << 40).to_be_bytes(), 3),
        0x20_0000..0x1000_0000 => push_part(out, ((wide | 0xe000_0000) << 32).to_be_bytes(), 4),
        _ => push_part(out, ((wide | 0xf0_0000_0000) << 24).to_be_bytes(), 5),
    }
}

/// An unsigned integer of 1 to 9 bytes, the extension of some implementations.
pub(crate) fn ulong(out: &mut Vec<u8>, value: u64) {
    match u32::try_from(value) {
        Ok(value @ 0..0x1000_0000) => uint(out, value),
        _ if value < 1 << 35 => push_part(out, ((value | 0xf0 << 32) << 24).to_be_bytes(), 5),
        _ if value < 1 << 42 => push_part(out, ((value | 0xf8 << 40) << 16).to_be_bytes(), 6),
        _ if value < 1 << 49 => push_part(out, ((value | 0xfc << 48) << 8).to_be_bytes(), 7),
        _ if value < 1 << 56 => push_part(out, (value | 0xfe << 56).to_be_bytes(), 8),
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
