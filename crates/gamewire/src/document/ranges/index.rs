//! Bodies: the bytes of a value with all that is in it, scanned once, and listed on demand.

use std::collections::HashMap;
use std::ops::Range;

use gamewire_core::bytes::part;

use super::Bytes;
use super::grammar::{Child, Extent, Grammar, Next, Open, Opened};
use super::patch::Run;
use crate::document::error::Error;

/// Bytes that make a container worth a note: less is skipped as fast as it is looked up.
pub(super) const LEAST: usize = 4096;

/// Children between two stops of a container.
const STRIDE: usize = 4096;

/// The data of a file: one value, and where containers end that cost much to skip.
#[derive(Clone, Debug)]
pub(in crate::document) struct Body {
    pub(in crate::document) bytes: Bytes,
    pub(super) index: Index,
    /// Where the outermost value stands.
    root: Range<usize>,
    /// The runs of the body that it was made of which stayed; none where that is not known.
    pub(in crate::document) runs: Vec<Run>,
}

/// Where containers end that cost much to skip, and where the children of long ones stand; in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub(super) notes: Vec<Note>,
    pub(super) stops: Vec<Stop>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Note {
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many children there are.
    pub(super) count: usize,
}

/// Where what stands before a child begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stop {
    /// Where the container begins.
    pub(super) container: usize,
    pub(super) child: usize,
    pub(super) at: usize,
}

/// Is told of the values that a scan passes.
trait Scanned {
    fn enter(&mut self);
    fn stop(&mut self, stop: Stop);
    fn leave(&mut self, note: Note);
}

/// Notes a container if its bytes, without those in noted ones, are many: so the notes are few, however deep
/// a file nests.
struct Notes {
    least: usize,
    /// Of each open container, the bytes that are noted already.
    covered: Vec<usize>,
    index: Index,
    /// The most containers that were open at once.
    depth: usize,
}

impl Scanned for Notes {
    fn enter(&mut self) {
        self.covered.push(0);
        self.depth = self.depth.max(self.covered.len());
    }

    fn stop(&mut self, stop: Stop) {
        self.index.stops.push(stop);
    }

    fn leave(&mut self, note: Note) {
        let own = self.covered.pop();
        debug_assert!(own.is_some(), "what is left was entered");
        let mut covered = own.unwrap_or(0);
        let len = note.end - note.start;
        if len.saturating_sub(covered) >= self.least {
            self.index.notes.push(note);
            covered = len;
        }
        if let Some(outer) = self.covered.last_mut() {
            *outer += covered;
        }
    }
}

/// A container that a scan is in.
struct Level<S> {
    state: S,
    start: usize,
    /// How many children were passed.
    count: usize,
    /// The ends that its head and what stands before it claim.
    claimed: [Option<usize>; 2],
}

/// Goes through a value without recursion, and believes no length before it has seen that it is right. Returns
/// where the value ends.
fn scan<'g, G: Grammar>(
    grammar: &'g G,
    bytes: &[u8],
    start: usize,
    context: G::Context<'g>,
    to: &mut impl Scanned,
) -> Result<usize, Error> {
    let mut stack: Vec<Level<G::State<'g>>> = Vec::new();
    let (mut at, mut context, mut claimed) = (start, context, None);
    loop {
        let mut end = match grammar.open(bytes, at, context).map_err(Into::into)? {
            Opened::Leaf(end) => {
                must_be(end, claimed)?;
                end
            }
            // Elements of one width, as in packed arrays, are all right where their number is.
            Opened::Container(Open { end: Some(end), width: Some(_), .. }) => {
                must_be(end, claimed)?;
                end
            }
            Opened::Container(open) => {
                to.enter();
                let (start, claimed) = (at, [open.end, claimed]);
                stack.push(Level { state: open.state, start, count: 0, claimed });
                open.first
            }
        };
        // A value ends where what stands before the next child of its parent begins.
        loop {
            let Some(top) = stack.last_mut() else { return Ok(end) };
            match grammar.next(bytes, &mut top.state, end).map_err(Into::into)? {
                Next::Child(child) => {
                    if top.count > 0 && top.count.is_multiple_of(STRIDE) {
                        to.stop(Stop { container: top.start, child: top.count, at: end });
                    }
                    top.count += 1;
                    (at, context, claimed) = (child.start, child.context, child.end);
                    break;
                }
                Next::End(own) => {
                    let Some(level) = stack.pop() else { return Ok(own) };
                    level.claimed.into_iter().try_for_each(|claimed| must_be(own, claimed))?;
                    to.leave(Note { start: level.start, end: own, count: level.count });
                    end = own;
                }
            }
        }
    }
}

