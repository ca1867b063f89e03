//! Encoded objects, one value at a time: for programs that look at values where they stand, and change them
//! there.
//!
//! Positions count bits from the start of the bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::bits::{BitReader, next_byte};
use crate::options::{Options, Unknown};
use crate::read::{self, Classes, Head, Layers, Reader, Wire};
use crate::schema::{Class, Kind, Kinds, Property};
use crate::types::SerializerFlags;
use crate::value::decode::Decoder;
use crate::value::{build, encode};
use crate::write::{self, Rules, Writer, missing_schema};
use crate::{Error, ErrorKind, Result, Value};

/// Reads and writes the values of one stream.
#[derive(Clone)]
pub struct Coder {
    rules: Rules,
    options: Options,
}

impl fmt::Debug for Coder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coder").field("wire", &self.rules.wire).finish_non_exhaustive()
    }
}

/// How a value is declared.
#[derive(Clone, Copy, Debug)]
pub enum Place<'s> {
    /// An object of its own.
    Root,
    /// The value of a property, which may be a list.
    Property(&'s Property),
    /// A value in a list or tuple of a property.
    Element(&'s Property, &'s Kind),
    /// Bits up to an end: of a property that the class does not have, or of a type of unknown layout.
    Raw(Option<&'s Property>, usize),
}

impl<'s> Place<'s> {
    /// Returns the property that it or the list around it is of.
    pub fn property(self) -> Option<&'s Property> {
        match self {
            Place::Root => None,
            Place::Property(property) | Place::Element(property, _) => Some(property),
            Place::Raw(property, _) => property,
        }
    }

    /// Whether both are declared in the same way.
    pub fn is_same(self, other: Place<'_>) -> bool {
        let is_same = |own: &Property, other: &Property| std::ptr::eq(own, other) || own == other;
        match (self, other) {
            (Place::Root, Place::Root) | (Place::Raw(..), Place::Raw(..)) => true,
            (Place::Property(own), Place::Property(other)) => is_same(own, other),
            (Place::Element(own, kind), Place::Element(other, other_kind)) => {
                is_same(own, other) && (std::ptr::eq(kind, other_kind) || kind == other_kind)
            }
            _ => false,
        }
    }
}

/// A run of bits, and whether it begins at a whole byte.
pub type Run = (Range<usize>, bool);

/// A value whose head was read.
#[derive(Clone, Debug)]
pub enum Opened<'s> {
    /// A value without others in it, and its end.
    Leaf(usize),
    /// An object: its class, the bit after its head, and its end where a size says it.
    Object(&'s Arc<Class>, usize, Option<usize>),
    /// A list or tuple: how its values are encoded, their number, and the bit of the first one.
    List(Kinds<'s>, usize, usize),
}

/// The next property of an object.
#[derive(Clone, Debug)]
pub enum Member<'s> {
    /// The hash of a property, where and how its value stands, and its end where a size says it.
    Value(u32, usize, Place<'s>, Option<usize>),
    /// The end of the object.
    End(usize),
}

/// The content of a stream, without the layers around it.
#[derive(Debug)]
pub struct Unpacked<'de> {
    /// The bytes of the object, and of all around it if they are those of the stream.
    pub bytes: Cow<'de, [u8]>,
    /// The byte at which the object begins.
    pub start: usize,
    /// The flags in effect.
    pub flags: SerializerFlags,
    /// Whether the bytes are others than those of the stream: [`pack`] makes these.
    pub is_packed: bool,
}

/// Takes the layers off a stream, and goes through the object in it.
///
/// # Errors
/// As [`Options::from_slice`].
pub fn unpack<'de>(bytes: &'de [u8], options: &Options) -> Result<Unpacked<'de>> {
    let schema = options.schema.as_deref().ok_or_else(missing_schema)?;
    let stream = Layers::open(bytes, 0, options, &mut ())?;
    let classes = Classes { schema, core_types: options.core_types.as_deref() };
    let end = stream.reader().and_then(|mut reader| {
        // Inflated bytes have taken their memory.
        reader.take_memory(if stream.is_inflated() { 0 } else { bytes.len() })?;
        Decoder::new(&mut reader, classes, &mut ()).root(stream.root)?;
        stream.end(&mut reader)
    });
    let start = stream.start.saturating_mul(8);
    let end = end.map_err(|error| error.or_at(start).in_inflated(stream.is_inflated()))?;
    match bytes.len().saturating_sub(end) {
        0 => {}
        left => return Err(read::trailing(end, left)),
    }
    let (is_packed, wire) = (stream.is_inflated() || stream.root.is_some(), stream.wire);
    let (data, start, root, flags) = (stream.data, stream.start, stream.root, wire.flags);
    if !is_packed {
        return Ok(Unpacked { bytes: data, start, flags, is_packed });
    }
    let mut head = Writer::default();
    if let Some(root) = root {
        head.class_header(&wire, root)?;
    }
    let mut objects = head.bits.into_bytes();
    match (data, start, objects.is_empty()) {
        (Cow::Owned(data), 0, true) => objects = data,
        (data, start, _) => objects.extend(data.get(start..).unwrap_or_default()),
    }
    Ok(Unpacked { bytes: Cow::Owned(objects), start: 0, flags, is_packed })
}

