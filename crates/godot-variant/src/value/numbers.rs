//! The numbers that a value is made of, whatever its type: what shows, compares or hashes them is one
//! piece of code for the forty types, and costs those who build it once.

use std::fmt;
use std::ops::Deref;

use gamewire_core::bytes::part;

use crate::Value;
use crate::read::Number;
use crate::types::transpose_basis;
use crate::types::{Components, PackedElement, Real, Type, WireElement};
use crate::value::{Real64, by_numbers, by_real64};

/// The components of a math type, or those of all elements of a packed array.
pub(crate) struct Numbers<'a> {
    /// The type of the value.
    pub(crate) kind: Type,
    pub(crate) number: Number,
    source: Source<'a>,
}

enum Source<'a> {
    /// The bits of each, in the order in which the fields of the type are declared.
    Components([u64; 16]),
    Elements(&'a dyn Elements),
}

/// A packed array of anything but strings.
trait Elements {
    fn count(&self) -> usize;
    /// Encodes a block of elements at the end of `out`, from one on.
    fn write_block(&self, from: usize, out: &mut Vec<u8>);
}

/// Elements in a block.
const BLOCK: usize = 512;

impl<P: Deref<Target = Vec<T>>, T: WireElement> Elements for P {
    fn count(&self) -> usize {
        self.len()
    }

    fn write_block(&self, from: usize, out: &mut Vec<u8>) {
        let to = self.len().min(from.saturating_add(BLOCK));
        T::write_all(part(self, from..to), out);
    }
}

/// One number.
#[derive(Clone, Copy)]
pub(crate) enum Scalar {
    Int(i64),
    Single(f32),
    Double(f64),
}

impl Scalar {
    fn from_bits(number: Number, bits: u64) -> Self {
        let [a, b, c, d, ..] = bits.to_le_bytes();
        match number {
            Number::U8 => Scalar::Int(i64::from(a)),
            Number::I32 => Scalar::Int(i64::from(i32::from_le_bytes([a, b, c, d]))),
            Number::I64 => Scalar::Int(bits.cast_signed()),
            Number::F32 => Scalar::Single(f32::from_le_bytes([a, b, c, d])),
            Number::F64 => Scalar::Double(f64::from_bits(bits)),
        }
    }

    /// An integer of 64 bits is rounded.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Scalar::Int(value) => value as f64,
            Scalar::Single(value) => value.into(),
            Scalar::Double(value) => value,
        }
    }

    /// Appends its bytes, little-endian.
    pub(crate) fn write(self, number: Number, out: &mut Vec<u8>) {
        let bits = match self {
            Scalar::Int(value) => value.cast_unsigned(),
            Scalar::Single(value) => value.to_bits().into(),
            Scalar::Double(value) => value.to_bits(),
        };
        // The lower bytes, little-endian, are the whole number in any of the widths.
        out.extend(bits.to_le_bytes().iter().take(number.size()));
    }

    /// The same for numbers of one type that are the same.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Scalar::Int(value) => value.cast_unsigned(),
            Scalar::Single(value) => value.bits(),
            Scalar::Double(value) => value.bits(),
        }
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Int(value) => write!(f, "{value}"),
            Scalar::Single(value) => write!(f, "{value:?}"),
            Scalar::Double(value) => write!(f, "{value:?}"),
        }
    }
}

impl<'a> Numbers<'a> {
    /// `None` for a value that is made of something else.
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        Some(by_numbers!(
            value,
            ints v => {
                let bits = |part: i32| u64::from(part.cast_unsigned());
                Self::components(value.kind(), Number::I32, v.to_components().as_ref(), bits)
            },
            reals v => Self::reals(v),
            scalars v => Self::elements(v),
            packed v => Self::elements(v),
            _ => return None,
        ))
    }

    pub(super) fn of_real64(value: &'a Real64) -> Self {
        by_real64!(value, reals v => Self::reals(v), packed v => Self::elements(v))
    }

    fn reals<T: Components<Scalar: Real>>(value: &T) -> Self {
        let number = Number::of(T::TYPE, T::Scalar::WIDE);
        Self::components(T::TYPE, number, value.to_components().as_ref(), Real::bits)
    }

    fn components<S: Copy>(
        kind: Type,
        number: Number,
        parts: &[S],
        to_bits: impl Fn(S) -> u64,
    ) -> Self {
        let mut bits = [0; 16];
        bits.iter_mut().zip(parts).for_each(|(place, part)| *place = to_bits(*part));
        Numbers { kind, number, source: Source::Components(bits) }
    }

    fn elements<P, T>(elements: &'a P) -> Self
    where
        P: Deref<Target = Vec<T>>,
        T: PackedElement + WireElement,
    {
        let number = Number::of(T::PACKED, T::WIDE);
        Numbers { kind: T::PACKED, number, source: Source::Elements(elements) }
    }

    /// How many they are.
    pub(crate) fn len(&self) -> usize {
        match &self.source {
            Source::Components(_) => self.kind.components(),
            Source::Elements(all) => all.count().saturating_mul(self.kind.packed_components()),
        }
    }

    /// The components of a math type; nothing of a packed array.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Scalar> + use<'_, 'a> {
        let bits = match &self.source {
            Source::Components(bits) => bits.get(..self.kind.components()),
            Source::Elements(_) => None,
        };
        bits.unwrap_or_default().iter().map(|bits| Scalar::from_bits(self.number, *bits))
    }

    /// A basis by its rows.
    pub(crate) fn by_rows(mut self) -> Self {
        if let (Source::Components(bits), Type::Basis | Type::Transform3D) =
            (&mut self.source, self.kind)
        {
            *bits = transpose_basis(*bits);
        }
        self
    }

    /// Goes through all of them until `each` is false; whether it was true of all.
    pub(crate) fn all(&self, each: &mut dyn FnMut(Scalar) -> bool) -> bool {
        let Source::Elements(elements) = &self.source else { return self.parts().all(each) };
        let mut block = Vec::new();
        for from in (0..elements.count()).step_by(BLOCK) {
            block.clear();
            elements.write_block(from, &mut block);
            if !self.block(&block).all(&mut *each) {
                return false;
            }
        }
        true
    }

    /// Goes through all of them.
    pub(crate) fn each(&self, each: &mut dyn FnMut(Scalar)) {
        self.all(&mut |scalar| {
            each(scalar);
            true
        });
    }

    fn block(&self, bytes: &[u8]) -> impl Iterator<Item = Scalar> {
        let number = self.number;
        bytes.chunks_exact(number.size()).map(move |chunk| {
            let mut bits = [0; 8];
            bits.iter_mut().zip(chunk).for_each(|(place, byte)| *place = *byte);
            Scalar::from_bits(number, u64::from_le_bytes(bits))
        })
    }

    /// Whether the other has the same type and as many numbers, each of which is the same by `equal`.
    pub(super) fn equal(&self, other: &Numbers<'_>, equal: fn(Scalar, Scalar) -> bool) -> bool {
        if (self.kind, self.number, self.len()) != (other.kind, other.number, other.len()) {
            return false;
        }
        let (Source::Elements(own), Source::Elements(others)) = (&self.source, &other.source)
        else {
            return self.parts().zip(other.parts()).all(|(a, b)| equal(a, b));
        };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        (0..own.count()).step_by(BLOCK).all(|from| {
            a.clear();
            b.clear();
            own.write_block(from, &mut a);
            others.write_block(from, &mut b);
            a == b || self.block(&a).zip(self.block(&b)).all(|(a, b)| equal(a, b))
        })
    }
}
