//! Comparing two trees, of any format, in time proportional to their size.

mod page;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

pub use self::page::page;
use crate::document::align::{Aligned, align};
use crate::document::path::{self, Step, Trails};
use crate::document::words::count;

/// Characters of a value by which it is distinguished from its neighbours.
const MARKED: usize = 4096;

/// A value of some format, as a tree.
pub(crate) trait Tree: Sized {
    /// The type, where it matters beside the children: `Array[int]`, `Node2D`.
    fn full_kind(&self) -> String;

    /// The values in it.
    fn children(&self) -> Children<Self>;

    /// The number of elements of a list that gives them one by one.
    fn len(&self) -> Option<usize> {
        None
    }

    /// The element at a position, if there is one, of such a list.
    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        let _ = at;
        None
    }

    /// Whether nothing nests in what is inside, so that comparing it whole costs no more than
    /// looking at the parts.
    fn is_flat(&self) -> bool;

    /// The text that stays when the name of an entry changes, such as the identifier of a slot.
    fn identity(&self) -> Option<String> {
        None
    }

    /// Whether a child says the name under which this value stands.
    fn is_name(&self, step: &Step) -> bool {
        let _ = step;
        false
    }

    /// Whether the two have the same data. Asked of flat values.
    fn same(&self, other: &Self) -> bool;

    /// Whether it is shown on one line, as nothing nests in what is in it.
    fn is_row(&self) -> bool {
        match self.children() {
            _ if self.is_flat() => true,
            Children::Items(items) => items.iter().all(Self::is_flat),
            _ => false,
        }
    }

    /// The value in a few words.
    fn title(&self) -> String {
        let kind = self.full_kind();
        let inside = match self.children() {
            Children::None => return kind,
            Children::Items(items) => count(items.len(), "element"),
            Children::Entries(entries) => count(entries.len(), "entry"),
        };
        if kind.is_empty() { inside } else { format!("{kind}, {inside}") }
    }

    /// The value in readable form.
    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result;
}

pub(crate) enum Children<T> {
    /// The value is a leaf.
    None,
    Items(Vec<T>),
    Entries(Vec<(Step, T)>),
}

impl<T> Children<T> {
    /// All of them with their steps.
    pub(crate) fn entries(self) -> Vec<(Step, T)> {
        match self {
            Children::None => Vec::new(),
            Children::Entries(entries) => entries,
            Children::Items(items) => {
                items.into_iter().enumerate().map(|(at, item)| (Step::Index(at), item)).collect()
            }
        }
    }
}

/// A difference of two documents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Where.
    pub path: String,
    /// How.
    pub what: ChangeKind,
    /// The names for people on the way, in formats that have some.
    pub about: Option<String>,
}

/// How a value differs, with the values in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The old value, and the new one.
    Changed(String, String),
    /// The new value.
    Added(String),
    /// The old value.
    Removed(String),
    /// Only the type differs, and perhaps what is inside.
    Retyped(String, String),
    /// The same under another key: the new one.
    Renamed(String),
    /// The keys are the same, and stand in another order.
    Reordered,
}

/// Compares two trees. Values are shown with at most `most` characters.
pub(crate) fn compare<T: Tree>(old: &T, new: &T, most: usize) -> Vec<Change> {
    let mut walk = Walk {
        renamed: false,
        hasher: RandomState::new(),
        path: Vec::new(),
        changes: Vec::new(),
        most,
    };
    walk.pair(old, new);
    walk.changes
}

/// A value in readable form, with at most `most` characters.
pub(crate) fn text<T: Tree>(value: &T, most: usize) -> String {
    let mut text = Shortened { text: String::new(), left: most };
    if value.write(&mut text).is_err() {
        text.text.push('…');
    }
    text.text
}

/// The values that typed paths lead to: `found` is told the position of the path, the way there, and the value.
pub(crate) fn find<T: Tree>(root: &T, paths: &[&str], found: &mut Found<'_, T>) {
    let trails = Trails::new(paths.iter().enumerate().map(|(at, path)| (*path, at)));
    descend(root, &mut Vec::new(), &trails, found);
}

/// Is told what [`find`] finds.
pub(crate) type Found<'a, T> = dyn FnMut(usize, &[Step], &T) + 'a;

