//! How dictionaries find their entries: one by one, or by the hashes of their keys.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::OnceLock;

use crate::Value;
use crate::value::compare::hash_key;

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
    pub(super) fn find(&self, key: &Value) -> Option<usize> {
        match (self, key.as_str()) {
            (Entries::Few(entries), Some(text)) => {
                entries.iter().position(|(own, _)| own.as_str() == Some(text))
            }
            (Entries::Few(entries), None) => entries.iter().position(|(own, _)| own.same_key(key)),
            (Entries::Many(many), _) => {
                let index = many.index.get_or_init(|| Index::new(&many.entries));
                let own = |place: usize| many.entries.get(place).map(|(own, _)| own);
                let hash = hash_key(key, &index.state);
                index.places.find(hash, |place| own(place).is_some_and(|own| own.same_key(key)))
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
                    index.places.insert(hash_key(&entry.0, &index.state), many.entries.len());
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
        if let Some((index, (key, _))) = index.zip(entries.get(place)) {
            index.places.remove(hash_key(key, &index.state), place);
        }
        (place < entries.len()).then(|| entries.remove(place))
    }
}

/// The places of entries. Hashes are seeded at random, so input cannot make keys clash.
struct Index {
    state: RandomState,
    places: Places,
}

impl Index {
    fn new(entries: &[Entry]) -> Self {
        let mut index = Index { state: RandomState::new(), places: Places::default() };
        for (place, (key, _)) in entries.iter().enumerate() {
            index.places.insert(hash_key(key, &index.state), place);
        }
        index
    }
}

/// Places by hash; those with the same hash are numbered from 0 on.
#[derive(Default)]
pub(super) struct Places(HashMap<(u64, u32), usize>);

impl Places {
    /// The place with this hash that is the one that is looked for.
    pub(super) fn find(&self, hash: u64, is: impl Fn(usize) -> bool) -> Option<usize> {
        (0..).map_while(|turn| self.0.get(&(hash, turn)).copied()).find(|place| is(*place))
    }

    pub(super) fn insert(&mut self, hash: u64, place: usize) {
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

mod sealed {
    pub trait Key {
        /// `None` for a number that no value holds.
        fn to_key(&self) -> Option<std::borrow::Cow<'_, crate::Value>>;
    }
}

/// What a [`Value`] and a [`Dictionary`](super::Dictionary) can be indexed with: text is a key or the
/// name of a property, a whole number a position in an array or a key, and a [`Value`] any key.
pub trait ValueIndex: sealed::Key {
    #[doc(hidden)]
    fn key(&self) -> Option<Cow<'_, Value>> {
        self.to_key()
    }
}

impl<K: sealed::Key + ?Sized> ValueIndex for K {}

macro_rules! keys {
    ($($($type:ty),+ => |$own:ident| $key:expr;)+) => {$($(
        impl sealed::Key for $type {
            #[inline]
            fn to_key(&self) -> Option<Cow<'_, Value>> {
                let $own = self;
                Some($key)
            }
        }
    )+)+};
}

keys! {
    str => |own| Cow::Owned(own.into());
    String => |own| Cow::Owned(own.as_str().into());
    Value => |own| Cow::Borrowed(own);
    bool, i32, i64, u32, f64, crate::Vector2i, crate::Vector3i => |own| Cow::Owned((*own).into());
    usize => |own| Cow::Owned(Value::try_from(*own).ok()?);
}

impl<K: sealed::Key + ?Sized> sealed::Key for &K {
    fn to_key(&self) -> Option<Cow<'_, Value>> {
        K::to_key(self)
    }
}
