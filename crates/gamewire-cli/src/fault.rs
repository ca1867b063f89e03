//! Errors of documents, with the bytes or the text around the position.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use gamewire::document::{Error, Hint, Position};

use crate::output::Text;

/// The word before a way out.
const HELP: &str = "help:";

/// Bytes in a row of a hex window.
const ROW: usize = 16;

/// Columns of JSON text before and after the position.
const AROUND: usize = 40;

/// The sentence after the name of the file, and lines that show the position.
pub(crate) fn show(error: &Error, name: &str, file: &[u8]) -> String {
    let mut text = format!("{name}: {}", sentence(error));
    match error.position() {
        Position::Byte(offset) => hex_window(&mut text, file, *offset),
        Position::Within(offset, bytes) => hex_window(&mut text, bytes, *offset),
        Position::Text(line, column) => text_window(&mut text, file, *line, *column),
        Position::TextWithin(line, column, own) => text_window(&mut text, own, *line, *column),
        _ => {}
    }
    if let Some(hint) = error.hint().filter(|hint| joint(hint).is_none()) {
        _ = write!(text, "\n{HELP} {}", with_flags(hint));
    }
    text
}

/// The message, with the way out where that is a part of the sentence.
pub(crate) fn sentence(error: &Error) -> String {
    let message = error.message();
    match error.hint().and_then(|hint| Some((hint, joint(hint)?))) {
        Some((Hint::Key, _)) => format!("--key: {message}"),
        Some((hint, joint)) => format!("{message}{joint}{}", with_flags(hint)),
        None => message.to_owned(),
    }
}

/// The text between a message and advice that continues its sentence.
fn joint(hint: &Hint) -> Option<&'static str> {
    match hint {
        Hint::OtherKind | Hint::NewKind | Hint::MissingKind | Hint::KindOf(_) => Some("; "),
        Hint::ExactKind(_) | Hint::Format | Hint::DamagedFormat | Hint::OtherFormat(_) => {
            Some("; ")
        }
        Hint::Skip(_) | Hint::Framing(_) | Hint::Stream(_) | Hint::AnyDialect => Some("; "),
        Hint::Solution => Some(", "),
        Hint::Key => Some(""),
        _ => None,
    }
}

/// The text of [`describe`](gamewire::document::describe), with the option that settles a doubt.
pub(crate) fn described(mut about: String) -> String {
    if about.ends_with("readable as Godot 3, too") || about.ends_with("readable as Godot 4, too") {
        about.push_str(": --dialect says which");
    }
    about
}

/// A way out by the options of the command line.
fn with_flags(hint: &Hint) -> String {
    let flag = |name: &str, value: Option<&str>| {
        let value = value.unwrap_or(match (hint, name) {
            (Hint::Secret | Hint::NewSecret, "password") => "TEXT",
            (Hint::Secret | Hint::NewSecret, "key") => "HEX",
            (Hint::Types, _) => "FILE",
            (_, "max_depth") => "N",
            (_, "max_memory" | "max_output") => "BYTES",
            _ => "",
        });
        let name = if name == "solution" { "schema" } else { name };
        Some(format!("--{} {value}", name.replace('_', "-")).trim_end().to_owned())
    };
    match hint {
        Hint::Entry => {
            "--entry NAME means one of its entries; `decode` takes names after the archive, and --out-dir for all"
        }
        Hint::Binary => "gamewire convert makes a binary file of it",
        Hint::Assets => "`gamewire package build SAVE OUT --asset FILE` puts them in",
        Hint::OtherTypes => "perhaps another type list has it; --types may be given again",
        Hint::Wrap => "decode it with --wrap, and give the ids in the JSON",
        hint => return hint.to_sentence(flag).unwrap_or_default(),
    }
    .to_owned()
}

/// The row with the byte and the row before it, with a caret under the byte. An offset at the end
/// points after the last byte.
fn hex_window(text: &mut String, bytes: &[u8], offset: usize) {
    if bytes.is_empty() {
        return;
    }
    let offset = offset.min(bytes.len());
    let last = offset / ROW * ROW;
    for start in [last.checked_sub(ROW), Some(last)].into_iter().flatten() {
        let row: Vec<u8> = bytes.iter().skip(start).take(ROW).copied().collect();
        let mut hex = String::new();
        for (column, byte) in row.iter().enumerate() {
            _ = write!(hex, "{}{byte:02x}", if column == ROW / 2 { "  " } else { " " });
        }
        let shown: String = row.iter().map(|byte| printable(*byte)).collect();
        let width = ROW * 3 + 1;
        _ = write!(text, "\n  {start:08x} {hex:width$}  |{shown}|");
    }
    let column = offset - last;
    let indent = 12 + column * 3 + usize::from(column >= ROW / 2);
    _ = write!(text, "\n{:indent$}^^", "");
}

fn printable(byte: u8) -> char {
    if byte == b' ' || byte.is_ascii_graphic() { char::from(byte) } else { '.' }
}

/// The line, or the part of it around the column, with a caret under the column.
fn text_window(text: &mut String, file: &[u8], line: usize, column: usize) {
    let mut lines = file.split(|byte| *byte == b'\n').take(line).skip(line.saturating_sub(2));
    let (mut previous, mut found) = (lines.next().unwrap_or_default(), lines.next());
    if line <= 1 {
        (previous, found) = (b"", Some(previous));
    }
    let (found, at) = match found {
        // The end of the text, after the last line.
        Some(b"") | None => (previous, previous.len()),
        Some(found) => (found, column.saturating_sub(1).min(found.len())),
    };
    if found.is_empty() {
        return;
    }
    let (before, after) = found.split_at_checked(at).unwrap_or((found, &[]));
    // A column counts bytes. What is cut in the middle of a character is replaced.
    let tail = before.get(before.len().saturating_sub(AROUND)..).unwrap_or(before);
    let clean = |part: &[u8]| -> String {
        let part = String::from_utf8_lossy(part);
        part.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    let (before, after) = (clean(tail), clean(after.get(..AROUND).unwrap_or(after)));
    let indent = before.chars().count() + 2;
    _ = write!(text, "\n  {before}{after}\n{:indent$}^", "");
}

/// Adds a message, with colours for the lines that show the position and for the way out.
pub(crate) fn paint(text: &mut Text, message: &str) {
    for (index, line) in message.split('\n').enumerate() {
        let joint = if index == 0 { "" } else { "\n" };
        _ = text.write_str(joint);
        match line.strip_prefix(HELP) {
            _ if index == 0 => _ = text.write_str(line),
            Some(hint) => {
                text.paint(AnsiColor::Cyan.on_default().bold(), HELP);
                _ = text.write_str(hint);
            }
            None if line.trim_start().starts_with('^') => {
                text.paint(AnsiColor::Red.on_default().bold(), line);
            }
            None if line.starts_with("  ") => text.paint(Style::new().dimmed(), line),
            None => _ = text.write_str(line),
        }
    }
}
