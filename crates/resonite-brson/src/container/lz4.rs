//! LZ4 as lz4net's `LZ4Stream` has it: chunks to the end of the file, each an LZ4 block of its own.
//!
//! ```text
//! LEB128 flags            bit 0: compressed, bit 1: by the slow encoder; others must be 0
//! LEB128 original length
//! LEB128 compressed length, if compressed; at most the original one
//! data
//! ```

use std::ops::Range;

use super::header::{leb128, put_leb128};
use super::{corrupt, lz4_hc, too_long};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

/// The chunk is compressed.
const COMPRESSED: u64 = 1;
/// The encoder was the slow one. Readers do not care.
const SLOW: u64 = 2;

/// Bytes of the document in a chunk that the engine writes.
const CHUNK: usize = 1 << 20;

/// No LZ4 block grows by more than this factor.
const MAX_RATIO: usize = 255;

/// The header of a chunk, and where its data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) flags: u64,
    /// Bytes before the data.
    pub(crate) head: usize,
    /// Length of the data.
    pub(crate) len: usize,
    /// Length of what is made from the data.
    pub(crate) original: usize,
}

impl Chunk {
    pub(crate) fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }

    /// Where the data is in `bytes`, which begin with the chunk at `start`.
    fn data(&self, start: usize) -> Range<usize> {
        let from = start.saturating_add(self.head);
        from..from.saturating_add(self.len)
    }

    /// Reads the header of the chunk at `at` of the body. The data may be missing.
    pub(crate) fn read(bytes: &[u8], at: usize) -> Result<Chunk> {
        let mut head = 0usize;
        let mut number = |what: &str| {
            let place = at.saturating_add(head);
            let (value, len) = leb128(bytes.get(place..).unwrap_or_default())
                .map_err(|fault| fault.error(place, what))?;
            head = head.saturating_add(len);
            Ok::<_, Error>((value, place))
        };
        let (flags, place) = number("the flags of a chunk")?;
        if flags & !(COMPRESSED | SLOW) != 0 {
            return Err(corrupt(
                place,
                format!("expected the flags of a chunk from 0 to 3, found {flags}"),
            ));
        }
        let (original, original_at) = number("the length of a chunk")?;
        let original = usize::try_from(original)
            .map_err(|_| corrupt(original_at, format!("a chunk cannot have {original} bytes")))?;
        let mut len = original;
        if flags & COMPRESSED != 0 {
            let (packed, place) = number("the compressed length of a chunk")?;
            len = usize::try_from(packed).ok().filter(|len| *len <= original).ok_or_else(|| {
                corrupt(
                    place,
                    format!(
                        "expected the compressed length of a chunk up to {original}, found {packed}"
                    ),
                )
            })?;
            if original > len.saturating_mul(MAX_RATIO) {
                return Err(corrupt(
                    original_at,
                    format!("{len} compressed bytes cannot become {original}"),
                ));
            }
        }
        Ok(Chunk { flags, head, len, original })
    }

    /// Makes the document's bytes from the chunk's data, which begins at `at` of the body.
    pub(crate) fn decode(&self, data: &[u8], at: usize, out: &mut [u8]) -> Result<()> {
        if !self.is_compressed() {
            debug_assert!(data.len() == out.len(), "a stored chunk of another length");
            if data.len() == out.len() {
                out.copy_from_slice(data);
            }
            return Ok(());
        }
        if self.original == 0 {
            return Ok(());
        }
        match lz4_flex::block::decompress_into(data, out) {
            Ok(len) if len == self.original => Ok(()),
            Ok(len) => Err(corrupt(
                at,
                format!("expected {} bytes out of an LZ4 block, found {len}", self.original),
            )),
            Err(_) => Err(corrupt(at, "the compressed data (LZ4) is damaged")),
        }
    }

    /// Makes what can be made from data that is broken or cut off, and returns how many bytes that is.
    fn decode_start(&self, data: &[u8], out: &mut [u8]) -> usize {
        let (mut at, mut made) = (0usize, 0usize);
        let copy = |from: &[u8], out: &mut [u8], made: &mut usize| {
            let len = from.len().min(out.len().saturating_sub(*made));
            let end = made.saturating_add(len);
            if let (Some(place), Some(from)) = (out.get_mut(*made..end), from.get(..len)) {
                place.copy_from_slice(from);
            }
            *made = end;
        };
        if !self.is_compressed() {
            copy(data, out, &mut made);
            return made;
        }
        // Of a length of 15 follow the bytes that are added to it, up to one that is not 255.
        let length = |at: &mut usize, mut len: usize| {
            let mut is_open = len == 15;
            while let Some(byte) = data.get(*at).filter(|_| is_open) {
                *at = at.saturating_add(1);
                len = len.saturating_add(usize::from(*byte));
                is_open = *byte == 255;
            }
            len
        };
        while let Some(token) = data.get(at).filter(|_| made < out.len()) {
            at = at.saturating_add(1);
            let literals = length(&mut at, usize::from(token >> 4));
            let end = at.saturating_add(literals);
            copy(data.get(at..end.min(data.len())).unwrap_or_default(), out, &mut made);
            let Some(distance) = data.get(end..).and_then(<[u8]>::first_chunk) else { break };
            at = end.saturating_add(2);
            let len = length(&mut at, usize::from(token & 15)).saturating_add(4);
            let distance = usize::from(u16::from_le_bytes(*distance));
            let Some(from) = made.checked_sub(distance).filter(|_| distance > 0) else { break };
            for from in from..from.saturating_add(len) {
                let Some(byte) = out.get(from).copied().filter(|_| made < out.len()) else { break };
                copy(&[byte], out, &mut made);
            }
        }
        made
    }
}

