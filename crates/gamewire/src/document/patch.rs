//! Changes in the bytes of a file of which only what they are about is made: values are found in the
//! bytes, these are replaced, and the counts around them mended.

use std::collections::{BTreeMap, HashSet};
use std::ops::{Bound, Range};

use gamewire_core::Segment;
use gamewire_core::wanted::Wanted;

use super::codec::Codec;
use super::edit::{Edit, Editor, Touch};
use super::focus::Look;
use super::node::{Item as _, Turn, Way};

/// A format whose values stand in the bytes one after another.
pub(super) trait InPlace: Codec {
    /// Reads the bytes again, and tells the tracer where values are.
    fn trace(&self, bytes: &[u8], content: &Self::Content, tracer: &mut Tracer) -> Option<()>;

    /// Whether the bytes of a value have none of others that could be told.
    fn is_leaf(&self, item: &Self::Item) -> bool;

    /// The kind of a value, where its bytes do not say it.
    fn kind_of(&self, item: &Self::Item) -> u8;

    /// The bytes of a value.
    fn bytes_of(&self, content: &Self::Content, item: &Self::Item) -> Option<Vec<u8>>;

    /// Whether bytes are those that their value is written as.
    fn is_canonical(&self, content: &Self::Content, bytes: &[u8], kind: u8) -> bool;

    /// The new entry at a position of a container; with its key, if it has one.
    fn added(
        &self,
        content: &Self::Content,
        container: &Self::Item,
        at: usize,
        key: Option<Self::Item>,
    ) -> Option<Added>;

    /// The changes that make entries go and come.
    fn mended(
        &self,
        bytes: &[u8],
        spot: &Spot,
        gone: &Gone,
        added: Option<&Added>,
    ) -> Option<Vec<Patch>>;
}

/// Positions of entries that go.
pub(super) type Gone = HashSet<usize>;

/// A new entry: before which it comes, and its bytes.
pub(super) struct Added {
    pub(super) at: usize,
    pub(super) bytes: Vec<u8>,
}

/// Bytes in the place of others.
pub(super) struct Patch {
    pub(super) range: Range<usize>,
    pub(super) bytes: Vec<u8>,
}

/// Where a value stands that is on the way to a change.
#[derive(Default)]
pub(super) struct Spot {
    pub(super) at: usize,
    end: usize,
    /// Where the first key or value in it begins.
    pub(super) first: usize,
    /// How many values are in it; and of a container whose entries change, where they end.
    pub(super) count: usize,
    pub(super) ends: Vec<usize>,
    kind: u8,
    is_listed: bool,
}

impl Spot {
    /// The kind, as [`InPlace::kind_of`] has it.
    pub(super) fn kind(&self) -> u8 {
        self.kind
    }

    /// The bytes of an entry, of which the first begins at `first`.
    pub(super) fn entry(&self, first: usize, at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(1).map_or(Some(&first), |before| self.ends.get(before))?;
        Some(*start..*self.ends.get(at)?)
    }

    /// The changes of a container whose entries are one after another, under a head that counts them.
    pub(super) fn rearranged(
        &self,
        head: Patch,
        gone: &Gone,
        added: Option<&Added>,
    ) -> Option<Vec<Patch>> {
        let mut patches = vec![head];
        for at in gone {
            patches.push(Patch { range: self.entry(self.first, *at)?, bytes: Vec::new() });
        }
        if let Some(added) = added {
            let before = added.at.checked_sub(1);
            let start = *before.map_or(Some(&self.first), |before| self.ends.get(before))?;
            patches.push(Patch { range: start..start, bytes: added.bytes.clone() });
        }
        Some(patches)
    }

    /// The number of entries after the change.
    pub(super) fn len_after(&self, gone: &Gone, added: Option<&Added>) -> Option<usize> {
        (self.count + usize::from(added.is_some())).checked_sub(gone.len())
    }
}

/// What is changed of the bytes of a value.
struct Replaced {
    /// The number of values in each container on the way.
    lens: Vec<usize>,
    kind: u8,
    by: Replacement,
}

enum Replacement {
    Value(Vec<u8>),
    Entries(Gone, Option<Added>),
}

