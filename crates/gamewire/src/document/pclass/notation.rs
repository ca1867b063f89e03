//! The JSON notation of a file: that of its object, and on request a wrapper around it.
//!
//! ```text
//! {"form": "bind", "mode": "deep", "flags": 7, "mask": 1, "objects": [object]}
//! ```
//!
//! The notation of an object has `$type` in it, and never `form`.

use std::fmt;

use kiwi_pclass::json as notation;
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::{Mode, Options, Value};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::content::{Content, Terms};
use super::settings::{FORMS, Form, MODES};
use crate::document::choice::{self, named};
use crate::document::error::Error;
use crate::document::json::{self, Json, RawText};

/// A file, as it is written.
pub(super) struct ObjectsFile<'a> {
    pub(super) content: &'a Content,
    pub(super) wrap: bool,
}

impl Serialize for ObjectsFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Content { form, mode, flags, mask, objects } = self.content;
        if let ([only], false) = (objects.as_slice(), self.wrap) {
            return only.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("form", &form.name())?;
        map.serialize_entry("mode", &choice::name(MODES, mode))?;
        map.serialize_entry("flags", &flags.0)?;
        map.serialize_entry("mask", &mask.0)?;
        map.serialize_entry("objects", objects)?;
        map.end()
    }
}

/// Reads a file's notation. What the command line says counts, then the wrapper.
pub(super) fn read(text: &[u8], terms: &Terms) -> Result<Content, Error> {
    let around = Around::read(text)?;
    let form = terms.form.or(around.form).unwrap_or(Form::Bind);
    let content = Content {
        form,
        mode: match (form, terms.mode.or(around.mode)) {
            (Form::Bind, _) => Mode::Deep,
            (_, Some(mode)) => mode,
            (form, None) => terms.default_mode(form),
        },
        flags: terms.flags.or(around.flags).unwrap_or_else(|| terms.default_flags(form)),
        mask: terms.mask.or(around.mask).unwrap_or_else(|| terms.default_mask(form)),
        objects: Vec::new(),
    };
    let options = terms.options(form)?.mode(content.mode).flags(content.flags).mask(content.mask);
    let objects = match around.form {
        Some(_) => json::read(text, ObjectsSeed(&options))?,
        None => {
            let whole = std::str::from_utf8(text).map_err(|error| Error::new(error.to_string()))?;
            vec![notation::from_str(whole, &options)?]
        }
    };
    Ok(Content { objects, ..content })
}

/// The members of a wrapper; none of a text without one.
#[derive(Default)]
struct Around {
    form: Option<Form>,
    mode: Option<Mode>,
    flags: Option<SerializerFlags>,
    mask: Option<PropertyFlags>,
}

impl Around {
    fn read(text: &[u8]) -> Result<Self, Error> {
        let members = json::members(text, &["form", "mode", "flags", "mask"]);
        // An object without a wrapper may have properties that are called so.
        let Some(form) = members.get("form") else { return Ok(Around::default()) };
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let number = |name: &str| match members.get(name).map(|json| (json, json.as_u64())) {
            None => Ok(None),
            Some((json, number)) => match number.map(u32::try_from) {
                Some(Ok(number)) => Ok(Some(number)),
                _ => Err(Error::new(format!("expected 32 bits, found {json}"))),
            },
        };
        let mode = members.get("mode").map(|mode| named(MODES, "mode", &text(mode)));
        Ok(Around {
            form: named(FORMS, "form", &text(form))?,
            mode: mode.transpose()?,
            flags: number("flags")?.map(SerializerFlags),
            mask: number("mask")?.map(PropertyFlags),
        })
    }
}

/// Reads the objects in a wrapper.
struct ObjectsSeed<'a>(&'a Options);

impl<'de> DeserializeSeed<'de> for ObjectsSeed<'_> {
    type Value = Vec<Value>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ObjectsSeed<'_> {
    type Value = Vec<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `form` and `objects`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut objects = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "form" | "mode" | "flags" | "mask" => _ = map.next_value::<IgnoredAny>()?,
                "objects" => objects = Some(map.next_value::<Vec<RawText<'de>>>()?),
                _ => return Err(A::Error::custom(format_args!("unknown member {name:?}"))),
            }
        }
        let objects = objects.ok_or_else(|| A::Error::missing_field("objects"))?;
        let read = |RawText(text)| notation::from_str(text, self.0);
        objects.into_iter().map(read).collect::<Result<_, _>>().map_err(A::Error::custom)
    }
}
