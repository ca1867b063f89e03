//! The options on the command line.

use std::path::Path;

use clap::{Args, ValueEnum};
use gamewire::resonite_brson::json::Style;
use gamewire::resonite_brson::{Codec, Container, Options};

use super::package;
use crate::formats::Limits;

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContainerArg {
    /// Header and Brotli, what Resonite writes
    Brson,
    /// Header and LZMA
    #[value(name = "7zbson")]
    SevenZBson,
    /// Header and LZ4 chunks
    Lz4bson,
    /// The document alone
    Bson,
    /// Header and an LZ4 frame, as the published page says; the engine cannot read it
    Lz4Frame,
    /// Header and a plain .lzma stream; the engine cannot read it
    LzmaAlone,
    /// Brotli without header
    LegacyBrson,
    /// LZMA without header, what NeosVR wrote
    #[value(name = "legacy-7zbson")]
    Legacy7zbson,
    /// LZ4 chunks without header, what NeosVR wrote
    LegacyLz4bson,
}

impl ContainerArg {
    const ALL: [ContainerArg; 9] = [
        ContainerArg::Brson,
        ContainerArg::SevenZBson,
        ContainerArg::Lz4bson,
        ContainerArg::Bson,
        ContainerArg::Lz4Frame,
        ContainerArg::LzmaAlone,
        ContainerArg::LegacyBrson,
        ContainerArg::Legacy7zbson,
        ContainerArg::LegacyLz4bson,
    ];

    fn container(self) -> Container {
        match self {
            ContainerArg::Brson => Container::BRSON,
            ContainerArg::SevenZBson => Container::SEVEN_Z_BSON,
            ContainerArg::Lz4bson => Container::LZ4_BSON,
            ContainerArg::Bson => Container::BSON,
            ContainerArg::Lz4Frame => Container::new(Codec::Lz4Frame),
            ContainerArg::LzmaAlone => Container::new(Codec::LzmaAlone),
            ContainerArg::LegacyBrson => Container::legacy(Codec::Brotli),
            ContainerArg::Legacy7zbson => Container::legacy(Codec::Lzma),
            ContainerArg::LegacyLz4bson => Container::legacy(Codec::Lz4),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// The name of a container in the JSON notation; none for those that have no name.
pub(super) fn name_of(container: Container) -> Option<String> {
    let found = ContainerArg::ALL.into_iter().find(|own| own.container() == container);
    found.map(ContainerArg::name)
}

/// The container with a name.
pub(super) fn named(name: &str) -> Option<Container> {
    let found = ContainerArg::ALL.into_iter().find(|own| own.name() == name);
    found.map(ContainerArg::container)
}

/// What a file with this name is.
pub(crate) fn of_file(path: &Path) -> Option<Container> {
    Container::for_extension(path.extension()?.to_str()?)
}

/// Resonite's options for reading and writing.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Resonite")]
pub(crate) struct ResoniteArgs {
    /// What encode writes around the document [default: as the name of OUT says, else brson]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "CONTAINER")]
    container: Option<ContainerArg>,
    /// Write numbers in JSON plainly; whether an integer had 32 or 64 bits is then lost
    #[arg(long)]
    relaxed: bool,
    /// Read documents in which a key is there twice
    #[arg(long)]
    duplicates: bool,
    /// The most bytes that a file may be decompressed to [default: 268435456]
    #[arg(long, value_name = "BYTES")]
    max_output: Option<usize>,
    /// What the name of the file says.
    #[arg(skip)]
    of_file: Option<Container>,
    /// Whether its name is that of a package.
    #[arg(skip)]
    package: bool,
}

impl ResoniteArgs {
    /// Whether the command line speaks of Resonite.
    pub(crate) fn is_used(&self) -> bool {
        self.container.is_some() || self.relaxed || self.duplicates || self.max_output.is_some()
    }

    /// Takes the container from the name of the file that is written.
    pub(crate) fn name_file(&mut self, path: &Path) {
        self.of_file = of_file(path);
        self.package = package::is_named(path);
    }

    pub(super) fn container(&self) -> Option<Container> {
        self.container.map(ContainerArg::container).or(self.of_file)
    }

    /// Whether the file that is written is a package.
    pub(super) fn is_package(&self) -> bool {
        self.package
    }

    pub(super) fn style(&self) -> Style {
        if self.relaxed { Style::Relaxed } else { Style::Canonical }
    }

    pub(super) fn options(&self, limits: Limits) -> Options {
        let options = Options::new().strict(limits.strict).allow_duplicates(self.duplicates);
        let options = limits.max_depth.map_or(options, |depth| options.max_depth(depth));
        self.max_output.map_or(options, |bytes| options.max_output(bytes))
    }
}

/// Resonite's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Resonite, what is written")]
pub(crate) struct ResoniteTarget {
    /// What is written around the document [default: as the name of OUT says, else as read]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "CONTAINER")]
    to_container: Option<ContainerArg>,
    /// What the name of the file says.
    #[arg(skip)]
    of_file: Option<Container>,
    /// Whether its name is that of a package.
    #[arg(skip)]
    package: bool,
}

impl ResoniteTarget {
    /// Takes the container from the name of the file that is written.
    pub(crate) fn name_file(&mut self, path: &Path) {
        self.of_file = of_file(path);
        self.package = package::is_named(path);
    }

    pub(super) fn container(&self) -> Option<Container> {
        self.to_container.map(ContainerArg::container).or(self.of_file)
    }

    /// Whether the file that is written is a package.
    pub(super) fn is_package(&self) -> bool {
        self.package
    }

    /// The extension of the container that is asked for.
    pub(crate) fn extension(&self) -> Option<&'static str> {
        self.to_container.map(|to| to.container().extension())
    }
}
