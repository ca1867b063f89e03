//! The options on the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::o3de_json::Options;
use gamewire::o3de_prefab::Defaults;

use crate::commands::bad;
use crate::failure::Failure;
use crate::files::Input;
use crate::formats::Limits;

/// How deep documents may nest unless the command line says otherwise.
const DEPTH: usize = 128;

/// O3DE's options for reading.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "O3DE")]
pub(crate) struct O3deArgs {
    /// Accept a comma after the last member or element, as the settings registry does
    #[arg(long)]
    trailing_commas: bool,
}

impl O3deArgs {
    /// Whether the command line speaks of O3DE.
    pub(crate) fn is_used(&self) -> bool {
        self.trailing_commas
    }

    /// The options for a file, whose name may say that trailing commas are usual.
    pub(super) fn options_for(self, limits: Limits, path: Option<&Path>) -> Options {
        let options = self.options(limits);
        match path {
            Some(path) if !limits.strict => options.for_path(path),
            _ => options,
        }
    }

    /// Strict reading is that of RFC 8259: without comments, and in UTF-8.
    pub(super) fn options(self, limits: Limits) -> Options {
        let options = Options::new()
            .comments(!limits.strict)
            // Some files that ship with the engine have Latin letters of one byte in their strings.
            .invalid_utf8(!limits.strict)
            .trailing_commas(self.trailing_commas)
            .max_depth(limits.max_depth.unwrap_or(DEPTH))
            // The file is in memory already.
            .max_alloc(usize::MAX);
        limits.max_memory.map_or(options.clone(), |bytes| options.max_memory(bytes))
    }
}

/// What components of a project have where files leave members out.
#[derive(Args)]
pub(super) struct OwnDefaults {
    /// A JSON file with the members that a project's own components have by default
    #[arg(long, value_name = "FILE")]
    defaults: Vec<PathBuf>,
}

impl OwnDefaults {
    /// Those of the engine and of the files.
    pub(super) fn read(&self, limits: Limits) -> Result<Defaults, Failure> {
        let mut defaults = Defaults::default();
        for path in &self.defaults {
            let input = Input::read(path, limits.bound())?;
            let read = defaults.read(&input.bytes);
            read.map_err(|error| bad(&input, &error.into()))?;
        }
        Ok(defaults)
    }
}

/// O3DE's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "O3DE, what is written")]
pub(crate) struct O3deTarget {
    /// Write on one line [default: in the engine's layout]
    #[arg(long)]
    to_compact: bool,
}

impl O3deTarget {
    pub(super) fn is_compact(self) -> bool {
        self.to_compact
    }
}
