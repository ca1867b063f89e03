use clap::{Args, Subcommand};

use crate::failure::{Failure, Outcome};
use crate::formats::pclass::generate::command::GenPclass;

/// Generate Rust types from descriptions of a format's types
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire gen pclass types.json --class \"class TemplateManifest\" -o manifest.rs")]
pub(crate) struct Gen {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Pclass(GenPclass),
}

impl Gen {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Pclass(command) => command.run(),
        }
    }
}
