use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::members::members;
use super::{handoff, whole};

macro_rules! row {
    (
        $(#[$meta:meta])*
        $name:ident, $reserved:expr, $len:literal,
        { $($(#[$field_meta:meta])* $field:ident),+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: f32,)+
        }

        impl $name {
            /// From its components in order.
            pub const fn new($($field: f32),+) -> Self {
                $name { $($field),+ }
            }

            /// Its components in order.
            pub const fn to_array(self) -> [f32; $len] {
                [$(self.$field),+]
            }
        }

        impl From<[f32; $len]> for $name {
            fn from([$($field),+]: [f32; $len]) -> Self {
                $name { $($field),+ }
            }
        }

        row_traits!($name, $reserved, $len);
    };
}

macro_rules! row_traits {
    ($name:ident, $reserved:expr, $len:literal) => {
        impl From<$name> for [f32; $len] {
            fn from(value: $name) -> Self {
                value.to_array()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($reserved, &self.to_array())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                whole::read::<$name, [f32; $len], D>($reserved, deserializer)
            }
        }
    };
}

row! {
    /// Two components.
    #[derive(Default)]
    Vector2, handoff::VECTOR2, 2, {
        /// Right.
        x,
        /// Forward.
        y
    }
}
row! {
    /// Three components; Z is up.
    #[derive(Default)]
    Vector3, handoff::VECTOR3, 3, {
        /// Right.
        x,
        /// Forward.
        y,
        /// Up.
        z
    }
}
row! {
    /// Four components.
    #[derive(Default)]
    Vector4, handoff::VECTOR4, 4, {
        /// The first.
        x,
        /// The second.
        y,
        /// The third.
        z,
        /// The fourth.
        w
    }
}
row! {
    /// A rotation; the engine does not normalize it when it is loaded. The default is no rotation.
    Quaternion, handoff::QUATERNION, 4, {
        /// The first imaginary component.
        x,
        /// The second imaginary component.
        y,
        /// The third imaginary component.
        z,
        /// The real part.
        w
    }
}
row! {
    /// Red, green, blue and alpha, from 0 to 1 and beyond. The default is all zeros, alpha too.
    ///
    /// Numbers without a point are refused in the float spellings, as by the engine: `[1.0, 0, 0]`
    /// is no colour.
    #[derive(Default)]
    Color, handoff::COLOR, 4, {
        /// Red.
        r,
        /// Green.
        g,
        /// Blue.
        b,
        /// Opacity.
        a
    }
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Quaternion = Quaternion::new(0.0, 0.0, 0.0, 1.0);
}

impl Default for Quaternion {
    fn default() -> Self {
        Quaternion::IDENTITY
    }
}

macro_rules! matrix {
    (
        $(#[$meta:meta])*
        $name:ident, $reserved:expr, $len:literal, [$($cell:literal),+]
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(
            /// Row by row.
            pub [f32; $len],
        );

        impl $name {
            /// No change.
            pub const IDENTITY: $name = $name([$($cell),+]);

            /// Row by row.
            pub const fn to_array(self) -> [f32; $len] {
                self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $name::IDENTITY
            }
        }

        impl From<[f32; $len]> for $name {
            fn from(rows: [f32; $len]) -> Self {
                $name(rows)
            }
        }

        row_traits!($name, $reserved, $len);
    };
}

matrix! {
    /// Three rows of three. The default is the identity.
    Matrix3x3, handoff::MATRIX3X3, 9,
    [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
}
matrix! {
    /// Three rows of four, the last column is the translation. The default is the identity.
    Matrix3x4, handoff::MATRIX3X4, 12,
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
}
matrix! {
    /// Four rows of four. The default is the identity.
    Matrix4x4, handoff::MATRIX4X4, 16,
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// Translation, rotation and uniform scale. The default is the identity.
///
/// The transform of the editor's components in prefabs has another shape, a class with `Translate`
/// and `Rotate` in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// In metres.
    pub translation: Vector3,
    /// Not normalized when loaded.
    pub rotation: Quaternion,
    /// In all directions.
    pub scale: f32,
}

impl Transform {
    /// No change.
    pub const IDENTITY: Transform = Transform {
        translation: Vector3::new(0.0, 0.0, 0.0),
        rotation: Quaternion::IDENTITY,
        scale: 1.0,
    };
}

impl Default for Transform {
    fn default() -> Self {
        Transform::IDENTITY
    }
}

impl Serialize for Transform {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct(handoff::TRANSFORM, 3)?;
        members.serialize_field("Translation", &self.translation)?;
        members.serialize_field("Rotation", &self.rotation)?;
        members.serialize_field("Scale", &self.scale)?;
        members.end()
    }
}

members! {
    Transform, handoff::TRANSFORM, "a Transform",
    { "Translation" translation, "Rotation" rotation, "Scale" scale }
}
