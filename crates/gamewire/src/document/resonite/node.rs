//! The values of a document, by their keys. [`tree`](super::tree) has them by the names of slots.

use std::borrow::Cow;
use std::fmt;

use gamewire_core::json::Map;
use resonite_brson::json::{self, Style};
use resonite_brson::{Kind, Value};

use super::Resonite;
use super::grammar::has_parts;
use crate::document::edit::{self, Given, Input, boolean, float, integer, text};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::Typed;
use crate::document::path::{New, Step};
use crate::document::ranges::{Key, Listed, NewChild, Piece, RangeNode, Values};

pub(super) type Node<'a> = RangeNode<'a, Resonite>;

impl<'a> RangeNode<'a, Resonite> {
    pub(super) fn bson_kind(&self) -> Kind {
        self.context()
    }

    /// The value, made of its bytes.
    pub(super) fn value(&self) -> Result<Value, Error> {
        let made = Value::take_from_slice(self.bytes(), self.bson_kind(), &self.grammar.options);
        made.map(|(value, _)| value).map_err(|error| Error::new(error.to_string()))
    }

    /// The entries of a document.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> + use<'a> {
        self.list().filter_map(|(child, node)| Some((key_text(child.key)?, node)))
    }

    /// The elements of an array.
    pub(super) fn elements(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        self.list().filter(|(child, _)| child.key == Key::Position).map(|(_, node)| node)
    }

    /// The value under a key of a document.
    pub(super) fn get(&self, key: &str) -> Option<Node<'a>> {
        let key = Key::Bytes(key.as_bytes());
        self.list().find(|(child, _)| child.key == key).map(|(_, node)| node)
    }

    pub(super) fn as_str(&self) -> Option<&'a str> {
        match (self.bson_kind(), self.bytes()) {
            (Kind::String, [_, _, _, _, text @ .., 0]) => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    /// The integer of either width.
    pub(super) fn as_i64(&self) -> Option<i64> {
        let bytes = self.bytes();
        match self.bson_kind() {
            Kind::Int32 => bytes.try_into().ok().map(i32::from_le_bytes).map(i64::from),
            Kind::Int64 => bytes.try_into().ok().map(i64::from_le_bytes),
            _ => None,
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        let byte = self.bytes().first().filter(|_| self.bson_kind() == Kind::Bool)?;
        Some(*byte != 0)
    }

    fn piece(&self, value: &Value) -> Result<Piece<'a, Resonite>, Error> {
        let bytes = value.to_vec(&self.grammar.options);
        let bytes = bytes.map_err(|error| Error::new(format!("does not fit: {error}")))?;
        Ok(Piece::new(bytes, value.kind()))
    }
}

fn key_text(key: Key<'_>) -> Option<&str> {
    let Key::Bytes(key) = key else { return None };
    let text = std::str::from_utf8(key);
    debug_assert!(text.is_ok(), "keys were checked when the file was read");
    text.ok()
}

impl Values for Resonite {
    fn step<'g>(_: &Node<'g>, at: usize, (child, _): &Listed<'g, Self>) -> Option<Step> {
        Some(key_text(child.key).map_or(Step::Index(at), |key| Step::Key(key.to_owned())))
    }

    /// Of those that only BSON has, the name of the wrapper in JSON.
    fn full_kind(node: &Node<'_>) -> String {
        kind_name(node.bson_kind(), || node.value())
    }

    fn is_flat(node: &Node<'_>) -> bool {
        !has_parts(node.bson_kind())
    }

    fn is_flat_equal(own: &Node<'_>, other: &Node<'_>) -> bool {
        matches!((own.value(), other.value()), (Ok(a), Ok(b)) if a == b)
    }

    /// As the value's `Debug`, which is not made for it.
    fn write(node: &Node<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        walk(*node, &mut |met, key, at| {
            if at > 0 && !matches!(met, Met::Close(_)) {
                out.write_str(", ")?;
            }
            if let Some(key) = key {
                write!(out, "{key:?}: ")?;
            }
            match met {
                Met::Open(Kind::Array) => out.write_char('['),
                Met::Open(_) => out.write_char('{'),
                Met::Leaf(leaf) => match leaf.value() {
                    Ok(value) => write!(out, "{value:?}"),
                    Err(why) => write!(out, "{why}"),
                },
                Met::Close(Kind::Array) => out.write_char(']'),
                Met::Close(_) => out.write_char('}'),
            }
        })
    }

    fn json(node: &Node<'_>) -> Result<Json, Error> {
        as_json(*node, notation, is_ambiguous)
    }

    fn plain(node: &Node<'_>) -> Result<Json, Error> {
        as_json(*node, plain, |_| false)
    }

    fn typed<'g>(node: &Node<'g>) -> Result<Option<Typed<'g>>, Error> {
        Ok(Some(Typed::Resonite(Cow::Owned(node.value()?))))
    }

    fn parse_value<'g>(
        node: &Node<'g>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        let own = Self::full_kind(node);
        let value = match (kind, given(new)?) {
            (None, Given::Value(new)) => equal_in_place(new, &node.value()?)?,
            (Some(kind), Given::Value(new)) => fitted(kind, new)?,
            (_, Given::Text("null")) if kind.unwrap_or(&own) == "null" => Value::Null,
            (None, Given::Text(new)) => in_place(made(&own, new)?, &node.value()?)?,
            (Some(kind), Given::Text(new)) => made(kind, new)?,
        };
        node.piece(&value)
    }

    fn new_child<'g>(
        node: &Node<'g>,
        step: &New,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error> {
        let value = match (kind, given(new)?) {
            (Some(kind), Given::Text(new)) => made(kind, new)?,
            (Some(kind), Given::Value(new)) => fitted(kind, new)?,
            (None, Given::Value(new)) => new,
            (None, Given::Text(new)) => match edit::json(new) {
                Some(json) => typed(json)?,
                None => Value::from(text(new)?),
            },
        };
        let key = |name: &str| {
            // For the error of a key that BSON cannot have.
            let alone: Value = [(name, Value::Null)].into_iter().collect();
            node.piece(&alone).map(|_| name.as_bytes().to_vec())
        };
        NewChild::of_json(node, step, || node.piece(&value), key)
    }
}

