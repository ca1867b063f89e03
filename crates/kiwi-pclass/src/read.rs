//! The only code that touches input bytes: the layers around the objects, and what stands between
//! their values.

use std::borrow::Cow;
use std::io;

use crate::bits::{BitReader, Bits};
use crate::error::Count;
use crate::options::{Mode, Options, Unknown};
use crate::schema::{Class, Kind, Property};
use crate::types::{PropertyFlags, SerializerFlags};
use crate::{Error, ErrorKind, Result};

/// What a file of the game begins with.
pub(crate) const MAGIC: &[u8; 4] = b"BINd";

/// Bytes that are reserved before there is proof that they are needed.
#[cfg(feature = "zlib")]
const AHEAD: usize = 1 << 20;

/// What the layers around a stream say; see [`Options::header`].
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
    /// The size that the stream says the objects inflate to, if they are compressed.
    pub inflated_len: Option<u32>,
}

/// How objects are encoded in a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire {
    pub(crate) deep: bool,
    pub(crate) flags: SerializerFlags,
    pub(crate) mask: PropertyFlags,
    pub(crate) compact: bool,
    pub(crate) names: bool,
    pub(crate) core: bool,
    pub(crate) skip_deprecated: bool,
    pub(crate) unknown: Unknown,
    pub(crate) max_depth: usize,
}

impl Wire {
    pub(crate) fn new(options: &Options, flags: SerializerFlags) -> Self {
        let deep = options.mode == Mode::Deep;
        Wire {
            deep,
            flags,
            mask: options.mask,
            compact: flags.contains(SerializerFlags::COMPACT_LENGTHS),
            names: flags.contains(SerializerFlags::ENUM_NAMES),
            core: options.core_types.is_some() && !deep,
            skip_deprecated: options.skip_deprecated,
            unknown: options.unknown,
            max_depth: options.max_depth,
        }
    }

    /// Whether shallow mode has the property.
    #[inline]
    pub(crate) fn has(&self, property: &Property) -> bool {
        property.flags.contains(self.mask)
            && !(self.skip_deprecated && property.flags.contains(PropertyFlags::DEPRECATED))
    }

    /// Whether deep mode writes the property.
    #[inline]
    pub(crate) fn saves(&self, property: &Property) -> bool {
        property.flags.contains(self.mask) && !property.flags.contains(PropertyFlags::DEPRECATED)
    }

    /// Whether a property may not be left out although it is delta encoded.
    #[inline]
    pub(crate) fn forbids_delta(&self) -> bool {
        self.flags.contains(SerializerFlags::FORBID_DELTA)
    }
}

/// A layer that was passed, for explanations: first byte, length, what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) kind: LayerKind,
    pub(crate) inflated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LayerKind {
    Magic,
    InflatedLen(u32),
    Zlib,
    Flags(SerializerFlags),
    Compressed(u8),
    CoreRoot,
}

/// A stream without its layers.
pub(crate) struct Stream<'de> {
    /// What the objects are in.
    pub(crate) data: Cow<'de, [u8]>,
    /// First byte of the objects.
    pub(crate) start: usize,
    pub(crate) wire: Wire,
    /// The header of the root, where the flags word comes after it.
    pub(crate) root: Option<ClassHeader>,
    /// Where the stream ends in the input, if a layer says so.
    pub(crate) end: Option<usize>,
}

/// What says the class of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassHeader {
    Null,
    Hash(u32),
    Core(crate::CoreHeader),
}

impl Stream<'_> {
    pub(crate) fn inflated(&self) -> bool {
        matches!(self.data, Cow::Owned(_))
    }

    pub(crate) fn reader(&self) -> Result<BitReader<'_>> {
        let mut reader = BitReader::new(&self.data);
        reader.seek(self.start.saturating_mul(8))?;
        Ok(reader)
    }
}

