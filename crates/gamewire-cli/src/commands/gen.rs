use clap::{Args, Subcommand};

use crate::failure::{Failure, Outcome};
use crate::formats::dml::GenDml;
use crate::formats::pclass::generate::GenPclass;
use crate::formats::zeze::generate::GenZeze;

/// Generate Rust types from the schema of a game
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire gen zeze solution.xml -o src/beans.rs
  gamewire gen pclass types.json --class \"class TemplateManifest\" -o src/manifest.rs
  gamewire gen dml LoginMessages.xml GameMessages.xml -o src/messages.rs")]
pub(crate) struct Gen {
    #[command(subcommand)]
    schema: Schema,
}

#[derive(Subcommand)]
enum Schema {
    Zeze(GenZeze),
    Pclass(GenPclass),
    Dml(GenDml),
}

impl Gen {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.schema {
            Schema::Zeze(command) => command.run(),
            Schema::Pclass(command) => command.run(),
            Schema::Dml(command) => command.run(),
        }
    }
}
