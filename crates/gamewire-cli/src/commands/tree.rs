use std::path::PathBuf;

use clap::Args;
use gamewire::document::{DecodedFile, TreeOptions};
use gamewire::resonite_brson::Options;
use gamewire::{Format, kiwi_pclass};
use serde_json::Map;

use super::sources::{each, within};
use super::{Reading, note_doubt};
use crate::failure::{Failure, Outcome};
use crate::files::{Found, Input, bad};
use crate::formats::o3de::tree::TreeArgs;
use crate::formats::pclass::archive::{self, Given};
use crate::formats::resonite::slots;
use crate::output::{self, Drawing, Paging};

/// Draw the hierarchy in a file
///
/// Of a Resonite save: the slots with their components, and the assets. Of a prefab of O3DE: the
/// entities below their parents with the types of their components, without those that the editor has
/// for itself, and the instances of other prefabs with their names and sources. Of a scene of
/// Godot: the nodes with their properties, the resources in it, and the files that it refers to. Of an archive of
/// KingsIsle's games: the folders and files. Of other data of Godot, PropertyClass and Zeze: the values that
/// have others in them, with those that have none as notes; of Zeze with --schema by their names.
///
/// Of a value with many others in it, the first 100 are drawn, and a line says how many more there are: --all draws
/// them, and JSON has them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire tree item.brson
  gamewire tree avatar.resonitepackage --count
  gamewire tree Level.prefab | less
  gamewire tree Level.prefab --expand --all
  gamewire tree Root.wad
  gamewire tree Root.wad --entry ObjectData/Spell.xml --types types.json
  gamewire tree player.bin --schema solution.xml --bean BPlayer")]
pub(crate) struct Tree {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Of an archive or a package, the entry that is meant; with *, ? and **, all that match and can be read
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Write JSON: objects with `line`, `notes` and `children`
    #[arg(long)]
    json: bool,
    /// Draw all, however many; of a prefab also the components that the editor gives each entity for
    /// itself, aliases, and how much instances override
    #[arg(long)]
    all: bool,
    /// Of a Resonite save, only how many components there are of each type, and the bones and weights of
    /// blend shapes of each skinned mesh
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    paging: Paging,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    prefab: TreeArgs,
}

impl Tree {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let bound = self.reading.bound();
        let given = match &self.entry {
            None => Given::read(&self.file, bound, &kiwi_pclass::Options::new())?,
            Some(name) => match within(&self.file, name, &self.reading)?.as_slice() {
                [only] if only.is_named => Given::Other(only.read(bound)?),
                several => return self.several(several),
            },
        };
        let drawn = match given {
            Given::Archive(_, archive) => archive::tree(&archive),
            Given::Other(input) => self.draw(&input)?,
        };
        match self.json {
            true => output::print_json(&drawn.json)?,
            false => self.paging.print(&drawn.text)?,
        }
        Ok(Outcome::Good)
    }

    /// Draws entries, each below its name. What is of no known format is skipped.
    fn several(&self, all: &[Found]) -> Result<Outcome, Failure> {
        let (mut text, mut json) = (String::new(), Map::new());
        let outcome = each(all, &self.reading, |name, input| {
            let drawn = self.draw(input)?;
            match self.json {
                true => _ = json.insert(name.to_owned(), drawn.json),
                false => text += &format!("{name}\n{}", drawn.text),
            }
            Ok(())
        })?;
        match self.json {
            true => output::print_json(&json)?,
            false => self.paging.print(&text)?,
        }
        Ok(outcome)
    }

    fn picture(&self) -> TreeOptions {
        let most = if self.all { usize::MAX } else { TreeOptions::SCREEN };
        TreeOptions {
            columns: output::columns(),
            most,
            see_more: "; --all shows them",
            is_json: self.json,
        }
    }

    fn draw(&self, input: &Input) -> Result<Drawing, Failure> {
        Ok(match self.reading.format_of(input)? {
            Format::ResoniteBrson if self.count => {
                let source = slots::read(&input.bytes, &Options::new());
                slots::counts(&source.map_err(|fault| bad(input, &fault))?)
            }
            _ if self.count => {
                let why = format!("{}: is not a save of Resonite; --count needs one", input.name);
                return Err(Failure::Usage(why));
            }
            Format::O3deJson => {
                self.prefab.draw(input, &self.reading.args, self.all, self.picture())?.into()
            }
            _ if self.prefab.is_used() => {
                let why = format!("{}: is not a prefab; --expand needs one", input.name);
                return Err(Failure::Usage(why));
            }
            _ => {
                let settings = self.reading.settings(input)?;
                let data = DecodedFile::read(input.bytes.clone(), &settings)
                    .map_err(|error| bad(input, &error))?;
                note_doubt(input, data.must_be_sure());
                data.tree(self.picture()).map_err(|error| bad(input, &error))?.into()
            }
        })
    }
}
