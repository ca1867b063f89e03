//! Frames out of bytes that come in pieces, for formats whose frames begin with a length.
//!
//! A format says by [`Frames`] how a frame begins. Its `Decoder` is [`Decoder`];
//! [`frame_reader!`](crate::frame_reader) makes its `FrameReader`.

use std::io::{self, Read};

use crate::bytes::part;

/// How the frames of a stream begin.
pub trait Frames {
    /// The error of the format.
    type Error;
    /// A frame.
    type Frame<'a>
    where
        Self: 'a;

    /// Bytes at the start of a frame that say how long it is.
    const HEAD: usize;
    /// The noun for these bytes, such as `a frame's length`.
    const HEAD_NAME: &'static str;

    /// Bytes that the frame at the start of the input claims to have, its head included; `None`
    /// before its head is present.
    fn claim(&self, bytes: &[u8]) -> Option<usize>;

    /// The same for the frame that is at `start` of the stream.
    ///
    /// # Errors
    /// A frame that is too large.
    fn frame_len(&self, bytes: &[u8], start: usize) -> Result<Option<usize>, Self::Error>;

    /// The frame that these bytes, which are at `start` of the stream, are.
    ///
    /// # Errors
    /// A head that is wrong.
    fn frame<'a>(&'a self, bytes: &'a [u8], start: usize) -> Result<Self::Frame<'a>, Self::Error>;

    /// The error for `what`, `len` bytes at `start` of the stream, of which the input has `there`.
    fn not_whole(start: usize, there: usize, what: &str, len: usize) -> Self::Error;
}

/// Where the frames of a stream begin.
#[derive(Clone, Debug)]
pub struct Splitter<F> {
    /// The kind of frames.
    pub frames: F,
    /// Offset of the next byte in the stream.
    offset: usize,
    /// Bytes to come that belong to a frame that is too large.
    skip: usize,
}

impl<F> Splitter<F> {
    /// At the start of a stream.
    pub const fn new(frames: F) -> Self {
        Splitter { frames, offset: 0, skip: 0 }
    }

    /// Returns how many of `there` bytes belong to a frame that is too large; drop them.
    pub fn pass(&mut self, there: usize) -> usize {
        let passed = there.min(self.skip);
        self.offset = self.offset.saturating_add(passed);
        self.skip = self.skip.saturating_sub(passed);
        passed
    }
}

impl<F: Frames> Splitter<F> {
    /// Length of the frame at the start of the bytes, if it is whole.
    ///
    /// # Errors
    /// A frame that is too large. There are bytes to [`pass`](Self::pass) then.
    pub fn whole(&mut self, bytes: &[u8]) -> Result<Option<usize>, F::Error> {
        let len = self.frames.frame_len(bytes, self.offset).inspect_err(|_| {
            // Bytes that begin no frame claim nothing: they stay, and are the same error again.
            self.skip = self.frames.claim(bytes).unwrap_or_default();
        })?;
        Ok(len.filter(|len| bytes.len() >= *len))
    }

    /// The frame that these bytes are.
    ///
    /// # Errors
    /// A head that is wrong. The next frame begins after these bytes.
    pub fn frame<'a>(&'a mut self, bytes: &'a [u8]) -> Result<F::Frame<'a>, F::Error> {
        let start = self.offset;
        self.offset = start.saturating_add(bytes.len());
        self.frames.frame(bytes, start)
    }

    /// Returns how many more bytes it takes for a frame or an error; 0 if there is one.
    pub fn needed(&self, bytes: &[u8]) -> usize {
        let len = match self.frames.frame_len(bytes, 0) {
            _ if self.skip > 0 => self.skip.saturating_add(F::HEAD),
            Ok(len) => len.unwrap_or(F::HEAD),
            Err(_) => 0,
        };
        len.saturating_sub(bytes.len())
    }

