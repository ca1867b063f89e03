//! Long arrays in runs, so that an element is put in or taken out without moving all behind it.

use super::super::{Array, Value};

/// What moves fewer elements stays as it is.
pub(super) const MANY: usize = 4096;

/// The longest run; one that gets longer becomes two.
const MAX_RUN: usize = 1024;

/// Makes an array one of runs of its elements.
pub(super) fn cut(items: &mut Array) {
    let mut elements = std::mem::take(&mut items.0).into_iter();
    while elements.len() > 0 {
        items.push(run(elements.by_ref().take(MAX_RUN / 2).collect()));
    }
}

/// Makes an array of runs one of elements again.
pub(super) fn join(items: &mut Array) {
    let mut all = Vec::with_capacity(len(items));
    for own in std::mem::take(&mut items.0) {
        if let Value::Array(own) = own {
            all.append(&mut own.into_vec());
        }
    }
    items.0 = all;
}

/// How many elements all runs have.
pub(super) fn len(items: &Array) -> usize {
    let lengths = items.iter().filter_map(Value::as_array).map(|own| own.len());
    lengths.fold(0, usize::saturating_add)
}

/// An element of an array of runs.
pub(super) fn get_mut(items: &mut Array, at: usize) -> Option<&mut Value> {
    let (own, at) = place(items, at)?;
    items.0.get_mut(own)?.as_array_mut()?.get_mut(at)
}

/// Puts an element in; behind the last one where there are fewer.
pub(super) fn insert(items: &mut Array, at: usize, value: Value) {
    let Some((own, at)) = place(items, at).or_else(|| end(items)) else {
        items.push(run(vec![value]));
        return;
    };
    let Some(Value::Array(list)) = items.0.get_mut(own) else { return };
    list.0.insert(at.min(list.0.len()), value);
    if list.len() > MAX_RUN {
        let rest = list.0.split_off(MAX_RUN / 2);
        items.insert(own.saturating_add(1), run(rest));
    }
}

/// Takes an element out.
pub(super) fn remove(items: &mut Array, at: usize) {
    let Some((own, at)) = place(items, at) else { return };
    let Some(Value::Array(list)) = items.0.get_mut(own) else { return };
    list.remove(at);
    if list.is_empty() {
        items.remove(own);
    }
}

fn run(elements: Vec<Value>) -> Value {
    Value::Array(Array(elements))
}

/// The run that an element is in, and its place there.
fn place(items: &Array, at: usize) -> Option<(usize, usize)> {
    let mut left = at;
    for (own, list) in items.iter().enumerate() {
        let length = list.as_array().map_or(0, |list| list.len());
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => return Some((own, left)),
        }
    }
    None
}

/// Behind the last element.
fn end(items: &Array) -> Option<(usize, usize)> {
    let last = items.len().checked_sub(1)?;
    Some((last, items.get(last)?.as_array()?.len()))
}
