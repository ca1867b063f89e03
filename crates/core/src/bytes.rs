//! Short runs of bytes, appended and compared without a call: what several formats do for each value.
//!
//! ```
//! use gamewire_core::bytes;
//!
//! let mut out = b"a".to_vec();
//! bytes::push_short(&mut out, b"bcdef");
//! bytes::push_part(&mut out, *b"ghij", 2);
//! assert_eq!(out, b"abcdefgh");
//! assert!(bytes::same(&out, b"abcdefgh"));
//! ```

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
