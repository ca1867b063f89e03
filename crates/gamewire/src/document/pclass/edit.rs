//! Values in the JSON notation of objects, by their paths. The schema says of which kind each is.

use serde_json::Value as Json;

use crate::document::edit::{self, Place, boolean, float, kind_of, text};
use crate::document::natural::{Natural, Parts};
use crate::document::path::Step;

/// The notation of objects, with what is around them.
pub(crate) struct Objects;

impl Natural for Objects {
    type Value = Json;
    const OUTSIDE: &'static str = "";

    fn root(&self, json: &Json) -> Place {
        match json.get("objects").and_then(Json::as_array) {
            Some(objects) if objects.len() != 1 => Place::root("/objects", "objects"),
            _ => Place::root("/objects/0", ""),
        }
    }

    /// The class, and the header of core objects, are no values.
    fn step(name: &str) -> Option<Step> {
        (!name.starts_with('$')).then(|| Step::Name(name.to_owned()))
    }

    fn parts(value: &Json) -> Parts<'_> {
        match value {
            Json::Array(items) => Parts::Items(items.len()),
            Json::Object(members) => Parts::Members(members.keys().map(String::as_str).collect()),
            _ => Parts::None,
        }
    }

    fn part<'v>(value: &'v Json, token: &str) -> Option<&'v Json> {
        match value {
            Json::Array(items) => items.get(token.parse::<usize>().ok()?),
            other => other.get(token),
        }
    }

    fn part_mut<'v>(value: &'v mut Json, token: &str) -> Option<&'v mut Json> {
        match value {
            Json::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
            other => other.get_mut(token),
        }
    }

    fn insert_item(value: &mut Json, at: usize, new: Json) {
        if let Json::Array(items) = value {
            items.insert(at, new);
        }
    }

    fn insert_member(_value: &mut Json, _name: &str, _new: Json) {}

    fn remove(value: &mut Json, token: &str) {
        match value {
            Json::Array(items) => {
                if let Some(at) = token.parse().ok().filter(|at| *at < items.len()) {
                    items.remove(at);
                }
            }
            Json::Object(members) => _ = members.shift_remove(token),
            _ => {}
        }
    }

    fn kind(value: &Json) -> String {
        kind_of(value).to_owned()
    }

    fn made(old: &Json, new: &str, kind: Option<&str>) -> Result<Json, String> {
        if kind.is_some() {
            return Err("the schema says which kind it is".to_owned());
        }
        match old {
            Json::Bool(_) => boolean(new),
            Json::String(_) => text(new).map(Json::String),
            // An enum whose value has no name may get one.
            Json::Number(_) => match float(new) {
                Ok(_) => edit::notation(new, "a number"),
                Err(why) if new.starts_with(|c: char| c.is_ascii_digit() || c == '-') => Err(why),
                Err(_) => text(new).map(Json::String),
            },
            _ => edit::notation(new, "an object or list"),
        }
    }

    fn fresh(around: &Json, new: &str, _kind: Option<&str>) -> Result<Json, String> {
        let Json::Array(items) = around else {
            return Err("objects have the properties of their class; only lists grow".to_owned());
        };
        let is_text = items.iter().all(Json::is_string);
        match edit::json(new) {
            Some(made) => Ok(made),
            None if is_text => Ok(Json::String(new.to_owned())),
            None => Err(format!("expected JSON, found {new}")),
        }
    }

    fn notation(value: &Json) -> Json {
        value.clone()
    }
}
