mod archives;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::Args;
use gamewire::document::{self, Change, ChangeKind, DecodedFile, Document, count, shortened};
use gamewire::resonite_save::package::hash;
use serde_json::json;

use super::{Reading, note_doubt};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Shown as _;
use crate::output::{self, Paging, Sink, Text, is_dash};

/// Characters of a value that are shown.
pub(super) const MAX_SHOWN: usize = 120;

/// Compare two files by value
///
/// Prints a line for each difference: `path: old → new`, `- path: old`, `+ path: new`. Files that
/// differ only in how the data is written have no differences. Exits with 1 when there are any. In
/// prefabs of O3DE the names of entity and component stand after the path.
///
/// Of two archives: which entries are new, gone or moved to another name, and what changed in those that can be
/// read, after the name of each.
///
/// Git can use it: with one file, it prints that file as lines of path=value, as git's textconv does;
/// with the seven arguments of an external diff, it compares what git names. `gamewire git` prints
/// what to configure.
#[derive(Args)]
#[command(override_usage = "\
gamewire diff [OPTIONS] <A> <B>
       gamewire diff [OPTIONS] <FILE>
       gamewire diff <PATH> <OLD> <HASH> <MODE> <NEW> <HASH> <MODE>")]
#[command(after_help = "\
Examples:
  gamewire diff before.dat after.dat
  gamewire diff --full before.dat after.dat
  gamewire diff --json before.dat after.dat | jq '.[].path'
  gamewire diff --html diff.html Old.prefab New.prefab
  gamewire diff old/Root.wad Root.wad --types types.json --summary
  git show HEAD:savegame.dat | gamewire diff - savegame.dat")]
pub(crate) struct Diff {
    /// The old file and the new one; `-` is standard input
    #[arg(required = true, num_args = 1..=9, value_name = "A B")]
    files: Vec<PathBuf>,
    /// Show long values whole
    #[arg(long)]
    full: bool,
    /// Write the differences as a JSON array
    #[arg(long)]
    json: bool,
    /// Only how many differences there are; of archives, in each entry
    #[arg(long, conflicts_with = "html")]
    summary: bool,
    /// Write them as one page, values whole, for a pull request
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    paging: Paging,
    #[command(flatten)]
    reading: Reading,
}

