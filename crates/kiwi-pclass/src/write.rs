//! The only code that builds output bytes.
//!
//! [`Writer`] knows one rule of the wire in each method; typed writing and the encoder of values both
//! call it, so that a rule stands here once.

use std::sync::{Arc, LazyLock};

use crate::bits::BitWriter;
use crate::core_object::CoreTypes;
use crate::error::Count;
use crate::options::{Mode, Options};
use crate::read::{ClassHeader, MAGIC, Wire};
use crate::schema::{Kind, Number, Property, Scalar, Schema};
use crate::types::SerializerFlags;
use crate::value::{RawBits, RawObject};
use crate::{Error, ErrorKind, Result, Value};

/// Rules of writing, besides the data.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) wire: Wire,
    pub(crate) fill_defaults: bool,
    pub(crate) core_types: Option<Arc<CoreTypes>>,
    /// Without classes where only values are written, which know theirs.
    pub(crate) schema: Arc<Schema>,
    /// The declaration of the root.
    pub(crate) root: &'static Property,
}

impl Rules {
    pub(crate) fn new(options: &Options) -> Self {
        static ROOT: LazyLock<Property> = LazyLock::new(Property::of_root);
        Rules {
            root: &ROOT,
            wire: Wire::new(options, flags(options)),
            fill_defaults: options.fill_defaults,
            core_types: options.core_types.clone(),
            schema: options.schema.clone().unwrap_or_default(),
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
    let is_core = options.core_types.is_some() && options.mode == Mode::Shallow;
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

/// The flags that a stream is written with: files always have the word.
pub(crate) fn flags(options: &Options) -> SerializerFlags {
    if options.bind { options.flags | SerializerFlags::STATEFUL } else { options.flags }
}

/// Puts the layers around encoded objects. `root` is the length of the root's header where the
/// flags word comes after it, else 0.
pub(crate) fn close(objects: Vec<u8>, root: usize, options: &Options) -> Result<Vec<u8>> {
    let flags = flags(options);
    check_output(objects.len(), options)?;
    let plain = SerializerFlags::STATEFUL | SerializerFlags::COMPRESS;
    if flags.0 & plain.0 == 0 && !options.bind && !options.manual_compression {
        return Ok(objects);
    }
    // Compression and flags come after the header of a core object, so it stays outside.
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
    check_output(out.len(), options)?;
    Ok(out)
}

/// That `len` bytes are not too many to write.
pub(crate) fn check_output(len: usize, options: &Options) -> Result<()> {
    let limit = options.limits.max_output;
    if len > limit {
        let message = format!("{len} bytes are more than max_output, which is {limit} bytes");
        return Err(Error::new(ErrorKind::OutputLimit, message));
    }
    Ok(())
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
    /// Classes of the names that were met last.
    pub(crate) names: NameCache,
    /// The variant around the struct that comes next, which says its class.
    pub(crate) variant: Option<&'static str>,
    /// Sizes of objects and entries that are open, the innermost last.
    pub(crate) open: Vec<Open>,
    /// Shallow mode: properties that came before their turn, those of the innermost object last.
    pub(crate) early: Vec<Early>,
}

/// A property that came before its turn.
pub(crate) struct Early {
    /// The depth of its object.
    pub(crate) depth: usize,
    pub(crate) index: usize,
    pub(crate) value: Option<Value>,
}

/// Classes of a schema that were found by the names of structs: places by the addresses of names, which are
/// mostly some bytes apart. Where two fall on one place, the next ones are looked at.
#[derive(Clone, Copy, Default)]
pub(crate) struct NameCache([NameEntry; NameCache::LEN]);

/// The address and length of a name, and the place of its class; an address of zero for none.
#[derive(Clone, Copy, Default)]
struct NameEntry(usize, u32, u32);

impl NameCache {
    const LEN: usize = 32;
    /// Places that a name may have.
    const MAX_PROBES: usize = 4;

    #[inline]
    fn place(name: &'static str, step: usize) -> usize {
        let at = name.as_ptr().addr();
        (at ^ at >> 5).wrapping_add(step) & (NameCache::LEN - 1)
    }

    #[inline]
    pub(crate) fn get(&self, name: &'static str) -> Option<usize> {
        let is_own =
            |entry: &NameEntry| entry.0 == name.as_ptr().addr() && entry.1 as usize == name.len();
        match self.0.get(NameCache::place(name, 0)) {
            Some(entry) if is_own(entry) => Some(entry.2 as usize),
            _ => self.get_displaced(name),
        }
    }

    #[inline(never)]
    fn get_displaced(&self, name: &'static str) -> Option<usize> {
        let mut places = (1..NameCache::MAX_PROBES).map(|step| NameCache::place(name, step));
        let entry = places.find_map(|place| {
            let entry = self.0.get(place)?;
            (entry.0 == name.as_ptr().addr() && entry.1 as usize == name.len()).then_some(entry)
        });
        entry.map(|entry| entry.2 as usize)
    }

    pub(crate) fn set(&mut self, name: &'static str, at: usize) {
        let mut places = (0..NameCache::MAX_PROBES).map(|step| NameCache::place(name, step));
        let free = places.find(|place| self.0.get(*place).is_some_and(|entry| entry.0 == 0));
        let place = free.unwrap_or(NameCache::place(name, 0));
        if let (Some(entry), Ok(at), Ok(len)) =
            (self.0.get_mut(place), at.try_into(), name.len().try_into())
        {
            *entry = NameEntry(name.as_ptr().addr(), len, at);
        }
    }
}

/// A size that is not known yet: where it counts from, in bits. It stands at the next whole byte.
pub(crate) struct Open(usize);

impl Writer {
    /// Opens a level of a `Value`.
    #[inline]
    pub(crate) fn enter(&mut self, wire: &Wire) -> Result<()> {
        self.depth = self.depth.wrapping_add(1);
        wire.check_depth(self.depth)
    }

    /// Opens a level of a Rust type.
    #[inline]
    pub(crate) fn enter_typed(&mut self, wire: &Wire) -> Result<()> {
        self.depth = self.depth.wrapping_add(1);
        wire.check_typed_depth(self.depth)
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        debug_assert!(self.depth > 0, "a level that is left was entered");
        self.depth = self.depth.wrapping_sub(1);
    }

    /// The class of an object.
    #[inline]
    pub(crate) fn class_header(&mut self, wire: &Wire, header: ClassHeader) -> Result<()> {
        if wire.core {
            return self.core_header(wire, header);
        }
        self.bits.u32(if let ClassHeader::Hash(hash) = header { hash } else { 0 });
        Ok(())
    }

    #[inline(never)]
    fn core_header(&mut self, wire: &Wire, header: ClassHeader) -> Result<()> {
        match header {
            ClassHeader::Both(core, hash) => {
                self.bits.u32(hash);
                self.bits.put(&[1, core.block, core.template_type]);
                self.bits.u32(core.template_id);
            }
            ClassHeader::Hash(hash) if wire.has_both => {
                self.bits.u32(hash);
                self.bits.put(&[0]);
            }
            ClassHeader::Null if wire.has_both => self.bits.u32(0),
            ClassHeader::Core(core) => {
                if core.block == 0 && core.template_type == 0 {
                    return Err(Error::new(
                        ErrorKind::Data,
                        "a core object cannot have the types 0 and 0, which stand for a class hash",
                    ));
                }
                self.bits.put(&[core.block, core.template_type]);
                self.bits.u32(core.template_id);
            }
            header => {
                self.bits.u16(0);
                self.bits.u32(if let ClassHeader::Hash(hash) = header { hash } else { 0 });
            }
        }
        // The flags word will be put between this header and the rest of the object.
        if self.depth == 0 {
            let word = SerializerFlags::STATEFUL | SerializerFlags::COMPRESS;
            self.root = if wire.flags.0 & word.0 == 0 { 0 } else { 6 };
        }
        Ok(())
    }

    /// An object of an unknown class, as it was found.
    pub(crate) fn raw_object(&mut self, wire: &Wire, raw: &RawObject) -> Result<()> {
        if raw.bits.is_shallow == wire.deep {
            let mode = if wire.deep { "shallow" } else { "deep" };
            let message = format!(
                "the bits of the class {:#010x} are of {mode} mode and can only be written in that",
                raw.hash
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.class_header(wire, ClassHeader::Hash(raw.hash))?;
        if !wire.deep {
            return self.raw(wire, &raw.bits);
        }
        let open = self.open_object();
        self.raw(wire, &raw.bits)?;
        self.close(Some(&open))
    }

    /// A number as it is declared, if it fits.
    #[inline]
    pub(crate) fn number(&mut self, scalar: Scalar, number: Number) -> Result<()> {
        let bits = &mut self.bits;
        macro_rules! put {
            ($signed:ident as $type:ident) => {
                match number.fit::<$signed>() {
                    Some(number) => bits.$type(number.cast_unsigned()),
                    None => return Err(no_scalar(scalar, number)),
                }
            };
            ($type:ident) => {
                match number.fit::<$type>() {
                    Some(number) => bits.$type(number),
                    None => return Err(no_scalar(scalar, number)),
                }
            };
        }
        match (scalar, number) {
            (Scalar::F32, Number::Float(number)) => bits.u32(number.to_bits()),
            (Scalar::F32, Number::Double(double)) => match narrow(double) {
                Some(float) => bits.u32(float.to_bits()),
                None => return Err(no_scalar(scalar, number)),
            },
            (Scalar::F64, Number::Double(number)) => bits.u64(number.to_bits()),
            (Scalar::F64, Number::Float(number)) => bits.u64(f64::from(number).to_bits()),
            (Scalar::F32 | Scalar::F64, _) => return Err(no_scalar(scalar, number)),
            (Scalar::I8, _) => put!(i8 as u8),
            (Scalar::U8, _) => put!(u8),
            (Scalar::I16, _) => put!(i16 as u16),
            (Scalar::U16, _) => put!(u16),
            (Scalar::I32, _) => put!(i32 as u32),
            (Scalar::U32, _) => put!(u32),
            (Scalar::I64, _) => put!(i64 as u64),
            (Scalar::U64, _) => put!(u64),
        }
        Ok(())
    }

    /// A number of `width` bits, if it fits.
    #[inline]
    pub(crate) fn small(&mut self, width: u8, signed: bool, number: Number) -> Result<()> {
        let width = width.min(32);
        let spare = 32u32.saturating_sub(u32::from(width)) & 31;
        // Up to the top and down again gives the same number only if it fits.
        let bits = match signed {
            true => number
                .fit::<i32>()
                .filter(|number| number << spare >> spare == *number)
                .map(i32::cast_unsigned),
            false => number.fit::<u32>().filter(|number| number << spare >> spare == *number),
        };
        match bits {
            Some(bits) => {
                self.bits.bits(bits, u32::from(width));
                Ok(())
            }
            None => Err(no_small(width, signed, number)),
        }
    }

    /// The numbers of a type of a few in a row, in the order of its fields.
    pub(crate) fn row(&mut self, property: &Property, kind: &Kind, row: &[Number]) -> Result<()> {
        let (scalar, len) = kind.row().map_or((Scalar::U8, 0), |row| (row.scalar, row.len()));
        if row.len() != len {
            let (name, len, found) = (property.type_name(), Count(len, "number"), row.len());
            let message = format!("expected the {len} of {name}, found {found}");
            return Err(Error::new(ErrorKind::Data, message));
        }
        match (kind, row) {
            // On the wire blue comes first.
            (Kind::Color, [r, g, b, a]) => {
                [b, g, r, a].into_iter().try_for_each(|number| self.number(scalar, *number))
            }
            _ => row.iter().try_for_each(|number| self.number(scalar, *number)),
        }
    }

    /// Leaves room for the size of a deep object.
    #[inline]
    pub(crate) fn open_object(&mut self) -> Open {
        self.bits.align();
        let start = self.bits.position();
        self.bits.u32(0);
        Open(start)
    }

    /// Leaves room for the size of an entry, and writes its hash. The size counts from before the
    /// padding.
    #[inline]
    pub(crate) fn open_entry(&mut self, hash: u32) -> Open {
        // The size counts from before the padding, but stands after it.
        let start = self.bits.position();
        self.bits.u32(0);
        self.bits.u32(hash);
        Open(start)
    }

    /// Fills in a size, if there is one.
    #[inline]
    pub(crate) fn close(&mut self, open: Option<&Open>) -> Result<()> {
        let Some(Open(start)) = open else { return Ok(()) };
        debug_assert!(*start <= self.bits.position(), "what is closed was opened before");
        let size = self.bits.position().saturating_sub(*start);
        let Ok(bits) = u32::try_from(size) else { return Err(too_large(size)) };
        self.bits.patch_u32(start.div_ceil(8), bits);
        Ok(())
    }

    /// The count before a string of `len` units.
    #[inline]
    pub(crate) fn string_len(&mut self, wire: &Wire, len: usize) -> Result<()> {
        if wire.compact {
            return self.compact_len(len);
        }
        let count = u16::try_from(len).map_err(|_| too_long_string(len))?;
        self.bits.u16(count);
        Ok(())
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

    #[inline(never)]
    fn compact_len(&mut self, len: usize) -> Result<()> {
        let (bits, width) = compact(len)?;
        self.bits.bits(bits, width);
        Ok(())
    }

    /// Leaves room for the count of a list, or of a string, that is not known yet. Returns the bit at which
    /// it stands.
    pub(crate) fn open_len(&mut self, wire: &Wire, is_text: bool) -> Result<usize> {
        let (none, width) = count(wire, is_text, 0)?;
        if !wire.compact {
            self.bits.align();
        }
        let at = self.bits.position();
        self.bits.bits(none, width);
        Ok(at)
    }

    /// Fills in the count for which `open_len` left room at bit `at`.
    pub(crate) fn close_len(
        &mut self,
        wire: &Wire,
        is_text: bool,
        (at, len): (usize, usize),
    ) -> Result<()> {
        let (bits, width) = count(wire, is_text, len)?;
        // Bits after a long compact number move by whole bytes, and keep their place in them.
        let more = if wire.compact && width > 8 { 3 } else { 0 };
        self.bits.patch_bits(at, bits, width, more);
        Ok(())
    }

    /// The bytes of a string.
    #[inline]
    pub(crate) fn string(&mut self, wire: &Wire, bytes: &[u8]) -> Result<()> {
        if !wire.compact && self.bits.put_counted(bytes) {
            return Ok(());
        }
        self.long_string(wire, bytes)
    }

    #[inline(never)]
    fn long_string(&mut self, wire: &Wire, bytes: &[u8]) -> Result<()> {
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
        let options = property.options_or_none();
        match options.name_of(value) {
            Some(name) if !options.is_bits() => self.string(wire, name.as_bytes()),
            _ => self.string(wire, options.format(value).as_bytes()),
        }
    }

    /// Fills in the size that was opened last.
    pub(crate) fn close_last(&mut self) -> Result<()> {
        let open = self.open.pop();
        debug_assert!(open.is_some(), "what is closed was opened before");
        self.close(open.as_ref())
    }

    /// Takes what came before its turn, which is now, in the object that is open.
    pub(crate) fn take_early(&mut self, index: usize) -> Option<Early> {
        let at = self.place_of_early(|early| early.index == index)?;
        Some(self.early.swap_remove(at))
    }

    /// Whether in the object that is open something came before its turn.
    pub(crate) fn has_early(&self, is: impl Fn(&Early) -> bool) -> bool {
        self.place_of_early(is).is_some()
    }

    fn place_of_early(&self, is: impl Fn(&Early) -> bool) -> Option<usize> {
        let own = self.early.iter().enumerate().rev();
        let mut own = own.take_while(|(_, early)| early.depth == self.depth);
        own.find(|(_, early)| is(early)).map(|(at, _)| at)
    }

    /// Bits as they were read.
    pub(crate) fn raw(&mut self, wire: &Wire, raw: &RawBits) -> Result<()> {
        raw.flags.check(wire)?;
        self.bits.align();
        // Whole bytes at once, then the bits that are left, so that what follows continues there.
        let (whole, rest) = (raw.len() >> 3, raw.len() & 7);
        let bytes = raw.as_bytes();
        self.bits.put(bytes.get(..whole).unwrap_or(bytes));
        if let (Some(last), true) = (bytes.get(whole), rest > 0) {
            self.bits.bits(u32::from(*last), u32::try_from(rest).unwrap_or(0));
        }
        Ok(())
    }
}

/// A compact count with its marker, which is the lowest bit and so comes first, and the width of both.
fn compact(len: usize) -> Result<(u32, u32)> {
    let count = u32::try_from(len).ok().filter(|count| *count < 1 << 31);
    Ok(match count.ok_or_else(|| too_long(len))? {
        short @ 0..=0x7f => (short << 1, 8),
        long => (long << 1 | 1, 32),
    })
}

/// The count of a list or of a string, and its width.
pub(crate) fn count(wire: &Wire, is_text: bool, len: usize) -> Result<(u32, u32)> {
    match (wire.compact, is_text) {
        (true, _) => compact(len),
        (false, true) => {
            u16::try_from(len).map(|count| (count.into(), 16)).map_err(|_| too_long_string(len))
        }
        (false, false) => u32::try_from(len).map(|count| (count, 32)).map_err(|_| too_long(len)),
    }
}

/// The `float` that is exactly this number, if there is one.
#[allow(clippy::cast_possible_truncation, reason = "checked by widening again")]
fn narrow(value: f64) -> Option<f32> {
    let narrow = value as f32;
    let same = f64::from(narrow).to_bits() == value.to_bits();
    (same || value.is_nan()).then_some(narrow)
}

#[cold]
fn no_scalar(scalar: Scalar, number: Number) -> Error {
    let is_float = |number| matches!(number, Number::Float(_) | Number::Double(_));
    let wants_float = matches!(scalar, Scalar::F32 | Scalar::F64);
    let (kind, rest) = match (wants_float, is_float(number)) {
        (true, true) => (ErrorKind::NumberRange, ", which needs a double"),
        (false, false) => (ErrorKind::NumberRange, ", which does not fit"),
        _ => (ErrorKind::Data, ""),
    };
    Error::new(kind, format!("expected {}, found {number}{rest}", scalar.type_name()))
}

#[cold]
fn no_small(width: u8, signed: bool, number: Number) -> Error {
    let kind = match number {
        Number::Int(_) | Number::UInt(_) => ErrorKind::NumberRange,
        Number::Float(_) | Number::Double(_) => ErrorKind::Data,
    };
    let sign = if signed { "a " } else { "an un" };
    Error::new(kind, format!("expected {sign}signed number of {width} bits, found {number}"))
}

#[cold]
fn too_long_string(len: usize) -> Error {
    let message =
        format!("a string of {len} units needs compact lengths: a plain one has at most 65535");
    Error::new(ErrorKind::NumberRange, message)
}

#[cold]
fn too_large(size: usize) -> Error {
    let message = format!("{} do not fit into a size of 32 bits", Count(size, "bit"));
    Error::new(ErrorKind::NumberRange, message)
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
