//! Bytes to [`Value`]s.

use std::sync::Arc;

use super::{Field, List, Object, RawObject, Value};
use crate::core_object::CoreTypes;
use crate::options::Unknown;
use crate::read::{self, ClassHeader, Entry, Reader};
use crate::schema::{Class, Kind, Property, Scalar};
use crate::types::{
    ByteString, Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D, WString,
};
use crate::{CoreHeader, Error, ErrorKind, Result, Schema};

/// Elements that are reserved before they are there.
const AHEAD: usize = (1 << 20) / size_of::<Value>();

/// What hears what is read: explanations. Bits are given from their first to behind their last;
/// those between two pieces are padding.
pub(crate) trait Listener {
    /// Whether it listens at all.
    const ON: bool;
    fn piece(&mut self, start: usize, end: usize, piece: Piece<'_>);
    /// What follows belongs to a property of the one before.
    fn enter_property(&mut self, property: &Property);
    /// What follows belongs to a property that nobody knows.
    fn enter_unknown(&mut self, hash: u32);
    /// What follows belongs to an element.
    fn enter_element(&mut self, index: usize);
    fn leave(&mut self);
}

/// What some bits are.
pub(crate) enum Piece<'a> {
    Class(&'a Class),
    UnknownClass(u32),
    Null,
    Core(CoreHeader, &'a Class),
    ObjectSize(usize),
    PropertySize(&'a Entry),
    PropertyHash(u32, Option<&'a Property>),
    Present(bool),
    StringLen(usize),
    Count(usize),
    Value(&'a Kind, &'a Value, Option<&'a Property>),
    EnumText(&'a str, u32),
    Raw(usize),
}

/// Nobody listens.
pub(crate) struct Silent;

impl Listener for Silent {
    const ON: bool = false;
    #[inline]
    fn piece(&mut self, _: usize, _: usize, _: Piece<'_>) {}
    #[inline]
    fn enter_property(&mut self, _: &Property) {}
    #[inline]
    fn enter_unknown(&mut self, _: u32) {}
    #[inline]
    fn enter_element(&mut self, _: usize) {}
    #[inline]
    fn leave(&mut self) {}
}

/// Decodes whole values.
pub(crate) struct Decoder<'r, 'a, 's, L> {
    pub(crate) reader: &'r mut Reader<'a>,
    pub(crate) schema: &'s Schema,
    pub(crate) core_types: Option<&'s CoreTypes>,
    pub(crate) listener: L,
}

/// Reads the value of a property, or an element of it.
pub(crate) fn decode(
    reader: &mut Reader<'_>,
    schema: &Schema,
    core_types: Option<&CoreTypes>,
    property: &Property,
    element: Option<&Kind>,
) -> Result<Value> {
    let mut decoder = Decoder { reader, schema, core_types, listener: Silent };
    match element {
        Some(kind) => decoder.value(property, kind),
        None => decoder.property(property),
    }
}

/// Passes over the value of a property, or an element of it.
pub(crate) fn skip(
    reader: &mut Reader<'_>,
    schema: &Schema,
    core_types: Option<&CoreTypes>,
    property: &Property,
    kind: Option<&Kind>,
) -> Result<()> {
    let mut decoder = Decoder { reader, schema, core_types, listener: Silent };
    match kind {
        Some(kind) => decoder.value(property, kind).map(drop),
        None => decoder.property(property).map(drop),
    }
}

/// The class that a core object has.
pub(crate) fn core_class<'s>(
    schema: &'s Schema,
    core_types: Option<&CoreTypes>,
    header: CoreHeader,
    at: usize,
) -> Result<&'s Arc<Class>> {
    let block = header.block;
    let name = core_types.and_then(|types| types.class(block)).ok_or_else(|| {
        let message = format!("expected a core type of the table, found {block}");
        Error::at(ErrorKind::UnknownClass, at, message)
    })?;
    schema.class(name).ok_or_else(|| {
        let message = format!("expected a class of the schema, found core type {block}, `{name}`");
        Error::at(ErrorKind::UnknownClass, at, message)
    })
}

impl<'s, L: Listener> Decoder<'_, '_, 's, L> {
    #[inline]
    fn at(&self) -> usize {
        self.reader.bits.position()
    }

    /// The bit at which a value of whole bytes begins.
    #[inline]
    fn at_byte(&self) -> usize {
        self.at().saturating_add(7) & !7
    }

    #[inline]
    fn piece(&mut self, start: usize, piece: Piece<'_>) {
        if L::ON {
            let end = self.reader.bits.position();
            self.listener.piece(start, end, piece);
        }
    }

    /// The root, which is not null.
    pub(crate) fn root(&mut self, header: Option<ClassHeader>) -> Result<Value> {
        let at = self.at();
        let header = match header {
            Some(header) => header,
            None => self.reader.class_header()?,
        };
        if header == ClassHeader::Null {
            self.piece(at, Piece::Null);
            return Err(read::null_root(at));
        }
        // A root of an unknown class cannot be skipped: there would be no value.
        let unknown = self.reader.wire.unknown;
        if unknown == Unknown::Skip {
            self.reader.wire.unknown = Unknown::Refuse;
        }
        let value = self.object_after(at, header, unknown);
        self.reader.wire.unknown = unknown;
        value
    }

    pub(crate) fn object(&mut self) -> Result<Value> {
        let at = self.at_byte();
        let header = self.reader.class_header()?;
        self.object_after(at, header, self.reader.wire.unknown)
    }

    /// An object whose header was read; it began at `at`.
    pub(crate) fn object_from(&mut self, at: usize, header: ClassHeader) -> Result<Value> {
        self.object_after(at, header, self.reader.wire.unknown)
    }

    fn object_after(&mut self, at: usize, header: ClassHeader, inside: Unknown) -> Result<Value> {
        let (class, core) = match header {
            ClassHeader::Null => {
                self.piece(at, Piece::Null);
                return Ok(Value::Null);
            }
            ClassHeader::Hash(hash) => match self.schema.class_by_hash(hash) {
                Some(class) => {
                    self.piece(at, Piece::Class(class));
                    (class, None)
                }
                None => return self.unknown_object(at, hash),
            },
            ClassHeader::Core(core) => {
                let class = core_class(self.schema, self.core_types, core, at)?;
                self.piece(at, Piece::Core(core, class));
                (class, Some(core))
            }
        };
        self.reader.wire.unknown = inside;
        self.reader.enter()?;
        let fields = if self.reader.wire.deep { self.deep(class)? } else { self.shallow(class)? };
        self.reader.leave();
        Ok(Value::Object(Box::new(Object::with_fields(Arc::clone(class), fields, core))))
    }

    #[cold]
    fn unknown_object(&mut self, at: usize, hash: u32) -> Result<Value> {
        let unknown = self.reader.wire.unknown;
        if !self.reader.wire.deep || unknown == Unknown::Refuse {
            return Err(read::unknown_class(hash, at));
        }
        self.piece(at, Piece::UnknownClass(hash));
        let start = self.at();
        let end = self.reader.object_end()?;
        self.piece(start, Piece::ObjectSize(end.saturating_sub(start)));
        let start = self.at();
        let bits = self.reader.raw(end)?;
        self.piece(start, Piece::Raw(bits.len()));
        Ok(match unknown {
            Unknown::Keep => Value::Raw(Box::new(RawObject { hash, bits })),
            _ => Value::Null,
        })
    }

    fn shallow(&mut self, class: &'s Class) -> Result<Vec<Field>> {
        let wire = self.reader.wire;
        let sure = class.properties().iter().filter(|p| wire.has(p) && !p.is_delta()).count();
        let mut fields = Vec::with_capacity(sure.min(AHEAD).min(self.reader.bits.remaining()));
        for (index, property) in class.properties().iter().enumerate() {
            if !wire.has(property) {
                continue;
            }
            match self.shallow_field(property) {
                Ok(Some(value)) => fields.push(Field::at(index, false, value)),
                Ok(None) => {}
                Err(error) => return Err(error.in_field(property.name())),
            }
        }
        Ok(fields)
    }

    #[inline]
    fn shallow_field(&mut self, property: &'s Property) -> Result<Option<Value>> {
        if L::ON {
            self.listener.enter_property(property);
        }
        let start = self.at();
        let present = self.reader.present(property)?;
        if L::ON && property.is_delta() {
            self.piece(start, Piece::Present(present));
        }
        let value = if present { Some(self.property(property)?) } else { None };
        if L::ON {
            self.listener.leave();
        }
        Ok(value)
    }

    fn deep(&mut self, class: &'s Class) -> Result<Vec<Field>> {
        let start = self.at();
        let end = self.reader.object_end()?;
        self.piece(start, Piece::ObjectSize(end.saturating_sub(start)));
        let wire = self.reader.wire;
        let properties = class.properties();
        // An entry has 65 bits at least.
        let most = end.saturating_sub(start) >> 6;
        let mut fields = Vec::with_capacity(properties.len().min(most));
        // Properties mostly come in order.
        let mut next = 0usize;
        while self.at() < end {
            let entry = self.reader.entry(end)?;
            let index = match properties.get(next) {
                Some(property) if property.hash == entry.hash => Some(next),
                _ => class.index_of_hash(entry.hash),
            };
            let field = match index.and_then(|index| Some((index, properties.get(index)?))) {
                Some((index, property)) => {
                    next = index.wrapping_add(1);
                    let value = self.deep_field(property, &entry);
                    let value = value.map_err(|error| error.in_field(property.name()))?;
                    value.map(|value| Field::at(index, !wire.saves(property), value))
                }
                None => self.unknown_field(class, &entry)?,
            };
            fields.extend(field);
        }
        Ok(fields)
    }

    #[inline]
    fn deep_field(&mut self, property: &'s Property, entry: &Entry) -> Result<Option<Value>> {
        if L::ON {
            self.listener.enter_property(property);
            self.entry_head(entry, Some(property));
        }
        let value = match property.kind {
            Kind::Unsupported if self.reader.wire.unknown != Unknown::Refuse => {
                self.unsupported_field(entry)?
            }
            _ => Some(self.property(property)?),
        };
        self.reader.end_entry(entry)?;
        if L::ON {
            self.listener.leave();
        }
        Ok(value)
    }

    /// A type whose layout nobody knows, by the size of its entry.
    #[cold]
    fn unsupported_field(&mut self, entry: &Entry) -> Result<Option<Value>> {
        let start = self.at();
        let bits = self.reader.raw(entry.end)?;
        self.piece(start, Piece::Raw(bits.len()));
        let keep = self.reader.wire.unknown == Unknown::Keep;
        Ok(keep.then(|| Value::Bits(Box::new(bits))))
    }

    fn entry_head(&mut self, entry: &Entry, property: Option<&Property>) {
        let end = self.at();
        let size = end.saturating_sub(64);
        let hash = end.saturating_sub(32);
        self.listener.piece(size, hash, Piece::PropertySize(entry));
        self.listener.piece(hash, end, Piece::PropertyHash(entry.hash, property));
    }

    #[cold]
    fn unknown_field(&mut self, class: &Class, entry: &Entry) -> Result<Option<Field>> {
        let at = self.at().saturating_sub(32);
        if self.reader.wire.unknown == Unknown::Refuse {
            return Err(read::unknown_property(class, entry.hash, at));
        }
        if L::ON {
            self.listener.enter_unknown(entry.hash);
            self.entry_head(entry, None);
        }
        let start = self.at();
        let bits = self.reader.raw(entry.end)?;
        self.piece(start, Piece::Raw(bits.len()));
        if L::ON {
            self.listener.leave();
        }
        let keep = self.reader.wire.unknown == Unknown::Keep;
        Ok(keep.then(|| Field::unknown(entry.hash, Value::Bits(Box::new(bits)))))
    }

    /// The value of a property, which may be a list.
    #[inline]
    pub(crate) fn property(&mut self, property: &'s Property) -> Result<Value> {
        if property.is_list() {
            self.list(property, &property.kind)
        } else {
            self.value(property, &property.kind)
        }
    }

    fn list(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Value> {
        let start = if self.reader.wire.compact { self.at() } else { self.at_byte() };
        let count = self.reader.list_len(kind)?;
        self.piece(start, Piece::Count(count));
        if !L::ON {
            match kind {
                Kind::Bool => {
                    let mut list = Vec::with_capacity(count.min(AHEAD));
                    for _ in 0..count {
                        list.push(self.reader.bits.bit()?);
                    }
                    return Ok(Value::Bools(list.into()));
                }
                Kind::Bits { width: width @ 1..=7, signed } => {
                    let mut list = Vec::with_capacity(count.min(AHEAD));
                    for _ in 0..count {
                        list.push(self.small(*width, *signed)?);
                    }
                    return Ok(Value::SmallInts(list.into()));
                }
                _ => {}
            }
        }
        let mut list = Vec::with_capacity(count.min(AHEAD));
        for index in 0..count {
            if L::ON {
                self.listener.enter_element(index);
            }
            match self.value(property, kind) {
                Ok(value) => list.push(value),
                Err(error) => return Err(error.in_index(index)),
            }
            if L::ON {
                self.listener.leave();
            }
        }
        Ok(Value::List(List::new(list)))
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "at most seven bits")]
    fn small(&mut self, width: u8, signed: bool) -> Result<i8> {
        let width = u32::from(width);
        Ok(match signed {
            true => self.reader.bits.signed_bits(width)? as i8,
            false => self.reader.bits.bits(width)?.cast_signed() as i8,
        })
    }

    /// One value.
    #[inline]
    pub(crate) fn value(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Value> {
        let bits = &mut self.reader.bits;
        let start = if L::ON { bits.position() } else { 0 };
        let value = match kind {
            Kind::Bool => Value::Bool(bits.bit()?),
            Kind::Scalar(scalar) => self.scalar(*scalar)?,
            Kind::Bits { width, signed } => {
                let width = u32::from(*width);
                match signed {
                    true => Value::Int(i64::from(bits.signed_bits(width)?)),
                    false => Value::UInt(u64::from(bits.bits(width)?)),
                }
            }
            Kind::Object => return self.object(),
            Kind::String if !L::ON => Value::String(ByteString::new(self.reader.string()?)),
            Kind::WString if !L::ON => {
                Value::WString(WString::from_le_bytes(self.reader.wstring()?))
            }
            Kind::String | Kind::WString => return self.text(property, kind),
            Kind::Enum if self.reader.wire.names => return self.enum_text(property),
            Kind::Enum => Value::Enum(bits.u32()?),
            _ => return self.rare(property, kind),
        };
        if L::ON {
            let start = if is_aligned(kind) { start.saturating_add(7) & !7 } else { start };
            self.piece(start, Piece::Value(kind, &value, Some(property)));
        }
        Ok(value)
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar) -> Result<Value> {
        let bits = &mut self.reader.bits;
        Ok(match scalar {
            Scalar::I8 => Value::Int(i64::from(bits.u8()?.cast_signed())),
            Scalar::U8 => Value::UInt(u64::from(bits.u8()?)),
            Scalar::I16 => Value::Int(i64::from(bits.u16()?.cast_signed())),
            Scalar::U16 => Value::UInt(u64::from(bits.u16()?)),
            Scalar::I32 => Value::Int(i64::from(bits.u32()?.cast_signed())),
            Scalar::U32 => Value::UInt(u64::from(bits.u32()?)),
            Scalar::I64 => Value::Int(bits.u64()?.cast_signed()),
            Scalar::U64 => Value::UInt(bits.u64()?),
            Scalar::F32 => Value::Float(f32::from_bits(bits.u32()?)),
            Scalar::F64 => Value::Double(f64::from_bits(bits.u64()?)),
        })
    }

    /// A string, its length and its bytes apart.
    #[cold]
    fn text(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Value> {
        let start = if self.reader.wire.compact { self.at() } else { self.at_byte() };
        let len = self.reader.string_len()?;
        self.piece(start, Piece::StringLen(len));
        let start = if len == 0 { self.at() } else { self.at_byte() };
        let value = match kind {
            Kind::WString => {
                let bytes = self.reader.payload(len.saturating_mul(2))?;
                Value::WString(WString::from_le_bytes(bytes))
            }
            _ => Value::String(ByteString::new(self.reader.payload(len)?)),
        };
        if len > 0 {
            self.piece(start, Piece::Value(kind, &value, Some(property)));
        }
        Ok(value)
    }

    fn enum_text(&mut self, property: &'s Property) -> Result<Value> {
        let start = if self.reader.wire.compact { self.at() } else { self.at_byte() };
        let len = self.reader.string_len()?;
        self.piece(start, Piece::StringLen(len));
        let start = if len == 0 { self.at() } else { self.at_byte() };
        let text = self.reader.payload(len)?;
        let value = read::option_value(property, text, start)?;
        if len > 0 {
            let text = std::str::from_utf8(text).unwrap_or_default();
            self.piece(start, Piece::EnumText(text, value));
        }
        Ok(Value::Enum(value))
    }

    #[inline(never)]
    fn rare(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Value> {
        let start = self.at_byte();
        let value = match kind {
            Kind::Color => {
                let [b, g, r, a] = self.reader.bits.u32()?.to_le_bytes();
                Value::Color(Color { r, g, b, a })
            }
            Kind::Vector3D => {
                let [x, y, z] = self.floats()?;
                Value::Vector3D(Vector3D { x, y, z })
            }
            Kind::Quaternion => {
                let [w, x, y, z] = self.floats()?;
                Value::Quaternion(Quaternion { w, x, y, z })
            }
            Kind::Euler => {
                let [pitch, yaw, roll] = self.floats()?;
                Value::Euler(Euler { pitch, yaw, roll })
            }
            Kind::Matrix3x3 => {
                let (i, j, k) = (self.floats()?, self.floats()?, self.floats()?);
                Value::Matrix3x3(Box::new(Matrix3x3 { i, j, k }))
            }
            Kind::Size(scalar) => {
                let (width, height) = (self.scalar(*scalar)?, self.scalar(*scalar)?);
                Value::Size(Box::new(Size { width, height }))
            }
            Kind::Point(scalar) => {
                let (x, y) = (self.scalar(*scalar)?, self.scalar(*scalar)?);
                Value::Point(Box::new(Point { x, y }))
            }
            Kind::Rect(scalar) => {
                let (left, top) = (self.scalar(*scalar)?, self.scalar(*scalar)?);
                let (right, bottom) = (self.scalar(*scalar)?, self.scalar(*scalar)?);
                Value::Rect(Box::new(Rect { left, top, right, bottom }))
            }
            Kind::Unsupported => return Err(read::unsupported(property, start)),
            kind => return self.composed(property, kind),
        };
        self.piece(start, Piece::Value(kind, &value, Some(property)));
        Ok(value)
    }

    /// What only schemas of Rust types have.
    fn composed(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Value> {
        self.reader.enter()?;
        let value = match kind {
            Kind::Tuple(kinds) => {
                let mut list = Vec::with_capacity(kinds.len().min(AHEAD));
                for (index, kind) in kinds.iter().enumerate() {
                    if L::ON {
                        self.listener.enter_element(index);
                    }
                    let value = self.value(property, kind);
                    list.push(value.map_err(|error| error.in_index(index))?);
                    if L::ON {
                        self.listener.leave();
                    }
                }
                Value::List(list.into())
            }
            Kind::List(kind) => self.list(property, kind)?,
            Kind::Optional(kind) => {
                let start = self.at();
                let present = self.reader.bits.bit()?;
                self.piece(start, Piece::Present(present));
                if present { self.value(property, kind)? } else { Value::Null }
            }
            _ => {
                let message = format!("the type of `{}` is not known", property.name());
                return Err(Error::at(ErrorKind::UnsupportedType, self.at(), message));
            }
        };
        self.reader.leave();
        Ok(value)
    }

    #[inline]
    fn floats<const N: usize>(&mut self) -> Result<[f32; N]> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = f32::from_bits(self.reader.bits.u32()?);
        }
        Ok(floats)
    }
}

/// Whether a value begins at a byte.
fn is_aligned(kind: &Kind) -> bool {
    !matches!(kind, Kind::Bool | Kind::Bits { .. })
}
