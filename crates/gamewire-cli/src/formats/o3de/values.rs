//! Values as a tree that can be compared.

use std::fmt;

use gamewire::o3de_json::Value;

use crate::diff::{Change, Children, Tree};
use crate::path::Step;

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
