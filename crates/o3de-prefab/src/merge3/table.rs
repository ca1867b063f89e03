//! The values of three documents, by name or identity.

use std::collections::HashMap;
use std::hash::Hash;

use super::conflict::Side;
use super::order;
use super::walk::Three;
use o3de_json::Value;

/// Where a value comes from; `None` is BASE.
pub(super) type Origin = Option<Side>;

/// The members of three objects, or the elements of three lists, by what tells them apart.
pub(super) struct Table<'v, K, I> {
    numbers: HashMap<K, usize>,
    /// Each with what is noted of it.
    pub(super) rows: Vec<(I, Three<'v>)>,
    base: Vec<usize>,
    ours: Vec<usize>,
    theirs: Vec<usize>,
}

impl<'v, K: Hash + Eq, I: Default> Table<'v, K, I> {
    pub(super) fn new() -> Self {
        let (base, ours, theirs) = (Vec::new(), Vec::new(), Vec::new());
        Table { numbers: HashMap::new(), rows: Vec::new(), base, ours, theirs }
    }

    /// Adds what comes next in one of the three, and returns what is noted of it.
    pub(super) fn add(&mut self, origin: Origin, key: K, value: &'v Value) -> Option<&mut I> {
        let id = *self.numbers.entry(key).or_insert(self.rows.len());
        if id == self.rows.len() {
            self.rows.push((I::default(), Three::default()));
        }
        let (note, three) = self.rows.get_mut(id)?;
        let (order, place) = match origin {
            None => (&mut self.base, &mut three.base),
            Some(Side::Ours) => (&mut self.ours, &mut three.ours),
            Some(Side::Theirs) => (&mut self.theirs, &mut three.theirs),
        };
        order.push(id);
        *place = Some(value);
        Some(note)
    }

    /// The merged rows in the merged order, and whether the orders contradict.
    pub(super) fn arrange<T>(self, side: Side, mut merged: Vec<Option<T>>) -> (Vec<T>, bool) {
        let kept: Vec<bool> = merged.iter().map(Option::is_some).collect();
        let (lead, follow) = match side {
            Side::Ours => (&self.ours, &self.theirs),
            Side::Theirs => (&self.theirs, &self.ours),
        };
        let order = order::merge(&self.base, lead, follow, &kept);
        let take = |id: usize| merged.get_mut(id).and_then(Option::take);
        (order.order.into_iter().filter_map(take).collect(), order.is_contradiction)
    }
}
