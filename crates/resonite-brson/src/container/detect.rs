//! Finding out the container of a file.

use super::{Codec, Container, header, lzma};
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Options;

/// The container of a file, and the offset of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    container: Container,
    body: usize,
}

impl Head {
    /// Header and codec.
    pub fn container(self) -> Container {
        self.container
    }

    /// The offset at which the body begins: 9 with a header, 0 without.
    pub fn body(self) -> usize {
        self.body
    }
}

/// Tells what a file is by its content: the header, else the structure of what NeosVR wrote.
/// `None` where neither says, as for Brotli without a header.
///
/// # Errors
/// A header that is cut off, or of a version or kind that is unknown.
pub fn detect(bytes: &[u8]) -> Result<Option<Head>> {
    find(bytes, None, &Options::new())
}

/// [`detect`], and the file's extension (without the dot) where the content does not say.
///
/// # Errors
/// As [`detect`].
pub fn detect_named(bytes: &[u8], extension: &str) -> Result<Option<Head>> {
    find(bytes, Some(extension), &Options::new())
}

pub(crate) fn find(
    bytes: &[u8],
    extension: Option<&str>,
    options: &Options,
) -> Result<Option<Head>> {
    if let Some(container) = options.input
        && !container.has_header()
    {
        return Ok(Some(Head { container, body: 0 }));
    }
    match with_header(bytes, options)? {
        None if options.input.is_some() => return Err(no_header(bytes)),
        None => {}
        found => return Ok(found),
    }
    let codec = legacy(bytes).or_else(|| {
        // Only what has no mark, or is broken, comes this far.
        Container::for_extension(extension?).map(|container| match container.codec() {
            Codec::Lzma => lzma::layout(bytes),
            codec => codec,
        })
    });
    Ok(codec.map(|codec| Head { container: Container::legacy(codec), body: 0 }))
}

/// The container of a file with a header; `None` without.
pub(super) fn with_header(bytes: &[u8], options: &Options) -> Result<Option<Head>> {
    let Some((kind, body)) = header::read(bytes, options.strict)? else { return Ok(None) };
    let rest = bytes.get(body..).unwrap_or_default();
    let codec = match kind {
        // Not even the engine reads it: only who says so gets it.
        0 if options.input == Some(Container::new(Codec::None)) => Codec::None,
        0 => {
            return Err(header::refused_kind(
                "kind 0 of compression, none, is only read where Options::input says so; the \
                 engine cannot load it",
            ));
        }
        1 => layout_of_lz4(rest),
        2 => lzma::layout(rest),
        3 => Codec::Brotli,
        _ => return Err(header::unknown_kind(kind)),
    };
    match options.input {
        Some(expected) if expected.codec().kind() != kind => {
            let message = format!("expected {}, found {codec}", expected.codec());
            Err(header::refused_kind(message))
        }
        _ => Ok(Some(Head { container: Container::new(codec), body })),
    }
}

/// The codec of a file without a header, if its structure shows it.
fn legacy(bytes: &[u8]) -> Option<Codec> {
    if is_document(bytes) {
        Some(Codec::None)
    } else if is_lz4_frame(bytes) {
        Some(Codec::Lz4Frame)
    } else if lzma::is_likely(bytes) {
        Some(lzma::layout(bytes))
    } else {
        is_lz4_chunks(bytes).then_some(Codec::Lz4)
    }
}

/// Whether a document may be these bytes and no others.
pub(crate) fn is_document(bytes: &[u8]) -> bool {
    let len = bytes.first_chunk().map(|len| i32::from_le_bytes(*len));
    len.and_then(|len| usize::try_from(len).ok()) == Some(bytes.len())
        && bytes.len() >= 5
        && bytes.last() == Some(&0)
}

/// Whether a document may begin so, be it cut off or with more after it.
pub(crate) fn begins_document(bytes: &[u8]) -> bool {
    let Some((len, rest)) = bytes.split_first_chunk() else { return false };
    let kind = rest.first().and_then(|byte| Kind::from_byte(*byte));
    match i32::from_le_bytes(*len) {
        5 => rest.first() == Some(&0),
        len => len > 5 && kind.is_some(),
    }
}

/// Chunks, unless it is a frame.
pub(super) fn layout_of_lz4(bytes: &[u8]) -> Codec {
    if is_lz4_frame(bytes) { Codec::Lz4Frame } else { Codec::Lz4 }
}

/// The magic of the LZ4 frame format. As a chunk it would have three passes, which nothing writes.
fn is_lz4_frame(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x04, 0x22, 0x4d, 0x18])
}

#[cfg(feature = "lz4")]
fn is_lz4_chunks(bytes: &[u8]) -> bool {
    super::lz4::is_likely(bytes)
}

/// Without the codec there is no more than the first byte.
#[cfg(not(feature = "lz4"))]
fn is_lz4_chunks(bytes: &[u8]) -> bool {
    matches!(bytes, [0..=3, _, _, ..])
}

#[cold]
pub(crate) fn unknown(bytes: &[u8]) -> Error {
    let kind = if bytes.len() < 5 { ErrorKind::UnexpectedEof } else { ErrorKind::Header };
    let found = first_bytes(bytes);
    let why = if is_archive(bytes) { "" } else { ": it is cut or damaged, or no save" };
    Error::at(kind, 0, format!("expected a save, found {found}{why}"))
}

#[cold]
pub(crate) fn no_header(bytes: &[u8]) -> Error {
    let kind = if bytes.len() < 9 { ErrorKind::UnexpectedEof } else { ErrorKind::Header };
    Error::at(kind, 0, format!("expected FrDT, found {}", first_bytes(bytes)))
}

fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

fn first_bytes(bytes: &[u8]) -> String {
    if is_archive(bytes) {
        return "an archive, as a .resonitepackage is, which the crate resonite-save reads"
            .to_owned();
    }
    let head = bytes.get(..4).unwrap_or(bytes);
    match head.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>() {
        shown if shown.is_empty() => "nothing".to_owned(),
        shown => shown.join(" "),
    }
}
