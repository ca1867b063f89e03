//! What is around the document in a file: header, codec, and the files of old that have no header.
//!
//! ```text
//! "FrDT"  i32 version (0)  LEB128 kind  body to the end of the file
//! ```
//!
//! | kind | extension | body |
//! |---|---|---|
//! | 1 | `.lz4bson` | [`Codec::Lz4`]: LZ4 blocks in chunks, or [`Codec::Lz4Frame`] |
//! | 2 | `.7zbson` | [`Codec::Lzma`], or [`Codec::LzmaAlone`] |
//! | 3 | `.brson` | [`Codec::Brotli`] |
//!
//! NeosVR, from which Resonite comes, wrote the bodies alone; [`detect`] tells those by their
//! content. [`unpack`] gives the document in any of these files, [`pack`] makes one. [`Decoder`] and
//! [`Encoder`] do the same over readers and writers.
//!
//! ```
//! use resonite_brson::container::{self, Container};
//!
//! let bson = [5, 0, 0, 0, 0]; // the empty document
//! # #[cfg(feature = "brotli")] {
//! let file = container::pack(&bson, Container::BRSON)?;
//! assert_eq!(file[..9], *b"FrDT\0\0\0\0\x03");
//! let unpacked = container::unpack(&file)?;
//! assert_eq!(unpacked.container(), Container::BRSON);
//! assert_eq!(*unpacked, bson);
//! # }
//! # Ok::<(), resonite_brson::Error>(())
//! ```

#[cfg(feature = "brotli")]
mod brotli;
mod decoder;
mod detect;
mod encoder;
mod header;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lz4")]
mod lz4_frame;
#[cfg(feature = "lz4")]
mod lz4_hc;
mod lzma;
mod unpacked;
#[cfg(feature = "lz4")]
mod xxhash;

use std::borrow::Cow;
use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

pub use decoder::Decoder;
pub use detect::{Head, detect, detect_named};
pub use encoder::Encoder;
pub use header::{MAGIC, VERSION};
pub use unpacked::Unpacked;

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
        match self {
            Codec::None => 0,
            Codec::Lz4 | Codec::Lz4Frame => 1,
            Codec::Lzma | Codec::LzmaAlone => 2,
            Codec::Brotli => 3,
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
        match self {
            Codec::None => true,
            Codec::Lz4 | Codec::Lz4Frame => cfg!(feature = "lz4"),
            Codec::Lzma | Codec::LzmaAlone => cfg!(feature = "lzma"),
            Codec::Brotli => cfg!(feature = "brotli"),
        }
    }

    /// An error if the feature is off.
    fn need(self) -> Result<()> {
        let feature = match self {
            _ if self.is_available() => return Ok(()),
            Codec::Lz4 | Codec::Lz4Frame => "lz4",
            Codec::Lzma | Codec::LzmaAlone => "lzma",
            Codec::Brotli | Codec::None => "brotli",
        };
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("{self} needs the feature `{feature}`, which is not enabled"),
        ))
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
    codec: Codec,
    header: bool,
}

impl Container {
    /// A document alone, `.bson`.
    pub const BSON: Container = Container::legacy(Codec::None);
    /// What Resonite writes: header and Brotli, `.brson`.
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

    /// What the engine writes into a file with this extension (without the dot, in any case):
    /// `brson`, `7zbson`, `lz4bson`; and a document alone for `bson`.
    pub fn for_extension(extension: &str) -> Option<Self> {
        [Self::BRSON, Self::SEVEN_Z_BSON, Self::LZ4_BSON, Self::BSON]
            .into_iter()
            .find(|container| container.extension().eq_ignore_ascii_case(extension))
    }

    /// The extension of such files, without the dot.
    pub const fn extension(self) -> &'static str {
        match self.codec {
            Codec::None => "bson",
            Codec::Lz4 | Codec::Lz4Frame => "lz4bson",
            Codec::Lzma | Codec::LzmaAlone => "7zbson",
            Codec::Brotli => "brson",
        }
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

/// Gives the document in a file, borrowed where it is not compressed.
///
/// # Errors
/// Nothing that is known, a version or codec that is not, compressed data that is broken, or more
/// than [`max_output`](Options::max_output) bytes.
pub fn unpack(bytes: &[u8]) -> Result<Unpacked<'_>> {
    Options::new().unpack(bytes)
}

/// Makes a file of a document.
///
/// # Errors
/// A codec whose feature is off, or more than [`max_output`](Options::max_output) bytes.
pub fn pack(bson: &[u8], container: Container) -> Result<Vec<u8>> {
    Options::new().pack(bson, container)
}

