//! The values that texts say: in the lossless notation, in plain JSON, or in the engine's own text.

use godot_variant::native_json::{NativeJson, NativeJsonSeed};
use godot_variant::types::{NodePath, StringName};
use godot_variant::value::{Object, TypedArray, TypedDictionary};
use godot_variant::{Options, Value, text as notation};

use super::{Godot, packed};
use crate::document::edit::{self, Given, Input, boolean, float, integer, text};
use crate::document::error::{Error, Hint};
use crate::document::json::{self, Json};
use crate::document::node::Typed;

/// The members that say of which types the parts of a value are.
const TYPES: [&str; 4] = ["elem_type", "key_type", "value_type", "precision"];

/// The kinds that are text with a prefix.
const PREFIXES: [(&str, &str); 5] =
    [("i:", "int"), ("f:", "float"), ("s:", "String"), ("sn:", "StringName"), ("np:", "NodePath")];

/// The kind of a value in the notation.
pub(super) fn kind_of(value: &Json) -> &str {
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

/// The name of a value's kind.
pub(super) fn name_of(value: &Value) -> String {
    match value {
        Value::Object(Object::Instance(instance)) => instance.class.to_string(),
        value => value.kind().to_string(),
    }
}

impl Godot {
    /// The value of a notation.
    pub(in crate::document) fn read_json(&self, json: &Json) -> Result<Value, Error> {
        read(json, self.reading.levels)
    }

    /// A value in the notation.
    pub(super) fn to_json(&self, value: &Value) -> Result<Json, Error> {
        to_json(value, self.reading.levels)
    }

    /// The value that a text says for a kind. The old one says of which types its parts are.
    pub(super) fn made_as(
        &self,
        kind: &str,
        new: &str,
        old: Option<&Value>,
    ) -> Result<Value, Error> {
        Ok(match kind {
            "Nil" | "null" | "nil" if new == "null" => Value::Nil,
            "Nil" | "null" | "nil" => {
                let why = format!("expected null, found {new}");
                return Err(Error::new(why).with_hint(Hint::NewKind));
            }
            "bool" => Value::Bool(boolean(new)?),
            "int" => Value::Int(integer(new, 64)?),
            "float" => Value::Float(finite(new)?),
            "String" => self.read_json(&Json::String(format!("s:{}", text(new)?)))?,
            "StringName" => self.read_json(&Json::String(format!("sn:{}", text(new)?)))?,
            "NodePath" => self.read_json(&Json::String(format!("np:{}", text(new)?)))?,
            kind => self.composed(kind, new, old)?,
        })
    }

    /// A value that has others in it, in the lossless notation, in plain JSON, or in the engine's own.
    fn composed(&self, kind: &str, new: &str, old: Option<&Value>) -> Result<Value, Error> {
        let Some(json) = edit::json(new) else {
            let found =
                notation::value_from_str(new, &Options::new()).ok().or_else(|| packed::color(new));
            let found = found.ok_or_else(|| {
                Error::new(format!("expected the JSON notation of {kind}, found {new}"))
            })?;
            return match name_of(&found) == kind {
                true => Ok(found),
                false => Err(edit::other_kind(kind, &name_of(&found))),
            };
        };
        let typed = |json: &Json| TYPES.map(|name| json.get(name).cloned());
        let old = old
            .filter(|old| name_of(old) == kind)
            .map(|old| to_json(old, self.reading.levels))
            .transpose()?;
        if let Json::Array(parts) = &json {
            if kind == "Array" && old.as_ref().is_none_or(Json::is_array) {
                return self.read_json(&json).or_else(|why| plain_value(&json).ok_or(why));
            }
            // The parts alone.
            let mut made = old.unwrap_or_else(|| Json::from([("type", kind.into())]));
            let with = |made: &mut Json, parts: Vec<Json>| {
                if let Json::Object(members) = made {
                    members.insert("args".to_owned(), Json::Array(parts));
                }
            };
            with(&mut made, parts.clone());
            return self.read_json(&made).or_else(|why| {
                let parts =
                    parts.iter().map(|part| to_json(&plain_value(part)?, self.reading.levels).ok());
                let Some(parts) = parts.collect::<Option<_>>() else { return Err(why) };
                with(&mut made, parts);
                self.read_json(&made).map_err(|_| why)
            });
        }
        let found = kind_of(&json);
        let is_plain = kind == "Dictionary" && found != kind && json.get("type").is_none();
        if is_plain && let Json::Object(members) = &json {
            let mut made = old.unwrap_or_else(|| Json::from([("type", kind.into())]));
            let mut args = Vec::new();
            for (name, value) in members {
                let value = self.read_json(value).ok().or_else(|| plain_value(value));
                let value = value.ok_or_else(|| Error::new(format!("{name}: expected a value")))?;
                let prefix = if made.get("key_type") == Some(&Json::from("StringName")) {
                    "sn"
                } else {
                    "s"
                };
                args.extend([
                    Json::String(format!("{prefix}:{name}")),
                    to_json(&value, self.reading.levels)?,
                ]);
            }
            if let Json::Object(members) = &mut made {
                members.insert("args".to_owned(), Json::Array(args));
            }
            return self.read_json(&made);
        }
        if found != kind {
            return Err(edit::other_kind(kind, found));
        }
        if old.is_some_and(|old| typed(&old) != typed(&json)) {
            return Err(Error::new(format!("expected {kind} with the same types of its parts")));
        }
        self.read_json(&json)
    }

    pub(super) fn given<'a>(&self, new: Input<'a>) -> Result<Given<'a, Value>, Error> {
        Ok(match new {
            Input::Text(text) => Given::Text(text),
            Input::Notation(json) => Given::Value(self.read_json(json)?),
            Input::Typed(Typed::Godot(value)) => Given::Value(Value::clone(value)),
            Input::Typed(_) => return Err(edit::other_format("Godot")),
        })
    }

    /// The value in place of an old one, or for a kind: of that kind where it stays equal.
    pub(super) fn fitted(
        &self,
        new: Value,
        kind: Option<&str>,
        old: Option<&Value>,
    ) -> Result<Value, Error> {
        let own = old.map(name_of);
        let Some(kind) = kind.or(own.as_deref()) else { return Ok(new) };
        let old = old.filter(|_| own.as_deref() == Some(kind));
        let found = name_of(&new);
        let unfit = |error: godot_variant::Error| Error::new(format!("does not fit: {error}"));
        let other_types =
            || Err(Error::new(format!("expected {kind} with the same types of its parts")));
        Ok(match (new, old) {
            // Null may become anything.
            (new, Some(Value::Nil)) => new,
            (Value::Array(items), Some(like @ Value::TypedArray(typed))) => {
                let items = items.into_iter().map(|item| like.accept(item));
                let items = items.collect::<Result<Vec<_>, _>>().map_err(unfit)?;
                TypedArray { element: typed.element.clone(), items: items.into() }.into()
            }
            (Value::Dictionary(entries), Some(like @ Value::TypedDictionary(typed))) => {
                let entries = entries.into_iter();
                let entries =
                    entries.map(|(key, own)| Ok((like.accept_key(key)?, like.accept(own)?)));
                let entries: Vec<_> = entries.collect::<Result<_, _>>().map_err(unfit)?;
                let (key, value) = (typed.key.clone(), typed.value.clone());
                TypedDictionary { key, value, entries: entries.into() }.into()
            }
            (Value::TypedArray(own), Some(Value::TypedArray(old)))
                if own.element != old.element =>
            {
                return other_types();
            }
            (Value::TypedDictionary(own), Some(Value::TypedDictionary(old)))
                if (&own.key, &own.value) != (&old.key, &old.value) =>
            {
                return other_types();
            }
            (Value::TypedArray(_), Some(Value::Array(_)))
            | (Value::TypedDictionary(_), Some(Value::Dictionary(_))) => return other_types(),
            (own @ Value::Real64(_), Some(Value::Real64(_))) if found == kind => own,
            (Value::Real64(_), Some(_)) if found == kind => {
                return Err(Error::new(format!("expected {kind} of 32 bits, found one of 64")));
            }
            (own, Some(Value::Real64(_))) if found == kind => {
                let mut json = to_json(&own, self.reading.levels)?;
                if let Json::Object(members) = &mut json {
                    members.insert("precision".to_owned(), Json::from("double"));
                }
                self.read_json(&json)?
            }
            (own, _) if found == kind => own,
            (own @ Value::Int(_), _) if kind == "float" => {
                Value::Float(own.as_f64().ok_or("does not fit: a float would round the number")?)
            }
            (Value::String(text), _) if kind == "StringName" => {
                Value::StringName(StringName::new(text.as_str()))
            }
            (Value::StringName(name), _) if kind == "String" => Value::from(name.as_str()),
            (Value::String(text), _)
                if kind == "NodePath"
                    && NodePath::new(text.as_str()).to_string() == text.as_str() =>
            {
                Value::NodePath(Box::new(NodePath::new(text.as_str())))
            }
            (new, old) => {
                let empty = || {
                    let args = ("args", Json::Array(Vec::new()));
                    self.read_json(&Json::from([("type", kind.into()), args])).ok()
                };
                let array = old.cloned().or_else(empty).filter(packed::is_array);
                let (Some(mut array), Some(elements)) = (array, packed::elements(&new)) else {
                    return Err(edit::other_kind(kind, &found));
                };
                packed::fill(&mut array, &elements)?;
                array
            }
        })
    }

    /// The value that is given for a new entry.
    pub(super) fn guessed(&self, new: Input<'_>, kind: Option<&str>) -> Result<Value, Error> {
        let new = match self.given(new)? {
            Given::Value(value) => return self.fitted(value, kind, None),
            Given::Text(text) => text,
        };
        if let Some(kind) = kind {
            return self.made_as(kind, new, None);
        }
        let found = match edit::json(new) {
            Some(Json::Object(members)) if !members.contains_key("type") => "Dictionary",
            Some(json @ Json::Object(_)) => return self.read_json(&json),
            Some(Json::Null) => "Nil",
            Some(Json::Bool(_)) => "bool",
            Some(Json::Number(number)) if number.is_i64() => "int",
            Some(Json::Number(_)) => "float",
            Some(Json::Array(_)) => "Array",
            Some(Json::String(_)) => "String",
            None => {
                return Ok(notation::value_from_str(new, &Options::new())
                    .ok()
                    .unwrap_or(self.made_as("String", new, None)?));
            }
        };
        self.made_as(found, new, None)
    }
}

