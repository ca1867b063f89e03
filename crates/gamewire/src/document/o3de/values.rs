//! Values as a tree that can be compared.

use std::fmt;

use o3de_json::Value;
use o3de_json::value::Object;

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
