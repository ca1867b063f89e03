//! The grammar of BSON: the one walk over its elements, without recursion.
//!
//! A [`Decoder`] reads and tells a [`Listener`] what it read. `()` only checks, the
//! [`Builder`](super::build::Builder) makes a [`Value`](crate::Value), and explanations note what
//! each byte is. Rust types are read by [`de`](crate::de) with the same [`Reader`].

use std::ops::Range;

use super::keys::Keys;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::read::{Outer, Reader};
use crate::text::Utf8;

/// Receives what a [`Decoder`] reads. Default methods do nothing.
///
/// The order is that of the bytes: [`key`](Self::key) for each element, then
/// [`leaf`](Self::leaf), or [`open`](Self::open) and later [`close`](Self::close), each with its
/// place first. Offsets count from the start of the document; they cost nothing where they are not used.
pub(crate) trait Listener<'b> {
    /// The least bytes of elements that are counted before they are read, in a separate pass.
    const COUNTS_FROM: usize;

    /// A leaf, as it is kept.
    type Kept;

    /// A container, as it is kept while it is open.
    type Open;

    /// The approximate memory of a container of `count` elements, or of a rare value beside its element
    /// and its text.
    #[inline]
    fn cost(_kind: Kind, _count: usize) -> usize {
        0
    }

    /// Makes what it keeps. The decoder calls this in each arm of its match on the type, so that
    /// the match in here folds away.
    fn keep(leaf: Leaf<'b>) -> Self::Kept;

    /// Whether the innermost document has no entry of this key yet.
    fn is_new(&mut self, keys: &mut Keys<'b>, key: &'b [u8]) -> bool;

    /// The type of an element, and where its key is; of an array's element the bytes there, which
    /// say nothing.
    #[inline(always)]
    fn key(&mut self, _at: usize, _kind: Kind, _key: &'b [u8], _position: Position<'b>) {}

    /// A value that contains no other, and where its payload is.
    fn leaf(&mut self, bytes: Range<usize>, position: Position<'b>, value: Self::Kept);

    /// A container, and where its length is.
    fn open(&mut self, at: usize, position: Position<'b>, opened: Opened) -> Self::Open;

    /// The innermost container ends before this offset. Returns the memory that it took, if it was
    /// not counted before.
    fn close(&mut self, end: usize, position: Position<'b>, open: Self::Open) -> usize;

    /// A container is longer than the bytes there are, and nothing comes after it: an error, or
    /// `Ok` to read on as far as the bytes go.
    #[cold]
    fn cut(&mut self, error: Error) -> Result<()> {
        Err(error)
    }
}

/// Checks, and keeps nothing. Keys are not compared.
impl<'b> Listener<'b> for () {
    const COUNTS_FROM: usize = usize::MAX;
    type Kept = ();
    type Open = ();
    #[inline]
    fn keep(_: Leaf<'b>) {}
    #[inline]
    fn is_new(&mut self, _: &mut Keys<'b>, _: &'b [u8]) -> bool {
        true
    }
    #[inline]
    fn leaf(&mut self, _: Range<usize>, _: Position<'b>, (): ()) {}
    #[inline]
    fn open(&mut self, _: usize, _: Position<'b>, _: Opened) {}
    #[inline]
    fn close(&mut self, _: usize, _: Position<'b>, (): ()) -> usize {
        0
    }
}

/// Where a value stands in the container around it.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "what only explanations ask for"))]
pub(crate) enum Position<'b> {
    /// Nothing is around it.
    Root,
    /// In an array, at this position.
    Item(usize),
    /// In a document, under this key.
    Entry(Utf8<'b>),
}

/// A value that contains no other, as it is on the wire.
#[derive(Clone, Copy)]
pub(crate) enum Leaf<'b> {
    Double(f64),
    String(Utf8<'b>),
    Bool(bool),
    Null,
    Int32(i32),
    Int64(i64),
    DateTime(i64),
    /// The subtype first.
    Binary(u8, &'b [u8]),
    /// Of a type that no engine writes.
    Other(Kind, &'b [u8]),
}

/// A container that begins.
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "what only explanations ask for"))]
pub(crate) struct Opened {
    pub(crate) contents: Contents,
    /// Its length, as it says.
    pub(crate) len: usize,
    /// The number of its elements, if they were counted: see [`Listener::COUNTS_FROM`].
    pub(crate) count: Option<usize>,
}

/// The contents of a container.
#[derive(Clone, Copy)]
pub(crate) enum Contents {
    Items,
    Entries,
}

/// Reads one value.
pub(crate) struct Decoder<'r, 'b, L: Listener<'b>> {
    reader: &'r mut Reader<'b>,
    listener: &'r mut L,
    /// The containers that are open, the innermost one last.
    stack: Vec<Level<'b, L::Open>>,
}

/// A container whose elements are being read.
struct Level<'b, O> {
    state: State<'b>,
    outer: Outer<'b>,
    open: O,
}

enum State<'b> {
    /// The number of elements that were read.
    Items(usize),
    /// The keys so far, and that of the value which is read.
    Entries(Keys<'b>, Option<Utf8<'b>>),
}

impl<'b> State<'b> {
    fn position(&self) -> Position<'b> {
        match self {
            State::Items(index) => Position::Item(*index),
            State::Entries(_, key) => {
                debug_assert!(key.is_some(), "a value of a document is read before its key");
                key.map_or(Position::Root, Position::Entry)
            }
        }
    }
}

impl<'r, 'b, L: Listener<'b>> Decoder<'r, 'b, L> {
    pub(crate) fn new(reader: &'r mut Reader<'b>, listener: &'r mut L) -> Self {
        Decoder { reader, listener, stack: Vec::new() }
    }

    /// Reads the payload of a value.
    pub(crate) fn read(&mut self, kind: Kind) -> Result<()> {
        if !is_container(kind) {
            let at = self.reader.offset();
            let kept = leaf::<L>(self.reader, kind)?;
            self.listener.leaf(at..self.reader.offset(), Position::Root, kept);
            return Ok(());
        }
        // An error leaves containers open; the reader's depth is also that of the types around.
        let depth = self.reader.depth;
        let read = self.run(kind);
        self.reader.depth = depth;
        read.map_err(|error| self.locate(error))
    }

    fn run(&mut self, kind: Kind) -> Result<()> {
        self.open(kind)?;
        // Each turn reads on to where a container begins or ends.
        while let Some(level) = self.stack.last_mut() {
            match elements(self.reader, self.listener, &mut level.state)? {
                Some(kind) => self.open(kind)?,
                None => self.close()?,
            }
        }
        Ok(())
    }

    /// Adds the way to the value at fault.
    #[cold]
    fn locate(&self, error: Error) -> Error {
        self.stack.iter().rev().fold(error, |error, level| match level.state {
            State::Items(index) => error.in_index(index),
            State::Entries(_, None) => error,
            State::Entries(_, Some(key)) => error.in_field(key.as_str()),
        })
    }

    /// Goes into a container.
    fn open(&mut self, kind: Kind) -> Result<()> {
        if self.reader.depth > self.reader.options.limits.max_depth {
            let limit = self.reader.options.limits.max_depth;
            return Err(Error::too_deep(limit, "max_depth").or_at(self.reader.offset()));
        }
        let at = self.reader.offset();
        let outer = match self.reader.open() {
            Ok(outer) => outer,
            Err(error) => self.cut(error)?,
        };
        self.reader.depth = self.reader.depth.saturating_add(1);
        let len = self.reader.len_of(outer, at);
        let is_long = self.reader.rest().len() >= L::COUNTS_FROM;
        let count = is_long.then(|| self.reader.count());
        self.reader.charge(L::cost(kind, count.unwrap_or(0)))?;
        let (contents, state) = match kind {
            Kind::Array => (Contents::Items, State::Items(0)),
            _ => (Contents::Entries, State::Entries(Keys::new(count.unwrap_or(0)), None)),
        };
        self.push(at, state, outer, Opened { contents, len, count });
        Ok(())
    }

    fn push(&mut self, at: usize, state: State<'b>, outer: Outer<'b>, opened: Opened) {
        let open = self.listener.open(at, self.current(), opened);
        self.stack.push(Level { state, outer, open });
    }

    /// Where the value stands that is read.
    #[inline]
    fn current(&self) -> Position<'b> {
        self.stack.last().map_or(Position::Root, |level| level.state.position())
    }

    /// Goes into a container that was refused, if the listener wants what there is of it.
    #[cold]
    fn cut(&mut self, error: Error) -> Result<Outer<'b>> {
        match self.reader.open_cut() {
            Some(outer) => self.listener.cut(self.locate(error)).map(|()| outer),
            None => Err(error),
        }
    }

    /// Leaves the innermost container.
    fn close(&mut self) -> Result<()> {
        if self.reader.is_cut() {
            return Err(self.reader.cut());
        }
        let Some(Level { outer, open, .. }) = self.stack.pop() else {
            debug_assert!(false, "a container ends that did not begin");
            return Ok(());
        };
        self.reader.depth = self.reader.depth.saturating_sub(1);
        self.reader.close(outer);
        let cost = self.listener.close(self.reader.offset(), self.current(), open);
        self.reader.charge(cost)?;
        // An element that is a container counts when it ends: till then it is the one in errors.
        if let Some(Level { state: State::Items(index), .. }) = self.stack.last_mut() {
            *index = index.saturating_add(1);
        }
        Ok(())
    }
}

