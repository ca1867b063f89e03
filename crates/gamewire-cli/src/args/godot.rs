//! Godot's options.

use clap::Args;
use clap::builder::{StringValueParser, TypedValueParser as _};
use gamewire::document::{
    DIALECTS, FRAMINGS, Framing, GodotSettings, GodotTarget, PRECISIONS, STREAMS, Secret,
    WRAPPINGS, Wrapping,
};
use gamewire::godot_variant::wrapped::Compression;
use gamewire::godot_variant::{Dialect, Precision};

use super::choice::{Auto, among, one_of};

/// Godot's options for reading and writing.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Godot")]
pub(crate) struct GodotArgs {
    /// Whose type ids and layouts the file has [default: those in which it can be read to its last byte]
    #[arg(long, value_parser = one_of(DIALECTS))]
    dialect: Option<Dialect>,
    /// Width of the components of vectors and transforms [default: keep]
    #[arg(long, value_parser = one_of(PRECISIONS))]
    precision: Option<Precision>,
    /// The framing of the variants [default: auto]
    #[arg(long, value_parser = one_of(FRAMINGS))]
    framing: Option<Auto<Framing>>,
    /// Read and write whole objects, which project.binary has in any case
    #[arg(long)]
    objects: bool,
    /// The password of an encrypted file [default: GAMEWIRE_PASSWORD of the environment]
    #[arg(long, value_name = "TEXT", value_parser = StringValueParser::new().map(Secret::Password), conflicts_with = "key", allow_hyphen_values = true)]
    password: Option<Secret>,
    /// The key of an encrypted file, 64 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = StringValueParser::new().map(Secret::Hex), allow_hyphen_values = true)]
    key: Option<Secret>,
    /// Bytes before the values, which are kept
    #[arg(long, alias = "offset", value_name = "BYTES")]
    skip: Option<usize>,
    /// The compression of PackedByteArray.compress [default: the one that the first bytes say]
    #[arg(long, value_parser = among(STREAMS))]
    stream: Option<Compression>,
    /// Skip bytes that are left over in frames after their values
    #[arg(long)]
    partial_frames: bool,
}

impl GodotArgs {
    /// Whether the command line speaks of Godot.
    pub(super) fn is_used(&self) -> bool {
        self.dialect.is_some()
            || self.precision.is_some()
            || self.framing.flatten().is_some()
            || self.objects
            || self.password.is_some()
            || self.key.is_some()
            || self.skip.is_some()
            || self.stream.is_some()
            || self.partial_frames
    }

    pub(super) fn settings(&self) -> GodotSettings {
        GodotSettings {
            dialect: self.dialect,
            precision: self.precision,
            framing: self.framing.flatten(),
            objects: self.objects,
            secret: self.password.clone().or_else(|| self.key.clone()).or_else(environment),
            offset: self.skip.unwrap_or(0),
            stream: self.stream,
            partial_frames: self.partial_frames,
        }
    }
}

/// The password that does not stand on the command line, where other users could see it.
fn environment() -> Option<Secret> {
    std::env::var("GAMEWIRE_PASSWORD").ok().map(Secret::Password)
}

/// Godot's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Godot, what is written")]
pub(crate) struct GodotTargetArgs {
    /// Whose type ids and layouts are written [default: as read]
    #[arg(long, value_parser = among(DIALECTS), value_name = "DIALECT")]
    to_dialect: Option<Dialect>,
    /// The width of components that is written [default: as read]
    #[arg(long, value_parser = among(PRECISIONS), value_name = "PRECISION")]
    to_precision: Option<Precision>,
    /// The framing to write [default: as read]
    #[arg(long, value_parser = among(FRAMINGS), value_name = "FRAMING")]
    to_framing: Option<Auto<Framing>>,
    /// The wrapper to write around the framing [default: as read]
    #[arg(long, value_parser = one_of(WRAPPINGS), value_name = "WRAPPING")]
    to_wrapping: Option<Auto<Wrapping>>,
}

impl GodotTargetArgs {
    pub(super) fn target(&self) -> GodotTarget {
        GodotTarget {
            dialect: self.to_dialect,
            precision: self.to_precision,
            framing: self.to_framing.flatten(),
            wrapping: self.to_wrapping,
        }
    }

    /// Whether the values are to have nothing around them.
    pub(super) fn is_bare(&self) -> bool {
        self.to_framing.flatten() == Some(Framing::Bare)
    }
}
