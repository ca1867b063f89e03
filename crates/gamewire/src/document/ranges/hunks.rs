//! The children of containers that are not the same in all of these, found in memory that grows with them alone:
//! a list of small numbers has more elements than there is memory for.

use gamewire_core::bytes::part;

use super::bits::{Memo, common_start, is_same, sample};
use super::grammar::Key;
use super::index::{List, Listed, RangeNode, Stop};
use super::node::phase;
use super::values::Values;
use crate::document::align;
use crate::document::diff::Tree as _;

/// The least and the most children of a chunk.
const LEAST: usize = 512;
const MOST: usize = 4096;

/// Children of several containers, between others that are the same in all.
pub(super) struct ListedHunk<'a, V: Values, const N: usize> {
    /// The position of the first one.
    pub(super) at: [usize; N],
    pub(super) children: [Vec<Listed<'a, V>>; N],
}

/// Finds the hunks of containers, the first of which all others are compared with. `memos` know the files of these.
/// With `is_in_step`, each child is compared with those at its position.
pub(super) fn hunks<'a, V: Values, const N: usize>(
    all: [&RangeNode<'a, V>; N],
    memos: [&Memo; N],
    is_in_step: bool,
) -> Vec<ListedHunk<'a, V, N>> {
    let is_numbered = all.into_iter().any(RangeNode::is_numbered);
    let mut walks = Walks { all: all.map(|own| ChunkedWalk::new(*own)), memos, is_numbered };
    if is_in_step {
        return walks.in_step();
    }
    walks.jump();
    while walks.next_are(is_alike) {
        walks.all.iter_mut().for_each(|own| _ = own.skip());
    }
    walks.walk(walks.same_end());
    let mut hunks = walks.apart();
    hunks.iter_mut().for_each(|hunk| walks.trim(hunk));
    hunks.retain(|hunk| hunk.children.iter().any(|own| !own.is_empty()));
    hunks
}

/// Children in a row that end where their own bytes say it: behind a change, chunks begin at the same children again.
struct Chunk<'a, V: Values> {
    /// A number that is the same for the same children, and perhaps for others.
    mark: u64,
    /// The position of the first.
    at: usize,
    len: usize,
    first: Listed<'a, V>,
    /// Where those after the first are listed.
    list: List<'a, V>,
    end: usize,
}

impl<'a, V: Values> Chunk<'a, V> {
    fn children(&self) -> impl Iterator<Item = Listed<'a, V>> {
        std::iter::once(self.first).chain(self.list.clone()).take(self.len)
    }

    fn is_same(&self, other: &Self, memo: &Memo, is_numbered: bool) -> bool {
        if self.len != other.len {
            return false;
        }
        let bits = |own: &Self| own.first.0.entry * V::UNIT..own.end * V::UNIT;
        let (own, others) = (bits(self), bits(other));
        // The same children have other bytes where these say positions, or begin at another bit.
        if is_numbered || own.start & 7 != others.start & 7 {
            let mut pairs = self.children().zip(other.children());
            return pairs.all(|(own, other)| is_alike(&own, &other, memo));
        }
        let all_bytes = |own: &Self| own.first.1.all_bytes();
        begins_alike(&self.first, &other.first)
            && is_same((all_bytes(self), own), (all_bytes(other), others))
    }
}

/// The children of one container, which are put into chunks on the way.
struct ChunkedWalk<'a, V: Values> {
    list: List<'a, V>,
    next: Option<Listed<'a, V>>,
    /// The position of the next child.
    at: usize,
    end: usize,
    chunks: Vec<Chunk<'a, V>>,
    /// Whether the last chunk goes on.
    is_open: bool,
    /// A number that the last few children make.
    rolling: u64,
}

impl<'a, V: Values> ChunkedWalk<'a, V> {
    fn new(of: RangeNode<'a, V>) -> Self {
        let mut list = of.list();
        let (next, end) = (list.next(), of.children_range().end);
        ChunkedWalk { list, next, at: 0, end, chunks: Vec::new(), is_open: false, rolling: 0 }
    }

    /// The last stop before an offset, from which on children can be listed.
    fn stop_at(&self, at: usize) -> Option<Stop> {
        let of = self.list.container();
        let stops = of.body.index.stops_in(of.extent.start..of.extent.start + 1);
        stops.take_while(|stop| stop.at <= at).last().copied()
    }

    /// Goes to a child.
    fn go_to(&mut self, child: usize) {
        self.list = self.list.container().list();
        (self.next, self.at) = (self.list.nth(child), child);
    }

