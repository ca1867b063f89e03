//! Values as a tree that can be compared.

use std::fmt;

use o3de_json::{self, Value};
use serde_json::Value as Json;

use crate::document::diff::{Change, Children, Tree};
use crate::document::path::Step;

/// A value of a document.
pub(super) struct Node<'a>(&'a Value);

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Node(value)
    }
}

impl Tree for Node<'_> {
    fn kind(&self) -> String {
        match self.0 {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(number) if number.is_integer() => "integer",
            Value::Number(_) => "double",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
        .to_owned()
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

/// Positions alone look like a path of another format.
pub(super) fn as_pointer(change: &mut Change) {
    if change.path.starts_with('[') {
        change.path = change.path.replace('[', "/").replace(']', "");
    }
}

/// Makes of a value what JSON has become, and leaves the rest of it as it is.
pub(super) fn apply(value: &mut Value, before: &Json, after: &Json) -> o3de_json::Result<()> {
    if before == after {
        return Ok(());
    }
    match (value, before, after) {
        (Value::Object(object), Json::Object(before), Json::Object(after)) => {
            for (name, _) in before.iter().filter(|(name, _)| !after.contains_key(*name)) {
                object.remove(name);
            }
            for (name, new) in after {
                match (before.get(name), object.get_mut(name)) {
                    (Some(old), Some(value)) => apply(value, old, new)?,
                    _ => object.push(name.as_str(), made(new)?),
                }
            }
        }
        (Value::Array(items), Json::Array(before), Json::Array(after)) => {
            let same = |(old, new): &(&Json, &Json)| old == new;
            let head = before.iter().zip(after).take_while(same).count();
            let most = before.len().min(after.len()) - head;
            let tails = before.iter().rev().zip(after.iter().rev()).take(most);
            let tail = tails.take_while(same).count();
            let (old_end, new_end) = (before.len() - tail, after.len() - tail);
            for at in head..old_end.min(new_end) {
                if let (Some(item), Some(old), Some(new)) =
                    (items.get_mut(at), before.get(at), after.get(at))
                {
                    apply(item, old, new)?;
                }
            }
            for _ in new_end..old_end {
                items.remove(new_end.max(head));
            }
            for (at, new) in after.iter().enumerate().take(new_end).skip(old_end.max(head)) {
                items.insert(at, made(new)?);
            }
        }
        (value, _, new) => *value = made(new)?,
    }
    Ok(())
}

fn made(json: &Json) -> o3de_json::Result<Value> {
    o3de_json::from_str(&json.to_string())
}

/// Makes the members of a component that a prefab leaves out, so that there is a value at a pointer.
pub(in crate::document) fn restored(json: &mut Json, pointer: &str) -> Option<()> {
    const LIST: &str = "/Components/";
    let list = pointer.find(LIST)?.checked_add(LIST.len())?;
    let key = pointer.get(list..)?.find('/')?;
    let (outer, inside) = pointer.split_at_checked(list.checked_add(key)?)?;
    let place = json.pointer_mut(outer)?;
    let whole = "/ContainerEntity/Components/C";
    let mut prefab =
        made(&serde_json::json!({"ContainerEntity": {"Components": {"C": place}}})).ok()?;
    let pointer = format!("{whole}{inside}");
    // A null has no kind that a new value could have.
    if !o3de_prefab::restore(&mut prefab, &pointer) || prefab.pointer(&pointer)?.is_null() {
        return None;
    }
    let text = o3de_json::to_string(prefab.pointer(whole)?).ok()?;
    *place = crate::document::json::read(text.as_bytes(), std::marker::PhantomData).ok()?;
    Some(())
}
