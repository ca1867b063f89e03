//! The layers around the document [in a file](https://github.com/gamewire/gamewire/blob/main/docs/formats/resonite-brson.md#the-file): header, codec, and the files of old that
//! have no header.
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
//! content. [`unpack`] returns the document in any of these files, [`pack`] makes one. [`Options::open_reader`]
//! and [`pack_to`] do the same over readers and writers.
//!
//! ```
//! use resonite_brson::container::{self, Container};
//!
//! let bson = [5, 0, 0, 0, 0]; // the empty document
//! # #[cfg(feature = "brotli")] {
//! let file = container::pack(&bson, Container::BRSON)?;
//! assert_eq!(file[..9], *b"FrDT\0\0\0\0\x03");
//! let body = container::unpack(&file)?;
//! assert_eq!(body.container(), Container::BRSON);
//! assert_eq!(body.bson(), bson);
//! # }
//! # Ok::<(), resonite_brson::Error>(())
//! ```

#[cfg(feature = "brotli")]
mod brotli;
#[cfg(all(feature = "brotli", not(feature = "brotli-tight")))]
mod brotli_encode;
pub(crate) mod detect;
pub(crate) mod header;
#[cfg(feature = "lz4")]
pub(crate) mod lz4;
#[cfg(feature = "lz4")]
mod lz4_frame;
#[cfg(any(feature = "lz4", all(feature = "brotli", not(feature = "brotli-tight"))))]
mod lz4_hc;
pub(crate) mod lzma;

use std::borrow::Cow;
use std::io;

use gamewire_core::bytes::part;

use crate::body::Body;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

pub use crate::codec::{Codec, Container};
pub use detect::{Head, detect, detect_named};
pub use header::{MAGIC, VERSION};

/// A file that is opened: what it is, its document, and the bytes after it.
pub(crate) struct OpenedFile<'a> {
    pub(crate) container: Container,
    /// Borrowed where the file is not compressed; what is after the document is then in it too.
    pub(crate) bson: Cow<'a, [u8]>,
    /// Bytes after the compressed body, where it has a separate end.
    pub(crate) rest: &'a [u8],
}

/// Finds out what a file is and decompresses it. Nothing is known of what comes out.
///
/// With `whole`, the file is nothing but the document, so bytes that the engine skips are
/// skipped here too.
pub(crate) fn open<'a>(bytes: &'a [u8], options: &Options, whole: bool) -> Result<OpenedFile<'a>> {
    open_into(bytes, options, whole, &mut Unpacked::default())
}

/// The output of a codec, up to an error if there is one.
#[derive(Default)]
pub(crate) struct Unpacked {
    pub(crate) plain: Vec<u8>,
    /// The parts of LZ4 frames: where each ends in the body, and what it is.
    pub(crate) parts: Vec<(usize, &'static str)>,
}

/// [`open`], with what was decompressed before an error in `out`.
pub(crate) fn open_into<'a>(
    bytes: &'a [u8],
    options: &Options,
    whole: bool,
    out: &mut Unpacked,
) -> Result<OpenedFile<'a>> {
    let Some(head) = detect::find(bytes, None, options)? else {
        return open_guess(bytes, options).ok_or_else(|| detect::unknown(bytes));
    };
    let (container, body) = (head.container(), part(bytes, head.body()..));
    if container.codec() == Codec::None {
        return Ok(OpenedFile { container, bson: Cow::Borrowed(body), rest: &[] });
    }
    let used = decompress(body, container.codec(), options, whole, out)
        .map_err(|error| error.shifted(head.body()))?;
    let bson = Cow::Owned(std::mem::take(&mut out.plain));
    Ok(OpenedFile { container, bson, rest: part(body, used..) })
}

/// The last resorts: Brotli whose content is as long as it says, else what begins as a document, so
/// that the error speaks of what is wrong with it.
fn open_guess<'a>(bytes: &'a [u8], options: &Options) -> Option<OpenedFile<'a>> {
    let opened = |container, bson| OpenedFile { container, bson, rest: &[] };
    let mut out = Unpacked::default();
    if decompress(bytes, Codec::Brotli, options, true, &mut out).ok() == Some(bytes.len())
        && detect::is_document(&out.plain)
    {
        return Some(opened(Container::legacy(Codec::Brotli), Cow::Owned(out.plain)));
    }
    detect::begins_document(bytes).then(|| opened(Container::BSON, Cow::Borrowed(bytes)))
}

