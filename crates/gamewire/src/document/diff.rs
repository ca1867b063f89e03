//! Comparing two trees, of any format, in time proportional to their size.

mod page;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::ops::Range;

pub use self::page::page;
use crate::document::align::{Aligned, align};
use crate::document::path::{self, PathSet, Step};
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

    /// The number of elements of a list.
    fn len(&self) -> Option<usize> {
        None
    }

    /// The elements at some positions of such a list.
    fn elements(&self, range: Range<usize>) -> Vec<Self> {
        let _ = range;
        Vec::new()
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
    fn same_bytes(&self, other: &Self, memo: &Memo) -> bool {
        let _ = (other, memo);
        false
    }

    /// The children that differ from those of another container; `None` where all have to be looked at. With
    /// `is_in_step`, those at one position are compared.
    fn hunks(&self, other: &Self, memo: &Memo, is_in_step: bool) -> Option<Hunks<Self, 2>> {
        let _ = (other, memo, is_in_step);
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

/// Children of `N` containers, between others that are the same in all.
pub(crate) struct Hunk<T, const N: usize> {
    /// The position of the first one.
    pub(crate) at: [usize; N],
    pub(crate) children: [Vec<(Step, T)>; N],
}

/// All of them, in order.
pub(crate) struct Hunks<T, const N: usize> {
    pub(crate) is_list: bool,
    pub(crate) hunks: Vec<Hunk<T, N>>,
}

impl<T, const N: usize> Hunk<T, N> {
    /// Whether there are as many in all.
    pub(crate) fn is_even(&self) -> bool {
        let [first, others @ ..] = self.children.as_slice() else { return true };
        others.iter().all(|other| other.len() == first.len())
    }
}

impl<T, const N: usize> Hunks<T, N> {
    /// All children of containers of one sort.
    pub(crate) fn whole(all: [Children<T>; N]) -> Option<Self> {
        let is_list = all.iter().all(|own| matches!(own, Children::Items(_)));
        let has_keys = all.iter().all(|own| matches!(own, Children::Entries(_)));
        let hunk = || Hunk { at: [0; N], children: all.map(Children::entries) };
        (is_list || has_keys).then(|| Hunks { is_list, hunks: vec![hunk()] })
    }

    /// How many there are of each container.
    pub(crate) fn lens(&self) -> [usize; N] {
        let mut lens = [0; N];
        for hunk in &self.hunks {
            lens.iter_mut().zip(&hunk.children).for_each(|(len, all)| *len += all.len());
        }
        lens
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
    /// Where in the newer document, which may have the same at other positions.
    pub newer: String,
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
        newer: Vec::new(),
        changes: Vec::new(),
        most,
    };
    // Without recursion: files nest as deep as they like.
    let mut todo = walk.pair(old, new, false);
    todo.reverse();
    while let Some(task) = todo.pop() {
        match task {
            Task::Pair { steps: [step, newer], old, new, is_renamed } => {
                walk.path.push(step);
                walk.newer.push(newer);
                todo.push(Task::Leave);
                todo.extend(walk.pair(&old, &new, is_renamed).into_iter().rev());
            }
            Task::Report(None, what) => walk.report(what),
            Task::Report(Some([step, newer]), what) => {
                walk.path.push(step);
                walk.newer.push(newer);
                todo.push(Task::Leave);
                walk.report(what);
            }
            Task::Leave => _ = (walk.path.pop(), walk.newer.pop()),
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
    let path_set = PathSet::new(paths.iter().enumerate().map(|(at, path)| (*path, at)));
    // The root has no name.
    let mut todo = led_to(root, &[], &path_set);
    while let Some((path, node, path_set)) = todo.pop() {
        path_set.ended().for_each(|own| found(own, &path, &node));
        todo.extend(led_to(&node, &path, &path_set));
    }
}

/// The children to which paths lead, the last first, with the rests of the paths.
fn led_to<'p, T: Tree>(
    node: &T,
    path: &[Step],
    path_set: &PathSet<'p>,
) -> Vec<(Vec<Step>, T, PathSet<'p>)> {
    let children = if path_set.go_on() { node.children() } else { Children::None };
    let led_to = children.entries().into_iter().rev().filter_map(|(step, child)| {
        let path_set = Some(path_set.after(&step)).filter(|path_set| !path_set.is_empty())?;
        Some((path.iter().cloned().chain([step]).collect(), child, path_set))
    });
    led_to.collect()
}

struct Walk {
    hasher: RandomState,
    memo: Memo,
    path: Vec<Step>,
    newer: Vec<Step>,
    changes: Vec<Change>,
    most: usize,
}

/// The steps that are left, in the order of the changes.
enum Task<T> {
    /// Compares the values at a step of each.
    Pair {
        steps: [Step; 2],
        old: T,
        new: T,
        /// Whether the name of the value, which was renamed, is not compared.
        is_renamed: bool,
    },
    /// Reports a change of the value, or of what is at a step.
    Report(Option<[Step; 2]>, ChangeKind),
    /// Leaves the value that was gone into last.
    Leave,
}

impl<T> Task<T> {
    fn pair(steps: [Step; 2], old: T, new: T) -> Self {
        Task::Pair { steps, old, new, is_renamed: false }
    }
}

impl Walk {
    fn report(&mut self, what: ChangeKind) {
        let [path, newer] = [&self.path, &self.newer].map(|own| path::shown(own));
        self.changes.push(Change { path, what, about: None, newer });
    }

    fn text<T: Tree>(&self, value: &T) -> String {
        text(value, self.most)
    }

    /// Compares two values; what is in them is left to do.
    fn pair<T: Tree>(&self, old: &T, new: &T, is_renamed: bool) -> Vec<Task<T>> {
        if old.same_bytes(new, &self.memo) || (old.is_flat() && new.is_flat() && old.same(new)) {
            return Vec::new();
        }
        let (was, is) = (old.full_kind(), new.full_kind());
        let mut tasks = Vec::new();
        let retyped = |was: String, is: String| Task::Report(None, ChangeKind::Retyped(was, is));
        if was != is {
            tasks.push(retyped(was.clone(), is.clone()));
        }
        let hunks = old.hunks(new, &self.memo, false);
        match hunks.or_else(|| Hunks::whole([old.children(), new.children()])) {
            Some(hunks) if hunks.is_list => tasks.extend(self.items(old, new, hunks)),
            Some(mut hunks) => {
                for hunk in hunks.hunks.iter_mut().filter(|_| is_renamed) {
                    let [was, is] = &mut hunk.children;
                    was.retain(|(step, _)| !old.is_name(step));
                    is.retain(|(step, _)| !new.is_name(step));
                }
                tasks.extend(self.entries(hunks));
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

    /// Elements of lists of one length by position, as they stand; of others, those that were added and removed
    /// apart. Positions are those of the old list, except of what is new.
    fn items<T: Tree>(&self, old: &T, new: &T, mut hunks: Hunks<T, 2>) -> Vec<Task<T>> {
        let [len, new_len] = hunks.lens();
        let is_in_step = len == new_len;
        if is_in_step && !hunks.hunks.iter().all(Hunk::is_even) {
            hunks = old.hunks(new, &self.memo, true).unwrap_or(hunks);
        }
        hunks.hunks.into_iter().flat_map(|hunk| self.hunk(hunk, is_in_step)).collect()
    }

    fn hunk<T: Tree>(&self, hunk: Hunk<T, 2>, is_in_step: bool) -> Vec<Task<T>> {
        let Hunk { at: [front, new_front], children: [old, new] } = hunk;
        let marks =
            |items: &[(Step, T)]| items.iter().map(|(_, own)| self.mark(own)).collect::<Vec<_>>();
        let steps = match is_in_step {
            true => (0..old.len()).map(|at| Aligned::Pair(at, at)).collect(),
            false => align(&marks(&old), &marks(&new)),
        };
        let [mut old, mut new] =
            [old, new].map(|all| all.into_iter().map(|(_, own)| Some(own)).collect::<Vec<_>>());
        let take = |all: &mut Vec<Option<T>>, at: usize| {
            let own = all.get_mut(at).and_then(Option::take);
            debug_assert!(own.is_some(), "an element is aligned once");
            own
        };
        let task = |step| {
            let (at, what) = match step {
                Aligned::Pair(at, new_at) => {
                    let (old, new) = take(&mut old, at).zip(take(&mut new, new_at))?;
                    let steps = [Step::Index(front + at), Step::Index(new_front + new_at)];
                    return Some(Task::pair(steps, old, new));
                }
                Aligned::Removed(at) => {
                    let gone = ChangeKind::Removed(self.text(&take(&mut old, at)?));
                    (front + at, gone)
                }
                Aligned::Added(at) => {
                    let added = ChangeKind::Added(self.text(&take(&mut new, at)?));
                    (new_front + at, added)
                }
            };
            Some(Task::Report(Some([Step::Index(at), Step::Index(at)]), what))
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
    fn entries<T: Tree>(&self, hunks: Hunks<T, 2>) -> Vec<Task<T>> {
        let [mut old, mut new] = [Vec::new(), Vec::new()];
        let mut ends = Vec::new();
        for Hunk { children: [was, is], .. } in hunks.hunks {
            old.extend(was);
            new.extend(is);
            ends.push((old.len(), new.len()));
        }
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
        // Between hunks, there are others that did not move.
        let is_in_hunk = |(own, at): (usize, &Option<usize>)| {
            let hunk = ends.partition_point(|(end, _)| *end <= own);
            at.is_none_or(|at| hunk == ends.partition_point(|(_, end)| *end <= at))
        };
        let is_in_order = found.is_sorted() && pairs.iter().enumerate().all(is_in_hunk);
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
                let steps = [(*step).clone(), (*step).clone()];
                Task::Report(Some(steps), ChangeKind::Added(self.text(*value)))
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
                Some(((name, new), false)) => tasks.push(Task::pair([step, name], old, new)),
                Some(((name, new), true)) => {
                    let shown = path::text(std::slice::from_ref(&name)).unwrap_or_default();
                    moved
                        .push(Task::Report(Some([step, name.clone()]), ChangeKind::Renamed(shown)));
                    let steps = [name.clone(), name];
                    moved.push(Task::Pair { steps, old, new, is_renamed: true });
                }
                None => {
                    let steps = [step.clone(), step];
                    moved.push(Task::Report(Some(steps), ChangeKind::Removed(self.text(&old))));
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
