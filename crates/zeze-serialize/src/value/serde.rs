//! Values through serde: as they are in this crate's format, a notation in text, bytes elsewhere.

use std::fmt;

use serde_core::de::{self, Visitor};
use serde_core::ser::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::Value;
use crate::error::{Error, ErrorKind};
use crate::handoff;
use crate::json;
use crate::kind::Kind;
use crate::options::Options;
use crate::types::marker;

/// No limits but the largest depth: other formats have separate limits.
const OPTIONS: Options = Options::new().max_depth(usize::MAX).max_output(usize::MAX);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return json::serialize(self, serializer);
        }
        serializer.serialize_newtype_struct(marker::VALUE, &Native(self))
    }
}

/// The content of the newtype: for this crate's serializer the value, for others bytes.
struct Native<'v>(&'v Value);

impl Serialize for Native<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match handoff::write_native(serializer, |lent| lent.write(self.0)) {
            Ok(written) => written,
            Err(serializer) => {
                let mut bytes = Vec::with_capacity(128);
                bytes.push(self.0.kind().number());
                super::encode(self.0, 0, &mut bytes, &OPTIONS).map_err(S::Error::custom)?;
                serializer.serialize_bytes(&bytes)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return json::deserialize(deserializer, of_bytes);
        }
        deserializer.deserialize_newtype_struct(marker::VALUE, ValueVisitor)
    }
}

gamewire_core::value_deserializer! { Value, Options, Error, false, texts }

/// The texts and bytes of a value itself, which a type can borrow.
fn texts<'v>(value: &'v Value, texts: &mut Vec<&'v [u8]>) {
    texts.extend(value.as_bytes());
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a wire type and the bytes of a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        match handoff::take() {
            Some(value) => Ok(value),
            None => inner.deserialize_bytes(self),
        }
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        of_bytes(bytes).map_err(E::custom)
    }
}

/// A value that another format has as its wire type and bytes.
fn of_bytes(bytes: &[u8]) -> Result<Value, Error> {
    let wrong = |text| Err(Error::new(ErrorKind::Data, text));
    let Some((number, bytes)) = bytes.split_first() else {
        return wrong("expected a wire type and a value, found no bytes");
    };
    let Some(kind) = Kind::from_number(*number) else {
        return wrong("expected a wire type of 0 to 12");
    };
    let (value, rest) = Value::take_from_slice(bytes, kind, &OPTIONS)?;
    if rest.is_empty() { Ok(value) } else { wrong("expected the end of the value") }
}
