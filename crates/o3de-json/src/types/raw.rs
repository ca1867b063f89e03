use std::fmt;
use std::ops::Deref;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gamewire_core::bytes::part;
use serde_core::de::value::SeqAccessDeserializer;
use serde_core::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::handoff;

/// Any JSON value, kept as the text it was: comments, spelling of numbers and all.
///
/// In other formats it is a string with that text. The default is `{}`, the engine's explicit
/// default.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawValue(RawRepr);

/// Numbers and short strings, which are most of the values of overrides, need no allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
enum RawRepr {
    Short(u8, [u8; Self::SHORT]),
    Long(Box<str>),
}

impl RawRepr {
    const SHORT: usize = 22;
}

impl RawValue {
    /// From text that was found to be one JSON value.
    pub(crate) fn checked(text: &str) -> Self {
        let mut short = [0; RawRepr::SHORT];
        let place = short.get_mut(..text.len()).zip(u8::try_from(text.len()).ok());
        let Some((place, len)) = place else { return RawValue(RawRepr::Long(text.into())) };
        place.copy_from_slice(text.as_bytes());
        RawValue(RawRepr::Short(len, short))
    }

    /// The text.
    pub fn get(&self) -> &str {
        match &self.0 {
            RawRepr::Short(len, text) => {
                let text = std::str::from_utf8(part(text, ..usize::from(*len)));
                debug_assert!(text.is_ok(), "whole text was put in");
                text.unwrap_or_default()
            }
            RawRepr::Long(text) => text,
        }
    }
}

impl Default for RawValue {
    fn default() -> Self {
        RawValue::checked("{}")
    }
}

impl fmt::Debug for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawValue").field(&self.get()).finish()
    }
}

impl fmt::Display for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// Bytes (`AZStd::vector<u8>`): base64 in a string.
///
/// Other types of bytes, such as those of `serde_bytes`, are written as arrays of numbers, and read from
/// both: inside of types with `flatten` and of tagged and untagged enums, serde could not tell their
/// base64 from text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(
    /// The bytes themselves.
    pub Vec<u8>,
);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes(bytes)
    }
}

struct BytesContent<'a>(&'a [u8]);

impl Serialize for BytesContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::BYTES, &BytesContent(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;

        impl<'de> Visitor<'de> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                other: D,
            ) -> Result<Bytes, D::Error> {
                other.deserialize_byte_buf(self)
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_owned()))
            }

            /// Base64, which is what a buffer of serde's has.
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
                let bytes = BASE64_STANDARD.decode(text).map(Bytes);
                bytes.map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Bytes, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Bytes)
            }
        }

        deserializer.deserialize_newtype_struct(handoff::BYTES, BytesVisitor)
    }
}
