//! Going through a save without recursion: foreign data decides how deep it is.

use std::slice;

use super::{Component, ComponentPath, Slot, SlotPath};
use crate::Value;
use crate::value::{Array, Children, Document, Key};

/// All slots of a save, each before its children; see [`SavedObject::slots`].
///
/// [`SavedObject::slots`]: super::SavedObject::slots
#[derive(Clone, Debug)]
pub struct Slots<'a> {
    types: Option<&'a Array>,
    root: Option<&'a Document>,
    /// The children that are still to come at each level, and the index of the next one.
    levels: Vec<(slice::Iter<'a, Value>, usize)>,
}

impl<'a> Slots<'a> {
    pub(super) fn new(root: Option<&'a Document>, types: Option<&'a Array>) -> Self {
        Slots { types, root, levels: Vec::new() }
    }

    fn enter(&mut self, document: &'a Document) -> Slot<'a> {
        let slot = Slot::new(document, self.types);
        let children = slot.child_values().map_or_else(Default::default, |list| list.iter());
        self.levels.push((children, 0));
        slot
    }
}

impl<'a> Iterator for Slots<'a> {
    type Item = (SlotPath, Slot<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take() {
            return Some((SlotPath::root(), self.enter(root)));
        }
        loop {
            let (children, next) = self.levels.last_mut()?;
            let Some(child) = children.next() else {
                self.levels.pop();
                continue;
            };
            *next = next.saturating_add(1);
            if let Value::Document(child) = child {
                let indices = self.levels.iter().map(|(_, next)| next.saturating_sub(1));
                let path = SlotPath::new(indices.collect::<Vec<_>>());
                return Some((path, self.enter(child)));
            }
        }
    }
}

/// All components of a save: those of its slots, then its assets; see [`SavedObject::components`].
///
/// [`SavedObject::components`]: super::SavedObject::components
#[derive(Clone, Debug)]
pub struct Components<'a> {
    types: Option<&'a Array>,
    slots: Slots<'a>,
    slot: SlotPath,
    list: std::iter::Enumerate<slice::Iter<'a, Value>>,
    assets: std::iter::Enumerate<slice::Iter<'a, Value>>,
}

impl<'a> Components<'a> {
    pub(super) fn new(
        slots: Slots<'a>,
        assets: Option<&'a Array>,
        types: Option<&'a Array>,
    ) -> Self {
        let assets = assets.map_or_else(Default::default, |assets| assets.iter());
        Components {
            types,
            slots,
            slot: SlotPath::root(),
            list: <slice::Iter<'a, Value>>::default().enumerate(),
            assets: assets.enumerate(),
        }
    }
}

impl<'a> Iterator for Components<'a> {
    type Item = (ComponentPath, Component<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            for (index, value) in self.list.by_ref() {
                if let Value::Document(document) = value {
                    let path = ComponentPath::Slot(self.slot.clone(), index);
                    return Some((path, Component::new(document, self.types)));
                }
            }
            let Some((path, slot)) = self.slots.next() else { break };
            self.slot = path;
            let list = slot.component_values().map_or_else(Default::default, |list| list.iter());
            self.list = list.enumerate();
        }
        loop {
            let (index, value) = self.assets.next()?;
            if let Value::Document(document) = value {
                return Some((ComponentPath::Asset(index), Component::new(document, self.types)));
            }
        }
    }
}

/// All values of a document that are no documents and no arrays, with the key that each is under.
pub(super) struct Leaves<'a> {
    /// The containers that are open, and the keys that they are under.
    levels: Vec<(&'a str, Children<'a>)>,
}

impl<'a> Leaves<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Leaves { levels: vec![("", Children::Entries(document.iter()))] }
    }

    pub(super) fn of_value(value: &'a Value) -> Self {
        Leaves { levels: vec![("", Children::Items(slice::from_ref(value).iter()))] }
    }
}

impl<'a> Iterator for Leaves<'a> {
    type Item = (&'a str, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (key, children) = self.levels.last_mut()?;
            let Some((own, value)) = children.next_entry() else {
                self.levels.pop();
                continue;
            };
            let key = own.map_or(*key, Key::as_str);
            match value {
                Value::Document(_) | Value::Array(_) => {
                    self.levels.extend(Children::of(value).map(|children| (key, children)));
                }
                leaf => return Some((key, leaf)),
            }
        }
    }
}

enum LevelMut<'a> {
    Document(slice::IterMut<'a, (Key, Value)>),
    Array(Key, slice::IterMut<'a, Value>),
}

/// Shows each value that is no document and no array to `change`, with the key that it is under.
pub(super) fn each_leaf(document: &mut Document, mut change: impl FnMut(&str, &mut Value)) {
    let mut levels = vec![LevelMut::Document(document.iter_mut())];
    while let Some(level) = levels.last_mut() {
        let (key, value) = match level {
            LevelMut::Document(entries) => match entries.next() {
                Some((key, value)) => (key.clone(), value),
                None => {
                    levels.pop();
                    continue;
                }
            },
            LevelMut::Array(key, items) => match items.next() {
                Some(value) => (key.clone(), value),
                None => {
                    levels.pop();
                    continue;
                }
            },
        };
        match value {
            Value::Document(document) => levels.push(LevelMut::Document(document.iter_mut())),
            Value::Array(array) => levels.push(LevelMut::Array(key, array.iter_mut())),
            leaf => change(&key, leaf),
        }
    }
}

/// What the text under a key is to identifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is the identifier of something.
    Defines,
    /// Of a slot's parent reference: an identifier of its own, or that of another slot.
    Parent,
    /// It may point to something.
    Refers,
    None,
}

impl Role {
    pub(super) fn defines(self) -> bool {
        matches!(self, Role::Defines | Role::Parent)
    }

    pub(super) fn of(key: &str) -> Role {
        match key {
            "ID" => Role::Defines,
            "ParentReference" => Role::Parent,
            "Data" | "Target" => Role::Refers,
            key if key.ends_with("-ID") => Role::Defines,
            _ => Role::None,
        }
    }
}

/// The identifier that a leaf refers to, if it looks like one.
pub(super) fn referred<'a>(key: &str, value: &'a Value) -> Option<&'a str> {
    value.as_str().filter(|text| Role::of(key) == Role::Refers && super::is_id(text))
}

/// The identifier of something that a leaf holds.
pub(super) fn defined<'a>(key: &str, value: &'a Value) -> Option<&'a str> {
    value.as_str().filter(|_| Role::of(key).defines())
}
