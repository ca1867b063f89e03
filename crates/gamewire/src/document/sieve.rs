//! The values of a file by the hashes of their bytes, without making them.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use gamewire_core::Segment;

/// Positions of values in those around them, from the root on.
pub(super) type Way = Vec<usize>;

/// The bytes in which offsets are.
#[derive(Clone, Copy)]
pub(super) struct Ground<'b> {
    pub(super) bytes: &'b [u8],
    /// How many bytes at the beginning of a container say what its values are; no length is among them.
    pub(super) head: usize,
    /// Whether the offsets count bits.
    pub(super) has_bits: bool,
    /// Names of members that are made whole, as the paths to others are shown with them.
    pub(super) telling: &'b [&'b str],
}

impl Ground<'_> {
    fn bits(&self, at: usize) -> usize {
        if self.has_bits { at } else { at.saturating_mul(8) }
    }

    /// Hashes the bytes from an offset on, and the bits before another one.
    fn hash(&self, start: usize, end: usize, hasher: &mut DefaultHasher) {
        let (start, end) = (self.bits(start), self.bits(end));
        let (from, to) = (start >> 3, end >> 3);
        hasher.write_usize(start & 7);
        hasher.write(self.bytes.get(from..to).unwrap_or_default());
        let last = self.bytes.get(to).copied().unwrap_or_default();
        hasher.write_u8(last & !(0xff_u8 << (end & 7)));
    }
}

/// Goes through a file, and lists what is in the values that are looked at.
#[derive(Default)]
pub(super) struct Sieve {
    hasher: RandomState,
    short: usize,
    /// Values that are gone into, and that are made whole.
    pub(super) opened: BTreeSet<Way>,
    pub(super) whole: BTreeSet<Way>,
    /// Of those that are gone into, the ones whose values are listed: none when all is known.
    pub(super) lists: BTreeMap<Way, List>,
    pub(super) is_row: bool,
    way: Way,
    levels: Vec<Level>,
    /// Values around the next one, from the outermost that is made whole.
    inside: usize,
}

/// A value that was gone into: where it begins, where the last value in it ends, and how many there were.
#[derive(Default)]
struct Level {
    at: usize,
    end: usize,
    count: usize,
}

/// The values in one.
#[derive(Default)]
pub(super) struct List {
    /// How the container begins, and the keys in it.
    shape: DefaultHasher,
    marks: Vec<u64>,
    long: BTreeSet<usize>,
    is_over: bool,
}

impl Sieve {
    /// Lists the values of the root first. What differs and has no more than `short` bytes is not gone into.
    pub(super) fn new(short: usize) -> Self {
        let lists = BTreeMap::from([(Way::new(), List::default())]);
        Sieve { short, lists, ..Sieve::default() }
    }

    /// Begins at the first value of a row, or goes on with the next one.
    pub(super) fn start(&mut self, at: usize) {
        self.is_row = at > 0;
        self.lists.values_mut().for_each(|list| *list = List::default());
        self.way.clear();
        self.levels = vec![Level::default()];
        self.inside = 0;
    }

    pub(super) fn enter(&mut self, step: &Segment, at: usize, ground: Ground<'_>) -> bool {
        let Some(level) = self.levels.last_mut().filter(|_| self.inside == 0) else {
            self.inside += 1;
            return true;
        };
        if let Segment::KeyOf(_) = step {
            self.inside = 1;
            return true;
        }
        self.way.push(level.count);
        level.count += 1;
        let is_whole = match step {
            Segment::Base => true,
            Segment::Field(name) if ground.telling.contains(&name.as_str()) => {
                self.lists.is_empty()
            }
            _ => self.whole.contains(&self.way),
        };
        if !is_whole && self.opened.contains(&self.way) {
            self.levels.push(Level { at, end: at, count: 0 });
            return true;
        }
        self.way.pop();
        if is_whole {
            self.inside = 1;
            return true;
        }
        let Some(list) = self.lists.get_mut(&self.way) else { return false };
        if level.count == 1 {
            let start = if ground.has_bits { level.at.next_multiple_of(8) } else { level.at };
            let head = ground.head.saturating_mul(if ground.has_bits { 8 } else { 1 });
            ground.hash(start, at.min(start.saturating_add(head)), &mut list.shape);
        }
        match step {
            Segment::Index(_) => {}
            Segment::Field(name) | Segment::Key(name) => list.shape.write(name.as_bytes()),
            other => list.shape.write(other.to_string().as_bytes()),
        }
        list.shape.write_u8(0xff);
        false
    }

    pub(super) fn leave(&mut self, end: usize) {
        match self.inside.checked_sub(1) {
            Some(left) => self.inside = left,
            None => {
                self.levels.pop();
                self.way.pop();
            }
        }
        if let (Some(level), 0) = (self.levels.last_mut(), self.inside) {
            level.end = level.end.max(end);
        }
    }

    pub(super) fn passed(&mut self, end: usize, ground: Ground<'_>) {
        let Some(level) = self.levels.last_mut() else { return };
        let start = std::mem::replace(&mut level.end, end);
        let Some(list) = self.lists.get_mut(&self.way) else { return };
        // The marks of tiny values would take more than the file.
        list.is_over |= list.marks.len() > ground.bytes.len() >> 2;
        if list.is_over {
            return;
        }
        if ground.bits(end).saturating_sub(ground.bits(start)) >> 3 > self.short {
            list.long.insert(list.marks.len());
        }
        let mut hasher = self.hasher.build_hasher();
        ground.hash(start, end, &mut hasher);
        list.marks.push(hasher.finish());
    }

    /// Takes what differs in a value from the lists of both files; false where it has to be made whole.
    pub(super) fn compare(&mut self, way: &Way, old: &List, new: &List) -> bool {
        let is_same = old.shape.finish() == new.shape.finish();
        if !is_same
            || old.is_over
            || new.is_over
            || old.marks.len() != new.marks.len()
            || old.marks.is_empty()
        {
            return false;
        }
        let pairs = old.marks.iter().zip(&new.marks).enumerate();
        let differ: Vec<usize> =
            pairs.filter(|(_, (old, new))| old != new).map(|(at, _)| at).collect();
        // The ways to many of them would take more than they.
        if differ.len() > 64 && differ.len() > old.marks.len() >> 3 {
            return false;
        }
        for at in differ {
            let inner = way.iter().copied().chain([at]).collect();
            match old.long.contains(&at) && new.long.contains(&at) {
                true => {
                    self.lists.insert(Way::clone(&inner), List::default());
                    self.opened.insert(inner)
                }
                false => self.whole.insert(inner),
            };
        }
        true
    }
}