fn must_be(end: usize, claimed: Option<usize>) -> Result<(), Error> {
    match claimed.filter(|claimed| *claimed != end) {
        None => Ok(()),
        Some(claimed) => Err(Error::new(format!(
            "expected the end of a value at {claimed:#x}, as its length says, found it at {end:#x}"
        ))),
    }
}

impl Body {
    /// Scans bytes whose outermost value begins at `start`.
    pub(in crate::document) fn scan<'g, G: Grammar>(
        grammar: &'g G,
        bytes: Bytes,
        start: usize,
        context: G::Context<'g>,
    ) -> Result<Self, Error> {
        let (index, end, _) = Index::scan(grammar, &bytes, start, context)?;
        Ok(Body::known(bytes, index, start..end))
    }

    /// A body of which all is known.
    pub(super) fn known(bytes: Bytes, index: Index, root: Range<usize>) -> Self {
        Body { bytes, index, root, runs: Vec::new() }
    }

    /// Returns its index without its bytes.
    pub(in crate::document) fn emptied(&self) -> Self {
        Body::known(Vec::new().into(), self.index.clone(), self.root())
    }

    /// The same with the bytes that it had.
    pub(in crate::document) fn with_bytes(&self, bytes: Bytes) -> Self {
        Body::known(bytes, self.index.clone(), self.root())
    }

    /// Whether a body of the same bytes knows nothing else of the containers and their children that both know of.
    pub(super) fn has_known(&self, other: &Body) -> bool {
        let ends = |own: &Body| -> HashMap<_, _> {
            own.index.notes.iter().map(|note| ((note.start, note.end), note.count)).collect()
        };
        let (own, others) = (ends(self), ends(other));
        let is_own = |stop: &Stop| {
            let near = self.index.stop_before(stop.container, stop.child);
            near.is_none_or(|near| {
                near.at <= stop.at && (near.child < stop.child || near.at == stop.at)
            })
        };
        self.root == other.root
            && own.iter().all(|(at, count)| others.get(at).is_none_or(|other| other == count))
            && other.index.stops.iter().all(is_own)
    }

    /// Returns where the outermost value stands.
    pub(in crate::document) fn root(&self) -> Range<usize> {
        self.root.clone()
    }
}

impl Index {
    /// Scans a value; returns where it ends, too, and how deep it nests.
    pub(super) fn scan<'g, G: Grammar>(
        grammar: &'g G,
        bytes: &[u8],
        start: usize,
        context: G::Context<'g>,
    ) -> Result<(Self, usize, usize), Error> {
        let (covered, index) = (Vec::new(), Index::default());
        let mut notes = Notes { least: LEAST * 8 / G::UNIT, covered, index, depth: 0 };
        let end = scan(grammar, bytes, start, context, &mut notes)?;
        notes.index.sort();
        Ok((notes.index, end, notes.depth))
    }

    /// Puts notes in the order in which they are looked up. A scan notes what ends first.
    pub(super) fn sort(&mut self) {
        self.notes.sort_unstable();
        self.stops.sort_unstable();
    }

    /// The first note of a container that begins at an offset or later.
    pub(super) fn after(&self, at: usize) -> usize {
        self.notes.partition_point(|note| note.start < at)
    }

    /// The stops of containers that begin in a range.
    pub(super) fn stops_in(&self, range: Range<usize>) -> impl Iterator<Item = &Stop> {
        let first = self.stops.partition_point(|stop| stop.container < range.start);
        self.stops.iter().skip(first).take_while(move |stop| stop.container < range.end)
    }

    /// The last stop of a container before a child, or at it.
    fn stop_before(&self, container: usize, child: usize) -> Option<Stop> {
        let after =
            self.stops.partition_point(|own| (own.container, own.child) <= (container, child));
        let stop = self.stops.get(after.checked_sub(1)?);
        stop.copied().filter(|own| own.container == container)
    }
}

