//! `From` in both directions between the math types and `glam`.
//!
//! | this crate | `f32` | `f64` | `i32` |
//! |---|---|---|---|
//! | `Vector2`, `Vector2i` | `Vec2` | `DVec2` | `IVec2` |
//! | `Vector3`, `Vector3i` | `Vec3`, `Vec3A` | `DVec3` | `IVec3` |
//! | `Vector4`, `Vector4i` | `Vec4` | `DVec4` | `IVec4` |
//! | `Color` | `Vec4` | `DVec4` | |
//! | `Quaternion` | `Quat` | `DQuat` | |
//! | `Basis` | `Mat3`, `Mat3A` | `DMat3` | |
//! | `Transform2D` | `Affine2` | `DAffine2` | |
//! | `Transform3D` | `Affine3`, `Affine3A` | `DAffine3` | |
//! | `Projection` | `Mat4` | `DMat4` | |
//!
//! Both sides keep matrices by columns. Components are taken as they are: a quaternion is not
//! normalized, a basis may be sheared.

use crate::types::{
    Basis, Color, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector2i, Vector3,
    Vector3i, Vector4, Vector4i,
};

macro_rules! convert {
    ($to:ident, $from:ident ($value:ident => $array:expr); $($own:ty => $($glam:ident),+;)+) => {$($(
        impl From<glam::$glam> for $own {
            #[inline]
            fn from(value: glam::$glam) -> Self {
                Self::from_array(value.$to())
            }
        }

        impl From<$own> for glam::$glam {
            #[inline]
            fn from($value: $own) -> Self {
                Self::$from($array)
            }
        }
    )+)+};
}

convert! {
    to_array, from_array (value => value.to_array());
    Vector2 => Vec2;
    Vector3 => Vec3, Vec3A;
    Vector4 => Vec4;
    Color => Vec4;
    Quaternion => Quat;
    Vector2<f64> => DVec2;
    Vector3<f64> => DVec3;
    Vector4<f64> => DVec4;
    Color<f64> => DVec4;
    Quaternion<f64> => DQuat;
    Vector2i => IVec2;
    Vector3i => IVec3;
    Vector4i => IVec4;
}

convert! {
    to_cols_array, from_cols_array (value => &value.to_array());
    Basis => Mat3, Mat3A;
    Transform2D => Affine2;
    Transform3D => Affine3, Affine3A;
    Projection => Mat4;
    Basis<f64> => DMat3;
    Transform2D<f64> => DAffine2;
    Transform3D<f64> => DAffine3;
    Projection<f64> => DMat4;
}