/// Follows the ways of changes through the bytes.
#[derive(Default)]
pub(super) struct Tracer {
    changes: BTreeMap<Way, Replaced>,
    /// What is added to offsets.
    base: usize,
    way: Way,
    open: Vec<Spot>,
    found: BTreeMap<Way, Spot>,
    /// Lengths of four bytes, and the bytes that each counts.
    lengths: Vec<(Range<usize>, Range<usize>, Framed)>,
}

/// How a length is written.
pub(super) type Framed = fn(u32) -> [u8; 4];

impl Tracer {
    /// Reads the value at an offset, on whose way the tracer is.
    pub(super) fn value(
        &mut self,
        at: usize,
        len: usize,
        read: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        (self.base, self.open) = (at, vec![self.spot(at)]);
        read(self)?;
        let spot = self.open.pop()?;
        self.found.insert(self.way.clone(), Spot { end: at.checked_add(len)?, ..spot });
        Some(())
    }

    /// The same for one of a row, if there is something to change in it; with its length before it.
    pub(super) fn value_of_row(
        &mut self,
        (index, length): (Option<usize>, Framed),
        at: usize,
        len: usize,
        read: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.way = index.map(Turn::Child).into_iter().collect();
        self.found.entry(Way::new()).or_default().count += usize::from(index.is_some());
        if !self.leads_on() {
            return Some(());
        }
        self.lengths.push((at.checked_sub(4)?..at, at..at.checked_add(len)?, length));
        self.value(at, len, read)
    }

    fn spot(&self, at: usize) -> Spot {
        let change = self.changes.get(&self.way);
        let kind = change.map_or(0, |change| change.kind);
        let is_listed = change.is_some_and(|change| matches!(change.by, Replacement::Entries(..)));
        Spot { at, kind, is_listed, ..Spot::default() }
    }

    fn leads_on(&self) -> bool {
        let from = (Bound::Included(self.way.as_slice()), Bound::Unbounded);
        let next = self.changes.range::<[Turn], _>(from).next();
        next.is_some_and(|(way, _)| way.starts_with(&self.way))
    }

    fn ended(&mut self, end: usize) {
        if let Some(spot) = self.open.last_mut() {
            spot.count += 1;
            if spot.is_listed {
                spot.ends.push(end);
            }
        }
    }

    /// The changes, in order; what is inside of a value that is replaced goes with it.
    fn patches<C: InPlace>(
        self,
        codec: &C,
        content: &C::Content,
        bytes: &[u8],
    ) -> Option<Vec<Patch>> {
        let (mut patches, mut around): (_, Option<Way>) = (Vec::new(), None);
        for (way, change) in self.changes {
            if around.as_ref().is_some_and(|around| way.starts_with(around)) {
                continue;
            }
            // The positions are those of the bytes: no value was left out or put elsewhere.
            let count = |depth: usize| Some(self.found.get(way.get(..depth)?)?.count);
            if !change.lens.iter().enumerate().all(|(depth, len)| count(depth) == Some(*len)) {
                return None;
            }
            let spot = self.found.get(&way)?;
            match change.by {
                Replacement::Value(new) => {
                    let range = spot.at..spot.end;
                    let old = bytes.get(range.clone())?;
                    // What would be written otherwise is for who reads all of the file.
                    if old != new && !codec.is_canonical(content, old, change.kind) {
                        return None;
                    }
                    patches.push(Patch { range, bytes: new });
                    around = Some(way);
                }
                Replacement::Entries(gone, added) => {
                    patches.extend(codec.mended(bytes, spot, &gone, added.as_ref())?);
                }
            }
        }
        // What comes, before what is replaced; of that, the outer one first.
        let order = |patch: &Patch| {
            let Range { start, end } = patch.range;
            (start, end > start, std::cmp::Reverse(end))
        };
        patches.sort_by_key(order);
        let mut done = 0;
        patches.retain(|patch| {
            let is_own = patch.range.start >= done;
            done = done.max(patch.range.end);
            is_own
        });
        for (word, range, length) in self.lengths {
            let own = patches.iter().filter(|patch| {
                range.contains(&patch.range.start) || range.end == patch.range.start
            });
            let (gone, come) = own.fold((0, 0), |(gone, come), patch| {
                (gone + patch.range.len(), come + patch.bytes.len())
            });
            let len = u32::try_from((range.len() + come).checked_sub(gone)?).ok()?;
            patches.push(Patch { range: word, bytes: length(len).to_vec() });
        }
        patches.sort_by_key(order);
        Some(patches)
    }
}

