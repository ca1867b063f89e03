//! The JSON notation of a file: that of its object, and on request a wrapper around it.
//!
//! ```text
//! {"form": "bind", "mode": "deep", "flags": 7, "mask": 1, "objects": [object]}
//! ```
//!
//! The notation of an object has `$type` in it, and never `form`.

use std::fmt;

use gamewire::kiwi_pclass::json as notation;
use gamewire::kiwi_pclass::{Mode, Options, PropertyFlags, SerializerFlags, Value};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::args::Form;
use super::content::{Content, Terms};
use crate::fault::Fault;
use crate::json;

/// A file, as it is written.
pub(super) struct Shown<'a> {
    pub(super) content: &'a Content,
    pub(super) wrap: bool,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Content { form, mode, flags, mask, objects } = self.content;
        if let ([only], false) = (objects.as_slice(), self.wrap) {
            return only.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("form", form.name())?;
        map.serialize_entry("mode", mode_name(*mode))?;
        map.serialize_entry("flags", &flags.0)?;
        map.serialize_entry("mask", &mask.0)?;
        map.serialize_entry("objects", objects)?;
        map.end()
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Deep => "deep",
        _ => "shallow",
    }
}

/// Reads a file's notation. What the command line says counts, then the wrapper.
pub(super) fn read(text: &[u8], terms: &Terms) -> Result<Content, Fault> {
    let around = json::read(text, Probe)?;
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
        Some(_) => json::read(text, Wrapper(&options))?,
        None => {
            let whole = std::str::from_utf8(text).map_err(|error| Fault::new(error.to_string()))?;
            vec![notation::from_str(whole, &options)?]
        }
    };
    Ok(Content { objects, ..content })
}

/// What a wrapper says. A text without a wrapper says nothing.
#[derive(Default)]
struct Around {
    form: Option<Form>,
    mode: Option<Mode>,
    flags: Option<SerializerFlags>,
    mask: Option<PropertyFlags>,
}

struct Probe;

impl<'de> DeserializeSeed<'de> for Probe {
    type Value = Around;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Around, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Probe {
    type Value = Around;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Around, A::Error> {
        // An object without a wrapper may have properties that are called so.
        let (mut form, mut mode, mut flags, mut mask) = (None, None, None, None);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "form" => form = Some(map.next_value::<Json>()?),
                "mode" => mode = Some(map.next_value::<Json>()?),
                "flags" => flags = Some(map.next_value::<Json>()?),
                "mask" => mask = Some(map.next_value::<Json>()?),
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        let Some(form) = form else { return Ok(Around::default()) };
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let number = |json: Json| match json.as_u64().map(u32::try_from) {
            Some(Ok(number)) => Ok(number),
            _ => Err(A::Error::custom(format_args!("expected 32 bits, found {json}"))),
        };
        Ok(Around {
            form: Some(form_of(&text(&form))?),
            mode: mode.map(|mode| mode_of(&text(&mode))).transpose()?,
            flags: flags.map(number).transpose()?.map(SerializerFlags),
            mask: mask.map(number).transpose()?.map(PropertyFlags),
        })
    }
}

fn form_of<E: serde::de::Error>(name: &str) -> Result<Form, E> {
    Form::ALL.into_iter().find(|form| form.name() == name).ok_or_else(|| {
        let names = Form::ALL.map(Form::name).join(", ");
        E::custom(format_args!("unknown form {name:?}, expected one of {names}"))
    })
}

fn mode_of<E: serde::de::Error>(name: &str) -> Result<Mode, E> {
    match name {
        "deep" => Ok(Mode::Deep),
        "shallow" => Ok(Mode::Shallow),
        _ => Err(E::custom(format_args!("unknown mode {name:?}, expected deep or shallow"))),
    }
}

/// Reads the objects in a wrapper.
struct Wrapper<'a>(&'a Options);

impl<'de> DeserializeSeed<'de> for Wrapper<'_> {
    type Value = Vec<Value>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Wrapper<'_> {
    type Value = Vec<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `form` and `objects`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut objects = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "form" => _ = form_of::<A::Error>(&map.next_value::<String>()?)?,
                "mode" => _ = mode_of::<A::Error>(&map.next_value::<String>()?)?,
                "flags" | "mask" => _ = map.next_value::<u32>()?,
                "objects" => objects = Some(map.next_value::<Vec<Box<RawValue>>>()?),
                _ => return Err(A::Error::custom(format_args!("unknown member {name:?}"))),
            }
        }
        let objects = objects.ok_or_else(|| A::Error::missing_field("objects"))?;
        let read = |text: &Box<RawValue>| notation::from_str(text.get(), self.0);
        objects.iter().map(read).collect::<Result<_, _>>().map_err(A::Error::custom)
    }
}
