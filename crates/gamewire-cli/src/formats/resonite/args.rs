//! The options on the command line.

use std::path::Path;

use clap::Args;
use gamewire::resonite_brson::json::Style;
use gamewire::resonite_brson::{Codec, Container, Options};

use super::package;
use crate::formats::Limits;
use crate::formats::choice::{Choices, among, one_of};

const CONTAINERS: Choices<Container> = &[
    ("brson", "Header and Brotli, what Resonite writes", Container::BRSON),
    ("7zbson", "Header and LZMA", Container::SEVEN_Z_BSON),
    ("lz4bson", "Header and LZ4 chunks", Container::LZ4_BSON),
    ("bson", "The document alone", Container::BSON),
    (
        "lz4-frame",
        "Header and an LZ4 frame, as the published page says; the engine cannot read it",
        Container::new(Codec::Lz4Frame),
    ),
    (
        "lzma-alone",
        "Header and a plain .lzma stream; the engine cannot read it",
        Container::new(Codec::LzmaAlone),
    ),
    ("legacy-brson", "Brotli without header", Container::legacy(Codec::Brotli)),
    ("legacy-7zbson", "LZMA without header, what NeosVR wrote", Container::legacy(Codec::Lzma)),
    (
        "legacy-lz4bson",
        "LZ4 chunks without header, what NeosVR wrote",
        Container::legacy(Codec::Lz4),
    ),
];

/// The name of a container in the JSON notation; none for those that have no name.
pub(super) fn name_of(container: Container) -> Option<&'static str> {
    CONTAINERS.iter().find(|(.., own)| *own == container).map(|(name, ..)| *name)
}

/// The container with a name.
pub(super) fn named(name: &str) -> Option<Container> {
    CONTAINERS.iter().find(|(own, ..)| *own == name).map(|(.., container)| *container)
}

/// What a file with this name is.
pub(crate) fn of_file(path: &Path) -> Option<Container> {
    Container::for_extension(path.extension()?.to_str()?)
}

/// What the name of a file that is written says.
#[derive(Clone, Copy, Debug, Default)]
struct Named {
    container: Option<Container>,
    is_package: bool,
}

impl Named {
    fn of(path: &Path) -> Self {
        Named { container: of_file(path), is_package: package::is_named(path) }
    }
}

/// Resonite's options for reading and writing.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Resonite")]
pub(crate) struct ResoniteArgs {
    /// What encode writes around the document [default: as the name of OUT says, else brson]
    #[arg(long, value_parser = one_of(CONTAINERS))]
    container: Option<Container>,
    /// Write numbers in JSON plainly; whether an integer had 32 or 64 bits is then lost
    #[arg(long)]
    relaxed: bool,
    /// Read documents in which a key is there twice
    #[arg(long)]
    duplicates: bool,
    /// The most bytes that a file may be decompressed to [default: 268435456]
    #[arg(long, value_name = "BYTES")]
    max_output: Option<usize>,
    #[arg(skip)]
    named: Named,
}

impl ResoniteArgs {
    /// Whether the command line speaks of Resonite.
    pub(crate) fn is_used(&self) -> bool {
        self.container.is_some() || self.relaxed || self.duplicates || self.max_output.is_some()
    }

    /// Takes the container from the name of the file that is written.
    pub(crate) fn name_file(&mut self, path: &Path) {
        self.named = Named::of(path);
    }

    pub(super) fn container(&self) -> Option<Container> {
        self.container.or(self.named.container)
    }

    /// Whether the file that is written is a package.
    pub(super) fn is_package(&self) -> bool {
        self.named.is_package
    }

    pub(super) fn style(&self) -> Style {
        if self.relaxed { Style::Relaxed } else { Style::Canonical }
    }

    pub(super) fn options(&self, limits: Limits) -> Options {
        let options = Options::new().strict(limits.strict).allow_duplicates(self.duplicates);
        let options = limits.max_memory.map_or(options, |bytes| options.max_memory(bytes));
        let options = limits.max_depth.map_or(options, |depth| options.max_depth(depth));
        self.max_output.map_or(options, |bytes| options.max_output(bytes))
    }
}

/// Resonite's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Resonite, what is written")]
pub(crate) struct ResoniteTarget {
    /// What is written around the document [default: as the name of OUT says, else as read]
    #[arg(long, value_parser = among(CONTAINERS), value_name = "CONTAINER")]
    to_container: Option<Container>,
    #[arg(skip)]
    named: Named,
}

impl ResoniteTarget {
    /// Takes the container from the name of the file that is written.
    pub(crate) fn name_file(&mut self, path: &Path) {
        self.named = Named::of(path);
    }

    pub(super) fn container(&self) -> Option<Container> {
        self.to_container.or(self.named.container)
    }

    /// Whether the file that is written is a package.
    pub(super) fn is_package(&self) -> bool {
        self.named.is_package
    }

    /// The extension of the container that is asked for.
    pub(crate) fn extension(&self) -> Option<&'static str> {
        self.to_container.map(Container::extension)
    }
}
