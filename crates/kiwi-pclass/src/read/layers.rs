//! The layers around the objects of a stream: magic, compression, flags.
//!
//! The order is that of [the format's page](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#around-the-object)
//! of the format's description.

use std::borrow::Cow;

use gamewire_core::bytes::part;

use super::{ClassHeader, Reader, Wire, core_header};
use crate::bits::BitReader;
use crate::error::Count;
use crate::options::{Mode, Options};
use crate::types::SerializerFlags;
use crate::{Error, ErrorKind, Result};

/// The first bytes of a file of the game.
pub(crate) const MAGIC: &[u8; 4] = b"BINd";

/// Bytes that are reserved before there is proof that they are needed.
#[cfg(feature = "zlib")]
const AHEAD: usize = 1 << 20;

/// The layers around a stream; see [`Options::header`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The flags in effect: those of the stream if it has them, else those of the options.
    pub flags: SerializerFlags,
    /// Whether the flags stand in the stream.
    pub stateful: bool,
    /// Whether the stream begins with the magic of files.
    pub bind: bool,
    /// Whether the objects are compressed by [`SerializerFlags::COMPRESS`].
    pub compressed: bool,
    /// The size in bytes that the stream says the objects inflate to, if they are compressed.
    pub inflated_len: Option<u32>,
}

/// The kind of a layer.
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "for explanations"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LayerKind {
    Magic,
    InflatedLen(u32),
    /// The next layers are in the data that this inflates to, with offsets from 0 again.
    Zlib,
    Flags(SerializerFlags),
    Compressed(u8),
    CoreRoot,
}

/// Receives layers. Return `Ok` from `damaged` to continue with the bytes that the codec gave.
pub(crate) trait LayerListener {
    /// A layer that was passed, up to byte `end`.
    fn layer(&mut self, end: usize, kind: LayerKind);
    /// Compressed data that was inflated, whole or not.
    fn inflated(&mut self, _: &[u8]) {}
    fn damaged(&mut self, error: Error) -> Result<()> {
        Err(error)
    }
}

/// Skips layers.
impl LayerListener for () {
    fn layer(&mut self, _: usize, _: LayerKind) {}
}

/// A stream without its layers.
pub(crate) struct Stream<'de> {
    /// The bytes that the objects are in.
    pub(crate) data: Cow<'de, [u8]>,
    /// First byte of the objects.
    pub(crate) start: usize,
    pub(crate) wire: Wire,
    /// The header of the root, where the flags word comes after it.
    pub(crate) root: Option<ClassHeader>,
    /// Where the stream ends in the input, if a layer says so.
    pub(crate) end: Option<usize>,
    /// Bytes of memory that what is read may take.
    pub(crate) memory: usize,
}

impl Stream<'_> {
    pub(crate) fn is_inflated(&self) -> bool {
        matches!(self.data, Cow::Owned(_))
    }

    pub(crate) fn reader(&self) -> Result<Reader<'_>> {
        let bits = BitReader::at_byte(&self.data, self.start)?;
        Ok(Reader::new(bits.strict(self.wire.strict), self.wire, self.memory))
    }

    /// The byte after the objects that `reader` is through with. Nothing may follow inside of a
    /// compressed layer.
    pub(crate) fn end(&self, reader: &mut Reader<'_>) -> Result<usize> {
        reader.bits.pass_padding()?;
        let (at, len) = (reader.bits.position(), reader.bits.len());
        if self.is_inflated() && at < len {
            return Err(trailing(at >> 3, len.saturating_sub(at) >> 3));
        }
        Ok(self.end.unwrap_or(at >> 3))
    }
}

/// Takes the layers off a stream, each by a separate method.
pub(crate) struct Layers<'o, 'de, L> {
    options: &'o Options,
    /// The input, or what was inflated of it last.
    data: Cow<'de, [u8]>,
    /// First byte of the next layer.
    at: usize,
    header: Header,
    end: Option<usize>,
    memory: usize,
    listener: &'o mut L,
}

/// Reads the layers before the objects, which are left as they are.
pub(crate) fn header(bytes: &[u8], options: &Options) -> Result<Header> {
    let mut nobody = ();
    let mut layers = Layers::outer(bytes, 0, options, &mut nobody)?;
    let is_inflated = layers.is_inflated();
    layers.head().map_err(|error| error.in_inflated(is_inflated))?;
    Ok(layers.header)
}

