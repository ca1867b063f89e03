//! `unwrap` and `wrap`.

use std::path::PathBuf;

use clap::Args;
use gamewire::document::{self, WRAPPINGS, Wrapping};

use super::Reading;
use crate::args::choice::{Auto, one_of};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Sink;

/// Take the compression or encryption of Godot off a file
///
/// Whatever is inside is written as it is: values, JSON lines, a ConfigFile, anything. `set` and the others
/// change values, JSON and ConfigFiles inside of the wrapper without this.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire unwrap save.dat save.json --password sesame
  gamewire unwrap settings.cfg - --password sesame")]
pub(crate) struct Unwrap {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Where its content goes [default: standard output]
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// Compress or encrypt any file as Godot does
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire wrap save.json save.dat --to-wrapping encrypted --password sesame
  gamewire wrap settings.cfg packed.cfg --to-wrapping zstd")]
pub(crate) struct Wrap {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Where the wrapped file goes [default: standard output]
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
    /// How it is wrapped
    #[arg(long, required = true, value_parser = one_of(WRAPPINGS), value_name = "WRAPPING")]
    to_wrapping: Option<Auto<Wrapping>>,
    #[command(flatten)]
    reading: Reading,
}

impl Unwrap {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file, self.reading.bound())?;
        let settings = self.reading.args.settings(None);
        let plain =
            document::unwrap(&input.bytes, &settings).map_err(|error| bad(&input, &error))?;
        Sink::new(self.out.as_deref()).over(&self.file, &input.bytes).write_bytes(&plain)?;
        Ok(Outcome::Good)
    }
}

impl Wrap {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file, self.reading.bound())?;
        let Some(wrapping) = self.to_wrapping.flatten() else {
            return Err(Failure::Usage("nothing is to be done: --to-wrapping none".to_owned()));
        };
        let settings = self.reading.args.settings(None);
        let made = document::wrap(input.bytes.to_vec(), wrapping, &settings);
        let made = made.map_err(|error| bad(&input, &error))?;
        Sink::new(self.out.as_deref()).over(&self.file, &input.bytes).write_bytes(&made)?;
        Ok(Outcome::Good)
    }
}
