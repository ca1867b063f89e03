//! Frames from a stream.

use std::io::{self, Read};

use serde_core::Deserialize;

use super::{Framing, RawFrame, not_whole};
use crate::error::{Error, Result};

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
    pub(super) fn new(framing: Framing) -> Self {
        Splitter { framing, offset: 0, skip: 0 }
    }

    #[cfg(feature = "tokio")]
    pub(super) fn framing(&self) -> &Framing {
        &self.framing
    }

    /// How many of `there` bytes belong to a frame that is too large: they are to be dropped.
    pub(super) fn pass(&mut self, there: usize) -> usize {
        let passed = there.min(self.skip);
        self.offset = self.offset.saturating_add(passed);
        self.skip = self.skip.saturating_sub(passed);
        passed
    }

    /// Length of the frame at the start of the bytes, if it is whole. After an error there are
    /// bytes to [`pass`](Self::pass) first.
    pub(super) fn whole(&mut self, bytes: &[u8]) -> Result<Option<usize>> {
        let len = self.framing.frame_len(bytes).map_err(|error| {
            self.skip = self.framing.claim(bytes).unwrap_or_default();
            error.shifted(self.offset)
        })?;
        Ok(len.filter(|len| bytes.len() >= *len))
    }

    /// The frame that these bytes are.
    pub(super) fn frame<'a>(&'a mut self, bytes: &'a [u8]) -> RawFrame<'a> {
        let at = self.offset.saturating_add(Framing::LEN);
        self.offset = self.offset.saturating_add(bytes.len());
        let variant = bytes.get(Framing::LEN..).unwrap_or_default();
        RawFrame { variant, at, options: &self.framing.options }
    }

    fn needed(&self, bytes: &[u8]) -> usize {
        if self.skip > 0 {
            return self.skip.saturating_add(Framing::LEN);
        }
        match self.framing.frame_len(bytes) {
            Ok(len) => len.unwrap_or(Framing::LEN).saturating_sub(bytes.len()),
            Err(_) => 0,
        }
    }

    /// Checks that the stream may end after these bytes, which are no whole frame.
    pub(super) fn end(&self, bytes: &[u8]) -> Result<()> {
        if self.skip > 0 {
            let what = "the rest of a frame that is too large, of";
            return Err(not_whole(self.offset, 0, what, self.skip));
        }
        if bytes.is_empty() || self.needed(bytes) == 0 {
            return Ok(());
        }
        Err(self.framing.cut(bytes, self.offset))
    }
}

/// Takes frames out of bytes that come in pieces, whatever brings the pieces; made by
/// [`Framing::decoder`].
///
/// It never waits, and keeps every byte until the frame that it belongs to is whole.
///
/// A frame above [`max_alloc`](crate::Options::max_alloc) is an error once, as soon as its length
/// is there. Then its bytes are dropped as they come, and the next frame is the one that begins
/// after them, so that nobody who fills a frame can choose where the next one begins. Who does not
/// want to go on with such a peer stops at the error, as the engine does.
///
/// ```
/// use godot_variant::frame::Framing;
///
/// let bytes = Framing::new().to_vec("ping")?;
/// let mut decoder = Framing::new().decoder();
/// decoder.push(&bytes[..6]);
/// assert!(decoder.next_frame()?.is_none());
/// assert_eq!(decoder.needed(), bytes.len() - 6);
/// decoder.push(&bytes[6..]);
/// let frame = decoder.next_frame()?.expect("a whole frame");
/// assert_eq!(frame.read::<&str>()?, "ping");
/// # Ok::<(), godot_variant::Error>(())
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
    pub fn new(framing: Framing) -> Self {
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
        let mut part = Read::take(reader, u64::try_from(len).unwrap_or(u64::MAX));
        let read = part.read_to_end(&mut self.buffer);
        self.pass();
        read
    }

    /// The next frame without its value, or `None` if it is not whole yet. Offsets of errors count
    /// from the start of the stream.
    ///
    /// # Errors
    /// A frame that is too large. The frame after it can be read.
    pub fn next_frame(&mut self) -> Result<Option<RawFrame<'_>>> {
        let Some(len) = self.whole()? else { return Ok(None) };
        let start = self.used;
        self.used = start.saturating_add(len);
        let bytes = self.buffer.get(start..self.used).unwrap_or_default();
        Ok(Some(self.splitter.frame(bytes)))
    }

    /// How many bytes are missing for [`next_frame`](Self::next_frame) to have news, at least: 4
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
        let len = self.splitter.whole(bytes);
        if len.is_err() {
            self.pass();
        }
        len
    }

    /// Drops what is there of a frame that is too large.
    fn pass(&mut self) {
        let passed = self.splitter.pass(self.buffered().len());
        self.used = self.used.saturating_add(passed);
        if self.buffered().is_empty() {
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

/// Framed values from a stream; made by [`Framing::reader`]. It is a [`Decoder`] that is filled from
/// the reader, with as many bytes as the next frame needs and no more.
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

    pub(super) fn new(reader: R, framing: Framing) -> Self {
        FrameReader { reader, decoder: Decoder::new(framing) }
    }

    /// The next frame without its value, or `None` at the end of the stream. Offsets of errors count
    /// from the start of the stream.
    ///
    /// # Errors
    /// An I/O error ([`Error::io_error`] is the reader's), after which nothing is lost; a stream that
    /// ends inside of a frame; and a frame that is too large, after which the next frame can be read.
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

    /// The next value, or `None` at the end of the stream. Offsets of errors count from the start
    /// of the stream.
    ///
    /// # Errors
    /// As [`next_raw`](Self::next_raw), and malformed input or data that does not fit `T`, after
    /// which the next frame can be read.
    pub fn read<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>> {
        match self.next_raw()? {
            Some(raw) => raw.read().map(Some),
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
