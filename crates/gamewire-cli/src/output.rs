//! Where output goes: standard output, standard error, files.

mod folder;
mod journal;
mod message;
mod pager;
mod rename;
mod replace;
mod temporary;
mod text;

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use serde::Serialize;

pub(crate) use self::folder::Folder;
use self::message::choice;
pub(crate) use self::message::{ask, error, note};
pub(crate) use self::pager::{Paging, is_shown};
use self::rename::{Before, Existing, stamp};
pub(crate) use self::replace::{Replacement, replace_all};
pub(crate) use self::temporary::is_temporary;
use self::text::Harmless;
pub(crate) use self::text::{Looks, Shown, Text};
use crate::failure::Failure;
use gamewire::document::{self, Layout, write_json};

/// Columns of a terminal that does not say how many it has.
const COLUMNS: usize = 80;

/// Text for people. Its colours go where they are not wanted: into a pipe or a file, or when `NO_COLOR`
/// is set.
pub(crate) fn print(text: impl Into<Text>) -> Result<(), Failure> {
    let looks = looks();
    let mut out = anstream::AutoStream::new(io::stdout(), choice(looks)).lock();
    let text = text.into().render(looks);
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Failure::stdout(&e))
}

/// How standard output shows text.
pub(crate) fn looks() -> Looks {
    Looks::of(&io::stdout())
}

/// The output of a command: text for people, JSON for other programs.
pub(crate) struct Drawing {
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

impl From<document::Drawing> for Drawing {
    fn from(own: document::Drawing) -> Self {
        let json = serde_json::to_value(own.json);
        debug_assert!(json.is_ok(), "it is JSON already");
        Drawing { text: own.text, json: json.unwrap_or(serde_json::Value::Null) }
    }
}

/// JSON for other programs, in lines.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    Sink::Stdout.write_json(|out| Ok(write_json(out, value, Layout::Lines)?))
}

/// The columns of the terminal that standard output is; `None` for a pipe or a file.
pub(crate) fn columns() -> Option<usize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let said = std::env::var("COLUMNS").ok().and_then(|own| own.parse().ok());
    let own = terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
    said.filter(|own| *own > 0).or(own).or(Some(COLUMNS))
}

/// Whether the path stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file, or standard output for none and for `-`.
pub(crate) enum Sink<'a> {
    Stdout,
    File(&'a Path),
    /// A file that was read, and has still to have this content.
    Changed(&'a Path, Before<'a>),
    /// A file in a folder, by its path from there.
    Below(&'a Folder<'a>, &'a Path),
}

impl<'a> Sink<'a> {
    pub(crate) fn new(path: Option<&'a Path>) -> Self {
        match path {
            // By its path it is standard output too: a shell may have opened it to append.
            Some(path) if !is_dash(path) && path.as_os_str() != "/dev/stdout" => Sink::File(path),
            _ => Sink::Stdout,
        }
    }

    /// The same, if it is the file that was read: it is replaced only if no other process changed it
    /// meanwhile.
    pub(crate) fn over(self, file: &Path, bytes: &'a [u8]) -> Self {
        self.over_as(file, Before::Bytes(bytes))
    }

    /// The same of a file that is read piece by piece, as it is now.
    pub(crate) fn over_file(self, file: &Path) -> Self {
        match std::fs::metadata(file) {
            Ok(own) => self.over_as(file, Before::Stamp(stamp(&own))),
            Err(_) => self,
        }
    }

    fn over_as(self, file: &Path, before: Before<'a>) -> Self {
        let is_same = |path: &Path| {
            let both = [path, file].map(|own| own.canonicalize().ok());
            path == file || matches!(both, [Some(path), Some(file)] if path == file)
        };
        match self {
            Sink::File(path) if is_same(path) => Sink::Changed(path, before),
            other => other,
        }
    }

    /// Writes what `write` writes. A file gets its name when all of it is written; an error leaves
    /// the file that has the name.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Sink::Stdout if looks().escaped => {
                let mut text = Vec::new();
                write(&mut text).map_err(|error| Failure::stdout(&error))?;
                print(String::from_utf8_lossy(&text))
            }
            Sink::Stdout => {
                let mut out = BufWriter::new(io::stdout().lock());
                write(&mut out).and_then(|()| out.flush()).map_err(|e| Failure::stdout(&e))
            }
            Sink::File(path) => replace::write(path, Existing::Replaced, write),
            Sink::Changed(path, before) => replace::write(path, Existing::Changed(*before), write),
            Sink::Below(folder, path) => folder.write(path, write),
        }
    }

    /// Writes JSON, in which what a terminal would obey is an escape wherever it goes.
    pub(crate) fn write_json(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.write(|out| write(&mut Harmless::new(out)))
    }

    /// Writes lines of text as they come, in which what a terminal would obey is an escape.
    pub(crate) fn write_lines(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.write(|out| write(&mut Harmless::text(out)))
    }

    /// Writes bytes, but not to a terminal unless they are text.
    pub(crate) fn write_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        if !is_text {
            self.must_be_no_terminal()?;
        }
        self.write(|out| out.write_all(bytes))
    }

    fn must_be_no_terminal(&self) -> Result<(), Failure> {
        match self {
            Sink::Stdout if io::stdout().is_terminal() => Err(Failure::Usage(
                "these bytes are no text for a terminal; name a file with --output".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Writes bytes that come one after the other, but not to a terminal.
    pub(crate) fn write_binary(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.must_be_no_terminal()?;
        self.write(write)
    }
}
