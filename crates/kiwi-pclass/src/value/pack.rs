//! A value and its classes as bytes that never leave the program: what `handoff` gives serde to carry
//! where there is no other way.
//!
//! The classes come first, each one once, and then the value in the order in which a
//! [`Builder`] hears of it.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::convert::Infallible;

use super::build::Builder;
use super::decode::{Key, Listener};
use super::walk::{Container, Part, Visit, walk};
use super::{RawObject, Value};
use crate::map::Map;
use crate::schema::{self, Class, EnumOptions, Kind, Number, Property, Scalar, Slot};
use crate::types::{ByteString, PropertyFlags, WString};
use crate::{CoreHeader, RawBits};

/// What follows: a leaf, or what a [`Builder`] hears of containers.
const NULL: u8 = 0;
const BOOL: u8 = 1;
const NUMBER: u8 = 2;
const ENUM: u8 = 3;
const STRING: u8 = 4;
const WSTRING: u8 = 5;
const ROW: u8 = 6;
const BOOLS: u8 = 7;
const SMALL_INTS: u8 = 8;
const RAW: u8 = 9;
const BITS: u8 = 10;
const OBJECT: u8 = 11;
const CORE_OBJECT: u8 = 12;
const LIST: u8 = 13;
const END: u8 = 14;
const PROPERTY: u8 = 15;
const KEPT_PROPERTY: u8 = 16;
const UNKNOWN: u8 = 17;

const SCALARS: [Scalar; 10] = [
    Scalar::I8,
    Scalar::U8,
    Scalar::I16,
    Scalar::U16,
    Scalar::I32,
    Scalar::U32,
    Scalar::I64,
    Scalar::U64,
    Scalar::F32,
    Scalar::F64,
];

/// A packed value.
pub(crate) struct Packed {
    pub(crate) bytes: Vec<u8>,
    /// About the bytes of memory that copies of its classes take.
    pub(crate) weight: usize,
}

/// Packs a value, of any depth.
pub(crate) fn pack(value: &Value) -> Packed {
    let mut packer = Packer::default();
    match Container::of(value) {
        None => packer.out.leaf(value),
        Some(container) => {
            let Ok(()) = walk(container, &mut packer);
        }
    }
    let mut all = Out::default();
    all.len(packer.found.len());
    all.0.extend(packer.classes.0);
    all.0.extend(packer.out.0);
    Packed { bytes: all.0, weight: packer.weight }
}

/// The value of [`pack`]; `None` for other bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Option<Value> {
    let mut from = In(bytes);
    let mut classes = Vec::new();
    for _ in 0..from.len()? {
        classes.push(Arc::new(from.class()?));
    }
    // A builder does not look at the properties.
    let property = &Property::of_root();
    let mut builder = Builder::default();
    while let Some(tag) = from.u8() {
        match tag {
            OBJECT | CORE_OBJECT => {
                let class = classes.get(from.len()?)?;
                let core = if tag == CORE_OBJECT { Some(from.core()?) } else { None };
                builder.object(class, core, || class.properties().len());
            }
            LIST => builder.list(0),
            END => builder.end(),
            PROPERTY | KEPT_PROPERTY => {
                let (index, kept) = (from.len()?, tag == KEPT_PROPERTY);
                builder.key(Key::Property { index, kept, property });
            }
            UNKNOWN => builder.key(Key::Unknown(from.u32()?)),
            leaf => builder.value(from.leaf(leaf)?),
        }
    }
    Some(builder.finish())
}

#[derive(Default)]
struct Packer {
    out: Out,
    classes: Out,
    /// Places of the classes, by their addresses.
    found: Map<usize, usize>,
    weight: usize,
}

impl Packer {
    fn place(&mut self, class: &Arc<Class>) -> usize {
        let next = self.found.len();
        let place = *self.found.entry(Arc::as_ptr(class).addr()).or_insert(next);
        if place == next {
            self.classes.class(class);
            self.weight = self.weight.saturating_add(weight(class));
        }
        place
    }
}

impl<'v> Visit<'v> for Packer {
    type Error = Infallible;

    fn begin(&mut self, container: Container<'v>, _: usize) -> Result<(), Infallible> {
        let Container::Object(object) = container else {
            self.out.0.push(LIST);
            return Ok(());
        };
        let place = self.place(object.class());
        match object.core() {
            None => self.out.tagged_len(OBJECT, place),
            Some(core) => {
                self.out.tagged_len(CORE_OBJECT, place);
                self.out.0.extend([core.block, core.template_type]);
                self.out.0.extend(core.template_id.to_le_bytes());
            }
        }
        Ok(())
    }