/// Takes the layers off the stream that begins at byte `at`.
pub(crate) fn open<'de>(
    input: &'de [u8],
    at: usize,
    options: &Options,
    layers: &mut dyn FnMut(Layer),
) -> Result<Stream<'de>> {
    let mut data = Cow::Borrowed(input);
    let mut at = at;
    let mut end = None;
    let mut flags = options.flags;
    let mut layer = |at: usize, end: usize, kind, inflated| {
        layers(Layer { at, len: end.saturating_sub(at), kind, inflated });
    };
    if options.bind {
        let magic = input.get(at..).unwrap_or_default();
        if !magic.starts_with(MAGIC) {
            let found = magic.get(..4).unwrap_or(magic).escape_ascii().to_string();
            let kind = if magic.len() < 4 { ErrorKind::UnexpectedEof } else { ErrorKind::Frame };
            let message = format!("expected the magic `BINd`, found `{found}`");
            return Err(Error::at(kind, at.saturating_mul(8), message));
        }
        layer(at, at.saturating_add(4), LayerKind::Magic, false);
        at = at.saturating_add(4);
        flags = SerializerFlags::STATEFUL;
    }
    if options.manual_compression {
        let mut reader = at_byte(&data, at)?;
        let len = reader.u32()?;
        let start = reader.position() >> 3;
        layer(at, start, LayerKind::InflatedLen(len), false);
        let rest = data.get(start..).unwrap_or_default();
        let (inflated, used) = inflate(rest, len, start, options)?;
        let stop = start.saturating_add(used);
        layer(start, stop, LayerKind::Zlib, false);
        end = Some(stop);
        (data, at) = (Cow::Owned(inflated), 0);
    }
    let is_inflated = matches!(data, Cow::Owned(_));
    let read = |at, data: &Cow<'de, [u8]>| -> Result<(u32, usize)> {
        let mut reader = at_byte(data, at)?;
        let word = reader.u32()?;
        Ok((word, reader.position() >> 3))
    };
    let stateful = flags.contains(SerializerFlags::STATEFUL);
    let core = options.core_types.is_some() && options.mode == Mode::Shallow;
    let mut root = None;
    let outcome: Result<Stream<'de>> = (|| {
        // The flags word of core objects comes after the header of the root.
        if core && (stateful || flags.contains(SerializerFlags::COMPRESS)) {
            let mut reader = at_byte(&data, at)?;
            root = Some(core_header(&mut reader)?);
            let stop = reader.position() >> 3;
            layer(at, stop, LayerKind::CoreRoot, is_inflated);
            at = stop;
        }
        if stateful {
            let (word, stop) = read(at, &data)?;
            flags = SerializerFlags(word);
            if word >= 1 << SerializerFlags::NAMES.len() {
                return Err(Error::at(
                    ErrorKind::Frame,
                    at.saturating_mul(8),
                    format!("expected a word of serializer flags, found {word:#x}"),
                ));
            }
            layer(at, stop, LayerKind::Flags(flags), is_inflated);
            at = stop;
        }
        if flags.contains(SerializerFlags::COMPRESS) {
            let mut reader = at_byte(&data, at)?;
            let byte = reader.u8()?;
            let stop = reader.position() >> 3;
            layer(at, stop, LayerKind::Compressed(byte), is_inflated);
            at = stop;
            // The engine writes one bit and goes to the next byte: the others may be anything.
            if byte & 1 != 0 {
                let (len, start) = read(at, &data)?;
                layer(at, start, LayerKind::InflatedLen(len), is_inflated);
                let rest = data.get(start..).unwrap_or_default();
                let (inflated, used) = inflate(rest, len, start, options)?;
                let stop = start.saturating_add(used);
                layer(start, stop, LayerKind::Zlib, is_inflated);
                if is_inflated && stop != data.len() {
                    return Err(trailing(stop.saturating_mul(8), data.len().saturating_sub(stop)));
                }
                end.get_or_insert(stop);
                (data, at) = (Cow::Owned(inflated), 0);
            }
        }
        let wire = Wire::new(options, flags);
        Ok(Stream { data: std::mem::take(&mut data), start: at, wire, root, end })
    })();
    outcome.map_err(|error| error.in_inflated(is_inflated))
}

