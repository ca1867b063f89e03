//! The white space and comments between two tokens, and which of the tokens owns them.

use crate::read::comment_at;

/// The text between a value and the next one, or the bracket.
///
/// The value owns what is before the comma, and the comments behind it that end its line; the rest belongs
/// to the next value, or to the end of the container.
#[derive(Clone, Copy)]
pub(super) struct Gap<'s> {
    /// The text before the comma; empty without one.
    pub(super) after: &'s str,
    pub(super) has_comma: bool,
    /// Comments up to the end of the line, without white space behind them.
    pub(super) line: &'s str,
    pub(super) rest: &'s str,
}

impl<'s> Gap<'s> {
    pub(super) fn of(gap: &'s str) -> Self {
        let comma = comma(gap);
        let (after, behind) = comma.and_then(|at| gap.split_at_checked(at)).unwrap_or(("", gap));
        let behind = if comma.is_some() { behind.get(1..).unwrap_or_default() } else { behind };
        let (line, rest) = behind.split_at_checked(comments(behind)).unwrap_or(("", behind));
        let (line, rest) = if ends_line(rest) { (line, rest) } else { ("", behind) };
        Gap { after, has_comma: comma.is_some(), line, rest }
    }
}

/// The length of the comments that stand one after another on the first line of a text.
pub(super) fn comments(text: &str) -> usize {
    let mut end = 0;
    while let Some(own) = comment_at(text, end)
        && is_blank(text.get(end..own.start).unwrap_or_default())
    {
        let comment = text.get(own.clone()).unwrap_or_default().trim_end();
        end = own.start.saturating_add(comment.len());
    }
    end
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether nothing stands before the end of the line.
pub(super) fn ends_line(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// The first comma outside of comments.
fn comma(gap: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let comment = comment_at(gap, from);
        let end = comment.as_ref().map_or(gap.len(), |comment| comment.start);
        let comma = gap.get(from..end).and_then(|part| part.find(','));
        match (comma, comment) {
            (Some(comma), _) => return Some(from.saturating_add(comma)),
            (None, comment) => from = comment?.end,
        }
    }
}

pub(super) fn has_comment(gap: &str) -> bool {
    gap.contains('/')
}

/// The white space of a gap, without its comments.
pub(super) fn blank(gap: &str) -> String {
    match gap.rfind('\n') {
        Some(_) if gap.trim().is_empty() => gap.to_owned(),
        Some(at) => {
            let newline = if gap.contains("\r\n") { "\r\n" } else { "\n" };
            let line = gap.get(at.saturating_add(1)..).unwrap_or_default();
            let indent = line.len().saturating_sub(line.trim_start().len());
            format!("{newline}{}", line.get(..indent).unwrap_or_default())
        }
        None => gap.chars().take_while(|c| c.is_whitespace()).collect(),
    }
}

/// The line end of the first line.
pub(super) fn newline(source: &str) -> &'static str {
    let first = source.split_once('\n').map_or("", |(line, _)| line);
    if first.ends_with('\r') { "\r\n" } else { "\n" }
}

/// Indentation of one level: that of the first line that has any.
pub(super) fn unit(source: &str) -> &str {
    let indented = source.lines().skip(1).find(|line| {
        line.starts_with([' ', '\t']) && line.trim_start().starts_with(['"', '{', '[', '/'])
    });
    indented
        .and_then(|line| line.get(..line.len().saturating_sub(line.trim_start().len())))
        .unwrap_or("    ")
}

/// The white space at the start of the line of an offset.
pub(super) fn indent(source: &str, offset: usize) -> &str {
    let before = source.get(..offset).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let line = source.get(line..).unwrap_or_default();
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}
