//! Changes by places. Containers on the way to a change are written anew, from the outermost in; what is not
//! touched is copied as it stands.

use std::cmp::Reverse;
use std::ops::Range;

use super::bits::{Memo, Out};
use super::grammar::{Around, Extent, Grammar, Key, NewKey, Open, Place, Stays};
use super::index::{Body, List, Listed, RangeNode};
use super::patch::{Stretch, Told};
use crate::document::error::Error;

/// New bytes for a value.
pub(in crate::document) enum Piece<'a, G: Grammar> {
    /// Bytes that were made, how many steps of them count, and how they are read.
    Bytes { bytes: Vec<u8>, len: usize, context: G::Context<'a> },
    /// A value of this body or of another one of the same format and options.
    Of(RangeNode<'a, G>),
}

impl<'a, G: Grammar> Piece<'a, G> {
    /// A piece of whole bytes.
    pub(in crate::document) fn new(bytes: Vec<u8>, context: G::Context<'a>) -> Self {
        let len = bytes.len() * 8 / G::UNIT;
        Piece::Bytes { bytes, len, context }
    }

    pub(in crate::document) fn context(&self) -> G::Context<'a> {
        match self {
            Piece::Bytes { context, .. } => *context,
            Piece::Of(node) => node.context(),
        }
    }
}

impl<G: Grammar> Clone for Piece<'_, G> {
    fn clone(&self) -> Self {
        match self {
            Piece::Bytes { bytes, len, context } => {
                Piece::Bytes { bytes: bytes.clone(), len: *len, context: *context }
            }
            Piece::Of(node) => Piece::Of(*node),
        }
    }
}

/// A change of a value.
pub(in crate::document) enum Change<'a, G: Grammar> {
    Value(Piece<'a, G>),
    /// The children that there are now, in order.
    Children(Vec<Source<'a, G>>),
}

/// Children of a container that changes.
pub(in crate::document) enum Source<'a, G: Grammar> {
    /// Children that it has, as they are.
    Keep(Range<usize>),
    /// A child that it has, changed.
    Own(usize, Change<'a, G>),
    New(NewKey, Piece<'a, G>),
}

/// Returns the whole body with a change of its root, and what the writer tells of it.
pub(in crate::document) fn rewrite<'a, G: Grammar>(
    root: RangeNode<'a, G>,
    change: Change<'a, G>,
) -> Result<(Vec<u8>, Told<'a, G>), Error> {
    let (bytes, range) = (root.all_bytes(), root.bits());
    let out = Out::with_capacity(bytes.len() + 256);
    let told = Told::of(&root);
    let mut writer = Writer { out, levels: Vec::new(), memo: None, told };
    writer.copy(root.body, 0..range.start);
    writer.value(root, Some(change))?;
    while writer.step()? {}
    // The bits behind begin at a byte; the rest of the last one stays where nothing before it moved.
    if writer.out.at() & 7 == range.end & 7 {
        writer.out.copy(bytes, range.end..range.end.next_multiple_of(8));
    }
    writer.out.align();
    writer.copy(root.body, range.end.next_multiple_of(8)..bytes.len() * 8);
    Ok((writer.out.bytes, writer.told))
}

/// Returns the bytes of one value with a change.
pub(in crate::document) fn rewrite_value<'a, G: Grammar>(
    node: RangeNode<'a, G>,
    change: Change<'a, G>,
) -> Result<Vec<u8>, Error> {
    let (out, told) = (Out::default(), Told::default());
    let mut writer = Writer { out, levels: Vec::new(), memo: None, told };
    writer.value(node, Some(change))?;
    while writer.step()? {}
    Ok(writer.out.bytes)
}

/// Writes changed containers with a stack of its own.
struct Writer<'a, G: Grammar> {
    out: Out,
    levels: Vec<Level<'a, G>>,
    /// The body of the last new value in the place of an old one, and what is known of the two.
    memo: Option<(&'a Body, Memo)>,
    told: Told<'a, G>,
}

/// An old child by its position, and its change.
type Delayed<'a, G> = (usize, Listed<'a, G>, Option<Change<'a, G>>);

