//! The commands. None of them knows a format: that is the business of [`formats`](crate::formats).

pub(crate) mod backup;
mod batch;
pub(crate) mod check;
pub(crate) mod conformance;
pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod detect;
pub(crate) mod diff;
pub(crate) mod encode;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod r#gen;
pub(crate) mod generate;
pub(crate) mod get;
pub(crate) mod git;
pub(crate) mod merge3;
pub(crate) mod package;
pub(crate) mod salvage;
pub(crate) mod set;
pub(crate) mod slot;
pub(crate) mod sources;
pub(crate) mod tree;
pub(crate) mod wrap;

use std::io;
use std::path::Path;

use clap::Args;
use gamewire::Format;
use gamewire::document::{Document, Error, Layout, Limits, Settings, advice, unsupported_kind};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{FormatArgs, format_parser};
use crate::failure::Failure;
use crate::fault::sentence;
use crate::files::{Bound, Found, Input, bad};
use crate::formats::resonite::package::is_named as is_package_name;
use crate::output::{self, Shown as _, Sink};

/// The options for files whose format may be detected.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// The format [default: as the options and the file say]
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,
    #[command(flatten)]
    args: FormatArgs,
}

impl Reading {
    fn bound(&self) -> Bound {
        self.args.bound()
    }

    /// The format of a file, if it is given or can be detected.
    fn knows(&self, input: &Input) -> Option<Format> {
        self.args.format_of(self.format, input)
    }

    fn format_of(&self, input: &Input) -> Result<Format, Failure> {
        let why = || Failure::Data(format!("{}: {}", input.name, unknown(&input.bytes)));
        self.knows(input).ok_or_else(why)
    }

    /// The settings for a file.
    fn settings(&self, input: &Input) -> Result<Settings, Failure> {
        Ok(self.settings_of(self.format_of(input)?, input))
    }

    fn settings_of(&self, format: Format, input: &Input) -> Settings {
        let settings = self.args.settings(Some(format));
        let max_memory = input.max_memory.or(settings.limits.max_memory);
        let limits = Limits { max_memory, ..settings.limits };
        Settings { name: input.path.clone(), limits, ..settings }
    }

    fn open(&self, input: &Input) -> Result<Document, Failure> {
        let settings = self.settings(input)?;
        Document::open(input.bytes.clone(), &settings).map_err(|error| bad(input, &error))
    }
}

/// Says as what a file is read that may be another, too.
fn note_doubt(input: &Input, doubt: Result<(), Error>) {
    if let Err(why) = doubt {
        output::note(&format!("{}: {}", input.name, sentence(&why)));
    }
}

/// Why a file of no known format is not read.
fn unknown(bytes: &[u8]) -> String {
    let plain = || "not recognized as any format; if it has one, name it with --format".to_owned();
    unsupported_kind(bytes).or_else(|| advice(bytes)).as_ref().map_or_else(plain, sentence)
}

/// Why a named file is none for a command of one format, and which command reads it; `None` for one that may be.
pub(crate) fn for_other(input: &Input, own: Format, command: &str) -> Option<String> {
    let found = gamewire::detect(&input.bytes, input.path.as_deref()).filter(|_| input.is_named);
    let said = match found {
        Some(format) if format == own => return None,
        Some(format) => {
            let is_package = input.path.as_deref().is_some_and(is_package_name);
            let other = match (command, format) {
                ("lint", Format::ResoniteBrson) if is_package => "package verify",
                ("lint", _) => "check",
                (_, Format::O3deJson) => "lint",
                _ => "decode",
            };
            let (own, name) = (own.name(), format.name());
            format!("expected {own} for {command}, found {name}; `gamewire {other}` reads it")
        }
        None => sentence(&unsupported_kind(&input.bytes).filter(|_| input.is_named)?),
    };
    Some(format!("{}: {said}", input.name))
}

/// Errors if a non-package would get a package's extension.
fn must_be_no_package(output: Option<&Path>, what: &str) -> Result<(), Failure> {
    match output {
        Some(output) if is_package_name(output) => Err(Failure::Usage(format!(
            "{}: only Resonite's saves become packages, not {what}",
            output.shown()
        ))),
        _ => Ok(()),
    }
}

/// A bar on standard error, if that is a terminal and there is something to wait for.
fn progress(files: &[Found]) -> ProgressBar {
    bar(files.len(), "files")
}

/// A progress bar of `len` steps.
pub(crate) fn bar(len: usize, what: &str) -> ProgressBar {
    if len < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::try_from(len).unwrap_or(u64::MAX));
    match ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Writes a document as JSON.
fn write_json(
    document: &Document,
    input: &Input,
    sink: &Sink<'_>,
    layout: Layout,
    wrap: bool,
) -> Result<(), Failure> {
    let mut wrong = None;
    let written = sink.write_json(|out| {
        document.write_json(out, layout, wrap).map_err(|error| {
            if error.is_io() {
                return io::Error::from(error);
            }
            // Any error, so that no file is made of the part that was written.
            wrong = Some(error);
            io::ErrorKind::InvalidData.into()
        })
    });
    match wrong {
        Some(fault) => Err(bad(input, &fault)),
        None => written,
    }
}
