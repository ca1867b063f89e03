//! Values in the engine's JSON notation, by their paths.

use godot_variant::native_json::NativeJsonSeed;
use serde::de::DeserializeSeed as _;
use serde_json::Value as Json;

use crate::document::edit::{self, Notation, Place, Whole, boolean, float, integer, text};
use crate::document::path::{New, Step};

/// The kinds of roots that are no values.
const STREAM: &str = "values";

/// The notation, with the depth that it may have.
pub(super) struct Native {
    pub(super) levels: usize,
}

/// The kinds that are text with a prefix.
const PREFIXES: [(&str, &str); 5] =
    [("i:", "int"), ("f:", "float"), ("s:", "String"), ("sn:", "StringName"), ("np:", "NodePath")];

/// The packed arrays, their elements, and how many parts each has.
const PACKED: [(&str, &str, usize); 10] = [
    ("PackedByteArray", "number", 1),
    ("PackedInt32Array", "number", 1),
    ("PackedInt64Array", "number", 1),
    ("PackedFloat32Array", "number", 1),
    ("PackedFloat64Array", "number", 1),
    ("PackedStringArray", "text", 1),
    ("PackedVector2Array", "Vector2", 2),
    ("PackedVector3Array", "Vector3", 3),
    ("PackedColorArray", "Color", 4),
    ("PackedVector4Array", "Vector4", 4),
];

/// The members that say of which types the parts of a value are.
const TYPES: [&str; 4] = ["elem_type", "key_type", "value_type", "precision"];

fn packed(kind: &str) -> Option<(&'static str, usize)> {
    PACKED.iter().find(|(own, ..)| *own == kind).map(|(_, element, len)| (*element, *len))
}

fn kind_of(value: &Json) -> &str {
    match value {
        Json::Null => "Nil",
        Json::Bool(_) => "bool",
        Json::Number(_) => "number",
        Json::Array(_) => "Array",
        Json::String(text) => {
            let prefix = text.find(':').and_then(|at| text.get(..=at)).unwrap_or_default();
            PREFIXES.iter().find(|(own, _)| *own == prefix).map_or("text", |(_, kind)| kind)
        }
        Json::Object(_) => value.get("type").and_then(Json::as_str).unwrap_or("Object"),
    }
}

impl Native {
    /// A key as diff and errors show it.
    fn step(&self, key: &Json) -> Step {
        match NativeJsonSeed::new(self.levels).deserialize(key) {
            Ok(key) => super::tree::step(&key),
            Err(_) => Step::Other(key.to_string()),
        }
    }

    /// The JSON that a text says for a kind. What stands there says of which types its parts are.
    fn made(&self, kind: &str, text_: &str, old: Option<&Json>) -> Result<Json, String> {
        let prefixed = |prefix: &str, text: String| Ok(Json::String(format!("{prefix}{text}")));
        match kind {
            "Nil" | "null" | "nil" => match text_ {
                "null" => Ok(Json::Null),
                _ => Err(format!("expected null, found {text_}; --kind says what it is to be")),
            },
            "bool" => boolean(text_),
            "int" => prefixed("i:", integer(text_, 64)?.to_string()),
            "float" => prefixed(
                "f:",
                match float(text_)? {
                    value if value.is_nan() => "nan".to_owned(),
                    value => format!("{value:?}"),
                },
            ),
            "String" => prefixed("s:", text(text_)?),
            "StringName" => prefixed("sn:", text(text_)?),
            "NodePath" => prefixed("np:", text(text_)?),
            kind => self.composed(kind, edit::notation(text_, kind)?, old),
        }
    }

    fn composed(&self, kind: &str, new: Json, old: Option<&Json>) -> Result<Json, String> {
        let old = old.filter(|old| kind_of(old) == kind);
        let typed = |json: &Json| TYPES.map(|name| json.get(name).cloned());
        if new.is_array() {
            if kind == "Array" && old.is_none_or(Json::is_array) {
                return Ok(new);
            }
            // The parts alone.
            let mut made = old.cloned().unwrap_or_else(|| serde_json::json!({ "type": kind }));
            if let Json::Object(members) = &mut made {
                members.insert("args".to_owned(), new);
            }
            return Ok(made);
        }
        let (found, parts) = (kind_of(&new), typed(&new));
        if found != kind {
            return Err(format!("expected {kind}, found {found}; --kind {found} makes it one"));
        }
        if old.is_some_and(|old| typed(old) != parts) {
            return Err(format!("expected {kind} with the same types of its parts"));
        }
        Ok(new)
    }
}

impl Notation for Native {
    fn root(&self, json: &Json) -> Place {
        match (json.get("values").and_then(Json::as_array), json.get("settings")) {
            (Some(values), _) if values.len() == 1 => Place::root("/values/0", ""),
            (Some(_), _) => Place::root("/values", STREAM),
            _ => Place::root("/settings", edit::SETTINGS),
        }
    }

