//! Packed arrays: in bulk in this crate's format, sequences in others.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_core::ser::Serializer;
use serde_core::{Deserialize, Serialize};

use super::*;
use crate::handoff;

/// The elements of a packed array, written in bulk by this crate.
struct Bulk<'a, T>(&'a [T]);

impl<T: PackedElement + WireElement + Serialize> Serialize for Bulk<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let native =
            handoff::write_native(serializer, |writer| crate::value::write_packed(writer, self.0));
        match native {
            Ok(done) => done,
            Err(serializer) => serializer.collect_seq(self.0),
        }
    }
}

/// Reads a packed array: as encoded elements from this crate, as a sequence from others.
/// `OWN` is whether bytes are elements that this crate encoded.
pub(super) struct PackedVisitor<T, const OWN: bool>(pub(super) PhantomData<T>);

impl<'de, T, const OWN: bool> Visitor<'de> for PackedVisitor<T, OWN>
where
    T: PackedElement + WireElement + Deserialize<'de>,
{
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::PACKED.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Vec<T>, D::Error> {
        inside(inner, PackedVisitor::<T, false>(PhantomData), D::deserialize_seq)
    }

    fn visit_bytes<E: serde_core::de::Error>(self, bytes: &[u8]) -> Result<Vec<T>, E> {
        if OWN || T::PACKED == Type::PackedByteArray {
            return Ok(T::read_all(bytes));
        }
        Err(E::invalid_type(serde_core::de::Unexpected::Bytes(bytes), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::with_capacity(seq.size_hint().unwrap_or(0).min(4096));
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<T>, A::Error> {
        let value = tagged(&mut map, &self)?;
        crate::value::packed_elements(&value)
            .ok_or_else(|| A::Error::invalid_type(serde_core::de::Unexpected::Map, &self))
    }
}

macro_rules! packed {
    ($($type:ty: $name:expr;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($name, &Bulk(&self.0))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = PackedVisitor::<_, true>(PhantomData);
                deserializer.deserialize_newtype_struct($name, visitor).map(Self)
            }
        }
    )+};
    (both $($name:ident),+) => {
        packed! {$(
            $name<f32>: name!(stringify!($name));
            $name<f64>: name!(stringify!($name), ":f64");
        )+}
    };
}

packed!(both PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array);
packed! {
    PackedByteArray: name!("PackedByteArray");
    PackedInt32Array: name!("PackedInt32Array");
    PackedInt64Array: name!("PackedInt64Array");
    PackedFloat32Array: name!("PackedFloat32Array");
    PackedFloat64Array: name!("PackedFloat64Array");
}

impl Serialize for PackedByteSlice<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(name!("PackedByteArray"), &Bulk(self.0))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for PackedByteSlice<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(PackedByteSlice)
    }
}
