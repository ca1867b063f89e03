//! `From` in both directions between the vectors and `glam`; components are taken as they are, a
//! quaternion is not normalised.

use crate::types::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

macro_rules! convert {
    ($($own:ty => $($glam:ident),+;)+) => {$($(
        impl From<glam::$glam> for $own {
            #[inline]
            fn from(value: glam::$glam) -> Self {
                Self::from_array(value.to_array())
            }
        }

        impl From<$own> for glam::$glam {
            #[inline]
            fn from(value: $own) -> Self {
                Self::from_array(value.to_array())
            }
        }
    )+)+};
}

convert! {
    Vector2 => Vec2;
    Vector2Int => IVec2;
    Vector3 => Vec3, Vec3A;
    Vector3Int => IVec3;
    Vector4 => Vec4;
    Quaternion => Quat;
}
