//! Types of a row of numbers, read from objects of other deserializers too.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};

use super::handoff::NewtypeVisitor;
use crate::value::of_map;

/// As [`handoff::read`](super::handoff::read), of a content `T`. An object in another deserializer, as
/// in a buffer of serde's, is read as a document is.
pub(super) fn read<'de, Own, T, D>(name: &'static str, deserializer: D) -> Result<Own, D::Error>
where
    Own: DeserializeOwned,
    T: Deserialize<'de> + Into<Own>,
    D: Deserializer<'de>,
{
    deserializer
        .deserialize_newtype_struct(name, RowVisitor(NewtypeVisitor::<T>::of(name), PhantomData))
}

struct RowVisitor<Own, T>(NewtypeVisitor<T>, PhantomData<fn() -> Own>);

impl<'de, Own: DeserializeOwned, T: Deserialize<'de> + Into<Own>> Visitor<'de>
    for RowVisitor<Own, T>
{
    type Value = Own;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Own, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(self),
            false => T::deserialize(deserializer).map(Into::into),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Own, A::Error> {
        let value = of_map(map)?;
        crate::from_value(&value).map_err(A::Error::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Own, A::Error> {
        self.0.visit_seq(seq).map(Into::into)
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<Own, E> {
        self.0.visit_str(text).map(Into::into)
    }
}