    fn is_only(&self, json: &Json) -> bool {
        let is_framed = json.get("framing").is_some_and(|own| own != "bare");
        is_framed && json.get("values").and_then(Json::as_array).is_some_and(|own| own.len() == 1)
    }

    fn key(&self, json: &Json, place: &Place, index: usize) -> Option<Place> {
        let (value, at) = (place.value(json), index.checked_mul(2)?);
        let is_there = kind_of(&value) == "Dictionary" && value.get("args")?.get(at).is_some();
        is_there.then(|| place.key(index, "/args", at, ""))
    }

    fn children(&self, json: &Json, place: &Place) -> Vec<Place> {
        let value = place.value(json);
        let index = |within: &str, count: usize, kind: &str| -> Vec<Place> {
            (0..count).map(|at| place.element(Step::Index(at), within, at, kind)).collect()
        };
        if let (edit::SETTINGS, Json::Object(settings)) = (place.kind.as_str(), &*value) {
            let member = |name: &String| place.member(Step::Name(name.clone()), "", name, "");
            return settings.keys().map(member).collect();
        }
        if let Json::Array(items) = &*value {
            return if place.run.is_some() { Vec::new() } else { index("", items.len(), "") };
        }
        let kind = kind_of(&value);
        let args = value.get("args").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let pairs = |within: &str, parts: &[Json], step: &dyn Fn(&Json) -> Step| {
            let keys = parts.iter().step_by(2).enumerate();
            let made = keys.map(|(pair, key)| {
                let mut child = place.element(step(key), within, 2 * pair + 1, "");
                child.whole = Whole::Parts(format!("{}{within}", place.pointer), 2 * pair, 2);
                child
            });
            made.collect::<Vec<Place>>()
        };
        match (kind, value.get("props").and_then(Json::as_array)) {
            ("Dictionary", _) => pairs("/args", args, &|key| self.step(key)),
            ("Array", _) => index("/args", args.len(), ""),
            (_, Some(props)) => {
                let name = |key: &Json| key.as_str().unwrap_or_default().to_owned();
                pairs("/props", props, &|key| Step::Key(name(key)))
            }
            _ => match packed(kind) {
                None => Vec::new(),
                Some((element, 1)) => index("/args", args.len(), element),
                Some((element, len)) => {
                    let runs = (0..args.len() / len).map(|at| {
                        let mut child = place.element(Step::Index(at), "/args", at, element);
                        child.pointer = format!("{}/args", place.pointer);
                        child.run = Some((at * len, len));
                        child.whole = Whole::Parts(child.pointer.clone(), at * len, len);
                        child
                    });
                    runs.collect()
                }
            },
        }
    }

    fn set(
        &self,
        json: &mut Json,
        place: &Place,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let old = place.value(json).into_owned();
        let made = match (place.kind.as_str(), kind) {
            ("", kind) => self.made(kind.unwrap_or(kind_of(&old)), new, Some(&old))?,
            (STREAM | edit::SETTINGS, _) => {
                return Err("only what is in the file can be set".into());
            }
            (_, Some(_)) => return Err("elements of a packed array have one kind".to_owned()),
            (element, None) => self.element(element, new)?,
        };
        place.put(json, made)
    }

    fn insert(
        &self,
        json: &mut Json,
        container: &Place,
        step: &New,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let value = container.value(json).into_owned();
        let own = match container.kind.as_str() {
            edit::SETTINGS => edit::SETTINGS,
            _ => kind_of(&value),
        };
        let guessed = || match kind {
            Some(kind) => self.made(kind, new, None),
            None => self.made(guess(new), new, None),
        };
        let is_plain = value.is_array();
        let within = if is_plain { "" } else { "/args" };
        let at = format!("{}{within}", container.pointer);
        let parts = |json: &mut Json, pointer: &str, position: Option<usize>, new: Vec<Json>| {
            let Some(Json::Array(parts)) = json.pointer_mut(pointer) else {
                return Err("it holds nothing".to_owned());
            };
            let position = position.unwrap_or(parts.len());
            if position > parts.len() {
                return Err(format!("there are only {} parts", parts.len()));
            }
            parts.splice(position..position, new);
            Ok(())
        };
        match (own, step) {
            (edit::SETTINGS, New::Name(name)) => {
                let made = guessed()?;
                match json.pointer_mut(&container.pointer) {
                    Some(Json::Object(settings)) => {
                        settings.insert(name.clone(), made);
                        Ok(())
                    }
                    _ => Err("there are no settings".to_owned()),
                }
            }
            ("Array", New::Index(position)) => parts(json, &at, *position, vec![guessed()?]),
            ("Dictionary", New::Name(name)) => {
                let prefix = match value.get("key_type").and_then(Json::as_str) {
                    Some("StringName") => "sn:",
                    _ => "s:",
                };
                let key = Json::String(format!("{prefix}{name}"));
                parts(json, &at, None, vec![key, guessed()?])
            }
            ("Dictionary", New::Index(Some(key))) => {
                let key = Json::String(format!("i:{key}"));
                parts(json, &at, None, vec![key, guessed()?])
            }
            (own, New::Index(position)) if packed(own).is_some() => {
                let (element, len) = packed(own).unwrap_or(("number", 1));
                let made = match self.element(element, new)? {
                    Json::Array(made) if len > 1 => made,
                    made => vec![made],
                };
                parts(json, &at, position.map(|at| at * len), made)
            }
            (_, New::Name(name)) if value.get("props").is_some() => {
                let props = format!("{}/props", container.pointer);
                parts(json, &props, None, vec![Json::String(name.clone()), guessed()?])
            }
            (own, _) => Err(format!("nothing can be added to a value of the kind {own} so")),
        }
    }

