//! O3DE's options.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::{O3deSettings, O3deTarget};
use gamewire::o3de_prefab::{Defaults, Project, Search};

use super::LimitArgs;
use crate::failure::Failure;
use crate::files::{Input, bad};

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

/// Where the sources of prefabs are.
#[derive(Args)]
pub(crate) struct SearchArgs {
    /// The folder of the engine [default: the one that the project names and ~/.o3de/o3de_manifest.json
    /// has, or the one around the project]
    #[arg(long, value_name = "DIR")]
    engine: Option<PathBuf>,
    /// The folder of a gem that the project uses, or of several gems
    #[arg(long, value_name = "DIR")]
    gem: Vec<PathBuf>,
    /// A folder in which sources are looked for before all others
    #[arg(long, value_name = "DIR")]
    scan_folder: Vec<PathBuf>,
}

impl SearchArgs {
    /// The folder of the project that a file is in. Where there is none, and this says where sources are, the
    /// file's own.
    pub(crate) fn root(&self, file: &Path) -> io::Result<Option<PathBuf>> {
        let is_given =
            self.engine.is_some() || !self.gem.is_empty() || !self.scan_folder.is_empty();
        let beside = if file.is_dir() { Some(file) } else { file.parent() };
        let beside = beside.filter(|_| is_given).map(Path::to_owned);
        Ok(Project::root_around(file)?.or(beside))
    }

    /// The project in a folder.
    pub(crate) fn project(&self, root: &Path) -> Project {
        let search = self.gem.iter().fold(Search::new(), |search, gem| search.gem(gem));
        let search = self.scan_folder.iter().fold(search, |search, own| search.scan_folder(own));
        let search = self.engine.iter().fold(search, |search, engine| search.engine(engine));
        search.at(root)
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