/// A value in a body.
pub(in crate::document) struct RangeNode<'a, G: Grammar> {
    pub(in crate::document) grammar: &'a G,
    pub(in crate::document) body: &'a Body,
    pub(in crate::document) extent: Extent<G::Context<'a>>,
}

impl<G: Grammar> Clone for RangeNode<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Grammar> Copy for RangeNode<'_, G> {}

/// A child and where it stands.
pub(in crate::document) type Listed<'a, G> =
    (Child<'a, <G as Grammar>::Context<'a>>, RangeNode<'a, G>);

impl<'a, G: Grammar> RangeNode<'a, G> {
    /// The outermost value of a body.
    pub(in crate::document) fn root(
        grammar: &'a G,
        body: &'a Body,
        context: G::Context<'a>,
    ) -> Self {
        let Range { start, end } = body.root();
        RangeNode { grammar, body, extent: Extent { start, end, context } }
    }

    pub(in crate::document) fn context(&self) -> G::Context<'a> {
        self.extent.context
    }

    /// Another value of the same body.
    pub(in crate::document) fn with(&self, extent: Extent<G::Context<'a>>) -> Self {
        RangeNode { extent, ..*self }
    }

    /// The bytes of the whole body.
    pub(in crate::document) fn all_bytes(&self) -> &'a [u8] {
        &self.body.bytes
    }

    /// The bytes of the value, where offsets count bytes.
    pub(in crate::document) fn bytes(&self) -> &'a [u8] {
        debug_assert_eq!(G::UNIT, 8, "the value may begin inside of a byte");
        part(self.all_bytes(), self.extent.range())
    }

    /// The range of the value in bits.
    pub(in crate::document) fn bits(&self) -> Range<usize> {
        self.extent.start * G::UNIT..self.extent.end * G::UNIT
    }

    /// Returns the range of the value up to where its children end, if the head says that: padding behind them is
    /// none of them. Else that of the whole value.
    pub(in crate::document) fn children_range(&self) -> Range<usize> {
        let open = self.open();
        let end = open.and_then(|open| Some(open.first + open.len? * open.width?));
        self.extent.start..end.unwrap_or(self.extent.end)
    }

    /// Reads the head; `None` for a value without children.
    pub(in crate::document) fn open(&self) -> Option<Open<G::State<'a>>> {
        let Extent { start, context, .. } = self.extent;
        match self.grammar.open(self.all_bytes(), start, context) {
            Ok(Opened::Container(open)) => Some(open),
            Ok(Opened::Leaf(_)) => None,
            Err(_) => {
                debug_assert!(false, "the scan has read this head");
                None
            }
        }
    }

    /// Lists the children, one at a time.
    pub(in crate::document) fn list(&self) -> List<'a, G> {
        let open = self.open();
        let at = open.as_ref().map_or(0, |open| open.first);
        let noted = self.body.index.after(at);
        let state = open.map(|open| open.state);
        List { of: *self, state, at, position: 0, noted, spare: Vec::new() }
    }

    /// How many children there are.
    pub(in crate::document) fn count(&self) -> usize {
        let Extent { start, end, .. } = self.extent;
        let known = || {
            let notes = self.body.index.notes.get(self.body.index.after(start)..)?.iter();
            // Two containers can stand at the same place, one in the other.
            let own = notes.take_while(|note| note.start == start).filter(|note| note.end == end);
            let counts: Vec<usize> = own.map(|note| note.count).collect();
            if let [count] = counts.as_slice() { Some(*count) } else { None }
        };
        // The cheapest first: the head's own number, that of the scan, a list.
        let len = self.open().and_then(|open| open.len);
        len.or_else(known).unwrap_or_else(|| self.list().count())
    }
}

/// The children of a value, in order.
pub(in crate::document) struct List<'a, G: Grammar> {
    of: RangeNode<'a, G>,
    state: Option<G::State<'a>>,
    at: usize,
    /// How many children were listed.
    position: usize,
    /// The next note of the index that may be of use.
    noted: usize,
    /// Room for the way down when a child is skipped.
    spare: Vec<G::State<'a>>,
}

