//! The values of a document. Paths are JSON pointers.

use std::collections::HashSet;
use std::fmt;

use o3de_json::value::Object;
use o3de_json::{Options, Value};
use serde_json::Value as Json;

use crate::document::diff::{Change, Children, Tree};
use crate::document::edit::{self, boolean, float, text};
use crate::document::json;
use crate::document::node::{
    self, Entry, Fresh, GONE, Item, Part, Rule, Source, Turn, arranged, fresh_in_json,
};
use crate::document::path::{New, Step};

/// A value of a document.
#[derive(Clone, Copy)]
pub(in crate::document) struct Node<'a>(pub(super) &'a Value);

impl Tree for Node<'_> {
    fn full_kind(&self) -> String {
        kind(self.0).to_owned()
    }

    fn children(&self) -> Children<Self> {
        match self.0 {
            Value::Array(items) => Children::Items(items.iter().map(Node).collect()),
            Value::Object(object) => {
                let step = |name: &str| Step::Pointer(name.to_owned());
                Children::Entries(object.iter().map(|(name, v)| (step(name), Node(v))).collect())
            }
            _ => Children::None,
        }
    }

    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        Some(self.0.as_array()?.get(at).map(Node))
    }

    fn is_flat(&self) -> bool {
        !matches!(self.0, Value::Array(_) | Value::Object(_))
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
        let options = Options::new().max_depth(1_025).pretty(false);
        let text = options.to_vec(self.0).map_err(|error| error.to_string())?;
        json::read(&text, std::marker::PhantomData).map_err(|error| error.message)
    }

    fn typed(&self) -> Option<node::Typed<'_>> {
        Some(node::Typed::O3de(self.0))
    }

    /// Positions are parts of pointers, too.
    fn parts(&self) -> Vec<Part<Self>> {
        let entries = self.children().entries().into_iter().enumerate();
        let part = |(at, (step, node)): (usize, (Step, Self))| {
            (Step::Pointer(step.name().into_owned()), vec![Turn::Child(at)], node)
        };
        entries.map(part).collect()
    }

    const IS_POINTER: bool = true;

    fn made(&self, new: &str, kind: Option<&str>) -> Result<Value, String> {
        let own = self::kind(self.0);
        let new = made(kind.unwrap_or(own), new)?;
        // The same number keeps its spelling.
        if new == self.json()? { Ok(self.0.clone()) } else { value_of(&new) }
    }

    fn fresh(&self, step: &New, new: &str, kind: Option<&str>) -> Result<Fresh<Value>, String> {
        let value = value_of(&match (kind, edit::json(new)) {
            (Some(kind), _) => made(kind, new)?,
            (None, Some(json)) => json,
            (None, None) => Json::String(text(new)?),
        })?;
        fresh_in_json(self, step, |name| Value::from(name), value)
    }

    fn item(&self) -> Value {
        self.0.clone()
    }

    fn key_item(&self, at: usize) -> Option<Value> {
        let (name, _) = self.0.as_object()?.iter().nth(at)?;
        Some(Value::from(name.as_str()))
    }

    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn means(&self, other: &Self) -> bool {
        self.0.same(other.0)
    }

    fn member(&self, name: &str) -> Option<Self> {
        self.0.as_object()?.get(name).map(Node)
    }

    fn rule(&self, member: &Step) -> Rule {
        rule_of(&member.name())
    }

    /// Patches of an instance have their paths.
    fn identities(&self) -> &'static [&'static str] {
        match self.member("op").is_some() && self.member("path").is_some() {
            true => &["path"],
            false => &["ComponentId", "Id", "$id", "id", "Key", "Name", "name"],
        }
    }

    const NUMBER: &'static str = "SortIndex";

    /// Counts the positions of components from 0 where two are equal. The editor omits 0.
    fn count_again(list: &mut Value) {
        let Some(entries) = list.as_array_mut() else { return };
        let index = |entry: &Value| entry.get(Self::NUMBER).and_then(Value::as_u64).unwrap_or(0);
        let different: HashSet<u64> = entries.iter().map(index).collect();
        if different.len() == entries.len() {
            return;
        }
        for (at, entry) in (0u64..).zip(entries.iter_mut()) {
            let Some(object) = entry.as_object_mut() else { continue };
            match at {
                0 => _ = object.remove(Self::NUMBER),
                _ => _ = object.insert(Self::NUMBER, at),
            }
        }
    }

    fn name(&self) -> Option<String> {
        self.member("Name")?.0.as_str().map(str::to_owned)
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

node::item_of_json!(Value, Array, Object, nth);

fn nth(object: &mut Object, at: usize) -> Option<&mut Value> {
    object.iter_mut().nth(at).map(|(_, value)| value)
}

fn value_of(json: &Json) -> Result<Value, String> {
    o3de_json::from_str(&json.to_string()).map_err(|error| error.to_string())
}

fn made(kind: &str, new: &str) -> Result<Json, String> {
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
                return Err(format!(
                    "expected a number of 64 bits, found {new}; --kind integer keeps it"
                ));
            }
            Json::from(number)
        }
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

/// Positions alone look like a path of another format.
pub(super) fn as_pointer(change: &mut Change) {
    if change.path.starts_with('[') {
        change.path = change.path.replace('[', "/").replace(']', "");
    }
}

/// Makes the members of a component that a prefab leaves out, so that there is a value at a pointer.
pub(super) fn restored(document: &mut Value, pointer: &str) -> Option<()> {
    const LIST: &str = "/Components/";
    let list = pointer.find(LIST)?.checked_add(LIST.len())?;
    let key = pointer.get(list..)?.find('/')?;
    let (outer, inside) = pointer.split_at_checked(list.checked_add(key)?)?;
    let place = document.pointer_mut(outer)?;
    // Wherever it is, it is made as that of a prefab's own entity.
    let mut components = Object::default();
    components.push("C", place.clone());
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
    *place = prefab.pointer_mut(whole)?.take();
    Some(())
}

/// The kind of a value.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_integer() => "integer",
        Value::Number(_) => "double",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
