//! `set`, `ins` and `del`.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::Value as Json;

use super::{Reading, bad};
use crate::edit::{self, Notation, Place};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, is_dash};
use crate::output::Sink;
use crate::path::New;

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
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire set savegame.dat player.hp=100
  gamewire set savegame.dat 'crops[*].watered=true' player.name=Edda -o better.dat
  gamewire set savegame.dat 'crops[0].pos=[3, 4]'
  gamewire set savegame.dat version=3.5 --kind float
  gamewire set item.brson 'Object.Bulb.Light.Range=8.5'")]
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
    #[arg(required = true, value_name = "PATH=VALUE")]
    values: Vec<String>,
    /// The kind that the values are to have, in the words of the format; `get --kinds` prints them
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    #[command(flatten)]
    how: How,
}

/// What is done with paths and their values.
type Assign<'a> =
    &'a dyn Fn(&dyn Notation, &mut Json, &[(&str, &str)], Option<&str>) -> Result<(), String>;

impl Assignments {
    /// Does it with the paths and their values.
    fn run(&self, assign: Assign<'_>) -> Result<Outcome, Failure> {
        let values = assignments(&self.values)?;
        let paths: Vec<&str> = values.iter().map(|(path, _)| *path).collect();
        self.how.run(&self.file, &paths, &|notation, json| {
            assign(notation, json, &values, self.kind.as_deref())
        })
    }
}

#[derive(Args)]
struct How {
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

type Changes<'a> = &'a dyn Fn(&dyn Notation, &mut Json) -> Result<(), String>;

impl How {
    /// Changes a file at these paths.
    fn run(&self, file: &PathBuf, paths: &[&str], change: Changes<'_>) -> Result<Outcome, Failure> {
        let input = Input::read(file, self.reading.bound())?;
        let tool = self.reading.tool(&input)?;
        let before = tool.json(&input.bytes).map_err(|fault| bad(&input, &fault))?;
        let mut after = before.clone();
        change(tool.notation(), &mut after)
            .map_err(|why| Failure::Data(format!("{}: {why}", input.name)))?;
        let made = tool.rebuild(&input.bytes, &before, &after);
        let made = made.map_err(|fault| {
            // The path at the end is one of the JSON.
            let why = fault.message.split(", in ").next().unwrap_or_default();
            Failure::Data(format!("{}: {}: does not fit: {why}", input.name, paths.join(", ")))
        })?;
        let output = self.output.as_ref().unwrap_or(file);
        // A file that stays the same is not touched.
        if made != input.bytes || output != file || is_dash(file) {
            Sink::new(Some(output)).write_bytes(&made)?;
        }
        Ok(Outcome::Good)
    }
}

/// The values of each path, of which there must be some.
fn found(notation: &dyn Notation, json: &Json, paths: &[&str]) -> Result<Vec<Place>, String> {
    let all = edit::find_all(notation, json, paths);
    for (places, path) in all.iter().zip(paths) {
        must_be_meant(notation, json, path, places)?;
    }
    Ok(all.concat())
}

/// There must be values, and of a path that was shown shortened only one.
fn must_be_meant(
    notation: &dyn Notation,
    json: &Json,
    path: &str,
    places: &[Place],
) -> Result<(), String> {
    match places {
        [] => Err(edit::nothing(notation, json, path)),
        [first, second, ..] if path.contains('…') && !path.contains('*') => {
            let (first, second) = (first.shown(), second.shown());
            Err(format!("{path}: leads to {first} and {second}, and may mean either"))
        }
        _ => Ok(()),
    }
}

/// Where values have got others inside of them, so that what was found there is there no more.
#[derive(Default)]
struct Changed(HashSet<String>);

impl Changed {
    /// Notes what became of a place.
    fn note(&mut self, json: &Json, place: &Place, before: &Json) {
        let holds = |value: &Json| value.is_array() || value.is_object();
        let now = json.pointer(&place.pointer);
        if place.run.is_none() && (holds(before) || now.is_none_or(holds)) {
            self.0.insert(place.pointer.clone());
        }
    }

    fn has(&self, place: &Place) -> bool {
        let pointer = place.pointer.as_str();
        let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
        !self.0.is_empty()
            && ends.filter_map(|end| pointer.get(..end)).any(|outer| self.0.contains(outer))
    }
}

impl Set {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        self.what.run(&|notation, json, values, kind| {
            let paths: Vec<&str> = values.iter().map(|(path, _)| *path).collect();
            let all = edit::find_all(notation, json, &paths);
            let mut changed = Changed::default();
            for (at, ((path, value), mut places)) in values.iter().zip(all).enumerate() {
                if places.iter().any(|place| changed.has(place)) || (places.is_empty() && at > 0) {
                    places = edit::find(notation, json, path);
                }
                if places.is_empty() && notation.restore(json, path) {
                    places = edit::find(notation, json, path);
                }
                must_be_meant(notation, json, path, &places)?;
                for place in places {
                    let before = place.value(json).into_owned();
                    notation
                        .set(json, &place, value, kind)
                        .map_err(|why| format!("{}: {why}", place.shown()))?;
                    changed.note(json, &place, &before);
                }
            }
            Ok(())
        })
    }
}

impl Ins {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        self.what.run(&|notation, json, values, kind| {
            values.iter().try_for_each(|(path, value)| {
                for (container, step) in edit::container(notation, json, path)? {
                    let is_new = matches!(step, New::Index(_));
                    if !is_new && !edit::find(notation, json, path).is_empty() {
                        return Err(format!("{path}: is there already; `set` changes it"));
                    }
                    notation
                        .insert(json, &container, &step, value, kind)
                        .map_err(|why| format!("{path}: {why}"))?;
                }
                Ok(())
            })
        })
    }
}

impl Del {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        self.how.run(&self.file, &paths, &|notation, json| {
            // All are found before the first goes, so that positions are those of the file.
            let places = found(notation, json, &paths)?;
            edit::remove(json, places)
        })
    }
}
