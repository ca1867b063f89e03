//! The syntax of a format, and no more: which values stand in which bytes, and what stands around
//! them. Finding, changing, comparing and merging are written once above it.

use std::ops::Range;

use super::bits::Out;
use super::index::RangeNode;
use super::rewrite::Source;
use crate::document::error::Error;

/// A value where it stands. Offsets count steps of [`Grammar::UNIT`] bits from the start of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) struct Extent<C> {
    pub(in crate::document) start: usize,
    pub(in crate::document) end: usize,
    /// How its bytes are read: a wire type, a declared property.
    pub(in crate::document) context: C,
}

impl<C> Extent<C> {
    pub(in crate::document) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Which child of its parent a value is, as the bytes say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::document) enum Key<'b> {
    /// An element of a list.
    Position,
    /// A field by its number or hash.
    Id(u32),
    /// A part that the format names: the layer of a base, the head of a frame.
    Part(u8),
    /// An entry, by the bytes of its key.
    Bytes(&'b [u8]),
}

/// The key of a new child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::document) enum NewKey {
    Position,
    Id(u32),
    Part(u8),
    Bytes(Vec<u8>),
}

impl NewKey {
    pub(in crate::document) fn as_key(&self) -> Key<'_> {
        match self {
            NewKey::Position => Key::Position,
            NewKey::Id(id) => Key::Id(*id),
            NewKey::Part(part) => Key::Part(*part),
            NewKey::Bytes(bytes) => Key::Bytes(bytes),
        }
    }
}

impl From<Key<'_>> for NewKey {
    fn from(key: Key<'_>) -> Self {
        match key {
            Key::Position => NewKey::Position,
            Key::Id(id) => NewKey::Id(id),
            Key::Part(part) => NewKey::Part(part),
            Key::Bytes(bytes) => NewKey::Bytes(bytes.to_vec()),
        }
    }
}

/// A child as its parent lists it.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) struct Child<'b, C> {
    pub(in crate::document) key: Key<'b>,
    /// Where what belongs to the child begins: padding, tag, sizes, key. The value begins at `start`.
    pub(in crate::document) entry: usize,
    pub(in crate::document) start: usize,
    /// The end, if a length before the value says it.
    pub(in crate::document) end: Option<usize>,
    pub(in crate::document) context: C,
}

/// A value whose head was read.
pub(in crate::document) enum Opened<S> {
    /// A value without children, and its end.
    Leaf(usize),
    Container(Open<S>),
}

/// A container whose head was read.
#[derive(Clone)]
pub(in crate::document) struct Open<S> {
    /// Where the listing of its children stands.
    pub(in crate::document) state: S,
    /// After the head.
    pub(in crate::document) first: usize,
    /// The end, if the head says it.
    pub(in crate::document) end: Option<usize>,
    /// The number of children, if the head says it.
    pub(in crate::document) len: Option<usize>,
    /// Whether children are elements, and not found by keys.
    pub(in crate::document) is_list: bool,
    /// Whether the head says the context that all children have.
    pub(in crate::document) is_typed: bool,
    /// Whether what stands before a child says its position.
    pub(in crate::document) is_numbered: bool,
    /// The size of each child, where all have the same, nothing stands between them, and whatever is there are
    /// children: no scan need list them.
    pub(in crate::document) width: Option<usize>,
}

impl<S> Open<S> {
    /// A container of which the head says nothing.
    pub(in crate::document) fn new(state: S, first: usize) -> Self {
        let (end, len, is_list, is_typed, is_numbered) = (None, None, false, false, false);
        Open { state, first, end, len, is_list, is_typed, is_numbered, width: None }
    }
}

/// One step of a listing.
pub(in crate::document) enum Next<'b, C> {
    Child(Child<'b, C>),
    /// There are no more; the container ends here.
    End(usize),
}

