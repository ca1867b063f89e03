//! The options on the command line.

use clap::{Args, ValueEnum};
use gamewire::godot_variant::{self, Options};

use crate::formats::Limits;

/// How deep Godot nests containers.
pub(super) const ENGINE_DEPTH: usize = 1024;

/// What is around the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    Bare,
    StoreVar,
    StoreVarBe,
    Base64,
    Project,
}

impl Framing {
    pub(super) const ALL: [Framing; 5] =
        [Framing::Bare, Framing::StoreVar, Framing::StoreVarBe, Framing::Base64, Framing::Project];

    /// The name in the JSON notation.
    pub(super) fn name(self) -> &'static str {
        match self {
            Framing::Bare => "bare",
            Framing::StoreVar => "store_var",
            Framing::StoreVarBe => "store_var_be",
            Framing::Base64 => "base64",
            Framing::Project => "project",
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Dialect {
    /// Godot 4.x
    Godot4,
    /// Godot 3.x
    Godot3,
    /// The published page, taken literally
    Docs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Precision {
    /// As the file has them
    Keep,
    /// 32 bits
    Single,
    /// 64 bits
    Double,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum FramingArg {
    /// As the file looks; for `encode`, as the JSON says, else bare
    Auto,
    /// var_to_bytes, one packet: one variant and nothing around it
    Bare,
    /// FileAccess.store_var, StreamPeer.put_var: a length before each variant
    StoreVar,
    /// The same with big_endian lengths
    StoreVarBe,
    /// Marshalls.variant_to_base64
    Base64,
    /// project.binary
    Project,
}

impl FramingArg {
    fn chosen(self) -> Option<Framing> {
        Some(match self {
            FramingArg::Auto => return None,
            FramingArg::Bare => Framing::Bare,
            FramingArg::StoreVar => Framing::StoreVar,
            FramingArg::StoreVarBe => Framing::StoreVarBe,
            FramingArg::Base64 => Framing::Base64,
            FramingArg::Project => Framing::Project,
        })
    }
}

/// Godot's options for reading and writing.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Godot")]
pub(crate) struct GodotArgs {
    /// Whose type ids and layouts the file has [default: godot4]
    #[arg(long, value_enum)]
    dialect: Option<Dialect>,
    /// Width of the components of vectors and transforms [default: keep]
    #[arg(long, value_enum)]
    precision: Option<Precision>,
    /// What is around the variants [default: auto]
    #[arg(long, value_enum)]
    framing: Option<FramingArg>,
    /// Read and write whole objects, which project.binary has in any case
    #[arg(long)]
    objects: bool,
}

impl GodotArgs {
    /// Whether the command line speaks of Godot.
    pub(crate) fn is_used(&self) -> bool {
        self.dialect.is_some()
            || self.precision.is_some()
            || self.framing.is_some_and(|framing| framing.chosen().is_some())
            || self.objects
    }

    pub(super) fn framing(&self) -> Option<Framing> {
        self.framing.and_then(FramingArg::chosen)
    }

    pub(super) fn options(&self, limits: Limits) -> Options {
        let options = Options::new()
            .allow_objects(self.objects)
            .strict(limits.strict)
            .max_depth(limits.max_depth.unwrap_or(ENGINE_DEPTH))
            // The file is in memory already, so a frame in it may be as long as it likes.
            .max_alloc(usize::MAX);
        with(options, self.dialect, self.precision)
    }
}

/// Godot's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Godot, what is written")]
pub(crate) struct GodotTarget {
    /// Whose type ids and layouts are written [default: as read]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "DIALECT")]
    to_dialect: Option<Dialect>,
    /// The width of components that is written [default: as read]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "PRECISION")]
    to_precision: Option<Precision>,
    /// What is written around the variants [default: as read]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "FRAMING")]
    to_framing: Option<FramingArg>,
}

impl GodotTarget {
    pub(super) fn framing(&self) -> Option<Framing> {
        self.to_framing.and_then(FramingArg::chosen)
    }

    /// The options of what is read, where these say nothing else.
    pub(super) fn options(&self, read: &Options) -> Options {
        with(read.clone(), self.to_dialect, self.to_precision)
    }
}

fn with(options: Options, dialect: Option<Dialect>, precision: Option<Precision>) -> Options {
    let options = match dialect {
        None => options,
        Some(Dialect::Godot4) => options.dialect(godot_variant::Dialect::Godot4),
        Some(Dialect::Godot3) => options.dialect(godot_variant::Dialect::Godot3),
        Some(Dialect::Docs) => options.dialect(godot_variant::Dialect::Docs),
    };
    match precision {
        None => options,
        Some(Precision::Keep) => options.precision(godot_variant::Precision::Keep),
        Some(Precision::Single) => options.precision(godot_variant::Precision::Single),
        Some(Precision::Double) => options.precision(godot_variant::Precision::Double),
    }
}
