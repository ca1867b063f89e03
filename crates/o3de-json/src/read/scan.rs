//! Passing over: white space, comments, plain text, whole values. Eight bytes at a time where that
//! pays.

use super::{Kind, Reader};
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

#[inline]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The high bit of each byte that ends plain text. Bytes above the first marked one may be marked
/// wrongly, the first never is.
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
                // Indentation.
                while word_at(reader.bytes, reader.at) == Some(0x2020_2020_2020_2020) {
                    reader.at = reader.at.saturating_add(8);
                }
            }
            Some(b'/') if reader.comments => comment(reader)?,
            _ => return Ok(()),
        }
    }
}

#[cold]
fn comment(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.at;
    let rest = reader.bytes.get(start..).unwrap_or_default();
    let length = match rest {
        [_, b'/', text @ ..] => {
            let line = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
            line.saturating_add(2)
        }
        [_, b'*', text @ ..] => {
            let end = text.windows(2).position(|pair| pair == b"*/").ok_or_else(|| {
                Error::at(
                    ErrorKind::UnexpectedEof,
                    start,
                    "expected `*/` at the end of the comment, found the end of the text",
                )
            })?;
            end.saturating_add(4)
        }
        _ => return Err(reader.unexpected("a value or a comment")),
    };
    reader.at = start.saturating_add(length);
    Ok(())
}

/// One value with all that is in it, without recursion.
pub(super) fn skip_value(reader: &mut Reader<'_>) -> Result<()> {
    let base = reader.depth;
    // For each open container, whether it is an object; 64 of them without the heap.
    let mut low: u64 = 0;
    let mut more: Vec<u64> = Vec::new();
    loop {
        // A value.
        let byte = reader.peek()?;
        let mut first = match Kind::of(byte) {
            Some(Kind::String) => reader.skip_string().map(|()| false)?,
            Some(Kind::Number) => super::number::skip(reader).map(|()| false)?,
            Some(Kind::Null) => reader.literal("null").map(|()| false)?,
            Some(Kind::Bool) => reader.bool().map(|_| false)?,
            Some(kind) => {
                let level = reader.depth.saturating_sub(base);
                if level > 0 && level.is_multiple_of(64) {
                    more.push(low);
                    low = 0;
                }
                reader.open()?;
                low = low << 1 | u64::from(kind == Kind::Object);
                true
            }
            None => return Err(reader.unexpected("a value")),
        };
        // Up to the next value.
        loop {
            let level = reader.depth.saturating_sub(base);
            if level == 0 {
                return Ok(());
            }
            if low & 1 == 1 {
                if reader.next_member(&mut first)? {
                    reader.skip_string()?;
                    reader.colon()?;
                    break;
                }
            } else if reader.next_element(&mut first)? {
                break;
            }
            first = false;
            low >>= 1;
            let level = reader.depth.saturating_sub(base);
            if level > 0 && level.is_multiple_of(64) {
                low = more.pop().unwrap_or_default();
            }
        }
    }
}
