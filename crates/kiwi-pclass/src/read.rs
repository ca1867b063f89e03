//! The only code that touches input bytes: the layers around the objects, what stands between their
//! values, and how each kind of value is encoded.
//!
//! [`Reader`] knows one rule of the wire in each method. The decoder of values and typed reading
//! both call it, so that a rule stands here once.

mod layers;

use std::io;
use std::sync::Arc;

use crate::bits::{BitReader, next_byte};
use crate::core_object::{CoreHeader, CoreTypes};
use crate::error::Count;
use crate::options::{Mode, Options, Unknown};
use crate::schema::{Class, Kind, Number, Numbers, Property, Row, Scalar, Schema};
use crate::types::{PropertyFlags, SerializerFlags};
use crate::value::{RawBits, ReadFlags};
use crate::{Error, ErrorKind, Result};

pub use layers::Header;
#[cfg(feature = "explain")]
pub(crate) use layers::{LayerKind, LayerListener};
pub(crate) use layers::{Layers, MAGIC, header, inflate, trailing};

/// How objects are encoded in a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wire {
    pub(crate) deep: bool,
    pub(crate) flags: SerializerFlags,
    pub(crate) mask: PropertyFlags,
    pub(crate) compact: bool,
    pub(crate) names: bool,
    pub(crate) core: bool,
    /// The headers of core objects stand beside the hashes of classes, in what never leaves the program.
    pub(crate) has_both: bool,
    /// Shallow, and objects begin with the hash of their class.
    pub(crate) is_plain: bool,
    pub(crate) strict: bool,
    pub(crate) skip_deprecated: bool,
    keep_deprecated: bool,
    /// In what never leaves the program.
    pub(crate) saves_all: bool,
    pub(crate) unknown: Unknown,
    pub(crate) max_depth: usize,
    pub(crate) max_typed_depth: usize,
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
            has_both: false,
            is_plain: options.core_types.is_none() && !deep,
            strict: options.strict,
            skip_deprecated: options.skip_deprecated,
            keep_deprecated: options.keep_deprecated,
            saves_all: options.saves_all,
            unknown: options.unknown,
            max_depth: options.limits.max_depth,
            max_typed_depth: options.limits.max_typed_depth,
        }
    }

    /// Whether shallow mode has the property.
    #[inline]
    pub(crate) fn has(&self, property: &Property) -> bool {
        // All bits of the mask, not any of them.
        let flags = property.flags;
        flags.contains(self.mask)
            && !(self.skip_deprecated && flags.contains(PropertyFlags::DEPRECATED))
    }

    /// Whether shallow mode has all properties of a class.
    #[inline]
    pub(crate) fn has_all(&self, class: &Class) -> bool {
        class.common.contains(self.mask)
            && !(self.skip_deprecated && class.any.contains(PropertyFlags::DEPRECATED))
    }

    /// Whether deep mode writes the property.
    #[inline]
    pub(crate) fn saves(&self, property: &Property) -> bool {
        self.saves_all
            || property.flags.contains(self.mask)
                && (self.keep_deprecated || !property.flags.contains(PropertyFlags::DEPRECATED))
    }

    /// Whether a property may not be left out although it is delta encoded.
    #[inline]
    pub(crate) fn forbids_delta(&self) -> bool {
        self.flags.contains(SerializerFlags::FORBID_DELTA)
    }

    /// The flags that decide what bits mean.
    pub(crate) fn layout(&self) -> SerializerFlags {
        let lengths = SerializerFlags::COMPACT_LENGTHS.0 | SerializerFlags::ENUM_NAMES.0;
        // Properties that deep mode leaves out have no bits.
        let delta = if self.deep { 0 } else { SerializerFlags::FORBID_DELTA.0 };
        SerializerFlags(self.flags.0 & (lengths | delta))
    }

    /// Whether the same bits mean the same to both.
    pub(crate) fn is_same(&self, other: &Wire) -> bool {
        self.layout() == other.layout() && Wire { flags: other.flags, ..*self } == *other
    }

    /// That `depth` levels around a place are not too many for a `Value`.
    #[inline]
    pub(crate) fn check_depth(&self, depth: usize) -> Result<()> {
        check_depth(depth, self.max_depth, "max_depth")
    }

    /// The same for a Rust type.
    #[inline]
    pub(crate) fn check_typed_depth(&self, depth: usize) -> Result<()> {
        check_depth(depth, self.max_typed_depth, "max_typed_depth")
    }
}

