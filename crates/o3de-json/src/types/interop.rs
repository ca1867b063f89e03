//! Conversions of the math types to and from those of `glam`.

use super::{Color, Matrix3x3, Matrix4x4, Quaternion, Vector2, Vector3, Vector4};

macro_rules! convert {
    ($($own:ident $glam:ident),+) => {$(
        impl From<glam::$glam> for $own {
            fn from(value: glam::$glam) -> Self {
                $own::from(value.to_array())
            }
        }

        impl From<$own> for glam::$glam {
            fn from(value: $own) -> Self {
                glam::$glam::from_array(value.to_array())
            }
        }
    )+};
}

convert!(Vector2 Vec2, Vector3 Vec3, Vector4 Vec4, Color Vec4, Quaternion Quat);

/// `glam` keeps matrices by columns.
macro_rules! convert_rows {
    ($($own:ident $glam:ident),+) => {$(
        impl From<glam::$glam> for $own {
            fn from(value: glam::$glam) -> Self {
                $own::from(value.transpose().to_cols_array())
            }
        }

        impl From<$own> for glam::$glam {
            fn from(value: $own) -> Self {
                glam::$glam::from_cols_array(&value.to_array()).transpose()
            }
        }
    )+};
}

convert_rows!(Matrix3x3 Mat3, Matrix4x4 Mat4);
