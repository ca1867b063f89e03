//! How a text is laid out, and new values with it.

use std::ops::Range;

use gamewire_core::bytes::part;

use super::tokens::{Strings, Tokens};
use crate::document::error::Error;
#[cfg(feature = "godot-variant")]
use crate::document::godot::nested::Blobs;

/// How a text is laid out.
#[derive(Clone, Debug)]
pub(in crate::document) struct Style {
    newline: &'static [u8],
    /// Indentation of one level: that of the first line that has any.
    unit: Vec<u8>,
    is_one_line: bool,
    /// Whether no space stands between tokens.
    is_tight: bool,
    /// How each value is laid out, of a text that has one in each line.
    line: Option<Box<Style>>,
    #[cfg(feature = "godot-variant")]
    pub(in crate::document) blobs: Blobs,
}

/// How a new value is laid out.
#[derive(Clone, Debug)]
pub(super) enum Spread {
    Inline,
    /// On its own lines, with this indentation.
    Lines(Vec<u8>),
}

impl Style {
    /// That of a text.
    pub(in crate::document) fn of(text: &[u8]) -> Self {
        let mut lines = text.split(|byte| *byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let unit = lines.find_map(|line| {
            let len = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let (unit, rest) = line.split_at_checked(len)?;
            (len > 0 && matches!(rest.first(), Some(b'"' | b'{' | b'[' | b'/'))).then_some(unit)
        });
        Style {
            newline: match first.last() {
                Some(b'\r') if first.len() < text.len() => b"\r\n",
                _ => b"\n",
            },
            unit: unit.unwrap_or(b"    ").to_vec(),
            is_one_line: !text.trim_ascii_end().contains(&b'\n'),
            is_tight: false,
            line: None,
            #[cfg(feature = "godot-variant")]
            blobs: Blobs::default(),
        }
    }

    /// That of a text of Godot, which has no space on one line.
    #[cfg(feature = "godot-variant")]
    pub(in crate::document) fn of_godot(text: &[u8]) -> Self {
        let own = Style::of(text);
        let colon = text.windows(2).find(|pair| pair.starts_with(b":"));
        let is_tight = own.is_one_line && colon.is_none_or(|pair| pair != b": ");
        Style { is_tight, ..own }
    }

    /// That of a text with a value in each line.
    #[cfg(feature = "godot-variant")]
    pub(in crate::document) fn of_lines(text: &[u8]) -> Self {
        let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = Some(Box::new(Style::of_godot(first)));
        Style { line, ..Style::of(text) }
    }

    /// Returns how each value is laid out, of a text that has one in each line.
    pub(in crate::document) fn of_line(&self) -> Option<&Style> {
        self.line.as_deref()
    }

    pub(super) fn line_end(&self) -> &'static [u8] {
        self.newline
    }

    /// Returns what stands between a name and its value.
    pub(super) fn colon(&self) -> &'static [u8] {
        if self.is_tight { b":" } else { b": " }
    }

    /// Returns the space after a comma on one line.
    pub(super) fn space(&self) -> &'static [u8] {
        if self.is_tight { b"" } else { b" " }
    }

    /// A new line with an indentation.
    pub(super) fn line(&self, indent: &[u8]) -> Vec<u8> {
        [self.newline, indent].concat()
    }

    /// How a value is laid out that stands alone with an indentation.
    pub(super) fn spread(&self, indent: &[u8]) -> Spread {
        if self.is_one_line { Spread::Inline } else { Spread::Lines(indent.to_vec()) }
    }

    /// The same one level deeper.
    pub(super) fn spread_inside(&self, indent: &[u8]) -> Spread {
        self.spread(&[indent, &self.unit].concat())
    }

    /// Writes the value that begins at an offset of a text, without comments.
    pub(super) fn lay_out(
        &self,
        out: &mut Vec<u8>,
        (text, start): (&[u8], usize),
        strings: &impl Strings,
        spread: &Spread,
    ) -> Result<(), Error> {
        let told = each_laid_out(text, start, |part| {
            match (part, spread) {
                (Laid::Comma, Spread::Inline) => out.extend([b",", self.space()].concat()),
                (Laid::Comma, Spread::Lines(_)) => out.push(b','),
                (Laid::Line(_), Spread::Inline) => {}
                (Laid::Line(depth), Spread::Lines(base)) => {
                    out.extend_from_slice(self.newline);
                    out.extend_from_slice(base);
                    (0..depth).for_each(|_| out.extend_from_slice(&self.unit));
                }
                (Laid::Text(token), _) => out.extend_from_slice(&strings.spelled(token)?),
                (Laid::Token(b": "), _) => out.extend_from_slice(self.colon()),
                (Laid::Token(token), _) => out.extend_from_slice(token),
            }
            Ok(true)
        });
        told.map(drop)
    }
}

/// A part of a value that is laid out anew.
pub(in crate::document) enum Laid<'t> {
    Comma,
    /// A new line, at this depth.
    Line(usize),
    /// A name or a string.
    Text(&'t [u8]),
    /// Anything else.
    Token(&'t [u8]),
}

/// Tells the parts of the value that begins at an offset of a text, until a function has enough. Returns whether it was
/// told all.
pub(in crate::document) fn each_laid_out<'t>(
    text: &'t [u8],
    start: usize,
    mut tell: impl FnMut(Laid<'t>) -> Result<bool, Error>,
) -> Result<bool, Error> {
    /// A container that is open.
    struct Level {
        is_object: bool,
        is_empty: bool,
        /// Whether the value of a member comes next.
        is_named: bool,
    }
    let mut levels: Vec<Level> = Vec::new();
    Tokens::new(text, start).each(|token| {
        if let b"}" | b"]" = token {
            let is_empty = levels.pop().is_none_or(|level| level.is_empty);
            return Ok((is_empty || tell(Laid::Line(levels.len()))?) && tell(Laid::Token(token))?);
        }
        let depth = levels.len();
        let mut is_name = false;
        if let Some(level) = levels.last_mut()
            && !std::mem::take(&mut level.is_named)
        {
            let is_first = std::mem::take(&mut level.is_empty);
            (is_name, level.is_named) = (level.is_object, level.is_object);
            if !(is_first || tell(Laid::Comma)?) || !tell(Laid::Line(depth))? {
                return Ok(false);
            }
        }
        if let b"{" | b"[" = token {
            levels.push(Level { is_object: token == b"{", is_empty: true, is_named: false });
        }
        let is_text = token.starts_with(b"\"");
        let goes_on = tell(if is_text { Laid::Text(token) } else { Laid::Token(token) })?;
        Ok(goes_on && (!is_name || tell(Laid::Token(b": "))?))
    })
}

/// Returns the white space at the start of the line of an offset. `line` has the line that was looked up last, as far
/// as it is known: a text may be one line.
pub(super) fn indent<'t>(text: &'t [u8], offset: usize, line: &mut Range<usize>) -> &'t [u8] {
    if !(line.start..=line.end).contains(&offset) {
        let from = if offset > line.end { line.end } else { 0 };
        let between = part(text, from..offset);
        match between.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => line.start = from + at + 1,
            None if from == 0 => line.start = 0,
            None => {}
        }
        line.end = offset;
    }
    let rest = part(text, line.start..);
    let len = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    part(rest, ..len)
}
