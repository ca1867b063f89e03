//! `From` in both directions between the math types and `mint`, for any component.
//!
//! | this crate | mint |
//! |---|---|
//! | `Vector2`, `Vector3`, `Vector4` | `Vector2`, `Vector3`, `Vector4` |
//! | `Vector2i`, `Vector3i`, `Vector4i` | the same of `i32` |
//! | `Vector2`, `Vector3` | `Point2`, `Point3` |
//! | `Quaternion` | `Quaternion` |
//! | `Basis` | `ColumnMatrix3` |
//! | `Transform2D` | `ColumnMatrix2x3`, the origin as third column |
//! | `Transform3D` | `ColumnMatrix3x4`, the origin as fourth column |
//! | `Projection` | `ColumnMatrix4` |
//!
//! mint converts between its column and row matrices. [`mint::IntoMint`] names the first of each.

use crate::types::{
    Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i,
    Vector4, Vector4i,
};

/// Field by field: own name, then mint's.
macro_rules! convert {
    ($($own:ident => $mint:ident { $($field:ident = $theirs:ident),+ };)+) => {$(
        impl<R> From<mint::$mint<R>> for $own<R> {
            #[inline]
            fn from(value: mint::$mint<R>) -> Self {
                $own { $($field: value.$theirs.into()),+ }
            }
        }

        impl<R> From<$own<R>> for mint::$mint<R> {
            #[inline]
            fn from(value: $own<R>) -> Self {
                mint::$mint { $($theirs: value.$field.into()),+ }
            }
        }
    )+};
}

convert! {
    Vector2 => Vector2 { x = x, y = y };
    Vector2 => Point2 { x = x, y = y };
    Vector3 => Vector3 { x = x, y = y, z = z };
    Vector3 => Point3 { x = x, y = y, z = z };
    Vector4 => Vector4 { x = x, y = y, z = z, w = w };
    Basis => ColumnMatrix3 { x = x, y = y, z = z };
    Transform2D => ColumnMatrix2x3 { x = x, y = y, origin = z };
    Projection => ColumnMatrix4 { x = x, y = y, z = z, w = w };
}

macro_rules! convert_integers {
    ($($own:ident => $mint:ident { $($field:ident),+ };)+) => {$(
        impl From<mint::$mint<i32>> for $own {
            #[inline]
            fn from(value: mint::$mint<i32>) -> Self {
                $own { $($field: value.$field),+ }
            }
        }

        impl From<$own> for mint::$mint<i32> {
            #[inline]
            fn from(value: $own) -> Self {
                mint::$mint { $($field: value.$field),+ }
            }
        }

        impl mint::IntoMint for $own {
            type MintType = mint::$mint<i32>;
        }
    )+};
}

convert_integers! {
    Vector2i => Vector2 { x, y };
    Vector3i => Vector3 { x, y, z };
    Vector4i => Vector4 { x, y, z, w };
}

impl<R> From<mint::Quaternion<R>> for Quaternion<R> {
    #[inline]
    fn from(value: mint::Quaternion<R>) -> Self {
        Quaternion { x: value.v.x, y: value.v.y, z: value.v.z, w: value.s }
    }
}

impl<R> From<Quaternion<R>> for mint::Quaternion<R> {
    #[inline]
    fn from(value: Quaternion<R>) -> Self {
        mint::Quaternion { v: mint::Vector3 { x: value.x, y: value.y, z: value.z }, s: value.w }
    }
}

impl<R> From<mint::ColumnMatrix3x4<R>> for Transform3D<R> {
    #[inline]
    fn from(value: mint::ColumnMatrix3x4<R>) -> Self {
        let basis = Basis { x: value.x.into(), y: value.y.into(), z: value.z.into() };
        Transform3D { basis, origin: value.w.into() }
    }
}

impl<R> From<Transform3D<R>> for mint::ColumnMatrix3x4<R> {
    #[inline]
    fn from(value: Transform3D<R>) -> Self {
        let Basis { x, y, z } = value.basis;
        mint::ColumnMatrix3x4 { x: x.into(), y: y.into(), z: z.into(), w: value.origin.into() }
    }
}

macro_rules! into_mint {
    ($($own:ident => $mint:ident;)+) => {$(
        impl<R> mint::IntoMint for $own<R> {
            type MintType = mint::$mint<R>;
        }
    )+};
}

into_mint! {
    Vector2 => Vector2;
    Vector3 => Vector3;
    Vector4 => Vector4;
    Quaternion => Quaternion;
    Basis => ColumnMatrix3;
    Transform2D => ColumnMatrix2x3;
    Transform3D => ColumnMatrix3x4;
    Projection => ColumnMatrix4;
}
