//! The commands. None of them knows a format: that is the business of [`formats`](crate::formats).

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod detect;
pub(crate) mod diff;
pub(crate) mod encode;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod package;
pub(crate) mod tree;

use std::io;
use std::path::Path;

use clap::Args;
use gamewire::Format;

use crate::failure::Failure;
use crate::fault::Fault;
use crate::files::Input;
use crate::formats::{Document, Settings, Tool, format_parser};
use crate::json::Layout;
use crate::output::Sink;

/// The options for files whose format may be told from the files.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// The format [default: as the options and the file say]
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,
    #[command(flatten)]
    settings: Settings,
}

impl Reading {
    fn format_of(&self, input: &Input) -> Result<Format, Failure> {
        self.settings
            .format_of(self.format, input)
            .ok_or_else(|| Failure::Data(format!("{}: {}", input.name, NOT_RECOGNISED)))
    }

    /// The tool for a file.
    fn tool(&self, input: &Input) -> Result<Box<dyn Tool>, Failure> {
        let format = self.format_of(input)?;
        self.settings.tool(format).ok_or_else(|| no_tool(format))
    }
}

const NOT_RECOGNISED: &str = "not recognised as any format; if it has one, name it with --format";

fn no_tool(format: Format) -> Failure {
    Failure::Usage(format!("this build has no tool for {format}"))
}

/// Bad data in a file.
fn bad(input: &Input, fault: &Fault) -> Failure {
    Failure::Data(fault.show(&input.name, &input.bytes))
}

/// Writes a document as JSON to a file or to standard output.
fn write_json(
    document: &dyn Document,
    input: &Input,
    output: Option<&Path>,
    layout: Layout,
    wrap: bool,
) -> Result<(), Failure> {
    let mut wrong = None;
    let written = Sink::new(output).write(|out| {
        document.write_json(out, layout, wrap).or_else(|error| {
            if error.is_io() {
                return Err(io::Error::from(error));
            }
            wrong = Some(Fault::from(error));
            Ok(())
        })
    });
    match wrong {
        Some(fault) => Err(bad(input, &fault)),
        None => written,
    }
}
