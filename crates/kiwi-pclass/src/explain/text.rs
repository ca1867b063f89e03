//! The table for terminals and files.
//!
//! ```text
//! offset      bits                     meaning                  value
//! 00000004    1                          m_on: bool             true
//! ```

use std::fmt::Write;

use super::{Explanation, Role, Span};

/// The widest line, in columns.
const WIDTH: usize = 120;
/// Bytes per line, and the most lines for one span.
const PER_LINE: usize = 8;
const MOST_LINES: usize = 4;
/// Columns of the hex digits: three for each byte, without the last space.
const HEX: usize = 23;
/// The narrowest and widest column of meanings.
const NARROW: usize = 24;
const WIDE: usize = 46;
/// The deepest value that is indented; below it the depth is a number.
const MOST_INDENTS: usize = 12;

pub(super) fn table(explanation: &Explanation, color: bool) -> String {
    let column = meaning_column(&explanation.spans);
    let offset = format!("{:x}", explanation.bytes.len()).len().max(8).saturating_add(2);
    let mut table = Table { text: String::new(), color, offset, column };
    table.head();
    let mut inflated = false;
    for span in explanation.spans() {
        if span.is_inflated() && !inflated {
            inflated = true;
            table.text.push('\n');
            table.paint(Style::Faint, "inflated");
            table.text.push('\n');
        }
        table.span(span, explanation.bytes_of(span));
    }
    if let Some(error) = explanation.error() {
        table.text.push('\n');
        table.paint(Style::Wrong, &format!("error: {error}"));
        table.text.push('\n');
    }
    table.text
}

/// Wide enough for all but the longest meanings: one in 32 may push its value to the right.
fn meaning_column(spans: &[Span]) -> usize {
    let labels = spans.iter().filter(|span| !span.value.is_empty()).map(label);
    let mut widths: Vec<usize> = labels.map(|label| columns(&label)).collect();
    widths.sort_unstable();
    let most = widths.len().saturating_sub(1).saturating_sub(widths.len() / 32);
    widths.get(most).copied().unwrap_or(0).saturating_add(2).clamp(NARROW, WIDE)
}

struct Table {
    text: String,
    color: bool,
    /// Digits of an offset.
    offset: usize,
    /// Columns of the meanings.
    column: usize,
}

impl Table {
    fn head(&mut self) {
        let (offset, column) = (self.offset, self.column);
        let head =
            format!("{:<offset$}  {:<HEX$}  {:<column$}  {}", "offset", "bits", "meaning", "value");
        self.paint(Style::Faint, &head);
        self.text.push('\n');
    }

    fn span(&mut self, span: &Span, bytes: &[u8]) {
        let cells = cells(span, bytes);
        let shown = cells.len().min(MOST_LINES);
        let cut = cells.len() > MOST_LINES;
        let mut cells = cells.into_iter().take(shown);
        let mut says = self.says(span).into_iter();
        let mut at = span.bit_offset() >> 3;
        let mut line = 0usize;
        loop {
            let (digits, words) = (cells.next(), says.next());
            if line > 0 && digits.is_none() && words.is_none() {
                return;
            }
            line = line.saturating_add(1);
            let width = self.offset.saturating_sub(2);
            let bit = span.bit_offset() & 7;
            let offset = match digits {
                // The first line has the highest bits, so the others begin nowhere in particular.
                _ if line > 1 && !span.is_aligned() => " ".repeat(self.offset),
                _ if line == 1 && bit != 0 => format!("{at:0width$x}.{bit}"),
                Some(_) => format!("{at:0width$x}  "),
                None if line == 1 => format!("{at:0width$x}  "),
                None => " ".repeat(self.offset),
            };
            at = at.saturating_add(if digits.is_some() { PER_LINE } else { 0 });
            let mut digits = digits.unwrap_or_default();
            digits.push(' ');
            let end = if cut && line == shown { "…" } else { "" };
            self.paint(Style::Faint, &offset);
            self.text.push_str("  ");
            let width = HEX.saturating_add(1);
            self.paint(Style::of(span.role), &format!("{digits:<width$}"));
            self.paint(Style::Faint, &format!("{end:<1}"));
            for (style, words) in words.unwrap_or_default() {
                self.paint(style, &words);
            }
            let end = self.text.trim_end_matches(' ').len();
            self.text.truncate(end);
            self.text.push('\n');
        }
    }

