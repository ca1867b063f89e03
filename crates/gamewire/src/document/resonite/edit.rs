//! Values in the Extended JSON of documents, by their paths: those of the document, and those that
//! diff shows, by the names of slots and components.

use std::collections::HashMap;
use std::ptr::from_ref;

use resonite_brson::{Value, json};
use serde_json::Value as Json;

use super::super::natural;
use super::content::DOCUMENT;
use super::tree::Save;
use crate::document::edit::{self, Notation, Place, Whole, boolean, escaped, float, integer, text};
use crate::document::path::{New, Step};

pub(in crate::document) struct Extended;

/// The kinds whose JSON is a number in a wrapper.
const WRAPPERS: [(&str, &str); 3] =
    [("$numberInt", "int32"), ("$numberLong", "int64"), ("$numberDouble", "double")];

/// The only member of a wrapper.
fn wrapper(json: &Json) -> Option<(&str, &Json)> {
    let (name, value) = json.as_object().filter(|own| own.len() == 1)?.iter().next()?;
    name.starts_with('$').then_some((name.as_str(), value))
}

fn kind_of(json: &Json) -> &str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(_) => "double",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => match wrapper(json) {
            None => "document",
            Some((name, _)) => {
                let found = WRAPPERS.iter().find(|(own, _)| *own == name);
                found.map_or(name, |(_, kind)| kind)
            }
        },
    }
}

fn made(kind: &str, new: &str) -> Result<Json, String> {
    let number = |text: String| {
        let found = WRAPPERS.iter().find(|(_, own)| *own == kind);
        let name = found.map_or("$numberLong", |(name, _)| name);
        Json::Object([(name.to_owned(), Json::String(text))].into_iter().collect())
    };
    Ok(match kind {
        "bool" => boolean(new)?,
        "string" => Json::String(text(new)?),
        "int32" => number(integer(new, 32)?.to_string()),
        "int64" => number(integer(new, 64)?.to_string()),
        "double" => number(match float(new)? {
            value if value.is_nan() => "NaN".to_owned(),
            value if value.is_infinite() && value < 0.0 => "-Infinity".to_owned(),
            value if value.is_infinite() => "Infinity".to_owned(),
            value => format!("{value:?}"),
        }),
        kind => match typed(edit::notation(new, kind)?) {
            json if kind_of(&json) == kind => json,
            json => {
                let found = kind_of(&json);
                return Err(format!("expected {kind}, found {found}; --kind {found} makes it one"));
            }
        },
    })
}

/// Relaxed numbers in a text get a kind: doubles, as in vectors, where they have a point.
fn typed(json: Json) -> Json {
    match json {
        Json::Number(number) => {
            let kind = if number.is_i64() { "int64" } else { "double" };
            made(kind, &number.to_string()).unwrap_or_default()
        }
        Json::Array(items) => items.into_iter().map(typed).collect(),
        Json::Object(members) if wrapper(&Json::Object(members.clone())).is_none() => {
            members.into_iter().map(|(name, own)| (name, typed(own))).collect()
        }
        other => other,
    }
}

/// A list keeps the kinds of its numbers: those of a vector stay doubles.
fn alike(new: Json, old: &Json) -> Json {
    match (new, old) {
        (Json::Array(new), Json::Array(old)) => {
            let last = old.last().unwrap_or(&Json::Null);
            let pairs = new.into_iter().enumerate();
            pairs.map(|(at, new)| alike(new, old.get(at).unwrap_or(last))).collect()
        }
        (new, old) if kind_of(&new) == "int64" && kind_of(old) != "int64" => {
            let text = wrapper(&new).and_then(|(_, own)| own.as_str()).unwrap_or_default();
            made(kind_of(old), text).unwrap_or(new)
        }
        (new, _) => new,
    }
}

impl Notation for Extended {
    fn root(&self, _json: &Json) -> Place {
        Place::root(&format!("/{DOCUMENT}"), "")
    }

    fn children(&self, json: &Json, place: &Place) -> Vec<Place> {
        match wrapper(&place.value(json)) {
            Some(_) => Vec::new(),
            None => natural::children(json, place, &|name| Step::Key(name.to_owned())),
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
        let made = match (kind.unwrap_or(kind_of(&old)), &old) {
            ("null", _) if new == "null" => Json::Null,
            ("array", Json::Array(_)) => alike(made("array", new)?, &old),
            (kind, _) => made(kind, new)?,
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
        let new = match (kind, edit::json(new)) {
            (Some(kind), _) => made(kind, new)?,
            (None, Some(json)) => typed(json),
            (None, None) => Json::String(text(new)?),
        };
        natural::insert(json, container, step, new)
    }

    fn kind(&self, json: &Json, place: &Place) -> String {
        kind_of(&place.value(json)).to_owned()
    }

    fn plain_of(&self, json: &Json) -> Json {
        if let Some(document) = json.get(DOCUMENT).filter(|_| json.get("container").is_some()) {
            return self.plain_of(document);
        }
        match (json, wrapper(json)) {
            (_, Some(("$numberInt" | "$numberLong", Json::String(text)))) => {
                text.parse::<i64>().map_or(json.clone(), Json::from)
            }
            (_, Some(("$numberDouble", Json::String(text)))) => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Json::from(number),
                _ => Json::String(text.clone()),
            },
            (_, Some(_)) => json.clone(),
            (Json::Array(items), _) => items.iter().map(|item| self.plain_of(item)).collect(),
            (Json::Object(members), _) => {
                members.iter().map(|(name, own)| (name.clone(), self.plain_of(own))).collect()
            }
            (other, _) => other.clone(),
        }
    }

    /// The values of a save by the names of slots, components and members.
    fn by_name(&self, json: &Json, paths: &[&str]) -> Vec<Vec<Place>> {
        let mut all = vec![Vec::new(); paths.len()];
        let document = json.get(DOCUMENT).map(Json::to_string).unwrap_or_default();
        let Ok(value) = json::from_str(&document) else { return all };
        let save = Save::new(&value);
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
