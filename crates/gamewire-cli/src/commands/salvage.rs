use std::path::PathBuf;

use clap::Args;
use gamewire::Format;

use super::{Reading, bad};
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::formats::{Salvaged, godot};
use crate::output::{self, Sink};
use crate::words::count;

/// Write what can still be read of a damaged file
///
/// Of a file that is cut off or broken somewhere, all that is whole before that, as a valid file of
/// the same format. What is lost is said. The damaged file stays as it is. Exits with 1 where
/// something is lost.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire salvage cut.dat -o saved.dat
  gamewire salvage broken.bin -f zeze-serialize -o saved.bin
  gamewire salvage item.brson -o saved.brson")]
pub(crate) struct Salvage {
    /// The damaged file; `-` is standard input
    file: PathBuf,
    /// Where the valid file goes; `-` is standard output
    #[arg(short, long, value_name = "OUT", required = true)]
    output: PathBuf,
    #[command(flatten)]
    reading: Reading,
}

impl Salvage {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file, self.reading.bound())?;
        let made = if self.reading.knows(&input) {
            let tool = self.reading.tool(&input)?;
            tool.salvage(&input.bytes).map_err(|fault| bad(&input, &fault))?
        } else {
            self.best(&input)?
        };
        Sink::new(Some(&self.output)).write_bytes(&made.bytes)?;
        made.lost.iter().for_each(|what| output::note(&format!("{}: lost: {what}", input.name)));
        let lost = count(made.lost.len(), "thing");
        if made.lost.is_empty() {
            output::note(&format!("{}: nothing is lost", input.name));
        } else {
            output::note(&format!("{}: {lost} lost", input.name));
        }
        Ok(Outcome::good_if(made.lost.is_empty()))
    }

    /// Of a file that is damaged so that it is not recognized: the format by which most of it can be
    /// read.
    fn best(&self, input: &Input) -> Result<Salvaged, Failure> {
        if let Some(about) = godot::neighbour(&input.bytes) {
            return Err(Failure::Data(format!("{}: {about}", input.name)));
        }
        let made = Format::ALL.iter().filter_map(|format| {
            let tool = self.reading.settings.tool_for(*format, input)?;
            tool.salvage(&input.bytes).ok()
        });
        made.max_by_key(|made| made.kept)
            .filter(|made| made.kept * 4 > input.bytes.len())
            .ok_or_else(|| {
                let why = "nothing in it can be read; --format says what it was";
                Failure::Data(format!("{}: {why}", input.name))
            })
    }
}
