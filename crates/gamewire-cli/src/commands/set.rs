//! `set`, `ins` and `del`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use gamewire::document::{self, DecodedFile, Edit, count};

use super::Reading;
use super::diff::{self, MAX_SHOWN};
use super::sources::within;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Shown as _;
use crate::output::{self, Sink, Text, is_dash};

/// Change values by their paths
///
/// Every byte that need not change stays: what is around the data, comments, the other entries of a
/// package. A value keeps the kind that stands there, unless --kind says otherwise, and is refused
/// where it does not fit. Paths are those of `get`; one with `*` changes all that it leads to.
///
/// What a prefab of O3DE leaves out because it is the default is made first, with what stands around it.
///
/// VALUE is text, with or without quotes, a number, true, false, null, or the JSON that `decode` writes
/// for such a value; of a vector or array, its numbers alone will do.
///
/// On a terminal, the changes are printed, of files of at most 16 MiB; for `ins` and `del`, too.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire set savegame.dat player.hp=100
  gamewire set savegame.dat 'crops[*].watered=true' player.name=Edda -o better.dat
  gamewire set savegame.dat 'crops[0].pos=[3, 4]'
  gamewire set savegame.dat version=3.5 --kind float
  gamewire set item.brson 'Object.Bulb.Light.Range=8.5'
  gamewire set Root.wad --entry ObjectData/Spell.xml m_full=7 --types types.json")]
pub(crate) struct Set {
    #[command(flatten)]
    what: Assignments,
}

/// Insert values into lists, dictionaries and objects
///
/// The last step of a path is the new key, or the position before which the new value is to stand;
/// [-] is the end of a list. Without --kind, the value has the kind that it looks like.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire ins savegame.dat player.inventory.axe=1
  gamewire ins savegame.dat 'quests[-]=epilogue' --kind String
  gamewire ins Server.setreg /Network/Retries=3
  gamewire ins record.bin '[field 9]=7' -f zeze-serialize --kind int")]
pub(crate) struct Ins {
    #[command(flatten)]
    what: Assignments,
}

/// Delete values by their paths
///
/// With all that belongs to them: their keys, and what is in them. Paths are those of `get`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire del savegame.dat player.inventory.hoe
  gamewire del savegame.dat 'crops[0]' 'crops[1]' -o fewer.dat
  gamewire del item.brson Object.Stand")]
pub(crate) struct Del {
    /// The file, which is changed; `-` is standard input, and then standard output
    file: PathBuf,
    /// The paths of values
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    how: How,
}

/// Values and their places.
#[derive(Args)]
struct Assignments {
    /// The file, which is changed; `-` is standard input, and then standard output
    file: PathBuf,
    /// Where a value is to be, and what; of one, PATH VALUE does, too
    #[arg(required = true, value_name = "PATH=VALUE", allow_negative_numbers = true)]
    values: Vec<String>,
    /// The kind that the values are to have, in the words of the format; `get --kinds` prints them
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    #[command(flatten)]
    how: How,
}

impl Assignments {
    /// Makes the changes that `edit` makes of the paths, their values and the kind.
    fn run<'a>(
        &'a self,
        edit: fn(&'a str, &'a str, Option<&'a str>) -> Edit<'a>,
    ) -> Result<Outcome, Failure> {
        let values = assignments(&self.values)?.into_iter();
        let edits = values.map(|(path, value)| edit(path, value, self.kind.as_deref()));
        self.how.run(&self.file, &edits.collect::<Vec<_>>())
    }
}

/// The bytes of the largest file whose changes are shown: this takes both files as a whole.
const MAX_COMPARED: usize = 16 << 20;

#[derive(Args)]
struct How {
    /// Of an archive or a package, the entry that is changed; every other one keeps its bytes
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Where the changed file goes [default: FILE itself]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// Paths and values. Of two texts, the first of which has no value, the second is it.
fn assignments(values: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    if let [path, value] = values
        && assignment(path).is_none()
        && !path.is_empty()
    {
        return Ok(vec![(path, value)]);
    }
    let expected = |text| Failure::Usage(format!("{text}: expected PATH=VALUE"));
    values.iter().map(|text| assignment(text).ok_or_else(|| expected(text))).collect()
}

/// A path and a value: the first `=` that stands in no brackets is between them.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let mut level = 0_usize;
    let (at, _) = text.char_indices().find(|(_, c)| {
        match c {
            '[' => level += 1,
            ']' => level = level.saturating_sub(1),
            _ => {}
        }
        *c == '=' && level == 0
    })?;
    Some((text.get(..at)?, text.get(at + 1..)?)).filter(|(path, _)| !path.is_empty())
}

impl How {
    fn run(&self, file: &PathBuf, edits: &[Edit<'_>]) -> Result<Outcome, Failure> {
        let bound = self.reading.bound();
        let output = self.output.as_ref().unwrap_or(file);
        let sink = Sink::new(Some(output));
        let (input, inside, sink) = match &self.entry {
            None => (Input::read(file, bound)?, None, sink),
            Some(name) => {
                let sink = sink.over_file(file);
                let mut all = within(file, name, &self.reading)?;
                let number = all.len();
                let only = all.pop().filter(|_| number == 1).ok_or_else(|| {
                    let number = count(number, "entry");
                    Failure::Usage(format!("{}: {name} means {number}, not one", file.shown()))
                })?;
                (only.read(bound)?, only.inside, sink)
            }
        };
        let settings = self.reading.settings(&input)?;
        let made = document::edit(input.bytes.clone(), &settings, edits)
            .map_err(|error| bad(&input, &error))?;
        let is_short = made.len().max(input.bytes.len()) <= MAX_COMPARED;
        if is_short && made != *input.bytes {
            let caution = DecodedFile::read(input.bytes.clone(), &settings)
                .ok()
                .and_then(|data| data.caution());
            caution.iter().for_each(|own| output::note(&format!("{}: {own}", input.name)));
        }
        // A file that stays the same is not touched.
        if made != *input.bytes || output != file || is_dash(file) {
            match inside.and_then(|(entries, at)| Some((Arc::into_inner(entries)?, at))) {
                None => sink.over(file, &input.bytes).write_bytes(&made)?,
                Some((mut entries, at)) => {
                    let failed = |error| Failure::Data(format!("{}: {error}", file.shown()));
                    entries.put(at, made.clone()).map_err(failed)?;
                    sink.write_binary(|out| entries.write(out))?;
                }
            }
        }
        let is_shown = !is_dash(output) && output::columns().is_some();
        if is_shown && is_short {
            let [before, after] =
                [input.bytes.clone(), made.into()].map(|own| DecodedFile::read(own, &settings));
            let changes = before.and_then(|before| before.diff(&after?, MAX_SHOWN));
            let changes = changes.map_err(|error| bad(&input, &error))?;
            let mut text = Text::default();
            changes.iter().for_each(|change| diff::line(&mut text, change));
            output::print(text)?;
        }
        Ok(Outcome::Good)
    }
}

impl Set {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        self.what.run(|path, value, kind| Edit::Set { path, value: value.into(), kind })
    }
}

impl Ins {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        self.what.run(|path, value, kind| Edit::Insert { path, value: value.into(), kind })
    }
}

impl Del {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let edits: Vec<_> = self.paths.iter().map(|path| Edit::Remove { path }).collect();
        self.how.run(&self.file, &edits)
    }
}
