//! The differences of two values.

use std::collections::HashMap;

use gamewire_core::pointer;

use super::access::Step;
use super::{Array, Document};
use crate::Value;

/// One difference: the path, and both values.
#[derive(Clone, Debug, PartialEq)]
pub struct Change<'a> {
    /// The JSON pointer to it, as [`Value::pointer`] reads it: in the old value, or in the new one
    /// where a value was added.
    pub path: String,
    /// The old value; `None` where one was added.
    pub old: Option<&'a Value>,
    /// The new value; `None` where one was removed.
    pub new: Option<&'a Value>,
}

/// Returns the differences of two values, in the order of the old one.
///
/// Integers of different widths are the same if the number is, as to the engine, and the order of keys
/// does not matter. Elements that both arrays begin or end with are the same ones; what is between them
/// is compared one by one.
///
/// ```
/// use resonite_brson::{Value, value::diff};
///
/// let old: Value = [("a", vec![1, 2, 4]), ("b", vec![])].into_iter().collect();
/// let new: Value = [("a", vec![1, 2, 3, 4]), ("c", vec![])].into_iter().collect();
/// let changes: Vec<_> = diff(&old, &new).collect();
/// let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
/// assert_eq!(paths, ["/a/2", "/b", "/c"]);
/// assert_eq!((changes[0].old, changes[0].new), (None, Some(&Value::from(3))));
/// ```
pub fn diff<'a>(old: &'a Value, new: &'a Value) -> impl Iterator<Item = Change<'a>> {
    let mut walk = Walk { nodes: Vec::new(), todo: vec![(usize::MAX, Some(old), Some(new))] };
    std::iter::from_fn(move || walk.next())
}

struct Walk<'a> {
    /// Places that were come by, each with the one around it.
    nodes: Vec<(usize, Step<'a>)>,
    /// The values that are still to be compared, the next ones last.
    todo: Vec<(usize, Option<&'a Value>, Option<&'a Value>)>,
}

impl<'a> Walk<'a> {
    fn next(&mut self) -> Option<Change<'a>> {
        loop {
            let (node, old, new) = self.todo.pop()?;
            let before = self.todo.len();
            match (old, new) {
                (Some(Value::Document(old)), Some(Value::Document(new))) => {
                    self.entries(node, old, new);
                }
                (Some(Value::Array(old)), Some(Value::Array(new))) => self.items(node, old, new),
                (Some(old), Some(new)) if same(old, new) => {}
                _ => return Some(Change { path: self.path(node), old, new }),
            }
            if let Some(found) = self.todo.get_mut(before..) {
                found.reverse();
            }
        }
    }

    fn push(
        &mut self,
        outer: usize,
        step: Step<'a>,
        old: Option<&'a Value>,
        new: Option<&'a Value>,
    ) {
        self.todo.push((self.nodes.len(), old, new));
        self.nodes.push((outer, step));
    }

    fn path(&self, mut node: usize) -> String {
        let mut steps = Vec::new();
        while let Some((outer, step)) = self.nodes.get(node) {
            steps.push(match step {
                Step::Key(key) => format!("/{}", pointer::escaped(key)),
                Step::Position(index) => format!("/{index}"),
            });
            node = *outer;
        }
        steps.into_iter().rev().collect()
    }

    fn entries(&mut self, node: usize, old: &'a Document, new: &'a Document) {
        if old.keys().eq(new.keys()) {
            for (key, (old, new)) in old.keys().zip(old.values().zip(new.values())) {
                self.push(node, Step::Key(key), Some(old), Some(new));
            }
            return;
        }
        let by_key = |own: &'a Document| own.keys().zip(own.values()).collect::<HashMap<_, _>>();
        let (olds, news) = (by_key(old), by_key(new));
        for (key, old) in old.keys().zip(old.values()) {
            self.push(node, Step::Key(key), Some(old), news.get(key).copied());
        }
        for (key, new) in new.keys().zip(new.values()).filter(|(key, _)| !olds.contains_key(key)) {
            self.push(node, Step::Key(key), None, Some(new));
        }
    }

    fn items(&mut self, node: usize, old: &'a Array, new: &'a Array) {
        let is_same = |(old, new): &(&Value, &Value)| same(old, new);
        let start = old.iter().zip(new.iter()).take_while(is_same).count();
        let (olds, news) = (old.iter().skip(start), new.iter().skip(start));
        let end = olds.clone().rev().zip(news.clone().rev()).take_while(is_same).count();
        let (olds, news) = (olds.len().saturating_sub(end), news.len().saturating_sub(end));
        for index in 0..olds.max(news) {
            let at = start.saturating_add(index);
            let old = old.get(at).filter(|_| index < olds);
            self.push(node, Step::Position(at), old, new.get(at).filter(|_| index < news));
        }
    }
}

/// Whether two values are the same but for the widths of integers, at any depth.
fn same(old: &Value, new: &Value) -> bool {
    let mut todo = vec![(old, new)];
    while let Some((old, new)) = todo.pop() {
        match (old, new) {
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                todo.extend(old.iter().zip(new.iter()));
            }
            (Value::Document(old), Value::Document(new)) if old.keys().eq(new.keys()) => {
                todo.extend(old.values().zip(new.values()));
            }
            _ if old.as_i64().is_some() && old.as_i64() == new.as_i64() => {}
            _ if old == new => {}
            _ => return false,
        }
    }
    true
}