/// Puts the layers of the options around an object.
///
/// # Errors
/// A limit, or more bytes than a size can say.
pub fn pack(object: Vec<u8>, options: &Options) -> Result<Vec<u8>> {
    let wire = Wire::new(options, write::flags(options));
    let layered = SerializerFlags::STATEFUL | SerializerFlags::COMPRESS;
    let root = if wire.core && wire.flags.0 & layered.0 != 0 { 6 } else { 0 };
    write::close(object, root, options)
}

impl Coder {
    /// For streams with these options, whose flags are in effect.
    ///
    /// # Errors
    /// Options without a schema.
    pub fn new(options: &Options) -> Result<Coder> {
        if options.schema.is_none() {
            return Err(missing_schema());
        }
        Ok(Coder { rules: Rules::new(options), options: options.clone() })
    }

    /// For bytes that never leave the program, and keep everything that a [`Value`] has. The options are those
    /// of what the values are written to.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn in_memory(options: &Options) -> Result<Coder> {
        let own = options.in_memory();
        // Bits that nobody reads stay what they are, and mean something by these flags alone.
        let flags = Wire::new(&own, options.flags).layout();
        let coder = Coder::new(&own.flags(flags))?;
        let mut coder = Coder { options: options.clone(), ..coder };
        (coder.rules.wire.core, coder.rules.wire.has_both) = (true, true);
        Ok(coder)
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether the same bytes mean the same to both, which share their classes.
    pub fn is_same(&self, other: &Coder) -> bool {
        Arc::ptr_eq(&self.rules.schema, &other.rules.schema) && self.is_same_but_classes(other)
    }

    /// Whether the same bytes mean the same to both; compares all classes.
    pub fn is_equal(&self, other: &Coder) -> bool {
        self.is_same_but_classes(other) && self.rules.schema == other.rules.schema
    }

    fn is_same_but_classes(&self, other: &Coder) -> bool {
        let (own, other) = (&self.rules, &other.rules);
        own.wire.is_same(&other.wire) && own.core_types == other.core_types
    }

    /// Whether each property has its size and its hash.
    pub fn is_deep(&self) -> bool {
        self.rules.wire.deep
    }

    /// Whether counts stand at any bit.
    pub fn is_compact(&self) -> bool {
        self.rules.wire.compact
    }

    /// How what the schema does not have is read.
    pub fn unknown(&self) -> Unknown {
        self.rules.wire.unknown
    }

    /// Whether shallow mode has a property.
    pub fn has(&self, property: &Property) -> bool {
        self.rules.wire.has(property)
    }

    /// Whether a value begins at a whole byte, and not at any bit.
    #[inline]
    pub fn is_aligned(&self, place: Place<'_>) -> bool {
        let Wire { compact, names, .. } = self.rules.wire;
        let (property, kind) = match place {
            Place::Root | Place::Raw(..) => return true,
            Place::Property(property) if property.is_list() => return !compact,
            Place::Property(property) => (property, property.kind()),
            Place::Element(property, kind) => (property, kind),
        };
        match kind {
            Kind::Bool | Kind::Bits { .. } | Kind::Optional(_) | Kind::Tuple(_) => false,
            Kind::String | Kind::WString | Kind::List(_) => !compact,
            Kind::Enum => !(compact && names),
            Kind::Object => !(compact && names && property.options().is_some()),
            _ => true,
        }
    }

