//! The options on the command line.

use std::fmt;

use clap::Args;
use clap::builder::{StringValueParser, TypedValueParser as _};
use gamewire::godot_variant::wrapped::{Compression, Generation, Key};
use gamewire::godot_variant::{Dialect, Options, Precision};

use crate::formats::Limits;
use crate::formats::choice::{Auto, Choices, among, name, one_of};

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
    /// Frames, and other things between them.
    Mixed,
    /// The JSON notation itself.
    Json,
    /// The engine's text.
    Text,
}

/// What is around the framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapping {
    Compressed(Compression),
    Encrypted(Generation),
}

impl Wrapping {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        name(WRAPPINGS, &Some(self))
    }
}

pub(super) const WRAPPINGS: Choices<Option<Wrapping>> = &[
    ("none", "Nothing", None),
    (
        "fastlz",
        "FileAccess.open_compressed, FastLZ",
        Some(Wrapping::Compressed(Compression::FastLz)),
    ),
    ("deflate", "The same with Deflate", Some(Wrapping::Compressed(Compression::Deflate))),
    ("zstd", "The same with Zstandard", Some(Wrapping::Compressed(Compression::Zstd))),
    ("gzip", "The same with GZip", Some(Wrapping::Compressed(Compression::Gzip))),
    (
        "encrypted",
        "FileAccess.open_encrypted of Godot 4",
        Some(Wrapping::Encrypted(Generation::Godot4)),
    ),
    ("encrypted-godot3", "The same of Godot 3", Some(Wrapping::Encrypted(Generation::Godot3))),
];

impl Framing {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        name(FRAMINGS, &Some(self))
    }
}

pub(super) const FRAMINGS: Choices<Option<Framing>> = &[
    ("auto", "As the file looks; for `encode`, as the JSON says, else bare", None),
    ("bare", "var_to_bytes, one packet: one variant and nothing around it", Some(Framing::Bare)),
    (
        "store-var",
        "FileAccess.store_var, StreamPeer.put_var: a length before each variant",
        Some(Framing::StoreVar),
    ),
    ("store-var-be", "The same with big_endian lengths", Some(Framing::StoreVarBe)),
    ("base64", "Marshalls.variant_to_base64", Some(Framing::Base64)),
    ("project", "project.binary", Some(Framing::Project)),
    (
        "mixed",
        "store_var among store_32, store_pascal_string and others, as it looks",
        Some(Framing::Mixed),
    ),
    ("json", "JSON.from_native, the notation of this tool", Some(Framing::Json)),
    ("text", "var_to_str", Some(Framing::Text)),
];

const DIALECTS: Choices<Dialect> = &[
    ("godot4", "Godot 4.x", Dialect::Godot4),
    ("godot3", "Godot 3.x", Dialect::Godot3),
    ("docs", "The published page, taken literally", Dialect::Docs),
];

const PRECISIONS: Choices<Precision> = &[
    ("keep", "As the file has them", Precision::Keep),
    ("single", "32 bits", Precision::Single),
    ("double", "64 bits", Precision::Double),
];

/// Godot's options for reading and writing.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Godot")]
pub(crate) struct GodotArgs {
    /// Whose type ids and layouts the file has [default: godot4]
    #[arg(long, value_parser = one_of(DIALECTS))]
    dialect: Option<Dialect>,
    /// Width of the components of vectors and transforms [default: keep]
    #[arg(long, value_parser = one_of(PRECISIONS))]
    precision: Option<Precision>,
    /// What is around the variants [default: auto]
    #[arg(long, value_parser = one_of(FRAMINGS))]
    framing: Option<Auto<Framing>>,
    /// Read and write whole objects, which project.binary has in any case
    #[arg(long)]
    objects: bool,
    /// The password of an encrypted file
    #[arg(long, value_name = "TEXT", value_parser = StringValueParser::new().map(Secret), conflicts_with = "key", allow_hyphen_values = true)]
    password: Option<Secret>,
    /// The key of an encrypted file, 64 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = StringValueParser::new().map(Secret), allow_hyphen_values = true)]
    key: Option<Secret>,
    /// Where the values begin; what stands before is kept
    #[arg(long, value_name = "N")]
    offset: Option<usize>,
}

/// What is never shown.
#[derive(Clone)]
struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl GodotArgs {
    /// Whether the command line speaks of Godot.
    pub(crate) fn is_used(&self) -> bool {
        self.dialect.is_some()
            || self.precision.is_some()
            || self.framing().is_some()
            || self.objects
            || self.password.is_some()
            || self.key.is_some()
            || self.offset.is_some()
    }

    /// The key of encrypted files, or what is wrong with it.
    pub(super) fn key(&self) -> Option<Result<Key, String>> {
        let password = self.password.as_ref().map(|own| Ok(Key::from_password(&own.0)));
        password.or_else(|| {
            let key = self.key.as_ref()?;
            Some(Key::from_hex(&key.0).map_err(|error| format!("--key: {error}")))
        })
    }

    pub(super) fn offset(&self) -> usize {
        self.offset.unwrap_or(0)
    }

    pub(super) fn framing(&self) -> Option<Framing> {
        self.framing.flatten()
    }

    pub(super) fn options(&self, limits: Limits) -> Options {
        let options = Options::new()
            .allow_objects(self.objects)
            .strict(limits.strict)
            .max_depth(limits.max_depth.unwrap_or(ENGINE_DEPTH))
            // The file is in memory already, so a frame in it may be as long as it likes.
            .max_alloc(usize::MAX);
        let options = match limits.max_memory {
            Some(bytes) => options.max_memory(bytes),
            None => options,
        };
        with(options, self.dialect, self.precision)
    }
}

/// Godot's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Godot, what is written")]
pub(crate) struct GodotTarget {
    /// Whose type ids and layouts are written [default: as read]
    #[arg(long, value_parser = among(DIALECTS), value_name = "DIALECT")]
    to_dialect: Option<Dialect>,
    /// The width of components that is written [default: as read]
    #[arg(long, value_parser = among(PRECISIONS), value_name = "PRECISION")]
    to_precision: Option<Precision>,
    /// What is written around the variants [default: as read]
    #[arg(long, value_parser = among(FRAMINGS), value_name = "FRAMING")]
    to_framing: Option<Auto<Framing>>,
    /// What is written around that [default: as read]
    #[arg(long, value_parser = one_of(WRAPPINGS), value_name = "WRAPPING")]
    to_wrapping: Option<Auto<Wrapping>>,
}

impl GodotTarget {
    pub(super) fn framing(&self) -> Option<Framing> {
        self.to_framing.flatten()
    }

    /// `None` for that of the file.
    pub(super) fn wrapping(&self) -> Option<Option<Wrapping>> {
        self.to_wrapping
    }

    /// Whether the values are to have nothing around them.
    pub(crate) fn is_bare(&self) -> bool {
        self.framing() == Some(Framing::Bare)
    }

    /// The options of what is read, where these say nothing else.
    pub(super) fn options(&self, read: &Options) -> Options {
        with(read.clone(), self.to_dialect, self.to_precision)
    }
}

fn with(options: Options, dialect: Option<Dialect>, precision: Option<Precision>) -> Options {
    let options = dialect.map_or(options.clone(), |dialect| options.dialect(dialect));
    precision.map_or(options.clone(), |precision| options.precision(precision))
}
