use std::path::PathBuf;

use clap::Args;
use gamewire::document::{self, Settings, count};

use super::Reading;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::{self, Sink};

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
        let settings = self.reading.args.settings(self.reading.knows(&input));
        let settings = Settings { name: input.path.clone(), ..settings };
        let made = document::salvage(&input.bytes, &settings);
        let made = made.map_err(|error| bad(&input, &error))?;
        Sink::new(Some(&self.output)).over(&self.file, &input.bytes).write_bytes(&made.bytes)?;
        made.lost.iter().for_each(|what| output::note(&format!("{}: lost: {what}", input.name)));
        let lost = count(made.lost.len(), "thing");
        if made.lost.is_empty() {
            output::note(&format!("{}: nothing is lost", input.name));
        } else {
            output::note(&format!("{}: {lost} lost", input.name));
        }
        Ok(Outcome::good_if(made.lost.is_empty()))
    }
}
