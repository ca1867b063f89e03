//! Resonite's options.

use clap::Args;
use gamewire::document::{CONTAINERS, ResoniteSettings, ResoniteTarget};
use gamewire::resonite_brson::Container;

use super::choice::{among, one_of};

/// Resonite's options for reading and writing.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Resonite")]
pub(crate) struct ResoniteArgs {
    /// The container that encode writes [default: by the name of OUT, else brson]
    #[arg(long, value_parser = one_of(CONTAINERS))]
    container: Option<Container>,
    /// Write numbers in JSON plainly; whether an integer had 32 or 64 bits is then lost
    #[arg(long)]
    relaxed: bool,
    /// Read documents in which a key occurs twice
    #[arg(long)]
    duplicates: bool,
    /// The most bytes that a file may be decompressed to [default: 268435456]
    #[arg(long, value_name = "BYTES")]
    max_output: Option<usize>,
}

impl ResoniteArgs {
    /// Whether the command line speaks of Resonite.
    pub(super) fn is_used(&self) -> bool {
        self.container.is_some() || self.relaxed || self.duplicates || self.max_output.is_some()
    }

    pub(super) fn settings(&self) -> ResoniteSettings {
        ResoniteSettings {
            container: self.container,
            package: false,
            relaxed: self.relaxed,
            duplicates: self.duplicates,
            max_output: self.max_output,
        }
    }
}

/// Resonite's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Resonite, what is written")]
pub(crate) struct ResoniteTargetArgs {
    /// The container to write [default: by the name of OUT, else as read]
    #[arg(long, value_parser = among(CONTAINERS), value_name = "CONTAINER")]
    to_container: Option<Container>,
}

impl ResoniteTargetArgs {
    pub(super) fn target(&self) -> ResoniteTarget {
        ResoniteTarget { container: self.to_container, package: false }
    }

    /// The extension of the container that is asked for.
    pub(super) fn extension(&self) -> Option<&'static str> {
        self.to_container.map(Container::extension)
    }
}