    fn skip(&mut self) -> Option<Listed<'a, V>> {
        let next = self.next.take()?;
        self.next = self.list.next();
        self.at += 1;
        Some(next)
    }

    /// Goes on to the next child, and takes the one before it into a chunk.
    fn advance(&mut self) {
        let Some(first) = self.next else { return };
        if !self.is_open {
            let (at, list) = (self.at, self.list.clone());
            let end = first.1.extent.end;
            self.chunks.push(Chunk { mark: 0, at, len: 0, first, list, end });
        }
        let own = mark(&first);
        // A child is shifted out of the number by the 64 after it: it says nothing of those far before, which may
        // have changed.
        self.rolling = (self.rolling << 1).wrapping_add(own);
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.mark = chunk.mark.rotate_left(5).wrapping_mul(5).wrapping_add(own);
            chunk.len += 1;
            chunk.end = first.1.extent.end;
            // One number in LEAST ends a chunk; MOST ends those of equal children, whose numbers never do.
            let is_end = self.rolling >> (u64::BITS - LEAST.ilog2()) == 0;
            self.is_open = chunk.len < LEAST || !is_end && chunk.len < MOST;
        }
        self.skip();
    }

    /// How far it is to the end.
    fn left(&self) -> usize {
        self.next.as_ref().map_or(0, |(child, _)| self.end - child.entry)
    }

    /// Lists the children of some chunks again; returns the position of the first, too.
    fn listed(&self, [from, to]: [usize; 2]) -> (usize, Vec<Listed<'a, V>>) {
        let at = self.chunks.get(from).map_or(self.at, |chunk| chunk.at);
        let chunks = part(&self.chunks, from..to);
        (at, chunks.iter().flat_map(Chunk::children).collect())
    }
}

struct Walks<'a, 'm, V: Values, const N: usize> {
    all: [ChunkedWalk<'a, V>; N],
    memos: [&'m Memo; N],
    /// Whether what stands before a child says its position.
    is_numbered: bool,
}

impl<'a, V: Values, const N: usize> Walks<'a, '_, V, N> {
    /// Whether children of all are there, and like the first of them.
    fn are(
        &self,
        children: [Option<&Listed<'a, V>>; N],
        is_like: impl Fn(&Listed<'a, V>, &Listed<'a, V>, &Memo) -> bool,
    ) -> bool {
        let [Some(own), others @ ..] = children.as_slice() else { return false };
        let mut others = others.iter().zip(self.memos.iter().skip(1));
        others.all(|(other, memo)| other.is_some_and(|other| is_like(own, other, memo)))
    }

    /// Whether the next children are, in the same way.
    fn next_are(&self, is_like: impl Fn(&Listed<'a, V>, &Listed<'a, V>, &Memo) -> bool) -> bool {
        self.are(self.all.each_ref().map(|own| own.next.as_ref()), is_like)
    }

    /// Goes past bytes that are the same in all, as far as the places of children are known.
    fn jump(&mut self) {
        if self.is_numbered
            || V::UNIT != 8
            || !self.next_are(|own, other, _| begins_alike(own, other))
        {
            return;
        }
        let from = self.all.each_ref().map(|own| own.next.map_or(own.end, |next| next.0.entry));
        let bytes =
            |own: &ChunkedWalk<'a, V>, from| part(own.list.container().all_bytes(), from..own.end);
        let mut rests = self.all.iter().zip(from).map(|(own, from)| bytes(own, from));
        let own = rests.next().unwrap_or_default();
        let same = rests.map(|other| common_start(own, other));
        let same = same.min().unwrap_or(0);
        let stops = self.all.iter().zip(from).map(|(own, from)| own.stop_at(from + same));
        let child = stops.map(|stop| stop.map_or(0, |stop| stop.child)).min().unwrap_or(0);
        if child > 0 {
            self.all.iter_mut().for_each(|own| own.go_to(child));
        }
    }

    fn in_step(&mut self) -> Vec<ListedHunk<'a, V, N>> {
        let mut hunks: Vec<ListedHunk<'a, V, N>> = Vec::new();
        let mut is_open = false;
        while self.all.iter().any(|own| own.next.is_some()) {
            let is_same = self.next_are(is_alike);
            if !is_same && !is_open {
                let at = self.all.each_ref().map(|own| own.at);
                hunks.push(ListedHunk { at, children: at.map(|_| Vec::new()) });
            }
            is_open = !is_same;
            let next = self.all.each_mut().map(ChunkedWalk::skip);
            if let (true, Some(hunk)) = (is_open, hunks.last_mut()) {
                hunk.children.iter_mut().zip(next).for_each(|(all, own)| all.extend(own));
            }
        }
        hunks
    }

    /// Returns how far from the end all bytes are the same. Bytes alone do not tell, where they say positions.
    fn same_end(&self) -> usize {
        let [first, others @ ..] = self.all.as_slice() else { return 0 };
        let bits = |own: &ChunkedWalk<'a, V>| {
            let of = own.list.container();
            (of.all_bytes(), of.extent.start * V::UNIT..own.end * V::UNIT)
        };
        let common = others.iter().zip(self.memos.iter().skip(1)).map(|(other, memo)| {
            match phase::<V>(first.end) == phase::<V>(other.end) && !self.is_numbered {
                true => memo.common_end(bits(first), bits(other)) / V::UNIT,
                false => 0,
            }
        });
        common.min().unwrap_or(0)
    }

