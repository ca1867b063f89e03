//! By an order of keys, which needs no randomness: input cannot make keys clash.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::Entry;
use crate::Value;
use crate::value::order::Placed;

/// The places of entries in the order of their keys, in runs, so that one more moves few of them.
/// There from the start: to make it at the first lookup would take a lock.
pub(super) struct Index(Vec<Vec<usize>>);

impl Index {
    /// The most places of a run.
    const RUN: usize = 256;

    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut keys: Vec<Placed<'_>> =
            entries.iter().enumerate().map(|(at, (key, _))| Placed { key, at }).collect();
        keys.sort_unstable();
        // Half full, as they are after they were split.
        let runs = keys.chunks(Self::RUN / 2);
        Index(runs.map(|run| run.iter().map(|placed| placed.at).collect()).collect())
    }

    /// The run for a key, and its place in that: of its entry, or where it would be.
    fn search(&self, entries: &[Entry], key: Placed<'_>) -> (usize, Result<usize, usize>) {
        let order = |at: &usize| match entries.get(*at) {
            Some((own, _)) => Placed { key: own, at: *at }.cmp(&key),
            None => Ordering::Greater,
        };
        let run = self.0.partition_point(|run| run.last().is_some_and(|last| order(last).is_lt()));
        let run = run.min(self.0.len().saturating_sub(1));
        (run, self.0.get(run).map_or(Err(0), |places| places.binary_search_by(order)))
    }

    /// The place of an entry.
    pub(super) fn find(&self, entries: &[Entry], key: &Value) -> Option<usize> {
        // No entry stands there, so no object is found.
        let (run, found) = self.search(entries, Placed { key, at: usize::MAX });
        self.0.get(run)?.get(found.ok()?).copied()
    }

    /// Adds the entry that is the last one since.
    pub(super) fn pushed(&mut self, entries: &[Entry]) {
        let Some((at, (key, _))) = entries.iter().enumerate().next_back() else { return };
        let (run, Err(free)) = self.search(entries, Placed { key, at }) else { return };
        match self.0.get_mut(run) {
            Some(places) => {
                places.insert(free, at);
                if places.len() > Self::RUN {
                    let rest = places.split_off(Self::RUN / 2);
                    self.0.insert(run.saturating_add(1), rest);
                }
            }
            None => self.0.push(vec![at]),
        }
    }

    /// Takes out an entry; those after it move up by one, which does not change their order.
    pub(super) fn remove(&mut self, _: &[Entry], place: usize) {
        for run in &mut self.0 {
            run.retain(|at| *at != place);
            for at in run.iter_mut().filter(|at| **at > place) {
                *at = at.saturating_sub(1);
            }
        }
        self.0.retain(|run| !run.is_empty());
    }
}
