//! Frames from a stream.

use gamewire_core::frames::Frames;
use serde_core::Deserialize;

use super::{Expected, Received};
use super::{Framing, RawFrame, header, size};
use crate::error::{Error, Result};

impl Frames for Framing {
    type Error = Error;
    type Frame<'a> = RawFrame<'a>;

    const HEAD: usize = Framing::HEAD_LEN;
    const HEAD_NAME: &'static str = "a frame's header of";

    fn claim(&self, bytes: &[u8]) -> Option<usize> {
        Some(size(bytes)?.saturating_add(Framing::HEAD_LEN))
    }

    fn frame_len(&self, bytes: &[u8], start: usize) -> Result<Option<usize>> {
        self.frame_len(bytes).map_err(|error| error.shifted(start))
    }

    fn frame<'a>(&'a self, bytes: &'a [u8], start: usize) -> Result<RawFrame<'a>> {
        let (frame, _) = self.split(bytes).map_err(|error| error.shifted(start))?;
        Ok(RawFrame { at: frame.at.saturating_add(start), ..frame })
    }

    fn not_whole(start: usize, there: usize, what: &str, len: usize) -> Error {
        header::not_whole(start, there, what, len)
    }
}

/// Takes frames out of bytes that come in pieces; made by [`Framing::decoder`]. Frames may be as large as
/// [`max_size`](Framing::max_size).
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
pub type Decoder = gamewire_core::frames::Decoder<Framing>;

gamewire_core::frame_reader! {
    Framing, RawFrame, Error;

    /// Frames from a reader; made by [`Framing::reader`].
    pub struct FrameReader;
}

impl<R: std::io::Read> FrameReader<R> {
    /// The next frame: with its bean if it is the expected one, else as it is. `None` at the end of
    /// the stream.
    ///
    /// # Errors
    /// As [`next_frame`](Self::next_frame), and malformed input or data that does not fit `T`, after
    /// which the next frame can be read.
    pub fn read<'a, T: Deserialize<'a>>(
        &'a mut self,
        expected: Expected,
    ) -> Result<Option<Received<'a, T>>> {
        match self.next_frame()? {
            Some(raw) => raw.expect(expected).map(Some),
            None => Ok(None),
        }
    }
}
