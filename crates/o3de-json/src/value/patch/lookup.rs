//! The places of the members of all large objects that a patch of many operations goes through.

use std::collections::BTreeMap;

use super::super::places::Places;
use super::super::pointer::{Pointer, Token, push as append_pointer};
use super::super::{Object, Value};

/// The places of members, by the pointer to their object.
///
/// Whatever changes the members of an object or replaces a value says so here; the test
/// `a_long_patch_does_what_its_operations_do_one_by_one` compares with a patch for each operation.
pub(crate) struct Lookup {
    known: BTreeMap<String, Places>,
    is_on: bool,
    none: Places,
}

impl Lookup {
    pub(crate) fn new(operations: usize) -> Self {
        let is_on = operations > Places::FEW;
        Lookup { known: BTreeMap::new(), is_on, none: Places::default() }
    }

    /// The value at a pointer.
    pub(crate) fn find<'v>(
        &mut self,
        target: &'v mut Value,
        tokens: &[Token<'_>],
    ) -> Option<&'v mut Value> {
        let mut path = String::new();
        tokens.iter().try_fold(target, |value, token| {
            let found = match value {
                Value::Array(items) => items.0.get_mut(token.index?),
                Value::Object(object) => {
                    let at = self.places(&path, object).find(object, &token.name)?;
                    object.0.get_mut(at).map(|(_, value)| value)
                }
                _ => None,
            };
            append_pointer(&mut path, &token.name);
            found
        })
    }

    /// The places of the members of the object at a pointer.
    pub(super) fn places(&mut self, path: &str, object: &Object) -> &mut Places {
        // Keys are made for what is new alone.
        if !self.known.contains_key(path) {
            if !self.is_on || object.len() <= Places::FEW {
                return &mut self.none;
            }
            self.known.insert(path.to_owned(), Places::of(object));
        }
        self.known.get_mut(path).unwrap_or(&mut self.none)
    }

    /// Brings what is at a pointer in order, for who looks at all of it or moves it.
    pub(super) fn settle(&mut self, target: &mut Value, path: &str) {
        // From inside to outside, because the way to the inner ones goes through the outer ones.
        while let Some(own) = self.last_inside(path) {
            let Some(places) = self.known.remove(&own) else { return };
            let pointer = Pointer::parse(&own);
            let found = pointer.and_then(|pointer| self.find(target, pointer.tokens()));
            if let Some(Value::Object(object)) = found {
                places.settle(object);
            }
        }
    }

    /// The value at a pointer is another one.
    pub(super) fn forget(&mut self, path: &str) {
        while let Some(own) = self.last_inside(path) {
            self.known.remove(&own);
        }
    }

    /// The last of the known objects in the value at a pointer, or that itself.
    fn last_inside(&self, path: &str) -> Option<String> {
        // `0` comes after `/`.
        let mut inside = self.known.range(format!("{path}/")..format!("{path}0"));
        let own = || self.known.get_key_value(path);
        inside.next_back().or_else(own).map(|(own, _)| own.clone())
    }
}