    fn classes(&self) -> Classes<'_> {
        let Rules { schema, core_types, .. } = &self.rules;
        Classes { schema, core_types: core_types.as_deref() }
    }

    #[inline]
    fn reader<'b>(&self, bytes: &'b [u8], at: usize) -> Result<Reader<'b>> {
        let mut bits = BitReader::new(bytes);
        bits.seek(at)?;
        Ok(Reader::new(bits, self.rules.wire, self.options.limits.memory(bytes.len())))
    }

    /// Goes through an object. Returns the bit after it.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn check(&self, bytes: &[u8], at: usize) -> Result<usize> {
        let mut reader = self.reader(bytes, at)?;
        Decoder::new(&mut reader, self.classes(), &mut ()).root(None)?;
        Ok(reader.at())
    }

    /// Reads the head of a value.
    ///
    /// # Errors
    /// Bytes that are none.
    #[inline]
    pub fn open<'s>(&'s self, bytes: &[u8], at: usize, place: Place<'s>) -> Result<Opened<'s>> {
        self.open_with(bytes, at, place, |_, _| {})
    }

    /// The same, with the runs of bits of the head, or of a value without others in it, and whether each begins
    /// at a whole byte.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn runs<'s>(
        &'s self,
        bytes: &[u8],
        at: usize,
        place: Place<'s>,
    ) -> Result<(Opened<'s>, Vec<Run>)> {
        let mut runs = Vec::new();
        let run = |range, is_aligned| runs.push((range, is_aligned));
        let opened = self.open_with(bytes, at, place, run)?;
        Ok((opened, runs))
    }

    #[inline(always)]
    fn open_with<'s>(
        &'s self,
        bytes: &[u8],
        at: usize,
        place: Place<'s>,
        mut run: impl FnMut(Range<usize>, bool),
    ) -> Result<Opened<'s>> {
        let mut reader = self.reader(bytes, at)?;
        let (property, mut kind) = match place {
            Place::Raw(_, end) => {
                run(reader.at_byte()..end, true);
                return Ok(Opened::Leaf(end));
            }
            Place::Root => return self.object(&mut reader, run),
            Place::Property(property) if property.is_list() => {
                return list(&mut reader, property, property.kind(), run);
            }
            Place::Property(property) => (property, property.kind()),
            Place::Element(property, kind) => (property, kind),
        };
        while let Kind::Optional(inner) = kind {
            let start = reader.at();
            let is_present = reader.bits.bit()?;
            run(start..reader.at(), false);
            if !is_present {
                return Ok(Opened::Leaf(reader.at()));
            }
            kind = inner;
        }
        match kind {
            Kind::List(inner) => return list(&mut reader, property, inner, run),
            Kind::Tuple(kinds) => {
                return Ok(Opened::List(Kinds::Each(kinds), kinds.len(), reader.at()));
            }
            Kind::Object if !reader.is_unit(property, &self.rules.schema)? => {
                return self.object(&mut reader, run);
            }
            Kind::Object => leaf(&mut reader, property, &Kind::Enum, run)?,
            kind => leaf(&mut reader, property, kind, run)?,
        }
        Ok(Opened::Leaf(reader.at()))
    }

    #[inline]
    fn object<'s>(
        &'s self,
        reader: &mut Reader<'_>,
        mut run: impl FnMut(Range<usize>, bool),
    ) -> Result<Opened<'s>> {
        let (start, wire) = (reader.at_byte(), &self.rules.wire);
        let header = reader.class_header()?;
        let opened = match self.classes().head(header, start)? {
            Head::Null => Opened::Leaf(reader.at()),
            Head::Unknown(hash) if !wire.deep || wire.unknown == Unknown::Refuse => {
                return Err(read::unknown_class(hash, start));
            }
            Head::Unknown(_) => Opened::Leaf(reader.object_end()?),
            Head::Known(class, _) => {
                let end = if wire.deep { Some(reader.object_end()?) } else { None };
                Opened::Object(class, reader.at(), end)
            }
        };
        let end = if let Opened::Leaf(end) = opened { end } else { reader.at() };
        run(start..end, true);
        Ok(opened)
    }

    /// Reads what stands before the next property of an object, where the one before it ended. `next` is the
    /// place of the property that most likely follows, among those of the class; `limit` is the end of an object
    /// whose size says it.
    ///
    /// # Errors
    /// Bytes that are none.
    #[inline]
    pub fn next<'s>(
        &self,
        bytes: &[u8],
        at: usize,
        (class, next): (&'s Class, &mut usize),
        limit: usize,
    ) -> Result<Member<'s>> {
        let mut reader = self.reader(bytes, at)?;
        if !self.rules.wire.deep {
            while let Some(property) = class.properties().get(*next) {
                *next = next.saturating_add(1);
                if self.has(property) && reader.present(property)? {
                    let place = Place::Property(property);
                    let start = if self.is_aligned(place) { reader.at_byte() } else { reader.at() };
                    return Ok(Member::Value(property.hash(), start, place, None));
                }
            }
            return Ok(Member::End(reader.at()));
        }
        if at >= limit {
            return Ok(Member::End(at));
        }
        let entry = reader.entry(limit)?;
        let place = match class.find(entry.hash, *next) {
            None if self.unknown() == Unknown::Refuse => {
                let at = reader.last_word();
                return Err(read::unknown_property(class, entry.hash, at));
            }
            None => Place::Raw(None, entry.end),
            Some((index, property)) => {
                *next = index.saturating_add(1);
                match property.kind() {
                    Kind::Unsupported if self.unknown() != Unknown::Refuse => {
                        Place::Raw(Some(property), entry.end)
                    }
                    _ => Place::Property(property),
                }
            }
        };
        Ok(Member::Value(entry.hash, reader.at(), place, Some(entry.end)))
    }

    /// Checks that a property may be left out of a shallow object, which says so with a zero bit.
    ///
    /// # Errors
    /// A property that has to be present.
    pub fn check_absent(&self, property: &Property) -> Result<()> {
        encode::absent(&mut Writer::default(), &self.rules, property)
    }

    /// Returns the count before a list of `len` elements, and its width.
    ///
    /// # Errors
    /// More elements than a count can say.
    pub fn count(&self, len: usize) -> Result<(u32, u32)> {
        write::count(&self.rules.wire, false, len)
    }

    /// Reads a value of at most so many levels.
    ///
    /// # Errors
    /// Bytes that are none, or a limit.
    pub fn value(&self, bytes: &[u8], at: usize, place: Place<'_>, levels: usize) -> Result<Value> {
        let mut reader = self.reader(bytes, at)?;
        reader.wire.max_depth = levels.min(reader.wire.max_depth);
        let classes = self.classes();
        match place {
            Place::Root => build::root(&mut reader, classes, None),
            Place::Property(property) => build::value(&mut reader, classes, property, None),
            Place::Element(property, kind) => {
                build::value(&mut reader, classes, property, Some(kind))
            }
            Place::Raw(..) if self.unknown() == Unknown::Skip => Ok(Value::Null),
            Place::Raw(_, end) => Ok(Value::Bits(Box::new(reader.raw(end)?))),
        }
    }

    /// Writes a value as it stands at a bit of a byte. Returns bytes, of which the first bits are zero, and the
    /// bit after the value.
    ///
    /// # Errors
    /// A value that does not fit.
    pub fn encode(&self, value: &Value, place: Place<'_>, bit: usize) -> Result<(Vec<u8>, usize)> {
        let mut writer = Writer::default();
        (0..bit & 7).for_each(|_| writer.bits.bit(false));
        match (place, value) {
            (Place::Root, _) => encode::root(&mut writer, &self.rules, value)?,
            (Place::Property(property), _) => {
                encode::encode(&mut writer, &self.rules, property, None, value)?;
            }
            (Place::Element(property, kind), _) => {
                encode::encode(&mut writer, &self.rules, property, Some(kind), value)?;
            }
            (Place::Raw(..), Value::Bits(bits)) => writer.raw(&self.rules.wire, bits)?,
            (Place::Raw(..), _) => {
                let message =
                    "a property that the class does not have is written from raw bits only";
                return Err(Error::new(ErrorKind::Data, message));
            }
        }
        let end = writer.bits.position();
        Ok((writer.bits.into_bytes(), end))
    }
}

