//! The white space and comments between two tokens of JSON text that was found valid, and which of the tokens
//! owns them.
//!
//! ```
//! use gamewire_core::gap::Gap;
//!
//! let gap = Gap::at(b"1 /* one */, // first\n  2", 1);
//! assert_eq!((gap.after, gap.has_comma), (&b" /* one */"[..], true));
//! assert_eq!((gap.line, gap.rest), (&b" // first"[..], &b"\n  "[..]));
//! ```

use crate::bytes::part;

/// The text between a value and the next one, or the bracket.
///
/// The value owns what is before the comma, and the comments behind it that end its line; the rest belongs
/// to the next value, or to the end of the container.
#[derive(Clone, Copy, Debug)]
pub struct Gap<'s> {
    /// The text before the comma; empty without one.
    pub after: &'s [u8],
    /// Whether there is a comma.
    pub has_comma: bool,
    /// Comments up to the end of the line, without white space behind them.
    pub line: &'s [u8],
    /// The text behind these.
    pub rest: &'s [u8],
}

impl<'s> Gap<'s> {
    /// Returns the gap that begins at an offset.
    pub fn at(bytes: &'s [u8], at: usize) -> Self {
        let (comma, end) = (blank_end(bytes, at), gap_end(bytes, at));
        let has_comma = comma < end;
        let after = if has_comma { part(bytes, at..comma) } else { &[] };
        let behind = if has_comma { comma.saturating_add(1) } else { at };
        let behind = part(bytes, behind..end);
        let (line, rest) = behind.split_at_checked(line_comments(behind)).unwrap_or((&[], behind));
        let (line, rest) = if ends_line(rest) { (line, rest) } else { (&[][..], behind) };
        Gap { after, has_comma, line, rest }
    }
}

/// Returns where the gap that begins at an offset ends: where the next token begins.
pub fn gap_end(bytes: &[u8], at: usize) -> usize {
    let end = blank_end(bytes, at);
    match bytes.get(end) {
        Some(b',') => blank_end(bytes, end.saturating_add(1)),
        _ => end,
    }
}

/// Returns the offset after white space, comments and a byte order mark.
#[inline]
pub fn blank_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at = at.saturating_add(1),
            Some(b'/') => match comment_end(bytes, at) {
                Some(end) => at = end,
                None => return at,
            },
            Some(0xef) if at == 0 && bytes.starts_with(b"\xef\xbb\xbf") => at = 3,
            _ => return at,
        }
    }
}

/// Returns the end of the comment that begins at an offset, with its `*/` or without its line end.
pub fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let len = match bytes.get(start..)? {
        [b'/', b'/', text @ ..] => {
            let line = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
            line.saturating_add(2)
        }
        [b'/', b'*', text @ ..] => {
            text.windows(2).position(|pair| pair == b"*/")?.saturating_add(4)
        }
        _ => return None,
    };
    start.checked_add(len)
}

/// Returns the length of the comments that stand one after another on the first line of a text.
pub fn line_comments(text: &[u8]) -> usize {
    let mut end = 0_usize;
    loop {
        let rest = part(text, end..);
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let Some(after) = comment_end(text, end.saturating_add(blank)) else { return end };
        end = part(text, ..after).trim_ascii_end().len();
    }
}

/// Returns whether nothing stands before the end of the line.
pub fn ends_line(text: &[u8]) -> bool {
    text.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'\n')
}

/// Returns whether there is a comment in a gap.
pub fn has_comment(gap: &[u8]) -> bool {
    gap.contains(&b'/')
}

/// Returns the white space of a gap, without its comments.
pub fn blank(gap: &[u8]) -> Vec<u8> {
    let spaces =
        |text: &[u8]| text.iter().copied().take_while(u8::is_ascii_whitespace).collect::<Vec<u8>>();
    match gap.iter().rposition(|byte| *byte == b'\n') {
        Some(_) if gap.trim_ascii().is_empty() => gap.to_vec(),
        Some(at) => {
            let is_windows = gap.windows(2).any(|pair| pair == b"\r\n");
            let newline: &[u8] = if is_windows { b"\r\n" } else { b"\n" };
            [newline, &spaces(part(gap, at.saturating_add(1)..))].concat()
        }
        None => spaces(gap),
    }
}
