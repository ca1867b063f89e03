//! The names of what a file is: how it is compressed, and whether it has a header.

use std::fmt;

use crate::error::{Error, Result};

/// How the document is compressed, and in which layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Codec {
    /// Not at all. The engine reads such files without a header only.
    None,
    /// LZ4 blocks in the chunks of lz4net's `LZ4Stream`, as the engine has them.
    Lz4,
    /// The LZ4 frame format, which the published page names; the engine cannot read it.
    Lz4Frame,
    /// LZMA with both sizes after its properties, as the engine has it.
    Lzma,
    /// LZMA with one size, a plain `.lzma` file; the engine cannot read it.
    LzmaAlone,
    /// Brotli, RFC 7932.
    Brotli,
}

impl Codec {
    /// All codecs, also those whose feature is off.
    pub const ALL: [Codec; 6] =
        [Codec::None, Codec::Lz4, Codec::Lz4Frame, Codec::Lzma, Codec::LzmaAlone, Codec::Brotli];

    /// The number in the header.
    pub const fn kind(self) -> u32 {
        self.family().0
    }

    /// The number in the header, the feature, and the extension.
    const fn family(self) -> (u32, &'static str, &'static str) {
        match self {
            Codec::None => (0, "", "bson"),
            Codec::Lz4 | Codec::Lz4Frame => (1, "lz4", "lz4bson"),
            Codec::Lzma | Codec::LzmaAlone => (2, "lzma", "7zbson"),
            Codec::Brotli => (3, "brotli", "brson"),
        }
    }

    /// A name for people and options: `none`, `lz4`, `lz4-frame`, `lzma`, `lzma-alone`, `brotli`.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Lz4 => "lz4",
            Codec::Lz4Frame => "lz4-frame",
            Codec::Lzma => "lzma",
            Codec::LzmaAlone => "lzma-alone",
            Codec::Brotli => "brotli",
        }
    }

    /// Whether the feature of the codec is enabled.
    pub const fn is_available(self) -> bool {
        match self.kind() {
            0 => true,
            1 => cfg!(feature = "lz4"),
            2 => cfg!(feature = "lzma"),
            _ => cfg!(feature = "brotli"),
        }
    }

    /// An error if the feature is off.
    pub(crate) fn need(self) -> Result<()> {
        if self.is_available() {
            return Ok(());
        }
        let feature = self.family().1;
        let message = format!("{self} needs the feature `{feature}`, which is not enabled");
        Err(Error::unsupported(message))
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A codec, and whether there is a header before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Container {
    pub(crate) codec: Codec,
    header: bool,
}

impl Container {
    /// A document alone, `.bson`.
    pub const BSON: Container = Container::legacy(Codec::None);
    /// As Resonite writes: header and Brotli, `.brson`.
    pub const BRSON: Container = Container::new(Codec::Brotli);
    /// Header and LZMA, `.7zbson`.
    pub const SEVEN_Z_BSON: Container = Container::new(Codec::Lzma);
    /// Header and LZ4 chunks, `.lz4bson`.
    pub const LZ4_BSON: Container = Container::new(Codec::Lz4);

    /// With a header, as Resonite writes it.
    pub const fn new(codec: Codec) -> Self {
        Container { codec, header: true }
    }

    /// Without a header, as NeosVR wrote it.
    pub const fn legacy(codec: Codec) -> Self {
        Container { codec, header: false }
    }

    /// How the document is compressed.
    pub const fn codec(self) -> Codec {
        self.codec
    }

    /// Whether there is a header.
    pub const fn has_header(self) -> bool {
        self.header
    }

    /// The container that the engine writes into a file with this extension (without the dot, in any case):
    /// `brson`, `7zbson`, `lz4bson`; and a document alone for `bson`.
    pub fn for_extension(extension: &str) -> Option<Self> {
        [Self::BRSON, Self::SEVEN_Z_BSON, Self::LZ4_BSON, Self::BSON]
            .into_iter()
            .find(|container| container.extension().eq_ignore_ascii_case(extension))
    }

    /// The extension of such files, without the dot.
    pub const fn extension(self) -> &'static str {
        self.codec.family().2
    }
}

/// [`BRSON`](Self::BRSON).
impl Default for Container {
    fn default() -> Self {
        Container::BRSON
    }
}

/// `FrDT, brotli`; `lzma without header`.
impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.header, self.codec) {
            (true, codec) => write!(f, "FrDT, {codec}"),
            (false, Codec::None) => f.write_str("a document alone"),
            (false, codec) => write!(f, "{codec} without header"),
        }
    }
}
