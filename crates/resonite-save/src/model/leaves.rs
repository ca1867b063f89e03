//! The leaves of a save, and which of them are identifiers. Without recursion: foreign data decides how
//! deep a save is.

use std::collections::HashSet;
use std::slice;

use resonite_brson::Value;
use resonite_brson::value::{Children, Document, Key};

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
        let next = match level {
            LevelMut::Document(entries) => entries.next().map(|(key, value)| (key.clone(), value)),
            LevelMut::Array(key, items) => items.next().map(|value| (key.clone(), value)),
        };
        let Some((key, value)) = next else {
            levels.pop();
            continue;
        };
        match value {
            Value::Document(document) => levels.push(LevelMut::Document(document.iter_mut())),
            Value::Array(array) => levels.push(LevelMut::Array(key, array.iter_mut())),
            leaf => change(&key, leaf),
        }
    }
}

/// The relation of the text under a key to identifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is the identifier of something.
    Defines,
    /// In a slot's parent reference: a separate identifier, or that of another slot.
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

/// All identifiers that are given to something.
pub(super) fn definitions(document: &Document) -> HashSet<&str> {
    Leaves::new(document).filter_map(|(key, value)| defined(key, value)).collect()
}

/// The identifiers in references of a document that nothing in it has.
pub(super) fn dangling(document: &Document) -> HashSet<&str> {
    let own = definitions(document);
    let referred = Leaves::new(document).filter_map(|(key, value)| referred(key, value));
    referred.filter(|id| !own.contains(id)).collect()
}
