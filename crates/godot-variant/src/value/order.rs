//! An order of dictionary keys. Those are equal in it that the engine takes for one.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hasher;

use super::compare::{hash_shallow, key_type};
use crate::Value;
use crate::value::walk::Children;

/// A key, and the place of its entry, which tells objects apart: they are never equal.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) key: &'a Value,
    pub(super) at: usize,
}

impl Ord for Placed<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut stack: Vec<(Children<'_>, Children<'_>)> = Vec::new();
        let mut pair = Some((self.key, other.key));
        loop {
            match pair {
                Some((a, b)) => {
                    let order = by_parts(a, self.at, b, other.at);
                    if order.is_ne() {
                        return order;
                    }
                    stack.extend(Children::of(a).zip(Children::of(b)));
                }
                // They have as many children, else they would not be equal so far.
                None => {
                    stack.pop();
                }
            }
            match stack.last_mut() {
                Some((left, right)) => pair = left.next().zip(right.next()),
                None => return Ordering::Equal,
            }
        }
    }
}

impl PartialOrd for Placed<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Placed<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Placed<'_> {}

/// The order of two values without what is inside of them.
fn by_parts(a: &Value, a_at: usize, b: &Value, b_at: usize) -> Ordering {
    if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64()) {
        return a.cmp(&b);
    }
    // A `String` and a `StringName` are one sort of keys.
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        return a.cmp(b);
    }
    let order = key_type(a).cmp(&key_type(b));
    order.then_with(|| Parts::of(a, a_at).cmp(&Parts::of(b, b_at)))
}

/// What would be hashed of a value: other bytes for each value that is not the same key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Parts(Vec<u8>);

impl Parts {
    fn of(value: &Value, at: usize) -> Self {
        let mut parts = Parts(Vec::new());
        hash_shallow(value, at, &mut parts);
        parts
    }
}

impl Hasher for Parts {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}
