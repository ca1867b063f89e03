//! The values of a file: found by their paths, compared, and changed.

use std::borrow::Cow;
use std::fmt;

use godot_variant::Options;
use godot_variant::native_json::{NativeJson, NativeJsonSeed};
use godot_variant::value::{Object, TypedArray, TypedDictionary};
use godot_variant::{Value, text as notation, types::ElementType};
use serde::de::DeserializeSeed as _;
use serde_json::Value as Json;

use super::content::{Body, Content};
use super::packed::{self, Element};
use crate::document::diff::{Children, Tree};
use crate::document::edit::{self, boolean, float, integer, text};
use crate::document::json;
use crate::document::node::{
    self, Entry, Fresh, GONE, Item, Part, Source, Turn, Typed, Way, arranged,
};
use crate::document::path::{New, Step};

/// A value of a file.
#[derive(Clone)]
pub(in crate::document) struct Node<'a> {
    what: FileValue<'a>,
    /// The depth that values may have.
    levels: usize,
}

#[derive(Clone)]
enum FileValue<'a> {
    /// The values of a stream.
    Stream(&'a [Value]),
    /// The settings of a project.
    Settings(&'a [(String, Value)]),
    Value(&'a Value),
    /// An element of a packed array: the array, the position, and the element.
    Element(&'a Value, Element),
    /// A component of a vector, and what it is a part of.
    Component(Value),
}

/// The members that say of which types the parts of a value are.
const TYPES: [&str; 4] = ["elem_type", "key_type", "value_type", "precision"];

/// The kinds that are text with a prefix.
const PREFIXES: [(&str, &str); 5] =
    [("i:", "int"), ("f:", "float"), ("s:", "String"), ("sn:", "StringName"), ("np:", "NodePath")];

/// The kind of a root that is a row of values.
const STREAM: &str = "values";

/// The kind of a value in the notation.
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

/// The name of a value's kind.
fn name_of(value: &Value) -> String {
    match value {
        Value::Object(Object::Instance(instance)) => instance.class.to_string(),
        value => value.kind().to_string(),
    }
}

impl<'a> Node<'a> {
    /// The whole file. A file of one value is that value, whatever its framing.
    pub(super) fn root(content: &'a Content, levels: usize) -> Self {
        let what = match &content.body {
            Body::Settings(settings) => FileValue::Settings(&settings.entries),
            Body::Values(values) => match values.as_slice() {
                [only] => FileValue::Value(only),
                values => FileValue::Stream(values),
            },
        };
        Node { what, levels }
    }

    fn of(&self, value: &'a Value) -> Self {
        Node { what: FileValue::Value(value), levels: self.levels }
    }

    /// The values of a stream or an array.
    fn list(&self) -> Option<&'a [Value]> {
        match &self.what {
            FileValue::Stream(values) => Some(values),
            FileValue::Value(value) => value.as_array().map(|own| &own[..]),
            _ => None,
        }
    }

    /// A packed array.
    fn packed(&self) -> Option<&'a Value> {
        match &self.what {
            FileValue::Value(value) if packed::is_array(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a notation.
    fn read(&self, json: &Json) -> Result<Value, String> {
        read(json, self.levels)
    }

    /// The value that a text says for a kind. The old one says of which types its parts are.
    fn made_as(&self, kind: &str, new: &str, old: Option<&Value>) -> Result<Value, String> {
        Ok(match kind {
            "Nil" | "null" | "nil" if new == "null" => Value::Nil,
            "Nil" | "null" | "nil" => {
                return Err(format!("expected null, found {new}; --kind says what it is to be"));
            }
            "bool" => Value::Bool(boolean(new)?),
            "int" => Value::Int(integer(new, 64)?),
            "float" => Value::Float(finite(new)?),
            "String" => self.read(&Json::String(format!("s:{}", text(new)?)))?,
            "StringName" => self.read(&Json::String(format!("sn:{}", text(new)?)))?,
            "NodePath" => self.read(&Json::String(format!("np:{}", text(new)?)))?,
            kind => self.composed(kind, new, old)?,
        })
    }

    /// A value that has others in it, in the lossless notation, in plain JSON, or in the engine's own.
    fn composed(&self, kind: &str, new: &str, old: Option<&Value>) -> Result<Value, String> {
        let Some(json) = edit::json(new) else {
            let found =
                notation::value_from_str(new, &Options::new()).ok().or_else(|| packed::color(new));
            let found = found
                .ok_or_else(|| format!("expected the JSON notation of {kind}, found {new}"))?;
            return match name_of(&found) == kind {
                true => Ok(found),
                false => Err(expected(kind, &name_of(&found))),
            };
        };
        let typed = |json: &Json| TYPES.map(|name| json.get(name).cloned());
        let old = old
            .filter(|old| name_of(old) == kind)
            .map(|old| to_json(old, self.levels))
            .transpose()?;
        if let Json::Array(parts) = &json {
            if kind == "Array" && old.as_ref().is_none_or(Json::is_array) {
                return self.read(&json).or_else(|why| plain_value(&json).ok_or(why));
            }
            // The parts alone.
            let mut made = old.unwrap_or_else(|| serde_json::json!({ "type": kind }));
            let with = |made: &mut Json, parts: Vec<Json>| {
                if let Json::Object(members) = made {
                    members.insert("args".to_owned(), Json::Array(parts));
                }
            };
            with(&mut made, parts.clone());
            return self.read(&made).or_else(|why| {
                let parts = parts.iter().map(|part| to_json(&plain_value(part)?, self.levels).ok());
                with(&mut made, parts.collect::<Option<_>>().ok_or_else(|| why.clone())?);
                self.read(&made).map_err(|_| why)
            });
        }
        let found = kind_of(&json);
        let is_plain = kind == "Dictionary" && found != kind && json.get("type").is_none();
        if is_plain && let Json::Object(members) = &json {
            let mut made = old.unwrap_or_else(|| serde_json::json!({ "type": kind }));
            let mut args = Vec::new();
            for (name, value) in members {
                let value = self.read(value).ok().or_else(|| plain_value(value));
                let value = value.ok_or_else(|| format!("{name}: expected a value"))?;
                let prefix = if made.get("key_type") == Some(&Json::from("StringName")) {
                    "sn"
                } else {
                    "s"
                };
                args.extend([
                    Json::String(format!("{prefix}:{name}")),
                    to_json(&value, self.levels)?,
                ]);
            }
            if let Json::Object(members) = &mut made {
                members.insert("args".to_owned(), Json::Array(args));
            }
            return self.read(&made);
        }
        if found != kind {
            return Err(expected(kind, found));
        }
        if old.is_some_and(|old| typed(&old) != typed(&json)) {
            return Err(format!("expected {kind} with the same types of its parts"));
        }
        self.read(&json)
    }

    /// The value that a text says for a new entry.
    fn guessed(&self, new: &str, kind: Option<&str>) -> Result<Value, String> {
        if let Some(kind) = kind {
            return self.made_as(kind, new, None);
        }
        let found = match edit::json(new) {
            Some(Json::Object(members)) if !members.contains_key("type") => "Dictionary",
            Some(json @ Json::Object(_)) => return self.read(&json),
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

fn expected(kind: &str, found: &str) -> String {
    format!("expected {kind}, found {found}; --kind {found} makes it one")
}

/// A number that is as large as it is written.
fn finite(new: &str) -> Result<f64, String> {
    let number = float(new)?;
    match number.is_infinite() && new.contains(|c: char| c.is_ascii_digit()) {
        true => Err(format!("expected a number of 64 bits, found {new}")),
        false => Ok(number),
    }
}

/// The value of a notation.
pub(super) fn read(json: &Json, levels: usize) -> Result<Value, String> {
    NativeJsonSeed::new(levels).deserialize(json).map_err(|error| {
        let why = error.to_string();
        format!("does not fit: {}", why.split(", in ").next().unwrap_or_default())
    })
}

/// A value in the notation.
pub(super) fn to_json(value: &Value, levels: usize) -> Result<Json, String> {
    let text = serde_json::to_string(&NativeJson(value).write_deep(levels));
    let text = text.map_err(|error| error.to_string())?;
    json::read(text.as_bytes(), std::marker::PhantomData).map_err(|error| error.message)
}

/// The value of plain JSON.
fn plain_value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Nil,
        Json::Bool(own) => Value::Bool(*own),
        Json::Number(own) => match own.as_i64() {
            Some(own) => Value::Int(own),
            None => Value::Float(own.as_f64()?),
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

impl Tree for Node<'_> {
    fn full_kind(&self) -> String {
        match &self.what {
            FileValue::Stream(_) | FileValue::Settings(_) => String::new(),
            FileValue::Element(_, element) => element.kind(),
            FileValue::Component(value) => value.kind().to_string(),
            FileValue::Value(value) => match value {
                Value::TypedArray(array) => format!("Array[{}]", Full(&array.element)),
                Value::TypedDictionary(dictionary) => {
                    format!("Dictionary[{}, {}]", Full(&dictionary.key), Full(&dictionary.value))
                }
                Value::Object(Object::Instance(instance)) => instance.class.to_string(),
                Value::Real64(_) => format!("{} of 64 bits", value.kind()),
                value => value.kind().to_string(),
            },
        }
    }

    fn children(&self) -> Children<Self> {
        let items = |values: &mut dyn Iterator<Item = Self>| Children::Items(values.collect());
        match &self.what {
            FileValue::Stream(values) => items(&mut values.iter().map(|value| self.of(value))),
            FileValue::Settings(settings) => {
                let entry = |(name, value)| (Step::Name(String::clone(name)), self.of(value));
                Children::Entries(settings.iter().map(|(a, b)| entry((a, b))).collect())
            }
            FileValue::Value(value) => {
                if let Some(own) = value.as_array() {
                    return items(&mut own.iter().map(|value| self.of(value)));
                }
                if let Some(entries) = value.as_dictionary() {
                    let entries = entries.iter().map(|(key, value)| (step(key), self.of(value)));
                    return Children::Entries(entries.collect());
                }
                if let Some(instance) = value.as_object().and_then(Object::as_instance) {
                    let entry =
                        |(name, value)| (Step::Key(ToString::to_string(name)), self.of(value));
                    let properties = instance.properties.iter();
                    return Children::Entries(properties.map(|(a, b)| entry((a, b))).collect());
                }
                match packed::elements(value) {
                    None => Children::None,
                    Some(elements) => items(&mut elements.into_iter().map(|element| Node {
                        what: FileValue::Element(value, element),
                        levels: self.levels,
                    })),
                }
            }
            FileValue::Element(..) | FileValue::Component(_) => Children::None,
        }
    }

    fn len(&self) -> Option<usize> {
        let packed = || self.packed().map(packed::len);
        self.list().map(<[Value]>::len).or_else(packed)
    }

    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        if let Some(list) = self.list() {
            return Some(list.get(at).map(|value| self.of(value)));
        }
        let array = self.packed()?;
        let element = |element| FileValue::Element(array, element);
        let element = packed::element(array, at).map(element);
        Some(element.map(|what| Node { what, levels: self.levels }))
    }

    fn is_flat(&self) -> bool {
        match &self.what {
            FileValue::Stream(_) | FileValue::Settings(_) => false,
            FileValue::Element(..) | FileValue::Component(_) => true,
            FileValue::Value(value) => {
                value.as_array().is_none()
                    && value.as_dictionary().is_none()
                    && value.as_object().and_then(Object::as_instance).is_none()
            }
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (FileValue::Value(a), FileValue::Value(b)) => a == b,
            (FileValue::Component(a), FileValue::Component(b)) => a == b,
            (FileValue::Element(_, a), FileValue::Element(_, b)) => a.same(b),
            (FileValue::Value(a), FileValue::Element(_, b))
            | (FileValue::Element(_, b), FileValue::Value(a)) => **a == b.value(),
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match &self.what {
            FileValue::Stream(values) => write!(out, "{} values", values.len()),
            FileValue::Settings(settings) => write!(out, "{} settings", settings.len()),
            FileValue::Value(value) => write!(out, "{value:?}"),
            FileValue::Element(_, element) => write!(out, "{element:?}"),
            FileValue::Component(value) => write!(out, "{value:?}"),
        }
    }
}

/// An element type with its whole name.
struct Full<'a>(&'a ElementType);

impl fmt::Display for Full<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ElementType::Class(name) => write!(f, "{name}"),
            ElementType::Script(path) => write!(f, "{:?}", path.as_str()),
            other => other.fmt(f),
        }
    }
}

/// The key of an entry. A `String` and a `StringName` with the same text are one key for the engine.
pub(super) fn step(key: &Value) -> Step {
    match key.as_str() {
        Some(text) => Step::Key(text.to_owned()),
        None => Step::Typed(
            format!("{key:?}"),
            notation::value_to_string(key, &Options::new()).unwrap_or_default(),
        ),
    }
}

impl node::Node for Node<'_> {
    type Item = VariantItem;

    fn kind(&self) -> String {
        match &self.what {
            FileValue::Stream(_) => STREAM.to_owned(),
            FileValue::Settings(_) => edit::SETTINGS.to_owned(),
            FileValue::Value(value) => name_of(value),
            FileValue::Component(value) => name_of(value),
            FileValue::Element(_, element) => element.notation_kind().to_owned(),
        }
    }

    fn key(&self, at: usize) -> Option<(Way, Self)> {
        let FileValue::Value(value) = &self.what else { return None };
        let (key, _) = value.as_dictionary()?.iter().nth(at)?;
        Some((vec![Turn::Key(at)], self.of(key)))
    }

    /// The components of a vector and its kin.
    fn hidden(&self) -> Vec<Part<Self>> {
        let components = match &self.what {
            FileValue::Value(value) => packed::components(value),
            FileValue::Component(value) => packed::components(value),
            FileValue::Element(_, element) => packed::components(&element.value()),
            _ => return Vec::new(),
        };
        let part = |(at, (name, value)): (usize, (&str, Value))| {
            let node = Node { what: FileValue::Component(value), levels: self.levels };
            (Step::Key(name.to_owned()), vec![Turn::Hidden(at)], node)
        };
        components.into_iter().enumerate().map(part).collect()
    }

    fn json(&self) -> Result<Json, String> {
        let of = |value: &Value| to_json(value, self.levels);
        match &self.what {
            FileValue::Stream(values) => values.iter().map(of).collect(),
            FileValue::Settings(settings) => {
                settings.iter().map(|(name, value)| Ok((name.clone(), of(value)?))).collect()
            }
            FileValue::Value(value) => of(value),
            FileValue::Component(value) => of(value),
            FileValue::Element(_, element) => Ok(element.to_json()),
        }
    }

    fn plain(&self) -> Result<Json, String> {
        Ok(match (&self.what, self.json()?) {
            (FileValue::Settings(_), Json::Object(settings)) => {
                settings.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
            }
            (_, json) => plain(&json),
        })
    }

    fn typed(&self) -> Option<Typed<'_>> {
        Some(Typed::Godot(match &self.what {
            FileValue::Stream(_) => return None,
            FileValue::Settings(settings) => {
                let entries = settings.iter().map(|(name, own)| (name.as_str(), own.clone()));
                Cow::Owned(Value::Dictionary(entries.collect()))
            }
            FileValue::Value(value) => Cow::Borrowed(*value),
            FileValue::Element(_, element) => Cow::Owned(element.value()),
            FileValue::Component(value) => Cow::Borrowed(value),
        }))
    }

    fn made(&self, new: &str, kind: Option<&str>) -> Result<VariantItem, String> {
        let value = match (&self.what, kind) {
            (FileValue::Value(old), kind) => {
                self.made_as(kind.unwrap_or(&name_of(old)), new, Some(old))?
            }
            (FileValue::Component(old), None) => self.made_as(&name_of(old), new, Some(old))?,
            (FileValue::Component(_), Some(_)) => {
                return Err("a component has the kind that its vector has".to_owned());
            }
            (FileValue::Element(..), Some(_)) => {
                return Err("elements of a packed array have one kind".to_owned());
            }
            (FileValue::Element(array, _), None) => packed::made(array, new)?,
            (FileValue::Stream(_) | FileValue::Settings(_), _) => {
                return Err("only what is in the file can be set".to_owned());
            }
        };
        Ok(VariantItem::Value(value))
    }

    fn fresh(
        &self,
        step: &New,
        new: &str,
        kind: Option<&str>,
    ) -> Result<Fresh<VariantItem>, String> {
        let guessed = || self.guessed(new, kind).map(VariantItem::Value);
        let text = |text: &str| VariantItem::Value(Value::from(text));
        let refused =
            |kind: &str| Err(format!("nothing can be added to a value of the kind {kind} so"));
        let value = match (&self.what, step) {
            (FileValue::Settings(_), New::Name(name)) => {
                return Ok(Fresh::entry(text(name), guessed()?));
            }
            (FileValue::Stream(_), New::Index(at)) => return Ok(Fresh::element(*at, guessed()?)),
            (FileValue::Stream(_), _) => return refused("Array"),
            (FileValue::Value(value), _) => *value,
            _ => return refused(&self.kind()),
        };
        if let (true, New::Index(at)) = (value.as_array().is_some(), step) {
            return Ok(Fresh::element(*at, guessed()?));
        }
        if value.as_dictionary().is_some() {
            let is_name = matches!(value, Value::TypedDictionary(typed)
                if typed.key.to_string() == "StringName");
            let key = match step {
                New::Name(name) => self
                    .read(&Json::String(format!("{}:{name}", if is_name { "sn" } else { "s" })))?,
                New::Index(Some(key)) => Value::Int(i64::try_from(*key).unwrap_or(i64::MAX)),
                New::Other(key) => notation::value_from_str(key, &Options::new())
                    .map_err(|error| error.to_string())?,
                New::Index(None) => return refused(&self.kind()),
            };
            return Ok(Fresh::entry(VariantItem::Value(key), guessed()?));
        }
        match (value, step) {
            (Value::Object(Object::Instance(_)), New::Name(name)) => {
                Ok(Fresh::entry(text(name), guessed()?))
            }
            (value, New::Index(at)) if packed::elements(value).is_some() => {
                Ok(Fresh::element(*at, VariantItem::Value(packed::made(value, new)?)))
            }
            _ => refused(&self.kind()),
        }
    }

    fn item(&self) -> VariantItem {
        match &self.what {
            FileValue::Stream(values) => VariantItem::Stream(values.to_vec()),
            FileValue::Settings(settings) => VariantItem::Settings(settings.to_vec()),
            FileValue::Value(value) => VariantItem::Value((*value).clone()),
            FileValue::Component(value) => VariantItem::Value(value.clone()),
            FileValue::Element(_, element) => VariantItem::Value(element.value()),
        }
    }

    fn key_item(&self, at: usize) -> Option<VariantItem> {
        Some(VariantItem::Value(match &self.what {
            FileValue::Settings(settings) => Value::from(settings.get(at)?.0.as_str()),
            FileValue::Value(value) => match (value.as_dictionary(), value.as_object()) {
                (Some(entries), _) => entries.iter().nth(at)?.0.clone(),
                (_, Some(object)) => {
                    Value::from(object.as_instance()?.properties.get(at)?.0.to_string())
                }
                _ => return None,
            },
            _ => return None,
        }))
    }
}

/// A value of a file by itself.
#[derive(Clone)]
pub(in crate::document) enum VariantItem {
    Stream(Vec<Value>),
    Settings(Vec<(String, Value)>),
    Value(Value),
}

impl VariantItem {
    fn value(self) -> Result<Value, String> {
        match self {
            VariantItem::Value(value) => Ok(value),
            _ => Err("does not fit there".to_owned()),
        }
    }

    /// A value that is a part as it is.
    fn part(&mut self, turn: Turn) -> Option<&mut Value> {
        let Turn::Child(at) = turn else { return None };
        match self {
            VariantItem::Stream(values) => values.get_mut(at),
            VariantItem::Settings(settings) => settings.get_mut(at).map(|(_, value)| value),
            VariantItem::Value(Value::Object(Object::Instance(instance))) => {
                instance.properties.get_mut(at).map(|(_, value)| value)
            }
            VariantItem::Value(value) => match value.as_array() {
                Some(_) => value.as_array_mut()?.get_mut(at),
                None => value.as_dictionary_mut()?.values_mut().nth(at),
            },
        }
    }
}

/// The value as a typed container holds it.
fn accepted(container: &Value, new: Value) -> Result<Value, String> {
    match container {
        Value::TypedArray(_) | Value::TypedDictionary(_) => container.accept(new).map_err(unfit),
        _ => Ok(new),
    }
}

fn unfit(error: godot_variant::Error) -> String {
    format!("does not fit: {error}")
}

/// A typed container with nothing in it; nil for other values.
fn without_elements(value: &Value) -> Value {
    match value {
        Value::TypedArray(own) => {
            Value::from(TypedArray { element: own.element.clone(), ..TypedArray::default() })
        }
        Value::TypedDictionary(own) => Value::from(TypedDictionary {
            key: own.key.clone(),
            value: own.value.clone(),
            ..TypedDictionary::default()
        }),
        _ => Value::Nil,
    }
}

impl Item for VariantItem {
    fn take(&mut self, turn: Turn) -> Option<Self> {
        if let Some(part) = self.part(turn) {
            return Some(VariantItem::Value(std::mem::take(part)));
        }
        let VariantItem::Value(value) = self else { return None };
        Some(VariantItem::Value(match turn {
            Turn::Child(at) => packed::element(value, at)?.value(),
            Turn::Key(at) => value.as_dictionary()?.iter().nth(at)?.0.clone(),
            Turn::Hidden(at) => packed::components(value).into_iter().nth(at)?.1,
        }))
    }

    fn put(&mut self, turn: Turn, part: Self) -> Result<(), String> {
        let new = match (&*self, turn) {
            (VariantItem::Value(own), Turn::Child(_)) => accepted(own, part.value()?)?,
            _ => part.value()?,
        };
        if let Some(part) = self.part(turn) {
            *part = new;
            return Ok(());
        }
        let VariantItem::Value(value) = self else { return Err(GONE.to_owned()) };
        match turn {
            Turn::Child(at) => packed::put(value, at, &new),
            Turn::Key(at) => {
                let entries = value.as_dictionary_mut().ok_or(GONE)?;
                let mut all = std::mem::take(entries).into_vec();
                all.get_mut(at).ok_or(GONE)?.0 = new;
                *entries = all.into_iter().collect();
                Ok(())
            }
            Turn::Hidden(at) => {
                *value = packed::with_component(value, at, &new)?;
                Ok(())
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            VariantItem::Stream(values) => values.len(),
            VariantItem::Settings(settings) => settings.len(),
            VariantItem::Value(Value::Object(Object::Instance(own))) => own.properties.len(),
            VariantItem::Value(value) => match (value.as_array(), value.as_dictionary()) {
                (Some(items), _) => items.len(),
                (_, Some(entries)) => entries.len(),
                _ => packed::len(value),
            },
        }
    }

    fn arrange(&mut self, children: Vec<Source<Self>>) -> Result<(), String> {
        let name = |key: Option<Self>| -> Result<String, String> {
            let key = key.ok_or("a member needs a name")?.value()?;
            Ok(key.as_str().unwrap_or_default().to_owned())
        };
        let value = match self {
            VariantItem::Stream(values) => {
                *values = arranged(std::mem::take(values), children, |new| new.value.value())?;
                return Ok(());
            }
            VariantItem::Settings(settings) => {
                let new = |new: Entry<Self>| Ok((name(new.key)?, new.value.value()?));
                *settings = arranged(std::mem::take(settings), children, new)?;
                return Ok(());
            }
            VariantItem::Value(value) => value,
        };
        let typed = without_elements(value);
        if let Some(items) = value.as_array_mut() {
            let own = std::mem::take(items).into_vec();
            let new = |new: Entry<Self>| accepted(&typed, new.value.value()?);
            *items = arranged(own, children, new)?.into();
        } else if let Some(entries) = value.as_dictionary_mut() {
            let own = std::mem::take(entries).into_vec();
            let new = |new: Entry<Self>| {
                let key = new.key.ok_or("an entry needs a key")?.value()?;
                let key = match typed {
                    Value::TypedDictionary(_) => typed.accept_key(key).map_err(unfit)?,
                    _ => key,
                };
                Ok((key, accepted(&typed, new.value.value()?)?))
            };
            *entries = arranged(own, children, new)?.into_iter().collect();
        } else if let Value::Object(Object::Instance(instance)) = value {
            let own = std::mem::take(&mut instance.properties);
            let new = |new: Entry<Self>| Ok((name(new.key)?.as_str().into(), new.value.value()?));
            instance.properties = arranged(own, children, new)?;
        } else {
            return packed::arrange(
                value,
                children
                    .into_iter()
                    .map(|child| match child {
                        Source::Own(at) => Ok(Source::Own(at)),
                        Source::New(entry) => {
                            let value = entry.value.value()?;
                            Ok(Source::New(Box::new(Entry { key: None, value })))
                        }
                    })
                    .collect::<Result<_, String>>()?,
            );
        }
        Ok(())
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
