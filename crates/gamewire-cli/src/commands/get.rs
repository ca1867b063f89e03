mod table;

use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::{DecodedFile, Error, Json, Node};

use super::sources::{each, within};
use super::{Reading, note_doubt};
use crate::failure::{Failure, Outcome};
use crate::files::{Found, Input, bad};
use crate::output::{self, Sink};

/// Print values by their paths
///
/// Paths are those that diff, tree, explain and errors print: players[3].name, /Entities/a/Name,
/// Object.Lamp.Light.Range. `*` stands for any step or for anything in a name, `**` for any number of
/// steps: crops[*].watered, **.hp.
///
/// One value is printed alone, text without quotes; several as PATH=VALUE, which `set` takes. What a terminal
/// would obey is an escape; -z and --json write it as it is. With a pattern for
/// --entry, the name of the entry stands before each, and entries without such a value are skipped.
///
/// With --table, there is a row for each of several files, and a column for each path: empty where a file has
/// no such value, a list where the path has `*` in it. What is wrong with a file stands in the last column.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire get savegame.dat player.hp
  gamewire get savegame.dat 'crops[*].watered' player.name
  gamewire get savegame.dat player --json | jq .inventory
  gamewire get Lamp.prefab /ContainerEntity/Name
  gamewire get Root.wad --entry ObjectData/Spell.xml m_name --types types.json
  gamewire get saves/ player.hp 'crops[*].grown' --table csv > saves.csv")]
pub(crate) struct Get {
    /// The file; `-` is standard input; with --table, files and folders
    file: PathBuf,
    /// The paths of values; with --table, after other files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Of an archive or a package, the entry that is meant; with *, ? and **, all that match and can be read
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Write a row for each file
    #[arg(long, value_name = "HOW", conflicts_with_all = ["json", "kinds"])]
    table: Option<table::Kind>,
    /// Write plain JSON, as `decode --plain`; of several values, an object by their paths
    #[arg(long)]
    json: bool,
    /// Print the kinds of the values, as --kind of `set` takes them
    #[arg(long, conflicts_with = "json")]
    kinds: bool,
    /// Write the values alone, as they are, each with a zero byte after it
    #[arg(short = 'z', long, conflicts_with_all = ["table", "json", "kinds"])]
    null: bool,
    #[command(flatten)]
    reading: Reading,
}

impl Get {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if let Some(kind) = self.table {
            let end = self.paths.iter().position(|path| !Path::new(path).exists());
            let (files, paths) = self.paths.split_at(end.unwrap_or(self.paths.len()));
            // Entries are named after their archive.
            let entry = self.entry.iter().map(PathBuf::from);
            let files = files.iter().map(PathBuf::from);
            let files = [self.file.clone()].into_iter().chain(entry).chain(files);
            return table::print(kind, &files.collect::<Vec<_>>(), paths, &self.reading);
        }
        let input = match &self.entry {
            None => Input::read(&self.file, self.reading.bound())?,
            Some(name) => match within(&self.file, name, &self.reading)?.as_slice() {
                [only] if only.is_named => only.read(self.reading.bound())?,
                several => return self.several(several),
            },
        };
        let missing = self.values(&input, |found| {
            let is_one = self.paths.len() == 1 && found.len() == 1;
            match (self.json, found) {
                (true, [only]) if is_one => {
                    output::print_json(&only.to_plain_json().map_err(|why| bad(&input, &why))?)
                }
                (true, all) => output::print_json(&by_path(all).map_err(|why| bad(&input, &why))?),
                (false, all) => self.print(&input, all, is_one, ""),
            }
        })?;
        missing.iter().for_each(|why| output::error(&format!("{}: {why}", input.name)));
        Ok(Outcome::good_if(missing.is_empty()))
    }

    /// The values of entries that a pattern means.
    fn several(&self, all: &[Found]) -> Result<Outcome, Failure> {
        let (mut json, mut any) = (Vec::new(), false);
        let outcome = each(all, &self.reading, |name, input| {
            self.values(input, |found| {
                any |= !found.is_empty();
                match self.json {
                    false => self.print(input, found, false, &format!("{name}: "))?,
                    true if found.is_empty() => {}
                    true => {
                        let all = by_path(found).map_err(|why| bad(input, &why))?;
                        json.push((name.to_owned(), all));
                    }
                }
                Ok(())
            })?;
            Ok(())
        })?;
        if self.json {
            output::print_json(&json.into_iter().collect::<Json>())?;
        }
        if any {
            return Ok(outcome);
        }
        Err(Failure::Data(format!("{}: no entry has such a value", self.paths.join(", "))))
    }

    /// Does something with the values of a file; returns why there are not more.
    fn values(
        &self,
        input: &Input,
        then: impl FnOnce(&[Node<'_>]) -> Result<(), Failure>,
    ) -> Result<Vec<Error>, Failure> {
        let settings = self.reading.settings(input)?;
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        let data = DecodedFile::read(input.bytes.clone(), &settings)
            .map_err(|error| bad(input, &error))?;
        note_doubt(input, data.must_be_sure());
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for own in data.get_all(&paths) {
            match own {
                Ok(nodes) => found.extend(nodes),
                Err(error) => missing.push(error),
            }
        }
        then(&found).map(|()| missing)
    }

    fn print(
        &self,
        input: &Input,
        found: &[Node<'_>],
        is_one: bool,
        before: &str,
    ) -> Result<(), Failure> {
        let failed = |why: Error| bad(input, &why);
        if !self.null {
            return output::print(self.lines(found, is_one, before).map_err(failed)?);
        }
        let texts: Result<Vec<String>, Error> = found.iter().map(Node::text).collect();
        let texts = texts.map_err(failed)?;
        Sink::Stdout.write(|out| texts.iter().try_for_each(|text| write!(out, "{text}\0")))
    }

    fn lines(&self, found: &[Node<'_>], is_one: bool, before: &str) -> Result<String, Error> {
        let mut text = String::new();
        for node in found {
            text.push_str(before);
            if !is_one {
                text.push_str(&node.path());
                text.push('=');
            }
            match self.kinds {
                true => text.push_str(&node.kind()),
                false if is_one => text.push_str(&node.text()?),
                false => text.push_str(&node.line()?),
            }
            text.push('\n');
        }
        Ok(text)
    }
}

fn by_path(found: &[Node<'_>]) -> Result<Json, Error> {
    let members = found.iter().map(|node| Ok((node.path(), node.to_plain_json()?)));
    members.collect()
}
