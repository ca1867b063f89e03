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
    (
        $($own:ty => $mint:ident<$scalar:ty> $(for $r:ident)? {
            $($field:ident = $theirs:ident),+
        };)+
    ) => {$(
        impl $(<$r>)? From<mint::$mint<$scalar>> for $own {
            #[inline]
            fn from(value: mint::$mint<$scalar>) -> Self {
                Self { $($field: value.$theirs.into()),+ }
            }
        }

        impl $(<$r>)? From<$own> for mint::$mint<$scalar> {
            #[inline]
            fn from(value: $own) -> Self {
                mint::$mint { $($theirs: value.$field.into()),+ }
            }
        }
    )+};
}

convert! {
    Vector2<R> => Vector2<R> for R { x = x, y = y };
    Vector2<R> => Point2<R> for R { x = x, y = y };
    Vector3<R> => Vector3<R> for R { x = x, y = y, z = z };
    Vector3<R> => Point3<R> for R { x = x, y = y, z = z };
    Vector4<R> => Vector4<R> for R { x = x, y = y, z = z, w = w };
    Basis<R> => ColumnMatrix3<R> for R { x = x, y = y, z = z };
    Transform2D<R> => ColumnMatrix2x3<R> for R { x = x, y = y, origin = z };
    Projection<R> => ColumnMatrix4<R> for R { x = x, y = y, z = z, w = w };
    Vector2i => Vector2<i32> { x = x, y = y };
    Vector3i => Vector3<i32> { x = x, y = y, z = z };
    Vector4i => Vector4<i32> { x = x, y = y, z = z, w = w };
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
    ($($own:ty => $mint:ident<$scalar:ty> $(for $r:ident)?;)+) => {$(
        impl $(<$r>)? mint::IntoMint for $own {
            type MintType = mint::$mint<$scalar>;
        }
    )+};
}

into_mint! {
    Vector2<R> => Vector2<R> for R;
    Vector3<R> => Vector3<R> for R;
    Vector4<R> => Vector4<R> for R;
    Vector2i => Vector2<i32>;
    Vector3i => Vector3<i32>;
    Vector4i => Vector4<i32>;
    Quaternion<R> => Quaternion<R> for R;
    Basis<R> => ColumnMatrix3<R> for R;
    Transform2D<R> => ColumnMatrix2x3<R> for R;
    Transform3D<R> => ColumnMatrix3x4<R> for R;
    Projection<R> => ColumnMatrix4<R> for R;
}
