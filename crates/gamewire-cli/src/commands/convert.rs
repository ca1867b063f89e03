use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamewire::Format;
use gamewire::document::{self, Layout};

use super::batch::{self, Batch, Each};
use super::{Reading, must_be_no_package, write_json};
use crate::args::TargetArgs;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::{self, Shown as _, Sink, is_dash};

/// Convert files to another dialect, framing or format
///
/// OUT has the format of IN, or is its JSON notation when its name ends in .json. Such JSON goes back when
/// IN has that name; --to names the format where the JSON does not tell it.
///
/// With --out-dir, all arguments are files and folders to read. What is made of a file has its name,
/// with .json after it for --to json, and the container's extension for --to-container. Files of no
/// known format are skipped in folders.
#[derive(Args)]
#[command(override_usage = "\
gamewire convert [OPTIONS] <IN> <OUT>
       gamewire convert [OPTIONS] --out-dir <DIR> <IN>...")]
#[command(after_help = "\
Examples:
  gamewire convert old.save new.save --dialect godot3 --to-dialect godot4
  gamewire convert savegame.dat variant.bin --to-framing bare
  gamewire convert double.dat single.dat --to-precision single
  gamewire convert project.binary project.json
  gamewire convert project.json project.binary
  gamewire convert packets.bin page.bin --to-frames page
  gamewire convert main.tscn main.scn
  gamewire convert item.7zbson item.brson
  gamewire convert old/ --to-dialect godot4 --dialect godot3 --out-dir new/")]
pub(crate) struct Convert {
    /// The file to read and the file to write; `-` is standard input or output
    #[arg(required = true, value_name = "IN OUT")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    batch: Batch,
    /// What OUT is [default: as its extension says, else the format of IN]
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    to: Option<Kind>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    target: TargetArgs,
}

/// The target of a conversion.
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
        if let Some(folder) = self.batch.folder() {
            return batch::run(&self.files, &folder, &self.reading.args, &self);
        }
        let [from, output] = self.files.as_slice() else {
            let why = "expected the file to read and the file to write, or --out-dir";
            return Err(Failure::Usage(why.to_owned()));
        };
        let input = Input::read(from, self.reading.bound())?;
        let is_json = !is_dash(output)
            && output.extension().is_some_and(|own| own.eq_ignore_ascii_case("json"));
        let to = self.to.or(is_json.then_some(Kind::Json));
        self.convert(&input, to, output, &Sink::new(Some(output)).over(from, &input.bytes))?;
        Ok(Outcome::Good)
    }

    /// Makes a file of this name, which may say what it is to be.
    fn convert(
        &self,
        input: &Input,
        to: Option<Kind>,
        name: &Path,
        sink: &Sink<'_>,
    ) -> Result<(), Failure> {
        if to != Some(Kind::Json)
            && let Some(format) = self.of_notation(input)
        {
            return self.encode(format, input, name, sink);
        }
        let format = self.reading.format_of(input)?;
        let to = to.unwrap_or(Kind::Of(format));
        match to {
            Kind::Json => must_be_no_package(Some(name), "JSON")?,
            Kind::Of(other) if other != format => {
                return Err(Failure::Usage(format!(
                    "{}: {format} cannot be converted to {other}",
                    input.name
                )));
            }
            Kind::Of(Format::ResoniteBrson) => {}
            Kind::Of(_) => must_be_no_package(Some(name), format.crate_name())?,
        }
        let document = self.reading.open(input)?;
        let is_json = |path: &Path| path.extension().is_some_and(|own| own == "json");
        if to == Kind::Json && self.to.is_none() && input.path.as_deref().is_some_and(is_json) {
            output::note(&format!(
                "{}: is the JSON notation of the values; --to {format} keeps what is around them",
                name.shown()
            ));
        }
        if to == Kind::Json {
            return write_json(&document, input, sink, Layout::Lines, !self.target.is_bare());
        }
        let target = self.target.target(name);
        let made = document.convert(&target);
        let made = made.map_err(|error| bad(input, &error))?;
        for lost in document.losses(&target).map_err(|error| bad(input, &error))? {
            output::note(&format!("{}: {lost}", input.name));
        }
        sink.write_bytes(&made)
    }

    /// The format of a file that is the JSON notation of another one. O3DE's files are JSON anyway.
    fn of_notation(&self, input: &Input) -> Option<Format> {
        let is_json =
            |path: &&Path| path.extension().is_some_and(|own| own.eq_ignore_ascii_case("json"));
        input.path.as_deref().filter(is_json)?;
        let named = match self.to {
            Some(Kind::Of(format)) => Some(format),
            _ => self.reading.format,
        };
        let found = document::members(&input.bytes, &["framing", "frames", "type"]);
        let told = || {
            let is_godot = found.contains_key("framing");
            let is_zeze = found.contains_key("frames").then_some(Format::ZezeSerialize);
            if is_godot { Some(Format::GodotVariant) } else { is_zeze }
        };
        // A save of Godot may have that name, and be JSON itself.
        let is_save = |format: &Format| {
            let is_value = |byte: &u8| b"[\"-0123456789tfn".contains(byte);
            let is_value = input.bytes.trim_ascii_start().first().is_some_and(is_value);
            *format == Format::GodotVariant && found.is_empty() && !is_value
        };
        let format = named.or_else(told).filter(|format| !is_save(format));
        format.filter(|format| *format != Format::O3deJson)
    }

    /// Makes a file of its notation.
    fn encode(
        &self,
        format: Format,
        input: &Input,
        name: &Path,
        sink: &Sink<'_>,
    ) -> Result<(), Failure> {
        if format != Format::ResoniteBrson {
            must_be_no_package(Some(name), format.crate_name())?;
        }
        let mut settings = self.reading.args.settings(Some(format));
        settings.name_output(name);
        let made = document::encode(&input.bytes, &settings);
        sink.write_bytes(&made.map_err(|error| bad(input, &error))?)
    }
}

impl Each for Convert {
    fn output(&self, relative: &Path) -> PathBuf {
        let extension = match self.to {
            Some(Kind::Json) => Some("json"),
            Some(Kind::Of(Format::ResoniteBrson)) | None => self.target.extension(),
            Some(Kind::Of(_)) => None,
        };
        match extension {
            Some(extension) => batch::with(relative, extension),
            None => relative.to_owned(),
        }
    }

    fn is_meant(&self, input: &Input) -> bool {
        self.reading.knows(input).is_some()
    }

    fn one(&self, input: &Input, relative: &Path, sink: &Sink<'_>) -> Result<(), Failure> {
        self.convert(input, self.to, &self.output(relative), sink)
    }
}
