use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value as Json};

use super::{Reading, bad};
use crate::edit;
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
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire get savegame.dat player.hp
  gamewire get savegame.dat 'crops[*].watered' player.name
  gamewire get savegame.dat player --json | jq .inventory
  gamewire get Lamp.prefab /ContainerEntity/Name")]
pub(crate) struct Get {
    /// The file; `-` is standard input
    file: PathBuf,
    /// The paths of values
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
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
        let input = Input::read(&self.file, self.reading.bound())?;
        let tool = self.reading.tool(&input)?;
        let whole = tool.json(&input.bytes).map_err(|fault| bad(&input, &fault))?;
        let notation = tool.notation();
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        let found = edit::find_all(notation, &whole, &paths);
        let none = found.iter().zip(&paths).filter(|(found, _)| found.is_empty());
        let none: Vec<&str> = none.map(|(_, path)| *path).collect();
        let missing = edit::why_not(notation, &whole, &none);
        let found = found.concat();
        let is_one = self.paths.len() == 1 && found.len() == 1;
        if self.json {
            let plain = |place: &edit::Place| notation.plain(&place.value(&whole));
            let made = match found.as_slice() {
                [only] if is_one => plain(only),
                all => {
                    let members = all.iter().map(|place| (place.shown(), plain(place)));
                    Json::Object(members.collect::<Map<_, _>>())
                }
            };
            output::print_json(&made)?;
        } else {
            let mut text = String::new();
            for place in &found {
                let value = match self.kinds {
                    true => notation.kind(&whole, place),
                    false if is_one => notation.shown(&place.value(&whole)),
                    false => edit::line(notation, &whole, place),
                };
                if !is_one {
                    text.push_str(&place.shown());
                    text.push('=');
                }
                text.push_str(&value);
                text.push('\n');
            }
            output::print(&text)?;
        }
        missing.iter().for_each(|why| output::error(&format!("{}: {why}", input.name)));
        Ok(Outcome::good_if(missing.is_empty()))
    }
}
