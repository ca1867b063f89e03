//! Values of documents, by their paths: those of the document, and those that diff shows, by the names of
//! slots and components.

use std::collections::HashMap;
use std::ptr::from_ref;

use resonite_brson::Value;
use resonite_brson::json::{self, Style};
use serde_json::Value as Json;

use super::content::DOCUMENT;
use super::tree::Save;
use crate::document::edit::{self, Place, Whole, boolean, escaped, float, integer, text};
use crate::document::natural::{Natural, Parts};
use crate::document::path::Step;

/// The values of BSON.
pub(crate) struct Extended;

/// The kind of a value; of those that only BSON has, the name of the wrapper in JSON.
fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::String(_) => "string".to_owned(),
        Value::Int32(_) => "int32".to_owned(),
        Value::Int64(_) => "int64".to_owned(),
        Value::Double(_) => "double".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Document(_) => "document".to_owned(),
        other => {
            let json = Extended::notation(other);
            let name = json.as_object().and_then(|members| members.keys().next().cloned());
            name.unwrap_or_default()
        }
    }
}

fn made(kind: &str, new: &str) -> Result<Value, String> {
    let int = |bits| integer(new, bits);
    Ok(match kind {
        "bool" => Value::Bool(boolean(new)? == Json::Bool(true)),
        "string" => Value::from(text(new)?),
        "int32" => Value::Int32(i32::try_from(int(32)?).unwrap_or_default()),
        "int64" => Value::Int64(int(64)?),
        "double" => Value::Double(float(new)?),
        kind => match typed(edit::notation(new, kind)?)? {
            value if kind_of(&value) == kind => value,
            value => {
                let found = kind_of(&value);
                return Err(format!("expected {kind}, found {found}; --kind {found} makes it one"));
            }
        },
    })
}

/// The value of a notation. Relaxed numbers get a kind: doubles, as in vectors, where they have a point.
fn typed(json: Json) -> Result<Value, String> {
    let text = marked(json).to_string();
    json::from_str(&text).map_err(|error| format!("does not fit: {error}"))
}

fn marked(json: Json) -> Json {
    let wrapped = |name: &str, text: String| {
        Json::Object([(name.to_owned(), Json::String(text))].into_iter().collect())
    };
    match json {
        Json::Number(number) if number.is_i64() => wrapped("$numberLong", number.to_string()),
        Json::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            wrapped("$numberDouble", format!("{number:?}"))
        }
        Json::Array(items) => items.into_iter().map(marked).collect(),
        Json::Object(members) => {
            let is_wrapper = members.len() == 1 && members.keys().all(|name| name.starts_with('$'));
            match is_wrapper {
                true => Json::Object(members),
                false => members.into_iter().map(|(name, own)| (name, marked(own))).collect(),
            }
        }
        other => other,
    }
}

/// A list keeps the kinds of its numbers: those of a vector stay doubles.
fn alike(new: Value, old: &Value) -> Value {
    match (new, old) {
        (Value::Array(new), Value::Array(old)) => {
            let last = old.last().unwrap_or(&Value::Null);
            let pairs = new.into_vec().into_iter().enumerate();
            let items = pairs.map(|(at, new)| alike(new, old.get(at).unwrap_or(last)));
            Value::Array(items.collect())
        }
        (Value::Int64(number), old) if !matches!(old, Value::Int64(_)) => {
            made(&kind_of(old), &number.to_string()).unwrap_or(Value::Int64(number))
        }
        (new, _) => new,
    }
}

impl Natural for Extended {
    type Value = Value;
    const OUTSIDE: &'static str = "/document";

    fn root(&self, _data: &Value) -> Place {
        Place::root("/document", "")
    }

    fn step(name: &str) -> Option<Step> {
        Some(Step::Key(name.to_owned()))
    }

