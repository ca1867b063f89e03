//! By hashes of keys, which are seeded at random, so that input cannot make keys clash.

use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::OnceLock;

use super::Entry;
use crate::Value;
use crate::value::compare::hash_key;

/// Where the key of each entry stands; made at the first lookup.
pub(super) struct Index(OnceLock<Made>);

struct Made {
    state: RandomState,
    places: Places,
}

impl Index {
    pub(super) fn of(_: &[Entry]) -> Self {
        Index(OnceLock::new())
    }

    /// The place of an entry.
    pub(super) fn find(&self, entries: &[Entry], key: &Value) -> Option<usize> {
        let Made { state, places } = self.0.get_or_init(|| Made::new(entries));
        let is = |place: usize| entries.get(place).is_some_and(|(own, _)| own.same_key(key));
        places.find(hash_key(key, state), is)
    }

    /// Adds the entry that is the last one since.
    pub(super) fn pushed(&mut self, entries: &[Entry]) {
        if let Some(Made { state, places }) = self.0.get_mut()
            && let Some((place, (key, _))) = entries.iter().enumerate().next_back()
        {
            places.insert(hash_key(key, state), place);
        }
    }

    /// Takes out an entry that is still there.
    pub(super) fn remove(&mut self, entries: &[Entry], place: usize) {
        if let Some((Made { state, places }, (key, _))) = self.0.get_mut().zip(entries.get(place)) {
            places.remove(hash_key(key, state), place);
        }
    }
}

impl Made {
    fn new(entries: &[Entry]) -> Self {
        let mut made = Made { state: RandomState::new(), places: Places::default() };
        for (place, (key, _)) in entries.iter().enumerate() {
            made.places.insert(hash_key(key, &made.state), place);
        }
        made
    }
}

/// Places by hash; those with the same hash are numbered from 0 on.
#[derive(Default)]
pub(in crate::value) struct Places(HashMap<(u64, u32), usize>);

impl Places {
    /// The place with this hash that is the one that is looked for.
    pub(in crate::value) fn find(&self, hash: u64, is: impl Fn(usize) -> bool) -> Option<usize> {
        (0..).map_while(|turn| self.0.get(&(hash, turn)).copied()).find(|place| is(*place))
    }

    pub(in crate::value) fn insert(&mut self, hash: u64, place: usize) {
        if let Some(turn) = (0..).find(|turn| !self.0.contains_key(&(hash, *turn))) {
            self.0.insert((hash, turn), place);
        }
    }

    /// Takes out a place; those after it move up by one.
    fn remove(&mut self, hash: u64, place: usize) {
        let mut moved = None;
        // The last of those with this hash takes its number.
        for turn in (0..).take_while(|turn| self.0.contains_key(&(hash, *turn))) {
            moved = Some(turn);
        }
        let last = moved.and_then(|turn| self.0.remove(&(hash, turn)));
        if let Some(last) = last.filter(|last| *last != place) {
            let own = (0..).map_while(|turn| self.0.get(&(hash, turn)).map(|own| (turn, *own)));
            let turn = own.into_iter().find(|(_, own)| *own == place).map(|(turn, _)| turn);
            turn.and_then(|turn| self.0.insert((hash, turn), last));
        }
        for own in self.0.values_mut().filter(|own| **own > place) {
            *own = own.saturating_sub(1);
        }
    }
}