impl<'o, 'de, L: LayerListener> Layers<'o, 'de, L> {
    /// The stream that begins at byte `at`.
    pub(crate) fn open(
        input: &'de [u8],
        at: usize,
        options: &'o Options,
        listener: &'o mut L,
    ) -> Result<Stream<'de>> {
        let layers = Layers::outer(input, at, options, listener)?;
        let is_inflated = layers.is_inflated();
        layers.inside().map_err(|error| error.in_inflated(is_inflated))
    }

    /// Opens the layers around the whole stream, flags word included.
    fn outer(
        input: &'de [u8],
        at: usize,
        options: &'o Options,
        listener: &'o mut L,
    ) -> Result<Self> {
        let flags = if options.bind { SerializerFlags::STATEFUL } else { options.flags };
        let stateful = flags.contains(SerializerFlags::STATEFUL);
        let bind = options.bind;
        let header = Header { flags, stateful, bind, compressed: false, inflated_len: None };
        let data = Cow::Borrowed(input);
        let memory = options.limits.memory(input.len());
        let mut layers = Layers { options, data, at, header, end: None, memory, listener };
        if bind {
            layers.magic()?;
        }
        if options.manual_compression {
            let len = layers.size()?;
            layers.zlib(len)?;
        }
        Ok(layers)
    }

    fn is_inflated(&self) -> bool {
        matches!(self.data, Cow::Owned(_))
    }

    /// Opens the layers that may be inside of the outer compression.
    fn inside(mut self) -> Result<Stream<'de>> {
        let root = self.head()?;
        if let Some(len) = self.header.inflated_len {
            let (is_inflated, whole) = (self.is_inflated(), self.data.len());
            let end = self.zlib(len)?;
            if is_inflated && end != whole {
                return Err(trailing(end, whole.saturating_sub(end)));
            }
        }
        let wire = Wire::new(self.options, self.header.flags);
        let Layers { data, at: start, end, memory, .. } = self;
        Ok(Stream { data, start, wire, root, end, memory })
    }

    /// Opens the layers before the objects, and before compressed ones. Returns the header of the root,
    /// where the flags word comes after it.
    fn head(&mut self) -> Result<Option<ClassHeader>> {
        let is_core = self.options.core_types.is_some() && self.options.mode == Mode::Shallow;
        let compress = self.header.flags.contains(SerializerFlags::COMPRESS);
        let mut root = None;
        if is_core && (self.header.stateful || compress) {
            let (header, end) = self.next(core_header)?;
            self.tell(end, LayerKind::CoreRoot);
            root = Some(header);
        }
        if self.header.stateful {
            self.flags_word()?;
        }
        if self.header.flags.contains(SerializerFlags::COMPRESS) {
            self.compression()?;
        }
        Ok(root)
    }

    /// Reads the next part. Returns it and the byte after it.
    fn next<T>(&self, read: impl FnOnce(&mut BitReader<'_>) -> Result<T>) -> Result<(T, usize)> {
        let mut reader = BitReader::at_byte(&self.data, self.at)?;
        Ok((read(&mut reader)?, reader.position() >> 3))
    }

    /// The bytes that were not read yet.
    fn rest(&self) -> &[u8] {
        part(&self.data, self.at..)
    }

    fn tell(&mut self, end: usize, kind: LayerKind) {
        self.listener.layer(end, kind);
        self.at = end;
    }

    fn magic(&mut self) -> Result<()> {
        let found = self.rest();
        if !found.starts_with(MAGIC) {
            let kind = if found.len() < 4 { ErrorKind::UnexpectedEof } else { ErrorKind::Frame };
            let found = found.get(..4).unwrap_or(found).escape_ascii();
            let message = format!("expected the magic `BINd`, found `{found}`");
            return Err(Error::at_byte(kind, self.at, message));
        }
        self.tell(self.at.saturating_add(4), LayerKind::Magic);
        Ok(())
    }

    fn flags_word(&mut self) -> Result<()> {
        let (word, end) = self.next(|reader| reader.u32())?;
        if word >= 1 << SerializerFlags::NAMES.len() {
            let message = format!("expected a word of serializer flags, found {word:#x}");
            return Err(Error::at_byte(ErrorKind::Frame, self.at, message));
        }
        self.header.flags = SerializerFlags(word);
        self.tell(end, LayerKind::Flags(self.header.flags));
        Ok(())
    }

    /// A byte of which bit 0 counts: the engine writes one bit and goes to the next byte, so that
    /// the others may be anything.
    fn compression(&mut self) -> Result<()> {
        let at = self.at;
        let (byte, end) = self.next(|reader| reader.u8())?;
        if byte > 1 && self.options.strict {
            let message = format!("expected 0 or 1 for compression, found {byte:#04x}");
            return Err(Error::at_byte(ErrorKind::NotCanonical, at, message));
        }
        self.tell(end, LayerKind::Compressed(byte));
        self.header.compressed = byte & 1 != 0;
        if self.header.compressed {
            self.header.inflated_len = Some(self.size()?);
        }
        Ok(())
    }

    /// The size in bytes of what follows when it is inflated.
    fn size(&mut self) -> Result<u32> {
        let (len, end) = self.next(|reader| reader.u32())?;
        self.tell(end, LayerKind::InflatedLen(len));
        Ok(len)
    }

    /// Inflates the data that has `len` bytes then. Returns the byte after it.
    fn zlib(&mut self, len: u32) -> Result<usize> {
        let start = self.at;
        let rest = self.rest();
        let (inflated, used, fault) = inflate(rest, len, start, self.options, self.memory);
        self.memory = self.memory.saturating_sub(inflated.len());
        let mut end = start.saturating_add(used);
        if let Some(fault) = fault {
            self.listener.damaged(fault)?;
            // The end of damaged data is not known.
            end = self.data.len();
        }
        self.tell(end, LayerKind::Zlib);
        self.listener.inflated(&inflated);
        self.end.get_or_insert(end);
        (self.data, self.at) = (Cow::Owned(inflated), 0);
        Ok(end)
    }
}

