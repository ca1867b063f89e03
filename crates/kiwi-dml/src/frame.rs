//! [Frames]: what is sent over a connection of KINP.
//!
//! ```text
//! u16 0xF00D, u16 length, little-endian; with 0x8000 as the length, u32 length; then as many bytes:
//!   u8 whether it is a control message, u8 its opcode, u16 0, payload, u8 0
//! payload: a control message, or messages: u8 service, u8 order, u16 length with these 4 bytes, fields
//! ```
//!
//! [Frames]: https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-dml.md#frames
//!
//! ```
//! use kiwi_dml::RawMessage;
//! use kiwi_dml::frame::{Content, Frame, Framing};
//!
//! let frame = Frame::messages([&RawMessage::new(5, 36, &[1, 0, 2, 0][..])?]);
//! let bytes = Framing::new().to_vec(&frame)?;
//! assert_eq!(bytes, b"\x0d\xf0\x0d\0\0\0\0\0\x05\x24\x08\0\x01\0\x02\0\0");
//!
//! let mut decoder = Framing::new().decoder();
//! decoder.push(&bytes[..7]);
//! assert!(decoder.next_frame()?.is_none());
//! decoder.push(&bytes[7..]);
//! let frame = decoder.next_frame()?.expect("a whole frame");
//! let Content::Messages(messages) = frame.content()? else { panic!() };
//! assert_eq!(messages[0].body(), [1, 0, 2, 0]);
//! # Ok::<(), kiwi_dml::Error>(())
//! ```

use std::borrow::Cow;

use gamewire_core::frames::Frames;
use kiwi_pclass::{Error, ErrorKind, Result};

use crate::read::{Reader, error_at};
use crate::{Control, RawMessage};

/// The first two bytes of a frame.
pub const MAGIC: u16 = 0xF00D;

/// The length from which on a frame has a second one of 32 bits.
const LARGE: u16 = 0x8000;

/// The bytes of a frame before its payload, after its length.
const HEAD_LEN: usize = 4;

/// A frame: one control message, or messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame<'a> {
    /// Whether it is a control message.
    pub is_control: bool,
    /// Which control message it is; 0 in other frames.
    pub opcode: u8,
    /// Two bytes that are always 0.
    pub reserved: u16,
    /// All that follows, with the 0 at the end that most frames have.
    pub payload: Cow<'a, [u8]>,
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// A message of the session itself.
    Control(Control),
    /// Messages, in their order; mostly one.
    Messages(Vec<RawMessage<'a>>),
}

impl<'a> Frame<'a> {
    /// A frame with these messages.
    pub fn messages<'m>(messages: impl IntoIterator<Item = &'m RawMessage<'m>>) -> Self {
        let mut payload = Vec::new();
        messages.into_iter().for_each(|message| message.append_to_vec(&mut payload));
        payload.push(0);
        Frame { is_control: false, opcode: 0, reserved: 0, payload: payload.into() }
    }

    /// A frame with a control message.
    pub fn control(control: &Control) -> Self {
        let mut payload = control.to_vec();
        if !matches!(control, Control::Other { .. }) {
            payload.push(0);
        }
        let opcode = control.opcode();
        Frame { is_control: true, opcode, reserved: 0, payload: payload.into() }
    }

    /// Reads the content. The 0 at the end may be missing. Offsets of errors count from the payload's start.
    ///
    /// # Errors
    /// Messages that are cut off or longer than the payload, and bytes after the last one.
    pub fn content(&self) -> Result<Content<'_>> {
        if self.is_control {
            return Control::read(self.opcode, &self.payload).map(Content::Control);
        }
        let mut reader = Reader::new(&self.payload);
        let mut messages = Vec::new();
        while !matches!(reader.rest(), [] | [0]) {
            messages.push(RawMessage::take(&mut reader)?);
        }
        Ok(Content::Messages(messages))
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> Frame<'static> {
        Frame { payload: Cow::Owned(self.payload.into_owned()), ..self }
    }
}

/// How frames are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    max_size: usize,
}

impl Default for Framing {
    fn default() -> Self {
        Framing::new()
    }
}

impl Framing {
    /// Frames of up to 1 MiB.
    pub const fn new() -> Self {
        Framing { max_size: 1 << 20 }
    }

    /// The most bytes after the length of a frame, both ways. Default 1 MiB; an error of the kind
    /// `AllocLimit` on reading and `OutputLimit` on writing.
    #[must_use]
    pub const fn max_size(mut self, bytes: usize) -> Self {
        self.max_size = bytes;
        self
    }

    /// Takes frames out of bytes that come in pieces.
    pub const fn decoder(self) -> Decoder {
        Decoder::new(self)
    }

