//! Keys of dictionaries: which are the same to the engine, and where they stand.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::btree_map::{self, BTreeMap};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use gamewire_core::walk;

use crate::Value;
use crate::types::{Signal, Type};
use crate::value::numbers::{Numbers, Scalar};
use crate::value::walk::{Inside, children};
use crate::value::{Dictionary, Object, Real64, Reference};

type Entry = (Value, Value);

/// Few keys are compared one by one, many are looked up.
pub(super) const FEW: usize = 16;

/// Merges equal keys as the engine does: the last value wins, at the index of the first key.
pub(crate) fn merge_same_keys(entries: &mut Vec<Entry>) {
    if entries.len() < 2 || !has_same_keys(entries) {
        return;
    }
    let earlier: Vec<Option<usize>> = KeyIndex::earlier(entries).collect();
    // Where each key comes to stand; those that are equal to an earlier one stand with that.
    let mut places = Vec::with_capacity(entries.len());
    let mut merged: Vec<Entry> = Vec::with_capacity(entries.len());
    for ((key, value), earlier) in entries.drain(..).zip(earlier) {
        let place = earlier.and_then(|at| places.get(at).copied()).unwrap_or(merged.len());
        places.push(place);
        match merged.get_mut(place) {
            Some((_, old)) => *old = value,
            None => merged.push((key, value)),
        }
    }
    *entries = merged;
}

/// Whether the engine would take two of the keys for one.
pub(super) fn has_same_keys(entries: &[Entry]) -> bool {
    if entries.len() <= FEW {
        return entries.iter().enumerate().any(|(count, (key, _))| {
            entries.iter().take(count).any(|(earlier, _)| match (earlier, key) {
                (Value::String(earlier), Value::String(key)) => earlier == key,
                _ => earlier.same_key(key),
            })
        });
    }
    KeyIndex::earlier(entries).any(|earlier| earlier.is_some())
}

/// Each entry whose key was there before, with the place of the first.
#[cfg(feature = "explain")]
pub(crate) fn same_keys(entries: &[Entry]) -> Vec<(usize, usize)> {
    KeyIndex::earlier(entries).enumerate().filter_map(|(at, first)| Some((at, first?))).collect()
}

/// Where each key stands. Input cannot make keys clash: hashes are seeded at random, and an order needs
/// none.
#[derive(Default)]
struct KeyIndex<'a> {
    /// Keys that hold no other values.
    hashed: ByHash,
    /// Containers. A hash of all that is inside would be made again on
    /// every level where a key is inside of a key; two containers are only compared up to where they
    /// differ.
    ordered: BTreeMap<Ordered<'a>, usize>,
}

impl<'a> KeyIndex<'a> {
    /// The index of an entry with an equal key, or `None` after `at` was noted as that of this one.
    fn find(&mut self, entries: &[Entry], key: &'a Value, at: usize) -> Option<usize> {
        if Inside::of(key).is_none() {
            return self.hashed.find_or_insert(entries, key, at);
        }
        match self.ordered.entry(Ordered { key, at, is_part: false }) {
            btree_map::Entry::Vacant(free) => {
                free.insert(at);
                None
            }
            btree_map::Entry::Occupied(taken) => Some(*taken.get()),
        }
    }

    /// For each entry the index of an earlier one with the same key.
    fn earlier(entries: &'a [Entry]) -> impl Iterator<Item = Option<usize>> {
        let mut index = KeyIndex::default();
        entries.iter().enumerate().map(move |(at, (key, _))| index.find(entries, key, at))
    }
}

/// A key, and the index of its entry, which tells objects apart: they are never equal. In this order
/// those keys are equal that the engine takes for one.
struct Ordered<'a> {
    key: &'a Value,
    at: usize,
    /// Whether it is inside of a key, as an element or the value of an entry.
    is_part: bool,
}