/// `left` bytes after what should be the end.
pub(crate) fn trailing(at: usize, left: usize) -> Error {
    let left = Count(left, "byte");
    Error::at_byte(ErrorKind::TrailingBytes, at, format!("expected the end, found {left} more"))
}

/// Inflates exactly `len` bytes. Returns them, how much of the input was used, and what is wrong:
/// the bytes are then what the codec gave before that.
#[cfg(feature = "zlib")]
pub(crate) fn inflate(
    input: &[u8],
    len: u32,
    at: usize,
    options: &Options,
    memory: usize,
) -> (Vec<u8>, usize, Option<Error>) {
    use flate2::{Decompress, FlushDecompress, Status};

    let fault = |message: String| Error::at_byte(ErrorKind::Compression, at, message);
    let wanted = usize::try_from(len).unwrap_or(usize::MAX);
    if wanted > options.limits.max_output {
        let message = format!(
            "{wanted} inflated bytes are more than max_output ({})",
            options.limits.max_output
        );
        let error = Error::at_byte(ErrorKind::OutputLimit, at, message);
        return (Vec::new(), 0, Some(error));
    }
    if wanted > memory {
        let error = Error::memory("the inflated data").or_at_byte(at);
        return (Vec::new(), 0, Some(error));
    }
    let mut zlib = Decompress::new(true);
    let mut out = Vec::new();
    let mut used = 0usize;
    loop {
        // One byte more than wanted shows that there is more. Deflate makes at most 1032 bytes of
        // one, so that little input reserves little.
        let rest = part(input, used..);
        let left = wanted.saturating_sub(out.len()).saturating_add(1);
        let likely = rest.len().saturating_mul(1032).saturating_add(64);
        if out.capacity() == out.len() {
            let step = out.len().clamp(64 << 10, AHEAD);
            out.reserve_exact(left.min(likely).min(step));
        }
        let before = (zlib.total_in(), out.len());
        let status = zlib.decompress_vec(rest, &mut out, FlushDecompress::None);
        used = usize::try_from(zlib.total_in()).unwrap_or(usize::MAX);
        let error = match status {
            Err(error) => fault(format!("expected zlib data, found what is none: {error}")),
            Ok(_) if out.len() > wanted => {
                fault(format!("expected {wanted} inflated bytes, found more"))
            }
            Ok(Status::StreamEnd) if out.len() == wanted => return (out, used, None),
            Ok(Status::StreamEnd) => {
                fault(format!("expected {wanted} inflated bytes, found {}", out.len()))
            }
            Ok(_) if before == (zlib.total_in(), out.len()) && out.len() < out.capacity() => {
                let end = at.saturating_add(input.len());
                let message = "expected more zlib data, found the end";
                Error::at_byte(ErrorKind::UnexpectedEof, end, message)
            }
            Ok(_) => continue,
        };
        return (out, used, Some(error));
    }
}

#[cfg(not(feature = "zlib"))]
pub(crate) fn inflate(
    _input: &[u8],
    _len: u32,
    at: usize,
    _options: &Options,
    _memory: usize,
) -> (Vec<u8>, usize, Option<Error>) {
    let message = "the data is compressed, and the feature `zlib` is not enabled";
    let error = Error::at_byte(ErrorKind::Unsupported, at, message);
    (Vec::new(), 0, Some(error))
}
