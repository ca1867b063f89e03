//! How a [`Value`] passes through serde: here as text, elsewhere by serde's own data model.
//!
//! A serializer of this crate lends its buffer, and the value writes itself at the end of it
//! ([`gamewire_core::handoff`]).

use std::fmt;
use std::sync::Arc;

use gamewire_core::limits::MAX_DEPTH;
use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::decode::skip;
use super::encode::{self, Layout};
use super::{Array, Object, Value, build};
use crate::read::{Reader, Worth};
use crate::types::{RawValue, handoff};
use crate::write::{Ask, Limits};
use crate::{Error, ErrorKind, Options, Result};

/// The buffer that a serializer of this crate lends, and the value that its deserializer has read.
mod handed {
    gamewire_core::handoff! {
        super::Ask, super::Value, super::Error; "a name that begins with `$o3de::` is reserved"
    }
}

/// Deserializer side: leaves a value for the visitor of the reserved newtype, which is told of a unit.
pub(crate) fn hand_over<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    handed::give(value, || visitor.visit_unit())
}

/// Serializer side: shows the content of a reserved newtype to `make`, and the content writes itself
/// into the buffer.
pub(crate) fn as_text<T>(ask: Ask, make: impl FnOnce() -> Result<T>) -> (Vec<u8>, Result<()>) {
    let (ask, done) = handed::lend(ask, make);
    debug_assert!(ask.is_some(), "the buffer comes back");
    (ask.map(|ask| ask.out).unwrap_or_default(), done)
}

/// Appends a value as text, in the engine's layout or without space.
fn append(ask: &mut Ask, value: &Value) -> Result<()> {
    let base = "    ".repeat(if ask.pretty { ask.limits.depth } else { 0 });
    let layout = match ask.pretty {
        true => Layout::Lines { newline: "\n", unit: "    ", base: &base },
        false => Layout::Compact,
    };
    encode::value(&mut ask.out, value, layout, ask.limits)
}

/// Appends what is JSON text already; what stands on one line is laid out as the rest is.
pub(crate) fn append_raw(ask: &mut Ask, text: &str) -> Result<()> {
    let is_line = text.starts_with(['[', '{']) && text.len() > 2 && !text.contains('\n');
    if ask.pretty && is_line {
        return read(text).and_then(|value| append(ask, &value));
    }
    ask.out.extend_from_slice(text.as_bytes());
    check_depth(text, ask.limits)
}

/// Refuses text that nests deeper than what is left of a limit.
fn check_depth(text: &str, limits: Limits) -> Result<()> {
    let left = limits.max_depth.saturating_sub(limits.depth);
    // Each level has two brackets.
    if text.len() >> 1 <= left {
        return Ok(());
    }
    let options = Options::new().trailing_commas(true).max_depth(left);
    match skip(&mut Reader::new(text, &options)) {
        Err(error) if error.kind() == ErrorKind::DepthLimit => {
            Err(encode::too_deep(limits.max_depth))
        }
        _ => Ok(()),
    }
}

/// Reads text that was accepted once.
fn read(text: &str) -> Result<Value> {
    let options = Options::new().trailing_commas(true).max_depth(MAX_DEPTH).max_memory(usize::MAX);
    build::document(&Arc::new(text.to_owned()), &options, 0)
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::RAW, &Content(self, 0))
    }
}

/// How deep a value may nest that another serializer is shown: as deep as `serde_json` reads.
const MAX_FOREIGN: usize = 128;

/// The value without the name that this crate's serializer knows it by, and how many are around it.
struct Content<'a>(&'a Value, usize);

impl Serialize for RawValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::RAW, &RawContent(self.get()))
    }
}

/// The same for text, which others are shown as a string.
struct RawContent<'a>(&'a str);

impl Serialize for RawContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match handed::write_native(serializer, |ask| append_raw(ask, self.0)) {
            Ok(written) => written,
            Err(other) => other.serialize_str(self.0),
        }
    }
}

impl TryFrom<&Value> for RawValue {
    type Error = Error;

    /// The text of the value, which any format takes, however deep it is, and keeps as it is.
    fn try_from(value: &Value) -> Result<Self> {
        super::to_compact(value, usize::MAX, usize::MAX).map(|text| RawValue::checked(&text))
    }
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let serializer = match handed::write_native(serializer, |ask| append(ask, self.0)) {
            Ok(written) => return written,
            Err(other) => other,
        };
        // Other serializers recurse, and say nothing of their limits.
        if self.1 > MAX_FOREIGN {
            let message =
                format!("values deeper than {MAX_FOREIGN} go through other formats as a RawValue");
            return Err(S::Error::custom(message));
        }
        let depth = self.1.saturating_add(1);
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => match number.worth() {
                Worth::Signed(value) => serializer.serialize_i64(value),
                Worth::Unsigned(value) => match i64::try_from(value) {
                    Ok(value) => serializer.serialize_i64(value),
                    Err(_) => serializer.serialize_u64(value),
                },
                Worth::Double(value) => serializer.serialize_f64(value),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(array) => {
                let mut items = serializer.serialize_seq(Some(array.len()))?;
                array
                    .0
                    .iter()
                    .try_for_each(|item| items.serialize_element(&Content(item, depth)))?;
                items.end()
            }
            Value::Object(object) => {
                let mut members = serializer.serialize_map(Some(object.len()))?;
                object.iter().try_for_each(|(name, value)| {
                    members.serialize_entry(&**name, &Content(value, depth))
                })?;
                members.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(handoff::VALUE, ValueVisitor)
    }
}

gamewire_core::value_deserializer! { Value, Options, Error, true, texts }

/// The texts and bytes of a value itself, which a type can borrow.
fn texts<'v>(value: &'v Value, texts: &mut Vec<&'v [u8]>) {
    match value {
        Value::String(text) => texts.push(text.as_bytes()),
        Value::Object(object) => texts.extend(object.keys().map(|name| name.as_bytes())),
        _ => {}
    }
}

/// Takes the value, or the text of a short one, from this crate's deserializer, or the parts of it from
/// another one.
struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Value, D::Error> {
        deserializer.deserialize_any(PartsVisitor)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(handed::take().unwrap_or_default())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        read(text).map_err(E::custom)
    }
}

/// Takes a value that comes by serde's data model.
struct PartsVisitor;

/// The object that comes by serde's data model.
pub(crate) fn of_map<'de, A: MapAccess<'de>>(map: A) -> Result<Value, A::Error> {
    PartsVisitor.visit_map(map)
}

macro_rules! visits {
    ($($method:ident $type:ty),* $(,)?) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<Value, E> {
            Ok(value.into())
        }
    )*};
}

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    visits! {
        visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str,
        visit_string String,
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Array::new();
        while let Some(item) = seq.next_element::<Value>()? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Object::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            members.push(name, value);
        }
        Ok(members.into())
    }
}