    fn part(&mut self, part: Part<'v>, _: usize, _: usize) -> Result<(), Infallible> {
        let Part::Field(_, field) = part else { return Ok(()) };
        match (field.index(), field.unknown_hash()) {
            (Some(index), _) if field.is_kept() => self.out.tagged_len(KEPT_PROPERTY, index),
            (Some(index), _) => self.out.tagged_len(PROPERTY, index),
            (None, hash) => {
                self.out.0.push(UNKNOWN);
                self.out.0.extend(hash.unwrap_or_default().to_le_bytes());
            }
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, _: Option<&'v Property>) -> Result<(), Infallible> {
        self.out.leaf(value);
        Ok(())
    }

    fn end(&mut self, _: Container<'v>, _: usize, _: usize) -> Result<(), Infallible> {
        self.out.0.push(END);
        Ok(())
    }
}

fn weight(class: &Class) -> usize {
    let of_option =
        |(name, _): (&str, u32)| name.len().saturating_add(size_of::<(Box<str>, u32)>());
    let of_property = |property: &Property| {
        let options = property.options_or_none().iter().map(of_option);
        let texts = property.name().len().saturating_add(property.type_name().len());
        let own = size_of::<Property>().saturating_add(size_of::<Slot>()).saturating_add(12);
        options.fold(own.saturating_add(texts), usize::saturating_add)
    };
    class.properties().iter().map(of_property).fold(size_of::<Class>(), usize::saturating_add)
}

/// Bytes that are made.
#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn len(&mut self, len: usize) {
        self.0.extend(u64::try_from(len).unwrap_or(u64::MAX).to_le_bytes());
    }

    fn tagged_len(&mut self, tag: u8, len: usize) {
        self.0.push(tag);
        self.len(len);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.len(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn option<T>(&mut self, option: Option<T>, some: impl FnOnce(&mut Self, T)) {
        self.0.push(option.is_some().into());
        if let Some(value) = option {
            some(self, value);
        }
    }

    fn number(&mut self, number: Number) {
        let (tag, bits) = match number {
            Number::Int(number) => (0, number.cast_unsigned()),
            Number::UInt(number) => (1, number),
            Number::Float(number) => (2, u64::from(number.to_bits())),
            Number::Double(number) => (3, number.to_bits()),
        };
        self.0.push(tag);
        self.0.extend(bits.to_le_bytes());
    }

    fn row(&mut self, value: &Value, kind: &Kind) {
        self.0.push(ROW);
        self.kind(kind);
        // A size of what are no numbers has none: it can be written no more than this one.
        let numbers = value.row().map(|(_, numbers)| numbers).unwrap_or_default();
        self.len(numbers.len());
        numbers.iter().for_each(|number| self.number(*number));
    }

    fn leaf(&mut self, value: &Value) {
        const ANY: Scalar = Scalar::F32;
        match value {
            // What nests is no leaf.
            Value::Null | Value::Object(_) | Value::List(_) => self.0.push(NULL),
            Value::Bool(value) => self.0.extend([BOOL, u8::from(*value)]),
            Value::Enum(value) => {
                self.0.push(ENUM);
                self.0.extend(value.to_le_bytes());
            }
            Value::Int(number) => self.tagged_number(Number::Int(*number)),
            Value::UInt(number) => self.tagged_number(Number::UInt(*number)),
            Value::Float(number) => self.tagged_number(Number::Float(*number)),
            Value::Double(number) => self.tagged_number(Number::Double(*number)),
            Value::String(text) => {
                self.0.push(STRING);
                self.bytes(text.as_bytes());
            }
            Value::WString(text) => {
                self.tagged_len(WSTRING, text.units().len().saturating_mul(2));
                self.0.extend(text.units().iter().flat_map(|unit| unit.to_le_bytes()));
            }
            Value::Color(_) => self.row(value, &Kind::Color),
            Value::Vector3D(_) => self.row(value, &Kind::Vector3D),
            Value::Quaternion(_) => self.row(value, &Kind::Quaternion),
            Value::Euler(_) => self.row(value, &Kind::Euler),
            Value::Matrix3x3(_) => self.row(value, &Kind::Matrix3x3),
            Value::Size(_) => self.row(value, &Kind::Size(ANY)),
            Value::Point(_) => self.row(value, &Kind::Point(ANY)),
            Value::Rect(_) => self.row(value, &Kind::Rect(ANY)),
            Value::Bools(all) => {
                self.tagged_len(BOOLS, all.len());
                self.0.extend(all.iter().map(|bit| u8::from(*bit)));
            }
            Value::SmallInts(all) => {
                self.tagged_len(SMALL_INTS, all.len());
                self.0.extend(all.iter().map(|number| number.cast_unsigned()));
            }
            Value::Raw(raw) => {
                self.0.push(RAW);
                self.bytes(&raw.pack());
            }
            Value::Bits(bits) => {
                self.tagged_len(BITS, bits.len());
                self.bytes(bits.as_bytes());
            }
        }
    }

    fn tagged_number(&mut self, number: Number) {
        self.0.push(NUMBER);
        self.number(number);
    }

    fn class(&mut self, class: &Class) {
        self.bytes(class.name().as_bytes());
        self.0.extend(class.hash().to_le_bytes());
        self.len(class.bases().len());
        class.bases().for_each(|base| self.bytes(base.as_bytes()));
        self.len(class.properties().len());
        class.properties().iter().for_each(|property| self.property(property));
    }

    fn property(&mut self, property: &Property) {
        self.bytes(property.name.as_bytes());
        self.bytes(property.type_name.as_bytes());
        for number in [property.hash, property.id, property.flags.0] {
            self.0.extend(number.to_le_bytes());
        }
        self.0.push(match property.container {
            schema::Container::Static => 0,
            schema::Container::Vector => 1,
            schema::Container::List => 2,
        });
        self.kind(&property.kind);
        self.option(property.options(), |out, options| {
            out.0.push(options.is_bits.into());
            out.option(options.default, |out, value| out.0.extend(value.to_le_bytes()));
            out.len(options.entries.len());
            for (name, value) in options.iter() {
                out.bytes(name.as_bytes());
                out.0.extend(value.to_le_bytes());
            }
        });
        self.option(property.default.as_ref(), Out::leaf);
        self.option(property.oddity(), |out, oddity| out.bytes(oddity.as_bytes()));
    }

    fn scalar(&mut self, tag: u8, scalar: Scalar) {
        let place = SCALARS.iter().zip(0..).find(|(other, _)| **other == scalar);
        self.0.extend([tag, place.map_or(0, |(_, place)| place)]);
    }

    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Bool => self.0.push(0),
            Kind::Scalar(scalar) => self.scalar(1, *scalar),
            Kind::Bits { width, signed } => self.0.extend([2, *width, u8::from(*signed)]),
            Kind::String => self.0.push(3),
            Kind::WString => self.0.push(4),
            Kind::Color => self.0.push(5),
            Kind::Vector3D => self.0.push(6),
            Kind::Quaternion => self.0.push(7),
            Kind::Euler => self.0.push(8),
            Kind::Matrix3x3 => self.0.push(9),
            Kind::Size(scalar) => self.scalar(10, *scalar),
            Kind::Point(scalar) => self.scalar(11, *scalar),
            Kind::Rect(scalar) => self.scalar(12, *scalar),
            Kind::Enum => self.0.push(13),
            Kind::Object => self.0.push(14),
            Kind::Unsupported => self.0.push(15),
            Kind::Tuple(kinds) => {
                self.tagged_len(16, kinds.len());
                kinds.iter().for_each(|kind| self.kind(kind));
            }
            Kind::List(kind) => {
                self.0.push(17);
                self.kind(kind);
            }
            Kind::Optional(kind) => {
                self.0.push(18);
                self.kind(kind);
            }
            Kind::Unseen => self.0.push(19),
        }
    }
}

