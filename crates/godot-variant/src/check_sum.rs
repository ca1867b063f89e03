//! MD5 as the engine uses it.

use md5::{Digest as _, Md5};

/// The MD5 of pieces one after another.
pub(crate) fn md5<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> [u8; 16] {
    let mut md5 = Md5::new();
    pieces.into_iter().for_each(|piece| md5.update(piece));
    md5.finalize().into()
}

/// The lower-case hexadecimal digits of the MD5: the engine's `md5_text`.
pub(crate) fn md5_text<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut digits = [b'0'; 32];
    let (pairs, _) = digits.as_chunks_mut::<2>();
    for (pair, byte) in pairs.iter_mut().zip(md5(pieces)) {
        let digit = |half: u8| if half < 10 { half | b'0' } else { half.saturating_add(b'a' - 10) };
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    digits
}
