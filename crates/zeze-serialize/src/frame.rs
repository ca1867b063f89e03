//! [Frames]: a bean and the numbers before it on the network.
//!
//! ```text
//! u32 module id, u32 protocol id, u32 size, little-endian; then size bytes:
//!   as published:  bean
//!   protocol:      family 2 (+32: result code), [result code], bean
//!   rpc:           family 1 (request) or 0 (response) (+32), [result code], session id, bean
//!   raft rpc:      family 4 or 3 (+32), [result code], session id, unique id bean, create time, bean
//! ```
//!
//! [Frames]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#frames
//!
//! The published page leaves out the family; every implementation sends it. [`Framing::new`] is
//! what they send, [`Framing::without_family`] is the page.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use zeze_serialize::frame::{Frame, Framing, Header};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Login {
//!     account: String,
//! }
//!
//! let login = Frame::rpc_request(1, 7, 42, Login { account: "Åsa".into() });
//! let bytes = Framing::new().to_vec(&login)?;
//!
//! // A server looks at the frame first, and then decides what the bean is.
//! let (raw, rest) = Framing::new().split(&bytes)?;
//! assert!(rest.is_empty());
//! assert_eq!((raw.module_id, raw.protocol_id), (1, 7));
//! assert_eq!(raw.header.session_id(), Some(42));
//! let login: Login = raw.read()?;
//! assert_eq!(login.account, "Åsa");
//! # Ok::<(), zeze_serialize::Error>(())
//! ```

mod header;
mod protocol;
mod stream;
#[cfg(feature = "tokio")]
mod tokio;

#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
pub use self::tokio::Codec;
pub use header::Header;
#[cfg(feature = "explain")]
pub(crate) use header::{RAFT_RESPONSE, RESPONSE};
pub use protocol::{Expected, Protocol, Received, Rpc};
pub use stream::Decoder;
pub use stream::FrameReader;

use std::borrow::Cow;
use std::io;

use gamewire_core::bytes::part;
use serde_core::{Deserialize, Serialize};

use crate::Deserializer;
use crate::error::{Count, Error, ErrorKind, Result};
use crate::options::Options;
use crate::value::decode;
use crate::write;

/// A frame: what it says, and the bean in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<'a, T> {
    /// Id of the module.
    pub module_id: u32,
    /// Id of the protocol in the module.
    pub protocol_id: u32,
    /// The kind of frame, and its numbers.
    pub header: Header<'a>,
    /// The bean.
    pub bean: T,
    /// The bytes after the bean in the frame: none, but for a few protocols of Zeze's own that have
    /// bare integers there.
    pub rest: Cow<'a, [u8]>,
}

impl<T> Frame<'static, T> {
    fn new(module_id: u32, protocol_id: u32, header: Header<'static>, bean: T) -> Self {
        Frame { module_id, protocol_id, header, bean, rest: Cow::Borrowed(&[]) }
    }

    /// A protocol that succeeds.
    pub fn protocol(module_id: u32, protocol_id: u32, bean: T) -> Self {
        Frame::new(module_id, protocol_id, Header::Protocol { result_code: 0 }, bean)
    }

    /// A call.
    pub fn rpc_request(module_id: u32, protocol_id: u32, session_id: i64, bean: T) -> Self {
        let header = Header::Rpc { is_request: true, result_code: 0, session_id };
        Frame::new(module_id, protocol_id, header, bean)
    }

    /// The answer to a call, with 0 or the code of what went wrong.
    pub fn rpc_response(
        module_id: u32,
        protocol_id: u32,
        session_id: i64,
        result_code: i64,
        bean: T,
    ) -> Self {
        let header = Header::Rpc { is_request: false, result_code, session_id };
        Frame::new(module_id, protocol_id, header, bean)
    }

    /// The frame of the published page. Only [`Framing::without_family`] writes and reads it.
    pub fn page(module_id: u32, protocol_id: u32, bean: T) -> Self {
        Frame::new(module_id, protocol_id, Header::Page, bean)
    }
}

impl<T> Frame<'_, T> {
    /// Module and protocol in one number, as the reference has it.
    pub fn type_id(&self) -> i64 {
        type_id(self.module_id, self.protocol_id)
    }

    /// The answer to this call.
    ///
    /// `None` if it is no call.
    pub fn respond<R>(&self, result_code: i64, bean: R) -> Option<Frame<'_, R>> {
        let header = match &self.header {
            Header::Rpc { is_request: true, session_id, .. } => {
                Header::Rpc { is_request: false, result_code, session_id: *session_id }
            }
            Header::RaftRpc { is_request: true, session_id, unique, create_time, .. } => {
                Header::RaftRpc {
                    is_request: false,
                    result_code,
                    session_id: *session_id,
                    unique: unique.clone(),
                    create_time: *create_time,
                }
            }
            _ => return None,
        };
        let (module_id, protocol_id, rest) = (self.module_id, self.protocol_id, (&[]).into());
        Some(Frame { module_id, protocol_id, header, bean, rest })
    }

    /// The same with its own bytes, but for those that the bean borrows.
    pub fn into_owned(self) -> Frame<'static, T> {
        let Frame { module_id, protocol_id, header, bean, rest } = self;
        let rest = Cow::Owned(rest.into_owned());
        Frame { module_id, protocol_id, header: header.into_owned(), bean, rest }
    }
}

