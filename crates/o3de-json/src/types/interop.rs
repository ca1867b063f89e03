//! Conversions of the math types to and from other crates' types.

#[cfg(feature = "glam")]
mod with_glam {
    use super::super::{Color, Matrix3x3, Matrix4x4, Quaternion, Vector2, Vector3, Vector4};

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
}

#[cfg(feature = "mint")]
mod with_mint {
    use super::super::{Quaternion, Vector2, Vector3, Vector4};

    macro_rules! convert {
        ($($own:ident $len:literal),+) => {$(
            impl From<mint::$own<f32>> for $own {
                fn from(value: mint::$own<f32>) -> Self {
                    $own::from(<[f32; $len]>::from(value))
                }
            }

            impl From<$own> for mint::$own<f32> {
                fn from(value: $own) -> Self {
                    value.to_array().into()
                }
            }

            impl mint::IntoMint for $own {
                type MintType = mint::$own<f32>;
            }
        )+};
    }

    convert!(Vector2 2, Vector3 3, Vector4 4, Quaternion 4);
}
