//! Text for people, and how what is foreign in it reaches a terminal.
//!
//! A terminal would obey some characters of values and names, and so would the page that shows the log of a
//! pipe: both get those in the escapes of Rust, such as `\u{1b}`. The tool's own colours are kept apart from the text.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::ops::Range;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use gamewire::document::is_control_or_bidi;

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

/// Adds text as it is to be shown: lines and columns stay.
fn escape(shown: &mut String, text: &str) {
    for letter in text.chars() {
        match is_control_or_bidi(letter) && !matches!(letter, '\n' | '\t') {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
}

/// A name of a file on a line of text, which it neither ends nor makes a command of.
pub(crate) trait Shown {
    fn shown(&self) -> String;
}

impl<T: AsRef<OsStr> + ?Sized> Shown for T {
    fn shown(&self) -> String {
        let name = self.as_ref().to_string_lossy();
        // Which the pages that show logs obey at the beginning of a line.
        let is_command = ["::", "##["].iter().any(|word| name.starts_with(word));
        let mut shown = if is_command { "./".to_owned() } else { String::new() };
        for letter in name.chars() {
            match is_control_or_bidi(letter) {
                true => shown.extend(letter.escape_default()),
                false => shown.push(letter),
            }
        }
        shown
    }
}

/// Text or JSON on its way out, in which what a terminal would obey is an escape. Of JSON, nothing is lost.
pub(super) struct Harmless<W> {
    out: W,
    is_json: bool,
    /// The beginning of a character whose end is not present yet.
    held: Vec<u8>,
}

impl<W: Write> Harmless<W> {
    pub(super) fn new(out: W) -> Self {
        Harmless { out, is_json: true, held: Vec::new() }
    }

    pub(super) fn text(out: W) -> Self {
        Harmless { is_json: false, ..Harmless::new(out) }
    }

    fn is_fine(&self, byte: u8) -> bool {
        byte < 0x7f && (self.is_json || byte >= b' ' || matches!(byte, b'\n' | b'\t'))
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.held.is_empty() && bytes.iter().all(|byte| self.is_fine(*byte)) {
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
        let whole = String::from_utf8_lossy(whole);
        match self.is_json {
            false => escape(&mut text, &whole),
            true => {
                for letter in whole.chars() {
                    match letter > '~' && is_control_or_bidi(letter) {
                        true => {
                            for unit in letter.encode_utf16(&mut [0; 2]) {
                                _ = write!(text, "\\u{unit:04x}");
                            }
                        }
                        false => text.push(letter),
                    }
                }
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
        assert_eq!(text.render(pipe), text.render(plain), "a log may be shown by a page");
    }

    #[test]
    fn painted_text_of_libraries_keeps_its_colours() {
        let ansi = "x \u{1b}[1m\u{1b}[4mUsage:\u{1b}[0m y \u{1b}[31mz\u{1b}[0m";
        assert_eq!(Text::of_ansi(ansi).render(SEEN), ansi);
        assert_eq!(Text::of_ansi("\u{1b}]0;t\u{7}").render(SEEN), "\\u{1b}]0;t\\u{7}");
    }

    #[test]
    fn a_name_is_a_part_of_one_line() {
        for (name, shown) in [
            ("x.sav\nrefused     real.sav", "x.sav\\nrefused     real.sav"),
            (
                "\u{1b}[31m\u{200b}\u{ad}\u{2028}\u{e0001}",
                "\\u{1b}[31m\\u{200b}\\u{ad}\\u{2028}\\u{e0001}",
            ),
            ("::error::x", "./::error::x"),
            ("a::b", "a::b"),
            ("照明/ランプ", "照明/ランプ"),
        ] {
            assert_eq!(name.shown(), shown);
        }
    }

    #[test]
    fn text_in_pieces_is_escaped_as_the_whole_is() {
        let text = "a\u{9b}\r\n\tä\u{202e}€";
        for size in 1..=text.len() {
            let mut out = Vec::new();
            let mut harmless = Harmless::text(&mut out);
            text.as_bytes().chunks(size).for_each(|part| harmless.write_all(part).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), "a\\u{9b}\\r\n\tä\\u{202e}€");
        }
    }

    #[test]
    fn json_loses_nothing_by_its_escapes() {
        let text = "\"\u{7f}\u{85}\u{9b}ä\u{202e}\u{2069}\u{200f}\u{200b}\u{e0001}€😀\"";
        for size in 1..=text.len() {
            let mut out = Vec::new();
            let mut harmless = Harmless::new(&mut out);
            text.as_bytes().chunks(size).for_each(|part| harmless.write_all(part).unwrap());
            let out = String::from_utf8(out).unwrap();
            assert_eq!(
                out,
                "\"\\u007f\\u0085\\u009bä\\u202e\\u2069\\u200f\\u200b\\udb40\\udc01€😀\""
            );
        }
    }
}