#[inline]
fn check_depth(depth: usize, limit: usize, name: &str) -> Result<()> {
    if depth > limit { Err(too_deep(limit, name)) } else { Ok(()) }
}

#[cold]
fn too_deep(limit: usize, name: &str) -> Error {
    let message = format!("expected at most {limit} levels, which is {name}, found more");
    Error::new(ErrorKind::DepthLimit, message)
}

/// The header of an object, which says its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassHeader {
    Null,
    Hash(u32),
    Core(CoreHeader),
    Both(CoreHeader, u32),
}

impl ClassHeader {
    #[inline]
    pub(crate) fn of_hash(hash: u32) -> ClassHeader {
        if hash == 0 { ClassHeader::Null } else { ClassHeader::Hash(hash) }
    }
}

/// The class of an object, by its header and the schema.
#[derive(Clone, Copy)]
pub(crate) enum Head<'s> {
    Null,
    Known(&'s Arc<Class>, Option<CoreHeader>),
    Unknown(u32),
}

/// Finds the classes of headers.
#[derive(Clone, Copy)]
pub(crate) struct Classes<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) core_types: Option<&'s CoreTypes>,
}

impl<'s> Classes<'s> {
    /// The class of an object whose header began at bit `at`.
    #[inline]
    pub(crate) fn head(self, header: ClassHeader, at: usize) -> Result<Head<'s>> {
        Ok(match header {
            ClassHeader::Null => Head::Null,
            ClassHeader::Hash(hash) => match self.schema.class_by_hash(hash) {
                Some(class) => Head::Known(class, None),
                None => Head::Unknown(hash),
            },
            ClassHeader::Core(core) => Head::Known(self.core(core, at)?, Some(core)),
            ClassHeader::Both(core, hash) => match self.schema.class_by_hash(hash) {
                Some(class) => Head::Known(class, Some(core)),
                None => Head::Unknown(hash),
            },
        })
    }

    fn core(self, core: CoreHeader, at: usize) -> Result<&'s Arc<Class>> {
        let block = core.block;
        let name = self.core_types.and_then(|types| types.class(block)).ok_or_else(|| {
            let message = format!("expected a core type of the table, found {block}");
            Error::at(ErrorKind::UnknownClass, at, message)
        })?;
        self.schema.class(name).ok_or_else(|| {
            let message =
                format!("expected a class of the schema, found core type {block}, `{name}`");
            Error::at(ErrorKind::UnknownClass, at, message)
        })
    }
}

/// Six bytes: types 0 and 0 stand before a class hash.
fn core_header(reader: &mut BitReader<'_>) -> Result<ClassHeader> {
    let block = reader.u8()?;
    let template_type = reader.u8()?;
    let word = reader.u32()?;
    Ok(match (block, template_type, word) {
        (0, 0, 0) => ClassHeader::Null,
        (0, 0, hash) => ClassHeader::Hash(hash),
        _ => ClassHeader::Core(CoreHeader::new(block, template_type, word)),
    })
}

/// A class hash, and after any but null whether there are six bytes more.
#[cold]
fn both_headers(reader: &mut BitReader<'_>) -> Result<ClassHeader> {
    let hash = reader.u32()?;
    if hash == 0 || reader.u8()? == 0 {
        return Ok(ClassHeader::of_hash(hash));
    }
    Ok(ClassHeader::Both(CoreHeader::new(reader.u8()?, reader.u8()?, reader.u32()?), hash))
}

/// Drains a reader in steps.
pub(crate) fn read_to_end<R: io::Read>(reader: R, max: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more shows that there are too many.
    let limit = u64::try_from(max).unwrap_or(u64::MAX).saturating_add(1);
    let mut reader = reader.take(limit);
    io::Read::read_to_end(&mut reader, &mut bytes).map_err(Error::io)?;
    if bytes.len() > max {
        return Err(Error::new(
            ErrorKind::AllocLimit,
            format!("the reader has more than max_alloc, which is {}", Count(max, "byte")),
        ));
    }
    Ok(bytes)
}

/// Reads what stands between values, and each kind of value.
pub(crate) struct Reader<'a> {
    pub(crate) bits: BitReader<'a>,
    pub(crate) wire: Wire,
    /// Objects and lists that are open.
    pub(crate) depth: usize,
    /// Bytes of memory that may still be taken.
    memory: usize,
}

