//! Resonite's settings.

use std::path::Path;

use resonite_brson::json::Style;
use resonite_brson::{Codec, Container, Options};

use serde_json::Value as Json;

use crate::document::choice::{Choices, Said as _, said};
use crate::document::error::Error;
use crate::document::limits::Limits;

/// The containers.
pub const CONTAINERS: Choices<Container> = &[
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

/// The container that the name of a file says.
pub(crate) fn of_file(path: &Path) -> Option<Container> {
    Container::for_extension(path.extension()?.to_str()?)
}

/// Whether a file with this name is a package.
fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("resonitepackage"))
}

/// Resonite's settings for reading and writing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResoniteSettings {
    /// The container for JSON that does not name one; `None` for `.brson`.
    pub container: Option<Container>,
    /// Make a package of JSON.
    pub package: bool,
    /// Write numbers in JSON plainly; whether an integer had 32 or 64 bits is then lost.
    pub relaxed: bool,
    /// Read documents in which a key occurs twice.
    pub duplicates: bool,
    /// The most bytes that a file may be decompressed to; `None` for 256 MiB.
    pub max_output: Option<usize>,
}

impl ResoniteSettings {
    /// Sets what has a name. Returns whether there is such a setting.
    pub(crate) fn set(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        match name {
            "container" => self.container = Some(said(CONTAINERS, value)?),
            "relaxed" => self.relaxed = bool::of(value)?,
            "duplicates" => self.duplicates = bool::of(value)?,
            "max_output" => self.max_output = Some(usize::of(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(crate) fn name_output(&mut self, path: &Path) {
        self.container = self.container.or(of_file(path));
        self.package = is_package(path);
    }

    pub(super) fn style(&self) -> Style {
        if self.relaxed { Style::Relaxed } else { Style::Canonical }
    }

    pub(crate) fn options(&self, limits: Limits) -> Options {
        let options = Options::new().strict(limits.strict).allow_duplicates(self.duplicates);
        let options = limits.max_memory.map_or(options, |bytes| options.max_memory(bytes));
        let options = limits.max_depth.map_or(options, |depth| options.max_depth(depth));
        self.max_output.map_or(options, |bytes| options.max_output(bytes))
    }
}

/// Resonite's settings for what is converted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResoniteTarget {
    /// The container that is written; `None` for the same as read.
    pub container: Option<Container>,
    /// Make a package.
    pub package: bool,
}

impl ResoniteTarget {
    pub(crate) fn name_output(&mut self, path: &Path) {
        self.container = self.container.or(of_file(path));
        self.package = is_package(path);
    }
}
