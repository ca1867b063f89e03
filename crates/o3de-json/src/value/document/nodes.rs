//! Where in a text its values are.

use std::borrow::Cow;
use std::ops::Range;

use crate::Options;
use crate::read::{Kind, Reader};
use crate::value::decode::{Leaf, Listener, decode};
use crate::value::text::widened;

/// All values of a text, in the order of their beginnings. Members are two nodes: a name, then a
/// value.
#[derive(Clone, Debug, Default)]
pub(super) struct TextNodes {
    nodes: Vec<TextNode>,
    /// The node of each open container.
    levels: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextNode {
    start: u32,
    end: u32,
    /// Index of the first node that is not inside of this one.
    after: u32,
    /// Number of members or elements.
    children: u32,
}

/// A child of a container: a member or an element.
#[derive(Clone, Copy, Default)]
pub(super) struct Child {
    /// Index of its first node: the name, or the element.
    pub(super) first: usize,
    /// Where that begins.
    pub(super) start: usize,
    pub(super) name: Option<TextNode>,
    /// Index of the value, and the value.
    pub(super) at: usize,
    pub(super) node: TextNode,
}

/// A document is no longer than 4 GiB.
fn narrowed(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl TextNode {
    pub(super) fn range(&self) -> Range<usize> {
        widened(self.start)..widened(self.end)
    }

    pub(super) fn children(&self) -> usize {
        widened(self.children)
    }
}

impl TextNodes {
    /// How many bytes of memory it takes for each name and value: twice, because its list doubles.
    pub(super) const SIZE: usize = size_of::<TextNode>() << 1;

    /// Reads a text that was accepted before.
    pub(super) fn read(text: &str, options: &Options) -> TextNodes {
        let mut nodes = TextNodes::default();
        let done = decode(&mut Reader::new(text, options), &mut nodes);
        debug_assert!(done.is_ok(), "what was accepted is accepted again");
        nodes
    }

    pub(super) fn get(&self, at: usize) -> Option<TextNode> {
        self.nodes.get(at).copied()
    }

    /// The child whose first node has an index, and the index of the next one.
    #[inline]
    pub(super) fn child(&self, first: usize, is_object: bool) -> Option<(Child, usize)> {
        let name = is_object.then(|| self.get(first)).flatten();
        let at = first.saturating_add(usize::from(is_object));
        let node = self.get(at)?;
        let start = widened(name.map_or(node.start, |name| name.start));
        Some((Child { first, start, name, at, node }, widened(node.after)))
    }

    /// The children of a container.
    pub(super) fn children(&self, at: usize, is_object: bool) -> impl Iterator<Item = Child> {
        let count = self.get(at).map_or(0, |node| node.children());
        let mut next = at.saturating_add(1);
        std::iter::from_fn(move || {
            let (child, after) = self.child(next, is_object)?;
            next = after;
            Some(child)
        })
        .take(count)
    }

    #[inline]
    fn push(&mut self, Range { start, end }: Range<usize>) {
        let after = narrowed(self.nodes.len()).saturating_add(1);
        let (start, end) = (narrowed(start), narrowed(end));
        self.nodes.push(TextNode { start, end, after, children: 0 });
    }

    /// A value begins in the innermost container.
    #[inline]
    fn count(&mut self) {
        if let Some(own) = self.levels.last().and_then(|at| self.nodes.get_mut(*at)) {
            own.children = own.children.saturating_add(1);
        }
    }
}

impl<'t> Listener<'t> for TextNodes {
    const TEXT: bool = false;

    #[inline]
    fn open(&mut self, start: usize, _: Kind) {
        self.count();
        self.levels.push(self.nodes.len());
        self.push(start..start);
    }

    #[inline]
    fn key(&mut self, range: Range<usize>, _: Cow<'t, str>) {
        self.push(range);
    }

    #[inline]
    fn leaf(&mut self, range: Range<usize>, _: Leaf<'t>) {
        self.count();
        self.push(range);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        let after = narrowed(self.nodes.len());
        let own = self.levels.pop().and_then(|at| self.nodes.get_mut(at));
        debug_assert!(own.is_some(), "only what is open ends");
        if let Some(own) = own {
            (own.end, own.after) = (narrowed(end), after);
        }
    }
}
