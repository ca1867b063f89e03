//! Math types: encoded components in this crate's format, sequences of numbers in others.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_core::ser::Serializer;
use serde_core::{Deserialize, Serialize};

use super::*;

/// Reads a math type: as encoded components from this crate, as a sequence from others.
/// `OWN` is whether bytes are components that this crate encoded.
struct MathVisitor<T, const OWN: bool>(PhantomData<T>);

impl<'de, T, const OWN: bool> Visitor<'de> for MathVisitor<T, OWN>
where
    T: Components + DeserializeOwned,
    T::Scalar: WireElement + Deserialize<'de>,
    T::Array: for<'a> TryFrom<&'a [T::Scalar]>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::TYPE.name())
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        inside(inner, MathVisitor::<T, false>(PhantomData), |inner, visitor| {
            inner.deserialize_tuple(T::TYPE.components(), visitor)
        })
    }

    #[inline]
    fn visit_bytes<E: serde_core::de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        if !OWN {
            return Err(E::invalid_type(serde_core::de::Unexpected::Bytes(bytes), &self));
        }
        T::from_bytes(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &self))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let count = T::TYPE.components();
        let mut components = [T::Scalar::default(); 16];
        let mut found = 0_usize;
        while let Some(component) = seq.next_element()? {
            if let Some(place) = components.get_mut(found) {
                *place = component;
            }
            found = found.saturating_add(1);
        }
        let read = components.get(..count).filter(|_| found == count).unwrap_or_default();
        let array = T::Array::try_from(read).ok().map(T::from_components);
        array.ok_or_else(|| A::Error::invalid_length(found, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        from_tagged(map, &self)
    }
}

macro_rules! math {
    ($($type:ty: $name:expr;)+) => {$(
        impl Serialize for $type {
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($name, &self.to_components())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct($name, MathVisitor::<_, true>(PhantomData))
            }
        }
    )+};
    (both $($name:ident),+) => {
        math! {$(
            $name<f32>: name!(stringify!($name));
            $name<f64>: name!(stringify!($name), ":f64");
        )+}
    };
}

math! {
    both Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb, Basis, Transform3D,
    Projection, Color
}
math! {
    Vector2i: name!("Vector2i");
    Rect2i: name!("Rect2i");
    Vector3i: name!("Vector3i");
    Vector4i: name!("Vector4i");
}