pub(crate) fn header(bytes: &[u8], options: &Options) -> Result<Header> {
    let mut header = Header {
        flags: options.flags,
        stateful: options.flags.contains(SerializerFlags::STATEFUL) || options.bind,
        bind: options.bind,
        compressed: false,
        inflated_len: None,
    };
    let mut zlib = false;
    let outcome = open(bytes, 0, options, &mut |layer| match layer.kind {
        LayerKind::Flags(flags) => header.flags = flags,
        LayerKind::Compressed(byte) => header.compressed = byte & 1 != 0,
        LayerKind::InflatedLen(len) if header.compressed => {
            header.inflated_len = Some(len);
            zlib = true;
        }
        _ => {}
    });
    match outcome {
        // Whether the compressed data is whole is not what was asked.
        Err(error) if !(zlib && error.kind() != ErrorKind::Frame) => Err(error),
        _ => Ok(header),
    }
}

fn at_byte(data: &[u8], at: usize) -> Result<BitReader<'_>> {
    let mut reader = BitReader::new(data);
    reader.seek(at.saturating_mul(8))?;
    Ok(reader)
}

/// Six bytes: types 0 and 0 stand before a class hash.
pub(crate) fn core_header(reader: &mut BitReader<'_>) -> Result<ClassHeader> {
    let block = reader.u8()?;
    let template_type = reader.u8()?;
    let word = reader.u32()?;
    Ok(match (block, template_type, word) {
        (0, 0, 0) => ClassHeader::Null,
        (0, 0, hash) => ClassHeader::Hash(hash),
        _ => ClassHeader::Core(crate::CoreHeader::new(block, template_type, word)),
    })
}

pub(crate) fn trailing(at: usize, left: usize) -> Error {
    let left = Count(left, "byte");
    Error::at(ErrorKind::TrailingBytes, at, format!("expected the end, found {left} more"))
}

/// Inflates exactly `len` bytes. Gives how much of the input was used.
#[cfg(feature = "zlib")]
pub(crate) fn inflate(
    input: &[u8],
    len: u32,
    at: usize,
    options: &Options,
) -> Result<(Vec<u8>, usize)> {
    use flate2::{Decompress, FlushDecompress, Status};

    let fault = |message: String| Error::at(ErrorKind::Compression, at.saturating_mul(8), message);
    let wanted = usize::try_from(len).unwrap_or(usize::MAX);
    if wanted > options.max_output {
        return Err(Error::at(
            ErrorKind::OutputLimit,
            at.saturating_mul(8),
            format!("{wanted} inflated bytes are more than max_output ({})", options.max_output),
        ));
    }
    let mut zlib = Decompress::new(true);
    let mut out = Vec::new();
    let mut used = 0usize;
    loop {
        // One byte more than wanted shows that there is more. Deflate makes at most 1032 bytes of
        // one, so that little input reserves little.
        let rest = input.get(used..).unwrap_or_default();
        let left = wanted.saturating_sub(out.len()).saturating_add(1);
        let likely = rest.len().saturating_mul(1032).saturating_add(64);
        if out.capacity() == out.len() {
            let step = out.len().clamp(64 << 10, AHEAD);
            out.reserve_exact(left.min(likely).min(step));
        }
        let before = (zlib.total_in(), out.len());
        let status = zlib
            .decompress_vec(rest, &mut out, FlushDecompress::None)
            .map_err(|error| fault(format!("expected zlib data, found what is none: {error}")))?;
        used = usize::try_from(zlib.total_in()).unwrap_or(usize::MAX);
        if out.len() > wanted {
            return Err(fault(format!("expected {wanted} inflated bytes, found more")));
        }
        match status {
            Status::StreamEnd if out.len() == wanted => return Ok((out, used)),
            Status::StreamEnd => {
                let found = out.len();
                return Err(fault(format!("expected {wanted} inflated bytes, found {found}")));
            }
            _ if before == (zlib.total_in(), out.len()) && out.len() < out.capacity() => {
                return Err(Error::at(
                    ErrorKind::UnexpectedEof,
                    at.saturating_add(input.len()).saturating_mul(8),
                    "expected more zlib data, found the end",
                ));
            }
            _ => {}
        }
    }
}

#[cfg(not(feature = "zlib"))]
pub(crate) fn inflate(
    _input: &[u8],
    _len: u32,
    at: usize,
    _options: &Options,
) -> Result<(Vec<u8>, usize)> {
    Err(Error::at(
        ErrorKind::Unsupported,
        at.saturating_mul(8),
        "the data is compressed, and the feature `zlib` is not enabled",
    ))
}

