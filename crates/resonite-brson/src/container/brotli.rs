//! Brotli, RFC 7932: quality 9 and a window of 64 KiB, as the engine writes it.

use std::io::Write;

use brotli::enc::BrotliEncoderParams;
use brotli::reader::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, CompressorWriter};

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
    let alloc = StandardAlloc::default;
    let mut state = Box::new(BrotliState::new_strict(alloc(), alloc(), alloc()));
    let (mut unused, mut used, mut written, mut total) = (body.len(), 0, 0, 0);
    // A document begins with its length, so the rest is decoded into its final place.
    let mut end = 4_usize;
    loop {
        // One byte more than the limit shows that there is more.
        end = end.min(limit.saturating_add(1));
        out.reserve_exact(end.saturating_sub(written));
        out.resize(end, 0);
        let result = BrotliDecompressStream(
            &mut unused,
            &mut used,
            body,
            &mut end.saturating_sub(written),
            &mut written,
            out,
            &mut total,
            &mut state,
        );
        out.truncate(written);
        if written > limit {
            return Err(too_long(limit));
        }
        match result {
            BrotliResult::ResultSuccess => return Ok(used),
            BrotliResult::ResultFailure => return Err(corrupt(used, "broken Brotli data")),
            // What is decoded comes out first, as far as there is room.
            BrotliResult::NeedsMoreInput if written < end => {
                let message = "expected more Brotli data, found the end";
                return Err(Error::at(ErrorKind::UnexpectedEof, used, message));
            }
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
        }
        let announced = out.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
        let announced = usize::try_from(announced).unwrap_or(usize::MAX);
        end = match end {
            4 => reserve(announced, body.len(), limit).max(ROOM),
            end => end.saturating_add(end >> 1),
        };
    }
}

pub(super) fn encode(out: &mut Vec<u8>, bson: &[u8]) -> Result<()> {
    let settings = BrotliEncoderParams { quality: 9, lgwin: 16, ..BrotliEncoderParams::default() };
    let mut encoder = CompressorWriter::with_params(out, BUFFER, &settings);
    encoder.write_all(bson).map_err(Error::io)?;
    encoder.into_inner();
    Ok(())
}