fn kind_name(kind: Kind, value: impl FnOnce() -> Result<Value, Error>) -> String {
    let name = match kind {
        Kind::Null => "null",
        Kind::Bool => "bool",
        Kind::String => "string",
        Kind::Int32 => "int32",
        Kind::Int64 => "int64",
        Kind::Double => "double",
        Kind::Array => "array",
        Kind::Document => "document",
        other => {
            let json = value().and_then(|value| notation(&value));
            let name = json.as_ref().ok().and_then(Json::as_object);
            let name = name.and_then(|members| members.keys().next().cloned());
            return name.unwrap_or_else(|| other.to_string());
        }
    };
    name.to_owned()
}

/// The events of a walk through a value.
enum Met<'a> {
    Open(Kind),
    Leaf(Node<'a>),
    Close(Kind),
}

/// Goes through a value without recursion. `tell` is given what is met, with its key in a document and its
/// position in the container around it.
fn walk<'a, E>(
    root: Node<'a>,
    tell: &mut dyn FnMut(Met<'a>, Option<&'a str>, usize) -> Result<(), E>,
) -> Result<(), E> {
    let mut open = Vec::new();
    let mut next = Some((0, None, root));
    loop {
        if let Some((at, key, node)) = next {
            let kind = node.bson_kind();
            if has_parts(kind) {
                tell(Met::Open(kind), key, at)?;
                open.push((node.list().enumerate(), kind));
            } else {
                tell(Met::Leaf(node), key, at)?;
            }
        }
        let Some((children, kind)) = open.last_mut() else { return Ok(()) };
        next = children.next().map(|(at, (child, node))| (at, key_text(child.key), node));
        if next.is_none() {
            tell(Met::Close(*kind), None, 0)?;
            open.pop();
        }
    }
}

/// Makes JSON of a value without recursion: `leaf` of those that have no others in them. A document that
/// `is_wrapped` by its first key stands in a wrapper.
fn as_json(
    node: Node<'_>,
    leaf: fn(&Value) -> Result<Json, Error>,
    is_wrapped: fn(&str) -> bool,
) -> Result<Json, Error> {
    let mut open = vec![(None, Json::Array(Vec::new()))];
    walk(node, &mut |met, key, _| -> Result<(), Error> {
        let made = match met {
            Met::Open(Kind::Array) => {
                open.push((key, Json::Array(Vec::new())));
                return Ok(());
            }
            Met::Open(_) => {
                open.push((key, Json::Object(Map::new())));
                return Ok(());
            }
            Met::Leaf(own) => Some((key, leaf(&own.value()?)?)),
            Met::Close(_) => open.pop().map(|(key, own)| (key, wrapped(own, is_wrapped))),
        };
        match (made, open.last_mut()) {
            (Some((_, own)), Some((_, Json::Array(items)))) => items.push(own),
            (Some((Some(key), own)), Some((_, Json::Object(members)))) => {
                members.insert(key.to_owned(), own);
            }
            _ => debug_assert!(false, "a value is in a container"),
        }
        Ok(())
    })?;
    match open.pop() {
        Some((_, Json::Array(mut all))) if all.len() == 1 => Ok(all.remove(0)),
        _ => Err(Error::new("it has no JSON")),
    }
}

