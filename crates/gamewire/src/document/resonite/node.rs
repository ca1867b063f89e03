//! The values of a save's document, by their keys. [`tree`](super::tree) has them by the names of slots.

use std::collections::HashMap;
use std::fmt;
use std::ptr::from_ref;

use resonite_brson::Value;
use resonite_brson::json::{self, Style};
use resonite_brson::value::Document;
use serde_json::Value as Json;

use super::tree;
use crate::document::diff::{self, Children, Tree};
use crate::document::edit::{self, boolean, float, integer, text};
use crate::document::node::{
    self, Entry, Found, Fresh, GONE, Item, Source, Turn, Way, arranged, fresh_in_json,
};
use crate::document::path::{New, Step};

/// A value of a document.
#[derive(Clone, Copy)]
pub(in crate::document) struct Node<'a>(pub(super) &'a Value);

impl Tree for Node<'_> {
    /// Of those that only BSON has, the name of the wrapper in JSON.
    fn full_kind(&self) -> String {
        let name = match self.0 {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::String(_) => "string",
            Value::Int32(_) => "int32",
            Value::Int64(_) => "int64",
            Value::Double(_) => "double",
            Value::Array(_) => "array",
            Value::Document(_) => "document",
            other => {
                // Of a flat value, which has a notation always.
                let json = notation(other).unwrap_or_default();
                let name = json.as_object().and_then(|members| members.keys().next().cloned());
                return name.unwrap_or_default();
            }
        };
        name.to_owned()
    }

    fn children(&self) -> Children<Self> {
        match self.0 {
            Value::Array(items) => Children::Items(items.iter().map(Node).collect()),
            Value::Document(document) => {
                let entry = |(key, value)| (Step::Key(ToString::to_string(key)), Node(value));
                Children::Entries(document.iter().map(|(key, value)| entry((key, value))).collect())
            }
            _ => Children::None,
        }
    }

    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        Some(self.0.as_array()?.get(at).map(Node))
    }

    fn is_flat(&self) -> bool {
        !matches!(self.0, Value::Array(_) | Value::Document(_))
    }

    fn same(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{:?}", self.0)
    }
}

impl node::Node for Node<'_> {
    type Item = Value;

    fn json(&self) -> Result<Json, String> {
        notation(self.0)
    }

    fn typed(&self) -> Option<node::Typed<'_>> {
        Some(node::Typed::Resonite(self.0))
    }

    fn plain(&self) -> Result<Json, String> {
        Ok(match self.0 {
            Value::Int32(number) => Json::from(*number),
            Value::Int64(number) => Json::from(*number),
            Value::Double(number) if number.is_finite() => Json::from(*number),
            Value::Double(number) => match number {
                own if own.is_nan() => Json::from("NaN"),
                own if *own < 0.0 => Json::from("-Infinity"),
                _ => Json::from("Infinity"),
            },
            Value::Array(items) => {
                items.iter().map(|item| Node(item).plain()).collect::<Result<_, _>>()?
            }
            Value::Document(document) => {
                let plain =
                    |(key, own): (&_, &Value)| Ok((ToString::to_string(key), Node(own).plain()?));
                document
                    .iter()
                    .map(|(key, own)| plain((key, own)))
                    .collect::<Result<_, String>>()?
            }
            other => notation(other)?,
        })
    }

    fn made(&self, new: &str, kind: Option<&str>) -> Result<Value, String> {
        let own = self.full_kind();
        match kind.unwrap_or(&own) {
            "null" if new == "null" => Ok(Value::Null),
            own if kind.is_none() => {
                made(own, new)?.in_place_of(self.0).map_err(|error| error.to_string())
            }
            kind => made(kind, new),
        }
    }

    fn fresh(&self, step: &New, new: &str, kind: Option<&str>) -> Result<Fresh<Value>, String> {
        let value = match (kind, edit::json(new)) {
            (Some(kind), _) => made(kind, new)?,
            (None, Some(json)) => typed(json)?,
            (None, None) => Value::from(text(new)?),
        };
        fresh_in_json(self, step, |name| Value::from(name), value)
    }

    fn item(&self) -> Value {
        self.0.clone()
    }

    fn key_item(&self, at: usize) -> Option<Value> {
        let (name, _) = self.0.as_document()?.as_slice().get(at)?;
        Some(Value::from(name.to_string()))
    }

    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

node::item_of_json!(Value, Array, Document, nth);

fn nth(document: &mut Document, at: usize) -> Option<&mut Value> {
    document.as_mut_slice().get_mut(at).map(|(_, value)| value)
}

fn notation(value: &Value) -> Result<Json, String> {
    let text = json::to_string(value, Style::Canonical);
    let read = crate::document::json::read(text.as_bytes(), std::marker::PhantomData);
    read.map_err(|error| error.message)
}

fn made(kind: &str, new: &str) -> Result<Value, String> {
    let int = |bits| integer(new, bits);
    Ok(match kind {
        "bool" => Value::Bool(boolean(new)?),
        "string" => Value::from(text(new)?),
        "int32" => Value::Int32(i32::try_from(int(32)?).unwrap_or_default()),
        "int64" => Value::Int64(int(64)?),
        "double" => Value::Double(float(new)?),
        kind => match typed(edit::notation(new, kind)?)? {
            value if Node(&value).full_kind() == kind => value,
            value => {
                let found = Node(&value).full_kind();
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

/// The values that paths lead to by the names of slots, components and members, for each path.
pub(super) fn by_name<'c>(value: &'c Value, paths: &[&str]) -> Vec<Vec<Found<Node<'c>>>> {
    let mut all = vec![Vec::new(); paths.len()];
    if tree::save(value).is_none() {
        return all;
    }
    let (mut hits, mut ways) = (Vec::new(), HashMap::new());
    diff::find(&tree::root(value), paths, &mut |at, path, own| {
        if let Some(address) = own.address() {
            hits.push((at, path.to_vec(), address));
            ways.insert(address, None);
        }
    });
    find_ways(value, &mut ways);
    for (at, path, address) in hits {
        let Some(Some(way)) = ways.get(&address) else { continue };
        let node = way.iter().try_fold(value, |value, turn| part(value, *turn)).map(Node);
        let found = node.map(|node| Found { path, way: way.clone(), node });
        all.get_mut(at).into_iter().for_each(|all| all.extend(found.clone()));
    }
    all
}

fn part(value: &Value, turn: Turn) -> Option<&Value> {
    let Turn::Child(at) = turn else { return None };
    match value {
        Value::Array(items) => items.get(at),
        Value::Document(document) => document.as_slice().get(at).map(|(_, value)| value),
        _ => None,
    }
}

/// Finds the ways to values by their addresses, or by those of the document or array in them.
fn find_ways(value: &Value, ways: &mut HashMap<usize, Option<Way>>) {
    let mut way = Way::new();
    let mut levels = vec![(value, 0)];
    while let Some((outer, next)) = levels.last_mut() {
        let turn = Turn::Child(*next);
        let Some(inner) = part(outer, turn) else {
            levels.pop();
            way.pop();
            continue;
        };
        *next += 1;
        way.push(turn);
        let within = match inner {
            Value::Document(document) => from_ref(document).addr(),
            Value::Array(items) => from_ref(items).addr(),
            own => from_ref(own).addr(),
        };
        for address in [from_ref(inner).addr(), within] {
            ways.entry(address).and_modify(|own| *own = Some(way.clone()));
        }
        levels.push((inner, 0));
    }
}
