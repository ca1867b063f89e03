//! O3DE's options.

use std::path::PathBuf;

use clap::Args;
use gamewire::document::{O3deSettings, O3deTarget};
use gamewire::o3de_prefab::Defaults;

use super::LimitArgs;
use crate::failure::{Failure, bad};
use crate::files::Input;

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
    pub(super) fn is_used(self) -> bool {
        self.trailing_commas
    }

    pub(crate) fn settings(self) -> O3deSettings {
        O3deSettings { trailing_commas: self.trailing_commas }
    }
}

/// The values that a project's components have where files leave members out.
#[derive(Args)]
pub(crate) struct OwnDefaults {
    /// A JSON file with the members that a project's own components have by default
    #[arg(long, value_name = "FILE")]
    defaults: Vec<PathBuf>,
}

impl OwnDefaults {
    /// Those of the engine and of the files.
    pub(crate) fn read(&self, limits: LimitArgs) -> Result<Defaults, Failure> {
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
pub(crate) struct O3deTargetArgs {
    /// Write on one line [default: in the engine's layout]
    #[arg(long)]
    to_compact: bool,
}

impl O3deTargetArgs {
    pub(super) fn target(self) -> O3deTarget {
        O3deTarget { compact: self.to_compact }
    }
}