fn descend<T: Tree>(node: &T, path: &mut Vec<Step>, trails: &Trails<'_>, found: &mut Found<'_, T>) {
    // The root has no name.
    if !path.is_empty() {
        trails.ended().for_each(|own| found(own, path, node));
    }
    if !trails.go_on() {
        return;
    }
    for (step, child) in node.children().entries() {
        let trails = trails.after(&step);
        path.push(step);
        descend(&child, path, &trails, found);
        path.pop();
    }
}

struct Walk {
    /// Whether the name of the value, which was renamed, is not compared.
    renamed: bool,
    hasher: RandomState,
    path: Vec<Step>,
    changes: Vec<Change>,
    most: usize,
}

impl Walk {
    fn report(&mut self, what: ChangeKind) {
        let path = path::text(&self.path);
        let path = path.unwrap_or_else(|| "(root)".to_owned());
        self.changes.push(Change { path, what, about: None });
    }

    fn report_at(&mut self, step: Step, what: ChangeKind) {
        self.path.push(step);
        self.report(what);
        self.path.pop();
    }

    fn text<T: Tree>(&self, value: &T) -> String {
        text(value, self.most)
    }

    fn pair_at<T: Tree>(&mut self, step: Step, old: &T, new: &T) {
        self.path.push(step);
        self.pair(old, new);
        self.path.pop();
    }

    fn pair<T: Tree>(&mut self, old: &T, new: &T) {
        if old.is_flat() && new.is_flat() && old.same(new) {
            self.renamed = false;
            return;
        }
        let before = (old.full_kind(), new.full_kind());
        if let Some(count) = old.len().filter(|own| new.len() == Some(*own)) {
            self.kinds(before);
            for at in 0..count {
                let pair = old.element_at(at).flatten().zip(new.element_at(at).flatten());
                pair.iter().for_each(|(old, new)| self.pair_at(Step::Index(at), old, new));
            }
            return;
        }
        match (old.children(), new.children()) {
            (Children::Items(old), Children::Items(new)) => {
                self.kinds(before);
                self.items(&old, &new);
            }
            (Children::Entries(mut was), Children::Entries(mut is)) => {
                self.kinds(before);
                if std::mem::take(&mut self.renamed) {
                    was.retain(|(step, _)| !old.is_name(step));
                    is.retain(|(step, _)| !new.is_name(step));
                }
                self.entries(&was, &is);
            }
            _ => {
                let (old, new) = (self.text(old), self.text(new));
                // Values that look the same may have another type.
                self.report(match before.0 == before.1 || old != new {
                    true => ChangeKind::Changed(old, new),
                    false => ChangeKind::Retyped(before.0, before.1),
                });
            }
        }
    }

