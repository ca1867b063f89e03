//! Where output goes: standard output, standard error, files.

mod folder;
mod pager;
mod replace;

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

pub(crate) use self::folder::Folder;
pub(crate) use self::pager::{Paging, is_shown};
use self::replace::Existing;
pub(crate) use self::replace::{Replacement, replace_all};
use crate::failure::Failure;
use crate::files::is_dash;
use gamewire::document::{Layout, write_json};

/// Columns of a terminal that does not say how many it has.
const COLUMNS: usize = 80;

/// A message on standard error. When even that is closed, nothing can be done.
pub(crate) fn error(message: &str) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    _ = writeln!(anstream::stderr(), "{red}error:{red:#} {message}");
}

/// Prints a note on standard error.
pub(crate) fn note(message: &str) {
    let bold = Style::new().bold();
    _ = writeln!(anstream::stderr(), "{bold}note:{bold:#} {message}");
}

/// Styled text for people. The styles go where they are not wanted: into a pipe or a file, or when
/// `NO_COLOR` is set.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Failure::stdout(&e))
}

/// JSON for other programs, in lines.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    Sink::Stdout.write(|out| Ok(write_json(out, value, Layout::Lines)?))
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

/// Whether standard output takes colours.
pub(crate) fn has_color() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// A file, or standard output for none and for `-`.
pub(crate) enum Sink<'a> {
    Stdout,
    File(&'a Path),
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

    /// Writes what `write` writes. A file gets its name when all of it is written; an error leaves
    /// the file that has the name.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Sink::Stdout => {
                let mut out = BufWriter::new(io::stdout().lock());
                write(&mut out).and_then(|()| out.flush()).map_err(|e| Failure::stdout(&e))
            }
            Sink::File(path) => replace::write(path, Existing::Replaced, write),
            Sink::Below(folder, path) => folder.write(path, write),
        }
    }

    /// Writes bytes, but not to a terminal unless they are text.
    pub(crate) fn write_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let is_text = || std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        if matches!(self, Sink::Stdout) && io::stdout().is_terminal() && !is_text() {
            return Err(Failure::Usage(
                "these bytes are no text for a terminal; name a file with --output".to_owned(),
            ));
        }
        self.write(|out| out.write_all(bytes))
    }
}