    /// Goes to where all are as far from the end, in bytes that are the same; else to the end.
    fn walk(&mut self, same_end: usize) {
        loop {
            let left = self.all.each_ref().map(ChunkedWalk::left);
            let farthest = left.into_iter().max().unwrap_or(0);
            if farthest <= same_end
                && left.iter().all(|left| *left == farthest)
                && self.next_are(|own, other, _| begins_alike(own, other))
            {
                return;
            }
            // The one that is farthest goes on, so that all come to the common end together.
            let is_next = |(own, left): &(&mut ChunkedWalk<'a, V>, usize)| {
                *left == farthest && own.next.is_some()
            };
            match self.all.iter_mut().zip(left).find(is_next) {
                Some((own, _)) => own.advance(),
                None => return,
            }
        }
    }

    /// Tells the chunks that are the same in all from what lies between them.
    fn apart(&self) -> Vec<ListedHunk<'a, V, N>> {
        let [first, others @ ..] = self.all.as_slice() else { return Vec::new() };
        let marks = |own: &ChunkedWalk<'a, V>| {
            own.chunks.iter().map(|chunk| chunk.mark).collect::<Vec<_>>()
        };
        let own_marks = marks(first);
        // For each chunk of the first, where it is in the others.
        let pairs: Vec<Vec<Option<usize>>> =
            others.iter().map(|other| align::pairs(&own_marks, &marks(other))).collect();
        let mut hunks = Vec::new();
        let mut from = [0; N];
        let mut hunk = |from: [usize; N], to: [usize; N]| {
            if from != to {
                let mut sides = self.all.iter().zip(from.into_iter().zip(to));
                let sides = from.map(|_| {
                    sides.next().map_or((0, Vec::new()), |(own, (from, to))| own.listed([from, to]))
                });
                let at = sides.each_ref().map(|(at, _)| *at);
                hunks.push(ListedHunk { at, children: sides.map(|(_, children)| children) });
            }
        };
        for (own_at, own) in first.chunks.iter().enumerate() {
            let mut to = [own_at; N];
            let places = to.iter_mut().skip(1).zip(&pairs);
            let others = others.iter().zip(self.memos.iter().skip(1));
            // Marks may be the same by chance: bytes decide.
            let is_same = places.zip(others).all(|((to, pairs), (other, memo))| {
                let pair = pairs.get(own_at).copied().flatten();
                *to = pair.unwrap_or_default();
                let chunk = pair.and_then(|at| other.chunks.get(at));
                chunk.is_some_and(|chunk| own.is_same(chunk, memo, self.is_numbered))
            });
            if is_same {
                hunk(from, to);
                from = to.map(|at| at + 1);
            }
        }
        hunk(from, self.all.each_ref().map(|own| own.chunks.len()));
        hunks
    }

    /// Removes what is the same at both ends of a hunk.
    fn trim(&self, hunk: &mut ListedHunk<'a, V, N>) {
        let front = |children: &[Vec<Listed<'a, V>>; N], from: usize| {
            self.are(children.each_ref().map(|own| own.get(from)), is_alike)
        };
        let count = (0..).take_while(|from| front(&hunk.children, *from)).count();
        hunk.at = hunk.at.map(|at| at + count);
        hunk.children.iter_mut().for_each(|own| _ = own.drain(..count));
        let back = |all: &[Vec<Listed<'a, V>>; N]| {
            self.are(all.each_ref().map(|own| own.last()), is_alike)
        };
        while back(&hunk.children) {
            hunk.children.iter_mut().for_each(|own| _ = own.pop());
        }
    }
}

/// Whether two children are the same.
fn is_alike<'a, V: Values>(
    (child, node): &Listed<'a, V>,
    (other, theirs): &Listed<'a, V>,
    memo: &Memo,
) -> bool {
    child.key == other.key && node.same_bytes(theirs, memo)
}

/// Whether the same bytes from two children on are the same children.
fn begins_alike<'a, V: Values>(
    (child, node): &Listed<'a, V>,
    (other, theirs): &Listed<'a, V>,
) -> bool {
    child.key == other.key && node.grammar.reads_alike(node.context(), theirs.context())
}

/// Returns a number that is the same for the same children, and seldom for others.
fn mark<V: Values>((child, node): &Listed<'_, V>) -> u64 {
    let key = match child.key {
        Key::Position => 0,
        Key::Id(id) => u64::from(id),
        Key::Part(part) => u64::from(part),
        Key::Bytes(key) => sample(key, 0..key.len() * 8),
    };
    sample(node.all_bytes(), node.bits()) ^ key.rotate_left(32)
}
