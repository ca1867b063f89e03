//! `From` in both directions between the vectors and `mint`.

use crate::types::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

macro_rules! convert {
    ($($own:ty => $mint:ty, $array:ty;)+) => {$(
        impl From<$mint> for $own {
            #[inline]
            fn from(value: $mint) -> Self {
                Self::from_array(<$array>::from(value))
            }
        }

        impl From<$own> for $mint {
            #[inline]
            fn from(value: $own) -> Self {
                <$mint>::from(value.to_array())
            }
        }
    )+};
}

convert! {
    Vector2 => mint::Vector2<f32>, [f32; 2];
    Vector2 => mint::Point2<f32>, [f32; 2];
    Vector2Int => mint::Vector2<i32>, [i32; 2];
    Vector2Int => mint::Point2<i32>, [i32; 2];
    Vector3 => mint::Vector3<f32>, [f32; 3];
    Vector3 => mint::Point3<f32>, [f32; 3];
    Vector3Int => mint::Vector3<i32>, [i32; 3];
    Vector3Int => mint::Point3<i32>, [i32; 3];
    Vector4 => mint::Vector4<f32>, [f32; 4];
}

/// `mint` keeps the vector part and the scalar apart.
impl From<mint::Quaternion<f32>> for Quaternion {
    #[inline]
    fn from(value: mint::Quaternion<f32>) -> Self {
        Quaternion::new(value.v.x, value.v.y, value.v.z, value.s)
    }
}

impl From<Quaternion> for mint::Quaternion<f32> {
    #[inline]
    fn from(Quaternion { x, y, z, w }: Quaternion) -> Self {
        mint::Quaternion { v: mint::Vector3 { x, y, z }, s: w }
    }
}

impl mint::IntoMint for Vector2 {
    type MintType = mint::Vector2<f32>;
}

impl mint::IntoMint for Vector3 {
    type MintType = mint::Vector3<f32>;
}

impl mint::IntoMint for Vector4 {
    type MintType = mint::Vector4<f32>;
}

impl mint::IntoMint for Quaternion {
    type MintType = mint::Quaternion<f32>;
}