    fn kind(&self, json: &Json, place: &Place) -> String {
        match place.kind.as_str() {
            "" => kind_of(&place.value(json)).to_owned(),
            kind => kind.to_owned(),
        }
    }

    fn plain(&self, json: &Json) -> Json {
        plain(json)
    }
}

impl Native {
    /// An element of a packed array.
    fn element(&self, element: &str, new: &str) -> Result<Json, String> {
        let (len, json) = match PACKED.iter().find(|(_, own, len)| *own == element && *len > 1) {
            Some((.., len)) => (*len, edit::notation(new, element)?),
            None if element == "text" => return Ok(Json::String(text(new)?)),
            None => return edit::notation(new, "a number"),
        };
        let parts = if json.is_array() { Some(json) } else { json.get("args").cloned() };
        let parts = parts.filter(|parts| parts.as_array().is_some_and(|own| own.len() == len));
        parts.ok_or_else(|| format!("expected an array of {len} numbers, found {new}"))
    }
}

/// The kind that a text looks like.
fn guess(text: &str) -> &'static str {
    match edit::json(text) {
        Some(Json::Null) => "Nil",
        Some(Json::Bool(_)) => "bool",
        Some(Json::Number(number)) if number.is_i64() => "int",
        Some(Json::Number(_)) => "float",
        Some(Json::Array(_)) => "Array",
        Some(value @ Json::Object(_)) => {
            let kind = kind_of(&value);
            let known = PACKED.iter().map(|(own, ..)| *own).find(|own| *own == kind);
            known.unwrap_or(match kind {
                "Dictionary" => "Dictionary",
                _ => "Object",
            })
        }
        _ => "String",
    }
}

fn plain(json: &Json) -> Json {
    match json {
        Json::String(text) => match kind_of(json) {
            "text" => json.clone(),
            kind => {
                let rest = text.split_once(':').map_or("", |(_, rest)| rest);
                let number = match kind {
                    "int" => rest.parse::<i64>().ok().map(Json::from),
                    "float" => rest.parse::<f64>().ok().filter(|f| f.is_finite()).map(Json::from),
                    _ => None,
                };
                number.unwrap_or_else(|| Json::String(rest.to_owned()))
            }
        },
        Json::Array(items) => items.iter().map(plain).collect(),
        Json::Object(members) => object(json, members),
        other => other.clone(),
    }
}

fn object(json: &Json, members: &serde_json::Map<String, Json>) -> Json {
    let list = |name| members.get(name).and_then(Json::as_array);
    if let Some(Json::Object(settings)) = members.get("settings") {
        return settings.iter().map(|(name, own)| (name.clone(), plain(own))).collect();
    }
    if let Some(values) = list("values").filter(|_| members.contains_key("framing")) {
        return match values.as_slice() {
            [only] => plain(only),
            values => values.iter().map(plain).collect(),
        };
    }
    let pairs = |parts: &[Json]| -> Json {
        let key = |key: &Json| match plain(key) {
            Json::String(text) => text,
            other => other.to_string(),
        };
        let (keys, values) = (parts.iter().step_by(2), parts.iter().skip(1).step_by(2));
        keys.zip(values).map(|(own, value)| (key(own), plain(value))).collect()
    };
    match (kind_of(json), list("args"), list("props")) {
        ("Dictionary", Some(args), _) => pairs(args),
        ("Array", Some(args), _) => args.iter().map(plain).collect(),
        (kind, Some(args), _) => match packed(kind) {
            Some((_, len)) if len > 1 => {
                args.chunks(len).map(|own| Json::from(own.to_vec())).collect()
            }
            _ => Json::from(args.clone()),
        },
        (_, _, Some(props)) => pairs(props),
        _ => Json::Null,
    }
}
