mod table;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value as Json};

use super::Reading;
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::output;

/// Print values by their paths
///
/// Paths are those that diff, tree, explain and errors print: players[3].name, /Entities/a/Name,
/// Object.Lamp.Light.Range. `*` stands for any step or for anything in a name, `**` for any number of
/// steps: crops[*].watered, **.hp.
///
/// One value is printed as it is, text without quotes; several as PATH=VALUE, which `set` takes.
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
  gamewire get saves/ player.hp 'crops[*].grown' --table csv > saves.csv")]
pub(crate) struct Get {
    /// The file; `-` is standard input; with --table, files and folders
    file: PathBuf,
    /// The paths of values; with --table, after other files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Write a row for each file
    #[arg(long, value_name = "HOW", conflicts_with_all = ["json", "kinds"])]
    table: Option<table::Kind>,
    /// Write plain JSON, as `decode --plain`; of several values, an object by their paths
    #[arg(long)]
    json: bool,
    /// Print the kinds of the values, as --kind of `set` takes them
    #[arg(long, conflicts_with = "json")]
    kinds: bool,
    #[command(flatten)]
    reading: Reading,
}

impl Get {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if let Some(kind) = self.table {
            let end = self.paths.iter().position(|path| !Path::new(path).exists());
            let (files, paths) = self.paths.split_at(end.unwrap_or(self.paths.len()));
            let files = [&self.file].into_iter().cloned().chain(files.iter().map(PathBuf::from));
            return table::print(kind, &files.collect::<Vec<_>>(), paths, &self.reading);
        }
        let input = Input::read(&self.file, self.reading.bound())?;
        let document = self.reading.open(&input)?;
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for own in document.get_all(&paths) {
            match own {
                Ok(nodes) => found.extend(nodes),
                Err(error) => missing.push(error),
            }
        }
        let is_one = self.paths.len() == 1 && found.len() == 1;
        if self.json {
            let made = match found.as_slice() {
                [only] if is_one => only.to_plain_json(),
                all => {
                    let members = all.iter().map(|node| (node.path(), node.to_plain_json()));
                    Json::Object(members.collect::<Map<_, _>>())
                }
            };
            output::print_json(&made)?;
        } else {
            let mut text = String::new();
            for node in &found {
                if !is_one {
                    text.push_str(&node.path());
                    text.push('=');
                }
                match self.kinds {
                    true => text.push_str(&node.kind()),
                    false if is_one => text.push_str(&node.text()),
                    false => text.push_str(&node.line()),
                }
                text.push('\n');
            }
            output::print(&text)?;
        }
        missing.iter().for_each(|why| output::error(&format!("{}: {why}", input.name)));
        Ok(Outcome::good_if(missing.is_empty()))
    }
}
