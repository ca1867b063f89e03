//! The values of three documents, by key or identity.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use super::spans::Spans;
use super::{Side, Three, order};

/// Where a value comes from; `None` is BASE.
pub(super) type Origin = Option<Side>;

/// The entries of three containers, or the elements of three lists, by what tells them apart.
pub(super) struct Table<K, N> {
    numbers: HashMap<K, usize>,
    /// The rows of runs, by the position in OURS.
    runs: HashMap<usize, usize>,
    pub(super) rows: Vec<Row<K, N>>,
    base: Vec<usize>,
    ours: Vec<usize>,
    theirs: Vec<usize>,
}

pub(super) enum Row<K, N> {
    One(Entry<K, N>),
    /// Those that are the same in all, by their positions in OURS.
    Run(Range<usize>),
}

/// One entry of the three.
pub(super) struct Entry<K, N> {
    pub(super) key: K,
    pub(super) three: Three<N>,
    /// The position in OURS, and in THEIRS.
    pub(super) own: Option<usize>,
    pub(super) other: Option<usize>,
}

impl<K, N> Row<K, N> {
    pub(super) fn entry(&self) -> Option<&Entry<K, N>> {
        if let Row::One(entry) = self { Some(entry) } else { None }
    }
}

impl<K: Hash + Eq + Clone, N> Table<K, N> {
    pub(super) fn new() -> Self {
        let (base, ours, theirs) = (Vec::new(), Vec::new(), Vec::new());
        let (numbers, runs) = (HashMap::new(), HashMap::new());
        Table { numbers, runs, rows: Vec::new(), base, ours, theirs }
    }

    /// Adds all of one of the three.
    pub(super) fn extend(
        &mut self,
        origin: Origin,
        spans: &Spans,
        all: impl IntoIterator<Item = (K, N)>,
    ) {
        let mut all = all.into_iter();
        for (run, places) in spans.places(origin) {
            if let Some(run) = run {
                self.add_run(origin, run);
            }
            for (at, (key, value)) in places.zip(&mut all) {
                self.add(origin, key, at, value);
            }
        }
    }

    fn add_run(&mut self, origin: Origin, run: Range<usize>) {
        let id = *self.runs.entry(run.start).or_insert(self.rows.len());
        if id == self.rows.len() {
            self.rows.push(Row::Run(run));
        }
        self.order(origin).push(id);
    }

    fn order(&mut self, origin: Origin) -> &mut Vec<usize> {
        match origin {
            None => &mut self.base,
            Some(Side::Ours) => &mut self.ours,
            Some(Side::Theirs) => &mut self.theirs,
        }
    }

    /// Adds what stands at a position of one of the three.
    fn add(&mut self, origin: Origin, key: K, at: usize, value: N) {
        let id = *self.numbers.entry(key.clone()).or_insert(self.rows.len());
        if id == self.rows.len() {
            let three = Three { base: None, ours: None, theirs: None };
            self.rows.push(Row::One(Entry { key, three, own: None, other: None }));
        }
        let Some(Row::One(entry)) = self.rows.get_mut(id) else { return };
        let place = match origin {
            None => &mut entry.three.base,
            Some(Side::Ours) => {
                entry.own = Some(at);
                &mut entry.three.ours
            }
            Some(Side::Theirs) => {
                entry.other = Some(at);
                &mut entry.three.theirs
            }
        };
        *place = Some(value);
        self.order(origin).push(id);
    }

    /// The merged rows in the merged order, and whether the orders contradict.
    pub(super) fn arrange<T>(self, side: Side, mut merged: Vec<Option<T>>) -> (Vec<T>, bool) {
        let kept: Vec<bool> = merged.iter().map(Option::is_some).collect();
        let (lead, follow) = match side {
            Side::Ours => (&self.ours, &self.theirs),
            Side::Theirs => (&self.theirs, &self.ours),
        };
        let len = |row: &Row<K, N>| if let Row::Run(run) = row { run.len() } else { 1 };
        let lens: Vec<usize> = self.rows.iter().map(len).collect();
        let order = order::merge(&self.base, lead, follow, &kept, &lens);
        let take = |id: usize| merged.get_mut(id).and_then(Option::take);
        (order.order.into_iter().filter_map(take).collect(), order.is_contradiction)
    }
}