    /// Takes frames out of a reader.
    pub const fn reader<R>(self, reader: R) -> FrameReader<R> {
        FrameReader::new(reader, self)
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// A frame that is too large.
    pub fn to_vec(self, frame: &Frame<'_>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.append_to_vec(&mut out, frame)?;
        Ok(out)
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec); then nothing is appended.
    pub fn append_to_vec(self, out: &mut Vec<u8>, frame: &Frame<'_>) -> Result<()> {
        let len = frame.payload.len().saturating_add(HEAD_LEN);
        let large = u32::try_from(len).ok().filter(|_| len <= self.max_size).ok_or_else(|| {
            let text = format!("a frame of {len} bytes, and max_size is {}", self.max_size);
            Error::new(ErrorKind::OutputLimit, text)
        })?;
        out.extend_from_slice(&MAGIC.to_le_bytes());
        match u16::try_from(len).ok().filter(|len| *len < LARGE) {
            Some(small) => out.extend_from_slice(&small.to_le_bytes()),
            None => {
                out.extend_from_slice(&LARGE.to_le_bytes());
                out.extend_from_slice(&large.to_le_bytes());
            }
        }
        out.extend_from_slice(&[frame.is_control.into(), frame.opcode]);
        out.extend_from_slice(&frame.reserved.to_le_bytes());
        out.extend_from_slice(&frame.payload);
        Ok(())
    }
}

/// Takes frames out of bytes that come in pieces; made by [`Framing::decoder`].
///
/// A frame that is larger than [`max_size`](Framing::max_size) is an error once, and is skipped. Bytes
/// that do not begin with the magic are an error that stays: there is no telling where a frame begins.
pub type Decoder = gamewire_core::frames::Decoder<Framing>;

gamewire_core::frame_reader! {
    Framing, Frame, Error;

    /// Frames from a reader; made by [`Framing::reader`].
    pub struct FrameReader;
}

/// Bytes up to the end of a frame; as long as the large length is missing, up to the end of that.
fn claim(bytes: &[u8]) -> Option<(usize, usize)> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    let [_, _, small @ ..] = *head;
    let small = u16::from_le_bytes(small);
    if small < LARGE {
        return Some((head.len(), small.into()));
    }
    let large = rest.first_chunk().map_or(0, |large| u32::from_le_bytes(*large));
    Some((head.len().saturating_mul(2), usize::try_from(large).unwrap_or(usize::MAX)))
}

impl Frames for Framing {
    type Error = Error;
    type Frame<'a> = Frame<'a>;

    const HEAD: usize = 4;
    const HEAD_NAME: &'static str = "a frame's length of";

    fn claim(&self, bytes: &[u8]) -> Option<usize> {
        let (head, len) = claim(bytes).filter(|_| bytes.starts_with(&MAGIC.to_le_bytes()))?;
        Some(head.saturating_add(len))
    }

    fn frame_len(&self, bytes: &[u8], start: usize) -> Result<Option<usize>> {
        let magic = MAGIC.to_le_bytes();
        if let Some(found) =
            bytes.get(..bytes.len().min(2)).filter(|found| !magic.starts_with(found))
        {
            let found = match found {
                [low, high] => format!("{:#06x}", u16::from_le_bytes([*low, *high])),
                _ => "other bytes".to_owned(),
            };
            let text = format!("expected a frame, which begins with 0xf00d, found {found}");
            return Err(error_at(ErrorKind::Frame, start, text));
        }
        let Some((head, len)) = claim(bytes) else { return Ok(None) };
        if len > self.max_size {
            let text = format!("a frame of {len} bytes, and max_size is {}", self.max_size);
            return Err(error_at(ErrorKind::AllocLimit, start, text));
        }
        Ok(Some(head.saturating_add(len)))
    }

    fn frame<'a>(&'a self, bytes: &'a [u8], start: usize) -> Result<Frame<'a>> {
        read(bytes, start)
    }

    fn not_whole(start: usize, there: usize, what: &str, len: usize) -> Error {
        let text = format!("expected {what} {len} bytes, found {there}");
        error_at(ErrorKind::UnexpectedEof, start, text)
    }
}

/// A whole frame.
fn read(bytes: &[u8], start: usize) -> Result<Frame<'_>> {
    let (head, len) = claim(bytes).unwrap_or_default();
    let body = bytes.get(head..).unwrap_or_default();
    let Some(([control, opcode, reserved @ ..], payload)) = body.split_first_chunk::<HEAD_LEN>()
    else {
        let text = format!("expected a frame of at least {HEAD_LEN} bytes, found one of {len}");
        return Err(error_at(ErrorKind::Frame, start, text));
    };
    if *control > 1 {
        let text = format!("expected 0 or 1 before the opcode of a frame, found {control}");
        return Err(error_at(ErrorKind::Frame, start.saturating_add(head), text));
    }
    let reserved = u16::from_le_bytes(*reserved);
    Ok(Frame { is_control: *control == 1, opcode: *opcode, reserved, payload: payload.into() })
}
