//! Brotli, RFC 7932.

#[cfg(feature = "brotli-tight")]
use std::io::Write;

#[cfg(feature = "brotli-tight")]
use brotli::{CompressorWriter, enc::BrotliEncoderParams};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::{corrupt, reserve, too_long};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

/// The least bytes of room that the decoder is given after those of the document's length.
const ROOM: usize = 1 << 12;

/// Bytes that the encoder hands out at a time.
const BUFFER: usize = 1 << 16;

/// Decodes a stream, and returns how many bytes it has.
pub(super) fn decode(body: &[u8], options: &Options, out: &mut Vec<u8>) -> Result<usize> {
    let limit = options.limits.max_output;
    let streamed = match stream(body, limit, None, out)? {
        Streamed::Longer(len) => {
            *out = Vec::new();
            stream(body, limit, Some(len), out)?
        }
        whole => whole,
    };
    match streamed {
        Streamed::Whole(used) => Ok(used),
        Streamed::Longer(_) => Err(too_long(limit)),
    }
}

/// How a stream was decoded.
enum Streamed {
    /// To its end, which is present.
    Whole(usize),
    /// It comes to that many bytes up to its end, its fault or the limit, for which there was no room. A
    /// vector that grows would hold them twice.
    Longer(usize),
}

/// Decodes into `known` bytes, or as many as the document that begins there is likely to have.
fn stream(body: &[u8], limit: usize, known: Option<usize>, out: &mut Vec<u8>) -> Result<Streamed> {
    let alloc = StandardAlloc::default;
    let mut state = Box::new(BrotliState::new_strict(alloc(), alloc(), alloc()));
    let (mut unused, mut used, mut written, mut total) = (body.len(), 0, 0, 0);
    let mut decode = |room: &mut [u8], written: &mut usize| {
        let mut left = room.len().saturating_sub(*written);
        let (unused, used) = (&mut unused, &mut used);
        BrotliDecompressStream(unused, used, body, &mut left, written, room, &mut total, &mut state)
    };
    // A document begins with its length, so the rest is decoded into its final place. One byte of room
    // more than there are bytes shows that there are no more.
    let mut end = known.map_or(4, |len| len.saturating_add(1));
    loop {
        end = end.min(limit.saturating_add(1));
        out.reserve_exact(end.saturating_sub(written));
        out.resize(end, 0);
        let result = decode(out, &mut written);
        out.truncate(written);
        if written > limit {
            return Err(too_long(limit));
        }
        match result {
            BrotliResult::ResultSuccess => return Ok(Streamed::Whole(used)),
            BrotliResult::ResultFailure => {
                return Err(corrupt(used, "the compressed data (Brotli) is damaged"));
            }
            // Decoded bytes come out first, as far as there is room.
            BrotliResult::NeedsMoreInput if written < end => {
                let message = "expected more Brotli data, found the end";
                return Err(Error::at(ErrorKind::UnexpectedEof, used, message));
            }
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput if end == 4 => {}
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => break,
        }
        let announced = out.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
        let announced = usize::try_from(announced).unwrap_or(usize::MAX);
        end = reserve(announced, body.len(), limit).max(ROOM);
    }
    let mut passed = vec![0; BUFFER];
    let mut last = BUFFER;
    while last == BUFFER && written <= limit {
        last = 0;
        decode(&mut passed, &mut last);
        written = written.saturating_add(last);
    }
    Ok(Streamed::Longer(written))
}

/// The bytes that the decoder keeps of what it has written: those that the stream may point back to.
pub(super) fn window(body: &[u8]) -> usize {
    let head = body.first().copied().unwrap_or(0);
    let bits = match (head & 1, head >> 1 & 7, head >> 4 & 7) {
        (0, ..) => 16,
        (_, 0, 0) => 17,
        (_, 0, bits) => bits.saturating_add(8),
        (_, bits, _) => bits.saturating_add(17),
    };
    1 << bits
}

/// Quality 9 and a window of 64 KiB, as the engine writes it.
#[cfg(feature = "brotli-tight")]
pub(super) fn encode(out: &mut Vec<u8>, bson: &[u8]) -> Result<()> {
    let settings = BrotliEncoderParams { quality: 9, lgwin: 16, ..BrotliEncoderParams::default() };
    let mut encoder = CompressorWriter::with_params(out, BUFFER, &settings);
    encoder.write_all(bson).map_err(Error::io)?;
    encoder.into_inner();
    Ok(())
}

/// The same matches in a simpler form.
#[cfg(not(feature = "brotli-tight"))]
pub(super) fn encode(out: &mut Vec<u8>, bson: &[u8]) -> Result<()> {
    super::brotli_encode::encode(out, bson);
    Ok(())
}
