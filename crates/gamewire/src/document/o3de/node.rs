//! The values of a document. Paths are JSON pointers.

use std::borrow::Cow;
use std::fmt;
use std::hash::RandomState;

use o3de_json::Value;
use o3de_json::value::{Object, Pointer};

use super::O3de;
use crate::document::diff::Change;
use crate::document::edit::{self, Given, Input, boolean, float, text};
use crate::document::error::{Error, Hint};
use crate::document::json::{Json, JsonText, values};
use crate::document::node::{Rule, Typed};
use crate::document::path::{New, Step};
use crate::document::ranges::{Key, Listed, NewChild, Piece, RangeNode, Values};

/// A value of a document.
pub(super) type Node<'a> = RangeNode<'a, O3de>;

impl<'a> RangeNode<'a, O3de> {
    /// The value, made of its text.
    pub(super) fn value(&self) -> Result<Value, Error> {
        self.grammar.options.from_slice(self.bytes()).map_err(|error| Error::new(error.to_string()))
    }

    fn piece(&self, value: &Value) -> Result<Piece<'a, O3de>, Error> {
        let bytes = self.grammar.compact(value).map_err(|error| Error::new(error.message))?;
        Ok(Piece::new(bytes, self.context()))
    }

    fn first_byte(&self) -> u8 {
        self.bytes().first().copied().unwrap_or_default()
    }
}

impl JsonText for O3de {
    fn text(&self, token: &[u8]) -> Result<String, Error> {
        let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
        // Others may have escapes, and bytes that are not UTF-8.
        match std::str::from_utf8(inner) {
            Ok(text) if text.is_ascii() && !text.contains('\\') => Ok(text.to_owned()),
            _ => {
                let value: Value = self.options.from_slice(token)?;
                let text = value.as_str().map(str::to_owned);
                text.ok_or_else(|| Error::new("expected a string"))
            }
        }
    }

    /// Numbers by value.
    fn is_like(own: &Node<'_>, other: &Node<'_>) -> bool {
        matches!((own.value(), other.value()), (Ok(own), Ok(other)) if own.same(&other))
    }
}

impl Values for O3de {
    const IS_POINTER: bool = true;

    const NUMBER: &'static str = "SortIndex";

    /// Positions are parts of pointers, too.
    fn step<'g>(node: &Node<'g>, at: usize, (child, _): &Listed<'g, Self>) -> Option<Step> {
        Some(Step::Pointer(match child.key {
            Key::Bytes(name) => node.grammar.text(name).ok()?,
            _ => at.to_string(),
        }))
    }

    fn full_kind(node: &Node<'_>) -> String {
        let name = match node.first_byte() {
            b'n' => "null",
            b't' | b'f' => "bool",
            b'"' => "string",
            b'[' => "array",
            b'{' => "object",
            _ => match node.value() {
                Ok(Value::Number(number)) if number.is_integer() => "integer",
                _ => "double",
            },
        };
        name.to_owned()
    }

    fn is_flat(node: &Node<'_>) -> bool {
        !matches!(node.first_byte(), b'[' | b'{')
    }

    fn is_flat_equal(own: &Node<'_>, other: &Node<'_>) -> bool {
        values::is_flat_equal(own, other)
    }

    fn is_identical<'g>(own: &Node<'g>, other: &Node<'g>) -> bool {
        own.has_same_bytes(other) || Self::is_flat_equal(own, other)
    }

    fn is_equal<'g>(own: &Node<'g>, other: &Node<'g>) -> bool {
        values::is_equal(own, other)
    }

    fn hash(node: &Node<'_>, hasher: &RandomState) -> Option<u64> {
        values::hash(node, hasher)
    }

    fn write(node: &Node<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        values::write(node, out)
    }

    fn json(node: &Node<'_>) -> Result<Json, Error> {
        values::json(node)
    }

    fn typed<'g>(node: &Node<'g>) -> Result<Option<Typed<'g>>, Error> {
        Ok(Some(Typed::O3de(Cow::Owned(node.value()?))))
    }

    fn parse_value<'g>(
        node: &Node<'g>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        let own = Self::full_kind(node);
        let new = match given(new)? {
            Given::Text(new) => made(kind.unwrap_or(&own), new)?,
            // Null may become anything.
            Given::Value(new) if kind.is_none() && own == "null" => return node.piece(&new),
            Given::Value(new) => {
                let new = fitted(kind.unwrap_or(&own), new)?;
                let is_same = new == node.value()?;
                return if is_same { Ok(Piece::Of(*node)) } else { node.piece(&new) };
            }
        };
        // The same number keeps its spelling.
        if new == Self::json(node)? { Ok(Piece::Of(*node)) } else { node.piece(&value_of(&new)?) }
    }

    fn new_child<'g>(
        node: &Node<'g>,
        step: &New,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error> {
        let value = match (kind, given(new)?) {
            (Some(kind), Given::Text(new)) => value_of(&made(kind, new)?)?,
            (Some(kind), Given::Value(new)) => fitted(kind, new)?,
            (None, Given::Value(new)) => new,
            (None, Given::Text(new)) => value_of(&match edit::json(new) {
                Some(json) => json,
                None => Json::String(text(new)?),
            })?,
        };
        let value = node.piece(&value)?;
        let key = |name: &str| {
            let name = node.grammar.compact(&Value::from(name));
            name.map_err(|error| Error::new(error.message))
        };
        NewChild::of_json(node, step, || Ok(value), key)
    }

    fn rule(_: &Node<'_>, member: &Step) -> Rule {
        rule_of(&member.name())
    }

    /// Patches of an instance have their paths.
    fn identities(node: &Node<'_>) -> &'static [&'static str] {
        match node.member("op").is_some() && node.member("path").is_some() {
            true => &["path"],
            false => &["ComponentId", "Id", "$id", "id", "Key", "Name", "name"],
        }
    }

    fn name(node: &Node<'_>) -> Option<String> {
        node.member("Name").and_then(|name| name.value().ok()?.as_str().map(str::to_owned))
    }
}

