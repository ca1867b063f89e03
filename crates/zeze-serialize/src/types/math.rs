use std::fmt;

use serde_core::de::{self, SeqAccess, Visitor};
use serde_core::ser::SerializeTupleStruct;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::marker;

macro_rules! vectors {
    ($($(#[$doc:meta])* $name:ident $scalar:ident $len:literal $marker:ident ($($field:ident)+);)+) => {$(
        $(#[$doc])*
        ///
        /// In other serde formats it is an array.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[repr(C)]
        pub struct $name {
            $(
                #[doc = concat!("The component ", stringify!($field), ".")]
                pub $field: $scalar,
            )+
        }

        impl $name {
            /// From its components.
            #[inline]
            pub const fn new($($field: $scalar),+) -> Self {
                $name { $($field),+ }
            }

            /// The components in their order.
            #[inline]
            pub const fn to_array(self) -> [$scalar; $len] {
                [$(self.$field),+]
            }

            /// From the components in their order.
            #[inline]
            pub const fn from_array([$($field),+]: [$scalar; $len]) -> Self {
                $name { $($field),+ }
            }
        }

        impl From<[$scalar; $len]> for $name {
            #[inline]
            fn from(components: [$scalar; $len]) -> Self {
                Self::from_array(components)
            }
        }

        impl From<$name> for [$scalar; $len] {
            #[inline]
            fn from(vector: $name) -> Self {
                vector.to_array()
            }
        }

        impl Serialize for $name {
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut components = serializer.serialize_tuple_struct(marker::$marker, $len)?;
                $(components.serialize_field(&self.$field)?;)+
                components.end()
            }
        }

        impl<'de> Deserialize<'de> for $name {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Components;
                impl<'de> Visitor<'de> for Components {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("the ", $len, " components of a ", stringify!($name)))
                    }
                    #[inline]
                    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<$name, A::Error> {
                        let mut index = 0;
                        $(
                            let Some($field) = seq.next_element()? else {
                                return Err(de::Error::invalid_length(index, &self));
                            };
                            index = usize::saturating_add(index, 1);
                        )+
                        let _ = index;
                        Ok($name { $($field),+ })
                    }
                }
                deserializer.deserialize_tuple_struct(marker::$marker, $len, Components)
            }
        }
    )+};
}

vectors! {
    /// A point or direction of two floats: `vector2`.
    Vector2 f32 2 VECTOR2 (x y);
    #[derive(Eq, PartialOrd, Ord, Hash)]
    /// A point of two integers: `vector2int`.
    Vector2Int i32 2 VECTOR2_INT (x y);
    /// A point or direction of three floats: `vector3`.
    Vector3 f32 3 VECTOR3 (x y z);
    #[derive(Eq, PartialOrd, Ord, Hash)]
    /// A point of three integers: `vector3int`.
    Vector3Int i32 3 VECTOR3_INT (x y z);
    /// Four floats: `vector4`.
    Vector4 f32 4 VECTOR4 (x y z w);
    /// A rotation: `quaternion`, on the wire the same as [`Vector4`]. Its default is all zero; the rotation
    /// that changes nothing is (0, 0, 0, 1) and is written.
    Quaternion f32 4 VECTOR4 (x y z w);
}