    /// Checks that the stream may end after these bytes, which are not a whole frame.
    ///
    /// # Errors
    /// The end is inside of a frame.
    pub fn end(&self, bytes: &[u8]) -> Result<(), F::Error> {
        let (what, len) = match self.frames.claim(bytes) {
            _ if self.skip > 0 => ("the rest of a frame that is too large, of", self.skip),
            _ if bytes.is_empty() || self.needed(bytes) == 0 => return Ok(()),
            Some(len) => ("a frame of", len),
            None => (F::HEAD_NAME, F::HEAD),
        };
        Err(F::not_whole(self.offset, bytes.len(), what, len))
    }
}

/// Takes frames out of bytes that come in pieces, whatever brings the pieces.
///
/// It never waits, and keeps every byte until the frame that it belongs to is whole.
///
/// A frame above the limit of the format is an error once, as soon as its length is present. Then its
/// bytes are dropped as they come, and the next frame is the one that begins after them, so that the
/// content of a frame never decides where the next one begins. To give up such a peer, stop at the
/// error, as the engines do.
#[derive(Clone, Debug)]
pub struct Decoder<F> {
    splitter: Splitter<F>,
    bytes: Vec<u8>,
    /// Bytes of the buffer that were frames.
    used: usize,
}

impl<F> Decoder<F> {
    /// Takes frames of a kind, from the start of a stream.
    pub const fn new(frames: F) -> Self {
        Decoder { splitter: Splitter::new(frames), bytes: Vec::new(), used: 0 }
    }

    /// Adds what arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.compact();
        let passed = self.splitter.pass(bytes.len());
        self.bytes.extend_from_slice(part(bytes, passed..));
    }

    /// The bytes that belong to no frame yet.
    pub fn buffered(&self) -> &[u8] {
        part(&self.bytes, self.used..)
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
        if self.used >= self.bytes.len() / 2 {
            self.bytes.drain(..self.used.min(self.bytes.len()));
            self.used = 0;
        }
    }
}

impl<F: Frames> Decoder<F> {
    /// Length of the next frame, if it is whole.
    fn whole(&mut self) -> Result<Option<usize>, F::Error> {
        let bytes = part(&self.bytes, self.used..);
        let len = self.splitter.whole(bytes);
        if len.is_err() {
            self.pass();
        }
        len
    }

    /// The next frame with its content as bytes, or `None` if it is not whole yet. Offsets of errors count
    /// from the start of the stream.
    ///
    /// # Errors
    /// A frame that is too large, or whose head is wrong. The frame after it can be read.
    pub fn next_frame(&mut self) -> Result<Option<F::Frame<'_>>, F::Error> {
        let Some(len) = self.whole()? else { return Ok(None) };
        let start = self.used;
        self.used = start.saturating_add(len);
        let bytes = part(&self.bytes, start..self.used);
        self.splitter.frame(bytes).map(Some)
    }

    /// Returns how many more bytes [`next_frame`](Self::next_frame) needs at least: those of a frame's head
    /// if there is nothing of a frame, 0 if there is a frame or an error.
    pub fn needed(&self) -> usize {
        self.splitter.needed(self.buffered())
    }

    /// Checks that the stream may end here, after `next_frame` returned `None`.
    ///
    /// # Errors
    /// The end is inside of a frame, of which the error says how many bytes are needed.
    pub fn finish(&self) -> Result<(), F::Error> {
        self.splitter.end(self.buffered())
    }
}

impl<F: Frames> Decoder<F> {
    /// The most bytes that a reader is asked for at once, so that the buffer grows with what arrives,
    /// and not with what is claimed.
    const STEP: usize = 64 << 10;

    /// Adds up to `len` bytes of a reader. What it gave before an error is kept, for `read_to_end`
    /// promises to leave that in the buffer.
    fn fill<R: Read>(&mut self, reader: &mut R, len: usize) -> io::Result<usize> {
        self.compact();
        let mut part = Read::take(reader, u64::try_from(len).unwrap_or(u64::MAX));
        let read = part.read_to_end(&mut self.bytes);
        self.pass();
        read
    }

