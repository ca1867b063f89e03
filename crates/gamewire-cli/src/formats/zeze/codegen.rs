//! Rust types from a Zeze solution: the XML with its modules, beans, keys, protocols and rpcs.
//!
//! [`xml`] reads files, [`parse`] makes the schema of them, [`resolve`] finds what its names stand
//! for, and [`rust`] writes it down.

pub(crate) mod command;
mod names;
mod parse;
mod resolve;
mod rust;
mod schema;
mod types;
mod xml;

use std::path::Path;

use clap::Args;

/// Something wrong with a solution: the file, the line, and a sentence.
#[derive(Debug)]
pub(crate) struct Wrong(pub(crate) String);

type Result<T, E = Wrong> = std::result::Result<T, E>;

/// What the caller decides about the Rust types.
#[derive(Args)]
pub(crate) struct Choices {
    /// The Rust type of an external bean; without it, such a bean is a `Value`
    #[arg(long = "extern", value_name = "BEAN=PATH", value_parser = command::external)]
    externals: Vec<(String, String)>,
    /// The path of the crate zeze-serialize
    #[arg(long = "crate", value_name = "PATH", default_value = "zeze_serialize")]
    krate: String,
    /// Give each bean a field that keeps what the schema does not know
    #[arg(long)]
    keep_unknown: bool,
}

/// The Rust source for a solution and all that it imports.
pub(crate) fn generate(file: &Path, choices: &Choices) -> Result<String> {
    let parsed = parse::solutions(file)?;
    let schema = resolve::schema(parsed, choices)?;
    Ok(rust::source(&schema, choices, file))
}
