//! What stands around a variant in files and on the network.
//!
//! | engine call | here |
//! |---|---|
//! | `var_to_bytes`, `PacketPeer.put_var` | nothing around it: [`to_vec`](crate::to_vec) |
//! | `FileAccess.store_var`, `StreamPeer.put_var` | [`Framing`] with the stream's `big_endian` |
//! | `PacketPeerStream`, the remote debugger | [`Framing::new`] |
//! | `Marshalls.variant_to_base64` | [`to_base64`], [`from_base64`] |
//! | `project.binary` | [`project`](crate::project) |
//!
//! ```
//! use godot_variant::frame::Framing;
//!
//! let mut file = Vec::new();
//! Framing::new().to_writer(&mut file, &"saved")?;
//! Framing::new().to_writer(&mut file, &[1, 2])?;
//!
//! let mut values = Framing::new().reader(file.as_slice());
//! assert_eq!(values.read::<String>()?.as_deref(), Some("saved"));
//! assert_eq!(values.read::<Vec<i64>>()?, Some(vec![1, 2]));
//! assert_eq!(values.read::<()>()?, None);
//! # Ok::<(), godot_variant::Error>(())
//! ```

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::{Deserializer, Options};

/// A length word of 32 bits before each variant, as `store_var` and `put_var` write it.
#[derive(Clone, Debug, Default)]
pub struct Framing {
    big_endian: bool,
    pub(crate) options: Options,
}

impl Framing {
    /// Little-endian lengths, default options.
    pub fn new() -> Self {
        Framing::default()
    }

    /// The stream's `big_endian` property. It turns the length word alone; the variant itself is
    /// always little-endian.
    #[must_use]
    pub fn big_endian(mut self, big_endian: bool) -> Self {
        self.big_endian = big_endian;
        self
    }

    /// Options for the variants. [`max_alloc`](Options::max_alloc) is also the longest frame that
    /// is read.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    fn length(&self, word: [u8; 4]) -> u32 {
        if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    }

    fn check_length(&self, len: u32, at: usize) -> Result<usize> {
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        if len > self.options.max_alloc {
            return Err(Error::at(
                ErrorKind::AllocLimit,
                at,
                format!(
                    "a frame of {len} bytes is longer than max_alloc, which is {} bytes",
                    self.options.max_alloc
                ),
            ));
        }
        Ok(len)
    }

    /// Encodes one frame.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut frame = vec![0; 4];
        self.options.append_to_vec(&mut frame, value)?;
        let len = crate::write::length(frame.len().saturating_sub(4))?;
        let word = if self.big_endian { len.to_be_bytes() } else { len.to_le_bytes() };
        if let Some(place) = frame.first_chunk_mut::<4>() {
            *place = word;
        }
        Ok(frame)
    }

    /// Encodes one frame and writes it in one call.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec), or an I/O error.
    pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        writer.write_all(&self.to_vec(value)?).map_err(Error::io)
    }

    /// Splits one frame off: the variant in it and the bytes after it.
    ///
    /// # Errors
    /// A length word that is cut off or longer than the rest of the input.
    pub fn split<'a>(&self, bytes: &'a [u8]) -> Result<(&'a [u8], &'a [u8])> {
        let (len, rest) = self.claimed(bytes)?;
        rest.split_at_checked(len).ok_or_else(|| cut_off(len, rest.len()))
    }

    /// The length that a frame claims to have, and the bytes after the length word.
    pub(crate) fn claimed<'a>(&self, bytes: &'a [u8]) -> Result<(usize, &'a [u8])> {
        let Some((word, rest)) = bytes.split_first_chunk::<4>() else {
            return Err(no_length(bytes.len()));
        };
        Ok((self.check_length(self.length(*word), 0)?, rest))
    }

    /// Reads one framed value and returns it with the bytes after the frame.
    ///
    /// The engine ignores what is left inside a frame after its variant; with
    /// [`strict`](Options::strict) that is an error.
    ///
    /// # Errors
    /// A wrong length, malformed input, or data that does not fit `T`.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let (frame, rest) = self.split(bytes)?;
        Ok((self.read(frame).map_err(|error| error.shifted(4))?, rest))
    }

    /// All framed values of the input, which must end after a frame.
    ///
    /// # Errors
    /// As [`take_from_slice`](Self::take_from_slice), with offsets in the whole input.
    pub fn all_from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<Vec<T>> {
        let mut values = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = bytes.len().saturating_sub(rest.len());
            let (value, after) = self
                .take_from_slice(rest)
                .map_err(|error| error.shifted(at).inside(values.len()))?;
            values.push(value);
            rest = after;
        }
        Ok(values)
    }

    fn read<'de, T: Deserialize<'de>>(&self, frame: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer::new(frame, self.options.clone());
        let value = T::deserialize(&mut deserializer).map_err(|error| error.or_at(0))?;
        if self.options.strict {
            deserializer.end()?;
        }
        Ok(value)
    }

    /// Reads framed values from a stream, one after another.
    pub fn reader<R: io::Read>(self, reader: R) -> FrameReader<R> {
        FrameReader { framing: self, reader, buffer: Vec::new(), offset: 0 }
    }
}