impl Ord for Ordered<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = by_parts(self, other);
        fn below<'a>(own: &Ordered<'a>) -> impl Iterator<Item = Ordered<'a>> {
            let at = own.at;
            let has_keys = own.key.as_dictionary().is_some();
            let part = move |(place, key): (usize, _)| {
                let is_part = !has_keys || !place.is_multiple_of(2);
                Ordered { key, at, is_part }
            };
            children(own.key).enumerate().map(part)
        }
        // They have as many children where they are equal so far.
        order.then_with(|| below(self).cmp(below(other)))
    }
}

impl PartialOrd for Ordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered<'_> {}

/// The order of two keys without what is inside of them.
fn by_parts(a: &Ordered<'_>, b: &Ordered<'_>) -> Ordering {
    if let (Some(a), Some(b)) = (a.key.as_i64(), b.key.as_i64()) {
        return a.cmp(&b);
    }
    // A `String` and a `StringName` are one sort of keys, but not inside of one.
    if let (Some(x), Some(y)) = (a.key.as_str(), b.key.as_str()) {
        let kinds = (a.key.kind() as u8).cmp(&(b.key.kind() as u8));
        return if a.is_part { kinds.then_with(|| x.cmp(y)) } else { x.cmp(y) };
    }
    let order = key_type(a.key).cmp(&key_type(b.key));
    order.then_with(|| Hashed::of(a).cmp(&Hashed::of(b)))
}

/// The bytes that would be hashed of a key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Hashed(Vec<u8>);

impl Hashed {
    fn of(key: &Ordered<'_>) -> Self {
        let mut parts = Hashed(Vec::new());
        hash_shallow(key.key, key.at, &mut parts);
        parts
    }
}

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

/// The indices of entries by the hashes of their keys; those with the same hash are numbered from 0 on.
#[derive(Default)]
pub(super) struct ByHash {
    state: RandomState,
    indices: HashMap<(u64, u32), usize>,
}

impl ByHash {
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut made = ByHash::default();
        entries.iter().enumerate().for_each(|(at, (key, _))| made.insert(key, at));
        made
    }

    /// Hashes a key; only the beginning of a container.
    fn hash(&self, key: &Value) -> u64 {
        const MOST: usize = 32;
        let mut hasher = self.state.build_hasher();
        walk::all(key).take(MOST).for_each(|value| hash_shallow(value, 0, &mut hasher));
        hasher.finish()
    }

    fn with_hash(&self, hash: u64) -> impl Iterator<Item = usize> {
        (0..).map_while(move |turn| self.indices.get(&(hash, turn)).copied())
    }

    fn find_hash(&self, entries: &[Entry], key: &Value, hash: u64) -> Option<usize> {
        let is = |at: &usize| entries.get(*at).is_some_and(|(own, _)| own.same_key(key));
        self.with_hash(hash).find(is)
    }

    pub(super) fn find(&self, entries: &[Entry], key: &Value) -> Option<usize> {
        self.find_hash(entries, key, self.hash(key))
    }

    pub(super) fn insert(&mut self, key: &Value, at: usize) {
        self.insert_hash(key, self.hash(key), at);
    }

    fn insert_hash(&mut self, key: &Value, hash: u64, at: usize) {
        // An object is the same key as no other, so it is never looked for.
        if matches!(key, Value::Object(Object::Id(_) | Object::Instance(_))) {
            return;
        }
        if let Some(turn) = (0..).find(|turn| !self.indices.contains_key(&(hash, *turn))) {
            self.indices.insert((hash, turn), at);
        }
    }

    /// The index of an entry with an equal key, or `None` after `at` was noted as that of this one.
    fn find_or_insert(&mut self, entries: &[Entry], key: &Value, at: usize) -> Option<usize> {
        let hash = self.hash(key);
        let found = self.find_hash(entries, key, hash);
        if found.is_none() {
            self.insert_hash(key, hash, at);
        }
        found
    }

    /// Takes out an entry; those after it move up by one.
    pub(super) fn remove(&mut self, key: &Value, at: usize) {
        let hash = self.hash(key);
        let turns = (0_u32..).zip(self.with_hash(hash)).collect::<Vec<_>>();
        let own = turns.iter().find(|(_, own)| *own == at);
        if let (Some((own, _)), Some((last, moved))) = (own, turns.last()) {
            // The last of those with this hash takes its number.
            self.indices.insert((hash, *own), *moved);
            self.indices.remove(&(hash, *last));
        }
        for own in self.indices.values_mut().filter(|own| **own > at) {
            *own = own.saturating_sub(1);
        }
    }
}

