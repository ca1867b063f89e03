use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::{self, Layout};

use super::batch::{self, Batch, Each};
use super::{Reading, must_be_no_package, note_doubt, sources, write_json};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Sink;

/// Decode files to their JSON notation
///
/// One Godot value is written as the engine's JSON.from_native writes it. Several values, and the
/// settings of a project.binary, are wrapped in an object that `encode` reads back:
/// {"framing":"store_var","values":[…]}, {"framing":"project","settings":{…}}. A bean of Zeze is an
/// object of its fields by id and type, {"1:int":7}; frames are {"frames":"sent","list":[…]}.
///
/// After an archive (`.wad`), names and patterns with *, ? and ** say which of its entries are meant;
/// without any, all are.
///
/// With --out-dir, the JSON of each file has its name and .json after it. Files of no known format
/// are skipped in folders.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire decode savegame.dat
  gamewire decode savegame.dat --plain | jq .player.inventory
  gamewire decode old.save --dialect godot3 -o old.json
  gamewire decode packet.b64 --framing base64
  gamewire decode record.bin -f zeze-serialize
  gamewire decode saves/ project.binary --out-dir json/
  gamewire decode Root.wad 'ObjectData/**' --types types.json --out-dir json/
  gamewire decode - < savegame.dat")]
pub(crate) struct Decode {
    /// The file; `-` is standard input; with --out-dir, files and folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the JSON goes [default: standard output]
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    output: Option<PathBuf>,
    #[command(flatten)]
    batch: Batch,
    /// Write the JSON on one line
    #[arg(long)]
    compact: bool,
    /// Write what is around a single value too, so that encode needs no option for it
    #[arg(long)]
    wrap: bool,
    /// Write plain JSON for other programs: numbers and text as such, objects for dictionaries with
    /// text as keys. Nothing makes a file of it again
    #[arg(long, conflicts_with = "wrap")]
    plain: bool,
    /// Write JSON, as in any case
    #[arg(long, hide = true)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

impl Decode {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if let Some(folder) = self.batch.folder() {
            return batch::run(&self.files, &folder, &self.reading.args, &self);
        }
        must_be_no_package(self.output.as_deref(), "JSON")?;
        let (input, file) = sources::only(&self.files, &self.reading.args)?;
        self.one(&input, &file, &Sink::new(self.output.as_deref()))?;
        Ok(Outcome::Good)
    }
}

impl Each for Decode {
    fn output(&self, relative: &Path) -> PathBuf {
        batch::with(relative, "json")
    }

    fn is_meant(&self, input: &Input) -> bool {
        self.reading.knows(input).is_some()
    }

    fn one(&self, input: &Input, _: &Path, sink: &Sink<'_>) -> Result<(), Failure> {
        let document = self.reading.open(input)?;
        note_doubt(input, document.must_be_sure());
        let layout = if self.compact { Layout::Compact } else { Layout::Lines };
        if self.plain {
            let plain = document.to_plain_json().map_err(|error| bad(input, &error))?;
            return sink.write_json(|out| Ok(document::write_json(out, &plain, layout)?));
        }
        write_json(&document, input, sink, layout, self.wrap)
    }
}