    /// The next frame, with as many bytes of the reader as it needs and no more; `None` at the end
    /// of the stream.
    ///
    /// # Errors
    /// Those of the reader, after which nothing is lost; a stream that ends inside of a frame; and as
    /// [`next_frame`](Self::next_frame).
    pub fn read_frame<R: Read>(&mut self, reader: &mut R) -> Result<Option<F::Frame<'_>>, F::Error>
    where
        F::Error: From<io::Error>,
    {
        while self.whole()?.is_none() {
            if self.fill(reader, self.needed().min(Self::STEP))? == 0 {
                self.finish()?;
                return Ok(None);
            }
        }
        self.next_frame()
    }
}

/// Makes the type of a format that takes frames out of a reader, `FrameReader`. `$frame` has a lifetime;
/// `$framing` implements [`Frames`].
#[macro_export]
macro_rules! frame_reader {
    (
        $framing:ident, $frame:ident, $error:ident;
        $(#[$doc:meta])* pub struct $reader:ident;
    ) => {
        $(#[$doc])*
        ///
        /// It is a [`Decoder`] that is filled from the reader, with as many bytes as the next frame
        /// needs and no more. After an error of the reader, such as `WouldBlock` or a timeout in the
        /// middle of a frame, the next call continues where that one stopped.
        #[derive(Clone, Debug)]
        pub struct $reader<R> {
            reader: R,
            buffer: $crate::frames::Decoder<$framing>,
        }

        impl<R: ::std::io::Read> $reader<R> {
            /// The next frame with its content as bytes, or `None` at the end of the stream. Offsets
            /// of errors count from the start of the stream.
            ///
            /// # Errors
            /// An I/O error ([`io_error`](crate::Error::io_error) is the reader's), after which
            /// nothing is lost; a stream that ends inside of a frame; and as
            /// [`Decoder::next_frame`].
            pub fn next_frame(&mut self) -> ::std::result::Result<Option<$frame<'_>>, $error> {
                self.buffer.read_frame(&mut self.reader)
            }
        }

        impl<R> $reader<R> {
            pub(super) const fn new(reader: R, framing: $framing) -> Self {
                $reader { reader, buffer: $crate::frames::Decoder::new(framing) }
            }

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
                self.buffer.buffered()
            }

            /// The reader. Between frames no byte of it is lost, else [`buffered`](Self::buffered) is.
            pub fn into_inner(self) -> R {
                self.reader
            }
        }
    };
}

/// Makes the codec of a format for `tokio_util`, which the crate depends on: `Codec`. `$owned` is what
/// `held_by` makes of a frame and the `Bytes` that it is in.
#[macro_export]
macro_rules! frame_codec {
    ($framing:ident, $owned:ident, $error:ident; $(#[$doc:meta])* pub struct $codec:ident;) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $codec($crate::frames::Splitter<$framing>);

        impl $codec {
            /// A codec for frames of a kind.
            pub const fn new(framing: $framing) -> Self {
                $codec($crate::frames::Splitter::new(framing))
            }
        }

        impl ::tokio_util::codec::Decoder for $codec {
            type Item = $owned;
            type Error = $error;

            fn decode(
                &mut self,
                bytes: &mut ::tokio_util::bytes::BytesMut,
            ) -> ::std::result::Result<Option<$owned>, $error> {
                ::tokio_util::bytes::Buf::advance(bytes, self.0.pass(bytes.len()));
                let Some(len) = self.0.whole(bytes)? else { return Ok(None) };
                let held = bytes.split_to(len).freeze();
                self.0.frame(&held).map(|frame| Some(frame.held_by(&held)))
            }

            fn decode_eof(
                &mut self,
                bytes: &mut ::tokio_util::bytes::BytesMut,
            ) -> ::std::result::Result<Option<$owned>, $error> {
                let frame = self.decode(bytes)?;
                if frame.is_none() {
                    let ended = self.0.end(bytes);
                    bytes.clear();
                    ended?;
                }
                Ok(frame)
            }
        }
    };
}