impl Wanted for Tracer {
    fn enter(&mut self, step: Segment, at: usize) -> bool {
        let at = self.base + at;
        let Some(spot) = self.open.last_mut() else { return false };
        if spot.count == 0 && spot.first == 0 {
            spot.first = at;
        }
        let turn = match step {
            Segment::KeyOf(index) => Turn::Key(index),
            _ => Turn::Child(spot.count),
        };
        self.way.push(turn);
        let is_wanted = self.leads_on() || matches!(step, Segment::KeyOf(_));
        match is_wanted {
            true => self.open.push(self.spot(at)),
            false => _ = self.way.pop(),
        }
        is_wanted
    }

    fn leave(&mut self, end: usize) {
        let end = self.base + end;
        let Some(spot) = self.open.pop() else { return };
        if !matches!(self.way.last(), Some(Turn::Key(_))) {
            self.found.insert(self.way.clone(), Spot { end, ..spot });
            self.ended(end);
        }
        self.way.pop();
    }

    fn passed(&mut self, end: usize) {
        self.ended(self.base + end);
    }
}

/// Makes changes of one kind; `None` where the whole file has to be read for them.
pub(super) fn edit<C: InPlace>(codec: &C, bytes: &[u8], edits: &[Edit<'_>]) -> Option<Vec<u8>> {
    let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
    let content = codec.read_part(bytes, Look::Paths(&paths))?;
    let mut editor = Editor::new(codec, content);
    editor.apply(edits).ok()?;
    let (mut content, touched) = (editor.content, editor.touched);
    let mut root = codec.take(&mut content);
    let mut tracer = Tracer::default();
    for (way, touch) in touched {
        let (way, change) = change(codec, &content, &mut root, way, touch)?;
        tracer.changes.insert(way, change);
    }
    drop(root);
    codec.trace(bytes, &content, &mut tracer)?;
    let patches = tracer.patches(codec, &content, bytes)?;
    let mut made = Vec::with_capacity(bytes.len() + 256);
    let mut done = 0;
    for patch in patches {
        made.extend_from_slice(bytes.get(done..patch.range.start)?);
        made.extend_from_slice(&patch.bytes);
        done = patch.range.end;
    }
    made.extend_from_slice(bytes.get(done..)?);
    // It has to be a file still.
    codec.read_part(&made, Look::Paths(&[]))?;
    Some(made)
}

/// What of the bytes changes where a value was changed, by the way as far as the bytes have values.
fn change<C: InPlace>(
    codec: &C,
    content: &C::Content,
    root: &mut C::Item,
    mut way: Way,
    touch: Touch<C::Item>,
) -> Option<(Way, Replaced)> {
    let (mut lens, mut taken) = (Vec::new(), Vec::new());
    for turn in &way {
        let around = taken.last_mut().unwrap_or(&mut *root);
        if codec.is_leaf(around) {
            break;
        }
        lens.push(around.len());
        let part = around.take(*turn).filter(|_| matches!(turn, Turn::Child(_)))?;
        taken.push(part);
    }
    let is_whole = taken.len() < way.len();
    way.truncate(taken.len());
    let item = taken.last_mut().unwrap_or(&mut *root);
    let (kind, len) = (codec.kind_of(item), item.len());
    let by = match touch {
        Touch::New(at, key) if !is_whole && !codec.is_leaf(item) && len > 1 => {
            lens.push(len - 1);
            Replacement::Entries(Gone::new(), Some(codec.added(content, item, at, key)?))
        }
        Touch::Gone(gone) if !is_whole && !codec.is_leaf(item) && len > 0 => {
            lens.push(len + gone.len());
            Replacement::Entries(gone, None)
        }
        _ => Replacement::Value(codec.bytes_of(content, item)?),
    };
    while let Some(part) = taken.pop() {
        let turn = way.get(taken.len())?;
        taken.last_mut().unwrap_or(&mut *root).put(*turn, part).ok()?;
    }
    Some((way, Replaced { lens, kind, by }))
}