    fn parts(value: &Value) -> Parts<'_> {
        match value {
            Value::Array(items) => Parts::Items(items.len()),
            Value::Document(document) => Parts::Members(document.keys().collect()),
            _ => Parts::None,
        }
    }

    fn part<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
        match value {
            Value::Array(items) => items.get(token.parse::<usize>().ok()?),
            Value::Document(document) => document.get(token),
            _ => None,
        }
    }

    fn part_mut<'v>(value: &'v mut Value, token: &str) -> Option<&'v mut Value> {
        match value {
            Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
            Value::Document(document) => document.get_mut(token),
            _ => None,
        }
    }

    fn insert_item(value: &mut Value, at: usize, new: Value) {
        if let Value::Array(items) = value {
            items.insert(at, new);
        }
    }

    fn insert_member(value: &mut Value, name: &str, new: Value) {
        if let Value::Document(document) = value {
            document.insert(name, new);
        }
    }

    fn remove(value: &mut Value, token: &str) {
        match value {
            Value::Array(items) => {
                if let Some(at) = token.parse().ok().filter(|at| *at < items.len()) {
                    items.remove(at);
                }
            }
            Value::Document(document) => _ = document.shift_remove(token),
            _ => {}
        }
    }

    fn kind(value: &Value) -> String {
        kind_of(value)
    }

    fn made(old: &Value, new: &str, kind: Option<&str>) -> Result<Value, String> {
        let own = kind_of(old);
        match (kind.unwrap_or(&own), old) {
            ("null", _) if new == "null" => Ok(Value::Null),
            ("array", Value::Array(_)) => Ok(alike(made("array", new)?, old)),
            (kind, _) => made(kind, new),
        }
    }

    fn fresh(_around: &Value, new: &str, kind: Option<&str>) -> Result<Value, String> {
        match (kind, edit::json(new)) {
            (Some(kind), _) => made(kind, new),
            (None, Some(json)) => typed(json),
            (None, None) => Ok(Value::from(text(new)?)),
        }
    }

    fn notation(value: &Value) -> Json {
        let text = json::to_string(value, Style::Canonical);
        crate::document::json::read(text.as_bytes(), std::marker::PhantomData).unwrap_or_default()
    }

    fn plain(value: &Value) -> Json {
        match value {
            Value::Int32(number) => Json::from(*number),
            Value::Int64(number) => Json::from(*number),
            Value::Double(number) if number.is_finite() => Json::from(*number),
            Value::Double(number) => match number {
                own if own.is_nan() => Json::from("NaN"),
                own if *own < 0.0 => Json::from("-Infinity"),
                _ => Json::from("Infinity"),
            },
            Value::Array(items) => items.iter().map(Self::plain).collect(),
            Value::Document(document) => {
                document.iter().map(|(name, own)| (name.to_string(), Self::plain(own))).collect()
            }
            other => Self::notation(other),
        }
    }

    /// The values of a save by the names of slots, components and members.
    fn by_name(data: &Value, paths: &[&str]) -> Vec<Vec<Place>> {
        let mut all = vec![Vec::new(); paths.len()];
        let save = Save::new(data);
        let Some(document) = save.document() else { return all };
        let mut pointers = HashMap::new();
        for (key, value) in document.iter() {
            pointers_of(value, format!("/{DOCUMENT}/{}", escaped(key)), &mut pointers);
        }
        crate::document::diff::find(&save.root(), paths, &mut |at, path, node| {
            let place = node.address().and_then(|own| placed(path, pointers.get(&own)?));
            all.get_mut(at).into_iter().for_each(|found| found.extend(place.clone()));
        });
        all
    }
}

/// A value that is known by names.
fn placed(path: &[Step], pointer: &str) -> Option<Place> {
    let (outer, last) = pointer.rsplit_once('/')?;
    let whole = match last.parse() {
        Ok(at) => Whole::Parts(outer.to_owned(), at, 1),
        Err(_) => {
            let name = last.replace("~1", "/").replace("~0", "~");
            Whole::Member(outer.to_owned(), name)
        }
    };
    let (path, pointer) = (path.to_vec(), pointer.to_owned());
    Some(Place { path, pointer, run: None, kind: String::new(), whole })
}

/// Where each value is: by its address, and by that of the document or array in it.
fn pointers_of(value: &Value, pointer: String, pointers: &mut HashMap<usize, String>) {
    let mut todo = vec![(value, pointer)];
    while let Some((value, pointer)) = todo.pop() {
        match value {
            Value::Document(document) => {
                for (key, inner) in document.iter() {
                    todo.push((inner, format!("{pointer}/{}", escaped(key))));
                }
                pointers.insert(from_ref(document).addr(), pointer.clone());
            }
            Value::Array(items) => {
                let inner = items.iter().enumerate();
                todo.extend(inner.map(|(at, inner)| (inner, format!("{pointer}/{at}"))));
                pointers.insert(from_ref(items).addr(), pointer.clone());
            }
            _ => {}
        }
        pointers.insert(from_ref(value).addr(), pointer);
    }
}
