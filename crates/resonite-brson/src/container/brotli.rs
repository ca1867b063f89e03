//! Brotli, RFC 7932: quality 9 and a window of 64 KiB, as the engine writes it.

use std::io::{self, BufRead, Read, Write};

use brotli::enc::BrotliEncoderParams;
use brotli::reader::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, CompressorWriter};

use super::{corrupt, from_io, reserve, too_long};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

type State = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// A decoder over a buffered reader, which it never reads past the end of its own data.
pub(super) struct BrotliReader<R> {
    input: R,
    state: Box<State>,
    /// Bytes of input that were used.
    pub(super) used: usize,
    done: bool,
}

impl<R: BufRead> BrotliReader<R> {
    /// Whether there are bytes after the end.
    pub(super) fn has_more(&mut self) -> io::Result<bool> {
        Ok(self.done && !self.input.fill_buf()?.is_empty())
    }

    pub(super) fn new(input: R) -> Self {
        let alloc = StandardAlloc::default;
        let state = Box::new(BrotliState::new_strict(alloc(), alloc(), alloc()));
        BrotliReader { input, state, used: 0, done: false }
    }
}

impl<R: BufRead> Read for BrotliReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.done || out.is_empty() {
            return Ok(0);
        }
        loop {
            let input = self.input.fill_buf()?;
            let (mut available_in, mut used) = (input.len(), 0);
            let (mut available_out, mut written, mut total) = (out.len(), 0, 0);
            let result = BrotliDecompressStream(
                &mut available_in,
                &mut used,
                input,
                &mut available_out,
                &mut written,
                out,
                &mut total,
                &mut self.state,
            );
            let ended = input.is_empty();
            self.input.consume(used);
            self.used = self.used.saturating_add(used);
            match result {
                BrotliResult::ResultSuccess => {
                    self.done = true;
                    return Ok(written);
                }
                BrotliResult::ResultFailure => {
                    let error = corrupt(self.used, "broken Brotli data");
                    return Err(io::Error::other(error));
                }
                _ if written > 0 => return Ok(written),
                BrotliResult::NeedsMoreInput if ended => {
                    let message = "expected more Brotli data, found the end";
                    let error = Error::at(ErrorKind::UnexpectedEof, self.used, message);
                    return Err(io::Error::other(error));
                }
                _ => {}
            }
        }
    }
}

/// Decodes a stream, and returns how many bytes it has.
pub(super) fn decode(body: &[u8], options: &Options, out: &mut Vec<u8>) -> Result<usize> {
    let limit = options.limits.max_output;
    let mut reader = BrotliReader::new(body);
    let past = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    // A document begins with its length, so the rest is read into its final place.
    let mut read = reader.by_ref().take(4.min(past)).read_to_end(out);
    if read.is_ok() {
        let announced = out.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
        let announced = usize::try_from(announced).unwrap_or(usize::MAX);
        out.reserve_exact(reserve(announced, body.len(), limit));
        read = reader.by_ref().take(past.saturating_sub(4)).read_to_end(out);
    }
    if out.len() > limit {
        return Err(too_long(limit));
    }
    read.map_err(from_io)?;
    // Where the last byte of the document was the last that was asked for, the end is still to come.
    let end = reader.read(&mut [0]).map_err(from_io)?;
    if end > 0 {
        return Err(too_long(limit));
    }
    Ok(reader.used)
}

fn settings() -> BrotliEncoderParams {
    BrotliEncoderParams { quality: 9, lgwin: 16, ..BrotliEncoderParams::default() }
}

/// Bytes that the encoder hands out at a time.
const BUFFER: usize = 1 << 16;

/// An encoder that keeps what it has made until it is asked for it.
pub(super) struct BrotliWriter {
    inner: Box<CompressorWriter<Vec<u8>>>,
}

impl BrotliWriter {
    pub(super) fn new() -> Self {
        BrotliWriter {
            inner: Box::new(CompressorWriter::with_params(Vec::new(), BUFFER, &settings())),
        }
    }

    /// Encodes, and writes what is ready.
    pub(super) fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.inner.write_all(bytes)?;
        let ready = self.inner.get_mut();
        out.write_all(ready)?;
        ready.clear();
        Ok(())
    }

    pub(super) fn finish(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.inner.into_inner())
    }
}
