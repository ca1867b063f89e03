//! `gamewire gen pclass`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use gamewire_gen::pclass::{self, Classes, Options};

use crate::args::pclass::{merged, types};
use crate::failure::{Failure, Outcome};
use crate::output::Shown as _;
use crate::output::{Folder, Sink};

/// Generate structs, enums and a constant schema for PropertyClass classes
///
/// For each class, and everything that it reaches: the classes of its properties, those derived from
/// what it points to, enums and bit flags. The output is a module that needs `kiwi-pclass` and
/// `serde`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire gen pclass types.json --class \"class TemplateManifest\" -o manifest.rs
  gamewire gen pclass types.json --class \"class GameEffectInfo\" --derived -o effects.rs
  gamewire gen pclass types.json --all --out-dir src/game/
  gamewire gen pclass client.json server.json --class \"class A\" --class \"class B\" | less")]
pub(crate) struct GenPclass {
    /// Type lists in JSON; of a class that is in several, the first counts
    #[arg(required = true, value_name = "TYPES")]
    types: Vec<PathBuf>,
    /// A class by its whole name, such as "class Duel"; may be repeated
    #[arg(long, required_unless_present = "all", value_name = "CLASS")]
    class: Vec<String>,
    /// The classes that are derived from those too
    #[arg(long, requires = "class")]
    derived: bool,
    /// All classes of the lists
    #[arg(long, conflicts_with = "class")]
    all: bool,
    /// Where the source goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// A folder for the source in several files: mod.rs, and modules of some hundred lines
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    out_dir: Option<PathBuf>,
    /// Replace files that are in the folder
    #[arg(long, requires = "out_dir")]
    force: bool,
    /// Make every std::string bytes, and not only those that are blobs: it may not be UTF-8
    #[arg(long)]
    bytes: bool,
    /// Make pointers to a class with more derived classes than this a Value [default: none]
    #[arg(long, value_name = "N")]
    most_derived: Option<usize>,
}

impl GenPclass {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let lists: Result<Vec<Arc<_>>, Failure> = self
            .types
            .iter()
            .map(|path| {
                let name = path.shown();
                types(path).map_err(|error| Failure::Data(format!("{name}: {error}")))
            })
            .collect();
        let schema = merged(&lists?).map_err(Failure::Data)?.unwrap_or_default();
        let options = Options { bytes: self.bytes, most_derived: self.most_derived };
        let failed = |error: gamewire_gen::Error| Failure::Data(error.to_string());
        let classes = match self.all {
            true => Classes::all(&schema),
            false => Classes::named(&schema, &self.class, self.derived).map_err(failed)?,
        };
        if let Some(path) = &self.out_dir {
            let folder = Folder::new(path, self.force);
            let files = pclass::generate_files(&schema, &classes, options).map_err(failed)?;
            for (name, _) in &files {
                folder.check(Path::new(name))?;
            }
            for (name, source) in &files {
                folder.write(Path::new(name), |out| out.write_all(source.as_bytes()))?;
            }
            return Ok(Outcome::Good);
        }
        let source = pclass::generate(&schema, &classes, options).map_err(failed)?;
        Sink::new(self.output.as_deref()).write_bytes(source.as_bytes())?;
        Ok(Outcome::Good)
    }
}