    fn kinds(&mut self, (old, new): (String, String)) {
        if old != new {
            self.report(ChangeKind::Retyped(old, new));
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
                    self.report_at(Step::Index(at), ChangeKind::Removed(text));
                }
                Aligned::Added(at) => {
                    let text = new.get(at).map(|new| self.text(new)).unwrap_or_default();
                    self.report_at(Step::Index(at), ChangeKind::Added(text));
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

    /// Entries by identity where both sides have it, else by key: first what is gone or changed, in the old
    /// order, then what is new. Of keys that occur again, each is compared with the one that occurs as often
    /// before.
    fn entries<T: Tree>(&mut self, old: &[(Step, T)], new: &[(Step, T)]) {
        let same = identical(old, new);
        let taken: HashSet<usize> = same.values().copied().collect();
        let places = numbered(new).zip(new).enumerate().filter(|(at, _)| !taken.contains(at));
        let mut places: HashMap<(&Step, usize), (usize, &T)> =
            places.map(|(at, (key, (_, v)))| (key, (at, v))).collect();
        let (mut last, mut in_order) = (0, true);
        let mut gone = Vec::new();
        for (own, ((key, number), (_, old))) in numbered(old).zip(old).enumerate() {
            let same = same.get(&own).and_then(|at| Some((*at, &new.get(*at)?.1)));
            match same.or_else(|| places.remove(&(key, number))) {
                Some((at, new)) => {
                    in_order &= at >= last;
                    last = at;
                    self.pair_at(key.clone(), old, new);
                }
                None => gone.push((key, old)),
            }
        }
        let left = numbered(new).zip(new).filter(|(key, _)| places.contains_key(key));
        let fresh: Vec<(&Step, &T)> = left.map(|(key, (_, new))| (key.0, new)).collect();
        let mut renamed = Renamed::new(self, if gone.is_empty() { &[] } else { &fresh });
        for (key, old) in gone {
            let Some((name, new)) = renamed.take(self, old) else {
                let what = ChangeKind::Removed(self.text(old));
                self.report_at(key.clone(), what);
                continue;
            };
            let shown = path::text(std::slice::from_ref(name)).unwrap_or_default();
            self.report_at(key.clone(), ChangeKind::Renamed(shown));
            self.renamed = true;
            self.pair_at(name.clone(), old, new);
            self.renamed = false;
        }
        for (at, (key, new)) in fresh.iter().enumerate() {
            if !renamed.taken.contains(&at) {
                let what = ChangeKind::Added(self.text(*new));
                self.report_at((*key).clone(), what);
            }
        }
        if !in_order {
            self.report(ChangeKind::Reordered);
        }
    }

    /// Whether another key with the same value may be the same thing: many things are true.
    fn is_telling<T: Tree>(&self, value: &T) -> bool {
        !matches!(value.children(), Children::None)
            || !["true", "false", "null"].contains(&self.text(value).as_str())
    }

    /// A number that is the same for values that are the same, but for what says their names.
    fn whole_mark<T: Tree>(&self, value: &T) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(value.full_kind().as_bytes());
        let children = value.children();
        if let Children::None = children {
            hasher.write_u64(self.mark(value));
            return hasher.finish();
        }
        let inner = children.entries();
        for (step, child) in inner.iter().filter(|(step, _)| !value.is_name(step)) {
            hasher.write(path::text(std::slice::from_ref(step)).unwrap_or_default().as_bytes());
            hasher.write_u64(self.whole_mark(child));
        }
        hasher.finish()
    }
}

/// New entries, to find those that are old ones under other keys.
struct Renamed<'a, T> {
    fresh: &'a [(&'a Step, &'a T)],
    /// By identity, and by content where no two have the same.
    by_identity: HashMap<String, usize>,
    by_content: HashMap<u64, Option<usize>>,
    taken: HashSet<usize>,
}

impl<'a, T: Tree> Renamed<'a, T> {
    fn new(walk: &Walk, fresh: &'a [(&'a Step, &'a T)]) -> Self {
        let mut by_content: HashMap<u64, Option<usize>> = HashMap::new();
        for (at, (_, new)) in fresh.iter().enumerate() {
            if walk.is_telling(*new) {
                let place = by_content.entry(walk.whole_mark(*new));
                place.and_modify(|place| *place = None).or_insert(Some(at));
            }
        }
        let identities = fresh.iter().enumerate();
        let by_identity =
            identities.filter_map(|(at, (_, new))| Some((new.identity()?, at))).collect();
        Renamed { fresh, by_identity, by_content, taken: HashSet::new() }
    }

    fn take(&mut self, walk: &Walk, old: &T) -> Option<(&'a Step, &'a T)> {
        if self.fresh.is_empty() {
            return None;
        }
        let same = old.identity().and_then(|own| self.by_identity.get(&own).copied());
        let same = same.or_else(|| *self.by_content.get(&walk.whole_mark(old))?);
        let at = same.filter(|at| self.taken.insert(*at))?;
        self.fresh.get(at).copied()
    }
}

/// The old entries that have the same identity and, but for its number, the same name as a new one, with the
/// position of that.
fn identical<T: Tree>(old: &[(Step, T)], new: &[(Step, T)]) -> HashMap<usize, usize> {
    let by_identity = new.iter().enumerate();
    let mut by_identity: HashMap<String, usize> =
        by_identity.filter_map(|(at, (_, new))| Some((new.identity()?, at))).collect();
    let name =
        |step: &Step| path::unnumbered(step).map_or_else(|| step.name().into(), str::to_owned);
    let found = old.iter().enumerate().filter_map(|(own, (step, old))| {
        let at = by_identity.remove(&old.identity()?)?;
        (name(step) == name(&new.get(at)?.0)).then_some((own, at))
    });
    found.collect()
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
