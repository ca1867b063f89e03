//! The math types: rows of numbers.

use crate::types::{Type, WireElement};

/// Component type of the real-typed values: `f32` in usual engine builds, `f64` in builds with
/// `precision=double`.
///
/// Sealed: there are no other implementations.
pub trait Real:
    Copy
    + Default
    + PartialEq
    + std::fmt::Debug
    + Send
    + Sync
    + 'static
    + serde_core::Serialize
    + for<'de> serde_core::Deserialize<'de>
    + sealed::Sealed
{
    /// Bytes on the wire: 4 or 8.
    const SIZE: usize;
    #[doc(hidden)]
    const WIDE: bool;
    /// Rounds as IEEE 754 says; exact for `f64`.
    fn from_f64(value: f64) -> Self;
    /// Exact.
    fn to_f64(self) -> f64;
    /// The bits, for exact comparison and hashing.
    fn bits(self) -> u64;
    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Option<Self>;
    #[doc(hidden)]
    fn write(self, out: &mut Vec<u8>);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

macro_rules! real {
    ($($real:ident: $size:literal, $wide:literal, |$value:ident| $narrowed:expr;)+) => {$(
        impl Real for $real {
            const SIZE: usize = $size;
            const WIDE: bool = $wide;
            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "as the engine rounds")]
            fn from_f64($value: f64) -> Self { $narrowed }
            #[inline]
            fn to_f64(self) -> f64 { self.into() }
            #[inline]
            fn bits(self) -> u64 { self.to_bits().into() }
            #[inline]
            fn read(bytes: &[u8]) -> Option<Self> { bytes.try_into().ok().map($real::from_le_bytes) }
            #[inline]
            fn write(self, out: &mut Vec<u8>) { out.extend_from_slice(&self.to_le_bytes()); }
        }
    )+};
}

real! {
    f32: 4, false, |value| value as f32;
    f64: 8, true, |value| value;
}

/// A math type as a row of equal components, in the order in which its fields are declared.
pub(crate) trait Components: Copy {
    type Scalar;
    type Array: AsRef<[Self::Scalar]> + Copy;
    const TYPE: Type;
    fn to_components(self) -> Self::Array;
    fn from_components(components: Self::Array) -> Self;
    /// From exactly the encoded components, in this order.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

/// From memory order (axis columns) to the engine's wire order (rows), and back: the first nine
/// components are a 3×3 matrix that is transposed.
/// <https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#payloads-of-godot-4>
#[inline]
pub(crate) fn transpose_basis<T: Copy, const N: usize>(mut c: [T; N]) -> [T; N] {
    for (a, b) in [(1, 3), (2, 6), (5, 7)] {
        if b < N {
            c.swap(a, b);
        }
    }
    c
}

/// Components of the other width. A loop, since each `map` of an array is compiled for its closure and length.
#[inline]
pub(crate) fn cast<R: Real, S: Real, const N: usize>(components: &[R; N]) -> [S; N] {
    let mut made = [S::default(); N];
    let pairs = made.iter_mut().zip(components);
    pairs.for_each(|(place, component)| *place = S::from_f64(component.to_f64()));
    made
}

/// Makes a math type a row of components. After `of` stand their paths, in the order in which
/// the fields are declared.
macro_rules! row {
    (
        ($($r:ident: $bound:ident)?) $type:ty, $scalar:ty, $size:expr, $read:expr,
        $name:ident [$count:literal] of $($($part:ident).+),+
    ) => {
        impl<$($r: $bound)?> Components for $type {
            type Scalar = $scalar;
            type Array = [$scalar; $count];
            const TYPE: Type = Type::$name;
            #[inline]
            fn to_components(self) -> Self::Array { [$(self.$($part).+),+] }
            #[inline]
            fn from_components(components: Self::Array) -> Self {
                let (mut made, mut components) = (Self::default(), components.into_iter());
                $(made.$($part).+ = components.next().unwrap_or_default();)+
                made
            }
            #[inline]
            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                let (mut made, mut parts) = (Self::default(), bytes.chunks_exact($size));
                $(made.$($part).+ = $read(parts.next()?)?;)+
                (parts.next().is_none() && parts.remainder().is_empty()).then_some(made)
            }
        }

        impl<$($r: $bound)?> $type {
            /// The components, in the order in which the fields are declared.
            #[inline]
            pub fn to_array(self) -> [$scalar; $count] { self.to_components() }

            /// From components in the order in which the fields are declared.
            #[inline]
            pub fn from_array(components: [$scalar; $count]) -> Self {
                Self::from_components(components)
            }
        }

        impl<$($r: $bound)?> From<[$scalar; $count]> for $type {
            #[inline]
            fn from(components: [$scalar; $count]) -> Self { Self::from_components(components) }
        }

        impl<$($r: $bound)?> From<$type> for [$scalar; $count] {
            #[inline]
            fn from(value: $type) -> Self { value.to_components() }
        }
    };
}