/// Reads elements of the innermost container up to the next one inside it.
///
/// One loop for arrays and one for documents, so that what kind of container it is, is asked once
/// for a run of values and not for each.
#[inline]
fn elements<'b, L: Listener<'b>>(
    reader: &mut Reader<'b>,
    listener: &mut L,
    state: &mut State<'b>,
) -> Result<Option<Kind>> {
    match state {
        State::Items(index) => loop {
            let Some(kind) = reader.kind()? else { return Ok(None) };
            let at = reader.offset();
            let position = Position::Item(*index);
            let key = reader.index_key(*index)?;
            listener.key(at, kind, key, position);
            if is_container(kind) {
                return Ok(Some(kind));
            }
            let at = reader.offset();
            let kept = leaf::<L>(reader, kind)?;
            listener.leaf(at..reader.offset(), position, kept);
            *index = index.saturating_add(1);
        },
        State::Entries(keys, current) => loop {
            // Errors in a type or a key are not inside of the entry before.
            *current = None;
            let Some(kind) = reader.kind()? else { return Ok(None) };
            let at = reader.offset();
            let key = reader.key()?;
            if !reader.options.allow_duplicates && !listener.is_new(keys, key.bytes()) {
                return Err(Error::duplicate_key(key.as_str()).or_at(at));
            }
            *current = Some(key);
            let position = Position::Entry(key);
            listener.key(at, kind, key.bytes(), position);
            if is_container(kind) {
                return Ok(Some(kind));
            }
            let at = reader.offset();
            let kept = leaf::<L>(reader, kind)?;
            listener.leaf(at..reader.offset(), position, kept);
        },
    }
}

