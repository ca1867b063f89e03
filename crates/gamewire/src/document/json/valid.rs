//! Whether a text is JSON as Godot reads it: the standard's, with commas after the last child, control characters
//! in strings and any digits in numbers, such as `01`, `1.` and `1e99999`.

use gamewire_core::bytes::part;
use gamewire_core::gap::blank_end;

use super::tokens::{leaf_end, missing};
use crate::document::error::{Error, Hint};

/// The token that comes next.
#[derive(PartialEq)]
enum Next {
    Value,
    /// A member or element, or the bracket at the end.
    Child,
    /// A comma, or the bracket at the end.
    Comma,
}

/// Returns where the value ends that begins at an offset.
pub(in crate::document) fn value_end(
    bytes: &[u8],
    start: usize,
    max_depth: usize,
) -> Result<usize, Error> {
    // The brackets at the ends of what is open.
    let mut open: Vec<u8> = Vec::new();
    let (mut at, mut next) = (start, Next::Value);
    loop {
        at = blank(bytes, at)?;
        let byte = bytes.get(at).copied();
        let end = open.last().copied();
        if next != Next::Value && byte == end {
            open.pop();
            (at, next) = (at + 1, Next::Comma);
        } else if next == Next::Comma {
            match (byte, end) {
                (Some(b','), Some(_)) => (at, next) = (at + 1, Next::Child),
                (_, Some(b'}')) => return Err(missing("`,` or `}`", bytes, at)),
                _ => return Err(missing("`,` or `]`", bytes, at)),
            }
            continue;
        } else if next == Next::Child && end == Some(b'}') {
            let name = string_end(bytes, at, "a name in quotes")?;
            let colon = blank(bytes, name)?;
            if bytes.get(colon) != Some(&b':') {
                return Err(missing("`:`", bytes, colon));
            }
            (at, next) = (colon + 1, Next::Value);
            continue;
        } else {
            match byte {
                Some(own @ (b'{' | b'[')) => {
                    if open.len() > max_depth {
                        let text = format!(
                            "nested deeper than max_depth, which is {max_depth}, at byte {at:#x}"
                        );
                        let error = Error::new(text).at(Some(at)).in_text(bytes);
                        return Err(error.with_hint(Hint::Depth));
                    }
                    open.push(own + 2);
                    (at, next) = (at + 1, Next::Child);
                    continue;
                }
                Some(b'"') => at = string_end(bytes, at, "a value")?,
                _ => {
                    let end = leaf_end(bytes, at)?;
                    if !is_word(part(bytes, at..end)) {
                        return Err(missing("a value", bytes, at));
                    }
                    at = end;
                }
            }
            next = Next::Comma;
        }
        if open.is_empty() {
            return Ok(at);
        }
    }
}

/// Returns the offset after white space, which no comment is.
pub(in crate::document) fn blank(bytes: &[u8], at: usize) -> Result<usize, Error> {
    if bytes.get(at).is_some_and(|byte| *byte > b' ' && *byte != b'/') {
        return Ok(at);
    }
    let end = blank_end(bytes, at);
    match part(bytes, at..end).iter().position(|byte| *byte == b'/') {
        Some(comment) => Err(missing("JSON without comments", bytes, at + comment)),
        None => Ok(end),
    }
}

/// Returns where the string ends that begins at an offset.
fn string_end(bytes: &[u8], at: usize, what: &str) -> Result<usize, Error> {
    if bytes.get(at) != Some(&b'"') {
        return Err(missing(what, bytes, at));
    }
    let end = leaf_end(bytes, at)?;
    let token = part(bytes, at..end);
    let mut rest = token;
    while let Some(next) = rest.iter().position(|byte| matches!(byte, b'\\' | 0)) {
        let place = at + token.len() - rest.len() + next;
        let escape = part(rest, next..);
        let len = match escape {
            [0, ..] => return Err(missing("a string without NUL", bytes, place)),
            [_, b'u', digits @ ..] => {
                let digits = digits.get(..4).unwrap_or_default();
                if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(missing("four hexadecimal digits after \\u", bytes, place));
                }
                6
            }
            _ => 2,
        };
        rest = part(escape, len..);
    }
    Ok(end)
}

/// Whether it is a number, `true`, `false` or `null`.
fn is_word(token: &[u8]) -> bool {
    fn digits(text: &[u8]) -> usize {
        text.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }
    if matches!(token, b"true" | b"false" | b"null") {
        return true;
    }
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let whole = digits(unsigned);
    let rest = part(unsigned, whole..);
    let (parts, rest) = match rest.strip_prefix(b".") {
        Some(after) => {
            let parts = digits(after);
            (parts, part(after, parts..))
        }
        None => (0, rest),
    };
    // `-.5` is a number, and `.5` is none.
    let has_digits = whole > 0 || parts > 0 && token.starts_with(b"-");
    has_digits
        && match rest {
            [] => true,
            [b'e' | b'E', power @ ..] => {
                let power = power.strip_prefix(b"-").or(power.strip_prefix(b"+")).unwrap_or(power);
                !power.is_empty() && digits(power) == power.len()
            }
            _ => false,
        }
}
