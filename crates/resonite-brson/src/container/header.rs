//! The header, and the variable-length numbers of it and of LZ4 chunks.

use std::borrow::Cow;

use super::Codec;
use crate::error::{Error, ErrorKind, Result};

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"FrDT";

/// The only version of the header that exists.
pub const VERSION: i32 = 0;

/// Bytes before the kind.
const FIXED: usize = 8;

/// Reads a header: the kind, and where the body begins. `None` without the magic.
///
/// With `strict`, the kind must be in as few bytes as it can.
pub(crate) fn read(bytes: &[u8], strict: bool) -> Result<Option<(u32, usize)>> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(None);
    }
    let Some(version) = bytes.get(4..).and_then(<[u8]>::first_chunk) else {
        return Err(cut(bytes.len()));
    };
    let version = i32::from_le_bytes(*version);
    if version != VERSION {
        let why = if version > VERSION { "; the file is of a newer program" } else { "" };
        return Err(Error::at(
            ErrorKind::Header,
            4,
            format!("expected version {VERSION} of the header, found {version}{why}"),
        ));
    }
    let (kind, len) = leb128(bytes.get(FIXED..).unwrap_or_default())
        .map_err(|fault| fault.error(FIXED, "the kind of compression"))?;
    if strict && len != leb128_len(kind) {
        return Err(Error::at(
            ErrorKind::NotCanonical,
            FIXED,
            format!("expected the kind of compression in 1 byte, found {len}"),
        ));
    }
    let kind = u32::try_from(kind).map_err(|_| unknown_kind(kind))?;
    Ok(Some((kind, FIXED.saturating_add(len))))
}

pub(crate) fn write(out: &mut Vec<u8>, codec: Codec) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    put_leb128(out, codec.kind().into());
}

#[cold]
pub(crate) fn unknown_kind(kind: impl std::fmt::Display) -> Error {
    Error::at(
        ErrorKind::Header,
        FIXED,
        format!("expected a kind of compression from 1 to 3, found {kind}"),
    )
}

/// A kind that is not read: the one of no compression, or not the codec that was asked for.
#[cold]
pub(crate) fn refused_kind(message: impl Into<Cow<'static, str>>) -> Error {
    Error::at(ErrorKind::Header, FIXED, message)
}

#[cold]
fn cut(len: usize) -> Error {
    Error::at(ErrorKind::UnexpectedEof, len, format!("expected a header of 9 bytes, found {len}"))
}

/// A fault of a variable-length number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leb128Fault {
    Cut,
    TooLong,
}

impl Leb128Fault {
    #[cold]
    pub(crate) fn error(self, at: usize, what: &str) -> Error {
        match self {
            Leb128Fault::Cut => {
                Error::at(ErrorKind::UnexpectedEof, at, format!("expected {what}, found the end"))
            }
            Leb128Fault::TooLong => Error::at(
                ErrorKind::Compression,
                at,
                format!("expected {what} in at most 10 bytes and 64 bits, found more"),
            ),
        }
    }
}

/// A LEB128 number and how many bytes it takes; needless zeros at its end are fine.
pub(crate) fn leb128(bytes: &[u8]) -> std::result::Result<(u64, usize), Leb128Fault> {
    let mut value = 0u64;
    for ((byte, shift), len) in bytes.iter().zip((0..u64::BITS).step_by(7)).zip(1..) {
        let part = u64::from(byte & 0x7f);
        let moved = part << shift;
        if moved >> shift != part {
            return Err(Leb128Fault::TooLong);
        }
        value |= moved;
        if byte & 0x80 == 0 {
            return Ok((value, len));
        }
    }
    Err(if bytes.len() >= 10 { Leb128Fault::TooLong } else { Leb128Fault::Cut })
}

pub(crate) fn put_leb128(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            return out.push(low & 0x7f);
        }
        out.push(low | 0x80);
    }
}

fn leb128_len(value: u64) -> usize {
    (value | 1).ilog2().saturating_add(1).div_ceil(7) as usize
}