impl Diff {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.files.as_slice() {
            [only] => self.lines(only),
            [old, new] if archives::are(old, new) => self.archives(old, new),
            [old, new] => {
                let changes = self.changes(old, new)?;
                match &self.html {
                    Some(out) => {
                        // The page is shared: it shows no folders.
                        let name = |path: &Path| {
                            path.file_name().unwrap_or_default().display().to_string()
                        };
                        let page = document::diff_page(&name(old), &name(new), &changes);
                        Sink::new(Some(out)).write_bytes(page.as_bytes())?;
                    }
                    None => self.print(&changes)?,
                }
                Ok(Outcome::good_if(changes.is_empty()))
            }
            // Nine where git sees a renamed file: its new name, and what it says of that.
            [path, old, _, _, new, _, _] | [path, old, _, _, new, _, _, _, _] => {
                self.external(path, old, new)
            }
            _ => Err(Failure::Usage("expected two files, one, or the seven of git".to_owned())),
        }
    }

    fn changes(&self, old: &Path, new: &Path) -> Result<Vec<Change>, Failure> {
        if is_dash(old) && is_dash(new) {
            return Err(Failure::Usage("standard input cannot be both files".to_owned()));
        }
        let bound = self.reading.bound();
        let (old, new) = (Input::read(old, bound)?, Input::read(new, bound)?);
        let formats = (self.reading.format_of(&old)?, self.reading.format_of(&new)?);
        if formats.0 != formats.1 {
            return Err(Failure::Usage(format!(
                "{} is {}, {} is {}; only files of one format can be compared",
                old.name, formats.0, new.name, formats.1
            )));
        }
        self.compare(old, new)
    }

    /// Compares files, whose bytes go as soon as they are read.
    fn compare(&self, old: Input, new: Input) -> Result<Vec<Change>, Failure> {
        let most = if self.full || self.html.is_some() { usize::MAX } else { MAX_SHOWN };
        let read = |input: Input| {
            let data = DecodedFile::read(input.bytes.clone(), &self.reading.settings(&input)?);
            let data = data.map_err(|error| bad(&input, &error))?;
            note_doubt(&input, data.must_be_sure());
            Ok(data)
        };
        let name = old.name.clone();
        let changes = read(old)?.diff(&read(new)?, most);
        changes.map_err(|error| Failure::Data(format!("{name}: {error}")))
    }

    fn print(&self, changes: &[Change]) -> Result<(), Failure> {
        if self.summary {
            return match self.json {
                true => output::print_json(&json!({ "differences": changes.len() })),
                false => output::print(count(changes.len(), "difference") + "\n"),
            };
        }
        if !self.json {
            let mut text = Text::default();
            changes.iter().for_each(|change| line(&mut text, change));
            return self.paging.print(text);
        }
        output::print_json(&changes.iter().map(Change::to_json).collect::<Vec<_>>())
    }

    /// A file as lines of path=value. Whatever it is, there are some: git would stop otherwise.
    fn lines(&self, path: &Path) -> Result<Outcome, Failure> {
        let input = Input::read(path, self.reading.bound())?;
        let document = self.reading.settings(&input).ok();
        let document = document.map(|settings| Document::open(input.bytes.clone(), &settings));
        let text = match document {
            Some(Ok(document)) => {
                self.paging.write_lines(|out| document.write_lines(out))?;
                return Ok(Outcome::Good);
            }
            Some(Err(error)) => format!("{error}\n{}", unknown(&input.bytes)),
            None => unknown(&input.bytes),
        };
        self.paging.print(&text)?;
        Ok(Outcome::Good)
    }

    /// Answers git. It takes any exit code but 0 for a reason to stop.
    fn external(&self, path: &Path, old: &Path, new: &Path) -> Result<Outcome, Failure> {
        let read = |file: &Path| -> Result<Option<Input>, Failure> {
            if file == Path::new("/dev/null") || file == Path::new("nul") {
                return Ok(None);
            }
            let input = Input::read(file, self.reading.bound())?;
            // The copy that git makes has another name.
            Ok(Some(Input { path: Some(path.to_owned()), ..input }))
        };
        let shown = path.shown();
        let mut text = Text::default();
        text.paint(Style::new().bold(), format_args!("gamewire diff {shown}"));
        _ = text.write_str("\n");
        match (read(old)?, read(new)?) {
            (Some(old), Some(new)) => {
                let formats = (self.reading.format_of(&old), self.reading.format_of(&new));
                let lens = (old.bytes.len(), new.bytes.len());
                let changes = match formats {
                    (Ok(a), Ok(b)) if a == b => self.compare(old, new).ok(),
                    _ => None,
                };
                match changes {
                    Some(changes) => changes.iter().for_each(|change| line(&mut text, change)),
                    None => {
                        let (old, new) = lens;
                        _ = writeln!(text, "not compared by value: {old} → {new} bytes");
                    }
                }
            }
            (None, Some(new)) => _ = writeln!(text, "+ a new file of {} bytes", new.bytes.len()),
            (Some(old), None) => _ = writeln!(text, "- a file of {} bytes", old.bytes.len()),
            (None, None) => {}
        }
        output::print(text)?;
        Ok(Outcome::Good)
    }
}

/// Bytes of no known format: text as it is, of others what tells them apart.
fn unknown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => text.to_owned(),
        _ => format!("{} bytes, SHA-256 {}\n", bytes.len(), hash(bytes)),
    }
}

/// Shows a difference on a line.
pub(super) fn line(text: &mut Text, change: &Change) {
    let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    let path = match &change.about {
        Some(about) => &format!("{} ({})", change.path, shortened(about, MAX_SHOWN)),
        None => &change.path,
    };
    let mut both = |what: &str, old: &str, new: &str| {
        _ = write!(text, "{path}: {what}");
        text.paint(red, old);
        _ = text.write_str(" → ");
        text.paint(green, new);
    };
    match &change.what {
        ChangeKind::Changed(old, new) => both("", old, new),
        ChangeKind::Retyped(old, new) => both("type ", old, new),
        ChangeKind::Added(new) => text.paint(green, format_args!("+ {path}: {new}")),
        ChangeKind::Removed(old) => text.paint(red, format_args!("- {path}: {old}")),
        ChangeKind::Renamed(new) => {
            _ = write!(text, "{path}: renamed to ");
            text.paint(green, new);
        }
        _ => _ = write!(text, "{path}: the keys in another order"),
    }
    _ = text.write_str("\n");
}
