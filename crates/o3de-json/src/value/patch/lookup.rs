//! The places of all members and elements of what is large and a patch of many operations goes through.

use std::collections::BTreeMap;

use super::super::places::Places;
use super::super::pointer::{Pointer, Token, append_pointer};
use super::super::{Array, Object, Value};
use super::runs;

/// Finds many values of one document by their pointers without a look through its large objects for each.
///
/// Between two look-ups, no member may be added to the objects on the way, taken out or moved.
///
/// In a patch, whatever changes the members of an object, the elements of an array or replaces a value says so
/// here; the test `a_long_patch_does_what_its_operations_do_one_by_one` compares with a patch for each operation.
#[derive(Debug)]
pub struct Lookup {
    known: BTreeMap<String, Known>,
    is_on: bool,
    none: Places,
}

#[derive(Debug)]
enum Known {
    /// Where the members of an object are.
    Members(Places),
    /// An array is an array of runs of its elements for now.
    Runs,
}

impl Lookup {
    /// Prepares for a number of look-ups; for a few, nothing is kept.
    pub fn new(operations: usize) -> Self {
        let is_on = operations > Places::FEW;
        Lookup { known: BTreeMap::new(), is_on, none: Places::default() }
    }

    /// The value at a pointer.
    pub fn find<'v>(
        &mut self,
        target: &'v mut Value,
        tokens: &[Token<'_>],
    ) -> Option<&'v mut Value> {
        let mut path = String::new();
        tokens.iter().try_fold(target, |value, token| {
            let found = match value {
                Value::Array(items) => match self.has_runs(&path) {
                    true => runs::get_mut(items, token.index?),
                    false => items.0.get_mut(token.index?),
                },
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
            self.known.insert(path.to_owned(), Known::Members(Places::of(object)));
        }
        match self.known.get_mut(path) {
            Some(Known::Members(places)) => places,
            _ => &mut self.none,
        }
    }

    fn has_runs(&self, path: &str) -> bool {
        !self.known.is_empty() && matches!(self.known.get(path), Some(Known::Runs))
    }

    /// How many elements the array at a pointer has.
    pub(super) fn len(&self, path: &str, items: &Array) -> usize {
        if self.has_runs(path) { runs::len(items) } else { items.len() }
    }

    /// Puts an element into the array at a pointer, which has so many before it, or more.
    pub(super) fn insert(&mut self, path: &str, items: &mut Array, at: usize, value: Value) {
        match self.cut(path, items, at) {
            true => runs::insert(items, at, value),
            false => items.0.insert(at.min(items.0.len()), value),
        }
    }

    /// Takes an element out of the array at a pointer.
    pub(super) fn remove(&mut self, path: &str, items: &mut Array, at: usize) {
        if self.cut(path, items, at) {
            runs::remove(items, at);
        } else if at < items.len() {
            items.remove(at);
        }
    }

    /// Whether an array is runs, which one becomes when many elements would move.
    fn cut(&mut self, path: &str, items: &mut Array, at: usize) -> bool {
        let has_runs = self.has_runs(path);
        if has_runs || !self.is_on || items.len().saturating_sub(at) <= runs::MANY {
            return has_runs;
        }
        runs::cut(items);
        self.known.insert(path.to_owned(), Known::Runs);
        true
    }

    /// Brings what is at a pointer in order, for who looks at all of it or moves it.
    pub(super) fn settle(&mut self, target: &mut Value, path: &str) {
        self.settle_inside(target, path);
        self.settle_one(target, path);
    }

    /// The same for what is in the value at a pointer, but not that itself.
    pub(super) fn settle_inside(&mut self, target: &mut Value, path: &str) {
        // From inside to outside, because the way to the inner ones goes through the outer ones.
        while let Some(own) = self.last_inside(path) {
            self.settle_one(target, &own);
        }
    }

    fn settle_one(&mut self, target: &mut Value, path: &str) {
        let Some(known) = self.known.remove(path) else { return };
        let pointer = Pointer::parse(path);
        let found = pointer.and_then(|pointer| self.find(target, pointer.tokens()));
        match (known, found) {
            (Known::Members(places), Some(Value::Object(object))) => places.settle(object),
            (Known::Runs, Some(Value::Array(items))) => runs::join(items),
            _ => {}
        }
    }

    /// The value at a pointer is another one.
    pub(super) fn forget(&mut self, path: &str) {
        while let Some(own) = self.last_inside(path) {
            self.known.remove(&own);
        }
        self.known.remove(path);
    }

    /// The last of what is known in the value at a pointer.
    fn last_inside(&self, path: &str) -> Option<String> {
        // `0` comes after `/`.
        if self.known.is_empty() {
            return None;
        }
        let mut inside = self.known.range(format!("{path}/")..format!("{path}0"));
        inside.next_back().map(|(own, _)| own.clone())
    }
}