/// A number that is as large as it is written.
fn finite(new: &str) -> Result<f64, Error> {
    let number = float(new)?;
    match number.is_infinite() && new.contains(|c: char| c.is_ascii_digit()) {
        true => Err(Error::new(format!("expected a number of 64 bits, found {new}"))),
        false => Ok(number),
    }
}

/// The value of a notation.
pub(super) fn read(json: &Json, levels: usize) -> Result<Value, Error> {
    json::deserialized(json, NativeJsonSeed::new(levels)).map_err(|error| {
        let why = error.message().split(", in ").next().unwrap_or_default();
        Error::new(format!("does not fit: {why}"))
    })
}

/// A value in the notation.
pub(super) fn to_json(value: &Value, levels: usize) -> Result<Json, Error> {
    let made = json::serialized(&NativeJson(value).write_deep(levels));
    made.map_err(|error| Error::new(error.message))
}

/// The value of plain JSON.
pub(super) fn plain_value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Nil,
        Json::Bool(own) => Value::Bool(*own),
        Json::Number(own) => match own.as_i64() {
            Some(own) => Value::Int(own),
            None => Value::Float(own.as_f64()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            Value::Array(items.iter().map(plain_value).collect::<Option<Vec<_>>>()?.into())
        }
        Json::Object(members) => {
            let entry =
                |(name, value)| Some((Value::from(String::as_str(name)), plain_value(value)?));
            Value::Dictionary(members.iter().map(entry).collect::<Option<_>>()?)
        }
    })
}

/// Plain JSON of a value that JSON has.
pub(super) fn plain_json(value: &Value, levels: usize) -> Result<Json, Error> {
    let json = plain(&to_json(value, levels)?);
    match plain_value(&json).is_some_and(|own| own == *value) {
        true => Ok(json),
        false => {
            Err(Error::new(format!("expected a value that JSON has, found {}", name_of(value))))
        }
    }
}

/// Plain JSON of a notation.
pub(super) fn plain(json: &Json) -> Json {
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

fn object(json: &Json, members: &gamewire_core::json::Map) -> Json {
    let list = |name| members.get(name).and_then(Json::as_array);
    // A reference of a scene or resource.
    if let Some(Json::String(class)) = members.get("type")
        && class.ends_with(')')
    {
        return Json::String(class.clone());
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
        (kind, Some(args), _) => match packed::width(kind) {
            1 => Json::from(args.clone()),
            len => args.chunks(len).map(|own| Json::from(own.to_vec())).collect(),
        },
        (_, _, Some(props)) => pairs(props),
        _ => Json::Null,
    }
}
