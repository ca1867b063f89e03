//! How a [`Value`] passes through serde: here as text, elsewhere by serde's own data model.
//!
//! A serializer of this crate says through a thread-local cell that it wants text, and at which
//! depth. There is no way in the band: serde's data model has no place for the spelling of a number,
//! and what a `Value` hands to one serializer in its stead it would hand to all.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::decode::skip;
use super::encode::{self, Layout, Limits};
use super::number::Worth;
use super::{Array, Number, Object, Value, build};
use crate::read::Reader;
use crate::types::handoff;
use crate::{Error, ErrorKind, Options, Result};

/// How a serializer of this crate wants the text of a value.
#[derive(Clone, Copy)]
struct Ask {
    pretty: bool,
    /// How deep the value stands.
    depth: usize,
}

thread_local! {
    /// Set by the serializers of this crate for the content of a value, and by no other.
    static ASK: Cell<Option<Ask>> = const { Cell::new(None) };
    /// What is wrong with a value; other serializers have errors of their own.
    static FAILED: Cell<Option<Error>> = const { Cell::new(None) };
}

/// Serializer side: makes something of the content of a reserved newtype, which comes as text, laid
/// out for a depth or on one line.
pub(crate) fn as_text<T>(
    depth: usize,
    pretty: bool,
    make: impl FnOnce() -> Result<T>,
) -> Result<T> {
    FAILED.set(None);
    ASK.set(Some(Ask { pretty, depth }));
    let done = make();
    ASK.set(None);
    done.map_err(|error| FAILED.take().unwrap_or(error))
}

/// Refuses text that nests deeper than what is left of a limit.
pub(crate) fn check_depth(text: &str, left: usize, max_depth: usize) -> Result<()> {
    let options = Options::new().trailing_commas(true).max_depth(left);
    match skip(&mut Reader::new(text, &options)) {
        Err(error) if error.kind() == ErrorKind::DepthLimit => Err(encode::too_deep(max_depth)),
        _ => Ok(()),
    }
}

/// JSON text in the engine's layout. `base` is the indentation of the line that it begins on.
pub(crate) fn laid_out(text: &str, base: &str) -> Result<String> {
    let value = read(text)?;
    let mut out = String::with_capacity(text.len());
    let layout = Layout::Lines { newline: "\n", unit: "    ", base };
    encode::value(&mut out, &value, layout, UNLIMITED)?;
    Ok(out)
}

/// The serializer around it has its own limits.
const UNLIMITED: Limits = Limits::new(usize::MAX, usize::MAX);

/// What was accepted once needs no limit.
fn read(text: &str) -> Result<Value> {
    let options = Options::new().trailing_commas(true).max_depth(usize::MAX);
    build::document(&Arc::new(text.to_owned()), &options)
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::RAW, &Content(self))
    }
}

/// The value without the name that this crate's serializer knows it by.
struct Content<'a>(&'a Value);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if let Some(ask) = ASK.take() {
            let base = "    ".repeat(if ask.pretty { ask.depth } else { 0 });
            let layout = match ask.pretty {
                true => Layout::Lines { newline: "\n", unit: "    ", base: &base },
                false => Layout::Compact,
            };
            let mut text = String::new();
            return match encode::value(&mut text, self.0, layout, UNLIMITED) {
                Ok(()) => serializer.serialize_str(&text),
                Err(error) => {
                    let said = S::Error::custom(&error);
                    FAILED.set(Some(error));
                    Err(said)
                }
            };
        }
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => match number.worth() {
                Worth::Int(value) => serializer.serialize_i64(value),
                Worth::Uint(value) => serializer.serialize_u64(value),
                Worth::Double(value) => serializer.serialize_f64(value),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(array) => {
                let mut items = serializer.serialize_seq(Some(array.len()))?;
                array.0.iter().try_for_each(|item| items.serialize_element(&Content(item)))?;
                items.end()
            }
            Value::Object(object) => {
                let mut members = serializer.serialize_map(Some(object.len()))?;
                object.iter().try_for_each(|(name, value)| {
                    members.serialize_entry(&**name, &Content(value))
                })?;
                members.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(handoff::RAW, Whole)
    }
}

/// Takes the text of the value from this crate's deserializer, or the value from another one.
struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Value, D::Error> {
        deserializer.deserialize_any(Parts)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Value, E> {
        read(text).map_err(E::custom)
    }
}

/// Takes a value that comes by serde's data model.
struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(Number::from(value).into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(Number::from(value).into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<Value, E> {
        Ok(Number::from(value).into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> std::result::Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Value, A::Error> {
        let mut items = Array::new();
        while let Some(item) = seq.next_element::<Value>()? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let mut members = Object::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            members.push(name, value);
        }
        Ok(members.into())
    }
}
