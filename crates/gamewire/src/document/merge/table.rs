//! The values of three documents, by key or identity.

use std::collections::HashMap;
use std::hash::Hash;

use super::{Side, Three, order};

/// Where a value comes from; `None` is BASE.
pub(super) type Origin = Option<Side>;

/// The entries of three containers, or the elements of three lists, by what tells them apart.
pub(super) struct Table<K, N> {
    numbers: HashMap<K, usize>,
    pub(super) rows: Vec<Row<K, N>>,
    base: Vec<usize>,
    ours: Vec<usize>,
    theirs: Vec<usize>,
}

/// One entry of the three.
pub(super) struct Row<K, N> {
    pub(super) key: K,
    pub(super) three: Three<N>,
    /// The position in OURS, and in THEIRS.
    pub(super) own: Option<usize>,
    pub(super) other: Option<usize>,
}

impl<K: Hash + Eq + Clone, N> Table<K, N> {
    pub(super) fn new() -> Self {
        let (base, ours, theirs) = (Vec::new(), Vec::new(), Vec::new());
        Table { numbers: HashMap::new(), rows: Vec::new(), base, ours, theirs }
    }

    /// Adds what stands at a position of one of the three.
    pub(super) fn add(&mut self, origin: Origin, key: K, at: usize, value: N) {
        let id = *self.numbers.entry(key.clone()).or_insert(self.rows.len());
        if id == self.rows.len() {
            let three = Three { base: None, ours: None, theirs: None };
            self.rows.push(Row { key, three, own: None, other: None });
        }
        let Some(row) = self.rows.get_mut(id) else { return };
        let (order, place) = match origin {
            None => (&mut self.base, &mut row.three.base),
            Some(Side::Ours) => {
                row.own = Some(at);
                (&mut self.ours, &mut row.three.ours)
            }
            Some(Side::Theirs) => {
                row.other = Some(at);
                (&mut self.theirs, &mut row.three.theirs)
            }
        };
        order.push(id);
        *place = Some(value);
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
