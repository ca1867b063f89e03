use std::ops::{Deref, DerefMut};

use super::Value;
use crate::kind::Kind;

/// A list or set: elements of one wire type.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct List {
    /// Wire type of the elements; an empty list may have one that does not exist.
    pub(crate) element: u8,
    pub(crate) items: Vec<Value>,
}

impl List {
    /// A list of a wire type. Elements of another one are refused when the list is written.
    pub fn new(element: Kind, items: Vec<Value>) -> Self {
        List { element: element.number(), items }
    }

    /// Wire type of the elements; `None` for the numbers 13 to 15, which an empty list may have.
    pub fn element(&self) -> Option<Kind> {
        Kind::from_number(self.element)
    }

    /// The elements, to be added or removed.
    pub fn items_mut(&mut self) -> &mut Vec<Value> {
        &mut self.items
    }
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.items
    }
}

impl DerefMut for List {
    fn deref_mut(&mut self) -> &mut [Value] {
        &mut self.items
    }
}

/// The wire type is that of the first element; an empty list has integers.
impl From<Vec<Value>> for List {
    fn from(items: Vec<Value>) -> Self {
        List { element: items.first().map_or(0, |item| item.kind().number()), items }
    }
}

/// A map: keys of one wire type, values of one wire type, in the order of the bytes.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Map {
    pub(crate) types: (u8, u8),
    pub(crate) entries: Vec<(Value, Value)>,
}

impl Map {
    /// A map of two wire types. Entries of others are refused when the map is written.
    pub fn new(key: Kind, value: Kind, entries: Vec<(Value, Value)>) -> Self {
        Map { types: (key.number(), value.number()), entries }
    }

    /// Wire type of the keys; `None` for the numbers 13 to 15, which an empty map may have.
    pub fn key(&self) -> Option<Kind> {
        Kind::from_number(self.types.0)
    }

    /// Wire type of the values; `None` for the numbers 13 to 15, which an empty map may have.
    pub fn value(&self) -> Option<Kind> {
        Kind::from_number(self.types.1)
    }

    /// The value of a key; that of the last one if several are equal.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.iter().rev().find(|entry| entry.0 == *key).map(|entry| &entry.1)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &Value) -> Option<&mut Value> {
        self.entries.iter_mut().rev().find(|entry| entry.0 == *key).map(|entry| &mut entry.1)
    }

    /// The entries, to be added or removed.
    pub fn entries_mut(&mut self) -> &mut Vec<(Value, Value)> {
        &mut self.entries
    }
}

impl Deref for Map {
    type Target = [(Value, Value)];

    fn deref(&self) -> &[(Value, Value)] {
        &self.entries
    }
}

/// The wire type is that of the first element; an empty list has integers.
impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}

/// The wire types are those of the first entry; an empty map has integers.
impl FromIterator<(Value, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        entries.into_iter().collect::<Vec<_>>().into()
    }
}

/// The wire types are those of the first entry; an empty map has integers.
impl From<Vec<(Value, Value)>> for Map {
    fn from(entries: Vec<(Value, Value)>) -> Self {
        let types = entries.first();
        let types =
            types.map_or((0, 0), |(key, value)| (key.kind().number(), value.kind().number()));
        Map { types, entries }
    }
}
