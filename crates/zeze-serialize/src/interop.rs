//! `From` in both directions between the vectors and `glam`; components are taken as they
//! are, a quaternion is not normalized.

use crate::types::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

macro_rules! convert {
    ($($own:ty: $($foreign:ty),+;)+) => {$($(
        impl From<$foreign> for $own {
            #[inline]
            fn from(value: $foreign) -> Self {
                Self::from_array(value.into())
            }
        }

        impl From<$own> for $foreign {
            #[inline]
            fn from(value: $own) -> Self {
                <$foreign>::from(value.to_array())
            }
        }
    )+)+};
}

convert! {
    Vector2: glam::Vec2;
    Vector2Int: glam::IVec2;
    Vector3: glam::Vec3, glam::Vec3A;
    Vector3Int: glam::IVec3;
    Vector4: glam::Vec4;
}

impl From<glam::Quat> for Quaternion {
    #[inline]
    fn from(value: glam::Quat) -> Self {
        Self::from_array(value.to_array())
    }
}

impl From<Quaternion> for glam::Quat {
    #[inline]
    fn from(value: Quaternion) -> Self {
        glam::Quat::from_array(value.to_array())
    }
}