fn no_length(found: usize) -> Error {
    let message = format!("expected a frame's length of 4 bytes, found {found}");
    Error::at(ErrorKind::Frame, 0, message)
}

/// A frame of `len` bytes has only `found`.
pub(crate) fn cut_off(len: usize, found: usize) -> Error {
    Error::at(ErrorKind::Frame, 0, format!("expected a frame of {len} bytes, found {found}"))
}

/// Framed values from a stream; made by [`Framing::reader`].
pub struct FrameReader<R> {
    framing: Framing,
    reader: R,
    buffer: Vec<u8>,
    offset: usize,
}

impl<R: io::Read> FrameReader<R> {
    /// The next value, or `None` at the end of the stream. Offsets of errors count from the start
    /// of the stream.
    ///
    /// # Errors
    /// An I/O error, a stream that ends inside a frame, a frame that is too long, malformed input,
    /// or data that does not fit `T`. After an error inside a variant the next frame can be read.
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        let start = self.offset;
        match self.fill(4)? {
            0 => return Ok(None),
            4 => {}
            found => {
                return Err(no_length(found).shifted(start));
            }
        }
        let word = self.buffer.first_chunk::<4>().copied().unwrap_or_default();
        let len = self.framing.check_length(self.framing.length(word), start)?;
        let found = self.fill(len)?;
        if found < len {
            return Err(cut_off(len, found).shifted(start));
        }
        let value = self.framing.read(&self.buffer);
        value.map(Some).map_err(|error| error.shifted(start.saturating_add(4)))
    }

    /// Fills the buffer with up to `len` bytes. It grows with what arrives, not with what is
    /// claimed.
    fn fill(&mut self, len: usize) -> Result<usize> {
        self.buffer.clear();
        let limit = u64::try_from(len).unwrap_or(u64::MAX);
        let mut part = io::Read::take(&mut self.reader, limit);
        let read = io::Read::read_to_end(&mut part, &mut self.buffer).map_err(Error::io)?;
        self.offset = self.offset.saturating_add(read);
        Ok(read)
    }

    /// The stream.
    pub fn into_inner(self) -> R {
        self.reader
    }
}

/// The text of `Marshalls.variant_to_base64`.
///
/// # Errors
/// As [`to_vec`](crate::to_vec).
#[cfg(feature = "base64")]
pub fn to_base64<T: Serialize + ?Sized>(value: &T, options: &Options) -> Result<String> {
    use base64::Engine as _;
    Ok(base64::engine::general_purpose::STANDARD.encode(options.to_vec(value)?))
}

/// Reads the text of `Marshalls.variant_to_base64`.
///
/// # Errors
/// Text that is not base64, and as [`from_slice`](crate::from_slice); offsets count in the bytes
/// that the text stands for.
#[cfg(feature = "base64")]
pub fn from_base64<T: DeserializeOwned>(text: &str, options: &Options) -> Result<T> {
    use crate::error::Count;
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text.trim()).map_err(|error| {
        let found = match error {
            base64::DecodeError::InvalidByte(at, byte) => {
                format!("the byte {byte:#04x} after {}", Count(at, "character"))
            }
            _ => "text that is cut off".to_owned(),
        };
        Error::new(ErrorKind::Frame, format!("expected base64 text, found {found}"))
    })?;
    options.from_slice(&bytes)
}