/// Module and protocol in one number, as the reference has it: `module_id << 32 | protocol_id`.
pub const fn type_id(module_id: u32, protocol_id: u32) -> i64 {
    ((module_id as u64) << 32 | protocol_id as u64).cast_signed()
}

/// A frame whose bean was not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawFrame<'a> {
    /// Id of the module.
    pub module_id: u32,
    /// Id of the protocol in the module.
    pub protocol_id: u32,
    /// The kind of frame, and its numbers.
    pub header: Header<'a>,
    /// The bytes of the bean, up to the end of the frame.
    pub bean: &'a [u8],
    /// Where they begin in the input.
    at: usize,
    options: Options,
}

impl<'a> RawFrame<'a> {
    /// Module and protocol in one number, as the reference has it.
    pub fn type_id(&self) -> i64 {
        type_id(self.module_id, self.protocol_id)
    }

    /// Offset of the bean in the input.
    pub fn bean_offset(&self) -> usize {
        self.at
    }

    /// Reads the bean.
    ///
    /// The bytes after it are ignored, as in the reference, and are in
    /// [`into_frame`](Self::into_frame); with [`strict`](Options::strict) it is an error.
    ///
    /// # Errors
    /// Malformed input, or data that does not fit `T`. Offsets count from the start of the input.
    pub fn read<T: Deserialize<'a>>(&self) -> Result<T> {
        self.bean_and_rest().map(|(bean, _)| bean)
    }

    fn bean_and_rest<T: Deserialize<'a>>(&self) -> Result<(T, &'a [u8])> {
        let mut deserializer = Deserializer::new(self.bean, self.options);
        let value = T::deserialize(&mut deserializer).map_err(|error| error.or_at(0));
        let value = value.and_then(|value| {
            if self.options.strict {
                deserializer.end()?;
            }
            Ok((value, deserializer.rest()))
        });
        value.map_err(|error| error.shifted(self.at))
    }

    /// Returns the frame with its bean, whose type the protocol tells.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn into_frame<T: Deserialize<'a>>(self) -> Result<Frame<'a, T>> {
        let (bean, rest) = self.bean_and_rest()?;
        let RawFrame { module_id, protocol_id, header, .. } = self;
        Ok(Frame { module_id, protocol_id, header, bean, rest: rest.into() })
    }

    /// Returns the same frame, as [`OwnedFrame::as_raw`] does, so that code for one takes the other.
    pub fn as_raw(&self) -> RawFrame<'a> {
        self.clone()
    }

    /// Whether it is the answer to a call.
    pub fn is_answer(&self) -> bool {
        self.header.session_id().is_some() && !self.header.is_request()
    }

    /// The frame with its bean if it is the expected one, else the frame as it is.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn expect<T: Deserialize<'a>>(self, expected: Expected) -> Result<Received<'a, T>> {
        if expected.is(&self) {
            return self.into_frame().map(Received::Frame);
        }
        Ok(Received::Other(self))
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> OwnedFrame {
        let bean = self.bean.to_vec();
        OwnedFrame { raw: RawFrame { bean: &[], header: self.header.into_owned(), ..self }, bean }
    }
}

/// A [`RawFrame`] with its own bytes; made by [`RawFrame::into_owned`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedFrame {
    raw: RawFrame<'static>,
    bean: Vec<u8>,
}

impl OwnedFrame {
    /// The frame, to look at and to read its bean.
    pub fn as_raw(&self) -> RawFrame<'_> {
        RawFrame { bean: &self.bean, ..self.raw.clone() }
    }
}

/// How frames are written and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    pub(crate) is_page: bool,
    pub(crate) max_size: usize,
    pub(crate) options: Options,
}

impl Default for Framing {
    fn default() -> Self {
        Framing::new()
    }
}

impl Framing {
    /// Bytes of the module, the protocol and the size, with which every frame begins.
    pub const HEAD_LEN: usize = 12;

    /// The frames that implementations send, at most 2 MiB.
    pub const fn new() -> Self {
        Framing { is_page: false, max_size: 2 << 20, options: Options::new() }
    }

    /// The frames of the published page, which have no family.
    pub const fn without_family() -> Self {
        Framing { is_page: true, ..Framing::new() }
    }

    /// The largest size that a frame may claim: what comes after its first 12 bytes. Default
    /// 2 MiB, as in the reference.
    #[must_use]
    pub const fn max_size(mut self, bytes: usize) -> Self {
        self.max_size = bytes;
        self
    }

