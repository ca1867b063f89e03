//! Where in a text its values are.

use std::borrow::Cow;
use std::ops::Range;

use crate::Result;
use crate::read::{self, Reader};
use crate::value::decode::{Leaf, Listener, decode};

/// All values of a text, in the order of their beginnings. Members are two nodes: a name, then a
/// value.
#[derive(Default)]
pub(super) struct Tape {
    nodes: Vec<Node>,
    /// Of each open container, its node.
    levels: Vec<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Index of the first node that is not inside of this one.
    pub(super) after: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Leaf,
    Array,
    Object,
}

impl Node {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Tape {
    /// Reads a whole text.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Tape> {
        let mut tape = Tape::default();
        decode(reader, &mut tape)?;
        reader.end()?;
        Ok(tape)
    }

    pub(super) fn get(&self, at: usize) -> Option<Node> {
        self.nodes.get(at).copied()
    }

    /// The nodes directly inside of a container: elements, or names and values in turn.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = (usize, Node)> {
        let end = self.get(at).map_or(0, |node| node.after);
        let mut next = at.saturating_add(1);
        std::iter::from_fn(move || {
            let node = self.get(next).filter(|_| next < end)?;
            let at = std::mem::replace(&mut next, node.after);
            Some((at, node))
        })
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        let after = self.nodes.len().saturating_add(1);
        self.nodes.push(Node { start, end, after, kind });
    }
}

impl<'t> Listener<'t> for Tape {
    const TEXT: bool = false;

    fn begin(&mut self, kind: read::Kind, start: usize) {
        self.levels.push(self.nodes.len());
        let kind = if kind == read::Kind::Object { Kind::Object } else { Kind::Array };
        self.push(start, start, kind);
    }

    fn name(&mut self, start: usize, end: usize, _: Cow<'t, str>) {
        self.push(start, end, Kind::Leaf);
    }

    fn leaf(&mut self, start: usize, end: usize, _: Leaf<'t>) {
        self.push(start, end, Kind::Leaf);
    }

    fn end(&mut self, _: read::Kind, end: usize) {
        let after = self.nodes.len();
        let own = self.levels.pop().and_then(|at| self.nodes.get_mut(at));
        if let Some(own) = own {
            (own.end, own.after) = (end, after);
        }
    }
}
