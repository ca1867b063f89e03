//! Bodies that are made of others: only what is new in them is scanned.

use std::ops::Range;

use super::bytes::Bytes;
use super::grammar::{Extent, Grammar};
use super::index::{Body, Index, LEAST, Note, RangeNode, Stop};

/// Bytes that stay.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) struct Run {
    pub(in crate::document) old: usize,
    pub(in crate::document) new: usize,
    pub(in crate::document) len: usize,
}

/// Children of a container that is written anew which stay as they are.
pub(super) struct Stretch {
    /// Where the container begins, in the old bytes and in the new ones.
    pub(super) containers: [usize; 2],
    /// The old and the new position of the first child.
    pub(super) first: [usize; 2],
    pub(super) old: Range<usize>,
    pub(super) new: usize,
}

/// Collects what a writer tells of a body, where offsets count bytes.
pub(super) struct Told<'a, G: Grammar + 'a> {
    /// The old body; `None` where not all is known.
    body: Option<&'a Body>,
    runs: Vec<Run>,
    notes: Vec<Note>,
    stretches: Vec<Stretch>,
    /// New values, with the number of containers around each.
    made: Vec<(Extent<G::Context<'a>>, usize)>,
}

impl<'a, G: Grammar + 'a> Default for Told<'a, G> {
    fn default() -> Self {
        let (runs, notes, stretches, made) = Default::default();
        Told { body: None, runs, notes, stretches, made }
    }
}

impl<'a, G: Grammar + 'a> Told<'a, G> {
    pub(super) fn of(root: &RangeNode<'a, G>) -> Self {
        let is_all = G::UNIT == 8 && root.extent.range() == root.body.root();
        Told { body: is_all.then_some(root.body), ..Told::default() }
    }

    pub(super) fn is_of(&self, body: &Body) -> bool {
        self.body.is_none_or(|own| std::ptr::eq(own, body))
    }

    fn must_be_of(&mut self, body: &Body) {
        if !self.is_of(body) {
            self.body = None;
        }
    }

    pub(super) fn copied(&mut self, body: &Body, bits: &Range<usize>, at: usize) {
        self.must_be_of(body);
        let (old, new, len) = (bits.start / 8, at / 8, bits.len() / 8);
        match self.runs.last_mut() {
            Some(last) if last.old + last.len == old && last.new + last.len == new => {
                last.len += len;
            }
            _ if len > 0 => self.runs.push(Run { old, new, len }),
            _ => {}
        }
    }

    pub(super) fn stretched(&mut self, stretch: Stretch) {
        self.stretches.push(stretch);
    }

    pub(super) fn made(&mut self, extent: Extent<G::Context<'a>>, depth: usize) {
        self.made.push((extent, depth));
    }

    pub(super) fn left(&mut self, body: &Body, range: Range<usize>, count: usize) {
        self.must_be_of(body);
        let Range { start, end } = range;
        if end - start >= LEAST {
            self.notes.push(Note { start, end, count });
        }
    }

    /// Returns what is known of the new bytes.
    pub(super) fn patch(self, grammar: &'a G, bytes: &[u8]) -> Option<Patch> {
        let body = self.body?;
        let Range { start, end } = body.root();
        let root = start..bytes.len().checked_sub(body.bytes.len() - end)?;
        let mut index = Index { notes: self.notes, ..Index::default() };
        let (mut depth, mut made) = (0, Vec::new());
        for (extent, around) in self.made {
            let (own, end, deep) =
                Index::scan(grammar, bytes, extent.start, extent.context).ok()?;
            if end != extent.end {
                return None;
            }
            depth = depth.max(around + deep);
            made.push(extent.range());
            index.notes.extend(own.notes);
            index.stops.extend(own.stops);
        }
        for run in &self.runs {
            let end = run.old + run.len;
            let moved = |at: usize| at - run.old + run.new;
            let notes = body.index.notes.iter().skip(body.index.after(run.old));
            let notes = notes.take_while(|note| note.start < end).filter(|note| note.end <= end);
            index.notes.extend(notes.map(|note| Note {
                start: moved(note.start),
                end: moved(note.end),
                ..*note
            }));
            let stops = body.index.stops_in(run.old..end).filter(|stop| stop.at < end);
            index.stops.extend(stops.map(|stop| Stop {
                container: moved(stop.container),
                at: moved(stop.at),
                ..*stop
            }));
        }
        for Stretch { containers: [old, container], first, old: range, new } in self.stretches {
            let stops = body.index.stops_in(old..old + 1);
            let stops = stops.filter(|stop| range.contains(&stop.at) && stop.child >= first[0]);
            index.stops.extend(stops.map(|stop| Stop {
                container,
                child: stop.child - first[0] + first[1],
                at: stop.at - range.start + new,
            }));
        }
        index.sort();
        Some(Patch { runs: self.runs, index, root, depth, made })
    }
}

/// The index of a new body, and what of it is new.
pub(in crate::document) struct Patch {
    runs: Vec<Run>,
    index: Index,
    root: Range<usize>,
    /// How deep the new values nest.
    pub(in crate::document) depth: usize,
    /// Where they stand.
    pub(in crate::document) made: Vec<Range<usize>>,
}

impl Patch {
    pub(in crate::document) fn body(self, bytes: Bytes) -> Body {
        let mut made = Body::known(bytes, self.index, self.root);
        made.runs = self.runs;
        made
    }
}

/// The bytes that stay where one change comes after another.
pub(super) fn composed(first: &[Run], then: &[Run]) -> Vec<Run> {
    let mut made = Vec::new();
    for run in then {
        for before in first {
            let start = run.old.max(before.new);
            let end = (run.old + run.len).min(before.new + before.len);
            if start < end {
                let (old, new) = (start - before.new + before.old, start - run.old + run.new);
                made.push(Run { old, new, len: end - start });
            }
        }
    }
    made
}
