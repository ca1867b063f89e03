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

/// Something wrong with a solution: the file, the line, and a sentence.
#[derive(Debug)]
pub(crate) struct Wrong(pub(crate) String);

type Result<T, E = Wrong> = std::result::Result<T, E>;

/// What the caller decides about the Rust types.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// The path of the crate `zeze-serialize`.
    pub(crate) krate: String,
    /// Zeze's names of types that are written by hand, and their Rust paths.
    pub(crate) externals: Vec<(String, String)>,
    /// Whether beans keep the fields that the schema does not know.
    pub(crate) keep_unknown: bool,
}

/// The Rust source for a solution and all that it imports.
pub(crate) fn generate(file: &Path, choices: &Choices) -> Result<String> {
    let parsed = parse::solutions(file)?;
    let schema = resolve::schema(parsed, choices)?;
    Ok(rust::source(&schema, choices, file))
}
