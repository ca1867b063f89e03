//! The white space and comments between two tokens, and which of the tokens owns them.

use super::tokens::{blank_end, comment_end};
use crate::document::ranges::part;

/// The text between a value and the next one, or the bracket.
///
/// The value owns what is before the comma, and the comments behind it that end its line; the rest belongs
/// to the next value, or to the end of the container.
#[derive(Clone, Copy)]
pub(super) struct Gap<'s> {
    /// The text before the comma; empty without one.
    pub(super) after: &'s [u8],
    pub(super) has_comma: bool,
    /// Comments up to the end of the line, without white space behind them.
    pub(super) line: &'s [u8],
    pub(super) rest: &'s [u8],
}

/// Returns where the gap that begins at an offset ends: where the next token begins.
pub(super) fn gap_end(bytes: &[u8], at: usize) -> usize {
    let end = blank_end(bytes, at);
    if bytes.get(end) == Some(&b',') { blank_end(bytes, end + 1) } else { end }
}

impl<'s> Gap<'s> {
    /// The gap that begins at an offset.
    pub(super) fn at(bytes: &'s [u8], at: usize) -> Self {
        let comma = blank_end(bytes, at);
        let end = gap_end(bytes, at);
        let has_comma = comma < end;
        let (after, behind) = match has_comma {
            true => (part(bytes, at..comma), part(bytes, comma + 1..end)),
            false => (&[][..], part(bytes, at..end)),
        };
        let (line, rest) = behind.split_at_checked(line_comments(behind)).unwrap_or((&[], behind));
        let (line, rest) = if ends_line(rest) { (line, rest) } else { (&[][..], behind) };
        Gap { after, has_comma, line, rest }
    }
}

/// The length of the comments that stand one after another on the first line of a gap.
fn line_comments(gap: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let rest = part(gap, end..);
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let Some(after) = comment_end(gap, end + blank) else { return end };
        end = part(gap, ..after).trim_ascii_end().len();
    }
}

/// Returns whether nothing stands before the end of the line.
pub(super) fn ends_line(text: &[u8]) -> bool {
    text.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'\n')
}

pub(super) fn has_comment(gap: &[u8]) -> bool {
    gap.contains(&b'/')
}

/// Returns the white space of a gap, without its comments.
pub(super) fn blank(gap: &[u8]) -> Vec<u8> {
    let spaces = |text: &[u8]| {
        let end = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
        part(text, ..end).to_vec()
    };
    match gap.iter().rposition(|byte| *byte == b'\n') {
        Some(_) if gap.trim_ascii().is_empty() => gap.to_vec(),
        Some(at) => {
            let newline: &[u8] =
                if gap.windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
            [newline, &spaces(part(gap, at + 1..))].concat()
        }
        None => spaces(gap),
    }
}