/// Files and the documents in them.
impl Options {
    /// Gives the document in a file, borrowed where it is not compressed.
    ///
    /// The bytes of the document are not looked at; offsets of errors count from the start of the
    /// file.
    ///
    /// # Errors
    /// Nothing that is known, a version or codec that is not, compressed data that is broken, or
    /// more than [`max_output`](Self::max_output) bytes.
    pub fn unpack<'a>(&self, bytes: &'a [u8]) -> Result<Unpacked<'a>> {
        self.unpack_named(bytes, None)
    }

    /// [`unpack`](Self::unpack) with the extension of the file, without the dot. It matters where
    /// there is no header: Brotli has no mark of its own.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack).
    pub fn unpack_named<'a>(
        &self,
        bytes: &'a [u8],
        extension: Option<&str>,
    ) -> Result<Unpacked<'a>> {
        match detect::find(bytes, extension, self)? {
            Some(head) => self.unpack_head(bytes, head),
            None => self.unpack_last(bytes).ok_or_else(|| detect::unknown(bytes)),
        }
    }

    /// Unpacks what [`detect`] has found.
    fn unpack_head<'a>(&self, bytes: &'a [u8], head: Head) -> Result<Unpacked<'a>> {
        let body = bytes.get(head.body()..).unwrap_or_default();
        let bson = self.decompress(body, head.container().codec(), head.body())?;
        Ok(Unpacked::new(head.container(), bson))
    }

    /// The last resort: Brotli whose content is as long as it says.
    fn unpack_last<'a>(&self, bytes: &'a [u8]) -> Option<Unpacked<'a>> {
        if !Codec::Brotli.is_available() || bytes.is_empty() {
            return None;
        }
        let bson = self.decompress(bytes, Codec::Brotli, 0).ok()?;
        detect::is_document(&bson).then(|| Unpacked::new(Container::legacy(Codec::Brotli), bson))
    }

    /// Decompresses a body that begins at `base` of the file.
    fn decompress<'a>(&self, body: &'a [u8], codec: Codec, base: usize) -> Result<Cow<'a, [u8]>> {
        codec.need()?;
        let plain: Result<Vec<u8>> = match codec {
            Codec::None => {
                self.check_unpacked(body.len())?;
                return Ok(Cow::Borrowed(body));
            }
            #[cfg(feature = "lz4")]
            Codec::Lz4 => lz4::decode(body, self),
            #[cfg(feature = "lz4")]
            Codec::Lz4Frame => lz4_frame::decode(body, self),
            #[cfg(feature = "lzma")]
            Codec::Lzma | Codec::LzmaAlone => lzma::decode(body, codec, self),
            #[cfg(feature = "brotli")]
            Codec::Brotli => brotli::decode(body, self),
            #[cfg(not(all(feature = "lz4", feature = "lzma", feature = "brotli")))]
            _ => codec.need().map(|()| Vec::new()),
        };
        plain.map(Cow::Owned).map_err(|error| error.shifted(base))
    }

    /// Makes a file of a document.
    ///
    /// The bytes are what the engine loads: Brotli of quality 9 with a window of 16 bits, LZ4 in
    /// chunks of 1 MiB, LZMA with a dictionary of 2 MiB. Whether `bson` is a document is not
    /// checked.
    ///
    /// # Errors
    /// A codec whose feature is off, more than [`max_output`](Self::max_output) bytes, or a header
    /// before a document that is not compressed without
    /// [`allow_plain_header`](Self::allow_plain_header).
    pub fn pack(&self, bson: &[u8], container: Container) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.pack_to(&mut out, bson, container)?;
        Ok(out)
    }

    /// Makes a file of a document at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`pack`](Self::pack).
    pub fn pack_to(&self, out: &mut Vec<u8>, bson: &[u8], container: Container) -> Result<()> {
        self.check_container(container)?;
        self.check_unpacked(bson.len())?;
        let start = out.len();
        if container.has_header() {
            header::write(out, container.codec());
        }
        let written: Result<()> = match container.codec() {
            Codec::None => {
                out.extend_from_slice(bson);
                Ok(())
            }
            #[cfg(feature = "lz4")]
            Codec::Lz4 => {
                lz4::encode(out, bson);
                Ok(())
            }
            #[cfg(feature = "lz4")]
            Codec::Lz4Frame => lz4_frame::encode(out, bson),
            #[cfg(feature = "lzma")]
            Codec::Lzma | Codec::LzmaAlone => lzma::encode(out, bson, container.codec()),
            #[cfg(feature = "brotli")]
            Codec::Brotli => brotli::encode(out, bson),
            #[cfg(not(all(feature = "lz4", feature = "lzma", feature = "brotli")))]
            codec => codec.need(),
        };
        written.inspect_err(|_| out.truncate(start))
    }

    /// Whether such a file can be written.
    fn check_container(&self, container: Container) -> Result<()> {
        container.codec().need()?;
        if container == Container::new(Codec::None) && !self.allows_plain_header() {
            return Err(header::plain());
        }
        Ok(())
    }

    fn check_unpacked(&self, len: usize) -> Result<()> {
        if len > self.output_limit() {
            return Err(too_long(self.output_limit()));
        }
        Ok(())
    }
}

/// The document is longer than `limit`.
#[cold]
pub(crate) fn too_long(limit: usize) -> Error {
    Error::new(
        ErrorKind::OutputLimit,
        format!("the document is longer than max_output, which is {limit} bytes"),
    )
}

/// Compressed data that means nothing, at an offset of the body.
#[cold]
fn corrupt(at: usize, message: impl Into<Cow<'static, str>>) -> Error {
    Error::at(ErrorKind::Compression, at, message)
}

/// How much to reserve for a document of which `announced` bytes are said to come out of `input`
/// bytes: all of it, if that is likely.
fn reserve(announced: usize, input: usize, limit: usize) -> usize {
    announced.min(limit).min(input.saturating_mul(64).saturating_add(1 << 16))
}
