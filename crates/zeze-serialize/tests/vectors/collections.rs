//! Sets and maps that keep the order of their entries, as those of the reference do.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::Check;
use crate::vectors::notation::Notation;

/// A set in the order in which its elements came first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Set<T>(Vec<T>);

/// A map in the order in which its keys came first, with the value that came last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map(Vec::new())
    }
}

impl<T: Serialize> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + PartialEq> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut items = Vec::new();
        for item in Vec::deserialize(deserializer)? {
            if !items.contains(&item) {
                items.push(item);
            }
        }
        Ok(Set(items))
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de, K: Deserialize<'de> + PartialEq, V: Deserialize<'de>> Deserialize<'de> for Map<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de> + PartialEq, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
    type Value = Map<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Map<K, V>, A::Error> {
        let mut entries: Vec<(K, V)> = Vec::new();
        while let Some((key, value)) = map.next_entry()? {
            match entries.iter_mut().find(|(own, _)| *own == key) {
                Some((_, own)) => *own = value,
                None => entries.push((key, value)),
            }
        }
        Ok(Map(entries))
    }
}

impl<T: Notation> Notation for Set<T> {
    fn show(&self) -> Json {
        self.0.show()
    }

    fn read(json: &Json) -> Check<Self> {
        Vec::read(json).map(Set)
    }
}

impl<K: Notation, V: Notation> Notation for Map<K, V> {
    fn show(&self) -> Json {
        self.0.iter().map(|(key, value)| json!([key.show(), value.show()])).collect()
    }

    fn read(json: &Json) -> Check<Self> {
        let entries = json.as_array().ok_or_else(|| format!("the row has {json}, not a map"))?;
        let entry = |entry: &Json| match entry.as_array().map(Vec::as_slice) {
            Some([key, value]) => Ok((K::read(key)?, V::read(value)?)),
            _ => Err(format!("the row has {entry}, not an entry of a map")),
        };
        entries.iter().map(entry).collect::<Check<_>>().map(Map)
    }
}