impl<G: Grammar> Clone for List<'_, G> {
    fn clone(&self) -> Self {
        let (state, spare) = (self.state.clone(), Vec::new());
        List { state, spare, ..*self }
    }
}

impl<'a, G: Grammar> List<'a, G> {
    /// Returns the value whose children these are.
    pub(in crate::document) fn container(&self) -> &RangeNode<'a, G> {
        &self.of
    }

    /// Returns the end of a value.
    fn end_of(&mut self, start: usize, context: G::Context<'a>) -> Result<usize, G::Error> {
        let (grammar, bytes) = (self.of.grammar, self.of.all_bytes());
        let mut open = match grammar.open(bytes, start, context)? {
            Opened::Leaf(end) => return Ok(end),
            Opened::Container(open) => open,
        };
        if let Some(end) = self.known(open.end, start) {
            return Ok(end);
        }
        self.spare.clear();
        let mut at = open.first;
        loop {
            let child = match grammar.next(bytes, &mut open.state, at)? {
                Next::End(end) => {
                    at = end;
                    match self.spare.pop() {
                        Some(outer) => open.state = outer,
                        None => return Ok(end),
                    }
                    continue;
                }
                Next::Child(child) => child,
            };
            if let Some(end) = child.end {
                at = end;
                continue;
            }
            match grammar.open(bytes, child.start, child.context)? {
                Opened::Leaf(end) => at = end,
                Opened::Container(inner) => match self.known(inner.end, child.start) {
                    Some(end) => at = end,
                    None => {
                        at = inner.first;
                        self.spare.push(std::mem::replace(&mut open.state, inner.state));
                    }
                },
            }
        }
    }

    #[inline]
    fn known(&mut self, end: Option<usize>, start: usize) -> Option<usize> {
        if end.is_some() {
            return end;
        }
        // Children come in order, as notes do: one place in the index goes on with the list.
        let notes = &self.of.body.index.notes;
        while notes.get(self.noted).is_some_and(|note| note.start < start) {
            self.noted += 1;
        }
        notes.get(self.noted).filter(|note| note.start == start).map(|note| note.end)
    }

    /// Goes to the last stop before a child.
    fn jump(&mut self, child: usize) {
        let stop = self.of.body.index.stop_before(self.of.extent.start, child);
        let stop = stop.filter(|stop| stop.child > self.position && stop.at < self.of.extent.end);
        if let (Some(stop), Some(state)) = (stop, &mut self.state)
            && self.of.grammar.pass(state, stop.child - self.position)
        {
            (self.at, self.position) = (stop.at, stop.child);
            self.noted = self.of.body.index.after(stop.at);
        }
    }

    fn step(&mut self) -> Result<Option<Listed<'a, G>>, G::Error> {
        let Some(state) = &mut self.state else { return Ok(None) };
        let (grammar, bytes) = (self.of.grammar, self.of.all_bytes());
        let Next::Child(child) = grammar.next(bytes, state, self.at)? else {
            self.state = None;
            return Ok(None);
        };
        let end = match child.end {
            Some(end) => end,
            None => self.end_of(child.start, child.context)?,
        };
        (self.at, self.position) = (end, self.position + 1);
        // Containers behind the child were noted after those in it.
        let notes = &self.of.body.index.notes;
        while notes.get(self.noted).is_some_and(|note| note.start < end) {
            self.noted += 1;
        }
        let extent = Extent { start: child.start, end, context: child.context };
        Ok(Some((child, self.of.with(extent))))
    }
}

impl<'a, G: Grammar> Iterator for List<'a, G> {
    type Item = Listed<'a, G>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().unwrap_or_else(|_| {
            debug_assert!(false, "the scan has listed these children");
            self.state = None;
            None
        })
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let child = self.position.saturating_add(n);
        // A few children are listed as fast as a stop is looked up.
        if n >= STRIDE / 64 {
            self.jump(child);
        }
        while self.position < child {
            self.next()?;
        }
        self.next()
    }

    fn last(mut self) -> Option<Self::Item> {
        let last = self.of.count().checked_sub(self.position + 1)?;
        self.nth(last)
    }
}
