use std::path::PathBuf;

use clap::Args;

use super::{Reading, bad, write_json};
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::json::Layout;

/// Decode a file to its JSON notation
///
/// One Godot value is written as the engine's JSON.from_native writes it. Several values, and the
/// settings of a project.binary, are wrapped in an object that `encode` reads back:
/// {"framing":"store_var","values":[…]}, {"framing":"project","settings":{…}}. A bean of Zeze is an
/// object of its fields by id and type, {"1:int":7}; frames are {"frames":"sent","list":[…]}.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire decode savegame.dat
  gamewire decode savegame.dat --compact | jq .args
  gamewire decode old.save --dialect godot3 -o old.json
  gamewire decode packet.b64 --framing base64
  gamewire decode record.bin -f zeze-serialize
  gamewire decode - < savegame.dat")]
pub(crate) struct Decode {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Where the JSON goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write the JSON on one line
    #[arg(long)]
    compact: bool,
    /// Write what is around a single value too, so that encode needs no option for it
    #[arg(long)]
    wrap: bool,
    #[command(flatten)]
    reading: Reading,
}

impl Decode {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file)?;
        let tool = self.reading.tool(&input)?;
        let document = tool.decode(&input.bytes).map_err(|fault| bad(&input, &fault))?;
        let layout = if self.compact { Layout::Compact } else { Layout::Lines };
        write_json(&*document, &input, self.output.as_deref(), layout, self.wrap)?;
        Ok(Outcome::Good)
    }
}
