//! The only code that builds output bytes.

use serde_core::Serialize;

use crate::bits::BitWriter;
use crate::error::Count;
use crate::options::Options;
use crate::read::{ClassHeader, MAGIC, Wire};
use crate::schema::Property;
use crate::types::SerializerFlags;
use crate::{Error, ErrorKind, RawBits, Result, Schema, Serializer};

/// Encodes an object with the layers around it.
pub(crate) fn to_vec<T: Serialize + ?Sized>(value: &T, options: &Options) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    append(&mut out, value, options)?;
    Ok(out)
}

/// The same at the end of `out`, which is as before when that fails.
pub(crate) fn append<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    value: &T,
    options: &Options,
) -> Result<()> {
    let mut options = options.clone();
    if options.schema.is_none() {
        let schema = Schema::infer_from_value(value, options.game)?;
        options = options.schema(schema);
    }
    let start = out.len();
    let mut serializer = Serializer::after(std::mem::take(out), options);
    let written = match value.serialize(&mut serializer) {
        Ok(()) => serializer.finish(),
        Err(error) => Err((error, serializer.abandon())),
    };
    match written {
        Ok(bytes) => {
            *out = bytes;
            Ok(())
        }
        Err((error, bytes)) => {
            *out = bytes;
            out.truncate(start);
            Err(error)
        }
    }
}

/// Begins a stream after some bytes. Where something has to be done to the encoded objects, they are
/// written elsewhere first, and the bytes come back.
pub(crate) fn open(
    mut bytes: Vec<u8>,
    options: &Options,
) -> std::result::Result<BitWriter, Vec<u8>> {
    let flags = flags(options);
    let is_stateful = flags.contains(SerializerFlags::STATEFUL);
    let is_core = options.core_types.is_some() && options.mode == crate::Mode::Shallow;
    if flags.contains(SerializerFlags::COMPRESS)
        || options.manual_compression
        || (is_core && is_stateful)
    {
        return Err(bytes);
    }
    if options.bind {
        bytes.extend_from_slice(MAGIC);
    }
    if is_stateful {
        bytes.extend(flags.0.to_le_bytes());
    }
    Ok(BitWriter::after(bytes))
}

/// What a writer of a stream has for flags: files always have the word.
pub(crate) fn flags(options: &Options) -> SerializerFlags {
    if options.bind { options.flags | SerializerFlags::STATEFUL } else { options.flags }
}

/// Puts the layers around encoded objects. `root` is the length of the root's header where the
/// flags word comes after it, else 0.
pub(crate) fn close(objects: Vec<u8>, root: usize, options: &Options) -> Result<Vec<u8>> {
    let flags = flags(options);
    options.check_output(objects.len())?;
    let plain = SerializerFlags::STATEFUL | SerializerFlags::COMPRESS;
    if flags.0 & plain.0 == 0 && !options.bind && !options.manual_compression {
        return Ok(objects);
    }
    let (head, body) = objects.split_at_checked(root).unwrap_or((&[], &objects));
    let mut out = Vec::with_capacity(objects.len().saturating_add(32));
    out.extend_from_slice(head);
    if flags.contains(SerializerFlags::STATEFUL) {
        out.extend(flags.0.to_le_bytes());
    }
    if flags.contains(SerializerFlags::COMPRESS) {
        let packed = deflate(body)?;
        if packed.len() < body.len() {
            out.push(1);
            out.extend(len_u32(body.len())?.to_le_bytes());
            out.extend(packed);
        } else {
            out.push(0);
            out.extend_from_slice(body);
        }
    } else {
        out.extend_from_slice(body);
    }
    if options.manual_compression {
        let packed = deflate(&out)?;
        let len = len_u32(out.len())?.to_le_bytes();
        out = [&len[..], &packed].concat();
    }
    if options.bind {
        out.splice(0..0, *MAGIC);
    }
    options.check_output(out.len())?;
    Ok(out)
}

pub(crate) fn len_u32(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| {
        let message = format!("{} do not fit into a size of 32 bits", Count(len, "byte"));
        Error::new(ErrorKind::NumberRange, message)
    })
}

#[cfg(feature = "zlib")]
pub(crate) fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    use std::io::Write;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(bytes).and_then(|()| zlib.finish()).map_err(Error::io)
}

#[cfg(not(feature = "zlib"))]
pub(crate) fn deflate(_bytes: &[u8]) -> Result<Vec<u8>> {
    Err(Error::new(ErrorKind::Unsupported, "compressing needs the feature `zlib`"))
}

/// Writes what stands between values.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bits: BitWriter,
    pub(crate) depth: usize,
    /// Length of the root's header, where the flags word comes after it.
    pub(crate) root: usize,
}

/// A size that is not known yet.
pub(crate) struct Open {
    /// Where it counts from, in bits.
    start: usize,
    /// Where it stands, in bytes.
    at: usize,
}

