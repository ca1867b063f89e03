//! How dictionaries find their entries: one by one, or by a table of hashes.

use std::hash::RandomState;
use std::sync::OnceLock;

use crate::Value;
use crate::types::{
    GString, NodePath, Rect2i, Rid, StringName, Vector2, Vector2i, Vector3, Vector3i, Vector4i,
};
use crate::value::compare::{hash_key, hash_text_key};

/// A key that is looked for.
#[derive(Clone, Copy)]
pub enum Key<'a> {
    /// A `String` or `StringName`.
    Text(&'a str),
    Value(&'a Value),
}

impl Key<'_> {
    fn is(self, own: &Value) -> bool {
        match self {
            Key::Text(text) => own.as_str() == Some(text),
            Key::Value(value) => own.same_key(value),
        }
    }

    fn hash(self, state: &RandomState) -> u64 {
        match self {
            Key::Text(text) => hash_text_key(text, state),
            Key::Value(value) => hash_key(value, state),
        }
    }
}

pub(super) mod sealed {
    pub trait Key {
        fn with<R>(&self, found: impl FnOnce(super::Key<'_>) -> R) -> R;
    }
}

/// What a [`Dictionary`](super::Dictionary) can be asked for: a [`Value`], or a text, number or vector
/// that is one.
pub trait DictionaryKey: sealed::Key {}

impl<K: sealed::Key + ?Sized> DictionaryKey for K {}

macro_rules! keys {
    ($($($type:ty),+ => |$own:ident, $found:ident| $result:expr;)+) => {$($(
        impl sealed::Key for $type {
            #[inline]
            fn with<R>(&self, $found: impl FnOnce(Key<'_>) -> R) -> R {
                let $own = self;
                $result
            }
        }
    )+)+};
}

keys! {
    str, String, GString, StringName => |own, found| found(Key::Text(own));
    Value => |own, found| found(Key::Value(own));
    bool, i8, i16, i32, i64, u8, u16, u32, f32, f64, Vector2, Vector2i, Vector3, Vector3i, Vector4i,
    Rect2i, Rid => |own, found| found(Key::Value(&Value::from(*own)));
    NodePath => |own, found| found(Key::Value(&Value::from(own.clone())));
}

impl<K: sealed::Key + ?Sized> sealed::Key for &K {
    fn with<R>(&self, found: impl FnOnce(Key<'_>) -> R) -> R {
        K::with(self, found)
    }
}

type Entry = (Value, Value);

/// The entries of a dictionary; those of a large one have an index from the first lookup on.
pub(super) enum Entries {
    Few(Vec<Entry>),
    Many(Box<Many>),
}

pub(super) struct Many {
    entries: Vec<Entry>,
    index: OnceLock<Index>,
}

impl Default for Entries {
    fn default() -> Self {
        Entries::new()
    }
}

/// The most entries that are looked at one by one.
const FEW: usize = 16;

impl Entries {
    pub(super) const fn new() -> Self {
        Entries::Few(Vec::new())
    }

    /// No two keys may be the same.
    #[inline]
    pub(super) fn of(entries: Vec<Entry>) -> Self {
        match entries.len() {
            ..=FEW => Entries::Few(entries),
            _ => Entries::Many(Box::new(Many { entries, index: OnceLock::new() })),
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Entry] {
        match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) => &many.entries,
        }
    }

    /// To change values; keys have to stay.
    pub(super) fn as_mut_slice(&mut self) -> &mut [Entry] {
        match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) => &mut many.entries,
        }
    }

    pub(super) fn into_vec(self) -> Vec<Entry> {
        match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) => many.entries,
        }
    }

    /// The place of an entry.
    pub(super) fn find(&self, key: Key<'_>) -> Option<usize> {
        match self {
            Entries::Few(entries) => entries.iter().position(|(own, _)| key.is(own)),
            Entries::Many(many) => {
                let index = many.index.get_or_init(|| Index::new(&many.entries));
                index.find(key, &many.entries)
            }
        }
    }

    /// Adds an entry with a key that is not there.
    pub(super) fn push(&mut self, entry: Entry) {
        match self {
            Entries::Few(entries) if entries.len() < FEW => entries.push(entry),
            Entries::Few(entries) => {
                entries.push(entry);
                *self = Entries::of(std::mem::take(entries));
            }
            Entries::Many(many) => {
                if let Some(index) = many.index.get_mut() {
                    index.push(&entry.0);
                }
                many.entries.push(entry);
            }
        }
    }

    pub(super) fn remove(&mut self, place: usize) -> Option<Entry> {
        let (entries, index) = match self {
            Entries::Few(entries) => (entries, None),
            Entries::Many(many) => (&mut many.entries, many.index.get_mut()),
        };
        if let Some(index) = index {
            index.remove(place);
        }
        (place < entries.len()).then(|| entries.remove(place))
    }
}

