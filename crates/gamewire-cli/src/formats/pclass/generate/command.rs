//! `gamewire gen pclass`

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::{Wishes, source};
use crate::failure::{Failure, Outcome};
use crate::formats::pclass::args::{merged, types};
use crate::output::Sink;

/// Generate structs, enums and a constant schema for PropertyClass classes
///
/// For each class, and everything that it reaches: the classes of its properties, those derived from
/// what it points to, enums and bit flags. The output is a module that needs `kiwi-pclass` and
/// `serde`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire gen pclass types.json --class \"class TemplateManifest\" -o manifest.rs
  gamewire gen pclass client.json server.json --class \"class A\" --class \"class B\" | less")]
pub(crate) struct GenPclass {
    /// Type lists in JSON; of a class that is in several, the first counts
    #[arg(required = true, value_name = "TYPES")]
    types: Vec<PathBuf>,
    /// A class by its whole name; may be repeated
    #[arg(long, required = true, value_name = "CLASS")]
    class: Vec<String>,
    /// Where the source goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    wishes: Wishes,
}

impl GenPclass {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let lists: Result<Vec<Arc<_>>, Failure> = self
            .types
            .iter()
            .map(|path| {
                let name = path.display();
                types(path).map_err(|error| Failure::Data(format!("{name}: {error}")))
            })
            .collect();
        let schema = merged(&lists?).map_err(Failure::Data)?.unwrap_or_default();
        let source = source(&schema, &self.class, self.wishes).map_err(Failure::Data)?;
        Sink::new(self.output.as_deref()).write_bytes(source.as_bytes())?;
        Ok(Outcome::Good)
    }
}
