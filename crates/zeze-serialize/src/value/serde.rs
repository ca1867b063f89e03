//! Values through serde: as they are in this crate's format, a notation in text, bytes elsewhere.

use std::fmt;

use serde_core::de::{self, DeserializeSeed, IgnoredAny, Visitor};
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
        let mut bytes = Vec::with_capacity(128);
        bytes.push(self.kind().number());
        let levels = super::encode(self, &mut bytes, &OPTIONS).map_err(S::Error::custom)?;
        let is_deep = levels > marker::SHALLOW;
        let name = if is_deep { marker::DEEP_VALUE } else { marker::VALUE };
        serializer.serialize_newtype_struct(name, &Raw(&bytes))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return json::deserialize(deserializer);
        }
        deserializer.deserialize_newtype_struct(marker::VALUE, ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a wire type and the bytes of a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_bytes(self)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        let wrong = || E::custom("expected a wire type of 0 to 12");
        let (kind, bytes) = marker::split_kind(bytes).ok_or_else(wrong)?;
        let mut decoder = Decoder::new(bytes, OPTIONS);
        let value = super::decode(&mut decoder, kind, 0).map_err(E::custom)?;
        decoder.end().map_err(E::custom)?;
        Ok(value)
    }

    /// From this crate's own format, which hands over where the value begins and takes back where it
    /// ends.
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let number: Option<u8> = seq.next_element()?;
        let number = number.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let kind = Kind::from_number(number & !marker::STRICT);
        let source = kind.zip(seq.next_element::<usize>()?).zip(seq.next_element::<&'de [u8]>()?);
        let ((kind, depth), bytes) = source.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let options = OPTIONS.max_depth(depth).strict(number & marker::STRICT != 0);
        let mut decoder = Decoder::new(bytes, options);
        let value = super::decode(&mut decoder, kind, 0).map_err(de::Error::custom)?;
        seq.next_element_seed(Used(decoder.offset()))?;
        Ok(value)
    }
}

/// Tells how many bytes the value was, as the length of a tuple.
struct Used(usize);

impl<'de> DeserializeSeed<'de> for Used {
    type Value = IgnoredAny;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<IgnoredAny, D::Error> {
        deserializer.deserialize_tuple(self.0, IgnoredAny)
    }
}
