//! The JSON notation of a file: that of the engine for one value, a wrapper around it for the rest.
//!
//! ```text
//! {"framing": "store_var", "values": [value, …]}
//! {"framing": "project", "settings": {"name": value, …}}
//! ```
//!
//! A `dialect` that is not that of Godot 4 is said, too.
//!
//! The notation of a value has `type` in each object, and never `framing`, so the two cannot be
//! mistaken for one another.

mod locate;

use std::fmt;

use gamewire_core::bytes::hex;
use godot_variant::native_json::{NativeJson, NativeJsonSeed};
use godot_variant::project::ProjectSettings;
use godot_variant::{Dialect, Value};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};

use super::content::{Body, Content, Gap, Other};
use super::settings::{DIALECTS, FRAMINGS, Framing, WRAPPINGS};
use crate::document::choice::{self, named};
use crate::document::error::Error;
use crate::document::json::{self, Each};

/// A file, as it is written.
pub(super) struct NativeFile<'a> {
    pub(super) content: &'a Content,
    /// Whether to write the wrapper where it is not needed.
    pub(super) wrap: bool,
    pub(super) levels: usize,
}

impl Serialize for NativeFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let levels = self.levels;
        let value = |value| NativeJson::<&Value>(value).write_deep(levels);
        let between = &self.content.between;
        let is_default = self.content.dialect == Dialect::default();
        if let (Body::Values(values), false) =
            (&self.content.body, self.wrap || !between.is_empty() || !is_default)
            && let [only] = values.as_slice()
        {
            return value(only).serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        if let Some(wrapping) = self.content.wrapping {
            map.serialize_entry("wrapping", &wrapping.name())?;
        }
        map.serialize_entry("framing", &self.content.framing.name())?;
        if !is_default {
            map.serialize_entry("dialect", &choice::name(DIALECTS, &self.content.dialect))?;
        }
        if !between.is_empty() {
            map.serialize_entry("between", &Sequence(|| between.iter().map(Between::of)))?;
        }
        match &self.content.body {
            Body::Values(values) => {
                map.serialize_entry("values", &Sequence(|| values.iter().map(value)))?;
            }
            Body::Settings(settings) => {
                let entries = || settings.entries.iter().map(|(name, own)| (name, value(own)));
                map.serialize_entry("settings", &EntryMap(entries))?;
            }
        }
        map.end()
    }
}

/// Something that is no value, and the value that it stands before.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Between {
    before: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl Between {
    fn of(gap: &Gap) -> Self {
        let empty = Between { before: gap.before, number: None, text: None, bytes: None };
        match &gap.what {
            Other::Number(number) => Between { number: Some(*number), ..empty },
            Other::Text(text) => Between { text: Some(text.clone()), ..empty },
            Other::Bytes(bytes) => Between { bytes: Some(hex(bytes)), ..empty },
        }
    }

    fn into_gap(self) -> Result<Gap, &'static str> {
        let what = match (self.number, self.text, self.bytes) {
            (Some(number), None, None) => Other::Number(number),
            (None, Some(text), None) => Other::Text(text),
            (None, None, Some(digits)) => {
                let byte = |at: usize| {
                    digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok())
                };
                let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Option<_>>();
                Other::Bytes(bytes.ok_or("expected hexadecimal digits in `bytes`")?)
            }
            _ => return Err("expected one of `number`, `text` and `bytes` in `between`"),
        };
        Ok(Gap { before: self.before, what })
    }
}

/// The items of a function, as an array.
struct Sequence<F>(F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// The entries of a function, as an object. Names that occur twice are written twice.
struct EntryMap<F>(F);

impl<F, I, K, V> Serialize for EntryMap<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = (K, V)>,
    K: Serialize,
    V: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}

/// Reads a file's notation. The framing that is given counts, then that of the wrapper; a value
/// without a wrapper is bare.
pub(super) fn read(text: &[u8], framing: Option<Framing>, levels: usize) -> Result<Content, Error> {
    let seed = NativeJsonSeed::new(levels);
    let content = if json::members(text, &["framing"]).contains_key("framing") {
        json::read(text, FileSeed(seed))
    } else {
        let only = |value| Content {
            framing: Framing::Bare,
            wrapping: None,
            dialect: Dialect::default(),
            body: Body::Values(vec![value]),
            between: Vec::new(),
            has_rest: false,
            source: None,
        };
        json::read(text, seed).map(only)
    };
    match content {
        Ok(content) => Ok(Content { framing: framing.unwrap_or(content.framing), ..content }),
        Err(fault) => Err(locate::locate(text).unwrap_or(fault)),
    }
}

/// Reads the wrapper.
struct FileSeed(NativeJsonSeed);

impl<'de> DeserializeSeed<'de> for FileSeed {
    type Value = Content;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FileSeed {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `framing` and `values` or `settings`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
        let (mut framing, mut body) = (None, None);
        let (mut wrapping, mut between, mut dialect) = (None, None, None);
        while let Some(name) = map.next_key::<String>()? {
            let is_new = match name.as_str() {
                "framing" => {
                    let found = named(FRAMINGS, "framing", &map.next_value::<String>()?);
                    framing.replace(found.map_err(A::Error::custom)?).is_none()
                }
                "wrapping" => {
                    let found = named(WRAPPINGS, "wrapping", &map.next_value::<String>()?);
                    wrapping.replace(found.map_err(A::Error::custom)?).is_none()
                }
                "dialect" => {
                    let found = named(DIALECTS, "dialect", &map.next_value::<String>()?);
                    dialect.replace(found.map_err(A::Error::custom)?).is_none()
                }
                "between" => {
                    let gaps = map.next_value::<Vec<Between>>()?.into_iter();
                    let gaps = gaps.map(|own| own.into_gap().map_err(A::Error::custom));
                    between.replace(gaps.collect::<Result<Vec<_>, _>>()?).is_none()
                }
                "values" => {
                    let values = map.next_value_seed(Each(self.0, "values"))?;
                    body.replace(Body::Values(values)).is_none()
                }
                "settings" => {
                    let entries = map.next_value_seed(SettingsSeed(self.0))?;
                    body.replace(Body::Settings(ProjectSettings { entries })).is_none()
                }
                _ => return Err(A::Error::custom(format_args!("unknown member {name:?}"))),
            };
            if !is_new {
                return Err(A::Error::custom(format_args!("there is something before {name:?}")));
            }
        }
        let framing = framing.flatten().ok_or_else(|| A::Error::missing_field("framing"))?;
        let body = body.ok_or_else(|| A::Error::custom("expected `values` or `settings`"))?;
        let between = between.unwrap_or_default();
        let (wrapping, dialect) = (wrapping.flatten(), dialect.unwrap_or_default());
        Ok(Content { framing, wrapping, dialect, body, between, has_rest: false, source: None })
    }
}

struct SettingsSeed(NativeJsonSeed);

impl<'de> DeserializeSeed<'de> for SettingsSeed {
    type Value = Vec<(String, Value)>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SettingsSeed {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            entries.push((name, map.next_value_seed(self.0)?));
        }
        Ok(entries)
    }
}
