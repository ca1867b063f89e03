//! Text for people, and how what is foreign in it reaches a terminal.
//!
//! A pipe and a file get values as they are. A terminal would obey some of their characters, so it gets
//! those in the escapes of Rust, such as `\u{1b}`. The tool's own colours are kept apart from the text.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::ops::Range;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use gamewire::document::is_odd;

/// Turns all colours off.
const PLAIN: &str = "\x1b[0m";

/// Text, of which parts are painted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    text: String,
    /// The painted parts, in order, and the sequences that turn their colours on.
    painted: Vec<(Range<usize>, String)>,
}

impl Text {
    /// Text that a library has painted.
    pub(crate) fn of_ansi(text: &str) -> Self {
        let mut own = Text::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\x1b') {
            own.text.push_str(before);
            rest = after;
            let mut sequences = String::new();
            while let Some((code, after)) = rest.split_once('m')
                && code.strip_prefix('[').is_some_and(is_code)
            {
                sequences += &format!("\x1b{code}m");
                // Several may stand one after the other.
                rest = after.strip_prefix('\x1b').unwrap_or(after);
                if rest.len() == after.len() {
                    break;
                }
            }
            if sequences.is_empty() {
                own.text.push('\x1b');
                continue;
            }
            let (words, after) = rest.split_once(PLAIN).unwrap_or((rest, ""));
            own.push(sequences, words);
            rest = after;
        }
        own.text.push_str(rest);
        own
    }

    /// Adds a painted part.
    pub(crate) fn paint(&mut self, style: Style, part: impl fmt::Display) {
        self.push(style.render().to_string(), &part.to_string());
    }

    fn push(&mut self, sequences: String, part: &str) {
        let start = self.text.len();
        self.text.push_str(part);
        self.painted.push((start..self.text.len(), sequences));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text as a stream is to get it.
    pub(crate) fn render(&self, looks: Looks) -> String {
        if !looks.escaped {
            return self.text.clone();
        }
        let (mut shown, mut at) = (String::with_capacity(self.text.len()), 0);
        for (range, sequences) in self.painted.iter().filter(|_| looks.color) {
            escape(&mut shown, self.text.get(at..range.start).unwrap_or_default());
            shown.push_str(sequences);
            escape(&mut shown, self.text.get(range.clone()).unwrap_or_default());
            shown.push_str(PLAIN);
            at = range.end;
        }
        escape(&mut shown, self.text.get(at..).unwrap_or_default());
        shown
    }
}

impl<T: AsRef<str>> From<T> for Text {
    fn from(text: T) -> Self {
        Text { text: text.as_ref().to_owned(), painted: Vec::new() }
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

/// How a stream shows text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks {
    /// Whether people see it: a terminal, or a stream for which colours are demanded.
    pub(crate) escaped: bool,
    pub(crate) color: bool,
}

impl Looks {
    pub(crate) fn of(stream: &impl RawStream) -> Self {
        let color = AutoStream::choice(stream) != ColorChoice::Never;
        Looks { escaped: color || stream.is_terminal(), color }
    }
}

/// Whether this stands between the brackets of a sequence for colours.
fn is_code(code: &str) -> bool {
    code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
}

/// Adds text as a terminal is to get it: lines and columns stay.
fn escape(shown: &mut String, text: &str) {
    for letter in text.chars() {
        match is_odd(letter) && !matches!(letter, '\n' | '\t') {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
}

/// JSON on its way out, in which controls and marks of direction are escapes of JSON: a terminal shows
/// it, and nothing is lost.
pub(super) struct Harmless<W> {
    out: W,
    /// The beginning of a character whose end is not present yet.
    held: Vec<u8>,
}

impl<W: Write> Harmless<W> {
    pub(super) fn new(out: W) -> Self {
        Harmless { out, held: Vec::new() }
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.held.is_empty() && bytes.iter().all(|byte| *byte < 0x7f) {
            return self.out.write(bytes);
        }
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let end = match std::str::from_utf8(&held) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => held.len(),
        };
        let (whole, rest) = held.split_at_checked(end).unwrap_or((&held, &[]));
        self.held = rest.to_vec();
        let mut text = String::new();
        for letter in String::from_utf8_lossy(whole).chars() {
            match letter > '~' && is_odd(letter) {
                true => _ = write!(text, "\\u{:04x}", u32::from(letter)),
                false => text.push(letter),
            }
        }
        self.out.write_all(text.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Looks = Looks { escaped: true, color: true };

    #[test]
    fn terminals_get_colours_of_the_tool_and_escapes_of_the_rest() {
        let mut text = Text::from("a\u{1b}[31m\n\tb");
        text.paint(Style::new().bold(), "\u{9b}c\u{202e}\r");
        text.write_str("\u{7}é").unwrap();
        assert_eq!(
            text.render(SEEN),
            "a\\u{1b}[31m\n\tb\u{1b}[1m\\u{9b}c\\u{202e}\\r\u{1b}[0m\\u{7}é"
        );
        let plain = Looks { escaped: true, color: false };
        assert_eq!(text.render(plain), "a\\u{1b}[31m\n\tb\\u{9b}c\\u{202e}\\r\\u{7}é");
        let pipe = Looks { escaped: false, color: false };
        assert_eq!(text.render(pipe), "a\u{1b}[31m\n\tb\u{9b}c\u{202e}\r\u{7}é");
    }

    #[test]
    fn painted_text_of_libraries_keeps_its_colours() {
        let ansi = "x \u{1b}[1m\u{1b}[4mUsage:\u{1b}[0m y \u{1b}[31mz\u{1b}[0m";
        assert_eq!(Text::of_ansi(ansi).render(SEEN), ansi);
        assert_eq!(Text::of_ansi("\u{1b}]0;t\u{7}").render(SEEN), "\\u{1b}]0;t\\u{7}");
    }

    #[test]
    fn json_loses_nothing_by_its_escapes() {
        let text = "\"\u{7f}\u{85}\u{9b}ä\u{202e}\u{2069}\u{200f}€😀\"";
        for size in 1..=text.len() {
            let mut out = Vec::new();
            let mut harmless = Harmless::new(&mut out);
            text.as_bytes().chunks(size).for_each(|part| harmless.write_all(part).unwrap());
            let out = String::from_utf8(out).unwrap();
            assert_eq!(out, "\"\\u007f\\u0085\\u009bä\\u202e\\u2069\\u200f€😀\"");
        }
    }
}
