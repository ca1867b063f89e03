//! Frames from a stream.

use gamewire_core::frames::Frames;
use serde_core::Deserialize;

use super::{Framing, RawFrame};
use crate::error::{Count, Error, ErrorKind, Result};

impl Frames for Framing {
    type Error = Error;
    type Frame<'a> = RawFrame<'a>;

    const HEAD: usize = Framing::LEN;
    const HEAD_NAME: &'static str = "a frame's length of";

    fn claim(&self, bytes: &[u8]) -> Option<usize> {
        let word = *bytes.first_chunk::<{ Framing::LEN }>()?;
        let len = if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) };
        Some((len as usize).saturating_add(Framing::LEN))
    }

    fn frame_len(&self, bytes: &[u8], start: usize) -> Result<Option<usize>> {
        let (size, alloc) = (self.max_size, self.options.limits.max_alloc);
        let (limit, most) = if size < alloc { ("max_size", size) } else { ("max_alloc", alloc) };
        self.len_within(bytes, limit, most).map_err(|error| error.shifted(start))
    }

    fn frame<'a>(&'a self, bytes: &'a [u8], start: usize) -> Result<RawFrame<'a>> {
        let variant = bytes.get(Framing::LEN..).unwrap_or_default();
        let at = start.saturating_add(Framing::LEN);
        Ok(RawFrame { variant, at, options: &self.options })
    }

    #[cold]
    fn not_whole(start: usize, there: usize, what: &str, len: usize) -> Error {
        let (need, found) = (Count(len, "byte"), Count(there, "byte"));
        let text = format!("expected {what} {need}, found {found}");
        Error::at(ErrorKind::UnexpectedEof, start.saturating_add(there), text)
            .needing(len.saturating_sub(there))
    }
}

/// Takes frames out of bytes that come in pieces; made by [`Framing::decoder`]. Frames may be as large as
/// [`max_size`](Framing::max_size).
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
pub type Decoder = gamewire_core::frames::Decoder<Framing>;

gamewire_core::frame_reader! {
    Framing, RawFrame, Error;

    /// Framed values from a stream; made by [`Framing::reader`].
    pub struct FrameReader;
}

impl<R: std::io::Read> FrameReader<R> {
    /// The next value, or `None` at the end of the stream. Offsets of errors count from the start
    /// of the stream.
    ///
    /// # Errors
    /// As [`next_frame`](Self::next_frame), and malformed input or data that does not fit `T`, after
    /// which the next frame can be read.
    pub fn read<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>> {
        match self.next_frame()? {
            Some(raw) => raw.read().map(Some),
            None => Ok(None),
        }
    }
}
