//! A document that is only looked at: one pass that checks it, and 16 bytes for each element.

use std::ops::Range;

use super::access::{Step, ValueIndex, tokens};
use super::decode::{Decoder, Leaf, Listener, Opened, Place};
use super::keys::Keys;
use super::{Value, build};
use crate::body::Body;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;
use crate::types::{Int, Url};

/// A document that was checked whole and can be looked at, over the bytes that it was read from.
///
/// It takes a fraction of the time and memory of a [`Value`], and accepts and refuses the same. Each
/// value in it is a [`ValueRef`].
///
/// ```
/// use resonite_brson::value::Tape;
///
/// let file = b"\x14\0\0\0\x02Name\0\x05\0\0\0\xc3\x85sa\0\0";
/// let body = resonite_brson::open(file)?;
/// let tape = Tape::of(&body)?;
/// assert_eq!(tape.root().get("Name").and_then(|name| name.as_str()), Some("Åsa"));
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tape<'b> {
    bson: &'b [u8],
    options: Options,
    nodes: Vec<Node>,
}

/// An element: where its key and its payload are, and the place of the element after it.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u32,
    payload: u32,
    next: u32,
    kind: Kind,
}

/// A value of a [`Tape`].
#[derive(Clone, Copy, Debug)]
pub struct ValueRef<'t> {
    tape: &'t Tape<'t>,
    node: usize,
}

impl<'b> Tape<'b> {
    /// Checks a document.
    ///
    /// # Errors
    /// Malformed BSON, a limit, or bytes after the document.
    pub fn new(bson: &'b [u8], options: &Options) -> Result<Self> {
        let mut reader = Reader::new(bson, *options);
        let mut notes = Notes::default();
        Decoder::new(&mut reader, &mut notes).read(Kind::Document)?;
        reader.end()?;
        Ok(Tape { bson, options: *options, nodes: notes.nodes })
    }

    /// Checks the document of a file.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of(body: &'b Body<'_>) -> Result<Self> {
        Tape::new(body.bson(), &body.options).map_err(|error| match body.is_packed() {
            true => Error::in_decompressed(error),
            false => error,
        })
    }

    /// The document.
    pub fn root(&self) -> ValueRef<'_> {
        ValueRef { tape: self, node: 0 }
    }

    /// How many values there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

fn narrow(at: usize) -> u32 {
    // Documents end at 2³¹ − 1 bytes.
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn wide(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The listener that notes where each element is.
#[derive(Default)]
struct Notes<'b> {
    nodes: Vec<Node>,
    /// Where the key of the element is that is read, and its type.
    key: u32,
    kind: Option<Kind>,
    /// The keys of the documents that are open, and where those of the innermost begin.
    keys: Vec<&'b [u8]>,
    start: usize,
}

/// An open container: its node, and where the keys around it begin.
struct Open {
    node: usize,
    start: usize,
}

impl Notes<'_> {
    #[inline]
    fn push(&mut self, payload: usize) -> usize {
        let place = self.nodes.len();
        let (key, next) = (self.key, narrow(place.saturating_add(1)));
        let kind = self.kind.unwrap_or(Kind::Document);
        self.nodes.push(Node { key, payload: narrow(payload), next, kind });
        place
    }
}

impl<'b> Listener<'b> for Notes<'b> {
    const COUNTS_FROM: usize = usize::MAX;
    /// Twice the node, because the nodes grow; and documents have their keys while they are read.
    const EACH: usize = 2 * size_of::<Node>() + 32;
    type Kept = ();
    type Open = Open;

    #[inline(always)]
    fn keep(_: Leaf<'b>) {}

    #[inline]
    fn is_new(&mut self, keys: &mut Keys<'b>, key: &'b [u8]) -> bool {
        let before = self.keys.get(self.start..).unwrap_or_default();
        let is_new = keys.is_new_after(key, before);
        self.keys.push(key);
        is_new
    }

    #[inline(always)]
    fn key(&mut self, at: usize, kind: Kind, _: &'b [u8], _: Place<'b>) {
        (self.key, self.kind) = (narrow(at), Some(kind));
    }

    #[inline(always)]
    fn leaf(&mut self, _: Place<'b>, (): (), bytes: Range<usize>) {
        self.push(bytes.start);
    }

    #[inline]
    fn open(&mut self, _: Place<'b>, opened: Opened<'b>) -> Open {
        let start = std::mem::replace(&mut self.start, self.keys.len());
        // The scope of code has a node as well, which the code is passed over with.
        Open { node: self.push(opened.at), start }
    }

    #[inline]
    fn close(&mut self, _: Place<'b>, open: Open, _: usize) -> usize {
        self.keys.truncate(self.start);
        self.start = open.start;
        let next = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(open.node) {
            node.next = narrow(next);
        }
        0
    }
}

