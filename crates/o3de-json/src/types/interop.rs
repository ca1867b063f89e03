//! Conversions of the math types to and from those of `glam`.

use super::{Color, Matrix3x3, Matrix4x4, Quaternion, Vector2, Vector3, Vector4};

macro_rules! convert {
    ($($own:ident $glam:ident $of:ident $to:ident $($turned:ident)?;)+) => {$(
        impl From<glam::$glam> for $own {
            fn from(value: glam::$glam) -> Self {
                $own::from(value$(.$turned())?.$to())
            }
        }

        impl From<$own> for glam::$glam {
            fn from(value: $own) -> Self {
                glam::$glam::$of(&value.to_array())$(.$turned())?
            }
        }
    )+};
}

convert! {
    Vector2 Vec2 from_slice to_array;
    Vector3 Vec3 from_slice to_array;
    Vector4 Vec4 from_slice to_array;
    Color Vec4 from_slice to_array;
    Quaternion Quat from_slice to_array;
    // `glam` keeps matrices by columns.
    Matrix3x3 Mat3 from_cols_array to_cols_array transpose;
    Matrix4x4 Mat4 from_cols_array to_cols_array transpose;
}
