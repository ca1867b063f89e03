//! Godot's settings.

use std::fmt;

use godot_variant::wrapped::{Compression, Generation, Key};
use godot_variant::{Dialect, Options, Precision};

use serde_json::Value as Json;

use crate::document::choice::{Choices, Said as _, name, said};
use crate::document::error::{Error, Hint};
use crate::document::limits::Limits;

/// How deep Godot nests containers.
pub(super) const ENGINE_DEPTH: usize = 1024;

/// The framing of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Framing {
    /// `var_to_bytes`: one variant and nothing around it.
    Bare,
    /// `FileAccess.store_var`: a length before each variant.
    StoreVar,
    /// The same with lengths in big endian.
    StoreVarBe,
    /// `Marshalls.variant_to_base64`.
    Base64,
    /// `project.binary`.
    Project,
    /// Frames, and other things between them.
    Mixed,
    /// The JSON notation itself.
    Json,
    /// The engine's text.
    Text,
    /// `ConfigFile`: sections and keys.
    Config,
}

/// The wrapper around the framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrapping {
    /// `FileAccess.open_compressed`.
    Compressed(Compression),
    /// `FileAccess.open_encrypted`.
    Encrypted(Generation),
    /// `PackedByteArray.compress`: a stream alone.
    Stream(Compression),
    /// The same behind what the settings skip, such as its size.
    Behind(Compression),
}

impl Wrapping {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        match self {
            Wrapping::Stream(Compression::FastLz) => "fastlz_stream".to_owned(),
            Wrapping::Behind(own) => Wrapping::Stream(own).name(),
            own => name(WRAPPINGS, &Some(own)),
        }
    }
}

/// The wrappings.
pub const WRAPPINGS: Choices<Option<Wrapping>> = &[
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
    (
        "deflate-stream",
        "PackedByteArray.compress, Deflate",
        Some(Wrapping::Stream(Compression::Deflate)),
    ),
    ("zstd-stream", "The same with Zstandard", Some(Wrapping::Stream(Compression::Zstd))),
    ("gzip-stream", "The same with GZip", Some(Wrapping::Stream(Compression::Gzip))),
];

/// The streams of `PackedByteArray.compress`.
pub const STREAMS: Choices<Compression> = &[
    ("fastlz", "FastLZ, which has no mark", Compression::FastLz),
    ("deflate", "Deflate", Compression::Deflate),
    ("zstd", "Zstandard", Compression::Zstd),
    ("gzip", "GZip", Compression::Gzip),
];

impl Framing {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        name(FRAMINGS, &Some(self))
    }
}

/// The framings.
pub const FRAMINGS: Choices<Option<Framing>> = &[
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
    ("config", "ConfigFile: sections and keys, as in project.godot", Some(Framing::Config)),
];

/// The dialects.
pub const DIALECTS: Choices<Dialect> = &[
    ("godot4", "Godot 4.x", Dialect::Godot4),
    ("godot3", "Godot 3.x", Dialect::Godot3),
    ("docs", "The published page, taken literally", Dialect::Docs),
];

/// The widths of components.
pub const PRECISIONS: Choices<Precision> = &[
    ("keep", "As the file has them", Precision::Keep),
    ("single", "32 bits", Precision::Single),
    ("double", "64 bits", Precision::Double),
];

/// Godot's settings for reading and writing.
#[derive(Clone, Debug, Default)]
pub struct GodotSettings {
    /// The dialect of type ids and layouts; `None` for the one in which the file can be read to its
    /// last byte.
    pub dialect: Option<Dialect>,
    /// Width of the components of vectors and transforms; `None` for that of the file.
    pub precision: Option<Precision>,
    /// The framing of the variants; `None` to go by the looks of the file.
    pub framing: Option<Framing>,
    /// Read and write whole objects, which `project.binary` has in any case.
    pub objects: bool,
    /// The secret that opens an encrypted file.
    pub secret: Option<Secret>,
    /// Whether bytes that are left over in frames after their values may be lost. No engine writes
    /// such bytes; without this, a file that has some is not written.
    pub partial_frames: bool,
    /// Where the values begin; what stands before is kept.
    pub offset: usize,
    /// The compression of a stream of `PackedByteArray.compress`; `None` for the one that its first bytes say.
    pub stream: Option<Compression>,
}

/// The secret of an encrypted file. `Debug` does not show it.
#[derive(Clone)]
#[non_exhaustive]
pub enum Secret {
    /// A password.
    Password(String),
    /// A key of 64 hexadecimal digits.
    Hex(String),
}

impl Secret {
    /// The key of encrypted files.
    pub(super) fn key(&self) -> Result<Key, Error> {
        let wrong =
            |error: godot_variant::Error| Error::new(error.to_string()).with_hint(Hint::Key);
        match self {
            Secret::Password(text) => Ok(Key::from_password(text)),
            Secret::Hex(text) => Key::from_hex(text).map_err(wrong),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl GodotSettings {
    /// Sets what has a name. Returns whether there is such a setting.
    pub(crate) fn set(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        match name {
            "dialect" => self.dialect = Some(said(DIALECTS, value)?),
            "precision" => self.precision = Some(said(PRECISIONS, value)?),
            "framing" => self.framing = said(FRAMINGS, value)?,
            "objects" => self.objects = bool::of(value)?,
            "password" => self.secret = Some(Secret::Password(String::of(value)?)),
            "key" => self.secret = Some(Secret::Hex(String::of(value)?)),
            "partial_frames" => self.partial_frames = bool::of(value)?,
            "skip" | "offset" => self.offset = usize::of(value)?,
            "stream" => self.stream = Some(said(STREAMS, value)?),
            _ => return Ok(false),
        }
        Ok(true)
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

/// Godot's settings for what is converted; `None` is as read.
#[derive(Clone, Copy, Debug, Default)]
pub struct GodotTarget {
    /// The dialect that is written.
    pub dialect: Option<Dialect>,
    /// The width of components that is written.
    pub precision: Option<Precision>,
    /// The framing that is written.
    pub framing: Option<Framing>,
    /// The wrapping that is written; `Some(None)` is none.
    pub wrapping: Option<Option<Wrapping>>,
}

impl GodotTarget {
    /// The wrapping that is written around a file that was read in one. The engine of a dialect has an encryption of
    /// its own.
    pub(super) fn wrapping_of(&self, read: Option<Wrapping>) -> Option<Wrapping> {
        match (self.wrapping, read, self.dialect) {
            (Some(wrapping), ..) => wrapping,
            (None, Some(Wrapping::Encrypted(_)), Some(Dialect::Godot3)) => {
                Some(Wrapping::Encrypted(Generation::Godot3))
            }
            (None, Some(Wrapping::Encrypted(_)), Some(_)) => {
                Some(Wrapping::Encrypted(Generation::Godot4))
            }
            (None, read, _) => read,
        }
    }

    /// The options of what is read, where these say nothing else.
    pub(super) fn options(&self, read: &Options) -> Options {
        with(read.clone(), self.dialect, self.precision)
    }
}

fn with(options: Options, dialect: Option<Dialect>, precision: Option<Precision>) -> Options {
    let options = dialect.map_or(options.clone(), |dialect| options.dialect(dialect));
    precision.map_or(options.clone(), |precision| options.precision(precision))
}
