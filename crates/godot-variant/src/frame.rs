//! Frames around variants in files and on the network.
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

mod mixed;
mod stream;
#[cfg(feature = "tokio")]
mod tokio;

#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
pub use self::tokio::Codec;
pub use mixed::Piece;
pub use stream::Decoder;
pub use stream::FrameReader;

use std::io;

use gamewire_core::frames::Frames as _;
use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::error::{Count, Error, ErrorKind, Result};
use crate::read::Reader;
use crate::wrapped::FileKind;
use crate::{Deserializer, Options, Value};

/// A length word of 32 bits before each variant, as `store_var` and `put_var` write it.
#[derive(Clone, Debug)]
pub struct Framing {
    big_endian: bool,
    max_size: usize,
    pub(crate) options: Options,
}

impl Default for Framing {
    fn default() -> Self {
        Framing { big_endian: false, max_size: 2 << 20, options: Options::new() }
    }
}

impl Framing {
    /// Bytes of the length word.
    pub(crate) const LEN: usize = 4;

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

    /// The longest frame of a stream, without its length word, for a [`reader`](Self::reader), a
    /// [`decoder`](Self::decoder) or a codec: a peer that claims more is not waited for. Default 2 MiB; the
    /// engine's `PacketPeerStream` holds 64 KiB. Raise it for a file of larger values that is read
    /// as a stream.
    #[must_use]
    pub fn max_size(mut self, bytes: usize) -> Self {
        self.max_size = bytes;
        self
    }

    /// Options for the variants. [`max_alloc`](Options::max_alloc) is also the longest frame that
    /// is read, without its length word, in bytes that are there; of streams,
    /// [`max_size`](Self::max_size) is, if that is less.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Whether bytes are frames from their beginning to their end.
    #[cold]
    pub(crate) fn holds(mut bytes: &[u8]) -> bool {
        while let Some((word, rest)) = bytes.split_first_chunk() {
            let len = u32::from_le_bytes(*word) as usize;
            let Some(after) = rest.get(len..) else { return false };
            bytes = after;
        }
        bytes.is_empty()
    }

    /// Whether bytes that are no variant are frames. A length may have the lowest byte of a type.
    #[cold]
    pub(crate) fn is_meant(bytes: &[u8]) -> bool {
        let word = bytes.split_first_chunk().map_or(0, |(word, _)| u32::from_le_bytes(*word));
        // The highest type is 38: up to it, a length looks like a header in all its bytes.
        word > 38 && Framing::holds(bytes)
    }

    /// The error of input that is no variant; where that is frames, it says so.
    #[cold]
    #[inline(never)]
    pub(crate) fn named(error: Error, bytes: &[u8]) -> Error {
        if !Framing::is_meant(bytes) {
            return error;
        }
        let message = "expected a variant, found a length before one, which frame::Framing reads";
        Error::at(ErrorKind::UnknownType, 0, message)
    }