/// Decompresses a body, and returns how many of its bytes belong to it.
fn decompress(
    body: &[u8],
    codec: Codec,
    options: &Options,
    whole: bool,
    out: &mut Unpacked,
) -> Result<usize> {
    codec.need()?;
    let mut memory = options.limits.memory(body.len());
    #[cfg(feature = "brotli")]
    if codec == Codec::Brotli {
        // The decoder keeps as much again of a short document, and a window of a long one.
        memory = memory.saturating_sub(brotli::window(body).min(memory / 2));
    }
    let within = options.max_output(options.limits.max_output.min(memory));
    let read = decode(body, codec, &within, whole, out);
    read.map_err(|error| match error.kind() {
        ErrorKind::OutputLimit if memory < options.limits.max_output => {
            Error::memory("the document")
        }
        _ => error,
    })
}

fn decode(
    body: &[u8],
    codec: Codec,
    options: &Options,
    whole: bool,
    out: &mut Unpacked,
) -> Result<usize> {
    match codec {
        #[cfg(feature = "lz4")]
        Codec::Lz4 => lz4::decode(body, options, &mut out.plain),
        #[cfg(feature = "lz4")]
        Codec::Lz4Frame => lz4_frame::decode(body, options, out),
        #[cfg(feature = "lzma")]
        Codec::Lzma | Codec::LzmaAlone => lzma::decode(body, codec, options, whole, &mut out.plain),
        #[cfg(feature = "brotli")]
        Codec::Brotli => brotli::decode(body, options, &mut out.plain),
        _ => {
            out.plain.extend_from_slice(body);
            Ok(body.len())
        }
    }
}

/// Makes a file of a document, in the container of the options.
pub(crate) fn seal(bson: Vec<u8>, options: &Options) -> Result<Vec<u8>> {
    if options.container == Container::BSON { Ok(bson) } else { pack_with(&bson, options) }
}

/// Returns the document in a file: any container, detected by its content.
///
/// The document itself is not looked at; [`Body::read`] does that. Offsets of errors count from the
/// start of the file.
///
/// # Errors
/// Nothing that is known, a version or codec that is not, compressed data that is broken, bytes
/// after it, or more than [`max_output`](Options::max_output) bytes.
pub fn unpack(bytes: &[u8]) -> Result<Body<'_>> {
    Options::new().open(bytes)
}

/// [`unpack`] with the extension of the file (without the dot), which matters where there is no
/// header: Brotli has no mark.
///
/// # Errors
/// As [`unpack`].
pub fn unpack_named<'a>(bytes: &'a [u8], extension: &str, options: &Options) -> Result<Body<'a>> {
    match detect::find(bytes, Some(extension), options)? {
        Some(head) if options.input.is_none() && !head.container().has_header() => {
            options.input(head.container()).open(bytes)
        }
        _ => options.open(bytes),
    }
}

/// Makes a file of a document.
///
/// The bytes are what the engine loads: Brotli (with the feature `brotli-tight` of quality 9 and a
/// window of 16 bits), LZ4 in chunks of 1 MiB, LZMA with a dictionary of 2 MiB. Whether `bson` is a
/// document is not checked.
///
/// # Errors
/// A codec whose feature is off, or more bytes than [`Options::max_output`] is by default.
pub fn pack(bson: &[u8], container: Container) -> Result<Vec<u8>> {
    pack_with(bson, &Options::new().container(container))
}

/// [`pack`] into the container and within the limits of the options.
///
/// # Errors
/// A codec whose feature is off, or more than [`Options::max_output`] bytes.
pub fn pack_with(bson: &[u8], options: &Options) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    pack_to(&mut out, bson, options)?;
    Ok(out)
}

/// [`pack_with`] to a writer, to which nothing is written when encoding fails.
///
/// # Errors
/// As [`pack_with`], or an I/O error.
pub fn pack_to<W: io::Write>(mut writer: W, bson: &[u8], options: &Options) -> Result<()> {
    let (container, limit) = (options.container, options.limits.max_output);
    container.codec().need()?;
    if bson.len() > limit {
        return Err(too_long(limit));
    }
    let mut out = Vec::new();
    if container.has_header() {
        header::write(&mut out, container.codec());
    }
    let mut plain: &[u8] = &[];
    match container.codec() {
        #[cfg(feature = "lz4")]
        Codec::Lz4 => lz4::encode(&mut out, bson),
        #[cfg(feature = "lz4")]
        Codec::Lz4Frame => lz4_frame::encode(&mut out, bson),
        #[cfg(feature = "lzma")]
        codec @ (Codec::Lzma | Codec::LzmaAlone) => lzma::encode(&mut out, bson, codec)?,
        #[cfg(feature = "brotli")]
        Codec::Brotli => brotli::encode(&mut out, bson)?,
        _ => plain = bson,
    }
    let written = writer.write_all(&out).and_then(|()| writer.write_all(plain));
    written.and_then(|()| writer.flush()).map_err(Error::io)
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
