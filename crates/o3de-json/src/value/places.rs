//! Where the members of a large object are, so that many changes do not look through it for each one.

use std::collections::{HashMap, HashSet};

use super::{Object, Text, Value};

/// The places of the members of an object, or nothing, and then they are looked for.
#[derive(Debug, Default)]
pub(super) struct Places(Option<Index>);

#[derive(Debug)]
struct Index {
    /// The first member of each name.
    first: HashMap<Text, usize>,
    /// Of a member, the next one of its name.
    later: HashMap<usize, usize>,
    /// Members that are gone: nulls until [`Places::settle`] takes them out, all at once.
    removed: HashSet<usize>,
}

impl Places {
    /// What is shorter is looked through: objects and patches alike.
    pub(super) const FEW: usize = 16;

    pub(super) fn of(object: &Object) -> Self {
        let (mut first, mut later) = (HashMap::with_capacity(object.len()), HashMap::new());
        for (at, (name, _)) in object.0.iter().enumerate().rev() {
            if let Some(next) = first.insert(name.clone(), at) {
                later.insert(at, next);
            }
        }
        Places(Some(Index { first, later, removed: HashSet::new() }))
    }

    /// The place of the first member of a name.
    pub(super) fn find(&self, object: &Object, name: &str) -> Option<usize> {
        match &self.0 {
            Some(index) => index.first.get(name).copied(),
            None => object.0.iter().position(|(own, _)| own == name),
        }
    }

    /// Adds a member of a name that there is none of.
    pub(super) fn push(&mut self, object: &mut Object, name: Text, value: Value) {
        if let Some(index) = &mut self.0 {
            index.first.insert(name.clone(), object.len());
        }
        object.0.push((name, value));
    }

    /// Takes out the first member of a name.
    pub(super) fn remove(&mut self, object: &mut Object, name: &str) -> Option<Value> {
        let Some(index) = &mut self.0 else { return object.remove(name) };
        let (name, at) = index.first.remove_entry(name)?;
        if let Some(next) = index.later.remove(&at) {
            index.first.insert(name, next);
        }
        index.removed.insert(at);
        object.0.get_mut(at).map(|(_, value)| value.take())
    }

    /// Takes out what is gone. The places are others then.
    pub(super) fn settle(self, object: &mut Object) {
        let removed = self.0.map(|index| index.removed).unwrap_or_default();
        if !removed.is_empty() {
            let mut places = 0_usize..;
            object.0.retain(|_| places.next().is_none_or(|at| !removed.contains(&at)));
        }
    }
}
