//! The table for terminals and files.
//!
//! ```text
//! offset    bytes                    meaning                  value
//! 00000008  04 00 00 00                [0]: String            "Åsa"
//! ```
//!
//! A space in which spans begin inside of bytes has bits for offsets, and digits of bits:
//!
//! ```text
//! offset      bits                     meaning                  value
//! 00000004    1                          m_on: bool             true
//! 00000004.1  0000000                    padding
//! ```

use std::fmt::{self, Write};

use super::explanation::{Explanation, Failure};
use super::place::name;
use super::span::{Role, Span, offset};
use crate::Notation;
use crate::words::Count;

/// The widest line, in columns.
const WIDTH: usize = 120;
/// The narrowest table; terminals with fewer columns break the lines.
const MIN_WIDTH: usize = 72;
/// Columns that values have at least.
const VALUE: usize = 16;
/// Bytes per line, and the most lines for one span.
const PER_LINE: usize = 8;
const MAX_LINES: usize = 4;
/// Columns of the hex digits: three for each byte, without the last space.
const HEX: usize = 23;
/// The narrowest and widest column of meanings.
const NARROW: usize = 24;
const WIDE: usize = 46;
/// The deepest value that is indented; below it the depth is a number.
const MAX_INDENTS: usize = 12;

impl<E: Failure> Explanation<E> {
    /// A table of plain text, at most 120 columns wide: offset, bytes, meaning and value of each
    /// span, one table for each space. Where a span is not whole bytes, its bits are shown, the
    /// highest first.
    pub fn to_text(&self) -> String {
        self.to_text_in(Some(WIDTH), false)
    }

    /// [`to_text`](Self::to_text) for a terminal with this number of columns, at least 72, and with ANSI
    /// colours if `color` says so. Text that does not fit is cut off, with `…` in its place, and notes
    /// continue below.
    ///
    /// Without a number of columns, nothing is cut off: the table is for other programs, and some of its
    /// lines are long.
    pub fn to_text_in(&self, columns: Option<usize>, color: bool) -> String {
        tables(self, columns.map(|own| own.max(MIN_WIDTH)), color)
    }
}

impl<E: Failure> fmt::Display for Explanation<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

fn tables<E: Failure>(explanation: &Explanation<E>, width: Option<usize>, color: bool) -> String {
    let notation = explanation.notation;
    let mut table = Table {
        text: String::new(),
        color,
        offset: 0,
        column: 0,
        right: 0,
        is_cut: width.is_some(),
        is_bits: false,
        notation,
    };
    let width = width.unwrap_or(WIDTH);
    for (index, space) in explanation.spaces.iter().enumerate() {
        let spans = explanation.spans_in(index);
        table.is_bits = spans.iter().any(|span| !span.is_aligned());
        let digits = format!("{:x}", space.bytes.len()).len().max(8);
        table.offset = digits.saturating_add(if table.is_bits { 2 } else { 0 });
        table.right = width.saturating_sub(table.offset).saturating_sub(HEX).saturating_sub(4);
        let most = table.right.saturating_sub(VALUE).saturating_sub(2);
        table.column = meaning_column(spans, notation).min(most);
        if index > 0 {
            let title = format!("{}, {}:", space.name, Count(space.bytes.len(), "byte"));
            table.line(STRONG, &title);
            table.text.push('\n');
        }
        table.head();
        spans.iter().for_each(|span| table.span(span, explanation.bytes_of(span)));
    }
    if let Some(error) = explanation.error() {
        table.line(WRONG, &format!("error: {error}"));
    }
    let unlisted = explanation.unlisted();
    if unlisted > 0 {
        table.line(ODD, &format!("{} left out", Count(unlisted, "other byte")));
    }
    table.text
}

/// Wide enough for all but the longest meanings: one in 32 may push its value to the right.
fn meaning_column(spans: &[Span], notation: Notation) -> usize {
    let labels =
        spans.iter().filter(|span| !span.note.value.is_empty()).map(|span| label(span, notation));
    let mut widths: Vec<usize> = labels.map(|label| columns(&label)).collect();
    widths.sort_unstable();
    let most = widths.len().saturating_sub(1).saturating_sub(widths.len() / 32);
    widths.get(most).copied().unwrap_or(0).saturating_add(2).clamp(NARROW, WIDE)
}

