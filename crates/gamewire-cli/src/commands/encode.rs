use std::path::PathBuf;

use clap::Args;
use gamewire::Format;

use super::{bad, no_tool};
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::formats::{Settings, format_parser};
use crate::output::Sink;

/// Encode the JSON notation to a file
///
/// The inverse of `decode`. A Godot value without a wrapper becomes a bare variant unless --framing
/// says otherwise.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire encode savegame.json -f godot-variant --framing store-var -o savegame.dat
  gamewire encode project.json -f godot-variant -o project.binary
  gamewire encode packet.json -f zeze-serialize -o packet.bin
  echo '[\"i:1\", \"f:0.5\", \"s:text\"]' | gamewire encode - -f godot-variant | xxd")]
pub(crate) struct Encode {
    /// The JSON; `-` is standard input
    file: PathBuf,
    /// The format
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser())]
    format: Format,
    /// Where the bytes go [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

impl Encode {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let tool = self.settings.tool(self.format).ok_or_else(|| no_tool(self.format))?;
        let input = Input::read(&self.file)?;
        let bytes = tool.encode(&input.bytes).map_err(|fault| bad(&input, &fault))?;
        Sink::new(self.output.as_deref()).write_bytes(&bytes)?;
        Ok(Outcome::Good)
    }
}
