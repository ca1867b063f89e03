//! Typed arrays and dictionaries: newtypes around what they hold.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{Deserializer, MapAccess, Visitor};
use serde_core::ser::Serializer;
use serde_core::{Deserialize, Serialize};

use super::*;

impl<T: Element + Serialize> Serialize for TypedArray<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(typed_array(T::TYPE), &self.0)
    }
}

struct ThroughVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ThroughVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a typed container")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        T::deserialize(inner)
    }
}

impl<'de, T: Element + Deserialize<'de>> Deserialize<'de> for TypedArray<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = ThroughVisitor(PhantomData);
        deserializer.deserialize_newtype_struct(typed_array(T::TYPE), visitor).map(TypedArray)
    }
}

/// Inside of a typed dictionary: the value type, then the entries.
struct TypedEntries<'a, K, V>(&'a [(K, V)]);

impl<K: Serialize, V: Serialize + Element> Serialize for TypedEntries<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Map<'a, K, V>(&'a [(K, V)]);

        impl<K: Serialize, V: Serialize> Serialize for Map<'_, K, V> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
            }
        }

        serializer.serialize_newtype_struct(typed_value(V::TYPE), &Map(self.0))
    }
}

impl<K: Element + Serialize, V: Element + Serialize> Serialize for TypedDictionary<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(typed_key(K::TYPE), &TypedEntries(&self.0))
    }
}

/// Reads the entries: inside of the newtype of the key type, then in that of the value type.
struct EntriesVisitor<K, V, const IN_VALUES: bool>(PhantomData<(K, V)>);

impl<'de, K, V, const IN_VALUES: bool> Visitor<'de> for EntriesVisitor<K, V, IN_VALUES>
where
    K: Deserialize<'de>,
    V: Deserialize<'de> + Element,
{
    type Value = Vec<(K, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dictionary")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        if IN_VALUES {
            return inner.deserialize_map(self);
        }
        let values = EntriesVisitor::<K, V, true>(PhantomData);
        inner.deserialize_newtype_struct(typed_value(V::TYPE), values)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(0).min(4096));
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

impl<'de, K, V> Deserialize<'de> for TypedDictionary<K, V>
where
    K: Element + Deserialize<'de>,
    V: Element + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = EntriesVisitor::<K, V, false>(PhantomData);
        deserializer.deserialize_newtype_struct(typed_key(K::TYPE), visitor).map(TypedDictionary)
    }
}
