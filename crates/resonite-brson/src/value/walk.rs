//! Going through nested values: their children, and `Clone`, `==` and `Debug` over them.

use std::fmt::{self, Debug, Formatter};
use std::hash::{Hash, Hasher};
use std::slice;

use gamewire_core::walk::{self, DebugTree, Nested};

use super::{Array, Document, Key};
use crate::Value;

/// The values directly inside a container, in order.
#[derive(Clone)]
pub enum Children<'a> {
    /// Those of an array.
    Items(slice::Iter<'a, Value>),
    /// Those of a document.
    Entries(slice::Iter<'a, (Key, Value)>),
}

impl<'a> Children<'a> {
    /// `None` for values that are not containers.
    #[inline]
    pub fn of(value: &'a Value) -> Option<Children<'a>> {
        Some(match value {
            Value::Array(array) => Children::Items(array.0.iter()),
            Value::Document(document) => Children::Entries(document.0.iter()),
            _ => return None,
        })
    }

    /// The next one with its key, if it has one.
    #[inline]
    pub fn next_entry(&mut self) -> Option<(Option<&'a Key>, &'a Value)> {
        match self {
            Children::Items(items) => items.next().map(|value| (None, value)),
            Children::Entries(entries) => entries.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

impl Nested for Value {
    #[inline]
    fn count(&self) -> usize {
        match self {
            Value::Array(array) => array.len(),
            Value::Document(document) => document.len(),
            _ => 0,
        }
    }

    #[inline]
    fn child(&self, index: usize) -> Option<&Value> {
        match self {
            Value::Array(array) => array.get(index),
            Value::Document(document) => document.value_at(index),
            _ => None,
        }
    }

    fn rebuilt(&self, children: Vec<Value>) -> Value {
        match self {
            Value::Document(document) => Value::Document(document.rebuilt(children)),
            _ => Value::Array(Array(children)),
        }
    }
}

impl Document {
    fn value_at(&self, index: usize) -> Option<&Value> {
        self.0.get(index).map(|(_, value)| value)
    }

    /// The same keys with other values.
    fn rebuilt(&self, values: Vec<Value>) -> Document {
        Document(self.0.iter().map(|(key, _)| key.clone()).zip(values).collect())
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        Array(self.0.iter().map(walk::clone).collect())
    }
}

impl Clone for Document {
    fn clone(&self) -> Self {
        self.rebuilt(self.values().map(walk::clone).collect())
    }
}

impl PartialEq for Value {
    /// Whether the same bytes would be written.
    fn eq(&self, other: &Self) -> bool {
        use Value::*;
        match (self, other) {
            (Bool(a), Bool(b)) => a == b,
            (Int32(a), Int32(b)) => a == b,
            (Int64(a), Int64(b)) => a == b,
            (Double(a), Double(b)) => a.to_bits() == b.to_bits(),
            (String(a), String(b)) => a == b,
            (Document(a), Document(b)) => a == b,
            (Array(a), Array(b)) => a == b,
            (DateTime(a), DateTime(b)) => a == b,
            (Binary(a), Binary(b)) => a == b,
            (Other(a), Other(b)) => a == b,
            (Null, Null) => true,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Value::Bool(v) => v.hash(state),
            Value::Int32(v) => v.hash(state),
            Value::Int64(v) => v.hash(state),
            Value::Double(v) => v.to_bits().hash(state),
            Value::String(v) => v.hash(state),
            Value::Document(v) => v.hash(state),
            Value::Array(v) => v.hash(state),
            Value::DateTime(v) => v.hash(state),
            Value::Binary(v) => v.hash(state),
            Value::Other(v) => v.hash(state),
            Value::Null => {}
        }
    }
}

/// A value as `Debug` shows it, or the contents of one.
#[derive(Clone, Copy)]
enum Printed<'a> {
    Leaf(&'a Value),
    Items(&'a Array),
    Entries(&'a Document),
}

impl<'a> Printed<'a> {
    fn of(value: &'a Value) -> Self {
        match value {
            Value::Array(array) => Printed::Items(array),
            Value::Document(document) => Printed::Entries(document),
            leaf => Printed::Leaf(leaf),
        }
    }

    fn document(self) -> Option<&'a Document> {
        match self {
            Printed::Entries(document) => Some(document),
            _ => None,
        }
    }
}

/// In the manner of JSON. An int64 is distinguished from an int32 by `i64`.
impl DebugTree for Printed<'_> {
    fn child(self, index: usize) -> Option<Self> {
        let child = match self {
            Printed::Items(array) => array.get(index),
            _ => self.document()?.value_at(index),
        };
        child.map(Printed::of)
    }

    fn open(self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Printed::Leaf(leaf) => print_leaf(leaf, f),
            Printed::Items(_) => f.write_str("["),
            Printed::Entries(_) => f.write_str("{"),
        }
    }

    fn close(self) -> &'static str {
        match self {
            Printed::Leaf(_) => "",
            Printed::Items(_) => "]",
            Printed::Entries(_) => "}",
        }
    }

    fn before(self, index: usize, f: &mut Formatter<'_>) -> fmt::Result {
        match self.document().and_then(|document| document.0.get(index)) {
            Some((key, _)) => write!(f, "{:?}: ", key.as_str()),
            None => Ok(()),
        }
    }
}

/// Not with `f` itself: its alternate form would put each number on its own line.
fn print_leaf(leaf: &Value, f: &mut Formatter<'_>) -> fmt::Result {
    match leaf {
        Value::Null => f.write_str("null"),
        Value::Bool(v) => write!(f, "{v}"),
        Value::Int32(v) => write!(f, "{v}"),
        Value::Int64(v) => write!(f, "{v}i64"),
        Value::Double(v) => write!(f, "{v:?}"),
        Value::String(v) => write!(f, "{:?}", v.as_str()),
        Value::DateTime(v) => write!(f, "DateTime({v})"),
        Value::Binary(v) => {
            write!(f, "Binary({}, ", v.subtype)?;
            hex(&v.bytes, f)
        }
        Value::Other(v) => {
            write!(f, "{}(", v.kind())?;
            hex(v.bytes(), f)
        }
        Value::Array(_) | Value::Document(_) => Ok(()),
    }
}

fn hex(bytes: &[u8], f: &mut Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
    f.write_str(")")
}

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Printed::of(self), f)
    }
}

/// The same text as `Debug`: on one line, or with `{:#}` on many.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, f)
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Printed::Items(self), f)
    }
}

impl Debug for Document {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Printed::Entries(self), f)
    }
}
