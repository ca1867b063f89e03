//! Values through serde: as they are in this crate's format, a notation in text, bytes elsewhere.

use std::fmt;

use serde_core::de::{self, Visitor};
use serde_core::ser::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::Value;
use super::decode::Decoder;
use crate::json;
use crate::kind::Kind;
use crate::options::Options;
use crate::types::{marker, raw::Raw};

/// The limits that the user wants are checked by those who know them, before and after.
const OPTIONS: Options =
    Options { max_depth: usize::MAX, max_output: usize::MAX, ..Options::new() };

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return json::serialize(self, serializer);
        }
        let bytes = self.to_vec(&OPTIONS).map_err(S::Error::custom)?;
        serializer.serialize_newtype_struct(marker::VALUE, &(self.kind().number(), Raw(&bytes)))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return json::deserialize(deserializer);
        }
        deserializer.deserialize_newtype_struct(marker::VALUE, PairVisitor)
    }
}

struct PairVisitor;

impl<'de> Visitor<'de> for PairVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the format")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_tuple(2, self)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let number: u8 = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let kind = Kind::from_number(number)
            .ok_or_else(|| de::Error::custom("expected a wire type of 0 to 12"))?;
        seq.next_element_seed(Content(kind))?.ok_or_else(|| de::Error::invalid_length(1, &self))
    }
}

/// Bytes of a wire type.
struct Content(Kind);

impl<'de> de::DeserializeSeed<'de> for Content {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Content {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a value")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        let mut decoder = Decoder::new(bytes, OPTIONS);
        let value = super::decode(&mut decoder, self.0, 0).map_err(E::custom)?;
        decoder.end().map_err(E::custom)?;
        Ok(value)
    }
}