struct Table {
    text: String,
    color: bool,
    /// Columns of an offset.
    offset: usize,
    /// Columns of the meanings.
    column: usize,
    /// Columns of all that stands right of the bytes.
    right: usize,
    /// Whether what does not fit there is cut off.
    is_cut: bool,
    /// Whether offsets have room for a bit.
    is_bits: bool,
    notation: Notation,
}

impl Table {
    /// A separate line, with an empty one before it.
    fn line(&mut self, style: Style, text: &str) {
        self.text.push('\n');
        self.paint(style, text);
        self.text.push('\n');
    }

    fn head(&mut self) {
        let (offset, column) = (self.offset, self.column);
        let bytes = if self.is_bits { "bits" } else { "bytes" };
        let head =
            format!("{:<offset$}  {bytes:<HEX$}  {:<column$}  {}", "offset", "meaning", "value");
        self.paint(FAINT, &head);
        self.text.push('\n');
    }

    fn span(&mut self, span: &Span, bytes: &[u8]) {
        let mut cells = cells(span, bytes);
        let cut = cells.len() > MAX_LINES;
        cells.truncate(MAX_LINES);
        let shown = cells.len();
        let mut cells = cells.into_iter();
        let mut says = self.says(span).into_iter();
        let mut at = span.offset();
        let mut line = 0usize;
        loop {
            let (digits, words) = (cells.next(), says.next());
            if line > 0 && digits.is_none() && words.is_none() {
                return;
            }
            line = line.saturating_add(1);
            let address = self.address(span, at, line, digits.is_some());
            at = at.saturating_add(PER_LINE);
            let end = if cut && line == shown { "…" } else { "" };
            self.paint(FAINT, &address);
            self.text.push_str("  ");
            self.paint(style_of(span.note.role), &format!("{:<HEX$} ", digits.unwrap_or_default()));
            self.paint(FAINT, &format!("{end:<1}"));
            for (style, words) in words.unwrap_or_default() {
                self.paint(style, &words);
            }
            let end = self.text.trim_end_matches(' ').len();
            self.text.truncate(end);
            self.text.push('\n');
        }
    }

    /// The offset before a line of a span.
    fn address(&self, span: &Span, at: usize, line: usize, has_digits: bool) -> String {
        let width = self.offset.saturating_sub(if self.is_bits { 2 } else { 0 });
        let address = match span.start & 7 {
            // The first line has the highest bits, so the others begin nowhere in particular.
            _ if line > 1 && (!has_digits || !span.is_aligned()) => String::new(),
            0 => format!("{at:0width$x}"),
            bit => format!("{at:0width$x}.{bit}"),
        };
        format!("{address:<all$}", all = self.offset)
    }

    /// The text right of the bytes, line by line, in pieces of one style.
    fn says(&self, span: &Span) -> Vec<Vec<(Style, String)>> {
        let label = label(span, self.notation);
        let right = self.right;
        let notes = span.notes();
        if span.note.role == Role::Error {
            let indent = label.len().saturating_sub(label.trim_start().len());
            return wrapped(label.trim_start(), right.saturating_sub(indent))
                .into_iter()
                .map(|line| vec![(WRONG, " ".repeat(indent)), (WRONG, line)])
                .collect();
        }
        let style = match (span.note.role, style_of(span.note.role)) {
            (Role::Header, _) => STRONG,
            (Role::Compressed, _) => FAINT,
            (_, FAINT) => FAINT,
            (_, ODD) => ODD,
            _ => PLAIN,
        };
        let has_value = !span.note.value.is_empty();
        let most = if has_value { right.saturating_sub(VALUE).saturating_sub(2) } else { right };
        let label = self.fitted(&label, most);
        let free = self.column.saturating_sub(columns(&label));
        let used = columns(&label);
        let mut line = vec![(style, label)];
        let mut left = right.saturating_sub(self.column.max(used)).saturating_sub(2);
        if has_value {
            let value = self.fitted(&span.note.value, left);
            left = left.saturating_sub(columns(&value)).saturating_sub(2);
            line.push((PLAIN, " ".repeat(free.saturating_add(2))));
            line.push((style_of(span.note.role), value));
        } else if !notes.is_empty() {
            line.push((PLAIN, " ".repeat(free)));
        }
        let mut lines = vec![line];
        if !notes.is_empty() {
            let note = format!("  · {notes}");
            if columns(&note) <= left {
                lines.last_mut().into_iter().for_each(|line| line.push((ODD, note.clone())));
                return lines;
            }
            let indent = self.column.saturating_sub(2);
            let room = right.saturating_sub(indent).saturating_sub(4);
            let parts = if self.is_cut { wrapped(notes, room) } else { vec![notes.to_owned()] };
            for (index, part) in parts.into_iter().enumerate() {
                let mark = if index == 0 { "  · " } else { "    " };
                let space = (PLAIN, " ".repeat(indent));
                lines.push(vec![space, (ODD, format!("{mark}{part}"))]);
            }
        }
        lines
    }