    /// Encodes one frame.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut frame = vec![0; Framing::LEN];
        self.options.append_to_vec(&mut frame, value)?;
        self.counted(frame)
    }

    /// Encodes one frame of a [`Value`] without serde.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn value_to_vec(&self, value: &Value) -> Result<Vec<u8>> {
        let mut frame = vec![0; Framing::LEN];
        frame.append(&mut self.options.value_to_vec(value)?);
        self.counted(frame)
    }

    /// The frame with its length in its first bytes.
    fn counted(&self, mut frame: Vec<u8>) -> Result<Vec<u8>> {
        let len = crate::write::length(frame.len().saturating_sub(Framing::LEN))?;
        let word = if self.big_endian { len.to_be_bytes() } else { len.to_le_bytes() };
        if let Some(place) = frame.first_chunk_mut::<{ Framing::LEN }>() {
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

    /// Number of bytes of the frame at the start of the input, as soon as its length word is present;
    /// `None` before that.
    ///
    /// # Errors
    /// A length above [`max_alloc`](Options::max_alloc).
    pub fn frame_len(&self, bytes: &[u8]) -> Result<Option<usize>> {
        self.len_within(bytes, "max_alloc", self.options.limits.max_alloc)
    }

    /// The same with a limit.
    fn len_within(&self, bytes: &[u8], limit: &str, most: usize) -> Result<Option<usize>> {
        let Some(claim) = self.claim(bytes) else { return Ok(None) };
        let len = claim.saturating_sub(Framing::LEN);
        if len > most {
            let text = match FileKind::of(bytes) {
                Some(kind) => format!("expected a frame, found {kind}"),
                None => {
                    format!("a frame of {len} bytes is longer than {limit}, which is {most} bytes")
                }
            };
            return Err(Error::at(ErrorKind::AllocLimit, 0, text));
        }
        Ok(Some(claim))
    }

    /// Splits one frame off: the variant in it and the bytes after it.
    ///
    /// # Errors
    /// A frame that is too large, or one that is not whole; that error says how many bytes are
    /// [`needed`](Error::needed).
    pub fn split<'a>(&self, bytes: &'a [u8]) -> Result<(&'a [u8], &'a [u8])> {
        let whole = self.frame_len(bytes)?.and_then(|len| bytes.split_at_checked(len));
        match whole.and_then(|(frame, rest)| Some((frame.get(Framing::LEN..)?, rest))) {
            Some(parts) => Ok(parts),
            None => Err(self.cut(bytes, 0)),
        }
    }

    /// The bytes, which begin at `start`, are a frame of which not all is present.
    pub(crate) fn cut(&self, bytes: &[u8], start: usize) -> Error {
        match self.claim(bytes) {
            Some(len) => Self::not_whole(start, bytes.len(), "a frame of", len),
            None => Self::not_whole(start, bytes.len(), Framing::HEAD_NAME, Framing::LEN),
        }
    }

    /// Reads one framed value and returns it with the bytes after the frame.
    ///
    /// The engine ignores what is left inside a frame after its variant; with
    /// [`strict`](Options::strict) or [`whole_frames`](Options::whole_frames) that is an error.
    ///
    /// # Errors
    /// A wrong length, malformed input, or data that does not fit `T`.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let (variant, rest) = self.split(bytes)?;
        Ok((read(variant, Framing::LEN, &self.options)?.0, rest))
    }

    /// Reads the one framed value that the input is, as a file of one `store_var` is.
    ///
    /// ```
    /// use godot_variant::frame::Framing;
    ///
    /// let file = Framing::new().to_vec(&["Ada", "Bob"])?;
    /// let names: [String; 2] = Framing::new().from_slice(&file)?;
    /// assert_eq!(names, ["Ada", "Bob"]);
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`take_from_slice`](Self::take_from_slice), or bytes after the frame.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let (value, rest) = self.take_from_slice(bytes)?;
        match rest.len() {
            0 => Ok(value),
            left => {
                let found = Count(left, "byte");
                let message = format!("expected the end after one frame, found {found} more");
                let at = bytes.len().saturating_sub(left);
                Err(Error::at(ErrorKind::TrailingBytes, at, message))
            }
        }
    }

    /// Reads a reader to its end, and the one framed value in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Options::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let most = self.options.limits.max_alloc.saturating_add(Framing::LEN);
        self.from_slice(&crate::read::read_to_end(reader, most)?)
    }

    /// All framed values of the input, which must end after a frame.
    ///
    /// # Errors
    /// As [`take_from_slice`](Self::take_from_slice), with offsets in the whole input.
    pub fn all_from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<Vec<T>> {
        self.all(bytes, |variant, options| read(variant, Framing::LEN, options))
    }

    /// All framed values of the input as [`Value`]s, without serde.
    ///
    /// # Errors
    /// As [`all_from_slice`](Self::all_from_slice).
    pub fn values_from_slice(&self, bytes: &[u8]) -> Result<Vec<Value>> {
        self.all(bytes, |variant, options| {
            let mut reader = Reader::new(variant, options.clone());
            let value = crate::value::decode(&mut reader, 0).map_err(|error| error.or_at(0));
            of_frame(value, &reader, options).map_err(|error| error.shifted(Framing::LEN))
        })
    }

    /// All values, each read with the memory that those before it left.
    fn all<'de, T>(
        &self,
        bytes: &'de [u8],
        read: impl Fn(&'de [u8], &Options) -> Result<(T, usize)>,
    ) -> Result<Vec<T>> {
        let mut values = Vec::new();
        let mut rest = bytes;
        // They are all held together.
        let mut left = self.options.limits.memory(bytes.len());
        while !rest.is_empty() {
            let at = bytes.len().saturating_sub(rest.len());
            let read = self.split(rest).and_then(|(variant, after)| {
                let options = self.options.clone().max_memory(left);
                Ok((read(variant, &options)?, after))
            });
            let ((value, memory), after) =
                read.map_err(|error| error.shifted(at).inside(values.len()))?;
            values.push(value);
            (left, rest) = (memory, after);
        }
        Ok(values)
    }

    /// Reads framed values from a stream, one after another, each of at most [`max_size`](Self::max_size).
    pub fn reader<R: io::Read>(self, reader: R) -> FrameReader<R> {
        FrameReader::new(reader, self)
    }

    /// Takes frames out of bytes that come in pieces, each of at most [`max_size`](Self::max_size).
    pub fn decoder(self) -> Decoder {
        Decoder::new(self)
    }
}