/// A value that has no others in it, as plain JSON.
fn plain(value: &Value) -> Result<Json, Error> {
    Ok(match value {
        Value::Int32(number) => Json::from(*number),
        Value::Int64(number) => Json::from(*number),
        Value::Double(number) if number.is_finite() => Json::from(*number),
        Value::Double(number) => match number {
            own if own.is_nan() => Json::from("NaN"),
            own if *own < 0.0 => Json::from("-Infinity"),
            _ => Json::from("Infinity"),
        },
        other => notation(other)?,
    })
}

/// A value that has no others in it, in the notation.
fn notation(value: &Value) -> Result<Json, Error> {
    match value {
        Value::Null => return Ok(Json::Null),
        Value::Bool(own) => return Ok(Json::Bool(*own)),
        Value::String(own) => return Ok(Json::String(own.to_string())),
        _ => {}
    }
    let text = json::to_string(value, Style::Canonical);
    let read = crate::document::json::read_json(text.as_bytes());
    read.map_err(|error| Error::new(error.message))
}

fn given(new: Input<'_>) -> Result<Given<'_, Value>, Error> {
    Ok(match new {
        Input::Text(text) => Given::Text(text),
        Input::Notation(json) => Given::Value(typed(json.clone())?),
        Input::Typed(Typed::Resonite(value)) => Given::Value(Value::clone(value)),
        Input::Typed(_) => return Err(edit::other_format("BSON")),
    })
}

fn in_place(new: Value, old: &Value) -> Result<Value, Error> {
    new.in_place_of(old).map_err(|error| Error::new(error.to_string()))
}

/// The value as the game would have it in place of another one, if it is still the same then.
fn equal_in_place(new: Value, old: &Value) -> Result<Value, Error> {
    let made = in_place(new.clone(), old)?;
    let mut todo = vec![(&made, &new)];
    while let Some((made, new)) = todo.pop() {
        match (made, new) {
            (Value::Array(made), Value::Array(new)) if made.len() == new.len() => {
                todo.extend(made.iter().zip(new));
            }
            (made, new)
                if made == new || made.as_f64().is_some_and(|own| Some(own) == new.as_f64()) => {}
            (made, new) => return Err(Error::new(format!("expected {made:?}, found {new:?}"))),
        }
    }
    Ok(made)
}

/// The value as one of a kind.
fn fitted(kind: &str, new: Value) -> Result<Value, Error> {
    let like = match kind {
        "int32" => Some(Value::Int32(0)),
        "int64" => Some(Value::Int64(0)),
        "double" => Some(Value::Double(0.0)),
        _ => None,
    };
    let found = kind_name(new.kind(), || Ok(new.clone()));
    match like {
        _ if found == kind => Ok(new),
        Some(like) => equal_in_place(new, &like),
        None => Err(edit::other_kind(kind, &found)),
    }
}

fn made(kind: &str, new: &str) -> Result<Value, Error> {
    let int = |bits| integer(new, bits);
    Ok(match kind {
        "bool" => Value::Bool(boolean(new)?),
        "string" => Value::from(text(new)?),
        "int32" => {
            Value::Int32(i32::try_from(int(32)?).map_err(|error| Error::new(error.to_string()))?)
        }
        "int64" => Value::Int64(int(64)?),
        "double" => Value::Double(float(new)?),
        kind => {
            let value = typed(edit::notation(new, kind)?)?;
            let found = kind_name(value.kind(), || Ok(value.clone()));
            if found != kind {
                return Err(edit::other_kind(kind, &found));
            }
            value
        }
    })
}

/// The value of a notation. Relaxed numbers get a kind: doubles, as in vectors, where they have a point.
fn typed(json: Json) -> Result<Value, Error> {
    let text = marked(json).to_string();
    json::from_str(&text).map_err(|error| Error::new(format!("does not fit: {error}")))
}

fn marked(json: Json) -> Json {
    let wrapped = |name: &str, text: String| {
        Json::Object([(name.to_owned(), Json::String(text))].into_iter().collect())
    };
    match json {
        Json::Number(number) if number.is_i64() => wrapped("$numberLong", number.to_string()),
        Json::Number(number) => {
            let number = number.as_f64();
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

/// The key of the wrapper around a document that would be taken for a wrapper itself.
const LITERAL: &str = "$document";

fn wrapped(own: Json, is_wrapped: fn(&str) -> bool) -> Json {
    let first = own.as_object().and_then(|members| members.keys().next());
    match first.is_some_and(|first| is_wrapped(first)) {
        true => Json::Object([(LITERAL.to_owned(), own)].into_iter().collect()),
        false => own,
    }
}

/// Whether a document with this first key would be taken for a wrapper.
fn is_ambiguous(first: &str) -> bool {
    first.starts_with('$') && {
        let alone: Value = [(first, Value::Null)].into_iter().collect();
        let text = json::to_string(&alone, Style::Canonical);
        text.starts_with(&format!("{{{LITERAL:?}:{{"))
    }
}