/// Bytes that are taken apart; `None` where they end.
struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn flag(&mut self) -> Option<bool> {
        self.u8().map(|byte| byte != 0)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn len(&mut self) -> Option<usize> {
        usize::try_from(self.u64()?).ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.len()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<Box<str>> {
        core::str::from_utf8(self.bytes()?).ok().map(Box::from)
    }

    /// What is optional; `None` where the bytes end.
    fn option<T>(&mut self, some: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { some(self).map(Some) } else { Some(None) }
    }

    fn number(&mut self) -> Option<Number> {
        let tag = self.u8()?;
        let bits = self.u64()?;
        Some(match tag {
            0 => Number::Int(bits.cast_signed()),
            1 => Number::UInt(bits),
            2 => Number::Float(f32::from_bits(u32::try_from(bits).ok()?)),
            3 => Number::Double(f64::from_bits(bits)),
            _ => return None,
        })
    }

    fn core(&mut self) -> Option<CoreHeader> {
        Some(CoreHeader::new(self.u8()?, self.u8()?, self.u32()?))
    }

    fn row(&mut self) -> Option<Value> {
        let kind = self.kind()?;
        let mut numbers = Vec::new();
        for _ in 0..self.len()? {
            numbers.push(self.number()?);
        }
        Some(match kind {
            Kind::Size(_) if numbers.is_empty() => Value::Size(Box::default()),
            Kind::Point(_) if numbers.is_empty() => Value::Point(Box::default()),
            Kind::Rect(_) if numbers.is_empty() => Value::Rect(Box::default()),
            kind => Value::from_numbers(&kind, &numbers)?,
        })
    }

    fn leaf(&mut self, tag: u8) -> Option<Value> {
        Some(match tag {
            NULL => Value::Null,
            BOOL => Value::Bool(self.flag()?),
            NUMBER => self.number()?.into(),
            ENUM => Value::Enum(self.u32()?),
            STRING => Value::String(ByteString::new(self.bytes()?)),
            WSTRING => Value::WString(WString::from_le_bytes(self.bytes()?)),
            ROW => self.row()?,
            BOOLS => Value::Bools(self.bytes()?.iter().map(|bit| *bit != 0).collect()),
            SMALL_INTS => Value::SmallInts(self.bytes()?.iter().map(|n| n.cast_signed()).collect()),
            RAW => Value::Raw(Box::new(RawObject::unpack(self.bytes()?)?)),
            BITS => {
                let len = self.len()?;
                Value::Bits(Box::new(RawBits::new(self.bytes()?, len)))
            }
            _ => return None,
        })
    }

    fn class(&mut self) -> Option<Class> {
        let (name, hash) = (self.text()?, self.u32()?);
        let (mut bases, mut properties) = (Vec::new(), Vec::new());
        for _ in 0..self.len()? {
            bases.push(self.text()?);
        }
        for _ in 0..self.len()? {
            properties.push(self.property()?);
        }
        Class::new(name, hash, bases, properties).ok()
    }

    fn property(&mut self) -> Option<Property> {
        Some(Property {
            name: self.text()?,
            type_name: self.text()?,
            hash: self.u32()?,
            id: self.u32()?,
            flags: PropertyFlags(self.u32()?),
            container: match self.u8()? {
                0 => schema::Container::Static,
                1 => schema::Container::Vector,
                _ => schema::Container::List,
            },
            kind: self.kind()?,
            options: self.option(In::options)?.map(Arc::new),
            default: self.option(|from| from.u8().and_then(|tag| from.leaf(tag)))?,
            oddity: self.option(In::text)?,
            hint: Default::default(),
        })
    }

    fn options(&mut self) -> Option<EnumOptions> {
        let (is_bits, default) = (self.flag()?, self.option(In::u32)?);
        let mut entries = Vec::new();
        for _ in 0..self.len()? {
            entries.push((self.text()?, self.u32()?));
        }
        Some(EnumOptions { entries, default, is_bits })
    }

    fn scalar(&mut self) -> Option<Scalar> {
        SCALARS.get(usize::from(self.u8()?)).copied()
    }

    fn kind(&mut self) -> Option<Kind> {
        Some(match self.u8()? {
            0 => Kind::Bool,
            1 => Kind::Scalar(self.scalar()?),
            2 => Kind::Bits { width: self.u8()?, signed: self.flag()? },
            3 => Kind::String,
            4 => Kind::WString,
            5 => Kind::Color,
            6 => Kind::Vector3D,
            7 => Kind::Quaternion,
            8 => Kind::Euler,
            9 => Kind::Matrix3x3,
            10 => Kind::Size(self.scalar()?),
            11 => Kind::Point(self.scalar()?),
            12 => Kind::Rect(self.scalar()?),
            13 => Kind::Enum,
            14 => Kind::Object,
            15 => Kind::Unsupported,
            16 => {
                let mut kinds = Vec::new();
                for _ in 0..self.len()? {
                    kinds.push(self.kind()?);
                }
                Kind::Tuple(kinds.into())
            }
            17 => Kind::List(Arc::new(self.kind()?)),
            18 => Kind::Optional(Arc::new(self.kind()?)),
            19 => Kind::Unseen,
            _ => return None,
        })
    }
}
