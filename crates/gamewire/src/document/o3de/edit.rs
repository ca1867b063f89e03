//! Values of a document, by their paths.

use o3de_json::{Options, Value};
use serde_json::Value as Json;

use crate::document::edit::{self, Place, boolean, float, text};
use crate::document::json;
use crate::document::natural::{Natural, Parts};
use crate::document::path::Step;

/// The values of JSON, with their spelling.
pub(crate) struct Spelled;

fn value_of(json: &Json) -> Result<Value, String> {
    o3de_json::from_str(&json.to_string()).map_err(|error| error.to_string())
}

fn made(kind: &str, new: &str) -> Result<Json, String> {
    Ok(match kind {
        "null" if new == "null" => Json::Null,
        "bool" => boolean(new)?,
        "integer" => match new.parse::<u64>() {
            Ok(number) => Json::from(number),
            Err(_) => Json::from(edit::integer(new, 64)?),
        },
        "double" => Json::from(float(new)?),
        "string" => Json::String(text(new)?),
        kind => match edit::notation(new, kind)? {
            json if edit::kind_of(&json) == kind => json,
            json => {
                let found = edit::kind_of(&json);
                return Err(format!("expected {kind}, found {found}; --kind {found} makes it one"));
            }
        },
    })
}

impl Natural for Spelled {
    type Value = Value;
    const OUTSIDE: &'static str = "";

    fn root(&self, _data: &Value) -> Place {
        Place::root("", "")
    }

    fn step(name: &str) -> Option<Step> {
        Some(Step::Pointer(name.to_owned()))
    }

    fn parts(value: &Value) -> Parts<'_> {
        match value {
            Value::Array(items) => Parts::Items(items.len()),
            Value::Object(object) => Parts::Members(object.keys().map(|name| &**name).collect()),
            _ => Parts::None,
        }
    }

    fn part<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
        match value {
            Value::Array(items) => items.get(token.parse::<usize>().ok()?),
            Value::Object(object) => object.get(token),
            _ => None,
        }
    }

    fn part_mut<'v>(value: &'v mut Value, token: &str) -> Option<&'v mut Value> {
        match value {
            Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
            Value::Object(object) => object.get_mut(token),
            _ => None,
        }
    }

    fn insert_item(value: &mut Value, at: usize, new: Value) {
        if let Value::Array(items) = value {
            items.insert(at, new);
        }
    }

    fn insert_member(value: &mut Value, name: &str, new: Value) {
        if let Value::Object(object) = value {
            object.push(name, new);
        }
    }

    fn remove(value: &mut Value, token: &str) {
        match value {
            Value::Array(items) => {
                if let Some(at) = token.parse().ok().filter(|at| *at < items.len()) {
                    items.remove(at);
                }
            }
            Value::Object(object) => _ = object.remove(token),
            _ => {}
        }
    }

    fn kind(value: &Value) -> String {
        super::values::kind(value).to_owned()
    }

    fn made(old: &Value, new: &str, kind: Option<&str>) -> Result<Value, String> {
        let own = super::values::kind(old);
        // JSON has one kind of numbers.
        let is_number = own == "integer" || own == "double";
        let kind = match kind {
            None if is_number && new.contains(['.', 'e', 'E']) => "double",
            kind => kind.unwrap_or(own),
        };
        let new = made(kind, new)?;
        // The same number keeps its spelling.
        if new == Self::notation(old) { Ok(old.clone()) } else { value_of(&new) }
    }

    fn fresh(_around: &Value, new: &str, kind: Option<&str>) -> Result<Value, String> {
        value_of(&match (kind, edit::json(new)) {
            (Some(kind), _) => made(kind, new)?,
            (None, Some(json)) => json,
            (None, None) => Json::String(text(new)?),
        })
    }

    fn notation(value: &Value) -> Json {
        let text = Options::new().max_depth(1_025).pretty(false).to_vec(value).unwrap_or_default();
        json::read(&text, std::marker::PhantomData).unwrap_or_default()
    }

    fn restore(data: &mut Value, path: &str) -> bool {
        super::values::restored(data, path).is_some()
    }
}