/// The parts of a container that are written anew, in the order of the output.
#[allow(
    dead_code,
    reason = "grammars of bits and of text ask for all of it, that of beans does not"
)]
pub(in crate::document) enum Around<'p, C, S> {
    /// The head, up to `first`. `change` has the new number of children, and the context that all have now if
    /// none of the old ones is left, where one of these is another.
    Begin { bytes: &'p [u8], extent: Extent<C>, first: usize, change: Option<(usize, Option<C>)> },
    /// The bytes before a child. `old` is the range of what stood there of `bytes`, if the child is not new; it
    /// can be kept if `is_kept`: all before it is as it was.
    Lead {
        bytes: &'p [u8],
        /// The state of the container before its first child.
        state: &'p S,
        prev: Option<Key<'p>>,
        key: Key<'p>,
        /// The position of the child among the new ones.
        at: usize,
        context: C,
        old: Option<Range<usize>>,
        is_kept: bool,
        /// Where the child that was written before ends in `bytes`, if it is not new.
        after: Option<usize>,
    },
    /// The child of the last lead is written.
    Trail { state: &'p S },
    /// All children are written; `tail` is the range of what stood behind the last old one, and `after` as for a lead.
    End {
        bytes: &'p [u8],
        state: &'p S,
        last: Option<Key<'p>>,
        tail: Range<usize>,
        after: Option<usize>,
    },
    /// A leaf that comes to stand at another bit of a byte than before.
    Moved { bytes: &'p [u8], extent: Extent<C> },
}

/// Where a new value comes.
pub(in crate::document) enum Place<'p, C, S> {
    /// In the place of an old one.
    Of(Extent<C>),
    /// Into a container that had no such child: its state before its first child.
    In(&'p S),
}

/// The parts of an old value that stay where another one takes its place.
pub(in crate::document) enum Stays<'g, G: Grammar> {
    All,
    Children(Vec<Source<'g, G>>),
    Nothing,
}

/// The syntax of a format, with the options of one call.
///
/// All that is listed was scanned before: [`scan`](super::index::scan) goes through a whole body and checks each length
/// that a head claims.
pub(in crate::document) trait Grammar: Sized {
    /// Bits of a step of an offset: 8, and 1 where values begin at any bit.
    const UNIT: usize = 8;

    /// Whether new values are laid out as what stands around them.
    const HAS_LAYOUT: bool = false;

    type Error: Into<Error>;

    type Context<'g>: Copy
    where
        Self: 'g;

    /// How far the listing of a container has come.
    type State<'g>: Clone
    where
        Self: 'g;

    /// Reads the head of a value.
    fn open<'g>(
        &'g self,
        bytes: &[u8],
        at: usize,
        context: Self::Context<'g>,
    ) -> Result<Opened<Self::State<'g>>, Self::Error>;

    /// Reads what stands before the next child, where the one before it ended.
    fn next<'g, 'b>(
        &'g self,
        bytes: &'b [u8],
        state: &mut Self::State<'g>,
        at: usize,
    ) -> Result<Next<'b, Self::Context<'g>>, Self::Error>;

    /// Goes past so many children, whose end is known. Returns whether that can be.
    fn pass(&self, state: &mut Self::State<'_>, count: usize) -> bool {
        let _ = (state, count);
        false
    }

    /// Writes what stands around the children of a container.
    fn mend<'g>(
        &'g self,
        out: &mut Out,
        around: Around<'_, Self::Context<'g>, Self::State<'g>>,
    ) -> Result<(), Error>;

    /// Returns where a child of this key stands among its siblings, in a container whose keys have an order.
    fn order(&self, state: &Self::State<'_>, key: Key<'_>) -> Option<usize> {
        let _ = (state, key);
        None
    }

    /// Writes a new value, which stands in some bytes of its own, as what is around it in `bytes` is laid out.
    fn lay_out<'g>(
        &'g self,
        out: &mut Out,
        new: (&[u8], Extent<Self::Context<'g>>),
        bytes: &[u8],
        place: Place<'_, Self::Context<'g>, Self::State<'g>>,
    ) -> Result<(), Error> {
        let _ = (out, new, bytes, place);
        debug_assert!(!Self::HAS_LAYOUT, "a grammar with a layout has its own");
        Ok(())
    }

    /// Returns what stays of an old value where a new one of another body takes its place. Asked of grammars with
    /// a layout alone.
    fn stays<'g>(
        &'g self,
        old: &RangeNode<'g, Self>,
        new: &RangeNode<'g, Self>,
    ) -> Stays<'g, Self> {
        let _ = (old, new);
        Stays::Nothing
    }

    /// Returns whether the same bytes mean the same in both contexts.
    fn reads_alike<'g>(&'g self, own: Self::Context<'g>, other: Self::Context<'g>) -> bool;
}
