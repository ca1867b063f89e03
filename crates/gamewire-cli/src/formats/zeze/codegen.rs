//! Rust types from a Zeze solution: the XML with its modules, beans, keys, protocols and rpcs.
//!
//! [`xml`] reads files, [`parse`] makes the schema of them, [`resolve`] finds what its names stand
//! for, and [`rust`] writes it down.

pub(crate) mod command;
mod compat;
mod names;
mod parse;
mod resolve;
mod rust;
mod schema;
mod services;
mod sources;
mod types;
pub(crate) mod view;
mod xml;

use std::path::{Path, PathBuf};

use clap::Args;

/// Something wrong with a solution: the file, the line, and a sentence.
#[derive(Debug)]
pub(crate) struct Wrong(pub(crate) String);

type Result<T, E = Wrong> = std::result::Result<T, E>;

/// What the caller decides about the Rust types.
#[derive(Args, Default)]
pub(crate) struct Choices {
    /// The Rust type of an external bean, such as Game.BItem=crate::items::Item; without it, such a bean is
    /// a `Value`
    #[arg(long = "extern", value_name = "BEAN=PATH", value_parser = command::external)]
    externals: Vec<(String, String)>,
    /// The path of the crate zeze-serialize
    #[arg(long = "crate", value_name = "PATH", default_value = "zeze_serialize")]
    krate: String,
    /// Give each bean a field that keeps what the schema does not know; keys have none, for equal
    /// keys must stay equal
    #[arg(long)]
    keep_unknown: bool,
    /// The folder in which all imported files have to be [default: the repository of the solution,
    /// else the current folder, or the one above that of the solution]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// The Rust source for a solution and all that it imports, and what is worth knowing of it.
pub(crate) fn generate(file: &Path, choices: &Choices) -> Result<(String, Vec<String>)> {
    let (schema, notes) = schema(file, choices)?;
    Ok((rust::source(&schema, choices, file), notes))
}

fn schema(file: &Path, choices: &Choices) -> Result<(schema::Schema, Vec<String>)> {
    let parsed = parse::solutions(file, choices.root.as_deref())?;
    let missing = parsed.notes.clone();
    // A name that is not there may be in a file that is not.
    resolve::schema(parsed, choices).map_err(|Wrong(mut text)| {
        for note in missing.iter().filter(|note| note.contains("to import")) {
            text = format!("{text} ({note})");
        }
        Wrong(text)
    })
}
