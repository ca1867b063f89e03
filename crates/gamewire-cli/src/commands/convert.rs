use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamewire::Format;

use super::{Reading, bad, no_tool, write_json};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, is_dash};
use crate::formats::Target;
use crate::json::Layout;
use crate::output::Sink;

/// Convert a file to another dialect, framing or format
///
/// OUT has the format of IN, or is its JSON notation when its name ends in .json.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire convert old.save new.save --dialect godot3 --to-dialect godot4
  gamewire convert savegame.dat variant.bin --to-framing bare
  gamewire convert double.dat single.dat --to-precision single
  gamewire convert project.binary project.json
  gamewire convert packets.bin page.bin --to-frames page")]
pub(crate) struct Convert {
    /// The file to read; `-` is standard input
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// What OUT is [default: as its extension says, else the format of IN]
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    to: Option<Kind>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    target: Target,
}

/// What a file can be converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Json,
    Of(Format),
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let names = ["json"].into_iter().chain(Format::ALL.iter().map(|format| format.crate_name()));
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "json" => Ok(Kind::Json),
        name => name.parse().map(Kind::Of),
    })
}

impl Convert {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.from)?;
        let format = self.reading.format_of(&input)?;
        let is_json = !is_dash(&self.output)
            && self.output.extension().is_some_and(|own| own.eq_ignore_ascii_case("json"));
        let to = self.to.unwrap_or(if is_json { Kind::Json } else { Kind::Of(format) });
        let tool = self.reading.settings.tool_to(format, &self.target);
        let tool = tool.ok_or_else(|| no_tool(format))?;
        let bad = |fault| bad(&input, &fault);
        match to {
            Kind::Json => {
                let document = tool.decode(&input.bytes).map_err(bad)?;
                write_json(&*document, &input, Some(&self.output), Layout::Lines, false)?;
            }
            Kind::Of(other) if other != format => {
                return Err(Failure::Usage(format!("{format} cannot be converted to {other}")));
            }
            Kind::Of(_) => {
                let bytes = tool.convert(&input.bytes).map_err(bad)?;
                Sink::new(Some(&self.output)).write_bytes(&bytes)?;
            }
        }
        Ok(Outcome::Good)
    }
}
