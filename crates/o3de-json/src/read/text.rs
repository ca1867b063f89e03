//! Strings with escapes.

use super::{Reader, foreign, scan};
use crate::{Error, ErrorKind, Result};

/// The rest of a string whose plain beginning is `start..end`.
#[cold]
pub(super) fn escaped(reader: &mut Reader<'_>, start: usize, end: usize) -> Result<String> {
    let mut text = reader.between(start, end).into_owned();
    let invalid_utf8 = reader.invalid_utf8;
    rest(reader, end, |part, escape| {
        text.push_str(part);
        match escape {
            Some(c) if invalid_utf8 => foreign::push(&mut text, c),
            escape => text.extend(escape),
        }
    })?;
    Ok(text)
}

/// As [`escaped`], without the text.
pub(super) fn skip_escaped(reader: &mut Reader<'_>, end: usize) -> Result<()> {
    rest(reader, end, |_, _| {})
}

/// Plain parts and what is escaped between them, from a byte on that is not plain.
fn rest(
    reader: &mut Reader<'_>,
    mut at: usize,
    mut tell: impl FnMut(&str, Option<char>),
) -> Result<()> {
    loop {
        reader.at = at;
        match reader.bytes.get(at) {
            Some(b'"') => {
                reader.bump();
                return Ok(());
            }
            Some(b'\\') => {
                let escape = escape(reader)?;
                tell("", Some(escape));
            }
            other => return Err(refused(reader, other.copied())),
        }
        // Between two escapes the text is plain again, which is found eight bytes at a time.
        at = scan::plain_end(reader.bytes, reader.at);
        tell(&reader.between(reader.at, at), None);
    }
}

#[cold]
fn refused(reader: &Reader<'_>, found: Option<u8>) -> Error {
    match found {
        None => reader.eof("`\"` at the end of the string"),
        Some(byte) => {
            let (escape, found) = match byte {
                b'\t' => ("\\t".to_owned(), "a tab".to_owned()),
                b'\n' => ("\\n".to_owned(), "a line break".to_owned()),
                b'\r' => ("\\r".to_owned(), "a carriage return".to_owned()),
                _ => (format!("\\u{byte:04x}"), format!("the control character {byte:#04x}")),
            };
            let message = format!("expected `{escape}` in the string, found {found}");
            Error::at(ErrorKind::InvalidString, reader.at, message)
        }
    }
}

/// One escape, or two that make a character together; the next byte is a backslash.
fn escape(reader: &mut Reader<'_>) -> Result<char> {
    let start = reader.at;
    reader.bump();
    let Some(&letter) = reader.bytes.get(reader.at) else {
        return Err(reader.eof("an escape"));
    };
    reader.bump();
    Ok(match letter {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = hex(reader)?;
            let code = match unit {
                0xd800..=0xdbff => {
                    if reader.bytes.get(reader.at..reader.at.saturating_add(2)) != Some(b"\\u") {
                        return Err(lone(reader, start, unit));
                    }
                    reader.at = reader.at.saturating_add(2);
                    let low = hex(reader)?;
                    if !(0xdc00..=0xdfff).contains(&low) {
                        return Err(lone(reader, start, unit));
                    }
                    0x1_0000_u32.saturating_add((unit & 0x3ff) << 10 | low & 0x3ff)
                }
                unit => unit,
            };
            char::from_u32(code).ok_or_else(|| lone(reader, start, code))?
        }
        _ => {
            reader.at = start.saturating_add(1);
            let found = reader.found();
            return Err(Error::at(
                ErrorKind::InvalidString,
                start,
                format!("expected an escape that JSON has, found {found} after the backslash"),
            ));
        }
    })
}

fn hex(reader: &mut Reader<'_>) -> Result<u32> {
    let mut unit = 0_u32;
    for _ in 0..4 {
        let digit = match reader.bytes.get(reader.at) {
            None => return Err(reader.eof("four hexadecimal digits")),
            Some(&byte) => char::from(byte).to_digit(16),
        };
        let Some(digit) = digit else {
            return Err(Error::at(
                ErrorKind::InvalidString,
                reader.at,
                format!("expected four hexadecimal digits, found {}", reader.found()),
            ));
        };
        unit = unit << 4 | digit;
        reader.bump();
    }
    Ok(unit)
}

#[cold]
fn lone(reader: &Reader<'_>, start: usize, unit: u32) -> Error {
    if reader.at >= reader.bytes.len() {
        return reader.eof("the second of two escapes that make one character");
    }
    Error::at(
        ErrorKind::InvalidString,
        start,
        format!("expected two escapes that make one character, found `\\u{unit:04x}` alone"),
    )
}