/// A container that is being written.
struct Level<'a, G: Grammar> {
    node: RangeNode<'a, G>,
    /// Where it begins in the output.
    start: usize,
    open: Open<G::State<'a>>,
    sources: std::vec::IntoIter<Source<'a, G>>,
    /// New children that are still to come where keys have an order, the last one first.
    new: Vec<(usize, NewKey, Piece<'a, G>)>,
    /// A child before which a new one is written.
    delayed: Option<Delayed<'a, G>>,
    /// The rest of the last [`Source::Keep`].
    keep: Range<usize>,
    own: OldChildren<'a, G>,
    /// Children that are copied at once, and the old and new position of the first one.
    run: Range<usize>,
    first: [usize; 2],
    /// The key of the last child that was written.
    prev: Option<WrittenKey<'a>>,
    /// Where that child ends in the old bytes, if it is not new.
    after: Option<usize>,
    /// The old child that what stands before it still fits.
    follows: Option<usize>,
    /// How many children were written.
    count: usize,
    /// The context of new elements, where old ones stay.
    element: Option<G::Context<'a>>,
    /// Whether a child is being written.
    is_waiting: bool,
}

enum WrittenKey<'a> {
    Old(Key<'a>),
    New(NewKey),
}

impl WrittenKey<'_> {
    fn as_key(&self) -> Key<'_> {
        match self {
            WrittenKey::Old(key) => *key,
            WrittenKey::New(key) => key.as_key(),
        }
    }
}

/// The old children: one after another, or all where their order changes.
enum OldChildren<'a, G: Grammar> {
    InOrder { list: List<'a, G>, next: usize },
    All(Vec<Listed<'a, G>>),
}

impl<'a, G: Grammar> OldChildren<'a, G> {
    fn get(&mut self, at: usize) -> Option<Listed<'a, G>> {
        match self {
            OldChildren::InOrder { list, next } => {
                let skip = at.checked_sub(*next)?;
                *next = at + 1;
                list.nth(skip)
            }
            OldChildren::All(all) => all.get(at).copied(),
        }
    }

    /// The last of all children.
    fn last(self) -> Option<Listed<'a, G>> {
        match self {
            OldChildren::InOrder { list, .. } => list.container().list().last(),
            OldChildren::All(all) => all.last().copied(),
        }
    }
}

