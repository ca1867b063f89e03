//! The hashes of the reference implementation.
//!
//! ```
//! // The type id of a dynamic bean is the hash of its full name, unless the schema gives one.
//! assert_eq!(zeze_serialize::hash::type_id("demo.Module1.BSimple"), 4513771153805810055);
//! ```

/// The 64-bit hash of a bean's full name (`module.Module.BName`), which is its type id in dynamic
/// beans where the schema gives no other. The text counts by its UTF-16 units.
pub const fn type_id(name: &str) -> i64 {
    const MULTIPLIER: u64 = 3_074_457_345_618_258_799;
    let bytes = name.as_bytes();
    let mut hash: u64 = 3_074_457_345_618_258_791;
    let mut rest = bytes;
    while let Some((units, after)) = next_units(rest) {
        rest = after;
        let (first, second) = units;
        hash = hash.wrapping_add(first as u64).wrapping_mul(MULTIPLIER);
        if second != 0 {
            hash = hash.wrapping_add(second as u64).wrapping_mul(MULTIPLIER);
        }
    }
    hash.cast_signed()
}

/// The next character of UTF-8 text as one or two UTF-16 units.
const fn next_units(text: &[u8]) -> Option<((u16, u16), &[u8])> {
    #[allow(clippy::cast_possible_truncation, reason = "the values are below 0x10000")]
    const fn low(unit: u32) -> u16 {
        unit as u16
    }
    const fn more(byte: u8) -> u32 {
        (byte & 0x3f) as u32
    }
    match text {
        [] => None,
        [a @ 0..=0x7f, rest @ ..] => Some(((*a as u16, 0), rest)),
        [a @ 0..=0xdf, b, rest @ ..] => Some(((low((*a as u32 & 0x1f) << 6 | more(*b)), 0), rest)),
        [a @ 0..=0xef, b, c, rest @ ..] => {
            Some(((low((*a as u32 & 0xf) << 12 | more(*b) << 6 | more(*c)), 0), rest))
        }
        [a, b, c, d, rest @ ..] => {
            let point = (*a as u32 & 7) << 18 | more(*b) << 12 | more(*c) << 6 | more(*d);
            let above = point.wrapping_sub(0x1_0000);
            Some(((low(0xd800 | above >> 10), low(0xdc00 | above & 0x3ff)), rest))
        }
        // Text is UTF-8, so no sequence is cut off.
        _ => None,
    }
}

/// The 32-bit hash of text by its UTF-16 units.
pub fn string(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(16_777_619) ^ i32::from(unit))
}

/// The 32-bit hash of bytes, which count as signed.
pub fn bytes(bytes: &[u8]) -> i32 {
    bytes
        .iter()
        .fold(0, |hash: i32, byte| hash.wrapping_mul(16_777_619) ^ i32::from(byte.cast_signed()))
}

/// The 32-bit hash of an integer.
pub fn long(value: i64) -> i32 {
    let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed());
    crate::cast::low_i32(product >> 32)
}