/// The meaning of a member to the editor, where that decides how it merges.
pub(super) fn rule_of(name: &str) -> Rule {
    match name {
        "Child Entity Order" => Rule::OrderedSet,
        "ComponentOrderEntryArray" => Rule::Numbered,
        "Cached World Transform" | "Cached World Transform Parent" => {
            Rule::Derived(&["Transform Data", "Parent Entity"])
        }
        // It stands for the entity that it is found in.
        "EditorEntityId" => Rule::Alias,
        _ => Rule::Plain,
    }
}

fn value_of(json: &Json) -> Result<Value, Error> {
    o3de_json::from_str(&json.to_string()).map_err(|error| Error::new(error.to_string()))
}

fn given(new: Input<'_>) -> Result<Given<'_, Value>, Error> {
    Ok(match new {
        Input::Text(text) => Given::Text(text),
        Input::Notation(json) => Given::Value(value_of(json)?),
        Input::Typed(Typed::O3de(value)) => Given::Value(Value::clone(value)),
        Input::Typed(_) => return Err(edit::other_format("JSON")),
    })
}

/// The value as one of a kind, if it is still the same then.
fn fitted(kind: &str, new: Value) -> Result<Value, Error> {
    let found = match &new {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(own) if own.as_u64().is_none() && own.as_i64().is_none() => "double",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match new {
        new if found == kind => Ok(new),
        #[allow(clippy::cast_possible_truncation, reason = "it is compared")]
        Value::Number(own) if kind == "double" => {
            match own.as_i64() {
                Some(whole) if own.as_f64() as i128 == i128::from(whole) => {
                    Ok(Value::Number(own.as_f64().into()))
                }
                _ => Err(Error::new("a float would round the number")
                    .with_hint(Hint::ExactKind("integer"))),
            }
        }
        _ => Err(edit::other_kind(kind, found)),
    }
}

fn made(kind: &str, new: &str) -> Result<Json, Error> {
    Ok(match kind {
        "null" if new == "null" => Json::Null,
        "bool" => Json::Bool(boolean(new)?),
        "integer" => match new.parse::<u64>() {
            Ok(number) => Json::from(number),
            Err(_) => Json::from(edit::integer(new, 64)?),
        },
        "double" => {
            let number = float(new)?;
            #[allow(clippy::cast_possible_truncation, reason = "it is a whole number of 64 bits")]
            let whole = number as i128;
            // An id would be rounded.
            if new.trim().parse::<i128>().is_ok_and(|meant| meant != whole) {
                let why = format!("expected a number of 64 bits, found {new}");
                return Err(Error::new(why).with_hint(Hint::ExactKind("integer")));
            }
            Json::from(number)
        }
        "string" => Json::String(text(new)?),
        kind => match edit::notation(new, kind)? {
            json if edit::kind_of(&json) == kind => json,
            json => return Err(edit::other_kind(kind, edit::kind_of(&json))),
        },
    })
}

/// Positions alone look like a path of another format.
pub(super) fn as_pointer(change: &mut Change) {
    if change.path.starts_with('[') {
        change.path = change.path.replace('[', "/").replace(']', "");
    }
}

/// Returns the component that a pointer leads into with the members that a prefab leaves out, so that there is a value
/// at the pointer; and the positions of the children that lead to the component.
pub(super) fn restored<'g>(
    root: &Node<'g>,
    pointer: &str,
) -> Option<(Vec<usize>, Piece<'g, O3de>)> {
    const LIST: &str = "/Components/";
    let list = pointer.find(LIST)?.checked_add(LIST.len())?;
    let key = pointer.get(list..)?.find('/')?;
    let (outer, inside) = pointer.split_at_checked(list.checked_add(key)?)?;
    let (mut way, mut place) = (Vec::new(), *root);
    for token in Pointer::parse(outer)?.tokens() {
        let is_step = |(at, child): &(usize, Listed<'g, O3de>)| {
            O3de::step(&place, *at, child).is_some_and(|step| step.name() == token.name)
        };
        let (at, (_, child)) = place.list().enumerate().find(is_step)?;
        way.push(at);
        place = child;
    }
    // Wherever it is, it is made as that of a prefab's own entity.
    let mut components = Object::default();
    components.push("C", place.value().ok()?);
    let around = ["Components", "ContainerEntity"].into_iter();
    let mut prefab = around.fold(Value::Object(components), |inner, name| {
        let mut object = Object::default();
        object.push(name, inner);
        Value::Object(object)
    });
    let whole = "/ContainerEntity/Components/C";
    let pointer = format!("{whole}{inside}");
    // A null has no kind that a new value could have.
    if !o3de_prefab::restore(&mut prefab, &pointer) || prefab.pointer(&pointer)?.is_null() {
        return None;
    }
    Some((way, root.piece(prefab.pointer(whole)?).ok()?))
}
