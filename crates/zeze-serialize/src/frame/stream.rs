//! Frames from a stream.

use std::io::{self, Read};

use serde_core::Deserialize;

use super::{Expected, Framing, RawFrame, Received, size};
use crate::error::{Error, Result};
use crate::value::decode::{FrameHead, not_whole};

/// Where the frames of a stream begin.
#[derive(Clone, Debug)]
pub(super) struct Splitter {
    framing: Framing,
    /// Of the next byte, in the stream.
    offset: usize,
    /// Bytes to come that belong to a frame that is too large.
    skip: usize,
}

impl Splitter {
    pub(super) const fn new(framing: Framing) -> Self {
        Splitter { framing, offset: 0, skip: 0 }
    }

    /// How many of the bytes that are there belong to a frame that is too large.
    pub(super) fn pass(&mut self, there: usize) -> usize {
        let passed = self.skip.min(there);
        self.skip = self.skip.saturating_sub(passed);
        self.offset = self.offset.saturating_add(passed);
        passed
    }

    /// Length of the frame at the start of the bytes, if it is whole. Bytes to pass come before it
    /// after an error.
    pub(super) fn len(&mut self, bytes: &[u8]) -> Result<Option<usize>> {
        match self.framing.frame_len(bytes) {
            Ok(len) => Ok(len.filter(|len| *len <= bytes.len())),
            Err(error) => {
                self.skip = size(bytes).unwrap_or(0).saturating_add(FrameHead::LEN);
                Err(error.shifted(self.offset))
            }
        }
    }

    /// The frame that these bytes are.
    pub(super) fn frame<'a>(&mut self, bytes: &'a [u8]) -> Result<RawFrame<'a>> {
        let start = self.offset;
        self.offset = start.saturating_add(bytes.len());
        let (mut frame, _) = self.framing.split(bytes).map_err(|error| error.shifted(start))?;
        frame.at = frame.at.saturating_add(start);
        Ok(frame)
    }

    fn needed(&self, bytes: &[u8]) -> usize {
        let len = match size(bytes) {
            _ if self.skip > 0 => self.skip.saturating_add(FrameHead::LEN),
            Some(size) if size > self.framing.max_size => 0,
            size => size.unwrap_or(0).saturating_add(FrameHead::LEN),
        };
        len.saturating_sub(bytes.len())
    }

    /// The stream ends after these bytes, which are no whole frame.
    pub(super) fn end(&self, bytes: &[u8]) -> Result<()> {
        let needed = self.needed(bytes);
        if self.skip > 0 {
            let what = "the rest of a frame that is too large, of";
            return Err(not_whole(self.offset, 0, what, self.skip));
        }
        if bytes.is_empty() || needed == 0 {
            return Ok(());
        }
        let what = if size(bytes).is_some() { "a frame of" } else { "a frame's header of" };
        Err(not_whole(self.offset, bytes.len(), what, bytes.len().saturating_add(needed)))
    }
}

/// Takes frames out of bytes that come in pieces, whatever brings the pieces; made by
/// [`Framing::decoder`].
///
/// It never waits, and keeps every byte until the frame that it belongs to is whole.
///
/// A frame above [`max_size`](Framing::max_size) is an error once, as soon as its size is there.
/// Then its bytes are dropped as they come, and the next frame is the one that begins after them,
/// so that nobody who fills a frame can choose where the next one begins. Who does not want to go
/// on with such a peer stops at the error, as the reference does.
///
/// ```
/// use zeze_serialize::frame::{Frame, Framing};
///
/// let bytes = Framing::new().to_vec(&Frame::protocol(1, 2, "ping"))?;
/// let mut decoder = Framing::new().decoder();
/// decoder.push(&bytes[..14]);
/// assert!(decoder.next_frame()?.is_none());
/// assert_eq!(decoder.needed(), bytes.len() - 14);
/// decoder.push(&bytes[14..]);
/// let frame = decoder.next_frame()?.expect("a whole frame");
/// assert_eq!((frame.module_id, frame.read::<&str>()?), (1, "ping"));
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    splitter: Splitter,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were frames.
    used: usize,
}

impl Decoder {
    /// Takes frames of a kind.
    pub const fn new(framing: Framing) -> Self {
        Decoder { splitter: Splitter::new(framing), buffer: Vec::new(), used: 0 }
    }

