//! The options of the formats on the command line, which become [`Settings`].

pub(crate) mod choice;
mod godot;
pub(crate) mod o3de;
pub(crate) mod pclass;
mod resonite;
pub(crate) mod zeze;

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamewire::Format;
use gamewire::document::{
    self, Limits, MAX_DEPTH, ResourceSettings, ResourceTarget, Settings, Target,
};

use crate::files::{Bound, Input};

/// The options for reading and writing, those of every format included.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FormatArgs {
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    godot: godot::GodotArgs,
    #[command(flatten)]
    pub(crate) o3de: o3de::O3deArgs,
    #[command(flatten)]
    pclass: pclass::PclassArgs,
    #[command(flatten)]
    resonite: resonite::ResoniteArgs,
    #[command(flatten)]
    zeze: zeze::ZezeArgs,
}

/// The limits of every format.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Refuse data that would not be written back the same
    #[arg(long)]
    strict: bool,
    /// How deep containers may nest [default: the format's own limit]
    #[arg(long, value_name = "N", value_parser = depth)]
    max_depth: Option<usize>,
    /// The most bytes of memory that the values of a file may take; its bytes, JSON, and what is drawn or compared come
    /// on top [default: 64 for each byte of the file, and 67108864 at least]
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    #[command(flatten)]
    bound: Bound,
}

impl LimitArgs {
    /// The limits of the library.
    pub(crate) fn settings(self) -> Limits {
        let LimitArgs { strict, max_depth, max_memory, bound: _ } = self;
        Limits { strict, max_depth, max_memory }
    }

    /// How much of an input is read.
    pub(crate) fn bound(self) -> Bound {
        self.bound
    }
}

fn depth(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(depth) if depth <= MAX_DEPTH => Ok(depth),
        _ => Err(format!("expected a number up to {MAX_DEPTH}")),
    }
}

impl FormatArgs {
    /// How much of an input is read.
    pub(crate) fn bound(&self) -> Bound {
        self.limits.bound
    }

    /// The settings for files of a format.
    pub(crate) fn settings(&self, format: Option<Format>) -> Settings {
        Settings {
            format,
            name: None,
            limits: self.limits.settings(),
            godot: self.godot.settings(),
            o3de: self.o3de.settings(),
            pclass: self.pclass.settings(),
            resource: ResourceSettings::default(),
            resonite: self.resonite.settings(),
            zeze: self.zeze.settings(),
        }
    }

    /// The format whose own options are given: they say what the file is.
    fn implied(&self) -> Option<Format> {
        let used = [
            (self.godot.is_used(), Format::GodotVariant),
            (self.o3de.is_used(), Format::O3deJson),
            (self.pclass.is_used(), Format::KiwiPclass),
            (self.resonite.is_used(), Format::ResoniteBrson),
            (self.zeze.is_used(), Format::ZezeSerialize),
        ];
        used.into_iter().find(|(is_used, _)| *is_used).map(|(_, format)| format)
    }

    /// The format of a file: the one that is given, or implied, or detected. The options for one
    /// format do not make every file in a folder one of its files.
    pub(crate) fn format_of(&self, given: Option<Format>, input: &Input) -> Option<Format> {
        given
            .or_else(|| self.implied().filter(|_| input.is_named))
            .or_else(|| document::detect(&input.bytes, input.path.as_deref(), input.is_named))
    }
}

/// The options for what `convert` writes, where they are not those of [`FormatArgs`].
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TargetArgs {
    #[command(flatten)]
    godot: godot::GodotTargetArgs,
    #[command(flatten)]
    o3de: o3de::O3deTargetArgs,
    #[command(flatten)]
    pclass: pclass::PclassTargetArgs,
    #[command(flatten)]
    resonite: resonite::ResoniteTargetArgs,
    #[command(flatten)]
    zeze: zeze::ZezeTargetArgs,
}

impl TargetArgs {
    /// The target for a file of this name, which may say the container.
    pub(crate) fn target(&self, name: &Path) -> Target {
        let mut target = Target {
            godot: self.godot.target(),
            o3de: self.o3de.target(),
            pclass: self.pclass.target(),
            resource: ResourceTarget::default(),
            resonite: self.resonite.target(),
            zeze: self.zeze.target(),
        };
        target.name_output(name);
        target
    }

    /// Whether JSON is to say nothing of what is around the data.
    pub(crate) fn is_bare(&self) -> bool {
        self.godot.is_bare()
    }

    /// The extension of the container that is asked for, where it says what a file is.
    pub(crate) fn extension(&self) -> Option<&'static str> {
        self.resonite.extension()
    }
}

/// The beginning of the headings over a format's options in help.
pub(crate) fn heading(format: Format) -> &'static str {
    match format {
        Format::GodotResource => "Resource",
        Format::GodotVariant => "Godot",
        Format::O3deJson => "O3DE",
        Format::KiwiPclass => "PropertyClass",
        Format::ResoniteBrson => "Resonite",
        _ => "Zeze",
    }
}

/// Reads the name of a format, and lists the names in help and errors.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.crate_name()))
        .try_map(|name| name.parse::<Format>())
}
