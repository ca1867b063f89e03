//! Comparing two trees, of any format, in time proportional to their size.

mod page;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

pub use self::page::page;
use crate::document::align::{Aligned, align};
use crate::document::path::{self, Step, Trails};
use crate::document::ranges::Memo;
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

    /// Whether both have the same bytes, which mean the same, as far as that is known.
    fn is_identical(&self, other: &Self, memo: &Memo) -> bool {
        let _ = (other, memo);
        false
    }

    /// The children from the first to the last that differ from those of another container; `None` where all
    /// have to be looked at.
    fn middle(&self, other: &Self, memo: &Memo) -> Option<Middle<Self>> {
        let _ = (other, memo);
        None
    }

    /// A number that is the same for the same data, where it takes no text to tell.
    fn mark(&self, hasher: &RandomState) -> Option<u64> {
        let _ = hasher;
        None
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

impl<T: Tree> Children<T> {
    /// The children of two containers of one sort.
    fn pair(old: &T, new: &T) -> Option<MiddleChildren<T>> {
        match (old.children(), new.children()) {
            (Children::Items(old), Children::Items(new)) => Some(MiddleChildren::Items(old, new)),
            (Children::Entries(old), Children::Entries(new)) => {
                Some(MiddleChildren::Entries(old, new))
            }
            _ => None,
        }
    }
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

/// The children of two containers from the first to the last that differ.
pub(crate) struct Middle<T> {
    /// How many are the same before them.
    pub(crate) front: usize,
    pub(crate) children: MiddleChildren<T>,
}

pub(crate) enum MiddleChildren<T> {
    /// Elements of two lists.
    Items(Vec<T>, Vec<T>),
    /// Entries of two containers with keys.
    Entries(Vec<(Step, T)>, Vec<(Step, T)>),
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
        hasher: RandomState::new(),
        memo: Memo::default(),
        path: Vec::new(),
        changes: Vec::new(),
        most,
    };
    // Without recursion: files nest as deep as they like.
    let mut todo = walk.pair(old, new, false);
    todo.reverse();
    while let Some(task) = todo.pop() {
        match task {
            Task::Pair { step, old, new, is_renamed } => {
                walk.path.push(step);
                todo.push(Task::Leave);
                todo.extend(walk.pair(&old, &new, is_renamed).into_iter().rev());
            }
            Task::Report(step, what) => {
                walk.path.extend(step.clone());
                walk.report(what);
                walk.path.truncate(walk.path.len() - usize::from(step.is_some()));
            }
            Task::Leave => _ = walk.path.pop(),
        }
    }
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

/// The values that typed paths lead to, without recursion: `found` is told the position of the path, the way
/// there, and the value.
pub(crate) fn find<T: Tree>(root: &T, paths: &[&str], found: &mut dyn FnMut(usize, &[Step], &T)) {
    let trails = Trails::new(paths.iter().enumerate().map(|(at, path)| (*path, at)));
    // The root has no name.
    let mut todo = led_to(root, &[], &trails);
    while let Some((path, node, trails)) = todo.pop() {
        trails.ended().for_each(|own| found(own, &path, &node));
        todo.extend(led_to(&node, &path, &trails));
    }
}

/// The children to which paths lead, the last first, with the rests of the paths.
fn led_to<'p, T: Tree>(
    node: &T,
    path: &[Step],
    trails: &Trails<'p>,
) -> Vec<(Vec<Step>, T, Trails<'p>)> {
    let children = if trails.go_on() { node.children() } else { Children::None };
    let led_to = children.entries().into_iter().rev().filter_map(|(step, child)| {
        let trails = Some(trails.after(&step)).filter(|trails| !trails.is_empty())?;
        Some((path.iter().cloned().chain([step]).collect(), child, trails))
    });
    led_to.collect()
}

struct Walk {
    hasher: RandomState,
    memo: Memo,
    path: Vec<Step>,
    changes: Vec<Change>,
    most: usize,
}

/// What is left to do, in the order of the changes.
enum Task<T> {
    /// Compares the values at a step.
    Pair {
        step: Step,
        old: T,
        new: T,
        /// Whether the name of the value, which was renamed, is not compared.
        is_renamed: bool,
    },
    /// Reports a change of the value, or of what is at a step.
    Report(Option<Step>, ChangeKind),
    /// Leaves the value that was gone into last.
    Leave,
}

impl<T> Task<T> {
    fn pair(step: Step, old: T, new: T) -> Self {
        Task::Pair { step, old, new, is_renamed: false }
    }
}

impl Walk {
    fn report(&mut self, what: ChangeKind) {
        let path = path::text(&self.path);
        let path = path.unwrap_or_else(|| "(root)".to_owned());
        self.changes.push(Change { path, what, about: None });
    }

    fn text<T: Tree>(&self, value: &T) -> String {
        text(value, self.most)
    }

    /// Compares two values; what is in them is left to do.
    fn pair<T: Tree>(&self, old: &T, new: &T, is_renamed: bool) -> Vec<Task<T>> {
        if old.is_identical(new, &self.memo) || (old.is_flat() && new.is_flat() && old.same(new)) {
            return Vec::new();
        }
        let (was, is) = (old.full_kind(), new.full_kind());
        let mut tasks = Vec::new();
        let retyped = |was: String, is: String| Task::Report(None, ChangeKind::Retyped(was, is));
        if was != is {
            tasks.push(retyped(was.clone(), is.clone()));
        }
        let (front, children) = match old.middle(new, &self.memo) {
            Some(Middle { front, children }) => (front, Some(children)),
            None => (0, Children::pair(old, new)),
        };
        match children {
            Some(MiddleChildren::Items(old, new)) => tasks.extend(self.items(front, old, new)),
            Some(MiddleChildren::Entries(mut was, mut is)) => {
                if is_renamed {
                    was.retain(|(step, _)| !old.is_name(step));
                    is.retain(|(step, _)| !new.is_name(step));
                }
                tasks.extend(self.entries(was, is));
            }
            None => {
                let (old, new) = (self.text(old), self.text(new));
                // Values that look the same may have another type.
                return vec![match was == is || old != new {
                    true => Task::Report(None, ChangeKind::Changed(old, new)),
                    false => retyped(was, is),
                }];
            }
        }
        tasks
    }

    /// Elements by position, those that were added and removed apart. Positions are those of the old
    /// list, except of what is new; `front` elements of both are the same before them.
    fn items<T: Tree>(&self, front: usize, old: Vec<T>, new: Vec<T>) -> Vec<Task<T>> {
        let steps = if old.len() == new.len() {
            // Their content does not matter then.
            align(&vec![0; old.len()], &vec![0; new.len()])
        } else {
            let marks = |items: &[T]| items.iter().map(|item| self.mark(item)).collect::<Vec<_>>();
            align(&marks(&old), &marks(&new))
        };
        let [mut old, mut new] =
            [old, new].map(|all| all.into_iter().map(Some).collect::<Vec<_>>());
        let take = |all: &mut Vec<Option<T>>, at: usize| {
            let own = all.get_mut(at).and_then(Option::take);
            debug_assert!(own.is_some(), "an element is aligned once");
            own
        };
        let task = |step| {
            let (at, what) = match step {
                Aligned::Pair(at, new_at) => {
                    let (old, new) = take(&mut old, at).zip(take(&mut new, new_at))?;
                    return Some(Task::pair(Step::Index(front + at), old, new));
                }
                Aligned::Removed(at) => (at, ChangeKind::Removed(self.text(&take(&mut old, at)?))),
                Aligned::Added(at) => (at, ChangeKind::Added(self.text(&take(&mut new, at)?))),
            };
            Some(Task::Report(Some(Step::Index(front + at)), what))
        };
        steps.into_iter().filter_map(task).collect()
    }

    /// A number that is the same for values that begin the same. How much of a value counts is
    /// limited, because the values in it are looked at as well.
    fn mark<T: Tree>(&self, value: &T) -> u64 {
        if let Some(mark) = value.mark(&self.hasher) {
            return mark;
        }
        let mut hasher = Marker { hasher: self.hasher.build_hasher(), left: MARKED };
        // An error says that there is more than that.
        _ = value.write(&mut hasher);
        hasher.hasher.finish()
    }

    /// Entries by identity where both sides have it, else by key: first what is gone or changed, in the old
    /// order, then what is new. Of keys that occur again, each is compared with the one that occurs as often
    /// before.
    fn entries<T: Tree>(&self, old: Vec<(Step, T)>, new: Vec<(Step, T)>) -> Vec<Task<T>> {
        let same = identical(&old, &new);
        let taken: HashSet<usize> = same.values().copied().collect();
        let places = numbered(&new).zip(0..).filter(|(_, at)| !taken.contains(at));
        let places: HashMap<(&Step, usize), usize> = places.collect();
        let pairs: Vec<Option<usize>> = (numbered(&old).enumerate())
            .map(|(own, key)| same.get(&own).or_else(|| places.get(&key)).copied())
            .collect();
        let is_new = {
            let mut is_new = vec![true; new.len()];
            for at in pairs.iter().flatten() {
                is_new.get_mut(*at).into_iter().for_each(|own| *own = false);
            }
            is_new
        };
        let found: Vec<usize> = pairs.iter().flatten().copied().collect();
        let is_in_order = found.is_sorted();
        let has_gone = found.len() < old.len();
        let fresh: Vec<(usize, &Step, &T)> = (0..)
            .zip(&new)
            .zip(&is_new)
            .filter(|(_, is_new)| **is_new)
            .map(|((at, (step, value)), _)| (at, step, value))
            .collect();
        let mut renamed = Renamed::new(self, if has_gone { &fresh } else { &[] });
        // Where each old entry is now: at the same key, or at another one.
        let fates: Vec<Option<(usize, bool)>> = (old.iter().zip(&pairs))
            .map(|((_, value), at)| match at {
                Some(at) => Some((*at, false)),
                None => renamed.take(self, value).map(|at| (at, true)),
            })
            .collect();
        let taken = renamed.taken;
        let added: Vec<Task<T>> = (fresh.iter())
            .filter(|(at, ..)| !taken.contains(at))
            .map(|(_, step, value)| {
                Task::Report(Some((*step).clone()), ChangeKind::Added(self.text(*value)))
            })
            .collect();
        let mut new: Vec<Option<(Step, T)>> = new.into_iter().map(Some).collect();
        let (mut tasks, mut moved) = (Vec::with_capacity(old.len()), Vec::new());
        for ((step, old), fate) in old.into_iter().zip(fates) {
            let found = fate.and_then(|(at, is_renamed)| {
                let new = new.get_mut(at).and_then(Option::take);
                debug_assert!(new.is_some(), "an entry has one pair");
                new.map(|new| (new, is_renamed))
            });
            match found {
                Some(((_, new), false)) => tasks.push(Task::pair(step, old, new)),
                Some(((name, new), true)) => {
                    let shown = path::text(std::slice::from_ref(&name)).unwrap_or_default();
                    moved.push(Task::Report(Some(step), ChangeKind::Renamed(shown)));
                    moved.push(Task::Pair { step: name, old, new, is_renamed: true });
                }
                None => {
                    moved.push(Task::Report(Some(step), ChangeKind::Removed(self.text(&old))));
                }
            }
        }
        tasks.extend(moved);
        tasks.extend(added);
        if !is_in_order {
            tasks.push(Task::Report(None, ChangeKind::Reordered));
        }
        tasks
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
struct Renamed {
    /// By identity, and by content where no two have the same.
    by_identity: HashMap<String, usize>,
    by_content: HashMap<u64, Option<usize>>,
    taken: HashSet<usize>,
}

impl Renamed {
    /// Of entries with their positions.
    fn new<T: Tree>(walk: &Walk, fresh: &[(usize, &Step, &T)]) -> Self {
        let mut by_content: HashMap<u64, Option<usize>> = HashMap::new();
        for (at, _, new) in fresh {
            if walk.is_telling(*new) {
                let place = by_content.entry(walk.whole_mark(*new));
                place.and_modify(|place| *place = None).or_insert(Some(*at));
            }
        }
        let by_identity = fresh.iter().filter_map(|(at, _, new)| Some((new.identity()?, *at)));
        Renamed { by_identity: by_identity.collect(), by_content, taken: HashSet::new() }
    }

    /// Finds the new entry that an old one is now.
    fn take<T: Tree>(&mut self, walk: &Walk, old: &T) -> Option<usize> {
        if self.by_identity.is_empty() && self.by_content.is_empty() {
            return None;
        }
        let same = old.identity().and_then(|own| self.by_identity.get(&own).copied());
        let same = same.or_else(|| *self.by_content.get(&walk.whole_mark(old))?);
        same.filter(|at| self.taken.insert(*at))
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
