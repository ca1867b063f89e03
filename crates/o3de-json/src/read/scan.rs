//! Passing over white space, comments and plain text, eight bytes at a time where that pays.

use std::ops::Range;

use gamewire_core::gap::comment_end;

use super::Reader;
use crate::{Error, ErrorKind, Result};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Where the first byte at or after `at` is that a string cannot hold as it is: a quote, a
/// backslash, a control character; or the end.
#[inline]
pub(crate) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = word_at(bytes, at) {
        let marks = plain_stops(word);
        if marks != 0 {
            return at.saturating_add((marks.trailing_zeros() >> 3) as usize);
        }
        at = at.saturating_add(8);
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at = at.saturating_add(1);
    }
    at
}

/// Whether a string can hold all of its bytes as they are. Inlined, so that of a name that is known when
/// this is compiled nothing is left to ask.
#[inline(always)]
pub(crate) fn all_plain(bytes: &[u8]) -> bool {
    let last = match (bytes.last_chunk::<8>(), bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(last), ..) => u64::from_le_bytes(*last),
        (_, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => bytes.iter().fold(u64::MAX, |word, byte| word << 8 | u64::from(*byte)),
    };
    let (words, _) = bytes.as_chunks::<8>();
    let marks = words
        .iter()
        .fold(plain_stops(last), |marks, word| marks | plain_stops(u64::from_le_bytes(*word)));
    marks == 0
}

#[inline]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The high bit of each byte that ends plain text.
///
/// `x - ONES & !x & HIGH` marks the zero bytes of a word; a quote or backslash is a zero after the
/// XOR, and below 0x20 is what borrows when 0x20 is taken off. A borrow can run on into the bytes
/// above, so those may be marked wrongly, but the first mark never is, and only that one is used.
/// The loop of single bytes in [`plain_end`] says the same for the last seven bytes; the tests of
/// RFC 8259 beside serde_json cover both at every alignment.
#[inline]
fn plain_stops(word: u64) -> u64 {
    let quote = word ^ 0x2222_2222_2222_2222;
    let slash = word ^ 0x5c5c_5c5c_5c5c_5c5c;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let slash = slash.wrapping_sub(ONES) & !slash;
    let control = word.wrapping_sub(0x2020_2020_2020_2020) & !word;
    (quote | slash | control) & HIGH
}

/// White space and comments; the next byte is one of theirs.
#[inline]
pub(super) fn skip_space(reader: &mut Reader<'_>) -> Result<()> {
    loop {
        match reader.bytes.get(reader.at) {
            Some(b' ' | b'\t' | b'\r') => reader.bump(),
            Some(b'\n') => {
                reader.bump();
                // Indentation: in pretty files most of the bytes are spaces after a line break.
                while let Some(word) = word_at(reader.bytes, reader.at) {
                    let others = word ^ 0x2020_2020_2020_2020;
                    let spaces = (others.trailing_zeros() >> 3) as usize;
                    reader.at = reader.at.saturating_add(spaces);
                    if spaces < 8 {
                        break;
                    }
                }
            }
            Some(b'/') if reader.comments => comment(reader)?,
            // A byte order mark, which is white space at the beginning and an error elsewhere.
            Some(0xef) if reader.at == 0 && reader.bytes.starts_with(b"\xef\xbb\xbf") => {
                reader.at = 3
            }
            _ => return Ok(()),
        }
    }
}

#[cold]
fn comment(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.at;
    reader.at = match reader.bytes.get(start..) {
        Some([_, b'/' | b'*', ..]) => comment_end(reader.bytes, start).ok_or_else(|| {
            Error::at(
                ErrorKind::UnexpectedEof,
                start,
                "expected `*/` at the end of the comment, found the end of the text",
            )
        })?,
        Some([_]) => {
            reader.at = start.saturating_add(1);
            return Err(reader.eof("the second character of a comment"));
        }
        _ => return Err(reader.unexpected("a value or a comment")),
    };
    Ok(())
}

/// The first comment of a text at or after an offset that is between two tokens: up to the next one,
/// of which a colon and a comma are none.
pub(crate) fn comment_at(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_space =
        |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | 0xef | 0xbb | 0xbf);
    let space = bytes.get(at..)?.iter().take_while(|byte| is_space(byte)).count();
    let start = at.checked_add(space)?;
    Some(start..comment_end(bytes, start)?)
}
