use std::ops::Deref;

use crate::types::{Color, GString, Real, Type, Vector2, Vector3, Vector4};

/// An element of fixed size in a packed array: little-endian, without padding.
pub(crate) trait WireElement: Copy + Default {
    const SIZE: usize;
    fn read_one(bytes: &[u8]) -> Option<Self>;
    /// `bytes` holds whole elements.
    fn read_all(bytes: &[u8]) -> Vec<Self>;
    /// The first `N` elements of `bytes`, which has as many.
    #[inline]
    fn read_array<const N: usize>(bytes: &[u8]) -> [Self; N] {
        let mut parts = bytes.chunks_exact(Self::SIZE);
        debug_assert!(parts.len() >= N, "{} bytes for {N} elements", bytes.len());
        std::array::from_fn(|_| parts.next().and_then(Self::read_one).unwrap_or_default())
    }
    fn write_all(items: &[Self], out: &mut Vec<u8>);
}

/// The type whose packed array this is an element of.
pub(crate) trait PackedElement: Sized {
    const PACKED: Type;
    const WIDE: bool = false;
}

impl WireElement for u8 {
    const SIZE: usize = 1;
    fn read_one(bytes: &[u8]) -> Option<Self> {
        bytes.first().copied()
    }
    fn read_all(bytes: &[u8]) -> Vec<Self> {
        bytes.to_vec()
    }
    fn write_all(items: &[Self], out: &mut Vec<u8>) {
        out.extend_from_slice(items);
    }
}

/// Bytes converted at a time: a block of them stays in the first-level cache.
const BLOCK: usize = 8192;

macro_rules! scalar {
    ($($scalar:ty: $size:literal),+) => {$(
        impl WireElement for $scalar {
            const SIZE: usize = $size;
            #[inline]
            fn read_one(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(<$scalar>::from_le_bytes)
            }
            // One check of the length, not one for each element.
            #[inline]
            fn read_array<const N: usize>(bytes: &[u8]) -> [Self; N] {
                let mut read = [<$scalar>::default(); N];
                match bytes.as_chunks::<$size>().0.first_chunk::<N>() {
                    Some(items) => read
                        .iter_mut()
                        .zip(items)
                        .for_each(|(place, item)| *place = <$scalar>::from_le_bytes(*item)),
                    None => debug_assert!(false, "{} bytes for {N} numbers", bytes.len()),
                }
                read
            }
            fn read_all(bytes: &[u8]) -> Vec<Self> {
                let (items, _) = bytes.as_chunks::<$size>();
                items.iter().map(|item| <$scalar>::from_le_bytes(*item)).collect()
            }
            fn write_all(items: &[Self], out: &mut Vec<u8>) {
                let mut block = [[0_u8; $size]; BLOCK / $size];
                for chunk in items.chunks(BLOCK / $size) {
                    for (bytes, item) in block.iter_mut().zip(chunk) {
                        *bytes = item.to_le_bytes();
                    }
                    if let Some(used) = block.get(..chunk.len()) {
                        out.extend_from_slice(used.as_flattened());
                    }
                }
            }
        }
    )+};
}

scalar!(i32: 4, i64: 8, f32: 4, f64: 8);

/// Encoded components with 64 bits from 32 (`wide`), or with 32 bits from 64.
pub(crate) fn rewidth(bytes: &[u8], wide: bool) -> Vec<u8> {
    let (singles, doubles) = (bytes.as_chunks::<4>().0, bytes.as_chunks::<8>().0);
    match wide {
        true => {
            singles.iter().flat_map(|c| f64::from(f32::from_le_bytes(*c)).to_le_bytes()).collect()
        }
        false => doubles
            .iter()
            .flat_map(|c| f32::from_f64(f64::from_le_bytes(*c)).to_le_bytes())
            .collect(),
    }
}