macro_rules! math {
    ($(
        $(#[$doc:meta])*
        $name:ident<R> [$count:literal] { $( $(#[$fdoc:meta])* $field:ident : $ftype:ty, )+ }
        of $($($part:ident).+),+;
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name<R = f32> { $( $(#[$fdoc])* pub $field: $ftype, )+ }

        row!((R: Real) $name<R>, R, R::SIZE, R::read, $name [$count] of $($($part).+),+);

        impl<R: Real> $name<R> {
            /// The same value with components of the other width; narrowing rounds.
            #[inline]
            pub fn cast<S: Real>(self) -> $name<S> {
                $name::from_components(cast(&self.to_components()))
            }
        }
    )+};
}

math! {
    /// Two components.
    Vector2<R> [2] {
        /// X.
        x: R,
        /// Y.
        y: R,
    } of x, y;

    /// A rectangle; the size may be negative.
    Rect2<R> [4] {
        /// The corner with the smallest coordinates, if the size is positive.
        position: Vector2<R>,
        /// From `position` to the opposite corner.
        size: Vector2<R>,
    } of position.x, position.y, size.x, size.y;

    /// Three components. Godot's axes: Y up, right-handed, metres.
    Vector3<R> [3] {
        /// X, right.
        x: R,
        /// Y, up.
        y: R,
        /// Z, towards the viewer.
        z: R,
    } of x, y, z;

    /// A 2×3 matrix: two axes and an origin.
    Transform2D<R> [6] {
        /// Where the X axis goes.
        x: Vector2<R>,
        /// Where the Y axis goes.
        y: Vector2<R>,
        /// Where the origin goes.
        origin: Vector2<R>,
    } of x.x, x.y, y.x, y.y, origin.x, origin.y;

    /// Four components.
    Vector4<R> [4] {
        /// X.
        x: R,
        /// Y.
        y: R,
        /// Z.
        z: R,
        /// W.
        w: R,
    } of x, y, z, w;

    /// A plane in Hessian form.
    Plane<R> [4] {
        /// The normal, usually of length 1.
        normal: Vector3<R>,
        /// Distance of the plane from the origin along the normal.
        d: R,
    } of normal.x, normal.y, normal.z, d;

    /// A rotation, usually of length 1.
    Quaternion<R> [4] {
        /// Imaginary i.
        x: R,
        /// Imaginary j.
        y: R,
        /// Imaginary k.
        z: R,
        /// Real part.
        w: R,
    } of x, y, z, w;

    /// An axis-aligned box (the engine's `AABB`); the size may be negative.
    Aabb<R> [6] {
        /// The corner with the smallest coordinates, if the size is positive.
        position: Vector3<R>,
        /// From `position` to the opposite corner.
        size: Vector3<R>,
    } of position.x, position.y, position.z, size.x, size.y, size.z;

    /// A 3×3 matrix by its axes, as GDScript's `Basis(x, y, z)`. The engine sends it by rows.
    Basis<R> [9] {
        /// Where the X axis goes (first column).
        x: Vector3<R>,
        /// Where the Y axis goes (second column).
        y: Vector3<R>,
        /// Where the Z axis goes (third column).
        z: Vector3<R>,
    } of x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z;

    /// A basis and an origin. The engine sends the basis by rows.
    Transform3D<R> [12] {
        /// Rotation, scale and shear.
        basis: Basis<R>,
        /// Where the origin goes.
        origin: Vector3<R>,
    } of
        basis.x.x, basis.x.y, basis.x.z, basis.y.x, basis.y.y, basis.y.z, basis.z.x, basis.z.y,
        basis.z.z, origin.x, origin.y, origin.z;

    /// A 4×4 matrix by its columns.
    Projection<R> [16] {
        /// First column.
        x: Vector4<R>,
        /// Second column.
        y: Vector4<R>,
        /// Third column.
        z: Vector4<R>,
        /// Fourth column.
        w: Vector4<R>,
    } of x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w, z.x, z.y, z.z, z.w, w.x, w.y, w.z, w.w;

    /// A colour. Channels are usually 0 to 1 and may be above 1 for overbright colours. Every
    /// engine sends 32-bit channels; `Color<f64>` exists for [`Dialect::Docs`](crate::Dialect).
    Color<R> [4] {
        /// Red.
        r: R,
        /// Green.
        g: R,
        /// Blue.
        b: R,
        /// Alpha: 0 is transparent, 1 opaque.
        a: R,
    } of r, g, b, a;
}

macro_rules! integer_math {
    ($(
        $(#[$doc:meta])*
        $name:ident [$count:literal] { $( $(#[$fdoc:meta])* $field:ident : $ftype:ty, )+ }
        of $($($part:ident).+),+;
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name { $( $(#[$fdoc])* pub $field: $ftype, )+ }

        row!(() $name, i32, 4, i32::read_one, $name [$count] of $($($part).+),+);
    )+};
}

integer_math! {
    /// Two whole components (4.x).
    Vector2i [2] {
        /// X.
        x: i32,
        /// Y.
        y: i32,
    } of x, y;

    /// A rectangle of whole units (4.x); the size may be negative.
    Rect2i [4] {
        /// The corner with the smallest coordinates, if the size is positive.
        position: Vector2i,
        /// From `position` to the opposite corner.
        size: Vector2i,
    } of position.x, position.y, size.x, size.y;

    /// Three whole components (4.x).
    Vector3i [3] {
        /// X.
        x: i32,
        /// Y.
        y: i32,
        /// Z.
        z: i32,
    } of x, y, z;

    /// Four whole components (4.x).
    Vector4i [4] {
        /// X.
        x: i32,
        /// Y.
        y: i32,
        /// Z.
        z: i32,
        /// W.
        w: i32,
    } of x, y, z, w;
}

macro_rules! constructors {
    ($( $name:ident { $($field:ident),+ } of $scalar:ty; )+) => {$(
        impl $name {
            /// From the components, in the order in which the fields are declared.
            #[inline]
            pub const fn new($($field: $scalar),+) -> Self { $name { $($field),+ } }
        }
    )+};
}

constructors! {
    Vector2 { x, y } of f32;
    Vector3 { x, y, z } of f32;
    Vector4 { x, y, z, w } of f32;
    Quaternion { x, y, z, w } of f32;
    Color { r, g, b, a } of f32;
    Vector2i { x, y } of i32;
    Vector3i { x, y, z } of i32;
    Vector4i { x, y, z, w } of i32;
}
