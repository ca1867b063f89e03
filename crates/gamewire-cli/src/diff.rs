//! Comparing two trees, of any format, in time proportional to their size.

mod align;

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use self::align::{Step as Aligned, align};
use crate::path::{self, Step};

/// Characters of a value by which it is told from its neighbours.
const MARKED: usize = 4096;

/// A value of some format, as a tree.
pub(crate) trait Tree: Sized {
    /// The type, where it matters beside the children: `Array[int]`, `Node2D`.
    fn kind(&self) -> String;

    /// What is inside.
    fn children(&self) -> Children<Self>;

    /// Whether nothing nests in what is inside, so that comparing it whole costs no more than
    /// looking at the parts.
    fn is_flat(&self) -> bool;

    /// Whether the two have the same data. Asked of flat values.
    fn same(&self, other: &Self) -> bool;

    /// The value in readable form.
    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result;
}

pub(crate) enum Children<T> {
    /// The value is a leaf.
    None,
    Items(Vec<T>),
    Entries(Vec<(Step, T)>),
}

/// A difference: where, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: String,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Changed(String, String),
    Added(String),
    Removed(String),
    /// Only the type differs, and perhaps what is inside.
    Retyped(String, String),
    /// The keys are the same, and stand in another order.
    Reordered,
}

/// Compares two trees. Values are shown with at most `most` characters.
pub(crate) fn compare<T: Tree>(old: &T, new: &T, most: usize) -> Vec<Change> {
    let mut walk = Walk { hasher: RandomState::new(), path: Vec::new(), changes: Vec::new(), most };
    walk.pair(old, new);
    walk.changes
}

/// What a typed path leads to.
pub(crate) fn find<T: Tree>(root: &T, path: &str) -> Vec<(Vec<Step>, T)> {
    let mut found = Vec::new();
    descend(root, &mut Vec::new(), path, &mut found);
    found
}

fn descend<T: Tree>(node: &T, path: &mut Vec<Step>, rest: &str, found: &mut Vec<(Vec<Step>, T)>) {
    let entries = match node.children() {
        Children::None => return,
        Children::Entries(entries) => entries,
        Children::Items(items) => {
            items.into_iter().enumerate().map(|(at, item)| (Step::Index(at), item)).collect()
        }
    };
    let is_first = path.is_empty();
    let below = path::any_depth(rest, is_first);
    for (step, child) in entries {
        let tails = path::after(below.unwrap_or(rest), &step, is_first && below.is_none());
        path.push(step);
        if below.is_some() {
            descend(&child, path, rest, found);
        }
        for after in tails.iter().filter(|after| !after.is_empty()) {
            descend(&child, path, after, found);
        }
        if tails.contains(&"") {
            found.push((path.clone(), child));
        }
        path.pop();
    }
}

struct Walk {
    hasher: RandomState,
    path: Vec<Step>,
    changes: Vec<Change>,
    most: usize,
}

impl Walk {
    fn report(&mut self, what: What) {
        let path = path::text(&self.path);
        self.changes.push(Change { path: path.unwrap_or_else(|| "(root)".to_owned()), what });
    }

    fn report_at(&mut self, step: Step, what: What) {
        self.path.push(step);
        self.report(what);
        self.path.pop();
    }

    fn text<T: Tree>(&self, value: &T) -> String {
        let mut text = Shortened { text: String::new(), left: self.most };
        if value.write(&mut text).is_err() {
            text.text.push('…');
        }
        text.text
    }

    fn pair_at<T: Tree>(&mut self, step: Step, old: &T, new: &T) {
        self.path.push(step);
        self.pair(old, new);
        self.path.pop();
    }

    fn pair<T: Tree>(&mut self, old: &T, new: &T) {
        if old.is_flat() && new.is_flat() && old.same(new) {
            return;
        }
        let before = (old.kind(), new.kind());
        match (old.children(), new.children()) {
            (Children::Items(old), Children::Items(new)) => {
                self.kinds(before);
                self.items(&old, &new);
            }
            (Children::Entries(old), Children::Entries(new)) => {
                self.kinds(before);
                self.entries(&old, &new);
            }
            _ => {
                let (old, new) = (self.text(old), self.text(new));
                // What looks the same may have another type.
                self.report(match before.0 == before.1 || old != new {
                    true => What::Changed(old, new),
                    false => What::Retyped(before.0, before.1),
                });
            }
        }
    }