/// Drains a reader in steps.
pub(crate) fn read_to_end<R: io::Read>(reader: R, most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut reader = reader.take(limit);
    io::Read::read_to_end(&mut reader, &mut bytes).map_err(Error::io)?;
    if bytes.len() > most {
        return Err(Error::new(
            ErrorKind::AllocLimit,
            format!("the reader has more than max_alloc, which is {}", Count(most, "byte")),
        ));
    }
    Ok(bytes)
}

/// Reads what stands between values.
pub(crate) struct Reader<'a> {
    pub(crate) bits: BitReader<'a>,
    pub(crate) wire: Wire,
    /// Objects and lists that are open.
    pub(crate) depth: usize,
}

/// The head of an entry in deep mode.
pub(crate) struct Entry {
    /// Where the entry begins: before the padding.
    pub(crate) start: usize,
    pub(crate) hash: u32,
    /// Where it must end.
    pub(crate) end: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bits: BitReader<'a>, wire: Wire) -> Self {
        Reader { bits, wire, depth: 0 }
    }

    /// Opens a level.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<()> {
        if self.depth >= self.wire.max_depth {
            return Err(self.too_deep());
        }
        self.depth = self.depth.wrapping_add(1);
        Ok(())
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
    }

    #[cold]
    fn too_deep(&self) -> Error {
        let limit = self.wire.max_depth;
        let message = format!("expected at most {limit} levels, which is max_depth, found more");
        Error::at(ErrorKind::DepthLimit, self.bits.position(), message)
    }

    /// The class of an object.
    #[inline]
    pub(crate) fn class_header(&mut self) -> Result<ClassHeader> {
        if self.wire.core {
            return core_header(&mut self.bits);
        }
        Ok(match self.bits.u32()? {
            0 => ClassHeader::Null,
            hash => ClassHeader::Hash(hash),
        })
    }

    /// The size of a deep object. Gives the end.
    #[inline]
    pub(crate) fn object_end(&mut self) -> Result<usize> {
        self.bits.align();
        let start = self.bits.position();
        let size = self.bits.u32()?;
        let size = size as usize;
        let end = start.saturating_add(size);
        if size < 32 || end > self.bits.len() {
            return Err(self.bad_size("an object", start, size, 32));
        }
        Ok(end)
    }

    /// The head of the next entry of an object that ends at `limit`.
    #[inline]
    pub(crate) fn entry(&mut self, limit: usize) -> Result<Entry> {
        let start = self.bits.position();
        let size = self.bits.u32()? as usize;
        let hash = self.bits.u32()?;
        let end = start.saturating_add(size);
        let least = self.bits.position();
        if end > limit || end < least {
            let least = least.saturating_sub(start);
            let most = limit.saturating_sub(start);
            let message = if end > limit && most >= least {
                format!("expected a property of at most {}, found a size of {size}", Bits(most))
            } else {
                format!("expected a property of at least {}, found a size of {size}", Bits(least))
            };
            let kind = ErrorKind::SizeMismatch;
            return Err(Error::at(kind, start.saturating_add(7) & !7, message));
        }
        Ok(Entry { start, hash, end })
    }

    #[cold]
    fn bad_size(&self, what: &str, start: usize, size: usize, least: usize) -> Error {
        let most = self.bits.len().saturating_sub(start);
        if size < least {
            let message = format!("expected a size of at least {}, found {size}", Bits(least));
            return Error::at(ErrorKind::SizeMismatch, start, message);
        }
        let message = format!("expected {what} of {}, found only {most} of them", Bits(size));
        Error::at(ErrorKind::UnexpectedEof, start, message)
    }

    /// Checks that an entry ends where it said.
    #[inline]
    pub(crate) fn end_entry(&self, entry: &Entry) -> Result<()> {
        if self.bits.position() == entry.end {
            return Ok(());
        }
        Err(self.wrong_end(entry))
    }

    #[cold]
    fn wrong_end(&self, entry: &Entry) -> Error {
        let said = Bits(entry.end.saturating_sub(entry.start));
        let found = self.bits.position().saturating_sub(entry.start);
        let message = format!("expected a property of {said}, found {found}");
        Error::at(ErrorKind::SizeMismatch, entry.start.saturating_add(7) & !7, message)
    }

    /// The count before a string.
    #[inline]
    pub(crate) fn string_len(&mut self) -> Result<usize> {
        if self.wire.compact {
            return self.compact_len();
        }
        Ok(usize::from(self.bits.u16()?))
    }

    /// The count before a list whose elements take so many bits at least.
    #[inline]
    pub(crate) fn list_len(&mut self, kind: &Kind) -> Result<usize> {
        let count = if self.wire.compact { self.compact_len()? } else { self.bits.u32()? as usize };
        let least = kind.min_bits(self.wire.compact);
        if count.saturating_mul(least) > self.bits.remaining() {
            return Err(self.too_many(count));
        }
        Ok(count)
    }

    #[cold]
    fn too_many(&self, count: usize) -> Error {
        let count = Count(count, "element");
        Error::at(
            ErrorKind::UnexpectedEof,
            self.bits.position(),
            format!("expected {count}, found only {} more", Bits(self.bits.remaining())),
        )
    }

    /// One bit that says whether 31 bits follow or 7; not aligned.
    #[inline]
    fn compact_len(&mut self) -> Result<usize> {
        let long = self.bits.bit()?;
        Ok(self.bits.bits(if long { 31 } else { 7 })? as usize)
    }

    /// The bytes of a string after its length. An empty one does not go to the next byte.
    #[inline]
    pub(crate) fn payload(&mut self, len: usize) -> Result<&'a [u8]> {
        if len == 0 { Ok(&[]) } else { self.bits.take(len) }
    }

    /// The bytes of a string.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<&'a [u8]> {
        let len = self.string_len()?;
        self.payload(len)
    }

    /// The code units of a wide string, as bytes.
    #[inline]
    pub(crate) fn wstring(&mut self) -> Result<&'a [u8]> {
        let len = self.string_len()?;
        self.payload(len.saturating_mul(2))
    }

    /// Whether a property of shallow mode is there.
    #[inline]
    pub(crate) fn present(&mut self, property: &Property) -> Result<bool> {
        if !property.is_delta() {
            return Ok(true);
        }
        let at = self.bits.position();
        if self.bits.bit()? {
            return Ok(true);
        }
        if self.wire.forbids_delta() {
            let message = "expected a property that may not be left out, found none";
            return Err(Error::at(ErrorKind::MissingDelta, at, message));
        }
        Ok(false)
    }

    /// Bits as they are, from here to a place further on. Must begin at a byte.
    pub(crate) fn raw(&mut self, end: usize) -> Result<crate::RawBits> {
        let start = self.bits.position();
        let len = end.saturating_sub(start);
        let bytes = self.bits.bytes().get(start >> 3..).unwrap_or_default();
        self.bits.seek(end)?;
        Ok(crate::RawBits::new(bytes.get(..len.div_ceil(8)).unwrap_or(bytes), len))
    }
}