/// Skips a payload. Containers are passed by their length; what is in them is not looked at.
#[inline]
pub(crate) fn skip(reader: &mut Reader<'_>, kind: Kind) -> Result<()> {
    if reader.pass(kind) { Ok(()) } else { check(reader, kind) }
}

/// Reads what could not be skipped, to say why.
#[inline(never)]
fn check(reader: &mut Reader<'_>, kind: Kind) -> Result<()> {
    Decoder::new(reader, &mut ()).read(kind)
}

#[inline]
fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::Document | Kind::Array)
}

/// Reads a value that contains no other.
#[inline]
pub(super) fn leaf<'b, L: Listener<'b>>(reader: &mut Reader<'b>, kind: Kind) -> Result<L::Kept> {
    Ok(match kind {
        Kind::Double => L::keep(Leaf::Double(reader.double()?)),
        Kind::String => L::keep(Leaf::String(reader.text()?)),
        Kind::Bool => L::keep(Leaf::Bool(reader.bool()?)),
        Kind::Null => L::keep(Leaf::Null),
        Kind::Int32 => L::keep(Leaf::Int32(reader.int32()?)),
        Kind::Int64 => L::keep(Leaf::Int64(reader.int64()?)),
        other => return rare::<L>(reader, other),
    })
}

/// Values that the engine never writes, and dates.
#[cold]
#[inline(never)]
fn rare<'b, L: Listener<'b>>(reader: &mut Reader<'b>, kind: Kind) -> Result<L::Kept> {
    reader.charge(L::cost(kind, 0))?;
    Ok(L::keep(match kind {
        Kind::DateTime => Leaf::DateTime(reader.int64()?),
        Kind::Binary => {
            let (subtype, bytes) = reader.binary()?;
            Leaf::Binary(subtype, bytes)
        }
        other => Leaf::Other(other, reader.other(other)?),
    }))
}
