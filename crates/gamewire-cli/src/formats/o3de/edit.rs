//! `gamewire patch` and `gamewire merge`.

use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::o3de_json::report::{Outcome as Code, Processing, ResultCode, Task};
use gamewire::o3de_json::value::Document;
use gamewire::o3de_json::{self, Options, Value};

use crate::args::LimitArgs;
use crate::args::o3de::O3deArgs;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::{self, Sink, is_dash};

/// Apply a JSON Patch to a JSON file, or make one
///
/// With the rules and results of O3DE (RFC 6902). What the patch does not touch stays as it is in
/// the file, comments and layout included.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire patch Server.setreg Ports.setregpatch
  gamewire patch Level.prefab changes.json -o Level.prefab
  gamewire patch --create old.prefab new.prefab > changes.json")]
pub(crate) struct Patch {
    /// The file; `-` is standard input
    file: PathBuf,
    /// The patch; with --create, the file as it shall become
    #[arg(value_name = "PATCH")]
    patch: PathBuf,
    /// Make the patch that turns FILE into PATCH
    #[arg(long, conflicts_with = "lenient")]
    create: bool,
    /// Leave out operations that do not fit, as prefabs do, and say which
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    how: How,
}

/// Apply a JSON Merge Patch to a JSON file, or make one
///
/// With the rules and results of O3DE (RFC 7396). What the patch does not touch stays as it is in
/// the file, comments and layout included.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire merge Server.setreg local.setreg -o Server.setreg
  gamewire merge --create old.setreg new.setreg")]
pub(crate) struct Merge {
    /// The file; `-` is standard input
    file: PathBuf,
    /// The patch; with --create, the file as it shall become
    #[arg(value_name = "PATCH")]
    patch: PathBuf,
    /// Make the patch that turns FILE into PATCH
    #[arg(long)]
    create: bool,
    #[command(flatten)]
    how: How,
}

/// The options that the commands share.
#[derive(Args)]
pub(super) struct How {
    /// Where the result goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    o3de: O3deArgs,
}

impl How {
    /// A value in the engine's layout.
    pub(super) fn laid_out(&self, value: &Value) -> o3de_json::Result<Vec<u8>> {
        let mut text = self.options().pretty(true).to_vec(value)?;
        text.push(b'\n');
        Ok(text)
    }

    pub(super) fn options(&self) -> Options {
        self.o3de.settings().options(self.limits.settings())
    }

    pub(super) fn read(&self, path: &Path) -> Result<(Input, Document), Failure> {
        let input = Input::read(path, self.limits.bound())?;
        match Document::from_slice(
            &input.bytes,
            &self.o3de.settings().options_for(self.limits.settings(), Some(path)),
        ) {
            Ok(document) => Ok((input, document)),
            Err(error) => Err(bad(&input, &error.into())),
        }
    }

    /// The two files of a command, of which one may be standard input.
    fn both(&self, file: &Path, patch: &Path) -> Result<[(Input, Document); 2], Failure> {
        if is_dash(file) && is_dash(patch) {
            return Err(Failure::Usage("standard input cannot be both files".to_owned()));
        }
        Ok([self.read(file)?, self.read(patch)?])
    }

    /// Writes the text of a changed file.
    pub(super) fn write(&self, input: &Input, document: &Document) -> Result<(), Failure> {
        let text = document.to_vec().map_err(|error| bad(input, &error.into()))?;
        let from = input.path.as_deref().unwrap_or(Path::new("-"));
        let sink = Sink::new(self.output.as_deref()).over(from, &input.bytes);
        sink.write(|out| out.write_all(&text))
    }

    /// Writes a patch in the engine's layout.
    fn write_patch(&self, patch: &Value) -> Result<(), Failure> {
        let text = self.laid_out(patch).map_err(|error| Failure::Data(error.to_string()))?;
        Sink::new(self.output.as_deref()).write(|out| out.write_all(&text))
    }
}

impl Patch {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let [(input, mut document), (patch_input, patch)] =
            self.how.both(&self.file, &self.patch)?;
        if self.create {
            let (patch, code) = document.value().create_patch(patch.value());
            if code.processing() == Processing::Halted {
                return Err(Failure::Data(format!("{}: {code:?}", input.name)));
            }
            self.how.write_patch(&patch)?;
            return Ok(Outcome::Good);
        }
        let mut wrong = Vec::new();
        let code = document.value_mut().apply_patch_with(patch.value(), &mut |step| {
            if step.code.processing() != Processing::Halted {
                return step.code;
            }
            let outcome = step.code.outcome();
            wrong.push(format!(
                "{}: {} ({outcome}), in {}",
                patch_input.name,
                step.message,
                place(step.pointer)
            ));
            match self.lenient {
                true => ResultCode::new(Task::Merge, Code::PartialSkip),
                false => step.code,
            }
        });
        if code.processing() == Processing::Halted {
            return Err(Failure::Data(wrong.pop().unwrap_or_else(|| format!("{code:?}"))));
        }
        wrong.iter().for_each(|message| output::error(message));
        self.how.write(&input, &document)?;
        Ok(Outcome::good_if(wrong.is_empty()))
    }
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "the root" } else { pointer }
}

impl Merge {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let [(input, mut document), (_, patch)] = self.how.both(&self.file, &self.patch)?;
        if self.create {
            let (made, code) = document.value().create_merge_patch(patch.value());
            let Some(made) = made else {
                let why = "a merge patch cannot write the nulls that are needed";
                return Err(Failure::Data(format!("{}: {why} ({})", input.name, code.outcome())));
            };
            self.how.write_patch(&made)?;
            return Ok(Outcome::Good);
        }
        let code = document.value_mut().apply_merge_patch(patch.value());
        if code.processing() == Processing::Halted {
            return Err(Failure::Data(format!("{}: {code:?}", input.name)));
        }
        self.how.write(&input, &document)?;
        Ok(Outcome::Good)
    }
}
