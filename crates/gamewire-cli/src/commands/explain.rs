use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::{self, Document, Part, Settings, count};

use super::batch::{self, Batch, Each};
use super::{Reading, sources};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::{self, Paging, Sink, Text};

/// Say what every byte of a file means
///
/// A file that cannot be read to its end is explained as far as it can be, and one that is not recognized
/// any more in the format by which most of it can be read.
///
/// With --out-dir, the text, JSON or page of each file has its name and .txt, .json or .html after
/// it. Files of no known format are skipped in folders.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire explain savegame.dat
  gamewire explain broken.dat -f godot-variant
  gamewire explain Root.wad ObjectData/Spell.xml --types types.json
  gamewire explain savegame.dat --html savegame.html
  gamewire explain savegame.dat --path 'crops[3]'
  gamewire explain big.dat --from 0x400000 --html rest.html
  gamewire explain saves/ --pages --out-dir pages/
  gamewire explain savegame.dat --json | jq .")]
pub(crate) struct Explain {
    /// The file; `-` is standard input; with --out-dir, files and folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write a page for a browser, and nothing to standard output
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "out_dir"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    batch: Batch,
    /// Write a page for a browser for each file
    #[arg(long, requires = "out_dir", conflicts_with = "json")]
    pages: bool,
    /// Only from this offset on: 0x1f, 31; 1:0x1f in the first of the spaces after the input
    #[arg(long, value_name = "OFFSET", value_parser = offset)]
    from: Option<Part>,
    /// Only the value at this path, and what is in it; paths are those of `get` and those that are printed
    #[arg(long, value_name = "PATH", conflicts_with = "from")]
    path: Option<String>,
    #[command(flatten)]
    paging: Paging,
    #[command(flatten)]
    reading: Reading,
}

/// An offset in the input or, after a number and `:`, in another space.
fn offset(text: &str) -> Result<Part, String> {
    let (space, offset) = text.split_once(':').unwrap_or(("0", text));
    let number = match offset.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16).ok(),
        None => offset.parse().ok(),
    };
    match (space.parse(), number) {
        (Ok(space), Some(offset)) => Ok(Part::From { space, offset }),
        _ => Err("expected an offset such as 0x1f, 31 or 1:0x1f".to_owned()),
    }
}

impl Explain {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if let Some(folder) = self.batch.folder() {
            return batch::run(&self.files, &folder, &self.reading.args, &self);
        }
        let (input, file) = sources::only(&self.files, &self.reading.args)?;
        self.one(&input, &file, &Sink::new(self.html.as_deref()))?;
        Ok(Outcome::Good)
    }
}

/// A path as the explanation spells it, if it leads to a value in the spelling of `get`, `set` and `diff`.
fn spelled(
    path: &str,
    explained: &document::Explanation,
    input: &Input,
    settings: &Settings,
) -> Result<String, Failure> {
    let paths = explained.paths();
    if paths.iter().any(|own| own == path) {
        return Ok(path.to_owned());
    }
    let Ok(document) = Document::open(input.bytes.clone(), settings) else {
        return Ok(path.to_owned());
    };
    let wanted = document.get(path).map_err(|error| bad(input, &error))?;
    let [wanted] = wanted.as_slice() else {
        let found = count(wanted.len(), "value");
        return Err(Failure::Data(format!(
            "{}: {path}: expected one value, found {found}",
            input.name
        )));
    };
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    let found = document
        .get_all(&all)
        .into_iter()
        .position(|nodes| nodes.is_ok_and(|nodes| nodes.iter().any(|own| own.same_place(wanted))));
    Ok(found.and_then(|at| paths.get(at).cloned()).unwrap_or_else(|| path.to_owned()))
}

impl Each for Explain {
    fn output(&self, relative: &Path) -> PathBuf {
        let extension = match (self.json, self.pages) {
            (true, _) => "json",
            (_, true) => "html",
            _ => "txt",
        };
        batch::with(relative, extension)
    }

    fn is_meant(&self, input: &Input) -> bool {
        self.reading.knows(input).is_some()
    }

    fn one(&self, input: &Input, _: &Path, sink: &Sink<'_>) -> Result<(), Failure> {
        let told = self.reading.knows(input);
        let guess = || document::detect_damaged(&input.bytes, &self.reading.args.settings(None));
        let settings = match told.or_else(guess) {
            Some(format) => self.reading.settings_of(format, input),
            None => self.reading.settings(input)?,
        };
        if let (None, Some(format)) = (told, settings.format) {
            output::note(&format!("{}: not recognized; read as {format}", input.name));
        }
        let explained = document::explain(&input.bytes, &settings);
        let mut explained = explained.map_err(|error| bad(input, &error))?;
        let path = self.path.as_ref().map(|path| spelled(path, &explained, input, &settings));
        if let Some(part) = self.from.clone().or(path.transpose()?.map(Part::Path)) {
            explained = explained.part(&part).ok_or_else(|| {
                let what = match &part {
                    Part::From { space, offset } => format!("there is no byte {space}:{offset:#x}"),
                    Part::Path(path) => format!("{path}: no byte belongs to it"),
                    other => format!("there is no {other:?}"),
                };
                Failure::Data(format!("{}: {what}", input.name))
            })?;
        }
        if self.json {
            sink.write_json(|out| explained.write_json(out).map_err(io::Error::from))?;
        } else if self.html.is_some() || self.pages {
            // A page is shared: it does not show where the file was.
            let name = Path::new(&input.name).file_name().map(|own| own.to_string_lossy());
            let page = explained.to_html(name.as_deref().unwrap_or(&input.name));
            sink.write(|out| out.write_all(page.as_bytes()))?;
        } else if let Sink::Stdout = sink {
            let text = explained.to_text(output::columns(), output::looks().color);
            self.paging.print(Text::of_ansi(&text))?;
        } else {
            sink.write(|out| out.write_all(explained.to_text(None, false).as_bytes()))?;
        }
        match explained.error() {
            None => Ok(()),
            Some(error) => Err(bad(input, &error)),
        }
    }
}
