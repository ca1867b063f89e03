//! Rust types from a Zeze solution: the XML with its modules, beans, keys, protocols and rpcs.
//!
//! Every bean becomes a struct that serde derives for, with the ids of its variables; every dynamic an
//! enum; every protocol and rpc a type with its ids, argument and result. Solutions and modules become
//! Rust modules, those that are imported too. The source needs `serde`, `zeze-serialize`, and
//! `serde_bytes` where the solution has binaries.
//!
//! ```text
//! xml: files ──► parse: declarations ──► resolve: names ──► schema ──┬──► rust: source
//!                                                                    └──► compat: changes that lose data
//! ```

mod compat;
mod names;
mod parse;
mod place;
mod resolve;
mod rust;
pub mod schema;
mod services;
mod sources;
mod types;
#[cfg(feature = "view")]
pub mod view;
mod xml;

use std::path::{Path, PathBuf};

pub use self::compat::{Finding, Weight, compare};
pub use self::place::Place;
pub use self::schema::Schema;
use crate::{Error, Result};

/// Reads a file. Errors are sentences without its name.
pub type ReadFile = fn(&Path) -> std::result::Result<Vec<u8>, String>;

/// Settings for reading a solution and for the Rust types.
#[derive(Clone, Debug)]
pub struct Options {
    /// External beans by their full names, and the Rust type of each, such as
    /// `("Game.BItem", "crate::items::Item")`. An external bean without a type is a `Value`.
    pub externals: Vec<(String, String)>,
    /// The path of the crate zeze-serialize.
    pub krate: String,
    /// Gives each bean a field that keeps what the schema does not know. Keys have none, for equal keys
    /// must stay equal.
    pub keep_unknown: bool,
    /// The folder in which all imported files have to be. `None` is the repository of the solution, else
    /// the current folder, or the one above that of the solution.
    pub root: Option<PathBuf>,
    /// Reads the solution and the files that it imports. `None` is [`std::fs::read`].
    pub read: Option<ReadFile>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            externals: Vec::new(),
            krate: "zeze_serialize".to_owned(),
            keep_unknown: false,
            root: None,
            read: None,
        }
    }
}

/// Rust source, and what is worth knowing of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The source of one module.
    pub source: String,
    /// Sentences about files that were not found where they were named, and the like.
    pub notes: Vec<String>,
}

/// Generates the source for a solution and all that it imports.
///
/// # Errors
///
/// The solution cannot be read, or declares what Zeze or Rust cannot have.
pub fn generate(file: &Path, options: &Options) -> Result<Generated> {
    let (schema, notes) = Schema::read(file, options)?;
    Ok(Generated { source: rust::source(&schema, options, file), notes })
}

impl Schema {
    /// Reads the text of a solution. Of files that it imports, nothing is read.
    ///
    /// # Errors
    ///
    /// The text is no solution, or names what only an imported file declares.
    pub fn parse(solution: &str) -> Result<Self> {
        let (schema, _) = resolved(parse::text(solution)?, &Options::default())?;
        Ok(schema)
    }

    /// Reads a solution and all that it imports; gives the notes on it too.
    ///
    /// # Errors
    ///
    /// As [`generate`] has them.
    pub fn read(file: &Path, options: &Options) -> Result<(Self, Vec<String>)> {
        resolved(parse::solutions(file, options)?, options)
    }
}

fn resolved(parsed: parse::Parsed, options: &Options) -> Result<(Schema, Vec<String>)> {
    let missing = parsed.notes.clone();
    // A missing name may be in a missing file.
    resolve::schema(parsed, options).map_err(|Error(mut text)| {
        for note in missing.iter().filter(|note| note.contains("to import")) {
            text = format!("{text} ({note})");
        }
        Error(text)
    })
}
