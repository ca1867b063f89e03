//! Short runs of bytes, appended and compared without a call: what several formats do for each value; parts of what
//! was read; hexadecimal digits.
//!
//! ```
//! use gamewire_core::bytes;
//!
//! let mut out = b"a".to_vec();
//! bytes::push_short(&mut out, b"bcdef");
//! bytes::push_part(&mut out, *b"ghij", 2);
//! assert_eq!(out, b"abcdefgh");
//! assert!(bytes::same(&out, b"abcdefgh"));
//! assert_eq!(bytes::hex(&out[..2]), "6162");
//! assert_eq!(bytes::from_hex("4A4b").unwrap(), b"JK");
//! assert!(bytes::from_hex("4").is_none() && bytes::from_hex("+4").is_none());
//! ```

use std::fmt::Write as _;
use std::slice::SliceIndex;

/// Returns a part of bytes or elements whose ends were found in them: one that is not there is the fault of the caller,
/// and has nothing in it.
#[inline]
#[track_caller]
pub fn part<T, R: SliceIndex<[T], Output = [T]>>(all: &[T], range: R) -> &[T] {
    let part = all.get(range);
    debug_assert!(part.is_some(), "the part is within {}", all.len());
    part.unwrap_or_default()
}

/// The same of a text.
#[inline]
#[track_caller]
pub fn text_part<R: SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    let part = text.get(range);
    debug_assert!(part.is_some(), "the part is within {} bytes, of whole characters", text.len());
    part.unwrap_or_default()
}

/// Returns lower-case hexadecimal digits, two for each byte.
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len().saturating_mul(2));
    // Writing to a string cannot fail.
    bytes.iter().for_each(|byte| _ = write!(digits, "{byte:02x}"));
    digits
}

/// Returns the bytes of hexadecimal digits, of either case.
pub fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// Whether some bytes more fit without moving those that are there. Where that was asked before, an append
/// of a length that is known is a store.
#[inline(always)]
pub fn has_room(out: &Vec<u8>, len: usize) -> bool {
    out.capacity().wrapping_sub(out.len()) >= len
}

/// Appends the first `len` of some bytes. All of them are stored at once, and the rest is cut off: faster
/// than to copy a length that is not known when this is compiled.
#[inline(always)]
pub fn push_part<const N: usize>(out: &mut Vec<u8>, bytes: [u8; N], len: usize) {
    let end = out.len().wrapping_add(len);
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// Appends some bytes, without a call if they are few: two halves, which overlap.
#[inline]
pub fn push_short(out: &mut Vec<u8>, bytes: &[u8]) {
    let end = out.len().wrapping_add(bytes.len());
    macro_rules! halves {
        ($len:literal) => {
            if let (Some(first), Some(last)) =
                (bytes.first_chunk::<$len>(), bytes.last_chunk::<$len>())
            {
                out.extend_from_slice(first);
                out.truncate(end.wrapping_sub($len));
                return out.extend_from_slice(last);
            }
        };
    }
    match bytes.len() {
        0..4 => {}
        4..=8 => halves!(4),
        9..=16 => halves!(8),
        17..=32 => halves!(16),
        _ => return out.extend_from_slice(bytes),
    }
    bytes.iter().for_each(|byte| out.push(*byte));
}

/// Whether two runs of bytes are the same, without a call if they are short: two halves, which overlap.
#[inline]
pub fn same(one: &[u8], other: &[u8]) -> bool {
    macro_rules! halves {
        ($len:literal) => {
            one.first_chunk::<$len>() == other.first_chunk()
                && one.last_chunk::<$len>() == other.last_chunk()
        };
    }
    one.len() == other.len()
        && match one.len() {
            4..=8 => halves!(4),
            9..=16 => halves!(8),
            _ => one == other,
        }
}
