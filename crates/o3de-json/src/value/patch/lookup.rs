//! Where the members of large objects are, so that a patch of many operations does not look through
//! them for each one.

use std::collections::{BTreeMap, HashMap};

use super::super::pointer::{Token, push as append_pointer};
use super::super::{Object, Text, Value};

/// The places of members, by the pointer to their object.
///
/// Whatever changes the members of an object or replaces a value says so here; the test
/// `a_long_patch_does_what_its_operations_do_one_by_one` compares with a patch for each operation.
pub(super) struct Lookup {
    known: BTreeMap<String, Members>,
    is_on: bool,
}

/// The places of the members of one object; none where a name repeats.
struct Members {
    /// Places if nothing had been removed: those that are true are at most `removed` lower.
    places: Option<HashMap<Text, usize>>,
    removed: usize,
}

impl Lookup {
    /// What is shorter is looked through: objects and patches alike.
    const FEW: usize = 16;

    pub(super) fn new(operations: usize) -> Self {
        Lookup { known: BTreeMap::new(), is_on: operations > Self::FEW }
    }

    /// The value at a pointer.
    pub(super) fn find<'v>(
        &mut self,
        target: &'v mut Value,
        tokens: &[Token<'_>],
    ) -> Option<&'v mut Value> {
        let mut path = String::new();
        tokens.iter().try_fold(target, |value, token| {
            let found = match value {
                Value::Array(items) => items.0.get_mut(token.index?),
                Value::Object(object) => {
                    let at = self.place(&path, object, &token.name)?;
                    object.0.get_mut(at).map(|(_, value)| value)
                }
                _ => None,
            };
            append_pointer(&mut path, &token.name);
            found
        })
    }

    /// The place of the first member of a name in the object at a pointer.
    pub(super) fn place(&mut self, path: &str, object: &Object, name: &str) -> Option<usize> {
        if !self.is_on || object.len() <= Self::FEW {
            return object.0.iter().position(|(own, _)| own == name);
        }
        if !self.known.contains_key(path) {
            self.known.insert(path.to_owned(), Members::of(object));
        }
        self.known.get(path)?.find(object, name)
    }

    /// A member was added at the end of the object at a pointer.
    pub(super) fn added(&mut self, path: &str, name: &str, at: usize) {
        if let Some(members) = self.known.get_mut(path) {
            let at = at.saturating_add(members.removed);
            members.places.as_mut().map(|places| places.insert(name.into(), at));
        }
    }

    /// A member was taken out of the object at a pointer.
    pub(super) fn removed(&mut self, path: &str, name: &str) {
        if let Some(members) = self.known.get_mut(path) {
            members.places.as_mut().map(|places| places.remove(name));
            members.removed = members.removed.saturating_add(1);
        }
    }

    /// The value at a pointer is another one.
    pub(super) fn forget(&mut self, path: &str) {
        self.known.remove(path);
        let inside = format!("{path}/");
        while let Some((own, _)) = self.known.range(inside.clone()..).next() {
            if !own.starts_with(&inside) {
                break;
            }
            let own = own.clone();
            self.known.remove(&own);
        }
    }
}

impl Members {
    fn of(object: &Object) -> Self {
        let places = object.0.iter().enumerate().map(|(at, (name, _))| (name.clone(), at));
        let places: HashMap<Text, usize> = places.collect();
        Members { places: Some(places).filter(|places| places.len() == object.len()), removed: 0 }
    }

    fn find(&self, object: &Object, name: &str) -> Option<usize> {
        let is_here = |at: &usize| object.0.get(*at).is_some_and(|(own, _)| own == name);
        let Some(places) = &self.places else {
            return object.0.iter().position(|(own, _)| own == name);
        };
        let last = *places.get(name)?;
        let first = last.saturating_sub(self.removed);
        // Members are mostly removed from one end: all before this one, or none.
        Some(last).filter(is_here).or_else(|| (first..last).find(is_here))
    }
}