/// The value of an enum from its text.
pub(crate) fn option_value(property: &Property, text: &[u8], at: usize) -> Result<u32> {
    let text = std::str::from_utf8(text).map_err(|_| {
        Error::at(ErrorKind::UnknownOption, at, "expected the name of an option, found no text")
    })?;
    match property.options() {
        Some(options) => options.parse(text),
        None => crate::EnumOptions::default().parse(text),
    }
    .map_err(|error| error.or_at(at))
}

#[cold]
pub(crate) fn unknown_class(hash: u32, at: usize) -> Error {
    Error::at(
        ErrorKind::UnknownClass,
        at,
        format!("expected a class of the schema, found the hash {hash} ({hash:#010x})"),
    )
}

#[cold]
pub(crate) fn unknown_property(class: &Class, hash: u32, at: usize) -> Error {
    let name = class.name();
    Error::at(
        ErrorKind::UnknownProperty,
        at,
        format!("expected a property of `{name}`, found the hash {hash} ({hash:#010x})"),
    )
}

#[cold]
pub(crate) fn null_root(at: usize) -> Error {
    Error::at(ErrorKind::Null, at, "expected an object, found null")
}

#[cold]
pub(crate) fn unsupported(property: &Property, at: usize) -> Error {
    let message = format!("the layout of the type `{}` is not known", property.type_name());
    Error::at(ErrorKind::UnsupportedType, at, message)
}
