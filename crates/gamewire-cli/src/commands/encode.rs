use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::{Format, document};

use super::batch::{self, Batch, Each};
use super::must_be_no_package;
use crate::args::{FormatArgs, format_parser};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Shown as _;
use crate::output::Sink;

/// Encode the JSON notation to files
///
/// The inverse of `decode`. A Godot value without a wrapper becomes a bare variant unless --framing
/// says otherwise.
///
/// With --out-dir, what is made of a file has its name without .json. Files with other names are
/// skipped in folders.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire encode savegame.json -f godot-variant --framing store-var -o savegame.dat
  gamewire encode project.json -f godot-variant -o project.binary
  gamewire encode packet.json -f zeze-serialize -o packet.bin
  gamewire encode item.json -o item.brson
  gamewire encode json/ -f godot-variant --out-dir saves/
  echo '[\"i:1\", \"f:0.5\", \"s:text\"]' | gamewire encode - -f godot-variant | xxd")]
pub(crate) struct Encode {
    /// The JSON; `-` is standard input; with --out-dir, files and folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format [default: as the extension of OUT says]
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,
    /// Where the bytes go [default: standard output]
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    output: Option<PathBuf>,
    #[command(flatten)]
    batch: Batch,
    #[command(flatten)]
    args: FormatArgs,
}

impl Encode {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if let Some(folder) = self.batch.folder() {
            return batch::run(&self.files, &folder, &self.args, &self);
        }
        let input = Input::read(Batch::only(&self.files)?, self.args.bound())?;
        self.encode(&input, self.output.as_deref(), &Sink::new(self.output.as_deref()))?;
        Ok(Outcome::Good)
    }

    /// Makes a file of this name, which may say what it is to be.
    fn encode(&self, input: &Input, name: Option<&Path>, sink: &Sink<'_>) -> Result<(), Failure> {
        let format = match self.format {
            Some(format) => format,
            None => named(name)?,
        };
        if format != Format::ResoniteBrson {
            must_be_no_package(name, format.crate_name())?;
        }
        let mut settings = self.args.settings(Some(format));
        if let Some(name) = name {
            settings.name_output(name);
        }
        let bytes = document::encode(&input.bytes, &settings);
        let bytes = bytes.map_err(|error| bad(input, &error))?;
        sink.write_bytes(&bytes)
    }
}

/// The format of files with a name.
fn named(name: Option<&Path>) -> Result<Format, Failure> {
    let why = "does not say what it is to be; --format FORMAT does";
    match name {
        Some(name) => gamewire::detect(&[], Some(name))
            .ok_or_else(|| Failure::Usage(format!("{}: the name {why}", name.shown()))),
        None => Err(Failure::Usage(format!("standard output {why}"))),
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("json"))
}

impl Each for Encode {
    fn output(&self, relative: &Path) -> PathBuf {
        if is_json(relative) { relative.with_extension("") } else { relative.to_owned() }
    }

    fn is_meant(&self, input: &Input) -> bool {
        input.path.as_deref().is_some_and(is_json)
    }

    fn one(&self, input: &Input, relative: &Path, sink: &Sink<'_>) -> Result<(), Failure> {
        self.encode(input, Some(&self.output(relative)), sink)
    }
}
