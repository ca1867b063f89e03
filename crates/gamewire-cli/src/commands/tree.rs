use std::path::PathBuf;

use clap::Args;

use super::{Reading, bad};
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::formats::pclass::archive;
use crate::output;

/// Draw the hierarchy in a file
///
/// Of a Resonite save: the slots with their components, and the assets. Of a prefab of O3DE: the
/// entities below their parents with the types of their components, and the instances of other
/// prefabs. Of an archive of KingsIsle's games: the folders and files.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire tree item.brson
  gamewire tree Level.prefab | less
  gamewire tree Root.wad")]
pub(crate) struct Tree {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Write JSON: objects with `line`, `notes` and `children`
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

impl Tree {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file, self.reading.bound())?;
        let drawn = match archive::is_archive(&input.bytes) {
            true => archive::tree(&input.bytes),
            false => self.reading.tool(&input)?.tree(&input.bytes),
        };
        let drawn = drawn.map_err(|fault| bad(&input, &fault))?;
        match self.json {
            true => output::print_json(&drawn.json)?,
            false => output::print(&drawn.text)?,
        }
        Ok(Outcome::Good)
    }
}