macro_rules! vector {
    ($($name:ident [$count:literal] { $($field:ident),+ } $packed:ident;)+) => {$(
        vector!($name [$count] { $($field),+ } f32: 4);
        vector!($name [$count] { $($field),+ } f64: 8);

        impl<R: Real> PackedElement for $name<R> {
            const PACKED: Type = Type::$packed;
            const WIDE: bool = R::WIDE;
        }
    )+};
    ($name:ident [$count:literal] { $($field:ident),+ } $real:ident: $size:literal) => {
        impl WireElement for $name<$real> {
            const SIZE: usize = $count * $size;
            #[inline]
            fn read_one(bytes: &[u8]) -> Option<Self> {
                let mut parts = bytes.as_chunks::<$size>().0.iter();
                Some($name { $($field: $real::from_le_bytes(*parts.next()?)),+ })
            }
            fn read_all(bytes: &[u8]) -> Vec<Self> {
                bytes
                    .chunks_exact(Self::SIZE)
                    .map(|item| Self::read_one(item).unwrap_or_default())
                    .collect()
            }
            fn write_all(items: &[Self], out: &mut Vec<u8>) {
                const ROWS: usize = BLOCK / ($count * $size);
                let mut block = [[[0_u8; $size]; $count]; ROWS];
                for chunk in items.chunks(ROWS) {
                    // Four at a time, which compilers turn into wide moves.
                    let (fours, rest) = chunk.as_chunks::<4>();
                    let (rows, _) = block.as_chunks_mut::<4>();
                    for (row, items) in rows.iter_mut().zip(fours) {
                        *row = items.map(|item| item.to_array().map($real::to_le_bytes));
                    }
                    let done = chunk.len().saturating_sub(rest.len());
                    for (row, item) in block.iter_mut().skip(done).zip(rest) {
                        *row = item.to_array().map($real::to_le_bytes);
                    }
                    if let Some(used) = block.get(..chunk.len()) {
                        out.extend_from_slice(used.as_flattened().as_flattened());
                    }
                }
            }
        }
    };
}

vector! {
    Vector2 [2] { x, y } PackedVector2Array;
    Vector3 [3] { x, y, z } PackedVector3Array;
    Vector4 [4] { x, y, z, w } PackedVector4Array;
    Color [4] { r, g, b, a } PackedColorArray;
}

macro_rules! packed_elements {
    ($($element:ty: $packed:ident),+) => {$(
        impl PackedElement for $element {
            const PACKED: Type = Type::$packed;
        }
    )+};
}

packed_elements! {
    u8: PackedByteArray, i32: PackedInt32Array, i64: PackedInt64Array, f32: PackedFloat32Array,
    f64: PackedFloat64Array, GString: PackedStringArray
}

/// A newtype around a vector is one in most ways.
macro_rules! vec_newtype {
    ($name:ty, $element:ty $(; $($param:ident),+)?) => {
        vec_newtype!(around $name, $element $(; $($param),+)?);

        impl $(<$($param),+>)? FromIterator<$element> for $name {
            fn from_iter<I: IntoIterator<Item = $element>>(items: I) -> Self {
                Self(items.into_iter().collect())
            }
        }
    };
    (around $name:ty, $element:ty $(; $($param:ident),+)?) => {
        impl $(<$($param),+>)? std::ops::Deref for $name {
            type Target = Vec<$element>;
            fn deref(&self) -> &Self::Target { &self.0 }
        }

        impl $(<$($param),+>)? std::ops::DerefMut for $name {
            fn deref_mut(&mut self) -> &mut Self::Target { &mut self.0 }
        }

        impl $(<$($param),+>)? From<Vec<$element>> for $name {
            fn from(items: Vec<$element>) -> Self { Self(items) }
        }
    };
}
pub(crate) use vec_newtype;

macro_rules! packed {
    ($( $(#[$doc:meta])* $name:ident $(<$real:ident>)? : $element:ty; )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name $(<$real = f32>)? (
            /// The elements.
            pub Vec<$element>,
        );

        vec_newtype!($name $(<$real>)?, $element $(; $real)?);

        impl $(<$real>)? From<$name $(<$real>)?> for Vec<$element> {
            fn from(array: $name $(<$real>)?) -> Self { array.0 }
        }
    )+};
}

packed! {
    /// Bytes. Plain `Vec<u8>` is an `Array` of numbers; this is the packed type.
    PackedByteArray: u8;
    /// 32-bit integers.
    PackedInt32Array: i32;
    /// 64-bit integers (4.x).
    PackedInt64Array: i64;
    /// 32-bit floats.
    PackedFloat32Array: f32;
    /// 64-bit floats (4.x).
    PackedFloat64Array: f64;
    /// Strings.
    PackedStringArray: GString;
    /// 2D vectors.
    PackedVector2Array<R>: Vector2<R>;
    /// 3D vectors.
    PackedVector3Array<R>: Vector3<R>;
    /// Colours, with 32-bit channels in every engine.
    PackedColorArray<R>: Color<R>;
    /// 4D vectors (4.3 on).
    PackedVector4Array<R>: Vector4<R>;
}

impl From<Vec<String>> for PackedStringArray {
    fn from(items: Vec<String>) -> Self {
        items.into_iter().map(GString::from).collect()
    }
}

impl<'a> FromIterator<&'a str> for PackedStringArray {
    fn from_iter<I: IntoIterator<Item = &'a str>>(items: I) -> Self {
        items.into_iter().map(GString::new).collect()
    }
}

/// Borrowed bytes that are a `PackedByteArray` both ways, without a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedByteSlice<'a>(
    /// The bytes.
    pub &'a [u8],
);

impl AsRef<[u8]> for PackedByteArray {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for PackedByteSlice<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.0
    }
}