fn list<'s>(
    reader: &mut Reader<'_>,
    property: &Property,
    kind: &'s Kind,
    mut run: impl FnMut(Range<usize>, bool),
) -> Result<Opened<'s>> {
    let start = reader.at_len();
    let count = reader.list_count()?;
    run(start..reader.at(), !reader.wire.compact);
    reader.check_count(count, kind, property)?;
    Ok(Opened::List(Kinds::Same(kind), count, reader.at()))
}

/// Reads over a value without others in it.
#[inline]
fn leaf(
    reader: &mut Reader<'_>,
    property: &Property,
    kind: &Kind,
    mut run: impl FnMut(Range<usize>, bool),
) -> Result<()> {
    let start = reader.at();
    match kind {
        Kind::Bool => _ = reader.bits.bit()?,
        Kind::Bits { width, signed } => _ = reader.small(*width, *signed)?,
        Kind::String | Kind::WString | Kind::Enum if reader.wire.names || *kind != Kind::Enum => {
            let start = reader.at_len();
            let len = reader.string_len()?;
            run(start..reader.at(), !reader.wire.compact);
            let len = if *kind == Kind::WString { len.saturating_mul(2) } else { len };
            let bytes = reader.payload(len)?;
            if !bytes.is_empty() {
                run(reader.start_of(bytes)..reader.at(), true);
            }
            return Ok(());
        }
        Kind::Enum => _ = reader.bits.u32()?,
        Kind::Scalar(scalar) => _ = reader.number(*scalar)?,
        kind => match kind.row() {
            Some(row) => _ = reader.row(kind, row)?,
            None => return Err(read::unsupported(property).or_at(start)),
        },
    }
    let is_aligned = !matches!(kind, Kind::Bool | Kind::Bits { .. });
    let start = if is_aligned { next_byte(start) } else { start };
    run(start..reader.at(), is_aligned);
    Ok(())
}