impl Writer {
    #[inline]
    pub(crate) fn enter(&mut self, wire: &Wire) -> Result<()> {
        if self.depth >= wire.max_depth {
            let message = format!(
                "more levels than {}, which is max_depth, are to be written",
                wire.max_depth
            );
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        self.depth = self.depth.wrapping_add(1);
        Ok(())
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
    }

    /// The class of an object.
    #[inline]
    pub(crate) fn class_header(&mut self, wire: &Wire, header: ClassHeader) {
        match (wire.core, header) {
            (false, ClassHeader::Hash(hash)) => self.bits.u32(hash),
            (false, _) => self.bits.u32(0),
            (true, ClassHeader::Core(core)) => {
                self.bits.put(&[core.block, core.template_type]);
                self.bits.u32(core.template_id);
            }
            (true, header) => {
                self.bits.u16(0);
                self.bits.u32(if let ClassHeader::Hash(hash) = header { hash } else { 0 });
            }
        }
        if self.depth == 0 && wire.core {
            let word = SerializerFlags::STATEFUL | SerializerFlags::COMPRESS;
            self.root = if wire.flags.0 & word.0 == 0 { 0 } else { 6 };
        }
    }

    /// Leaves room for the size of a deep object.
    #[inline]
    pub(crate) fn open_object(&mut self) -> Open {
        self.bits.align();
        let start = self.bits.position();
        self.bits.u32(0);
        Open { start, at: start >> 3 }
    }

    /// Leaves room for the size of an entry, and writes its hash. The size counts from before the
    /// padding.
    #[inline]
    pub(crate) fn open_entry(&mut self, hash: u32) -> Open {
        let start = self.bits.position();
        self.bits.align();
        let at = self.bits.position() >> 3;
        self.bits.u32(0);
        self.bits.u32(hash);
        Open { start, at }
    }

    /// Fills in a size.
    #[inline]
    pub(crate) fn close(&mut self, open: &Open) -> Result<()> {
        let size = self.bits.position().saturating_sub(open.start);
        let size = u32::try_from(size).map_err(|_| {
            let message = format!("{} do not fit into a size of 32 bits", Count(size, "bit"));
            Error::new(ErrorKind::NumberRange, message)
        })?;
        self.bits.patch_u32(open.at, size);
        Ok(())
    }

    /// The count before a string of so many units.
    #[inline]
    pub(crate) fn string_len(&mut self, wire: &Wire, len: usize) -> Result<()> {
        if wire.compact {
            return self.compact_len(len);
        }
        match u16::try_from(len) {
            Ok(len) => {
                self.bits.u16(len);
                Ok(())
            }
            Err(_) => Err(Error::new(
                ErrorKind::NumberRange,
                format!(
                    "a string of {len} units needs compact lengths: a plain one has at most 65535"
                ),
            )),
        }
    }

    /// The count before a list.
    #[inline]
    pub(crate) fn list_len(&mut self, wire: &Wire, len: usize) -> Result<()> {
        if wire.compact {
            return self.compact_len(len);
        }
        let count = u32::try_from(len).map_err(|_| too_long(len))?;
        self.bits.u32(count);
        Ok(())
    }

    #[inline]
    fn compact_len(&mut self, len: usize) -> Result<()> {
        let count = u32::try_from(len).ok().filter(|count| *count < 1 << 31);
        match count.ok_or_else(|| too_long(len))? {
            short @ 0..=0x7f => self.bits.bits(short << 1, 8),
            long => self.bits.bits(long << 1 | 1, 32),
        }
        Ok(())
    }

    /// The bytes of a string.
    #[inline]
    pub(crate) fn string(&mut self, wire: &Wire, bytes: &[u8]) -> Result<()> {
        self.string_len(wire, bytes.len())?;
        if !bytes.is_empty() {
            self.bits.put(bytes);
        }
        Ok(())
    }

    /// Code units of a wide string.
    #[inline]
    pub(crate) fn wstring(
        &mut self,
        wire: &Wire,
        units: impl ExactSizeIterator<Item = u16>,
    ) -> Result<()> {
        self.string_len(wire, units.len())?;
        units.for_each(|unit| self.bits.u16(unit));
        Ok(())
    }

    /// An enum or bit flags.
    #[inline]
    pub(crate) fn option(&mut self, wire: &Wire, property: &Property, value: u32) -> Result<()> {
        if !wire.names {
            self.bits.u32(value);
            return Ok(());
        }
        match property.options() {
            Some(options) => match (options.is_bits(), options.name_of(value)) {
                (false, Some(name)) => self.string(wire, name.as_bytes()),
                _ => self.string(wire, options.format(value).as_bytes()),
            },
            None => self.string(wire, value.to_string().as_bytes()),
        }
    }

    /// Bits as they were read.
    pub(crate) fn raw(&mut self, raw: &RawBits) {
        self.bits.align();
        let (whole, rest) = (raw.len() >> 3, raw.len() & 7);
        let bytes = raw.as_bytes();
        self.bits.put(bytes.get(..whole).unwrap_or(bytes));
        if let (Some(last), true) = (bytes.get(whole), rest > 0) {
            self.bits.bits(u32::from(*last), u32::try_from(rest).unwrap_or(0));
        }
    }
}

#[cold]
fn too_long(len: usize) -> Error {
    let message = format!("{} are more than a list can have", Count(len, "element"));
    Error::new(ErrorKind::NumberRange, message)
}

/// The schema that writing needs.
pub(crate) fn missing_schema() -> Error {
    Error::new(
        ErrorKind::Schema,
        "a schema is needed here: a type list, or what Schema::infer makes of a Rust type",
    )
}

/// What the schema knows of a class by its name.
pub(crate) fn class_named<'s>(
    schema: &'s Schema,
    name: &str,
) -> Result<&'s std::sync::Arc<crate::Class>> {
    schema.class(name).ok_or_else(|| {
        let name = crate::error::Shortened(name);
        Error::new(
            ErrorKind::UnknownClass,
            format!("expected a class of the schema, found `{name}`"),
        )
    })
}
