//! The order in which the engine writes the keys of a dictionary.
//!
//! Its comparison is no order: text of both sorts is compared by characters, anything else by the number
//! of its type first, between those of String (4) and StringName (21); and NaN is neither less nor more
//! than anything. So what comes of it depends on the steps of the engine's sort, which are taken here.

use std::cmp::Ordering;
use std::slice::from_ref;

use crate::Value;
use crate::value::vector;

type Entry = (Value, Value);

/// Runs of that many entries and less are sorted by insertion.
const FEW: usize = 16;

/// Sorts the entries as the engine does. Where that would take a time that is not in proportion, which
/// takes many keys in disorder around a NaN or mixed kinds, by [`compare_all`].
pub(super) fn sort(entries: &mut [&Entry]) {
    let levels = entries.len().checked_ilog2().unwrap_or(0).saturating_mul(2);
    let mut steps = entries.len().saturating_mul(64);
    if !(partitions(entries, levels) && insertions(entries, &mut steps)) {
        entries.sort_by(|(a, _), (b, _)| compare_all(a, b));
    }
}

/// Whether the engine puts one key before another.
fn less((a, _): &Entry, (b, _): &Entry) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a < b,
        _ => by_parts(a, b, engine).is_lt(),
    }
}

/// A total order that agrees with the engine's wherever that is one: a StringName stands among the
/// Strings, NaN after (or with its sign bit set, before) all numbers.
pub(super) fn compare_all(a: &Value, b: &Value) -> Ordering {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a.cmp(b),
        (None, None) => by_parts(a, b, total),
        (Some(_), None) => 4.cmp(&(b.kind() as u8)),
        (None, Some(_)) => (a.kind() as u8).cmp(&4),
    }
}

/// Compares two values: arrays element by element, then by length; others by the number of their type,
/// then by `numbers`. Only vectors have an order among rows of numbers, and nothing has that is not
/// named here.
fn by_parts(a: &Value, b: &Value, numbers: fn(f64, f64) -> Ordering) -> Ordering {
    let mut open = vec![(from_ref(a), from_ref(b))];
    while let Some((left, right)) = open.pop() {
        let (Some((a, left)), Some((b, right))) = (left.split_first(), right.split_first()) else {
            match left.len().cmp(&right.len()) {
                Ordering::Equal => continue,
                unequal => return unequal,
            }
        };
        open.push((left, right));
        let order = match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => numbers(*a, *b),
            (Value::Rid(a), Value::Rid(b)) => a.cmp(b),
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::StringName(a), Value::StringName(b)) => a.cmp(b),
            _ => match (a.as_array(), b.as_array(), vector::<4>(a).zip(vector::<4>(b))) {
                (Some(a), Some(b), _) => {
                    open.push((a, b));
                    Ordering::Equal
                }
                (.., Some((a_parts, b_parts))) if a.kind() == b.kind() => {
                    let parts = a_parts.iter().zip(&b_parts);
                    let mut unequal = parts.filter(|(a, b)| a != b);
                    unequal.next().map_or(Ordering::Equal, |(a, b)| numbers(*a, *b))
                }
                _ => (a.kind() as u8).cmp(&(b.kind() as u8)),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Neither less nor more than NaN.
fn engine(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Numbers that are equal to the engine stay so.
fn total(a: f64, b: f64) -> Ordering {
    if a == b { Ordering::Equal } else { a.total_cmp(&b) }
}

/// Quicksort down to runs of a few entries; `false` where it takes too many levels.
fn partitions(mut entries: &mut [&Entry], levels: u32) -> bool {
    let mut left = levels;
    while entries.len() > FEW {
        let Some(below) = left.checked_sub(1) else { return false };
        left = below;
        let cut = partition(entries);
        debug_assert!(cut <= entries.len(), "a cut behind the entries");
        let (lower, upper) = entries.split_at_mut_checked(cut).unwrap_or_default();
        if !partitions(upper, below) {
            return false;
        }
        entries = lower;
    }
    true
}

/// Splits around the middle one of three entries; returns where the upper part begins.
fn partition(entries: &mut [&Entry]) -> usize {
    let (Some(&a), Some(&b), Some(&c)) =
        (entries.first(), entries.get(entries.len() / 2), entries.last())
    else {
        return 0;
    };
    let pivot = match (less(a, b), less(a, c), less(b, c)) {
        (true, _, true) | (false, false, false) => b,
        (true, true, false) | (false, false, true) => c,
        (true, false, false) | (false, true, _) => a,
    };
    let (mut low, mut high) = (0_usize, entries.len());
    loop {
        let is_less = |entry: &&&Entry| less(entry, pivot);
        let last = entries.len().saturating_sub(1);
        low = low.saturating_add(
            entries.get(low..last).unwrap_or_default().iter().take_while(is_less).count(),
        );
        let is_more = |entry: &&&Entry| less(pivot, entry);
        high = high.saturating_sub(1);
        let above = entries.get(1..=high).unwrap_or_default();
        high = high.saturating_sub(above.iter().rev().take_while(is_more).count());
        if low >= high {
            return low;
        }
        entries.swap(low, high);
        low = low.saturating_add(1);
    }
}

/// Puts each entry to its place among those before it; `false` when the steps are used up.
fn insertions(entries: &mut [&Entry], steps: &mut usize) -> bool {
    for at in 1..entries.len() {
        let Some((&mut own, before)) = entries.get_mut(..=at).and_then(<[_]>::split_last_mut)
        else {
            return true;
        };
        let is_first = at < FEW && before.first().is_some_and(|first| less(own, first));
        let place = match is_first {
            true => 0,
            // The engine stops at the first entry, as it trusts that it is less.
            false => {
                let more = before.iter().rev().take_while(|other| less(own, other)).count();
                at.saturating_sub(more).max(1)
            }
        };
        let Some(left) = steps.checked_sub(at.saturating_sub(place)) else { return false };
        *steps = left;
        if let Some(moved) = entries.get_mut(place..=at) {
            moved.rotate_right(1);
        }
    }
    true
}
