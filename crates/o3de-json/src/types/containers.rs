use std::collections::HashMap;
use std::fmt;
use std::iter::FromIterator;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use serde_core::de::{
    self, Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_core::ser::{Error as _, Serialize, Serializer};

use super::handoff;

struct EntriesRef<'a, K, V>(&'a [(K, V)]);

impl<K: Serialize, V: Serialize> Serialize for EntriesRef<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

struct EntriesVisitor<K, V>(PhantomData<fn() -> (K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for EntriesVisitor<K, V> {
    type Value = Vec<(K, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries: Vec<(K, V)> = Vec::new();
        while let Some((key, value)) = map.next_entry()? {
            entries.push((key, value));
        }
        Ok(entries)
    }

    /// The deserializer of this crate has a number between key and value that is the same for the
    /// same keys: a key that comes again has its value replaced.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut entries: Vec<(K, V)> = Vec::new();
        let mut places: HashMap<u64, usize> = HashMap::new();
        while let Some(key) = seq.next_element()? {
            let (number, value) = seq
                .next_element()?
                .zip(seq.next_element()?)
                .ok_or_else(|| A::Error::custom("expected a number and a value after a key"))?;
            let known = places.get(&number).and_then(|&at| entries.get_mut(at));
            match known {
                Some((_, place)) => *place = value,
                None => {
                    places.insert(number, entries.len());
                    entries.push((key, value));
                }
            }
        }
        Ok(entries)
    }
}

macro_rules! list {
    ($(#[$meta:meta])* $name:ident<$($parameter:ident),+> of $element:ty) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name<$($parameter),+>(
            /// The elements or entries, in order.
            pub Vec<$element>,
        );

        impl<$($parameter),+> Default for $name<$($parameter),+> {
            fn default() -> Self {
                $name(Vec::new())
            }
        }

        impl<$($parameter),+> Deref for $name<$($parameter),+> {
            type Target = Vec<$element>;

            fn deref(&self) -> &Vec<$element> {
                &self.0
            }
        }

        impl<$($parameter),+> DerefMut for $name<$($parameter),+> {
            fn deref_mut(&mut self) -> &mut Vec<$element> {
                &mut self.0
            }
        }

        impl<$($parameter),+> From<Vec<$element>> for $name<$($parameter),+> {
            fn from(list: Vec<$element>) -> Self {
                $name(list)
            }
        }

        impl<$($parameter),+> FromIterator<$element> for $name<$($parameter),+> {
            fn from_iter<I: IntoIterator<Item = $element>>(list: I) -> Self {
                $name(list.into_iter().collect())
            }
        }
    };
}

macro_rules! map {
    ($(#[$meta:meta])* $name:ident, $reserved:expr) => {
        list! { $(#[$meta])* $name<K, V> of (K, V) }

        impl<K: Serialize, V: Serialize> Serialize for $name<K, V> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($reserved, &EntriesRef(&self.0))
            }
        }

        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de>
            for $name<K, V>
        {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = EntriesVisitor(PhantomData);
                deserializer.deserialize_newtype_struct($reserved, visitor).map($name)
            }
        }
    };
}

map! {
    /// A map for keys that have neither order nor hash (`AZStd::map`); the entries stay in their
    /// order. `BTreeMap` is written in the same way, but for an empty one, which is `{}` and here `[]`.
    Map, handoff::MAP
}
map! {
    /// A map for keys that have neither order nor hash (`AZStd::unordered_map`), written sorted by
    /// the JSON of the keys. See [`ser::sorted`](crate::ser::sorted) for a `HashMap`.
    UnorderedMap, handoff::UNORDERED_MAP
}
map! {
    /// A map with several values for a key (`AZStd::unordered_multimap`): the values of a key
    /// stand in an array.
    MultiMap, handoff::MULTI_MAP
}

macro_rules! set {
    ($(#[$meta:meta])* $name:ident, $reserved:expr) => {
        list! { $(#[$meta])* $name<T> of T }

        impl<T: Serialize> Serialize for $name<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($reserved, self.0.as_slice())
            }
        }

        impl<'de, T: Deserialize<'de>> Deserialize<'de> for $name<T> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                handoff::read($reserved, deserializer).map($name)
            }
        }
    };
}

set! {
    /// A set for elements that have neither order nor hash (`AZStd::set`); they stay in their
    /// order. An element that is present already is
    /// [`Unavailable`](crate::report::Outcome::Unavailable). `BTreeSet` is written in the same way.
    Set, handoff::SET
}
set! {
    /// A set for elements that have neither order nor hash (`AZStd::unordered_set`), written sorted
    /// by their JSON. See [`ser::sorted`](crate::ser::sorted) for a `HashSet`.
    UnorderedSet, handoff::UNORDERED_SET
}
set! {
    /// A set that may have an element several times (`AZStd::unordered_multiset`), written sorted
    /// by their JSON.
    MultiSet, handoff::MULTI_SET
}

/// A pair or tuple with the engine's rules: an element that does not fit is skipped, and the one
/// after it takes its place; spare elements are ignored without a word.
///
/// A tuple of Rust is read as an array is, from which serde cannot tell it: spare elements are
/// reported, and what does not fit leaves its place as it was. Both are written alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tuple<T>(
    /// The tuple.
    pub T,
);

impl<T: Serialize> Serialize for Tuple<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Tuple<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        handoff::read(handoff::TUPLE, deserializer).map(Tuple)
    }
}

/// A list of no more than `N` elements (`AZStd::fixed_vector`): those of the text past its capacity are
/// [`Skipped`](crate::report::Outcome::Skipped). One that holds more is not written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixedVec<T, const N: usize>(
    /// The elements.
    pub Vec<T>,
);

impl<T, const N: usize> Default for FixedVec<T, N> {
    fn default() -> Self {
        FixedVec(Vec::new())
    }
}

impl<T, const N: usize> Deref for FixedVec<T, N> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Serialize, const N: usize> Serialize for FixedVec<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.len() > N {
            let message = format!("expected no more than {N} elements, found {}", self.0.len());
            return Err(S::Error::custom(message));
        }
        self.0.serialize(serializer)
    }
}

/// An element past the capacity; whether the deserializer is this crate's, which passes it over.
struct Full(bool);

struct FullVisitor;

impl<'de> Visitor<'de> for FullVisitor {
    type Value = Full;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, other: D) -> Result<Full, D::Error> {
        IgnoredAny::deserialize(other).map(|_| Full(false))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Full, E> {
        Ok(Full(true))
    }
}

impl<'de> Deserialize<'de> for Full {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(handoff::FULL, FullVisitor)
    }
}

struct FixedVisitor<T, const N: usize>(PhantomData<fn() -> T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for FixedVisitor<T, N> {
    type Value = FixedVec<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of no more than {N} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = FixedVec(Vec::new());
        while list.len() < N {
            let Some(element) = seq.next_element()? else { return Ok(list) };
            list.0.push(element);
        }
        match seq.next_element::<Full>()? {
            Some(Full(false)) => Err(A::Error::invalid_length(N.saturating_add(1), &self)),
            _ => Ok(list),
        }
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for FixedVec<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(FixedVisitor(PhantomData))
    }
}