/// Reads the variant of a frame, which begins at `at`. Returns it with the memory that is left.
fn read<'de, T: Deserialize<'de>>(
    variant: &'de [u8],
    at: usize,
    options: &Options,
) -> Result<(T, usize)> {
    let mut deserializer = Deserializer::new(variant, options.clone());
    let value = T::deserialize(&mut deserializer).map_err(|error| error.or_at(0));
    let value = of_frame(value, &deserializer.reader, options);
    value.map_err(|error| error.shifted(at))
}

/// The value of a frame, with the memory that is left.
fn of_frame<T>(value: Result<T>, reader: &Reader<'_>, options: &Options) -> Result<(T, usize)> {
    let value = value?;
    if options.strict || options.whole_frames {
        reader.end()?;
    }
    Ok((value, reader.memory()))
}

/// A frame whose value was not read yet.
#[derive(Clone, Copy, Debug)]
pub struct RawFrame<'a> {
    /// The bytes of the variant, up to the end of the frame.
    pub variant: &'a [u8],
    /// Where they begin in the input.
    at: usize,
    options: &'a Options,
}

impl<'a> RawFrame<'a> {
    /// Reads the value.
    ///
    /// Bytes left in the frame after it are not looked at, as the engine does; with
    /// [`strict`](Options::strict) or [`whole_frames`](Options::whole_frames) they are an error.
    ///
    /// # Errors
    /// Malformed input, or data that does not fit `T`. Offsets count from the start of the input.
    pub fn read<T: Deserialize<'a>>(&self) -> Result<T> {
        Ok(read(self.variant, self.at, self.options)?.0)
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> OwnedFrame {
        #[cfg(feature = "tokio")]
        let variant = Held::copy_from_slice(self.variant);
        #[cfg(not(feature = "tokio"))]
        let variant = self.variant.to_vec();
        OwnedFrame { variant, at: self.at, options: self.options.clone() }
    }

    /// The same with bytes that this frame is a part of.
    #[cfg(feature = "tokio")]
    pub(crate) fn held_by(self, bytes: &Held) -> OwnedFrame {
        let variant = bytes.slice_ref(self.variant);
        OwnedFrame { variant, at: self.at, options: self.options.clone() }
    }
}

/// The bytes of a frame, which a codec takes without a copy.
#[cfg(feature = "tokio")]
type Held = tokio_util::bytes::Bytes;
#[cfg(not(feature = "tokio"))]
type Held = Vec<u8>;

/// A [`RawFrame`] with its own bytes; made by [`RawFrame::into_owned`].
#[derive(Clone, Debug)]
pub struct OwnedFrame {
    variant: Held,
    at: usize,
    options: Options,
}

impl OwnedFrame {
    /// Reads the value, as [`RawFrame::read`].
    ///
    /// # Errors
    /// As there.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T> {
        self.as_raw().read()
    }

    /// The frame, to look at and to read its value.
    pub fn as_raw(&self) -> RawFrame<'_> {
        RawFrame { variant: &self.variant, at: self.at, options: &self.options }
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