/// Whether old children are in their order.
fn is_in_order<G: Grammar>(sources: &[Source<'_, G>]) -> bool {
    let mut next = 0;
    sources.iter().all(|source| {
        let range = match source {
            Source::Keep(range) => range.clone(),
            Source::Own(at, _) => *at..*at + 1,
            Source::New(..) => return true,
        };
        let is_next = range.start >= next || range.is_empty();
        next = next.max(range.end);
        is_next
    })
}

/// Returns the error of a child that is written in no container, which only a fault of the writer can cause.
fn no_container() -> Error {
    debug_assert!(false, "children are written in containers");
    Error::new("a child stands in no container")
}

/// A new number of children, and the context that all have now if no old one is left.
type HeadChange<C> = Option<(usize, Option<C>)>;

/// Returns what changes in the head of a container, and the context of new elements where old ones stay.
fn head_change<'a, G: Grammar>(
    open: &Open<G::State<'a>>,
    sources: &[Source<'a, G>],
) -> (HeadChange<G::Context<'a>>, Option<G::Context<'a>>) {
    let (mut stays, mut new, mut element) = (0, 0, None);
    for source in sources {
        match source {
            Source::Keep(range) => {
                let end = open.len.map_or(range.end, |len| range.end.min(len));
                stays += end.saturating_sub(range.start);
            }
            Source::Own(_, Change::Value(piece)) | Source::New(_, piece) => {
                (new, element) = (new + 1, element.or(Some(piece.context())));
            }
            Source::Own(..) => stays += 1,
        }
    }
    let element = element.filter(|_| open.is_typed);
    let retyped = element.filter(|_| stays == 0);
    let is_changed = |len: &usize| *len != stays + new || retyped.is_some();
    let change = open.len.filter(is_changed).map(|_| (stays + new, retyped));
    (change, element.filter(|_| stays > 0))
}

impl<'a, G: Grammar> Writer<'a, G> {
    /// Copies bits of a body.
    fn copy(&mut self, body: &'a Body, bits: Range<usize>) {
        self.told.copied(body, &bits, self.out.at());
        self.out.copy(&body.bytes, bits);
    }

    /// Writes a value, or opens the level that writes it.
    fn value(
        &mut self,
        node: RangeNode<'a, G>,
        change: Option<Change<'a, G>>,
    ) -> Result<(), Error> {
        let range = node.bits();
        match change {
            Some(Change::Value(piece)) => self.piece(piece, Some(node)),
            Some(Change::Children(sources)) => self.enter(node, sources),
            None if self.out.at() & 7 == range.start & 7 => {
                if !self.told.is_of(node.body) {
                    let (start, depth) = (self.out.at() / G::UNIT, self.levels.len());
                    let end = start + range.len() / G::UNIT;
                    self.told.made(Extent { start, end, context: node.context() }, depth);
                    self.out.copy(node.all_bytes(), range);
                    return Ok(());
                }
                self.copy(node.body, range);
                Ok(())
            }
            // It only comes to stand elsewhere.
            None if node.open().is_some() => self.enter(node, vec![Source::Keep(0..usize::MAX)]),
            None => self.moved(node.grammar, node.all_bytes(), node.extent),
        }
    }

    fn moved(
        &mut self,
        grammar: &'a G,
        bytes: &[u8],
        extent: Extent<G::Context<'a>>,
    ) -> Result<(), Error> {
        grammar.mend(&mut self.out, Around::Moved { bytes, extent })
    }

    /// Writes a new value, in the place of `old` if there was one.
    fn piece(&mut self, piece: Piece<'a, G>, old: Option<RangeNode<'a, G>>) -> Result<(), Error> {
        if G::HAS_LAYOUT {
            return self.laid_out(piece, old);
        }
        match piece {
            Piece::Of(node) => self.value(node, None),
            Piece::Bytes { bytes, len, context } => {
                if self.out.at() & 7 == 0 {
                    let start = self.out.at() / G::UNIT;
                    let extent = Extent { start, end: start + len, context };
                    self.told.made(extent, self.levels.len());
                    self.out.copy(&bytes, 0..len * G::UNIT);
                    return Ok(());
                }
                let level = self.levels.last().ok_or_else(no_container)?;
                let extent = Extent { start: 0, end: len, context };
                let grammar = level.node.grammar;
                self.moved(grammar, &bytes, extent)
            }
        }
    }

    /// Writes a new value in the layout of what is around it. What is the same in an old one stays.
    fn laid_out(
        &mut self,
        piece: Piece<'a, G>,
        old: Option<RangeNode<'a, G>>,
    ) -> Result<(), Error> {
        if let (Some(old), Piece::Of(new)) = (old, &piece) {
            let (_, memo) = match self.memo.take() {
                Some(known) if std::ptr::eq(known.0, new.body) => self.memo.insert(known),
                _ => self.memo.insert((new.body, Memo::default())),
            };
            let bits = |node: &RangeNode<'a, G>| (node.all_bytes(), node.bits());
            let is_same = old.grammar.reads_alike(old.context(), new.context())
                && memo.is_same(bits(&old), bits(new));
            match if is_same { Stays::All } else { old.grammar.stays(&old, new) } {
                Stays::All => return self.value(old, None),
                Stays::Children(sources) => return self.enter(old, sources),
                Stays::Nothing => {}
            }
        }
        let (made, extent) = match &piece {
            Piece::Of(node) => (node.all_bytes(), node.extent),
            Piece::Bytes { bytes, len, context } => {
                (bytes.as_slice(), Extent { start: 0, end: *len, context: *context })
            }
        };
        let (around, place) = match (old, self.levels.last()) {
            (Some(old), _) => (old, Place::Of(old.extent)),
            (None, Some(level)) => (level.node, Place::In(&level.open.state)),
            (None, None) => return Err(no_container()),
        };
        let start = self.out.at() / G::UNIT;
        around.grammar.lay_out(&mut self.out, (made, extent), around.all_bytes(), place)?;
        let end = self.out.at() / G::UNIT;
        self.told.made(Extent { start, end, context: extent.context }, self.levels.len());
        Ok(())
    }

    fn enter(&mut self, node: RangeNode<'a, G>, sources: Vec<Source<'a, G>>) -> Result<(), Error> {
        let open = node.open().ok_or_else(|| Error::new("it is no container"))?;
        let start = self.out.at() / G::UNIT;
        let (change, element) = head_change::<G>(&open, &sources);
        let around = Around::Begin {
            bytes: node.all_bytes(),
            extent: node.extent,
            first: open.first,
            change,
        };
        node.grammar.mend(&mut self.out, around)?;
        // A list goes forward only; where the order changes, all children are listed first.
        let own = match is_in_order(&sources) {
            true => OldChildren::InOrder { list: node.list(), next: 0 },
            false => OldChildren::All(node.list().collect()),
        };
        let run = open.first..open.first;
        let (mut new, mut others) = (Vec::new(), Vec::with_capacity(sources.len()));
        for source in sources {
            let order = match &source {
                Source::New(key, _) => node.grammar.order(&open.state, key.as_key()),
                _ => None,
            };
            match (order, source) {
                (Some(order), Source::New(key, piece)) => new.push((order, key, piece)),
                (_, source) => others.push(source),
            }
        }
        // The last comes first, so that `pop` gives the next one.
        new.sort_by_key(|(order, ..)| Reverse(*order));
        self.levels.push(Level {
            node,
            start,
            open,
            sources: others.into_iter(),
            new,
            delayed: None,
            keep: 0..0,
            own,
            run,
            first: [0; 2],
            prev: None,
            after: None,
            follows: Some(0),
            count: 0,
            element,
            is_waiting: false,
        });
        Ok(())
    }

    /// Writes the next child of the innermost level; `false` when all are written.
    fn step(&mut self) -> Result<bool, Error> {
        let Some(level) = self.levels.last_mut() else { return Ok(false) };
        let (grammar, state) = (level.node.grammar, &level.open.state);
        // The size of an entry is known once its value is written.
        if std::mem::take(&mut level.is_waiting) {
            grammar.mend(&mut self.out, Around::Trail { state })?;
        }
        if let Some((at, child, change)) = level.delayed.take() {
            return self.own(at, child, change).map(|()| true);
        }
        if let Some(at) = level.keep.next() {
            match level.own.get(at) {
                Some(child) => {
                    self.own(at, child, None)?;
                    self.levels.last_mut().into_iter().for_each(Level::keep_on);
                    return Ok(true);
                }
                // Keeps may reach further than there are children.
                None => level.keep = 0..0,
            }
        }
        match level.sources.next() {
            Some(Source::Keep(range)) => level.keep = range,
            Some(Source::Own(at, change)) => {
                let child = level.own.get(at);
                debug_assert!(child.is_some(), "a change is of a child that is there");
                let child = child.ok_or_else(|| Error::new("an earlier edit replaced it"))?;
                self.own(at, child, Some(change))?;
            }
            Some(Source::New(key, piece)) => self.new_child(key, piece)?,
            None => match level.new.pop() {
                Some((_, key, piece)) => self.new_child(key, piece)?,
                None => self.leave()?,
            },
        }
        Ok(true)
    }

    /// Writes the end of the innermost level.
    fn leave(&mut self) -> Result<(), Error> {
        let Some(mut level) = self.levels.pop() else { return Ok(()) };
        level.flush(&mut self.out, &mut self.told);
        let last = level.own.last().map_or(level.open.first, |(_, node)| node.extent.end);
        let tail = last..level.node.extent.end;
        let (bytes, state) = (level.node.all_bytes(), &level.open.state);
        let last = level.prev.as_ref().map(WrittenKey::as_key);
        let around = Around::End { bytes, state, last, tail, after: level.after };
        level.node.grammar.mend(&mut self.out, around)?;
        self.told.left(level.node.body, level.start..self.out.at() / G::UNIT, level.count);
        Ok(())
    }

    fn new_child(&mut self, key: NewKey, piece: Piece<'a, G>) -> Result<(), Error> {
        let level = self.levels.last_mut().ok_or_else(no_container)?;
        level.flush(&mut self.out, &mut self.told);
        level.lead(&mut self.out, WrittenKey::New(key), piece.context(), None)?;
        self.piece(piece, None)
    }

    /// Writes a child that was there.
    fn own(
        &mut self,
        at: usize,
        (child, node): Listed<'a, G>,
        change: Option<Change<'a, G>>,
    ) -> Result<(), Error> {
        let level = self.levels.last_mut().ok_or_else(no_container)?;
        let grammar = level.node.grammar;
        let order = level.new.last().map(|(order, ..)| *order);
        if let Some(order) = order
            && grammar.order(&level.open.state, child.key).is_some_and(|own| order < own)
            && let Some((_, key, piece)) = level.new.pop()
        {
            level.delayed = Some((at, (child, node), change));
            return self.new_child(key, piece);
        }
        let is_other = |element| !grammar.reads_alike(element, child.context);
        let keeps_value = !matches!(change, Some(Change::Value(_)));
        if keeps_value && level.element.is_some_and(is_other) {
            return Err(Error::new("expected elements of one kind, as its others have"));
        }
        // What stands before a child stays if the same child is before it, at the same position where that is
        // written, and at the same bit of a byte.
        let is_kept = level.follows == Some(at)
            && (!level.open.is_numbered || at == level.count)
            && (!level.run.is_empty() || self.out.at() & 7 == (child.entry * G::UNIT) & 7);
        if change.is_none() && is_kept {
            // Children that nothing happens to go as one run.
            if level.run.is_empty() {
                level.run.start = child.entry;
                level.first = [at, level.count];
            }
            level.run.end = node.extent.end;
            (level.prev, level.follows) = (Some(WrittenKey::Old(child.key)), Some(at + 1));
            level.after = Some(node.extent.end);
            level.count += 1;
            return Ok(());
        }
        level.flush(&mut self.out, &mut self.told);
        let context = match &change {
            Some(Change::Value(piece)) => piece.context(),
            _ => child.context,
        };
        let is_kept = is_kept && grammar.reads_alike(context, child.context);
        let old = Some((child.entry..child.start, is_kept));
        level.lead(&mut self.out, WrittenKey::Old(child.key), context, old)?;
        (level.follows, level.after) = (Some(at + 1), Some(node.extent.end));
        self.value(node, change)
    }
}

impl<'a, G: Grammar> Level<'a, G> {
    /// Lets the run go on to the last of the children that are kept, without a look at each.
    fn keep_on(&mut self) {
        let Range { start, end } = self.keep.clone();
        let is_plain = self.new.is_empty() && self.element.is_none() && !self.open.is_numbered;
        if self.run.is_empty() || !is_plain || start + 1 >= end {
            return;
        }
        let last = end.min(self.node.count()).saturating_sub(1);
        if last <= start {
            return;
        }
        let Some((child, node)) = self.own.get(last) else { return };
        self.run.end = node.extent.end;
        (self.prev, self.follows) = (Some(WrittenKey::Old(child.key)), Some(last + 1));
        self.after = Some(node.extent.end);
        self.count += last - start + 1;
        self.keep.start = last + 1;
    }

    /// Copies the run of children that stays.
    fn flush(&mut self, out: &mut Out, told: &mut Told<'a, G>) {
        let Range { start, end } = self.run.clone();
        let bits = start * G::UNIT..end * G::UNIT;
        if !bits.is_empty() {
            told.copied(self.node.body, &bits, out.at());
            let (containers, new) = ([self.node.extent.start, self.start], out.at() / G::UNIT);
            told.stretched(Stretch { containers, first: self.first, old: start..end, new });
        }
        out.copy(self.node.all_bytes(), bits);
        self.run.start = end;
    }

    /// Writes what stands before a child; `old` is the range of what stood there, and whether it can stay.
    fn lead(
        &mut self,
        out: &mut Out,
        key: WrittenKey<'a>,
        context: G::Context<'a>,
        old: Option<(Range<usize>, bool)>,
    ) -> Result<(), Error> {
        let is_kept = old.as_ref().is_some_and(|(_, is_kept)| *is_kept);
        let lead = Around::Lead {
            bytes: self.node.all_bytes(),
            state: &self.open.state,
            prev: self.prev.as_ref().map(WrittenKey::as_key),
            key: key.as_key(),
            at: self.count,
            context,
            old: old.map(|(range, _)| range),
            is_kept,
            after: self.after,
        };
        self.node.grammar.mend(out, lead)?;
        (self.prev, self.follows, self.after) = (Some(key), None, None);
        self.count += 1;
        self.is_waiting = true;
        Ok(())
    }
}