    /// What stands right of the bytes, line by line, in pieces of one style.
    fn says(&self, span: &Span) -> Vec<Vec<(Style, String)>> {
        let label = label(span);
        let right = WIDTH.saturating_sub(self.offset).saturating_sub(HEX).saturating_sub(4);
        let notes = notes(span);
        if span.role == Role::Error {
            let indent = label.len().saturating_sub(label.trim_start().len());
            return wrapped(label.trim_start(), right.saturating_sub(indent))
                .into_iter()
                .map(|line| vec![(Style::Wrong, " ".repeat(indent)), (Style::Wrong, line)])
                .collect();
        }
        let style = match span.role {
            Role::Header => Style::Strong,
            Role::Padding | Role::NotReached | Role::Omitted | Role::Compressed => Style::Faint,
            Role::Unknown => Style::Odd,
            _ => Style::Plain,
        };
        let free = self.column.saturating_sub(columns(&label));
        let label_columns = columns(&label);
        let mut line = vec![(style, label)];
        let mut left = right.saturating_sub(self.column.max(label_columns)).saturating_sub(2);
        if !span.value.is_empty() {
            let value = shortened(&span.value, left);
            left = left.saturating_sub(columns(&value)).saturating_sub(2);
            line.push((Style::Plain, " ".repeat(free.saturating_add(2))));
            line.push((Style::of(span.role), value));
        } else if !notes.is_empty() {
            line.push((Style::Plain, " ".repeat(free)));
        }
        let mut lines = vec![line];
        if !notes.is_empty() {
            let note = format!("  · {notes}");
            if columns(&note) > left {
                let indent = self.column.saturating_sub(2);
                lines.push(vec![(Style::Plain, " ".repeat(indent))]);
            }
            if let Some(line) = lines.last_mut() {
                line.push((Style::Odd, note));
            }
        }
        lines
    }

    fn paint(&mut self, style: Style, text: &str) {
        match style.code().filter(|_| self.color && !text.trim().is_empty()) {
            Some(code) => {
                let end = text.trim_end_matches(' ').len();
                let (words, space) = text.split_at_checked(end).unwrap_or((text, ""));
                // Writing to a string cannot fail.
                let _ = write!(self.text, "\x1b[{code}m{words}\x1b[0m{space}");
            }
            None => self.text.push_str(text),
        }
    }
}

#[derive(Clone, Copy)]
enum Style {
    Plain,
    Faint,
    Strong,
    Text,
    Number,
    Size,
    Type,
    Odd,
    Wrong,
}

impl Style {
    fn of(role: Role) -> Style {
        match role {
            Role::Header | Role::Magic => Style::Strong,
            Role::Type => Style::Type,
            Role::Text => Style::Text,
            Role::Data => Style::Number,
            Role::Length | Role::Count | Role::Flags => Style::Size,
            Role::Unknown => Style::Odd,
            Role::Error => Style::Wrong,
            Role::Padding | Role::NotReached | Role::Omitted | Role::Compressed => Style::Faint,
        }
    }

    /// Parameters of the ANSI sequence.
    fn code(self) -> Option<&'static str> {
        match self {
            Style::Plain => None,
            Style::Faint => Some("2"),
            Style::Strong => Some("1"),
            Style::Text => Some("32"),
            Style::Number => Some("36"),
            Style::Size => Some("34"),
            Style::Type => Some("35"),
            Style::Odd => Some("33"),
            Style::Wrong => Some("1;31"),
        }
    }
}

/// Lines of digits: hexadecimal for whole bytes, bits with the highest first for others.
pub(super) fn cells(span: &Span, bytes: &[u8]) -> Vec<String> {
    if span.is_aligned() {
        let most = MOST_LINES.saturating_add(1).saturating_mul(PER_LINE);
        let bytes = bytes.get(..most).unwrap_or(bytes);
        return bytes
            .chunks(PER_LINE)
            .map(|line| {
                let digits: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
                digits.join(" ")
            })
            .collect();
    }
    let first = span.bit_offset() & 7;
    let bits = (first..first.saturating_add(span.len())).map(|bit| {
        let byte = bytes.get(bit >> 3).copied().unwrap_or(0);
        if byte >> (bit & 7) & 1 != 0 { '1' } else { '0' }
    });
    let mut bits: Vec<char> = bits.take(HEX.saturating_mul(MOST_LINES)).collect();
    bits.reverse();
    bits.chunks(HEX).map(|line| line.iter().collect()).collect()
}

/// The meaning, indented.
fn label(span: &Span) -> String {
    let meaning = span.meaning.split(" · ").next().unwrap_or_default();
    match span.depth() {
        depth @ 0..=MOST_INDENTS => "  ".repeat(depth) + meaning,
        depth => format!("{depth:>23}› {meaning}"),
    }
}

/// What the meaning says besides.
fn notes(span: &Span) -> &str {
    span.meaning.split_once(" · ").map_or("", |(_, notes)| notes)
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
