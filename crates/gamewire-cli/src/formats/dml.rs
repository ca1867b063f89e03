//! `gamewire gen dml`.

use std::path::PathBuf;

use clap::Args;
use gamewire::kiwi_dml::{Protocol, Protocols};
use gamewire_gen::dml;

use crate::failure::{Failure, Outcome};
use crate::files::{Bound, Input};
use crate::output::Sink;

/// From *Messages.xml of KingsIsle's games, for kiwi-dml
///
/// Every service becomes a module with a struct for each message and an enum of all. The files are in
/// Root.wad of a game. The output needs serde and kiwi-dml.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire gen dml LoginMessages.xml GameMessages.xml -o src/messages.rs
  gamewire gen dml messages/*.xml | less")]
pub(crate) struct GenDml {
    /// Files of messages, each of one service
    #[arg(required = true, value_name = "MESSAGES.xml")]
    files: Vec<PathBuf>,
    /// Where the source goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

impl GenDml {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let mut protocols = Protocols::default();
        for path in &self.files {
            let input = Input::read(path, Bound::default())?;
            let added = Protocol::from_xml(&input.bytes).and_then(|own| protocols.add(own));
            added.map_err(|error| Failure::Data(format!("{}: {error}", input.name)))?;
        }
        let source = dml::generate(&protocols);
        Sink::new(self.output.as_deref()).write_bytes(source.as_bytes())?;
        Ok(Outcome::Good)
    }
}
