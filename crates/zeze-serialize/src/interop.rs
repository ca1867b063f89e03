//! `From` in both directions between the vectors and `glam` and `mint`; components are taken as they
//! are, a quaternion is not normalized.

use crate::types::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

macro_rules! convert {
    ($($feature:literal $own:ty: $($foreign:ty),+;)+) => {$($(
        #[cfg(feature = $feature)]
        impl From<$foreign> for $own {
            #[inline]
            fn from(value: $foreign) -> Self {
                Self::from_array(value.into())
            }
        }

        #[cfg(feature = $feature)]
        impl From<$own> for $foreign {
            #[inline]
            fn from(value: $own) -> Self {
                <$foreign>::from(value.to_array())
            }
        }
    )+)+};
}

convert! {
    "glam" Vector2: glam::Vec2;
    "glam" Vector2Int: glam::IVec2;
    "glam" Vector3: glam::Vec3, glam::Vec3A;
    "glam" Vector3Int: glam::IVec3;
    "glam" Vector4: glam::Vec4;
    "mint" Vector2: mint::Vector2<f32>, mint::Point2<f32>;
    "mint" Vector2Int: mint::Vector2<i32>, mint::Point2<i32>;
    "mint" Vector3: mint::Vector3<f32>, mint::Point3<f32>;
    "mint" Vector3Int: mint::Vector3<i32>, mint::Point3<i32>;
    "mint" Vector4: mint::Vector4<f32>;
}

#[cfg(feature = "glam")]
impl From<glam::Quat> for Quaternion {
    #[inline]
    fn from(value: glam::Quat) -> Self {
        Self::from_array(value.to_array())
    }
}

#[cfg(feature = "glam")]
impl From<Quaternion> for glam::Quat {
    #[inline]
    fn from(value: Quaternion) -> Self {
        glam::Quat::from_array(value.to_array())
    }
}

/// `mint` keeps the vector part and the scalar apart.
#[cfg(feature = "mint")]
impl From<mint::Quaternion<f32>> for Quaternion {
    #[inline]
    fn from(value: mint::Quaternion<f32>) -> Self {
        Quaternion::new(value.v.x, value.v.y, value.v.z, value.s)
    }
}

#[cfg(feature = "mint")]
impl From<Quaternion> for mint::Quaternion<f32> {
    #[inline]
    fn from(Quaternion { x, y, z, w }: Quaternion) -> Self {
        mint::Quaternion { v: mint::Vector3 { x, y, z }, s: w }
    }
}

macro_rules! into_mint {
    ($($own:ty => $foreign:ty;)+) => {$(
        #[cfg(feature = "mint")]
        impl mint::IntoMint for $own {
            type MintType = $foreign;
        }
    )+};
}

into_mint! {
    Vector2 => mint::Vector2<f32>;
    Vector3 => mint::Vector3<f32>;
    Vector4 => mint::Vector4<f32>;
    Quaternion => mint::Quaternion<f32>;
}
