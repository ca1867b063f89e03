//! Bytes that are not UTF-8, as characters and back.
//!
//! Each such byte is the character of a private range with its number: 0x80 is U+EF80, 0xff U+EFFF. A
//! text that has characters of this range itself has its three bytes as three of them, so that both
//! ways are one to one.

use std::borrow::Cow;

use gamewire_core::bytes::part;

use crate::{Error, ErrorKind};

const FIRST: u32 = 0xef80;
const LAST: u32 = 0xefff;

fn of_byte(byte: u8) -> char {
    char::from_u32(FIRST.saturating_sub(0x80).saturating_add(byte.into())).unwrap_or_default()
}

/// The byte that a character stands for.
fn to_byte(c: char) -> Option<u8> {
    let is_byte = (FIRST..=LAST).contains(&u32::from(c));
    is_byte.then(|| u8::try_from(u32::from(c) & 0xff).ok()).flatten()
}

/// Whether some bytes have the first two bytes of a character of the range.
fn has_range(bytes: &[u8]) -> bool {
    // Most texts have not even the first byte, which a whole chunk is compared with at once.
    let may = |chunk: &[u8]| chunk.iter().fold(false, |any, byte| any | (*byte == 0xee));
    bytes.chunks(256).any(may) && bytes.windows(2).any(|pair| matches!(pair, [0xee, 0xbe | 0xbf]))
}

/// Whether a text is the same with and without this.
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok() && !has_range(bytes)
}

/// Text of any bytes.
pub(crate) fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    let mut text = match std::str::from_utf8(bytes) {
        Ok(text) if !has_range(bytes) => return Cow::Borrowed(text),
        _ => String::with_capacity(bytes.len().saturating_add(16)),
    };
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| push(&mut text, c));
        text.extend(chunk.invalid().iter().map(|byte| of_byte(*byte)));
    }
    Cow::Owned(text)
}

/// Adds a character that is no byte.
pub(super) fn push(text: &mut String, c: char) {
    match to_byte(c) {
        None => text.push(c),
        Some(_) => text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(of_byte)),
    }
}

/// The bytes from an offset on, with those that characters stand for.
pub(crate) fn to_bytes(mut text: Vec<u8>, from: usize) -> Vec<u8> {
    let rest = part(&text, from..);
    if !has_range(rest) {
        return text;
    }
    let rest = String::from_utf8_lossy(rest).into_owned();
    text.truncate(from);
    for c in rest.chars() {
        match to_byte(c) {
            Some(byte) => text.push(byte),
            None => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    text
}

/// How many bytes a text was.
pub(crate) fn len(text: &str) -> usize {
    if !has_range(text.as_bytes()) {
        return text.len();
    }
    text.chars().map(|c| if to_byte(c).is_some() { 1 } else { c.len_utf8() }).sum()
}

/// The error of bytes that are not UTF-8, where they are not accepted.
#[cold]
pub(super) fn refused(bytes: &[u8], error: std::str::Utf8Error) -> Error {
    if error.error_len().is_none() {
        let message = "expected the rest of a character, found the end of the text";
        return Error::at(ErrorKind::UnexpectedEof, bytes.len(), message).placed(bytes);
    }
    let message = gamewire_core::words::invalid_utf8(bytes, error);
    Error::at(ErrorKind::InvalidUtf8, error.valid_up_to(), message).placed(bytes)
}