    /// Adds what arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.compact();
        let passed = self.splitter.pass(bytes.len());
        self.buffer.extend_from_slice(bytes.get(passed..).unwrap_or_default());
    }

    /// Adds up to `len` bytes of a reader. What it gave before an error is kept, for
    /// `read_to_end` promises to leave that in the buffer.
    fn fill<R: io::Read>(&mut self, reader: &mut R, len: usize) -> io::Result<usize> {
        self.compact();
        let limit = u64::try_from(len).unwrap_or(u64::MAX);
        let read = Read::take(reader, limit).read_to_end(&mut self.buffer);
        self.pass();
        read
    }

    /// The next frame without its bean, or `None` if it is not whole yet. Offsets of errors count
    /// from the start of the stream.
    ///
    /// # Errors
    /// A frame that is too large or of an unknown family. The frame after it can be read.
    pub fn next_frame(&mut self) -> Result<Option<RawFrame<'_>>> {
        let Some(len) = self.whole()? else { return Ok(None) };
        let start = self.used;
        self.used = start.saturating_add(len);
        let bytes = self.buffer.get(start..self.used).unwrap_or_default();
        self.splitter.frame(bytes).map(Some)
    }

    /// How many bytes are missing for [`next_frame`](Self::next_frame) to have news, at least: 12
    /// if nothing of a frame is there, 0 if a frame or an error is.
    pub fn needed(&self) -> usize {
        self.splitter.needed(self.buffered())
    }

    /// The bytes that belong to no frame yet.
    pub fn buffered(&self) -> &[u8] {
        self.buffer.get(self.used..).unwrap_or_default()
    }

    /// Checks that the stream may end here, after `next_frame` gave `None`.
    ///
    /// # Errors
    /// [`UnexpectedEof`](crate::ErrorKind::UnexpectedEof) inside of a frame, with the number of
    /// bytes that are [`needed`](Error::needed).
    pub fn finish(&self) -> Result<()> {
        self.splitter.end(self.buffered())
    }

    /// Length of the next frame, if it is whole.
    fn whole(&mut self) -> Result<Option<usize>> {
        let bytes = self.buffer.get(self.used..).unwrap_or_default();
        let len = self.splitter.len(bytes);
        if len.is_err() {
            self.pass();
        }
        len
    }

    /// Drops what is there of a frame that is too large.
    fn pass(&mut self) {
        let passed = self.splitter.pass(self.buffered().len());
        self.used = self.used.saturating_add(passed);
        if self.used == self.buffer.len() {
            self.compact();
        }
    }

    /// Drops what was used. Less than half of the buffer stays where it is, so that the time does
    /// not grow with the frames that wait in it.
    fn compact(&mut self) {
        if self.used >= self.buffer.len() / 2 {
            self.buffer.drain(..self.used.min(self.buffer.len()));
            self.used = 0;
        }
    }
}

/// Frames from a reader; made by [`Framing::reader`]. It is a [`Decoder`] that is filled from the
/// reader, with as many bytes as the next frame needs and no more.
///
/// After an error of the reader, such as `WouldBlock` or a timeout in the middle of a frame, the
/// next call goes on where that one stopped.
#[derive(Clone, Debug)]
pub struct FrameReader<R> {
    reader: R,
    decoder: Decoder,
}

impl<R: io::Read> FrameReader<R> {
    /// The most bytes that are asked for at once, so that the buffer grows with what arrives, and not
    /// with what is claimed.
    const STEP: usize = 64 << 10;

    pub(super) const fn new(reader: R, framing: Framing) -> Self {
        FrameReader { reader, decoder: Decoder::new(framing) }
    }

    /// The next frame without its bean, or `None` at the end of the stream. Offsets of errors count
    /// from the start of the stream.
    ///
    /// # Errors
    /// An I/O error ([`Error::io_error`] is the reader's), after which nothing is lost; a stream that
    /// ends inside of a frame; and a frame that is too large or of an unknown family, after which the
    /// next frame can be read.
    pub fn next_raw(&mut self) -> Result<Option<RawFrame<'_>>> {
        while self.decoder.whole()?.is_none() {
            let step = self.decoder.needed().min(Self::STEP);
            if self.decoder.fill(&mut self.reader, step).map_err(Error::io)? == 0 {
                self.decoder.finish()?;
                return Ok(None);
            }
        }
        self.decoder.next_frame()
    }

    /// The next frame: with its bean if it is the expected one, else as it is. `None` at the end of
    /// the stream.
    ///
    /// # Errors
    /// As [`next_raw`](Self::next_raw), and malformed input or data that does not fit `T`, after
    /// which the next frame can be read.
    pub fn read<'a, T: Deserialize<'a>>(
        &'a mut self,
        expected: Expected,
    ) -> Result<Option<Received<'a, T>>> {
        match self.next_raw()? {
            Some(raw) => raw.expect(expected).map(Some),
            None => Ok(None),
        }
    }
}

impl<R> FrameReader<R> {
    /// The reader.
    pub const fn get_ref(&self) -> &R {
        &self.reader
    }

    /// The reader, to set its timeouts. What is read from it here is missing in the frames.
    pub const fn get_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// The bytes that were read and belong to no frame yet: none between frames.
    pub fn buffered(&self) -> &[u8] {
        self.decoder.buffered()
    }

    /// The reader. Between frames no byte of it is lost, else [`buffered`](Self::buffered) is.
    pub fn into_inner(self) -> R {
        self.reader
    }
}