    /// The text, as far as there is room for it.
    fn fitted(&self, text: &str, most: usize) -> String {
        if self.is_cut { shortened(text, most) } else { text.to_owned() }
    }

    fn paint(&mut self, style: Style, text: &str) {
        if style.is_empty() || !self.color || text.trim().is_empty() {
            return self.text.push_str(text);
        }
        let end = text.trim_end_matches(' ').len();
        let (words, space) = text.split_at_checked(end).unwrap_or((text, ""));
        // Writing to a string cannot fail.
        let _ = write!(self.text, "\x1b[{style}m{words}\x1b[0m{space}");
    }
}

/// The parameters of an ANSI sequence, if there is one.
type Style = &'static str;

const PLAIN: Style = "";
const FAINT: Style = "2";
const STRONG: Style = "1";
const TEXT: Style = "32";
const NUMBER: Style = "36";
const SIZE: Style = "34";
const TYPE: Style = "35";
const ODD: Style = "33";
const WRONG: Style = "1;31";

/// The style of the bytes and of the value.
fn style_of(role: Role) -> Style {
    match role {
        Role::Header | Role::Magic => STRONG,
        Role::Type | Role::Key => TYPE,
        Role::Text | Role::Comment => TEXT,
        Role::Data | Role::Checksum => NUMBER,
        Role::Length | Role::Count | Role::Flags => SIZE,
        Role::Unused | Role::Unknown => ODD,
        Role::Error => WRONG,
        Role::Compressed => PLAIN,
        Role::End | Role::Padding | Role::Separator | Role::NotReached | Role::Omitted => FAINT,
    }
}

/// Lines of digits, one more than are shown if there are more: hexadecimal for whole bytes, bits
/// with the highest first for others.
fn cells(span: &Span, bytes: &[u8]) -> Vec<String> {
    let more = MAX_LINES.saturating_add(1);
    if span.is_aligned() {
        let line = |line: &[u8]| {
            let digits: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
            digits.join(" ")
        };
        return bytes.chunks(PER_LINE).take(more).map(line).collect();
    }
    let first = span.start & 7;
    let count = span.end.saturating_sub(span.start);
    let bits = (first..first.saturating_add(count)).map(|bit| {
        let byte = bytes.get(offset(bit)).copied().unwrap_or(0);
        if byte >> (bit & 7) & 1 != 0 { '1' } else { '0' }
    });
    let mut bits: Vec<char> = bits.take(HEX.saturating_mul(more)).collect();
    bits.reverse();
    bits.chunks(HEX).map(|line| line.iter().collect()).collect()
}

/// The meaning of a span, indented; for a value its name and type.
fn label(span: &Span, notation: Notation) -> String {
    let mut label = match span.depth() {
        depth @ 0..=MAX_INDENTS => "  ".repeat(depth),
        depth => format!("{depth:>23}› "),
    };
    if !span.note.kind.is_empty() {
        if let Some((_, segment)) = span.place.step() {
            label.push_str(&name(segment, notation));
            label.push_str(": ");
        }
        label.push_str(&span.note.kind);
        if !span.note.meaning.is_empty() {
            label.push_str(", ");
        }
    }
    label.push_str(&span.note.meaning);
    label
}

/// Columns of a terminal.
fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Two columns for East Asian letters and pictures, as terminals show them.
fn width(character: char) -> usize {
    match u32::from(character) {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The text, with its end cut off if it does not fit.
fn shortened(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let mut short = String::new();
    for character in text.chars() {
        match left.checked_sub(width(character)) {
            Some(rest) => left = rest,
            None => break,
        }
        short.push(character);
    }
    short.push('…');
    short
}

/// The words in lines that fit.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        let together = columns(line).saturating_add(columns(word)).saturating_add(1);
        if line.is_empty() {
            line.push_str(word);
        } else if together <= most {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
