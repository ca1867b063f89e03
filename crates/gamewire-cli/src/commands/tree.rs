use std::path::PathBuf;

use clap::Args;

use super::{Reading, bad};
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::output;

/// Draw the hierarchy in a file
///
/// Of a Resonite save: the slots with their components, and the assets.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire tree item.brson
  gamewire tree avatar.resonitepackage | less")]
pub(crate) struct Tree {
    /// The file; `-` is standard input
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
}

impl Tree {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file)?;
        let tool = self.reading.tool(&input)?;
        let text = tool.tree(&input.bytes).map_err(|fault| bad(&input, &fault))?;
        output::print(&text)?;
        Ok(Outcome::Good)
    }
}