/// The head of an entry in deep mode.
pub(crate) struct EntryHead {
    /// Where the entry begins: before the padding.
    pub(crate) start: usize,
    pub(crate) hash: u32,
    /// Where it must end.
    pub(crate) end: usize,
}

impl<'a> Reader<'a> {
    /// With the bytes of memory that what is read may take.
    pub(crate) fn new(bits: BitReader<'a>, wire: Wire, memory: usize) -> Self {
        Reader { bits, wire, depth: 0, memory }
    }

    /// The same rules for other bytes, which are inside of what is read.
    pub(crate) fn inside<'b>(&self, bytes: &'b [u8]) -> Reader<'b> {
        Reader { bits: BitReader::new(bytes), ..*self }
    }

    /// Takes memory for what is built.
    #[inline]
    pub(crate) fn take_memory(&mut self, bytes: usize) -> Result<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                Ok(())
            }
            None => Err(Error::memory("the value").or_at(self.at())),
        }
    }

    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.bits.position()
    }

    /// The bit at which a value of whole bytes begins.
    #[inline]
    pub(crate) fn at_byte(&self) -> usize {
        next_byte(self.at())
    }

    /// The bit at which the four bytes begin that were just read.
    #[inline]
    pub(crate) fn last_word(&self) -> usize {
        debug_assert!(self.at() >= 32, "four bytes were read");
        self.at().saturating_sub(32)
    }

    /// The bit at which some bytes begin that were just read.
    #[inline]
    pub(crate) fn start_of(&self, bytes: &[u8]) -> usize {
        let len = bytes.len().saturating_mul(8);
        debug_assert!(self.at() >= len, "the bytes were read");
        self.at().saturating_sub(len)
    }

    /// Opens a level of a `Value`.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<()> {
        // Cannot wrap: each level took bits.
        self.depth = self.depth.wrapping_add(1);
        self.wire.check_depth(self.depth).map_err(|error| error.or_at(self.at()))
    }

    /// Opens a level of a Rust type.
    #[inline]
    pub(crate) fn enter_typed(&mut self) -> Result<()> {
        self.depth = self.depth.wrapping_add(1);
        self.wire.check_typed_depth(self.depth).map_err(|error| error.or_at(self.at()))
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        debug_assert!(self.depth > 0, "a level that is left was entered");
        self.depth = self.depth.wrapping_sub(1);
    }

    /// The class of an object.
    #[inline]
    pub(crate) fn class_header(&mut self) -> Result<ClassHeader> {
        if self.wire.core {
            return match self.wire.has_both {
                false => core_header(&mut self.bits),
                true => both_headers(&mut self.bits),
            };
        }
        Ok(ClassHeader::of_hash(self.bits.u32()?))
    }

    /// The size of a deep object. Returns where the object ends by that.
    #[inline]
    pub(crate) fn object_size(&mut self) -> Result<usize> {
        let start = self.at_byte();
        let size = self.bits.u32()? as usize;
        if size < 32 {
            let message = format!("expected a size of at least {}, found {size}", Count(32, "bit"));
            return Err(Error::at(ErrorKind::SizeMismatch, start, message));
        }
        // Where addresses have 32 bits, an end may be past all of them.
        start.checked_add(size).ok_or_else(|| self.cut_object(start, size))
    }

    /// That the input reaches to the end of the object whose size was just read.
    #[inline]
    pub(crate) fn check_object_end(&self, end: usize) -> Result<()> {
        let start = self.last_word();
        if end <= self.bits.len() {
            return Ok(());
        }
        Err(self.cut_object(start, end.saturating_sub(start)))
    }

    #[cold]
    fn cut_object(&self, start: usize, size: usize) -> Error {
        let left = self.bits.len().saturating_sub(start);
        let message =
            format!("expected an object of {}, found only {left} of them", Count(size, "bit"));
        Error::at(ErrorKind::UnexpectedEof, start, message)
    }

    /// The size of a deep object that is all there. Returns its end.
    #[inline]
    pub(crate) fn object_end(&mut self) -> Result<usize> {
        let end = self.object_size()?;
        self.check_object_end(end)?;
        Ok(end)
    }

    /// The head of the next entry of an object that ends at `limit`.
    #[inline]
    pub(crate) fn entry(&mut self, limit: usize) -> Result<EntryHead> {
        // Before the padding in front of the size: real files count it to the entry.
        let start = self.at();
        let size = self.bits.u32()? as usize;
        let hash = self.bits.u32()?;
        let end = start.saturating_add(size);
        // With this, an entry lies inside of its object, and an object inside of the input, so that
        // what is skipped or kept by its size needs no further check.
        if end > limit || end < self.at() {
            return Err(self.wrong_entry(start, size, limit));
        }
        Ok(EntryHead { start, hash, end })
    }

    #[cold]
    fn wrong_entry(&self, start: usize, size: usize, limit: usize) -> Error {
        let least = self.at().saturating_sub(start);
        let most = limit.saturating_sub(start);
        let is_large = size > most && most >= least;
        let (bound, bits) = if is_large { ("most", most) } else { ("least", least) };
        let bits = Count(bits, "bit");
        let message = format!("expected a property of at {bound} {bits}, found a size of {size}");
        Error::at(ErrorKind::SizeMismatch, next_byte(start), message)
    }

    /// That an entry was read to its end and no further.
    #[inline]
    pub(crate) fn end_entry(&self, entry: &EntryHead) -> Result<()> {
        if self.at() == entry.end { Ok(()) } else { Err(self.wrong_end(entry)) }
    }

    #[cold]
    fn wrong_end(&self, entry: &EntryHead) -> Error {
        let said = Count(entry.end.saturating_sub(entry.start), "bit");
        let found = self.at().saturating_sub(entry.start);
        let message = format!("expected a property of {said}, found {found}");
        Error::at(ErrorKind::SizeMismatch, next_byte(entry.start), message)
    }

    /// Whether a property of shallow mode is present.
    #[inline]
    pub(crate) fn present(&mut self, property: &Property) -> Result<bool> {
        if !property.is_delta() {
            return Ok(true);
        }
        let at = self.at();
        if self.bits.bit()? {
            return Ok(true);
        }
        if self.wire.forbids_delta() {
            let message = "expected a property that may not be left out, found none";
            return Err(Error::at(ErrorKind::MissingDelta, at, message));
        }
        Ok(false)
    }

    /// The bit at which a length begins.
    #[inline]
    pub(crate) fn at_len(&self) -> usize {
        if self.wire.compact { self.at() } else { self.at_byte() }
    }

    /// The count before a string: bytes, or units of a wide one.
    #[inline]
    pub(crate) fn string_len(&mut self) -> Result<usize> {
        if self.wire.compact {
            return self.compact_len();
        }
        Ok(usize::from(self.bits.u16()?))
    }

    /// The count before a list.
    #[inline]
    pub(crate) fn list_count(&mut self) -> Result<usize> {
        if self.wire.compact { self.compact_len() } else { Ok(self.bits.u32()? as usize) }
    }

    /// That the input has the bits that `count` elements take at least.
    #[inline]
    pub(crate) fn check_count(&self, count: usize, kind: &Kind, property: &Property) -> Result<()> {
        // A count is a claim: nothing is reserved or looped over before there are bits for it.
        let least = kind.min_bits(self.wire.compact, property.options().is_some()).max(1);
        if count.saturating_mul(least) > self.bits.remaining() {
            return Err(self.too_many(count));
        }
        Ok(())
    }

    #[cold]
    fn too_many(&self, count: usize) -> Error {
        let (count, left) = (Count(count, "element"), Count(self.bits.remaining(), "bit"));
        let message = format!("expected {count}, found only {left} more");
        Error::at(ErrorKind::UnexpectedEof, self.at(), message)
    }

    /// One bit that says whether 31 bits follow or 7; not aligned.
    #[inline]
    fn compact_len(&mut self) -> Result<usize> {
        // The marker is the lowest bit, so it comes first; with it the length is a byte or a word,
        // but one that begins at any bit.
        let at = self.at();
        let long = self.bits.bit()?;
        let len = self.bits.bits(if long { 31 } else { 7 })? as usize;
        if self.wire.strict && long && len < 0x80 {
            let message = format!("expected {len} as a short length, found a long one");
            return Err(Error::at(ErrorKind::NotCanonical, at, message));
        }
        Ok(len)
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

    /// A number of whole bytes.
    #[inline]
    pub(crate) fn number(&mut self, scalar: Scalar) -> Result<Number> {
        let bits = &mut self.bits;
        Ok(match scalar {
            Scalar::I8 => Number::Int(i64::from(bits.u8()?.cast_signed())),
            Scalar::U8 => Number::UInt(u64::from(bits.u8()?)),
            Scalar::I16 => Number::Int(i64::from(bits.u16()?.cast_signed())),
            Scalar::U16 => Number::UInt(u64::from(bits.u16()?)),
            Scalar::I32 => Number::Int(i64::from(bits.u32()?.cast_signed())),
            Scalar::U32 => Number::UInt(u64::from(bits.u32()?)),
            Scalar::I64 => Number::Int(bits.u64()?.cast_signed()),
            Scalar::U64 => Number::UInt(bits.u64()?),
            Scalar::F32 => Number::Float(f32::from_bits(bits.u32()?)),
            Scalar::F64 => Number::Double(f64::from_bits(bits.u64()?)),
        })
    }

    /// A number of `width` bits.
    #[inline]
    pub(crate) fn small(&mut self, width: u8, signed: bool) -> Result<Number> {
        let width = u32::from(width);
        Ok(match signed {
            true => Number::Int(i64::from(self.bits.signed_bits(width)?)),
            false => Number::UInt(u64::from(self.bits.bits(width)?)),
        })
    }

    /// The numbers of a type of a few, in the order of its fields.
    #[inline]
    pub(crate) fn row(&mut self, kind: &Kind, row: Row) -> Result<Numbers> {
        let mut numbers = Numbers::default();
        for _ in 0..row.len() {
            let number = self.number(row.scalar)?;
            numbers.push(number);
        }
        match (kind, &*numbers) {
            // On the wire blue comes first.
            (Kind::Color, [b, g, r, a]) => Ok([*r, *g, *b, *a].into_iter().collect()),
            _ => Ok(numbers),
        }
    }

    /// The value of an enum, and its text where the stream has texts.
    #[inline]
    pub(crate) fn option(&mut self, property: &Property) -> Result<(u32, Option<&'a str>)> {
        if !self.wire.names {
            return Ok((self.bits.u32()?, None));
        }
        let text = self.string()?;
        let start = self.start_of(text);
        self.option_named(property, text, start).map(|(value, text)| (value, Some(text)))
    }

    /// Whether a variant without content follows, of an enum that has classes too. It is an enum's value then.
    pub(crate) fn is_unit(&mut self, property: &Property, schema: &Schema) -> Result<bool> {
        let Some(options) = property.options() else { return Ok(false) };
        let start = self.at();
        let is_class = self.bits.u32().is_ok_and(|hash| schema.class_by_hash(hash).is_some());
        self.bits.seek(start)?;
        let is_unit = match self.wire.names {
            true => self
                .string()
                .is_ok_and(|text| options.iter().any(|(name, _)| name.as_bytes() == text)),
            false => self.bits.u32().is_ok_and(|value| options.name_of(value).is_some()),
        };
        self.bits.seek(start)?;
        Ok(is_unit && !is_class)
    }

    /// The value that a text stands for, which began at bit `at`.
    pub(crate) fn option_named(
        &self,
        property: &Property,
        text: &'a [u8],
        at: usize,
    ) -> Result<(u32, &'a str)> {
        let text = std::str::from_utf8(text).map_err(|_| {
            let message = "expected the name of an option, found no text";
            Error::at(ErrorKind::UnknownOption, at, message)
        })?;
        let options = property.options_or_none();
        let value = options.parse(text).map_err(|error| error.or_at(at))?;
        if self.wire.strict && options.format(value) != text {
            let message =
                format!("expected `{}`, found it spelled otherwise", options.format(value));
            return Err(Error::at(ErrorKind::NotCanonical, at, message));
        }
        Ok((value, text))
    }

    /// Bits as they are, from here to a place further on. Must begin at a byte.
    pub(crate) fn raw(&mut self, end: usize) -> Result<RawBits> {
        let start = self.at();
        let len = end.saturating_sub(start);
        let bytes = self.bits.bytes().get(start >> 3..).unwrap_or_default();
        self.bits.seek(end)?;
        let mut raw = RawBits::new(bytes.get(..len.div_ceil(8)).unwrap_or(bytes), len);
        raw.flags = ReadFlags::new(&self.wire);
        Ok(raw)
    }
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
pub(crate) fn unsupported(property: &Property) -> Error {
    let (name, type_name) = (property.name(), property.type_name());
    let message = match (&property.oddity, &property.kind) {
        (Some(oddity), _) => format!("the property `{name}` {oddity}"),
        (None, Kind::Unsupported) => format!("the layout of the type `{type_name}` is not known"),
        _ => format!("the type of `{name}` is not known"),
    };
    Error::new(ErrorKind::UnsupportedType, message)
}