/// The chunks of a body and where each begins.
pub(crate) fn chunks(body: &[u8]) -> impl Iterator<Item = Result<(usize, Chunk)>> {
    let mut at = 0usize;
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed || at >= body.len() {
            return None;
        }
        let chunk = Chunk::read(body, at).and_then(|chunk| {
            let data = chunk.data(at);
            let found = body.len().saturating_sub(data.start);
            let message = format!("expected {} bytes of a chunk, found {found}", chunk.len);
            let cut = || Error::at(ErrorKind::UnexpectedEof, data.start, message);
            if data.end > body.len() { Err(cut()) } else { Ok(chunk) }
        });
        failed = chunk.is_err();
        let start = at;
        if let Ok(chunk) = &chunk {
            at = chunk.data(at).end;
        }
        Some(chunk.map(|chunk| (start, chunk)))
    })
}

/// Whether the bytes are chunks up to their last one, and not all of them empty.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let mut total = 0usize;
    for chunk in chunks(bytes) {
        let Ok((_, chunk)) = chunk else { return false };
        total = total.saturating_add(chunk.original);
    }
    total > 0
}

/// Decodes all chunks; of a body that is broken, those before the broken one, and that as far as it goes.
pub(crate) fn decode(body: &[u8], options: &Options, out: &mut Vec<u8>) -> Result<usize> {
    if body.is_empty() {
        let message = "expected an LZ4 chunk, found the end";
        return Err(Error::at(ErrorKind::UnexpectedEof, 0, message));
    }
    // Headers first: the sum of the lengths is then no claim, as far as LZ4 can grow.
    let mut total = 0usize;
    for chunk in chunks(body).map_while(Result::ok) {
        total = total.saturating_add(chunk.1.original);
        if total > options.limits.max_output {
            return Err(too_long(options.limits.max_output));
        }
    }
    out.resize(total, 0);
    let (mut at, mut next) = (0usize, 0usize);
    for chunk in chunks(body) {
        let decoded = chunk.and_then(|(start, chunk)| {
            let data = chunk.data(start);
            let end = at.saturating_add(chunk.original);
            match (body.get(data.clone()), out.get_mut(at..end)) {
                (Some(packed), Some(part)) => chunk.decode(packed, data.start, part)?,
                _ => debug_assert!(false, "a chunk without its data or its place"),
            }
            (at, next) = (end, data.end);
            Ok(())
        });
        if decoded.is_err() {
            out.truncate(at);
            if let Ok(chunk) = Chunk::read(body, next) {
                let data = chunk.data(next);
                let data = body.get(data.start..data.end.min(body.len())).unwrap_or_default();
                let room = data.len().saturating_mul(MAX_RATIO).min(chunk.original);
                let room = room.min(options.limits.max_output.saturating_sub(at));
                out.resize(at.saturating_add(room), 0);
                let made = chunk.decode_start(data, out.get_mut(at..).unwrap_or_default());
                out.truncate(at.saturating_add(made));
            }
            decoded?;
        }
    }
    Ok(body.len())
}

/// Writes chunks, stored where compressing does not make them shorter.
pub(super) fn encode(out: &mut Vec<u8>, bson: &[u8]) {
    let mut encoder = lz4_hc::HcEncoder::new();
    for chunk in bson.chunks(CHUNK) {
        let packed = encoder.encode(chunk);
        if packed.len() < chunk.len() {
            put_leb128(out, COMPRESSED | SLOW);
            put_leb128(out, chunk.len() as u64);
            put_leb128(out, packed.len() as u64);
            out.extend_from_slice(packed);
        } else {
            put_leb128(out, SLOW);
            put_leb128(out, chunk.len() as u64);
            out.extend_from_slice(chunk);
        }
    }
}