impl<'t> ValueRef<'t> {
    fn node(self) -> Node {
        let none = Node { key: 0, payload: u32::MAX, next: u32::MAX, kind: Kind::Null };
        self.tape.nodes.get(self.node).copied().unwrap_or(none)
    }

    /// At the payload.
    fn reader(self) -> Reader<'t> {
        let payload = self.tape.bson.get(wide(self.node().payload)..).unwrap_or_default();
        Reader::new(payload, self.tape.options)
    }

    /// The BSON type.
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The bool.
    pub fn as_bool(self) -> Option<bool> {
        // What was checked is read again without an error.
        (self.kind() == Kind::Bool).then(|| self.reader().bool().ok())?
    }

    /// The string as it is stored.
    pub fn as_str(self) -> Option<&'t str> {
        (self.kind() == Kind::String).then(|| self.reader().string().ok())?
    }

    /// The bytes of binary data.
    pub fn as_bytes(self) -> Option<&'t [u8]> {
        let binary = (self.kind() == Kind::Binary).then(|| self.reader().binary().ok())?;
        binary.map(|(_, bytes)| bytes)
    }

    /// The integer with its width.
    pub fn as_int(self) -> Option<Int> {
        match self.kind() {
            Kind::Int32 => self.reader().int32().ok().map(Int::I32),
            Kind::Int64 => self.reader().int64().ok().map(Int::I64),
            _ => None,
        }
    }

    /// The integer of either width.
    pub fn as_i64(self) -> Option<i64> {
        self.as_int().map(Int::get)
    }

    /// The double, or the integer if a double holds it exactly.
    pub fn as_f64(self) -> Option<f64> {
        match self.kind() {
            Kind::Double => self.reader().double().ok(),
            _ => Value::from(self.as_int()?).as_f64(),
        }
    }

    /// The address that a string stands for, without its `@`; see [`Url`].
    pub fn as_url(self) -> Option<&'t str> {
        self.as_str().and_then(Url::of_stored)
    }

    /// The value as one of its own.
    ///
    /// # Errors
    /// More than [`max_memory`](Options::max_memory) bytes to hold.
    pub fn to_value(self) -> Result<Value> {
        build::decode(&mut self.reader(), self.kind())
    }

    /// The keys and values of a document, in order; nothing for other values.
    pub fn entries(self) -> impl Iterator<Item = (&'t str, ValueRef<'t>)> {
        self.children(Kind::Document).map(|value| (value.key().unwrap_or_default(), value))
    }

    /// The elements of an array, in order; nothing for other values.
    pub fn items(self) -> impl Iterator<Item = ValueRef<'t>> {
        self.children(Kind::Array)
    }

    fn children(self, kind: Kind) -> impl Iterator<Item = ValueRef<'t>> {
        let end = if self.kind() == kind { wide(self.node().next) } else { 0 };
        let mut next = self.node.saturating_add(1);
        std::iter::from_fn(move || {
            let own = ValueRef { tape: self.tape, node: next };
            next = wide(own.node().next);
            (own.node < end).then_some(own)
        })
    }

    /// The key that it is under in a document.
    pub fn key(self) -> Option<&'t str> {
        std::str::from_utf8(self.key_bytes()).ok().filter(|_| self.node > 0)
    }

    fn key_bytes(self) -> &'t [u8] {
        let node = self.node();
        let key = self.tape.bson.get(wide(node.key)..wide(node.payload)).unwrap_or_default();
        key.split_last().map_or(key, |(_, key)| key)
    }

    /// The value at a key or position.
    pub fn get<I: ValueIndex>(self, index: I) -> Option<ValueRef<'t>> {
        self.inside(index.step())
    }

    fn inside(self, step: Step<'_>) -> Option<ValueRef<'t>> {
        match step {
            Step::Key(key) => {
                self.children(Kind::Document).find(|own| own.key_bytes() == key.as_bytes())
            }
            Step::Position(at) => self.items().nth(at),
        }
    }

    /// The value at a JSON pointer, as [`Value::pointer`] has it.
    pub fn pointer(self, pointer: &str) -> Option<ValueRef<'t>> {
        tokens(pointer)?
            .try_fold(self, |own, token| own.inside(Step::of(&token, own.kind() == Kind::Array)?))
    }
}
