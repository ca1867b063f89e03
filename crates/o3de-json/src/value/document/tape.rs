//! Where in a text its values are.

use std::ops::Range;

use crate::Result;
use crate::read::Reader;

/// All values of a text, in the order of their beginnings. Members are two nodes: a name, then a
/// value.
pub(super) struct Tape(Vec<Node>);

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
        let mut nodes: Vec<Node> = Vec::new();
        // Index of each open container, and whether nothing was read in it.
        let mut levels: Vec<(usize, bool)> = Vec::new();
        'value: loop {
            let byte = reader.peek()?;
            let (start, at) = (reader.offset(), nodes.len());
            let after = at.saturating_add(1);
            let kind = match byte {
                b'{' => Kind::Object,
                b'[' => Kind::Array,
                _ => Kind::Leaf,
            };
            nodes.push(Node { start, end: start, after, kind });
            if kind == Kind::Leaf {
                reader.skip_value()?;
                close(&mut nodes, at, reader.offset());
            } else {
                reader.open()?;
                levels.push((at, true));
            }
            while let Some((at, first)) = levels.last_mut() {
                let at = *at;
                if nodes.get(at).is_some_and(|node| node.kind == Kind::Array) {
                    if reader.next_element(first)? {
                        continue 'value;
                    }
                } else if reader.next_member(first)? {
                    let (start, after) = (reader.offset(), nodes.len().saturating_add(1));
                    reader.skip_string()?;
                    nodes.push(Node { start, end: reader.offset(), after, kind: Kind::Leaf });
                    reader.colon()?;
                    continue 'value;
                }
                close(&mut nodes, at, reader.offset());
                levels.pop();
            }
            reader.end()?;
            return Ok(Tape(nodes));
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<Node> {
        self.0.get(at).copied()
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
}

fn close(nodes: &mut [Node], at: usize, end: usize) {
    let after = nodes.len();
    if let Some(node) = nodes.get_mut(at) {
        (node.end, node.after) = (end, after);
    }
}