    /// Options for the beans.
    #[must_use]
    pub const fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Encodes a frame.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec), a header that is not of this kind of framing, or more than
    /// [`max_size`](Self::max_size) bytes.
    pub fn to_vec<T: Serialize>(&self, frame: &Frame<'_, T>) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(128);
        self.append_to_vec(&mut out, frame)?;
        Ok(out)
    }

    /// Encodes a frame at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append_to_vec<T: Serialize>(
        &self,
        out: &mut Vec<u8>,
        frame: &Frame<'_, T>,
    ) -> Result<()> {
        let start = out.len();
        let written = self.write(out, frame);
        written.inspect_err(|_| out.truncate(start))
    }

    fn write<T: Serialize>(&self, out: &mut Vec<u8>, frame: &Frame<'_, T>) -> Result<()> {
        if self.is_page != (frame.header == Header::Page) {
            let text = if self.is_page {
                "expected `Header::Page` in the frames of the published page"
            } else {
                "expected a protocol or rpc header, found `Header::Page`"
            };
            return Err(Error::new(ErrorKind::Frame, text));
        }
        out.extend_from_slice(&frame.module_id.to_le_bytes());
        out.extend_from_slice(&frame.protocol_id.to_le_bytes());
        let size_at = out.len();
        out.extend_from_slice(&[0; 4]);
        let body = out.len();
        frame.header.write(out);
        self.options.append_to_vec(out, &frame.bean)?;
        out.extend_from_slice(&frame.rest);
        let size = out.len().saturating_sub(body);
        let claimed = u32::try_from(size).ok().filter(|_| size <= self.max_size);
        let Some(claimed) = claimed else {
            return Err(header::too_large(size, self.max_size, None));
        };
        write::replace(out, size_at, body, &claimed.to_le_bytes());
        Ok(())
    }

    /// Encodes a frame and writes it in one call.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), or an I/O error.
    pub fn to_writer<W: io::Write, T: Serialize>(
        &self,
        mut writer: W,
        frame: &Frame<'_, T>,
    ) -> Result<()> {
        writer.write_all(&self.to_vec(frame)?).map_err(Error::io)
    }

    /// Number of bytes of the frame at the start of the input, as soon as its first 12 bytes are
    /// there; `None` before that.
    ///
    /// # Errors
    /// A size above [`max_size`](Self::max_size).
    pub fn frame_len(&self, bytes: &[u8]) -> Result<Option<usize>> {
        match size(bytes) {
            Some(size) if size > self.max_size => {
                Err(header::too_large(size, self.max_size, Some(8)))
            }
            size => Ok(size.map(|size| size.saturating_add(Framing::HEAD_LEN))),
        }
    }

    /// Splits one frame off, without reading its bean. Returns the bytes after it, too.
    ///
    /// # Errors
    /// A frame that is too large or of an unknown family, or one that is not whole; that error says
    /// how many bytes are [`needed`](Error::needed).
    pub fn split<'a>(&self, bytes: &'a [u8]) -> Result<(RawFrame<'a>, &'a [u8])> {
        let mut decoder = decode::Decoder::new(bytes, self.options);
        let (module_id, protocol_id, header) = decoder.frame_start(self, &mut ())?;
        let (at, bean) = (decoder.offset(), decoder.rest());
        let frame = RawFrame { module_id, protocol_id, header, bean, at, options: self.options };
        Ok((frame, part(bytes, at.saturating_add(bean.len())..)))
    }

    /// Reads the one frame that is expected, and that takes the whole input.
    ///
    /// # Errors
    /// As [`take_from_slice`](Self::take_from_slice), or bytes after the frame.
    pub fn from_slice<'a, T: Deserialize<'a>>(
        &self,
        bytes: &'a [u8],
        expected: Expected,
    ) -> Result<Frame<'a, T>> {
        let (frame, rest) = self.take_from_slice(bytes, expected)?;
        if rest.is_empty() {
            return Ok(frame);
        }
        Err(Error::at(
            ErrorKind::TrailingBytes,
            bytes.len().saturating_sub(rest.len()),
            format!("expected the end of the input, found {}", Count(rest.len(), "byte")),
        ))
    }

    /// Reads the one frame that is expected. Returns the bytes after it, too.
    ///
    /// # Errors
    /// As [`split`](Self::split), as [`RawFrame::read`], and
    /// [`ErrorKind::Frame`] where it is another frame.
    pub fn take_from_slice<'a, T: Deserialize<'a>>(
        &self,
        bytes: &'a [u8],
        expected: Expected,
    ) -> Result<(Frame<'a, T>, &'a [u8])> {
        let (raw, rest) = self.split(bytes)?;
        match raw.expect(expected)? {
            Received::Frame(frame) => Ok((frame, rest)),
            Received::Other(raw) => {
                let text = format!("expected {expected}, found {}", Expected::of(&raw));
                Err(Error::at(ErrorKind::Frame, 0, text))
            }
        }
    }

    /// Reads frames from a stream, one after another.
    pub fn reader<R: io::Read>(self, reader: R) -> FrameReader<R> {
        FrameReader::new(reader, self)
    }

    /// Takes frames out of bytes that come in pieces.
    pub const fn decoder(self) -> Decoder {
        Decoder::new(self)
    }
}

/// The number of bytes that the frame at the start of the input claims to have after its first 12;
/// `None` if those are missing.
fn size(bytes: &[u8]) -> Option<usize> {
    let [.., a, b, c, d] = *bytes.first_chunk::<{ Framing::HEAD_LEN }>()?;
    Some(u32::from_le_bytes([a, b, c, d]) as usize)
}