/// The places of the entries by the hashes of their keys, which are seeded at random.
struct Index {
    state: RandomState,
    /// The hash of each key, in the order of the entries.
    hashes: Vec<u64>,
    /// One more than the place of an entry, or 0. Their number is a power of two, and at most half of
    /// them are taken. An entry stands in the first one that was free from its hash on.
    slots: Vec<usize>,
}

impl Index {
    fn new(entries: &[Entry]) -> Self {
        let state = RandomState::new();
        let hashes: Vec<u64> = entries.iter().map(|(key, _)| hash_key(key, &state)).collect();
        let mut index = Index { state, hashes, slots: Vec::new() };
        index.rebuild();
        index
    }

    fn rebuild(&mut self) {
        let room = self.hashes.len().saturating_mul(4).next_power_of_two();
        self.slots = vec![0; room];
        (0..self.hashes.len()).for_each(|place| self.take_slot(place));
    }

    #[allow(clippy::cast_possible_truncation, clippy::as_conversions, reason = "any bits will do")]
    fn slot_of(&self, hash: u64) -> usize {
        hash as usize & self.slots.len().wrapping_sub(1)
    }

    fn after(&self, slot: usize) -> usize {
        slot.wrapping_add(1) & self.slots.len().wrapping_sub(1)
    }

    /// What stands in a slot: the place of an entry.
    fn at(&self, slot: usize) -> Option<usize> {
        self.slots.get(slot)?.checked_sub(1)
    }

    fn put(&mut self, slot: usize, taken: usize) {
        if let Some(own) = self.slots.get_mut(slot) {
            *own = taken;
        }
    }

    fn take_slot(&mut self, place: usize) {
        let mut slot = self.slot_of(self.hashes.get(place).copied().unwrap_or_default());
        while self.at(slot).is_some() {
            slot = self.after(slot);
        }
        self.put(slot, place.saturating_add(1));
    }

    fn find(&self, key: Key<'_>, entries: &[Entry]) -> Option<usize> {
        let hash = key.hash(&self.state);
        let mut slot = self.slot_of(hash);
        while let Some(place) = self.at(slot) {
            let same = self.hashes.get(place) == Some(&hash);
            if same && entries.get(place).is_some_and(|(own, _)| key.is(own)) {
                return Some(place);
            }
            slot = self.after(slot);
        }
        None
    }

    fn push(&mut self, key: &Value) {
        self.hashes.push(hash_key(key, &self.state));
        if self.hashes.len() > self.slots.len() / 2 {
            self.rebuild();
        } else {
            self.take_slot(self.hashes.len().saturating_sub(1));
        }
    }

    fn remove(&mut self, place: usize) {
        let Some(&hash) = self.hashes.get(place) else { return };
        let mut hole = self.slot_of(hash);
        while self.at(hole).is_some_and(|own| own != place) {
            hole = self.after(hole);
        }
        // What stands after it moves up, if it may stand there.
        let mut slot = self.after(hole);
        while let Some(own) = self.at(slot) {
            let home = self.slot_of(self.hashes.get(own).copied().unwrap_or_default());
            let mask = self.slots.len().wrapping_sub(1);
            if slot.wrapping_sub(home) & mask >= slot.wrapping_sub(hole) & mask {
                self.put(hole, own.saturating_add(1));
                hole = slot;
            }
            slot = self.after(slot);
        }
        self.put(hole, 0);
        self.hashes.remove(place);
        for own in self.slots.iter_mut().filter(|own| **own > place) {
            *own = own.wrapping_sub(1);
        }
    }
}