/// Values that are equal are the same key, too, except for objects, all of which are hashed alike.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        walk::all(self).for_each(|value| hash_shallow(value, 0, &mut &mut *state));
    }
}

impl Hash for Real64 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_numbers(&Numbers::of_real64(self), state);
    }
}

impl Hash for Dictionary {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

/// The same for floats that are the same key.
fn float_bits(value: f64) -> u64 {
    if value.is_nan() {
        f64::NAN.to_bits()
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    }
}

fn hash_numbers(numbers: &Numbers<'_>, hasher: &mut dyn Hasher) {
    // Never the same key as the value with components of the other width.
    hasher.write_u8(numbers.number as u8);
    hasher.write_usize(numbers.len());
    numbers.each(&mut |number| {
        hasher.write_u64(match number {
            Scalar::Int(value) => value.cast_unsigned(),
            float => float_bits(float.to_f64()),
        })
    });
}

fn hash_text(text: &str, hasher: &mut impl Hasher) {
    hasher.write(text.as_bytes());
    hasher.write_u8(0xff);
}

/// The type of a key: a `StringName` is a `String` there.
fn key_type(value: &Value) -> u8 {
    match value {
        Value::StringName(_) => Type::String as u8,
        other => other.kind() as u8,
    }
}

/// Hashes a value without what is inside of it: other bytes for each value of the same type that is
/// not the same key.
fn hash_shallow(value: &Value, at: usize, hasher: &mut impl Hasher) {
    hasher.write_u8(key_type(value));
    match value {
        Value::Nil | Value::Callable(_) => {}
        Value::Bool(v) => hasher.write_u8(u8::from(*v)),
        Value::Int(v) => hasher.write_i64(*v),
        Value::Float(v) => hasher.write_u64(float_bits(*v)),
        Value::String(v) => hash_text(v, hasher),
        Value::StringName(v) => hash_text(v, hasher),
        Value::NodePath(v) => {
            hasher.write_u8(u8::from(v.absolute));
            hasher.write_usize(v.names.len());
            v.names.iter().chain(&v.subnames).for_each(|name| hash_text(name, hasher));
        }
        Value::Rid(v) => hasher.write_u64(v.0),
        Value::Signal(v) => {
            let Signal { name, object } = &**v;
            hash_text(name, hasher);
            hasher.write_u64(object.0);
        }
        Value::Object(Object::Null) => {}
        Value::Object(Object::Reference(v)) => {
            let (kind, text, more) = match &**v {
                Reference::External(id) => (0, id, id),
                Reference::Internal(id) => (1, id, id),
                Reference::File { uid, path } => (2, uid, path),
            };
            hasher.write_u8(kind);
            hash_text(text, hasher);
            hash_text(more, hasher);
        }
        Value::Object(_) => hasher.write_usize(at),
        Value::Dictionary(_) | Value::TypedDictionary(_) => {
            hasher.write_usize(value.as_dictionary().map_or(0, |entries| entries.len()));
        }
        Value::Array(_) | Value::TypedArray(_) => {
            hasher.write_usize(value.as_array().map_or(0, |array| array.len()));
        }
        Value::PackedByteArray(v) => hasher.write(v),
        Value::PackedStringArray(v) => v.iter().for_each(|v| hash_text(v, hasher)),
        other => {
            if let Some(numbers) = Numbers::of(other) {
                hash_numbers(&numbers, hasher);
            }
        }
    }
}