    fn kinds(&mut self, (old, new): (String, String)) {
        if old != new {
            self.report(What::Retyped(old, new));
        }
    }

    /// Elements by position, those that were added and removed apart. Positions are those of the old
    /// list, except of what is new.
    fn items<T: Tree>(&mut self, old: &[T], new: &[T]) {
        let steps = if old.len() == new.len() {
            // Their content does not matter then.
            align(&vec![0; old.len()], &vec![0; new.len()])
        } else {
            let marks = |items: &[T]| items.iter().map(|item| self.mark(item)).collect::<Vec<_>>();
            align(&marks(old), &marks(new))
        };
        for step in steps {
            match step {
                Aligned::Pair(at, new_at) => {
                    if let (Some(old), Some(new)) = (old.get(at), new.get(new_at)) {
                        self.pair_at(Step::Index(at), old, new);
                    }
                }
                Aligned::Removed(at) => {
                    let text = old.get(at).map(|old| self.text(old)).unwrap_or_default();
                    self.report_at(Step::Index(at), What::Removed(text));
                }
                Aligned::Added(at) => {
                    let text = new.get(at).map(|new| self.text(new)).unwrap_or_default();
                    self.report_at(Step::Index(at), What::Added(text));
                }
            }
        }
    }

    /// A number that is the same for values that begin the same. How much of a value counts is
    /// limited, because the values in it are looked at as well.
    fn mark<T: Tree>(&self, value: &T) -> u64 {
        let mut hasher = Marker { hasher: self.hasher.build_hasher(), left: MARKED };
        // An error says that there is more than that.
        _ = value.write(&mut hasher);
        hasher.hasher.finish()
    }

    /// Entries by key: first what is gone or changed, in the old order, then what is new. Of keys
    /// that occur again, each is compared with the one that occurs as often before.
    fn entries<T: Tree>(&mut self, old: &[(Step, T)], new: &[(Step, T)]) {
        let mut places: HashMap<(&Step, usize), (usize, &T)> =
            numbered(new).zip(new).enumerate().map(|(at, (key, (_, v)))| (key, (at, v))).collect();
        let (mut last, mut in_order) = (0, true);
        for ((key, number), (_, old)) in numbered(old).zip(old) {
            match places.remove(&(key, number)) {
                Some((at, new)) => {
                    in_order &= at >= last;
                    last = at;
                    self.pair_at(key.clone(), old, new);
                }
                None => {
                    let what = What::Removed(self.text(old));
                    self.report_at(key.clone(), what);
                }
            }
        }
        for (key, (_, new)) in numbered(new).zip(new).filter(|(key, _)| places.contains_key(key)) {
            let what = What::Added(self.text(new));
            self.report_at(key.0.clone(), what);
        }
        if !in_order {
            self.report(What::Reordered);
        }
    }
}

/// The keys, and how often each occurred before.
fn numbered<T>(entries: &[(Step, T)]) -> impl Iterator<Item = (&Step, usize)> {
    let mut seen: HashMap<&Step, usize> = HashMap::with_capacity(entries.len());
    entries.iter().map(move |(key, _)| {
        let count = seen.entry(key).or_default();
        let number = *count;
        *count += 1;
        (key, number)
    })
}

/// Text up to a length; then an error, so that a large value is not written on for nothing.
struct Shortened {
    text: String,
    left: usize,
}

impl fmt::Write for Shortened {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for c in part.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// Hashes text up to a length; then an error.
struct Marker<H> {
    hasher: H,
    left: usize,
}

impl<H: std::hash::Hasher> fmt::Write for Marker<H> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.hasher.write(part.as_bytes());
        self.left = self.left.checked_sub(part.len()).ok_or(fmt::Error)?;
        Ok(())
    }
}
