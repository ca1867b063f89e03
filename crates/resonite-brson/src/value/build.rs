//! The listener that builds a [`Value`].

use std::mem;
use std::ops::Range;

use gamewire_core::bytes::part;

use super::decode::{self, Contents, Decoder, Leaf, Listener, Opened, Position};
use super::keys::Keys;
use super::{Array, Document, Key};
use crate::Value;
use crate::error::Result;
use crate::kind::Kind;
use crate::read::Reader;
use crate::text::Str;
use crate::types::{Binary, DateTime, Other};

/// Reads the payload of a value.
#[inline]
pub(crate) fn decode(reader: &mut Reader<'_>, kind: Kind) -> Result<Value> {
    match kind {
        Kind::Document | Kind::Array => {
            let mut builder = Builder::default();
            Decoder::new(reader, &mut builder).read(kind)?;
            Ok(builder.root)
        }
        _ => decode::leaf::<Builder>(reader, kind),
    }
}

/// Builds a value from inside out.
#[derive(Default)]
pub(crate) struct Builder {
    items: Pile<Value>,
    entries: Pile<(Key, Value)>,
    pub(super) root: Value,
}

/// The elements of the open arrays, or the entries of the open documents.
///
/// Adding to the innermost container needs no check. A long container has a separate vector, of
/// the right size because it was counted: growing would copy each element once more and hold twice
/// the memory. Short ones share one vector, and each takes its own part out when it ends, which costs
/// less than to count it.
struct Pile<T> {
    own: Vec<T>,
    /// Where the innermost container begins in `own`.
    start: usize,
    /// Whether `own` is that of short containers; the other one is then not in use.
    is_short: bool,
    spare: Vec<T>,
}

/// The state of a [`Pile`] before a container was opened.
pub(crate) enum Before<T> {
    Short(usize),
    /// The vector, whether it was that of short ones, and where the innermost began.
    Other(Vec<T>, bool, usize),
}

impl<T> Default for Pile<T> {
    fn default() -> Self {
        Pile { own: Vec::new(), start: 0, is_short: true, spare: Vec::new() }
    }
}

impl<T> Pile<T> {
    #[inline]
    fn open(&mut self, count: Option<usize>) -> Before<T> {
        let (before, was_short) = (self.start, self.is_short);
        self.is_short = count.is_none();
        let next = match count {
            None if was_short => {
                self.start = self.own.len();
                return Before::Short(before);
            }
            None => mem::take(&mut self.spare),
            // The count is of elements that are present, at two bytes each, so it is no mere claim.
            Some(count) => Vec::with_capacity(count),
        };
        self.start = 0;
        Before::Other(mem::replace(&mut self.own, next), was_short, before)
    }

    #[inline]
    fn close(&mut self, before: Before<T>) -> Vec<T> {
        match before {
            Before::Short(before) => {
                let contents = self.own.split_off(self.start);
                self.start = before;
                contents
            }
            Before::Other(other, was_short, before) => {
                let mut contents = mem::replace(&mut self.own, other);
                if self.is_short {
                    self.spare = contents;
                    contents = Vec::with_capacity(self.spare.len());
                    contents.append(&mut self.spare);
                }
                (self.start, self.is_short) = (before, was_short);
                contents
            }
        }
    }
}

/// An open container, with the state before it.
pub(crate) enum Unfinished {
    Items(Before<Value>),
    Entries(Before<(Key, Value)>),
}

impl<'b> Listener<'b> for Builder {
    /// A document of fewer bytes has at most 84 keys, so that comparing each with all is no harm.
    const COUNTS_FROM: usize = 256;
    type Kept = Value;
    type Open = Unfinished;

    #[inline]
    fn cost(kind: Kind, count: usize) -> usize {
        // Long documents have a set of their keys while they are read.
        let entry = size_of::<(Key, Value)>().saturating_add(if count > 32 { 48 } else { 0 });
        match kind {
            Kind::Array => count.saturating_mul(size_of::<Value>()),
            Kind::Document => count.saturating_mul(entry),
            // Beside what is copied, which is paid for.
            _ => 64,
        }
    }

    #[inline(always)]
    fn keep(leaf: Leaf<'b>) -> Value {
        match leaf {
            Leaf::Double(v) => Value::Double(v),
            Leaf::String(v) => Value::String(Str::of(v)),
            Leaf::Bool(v) => Value::Bool(v),
            Leaf::Null => Value::Null,
            Leaf::Int32(v) => Value::Int32(v),
            Leaf::Int64(v) => Value::Int64(v),
            rare => keep_rare(rare),
        }
    }

    #[inline]
    fn is_new(&mut self, keys: &mut Keys<'b>, key: &'b [u8]) -> bool {
        keys.is_new_in(key, part(&self.entries.own, self.entries.start..))
    }

    #[inline(always)]
    fn leaf(&mut self, _: Range<usize>, position: Position<'b>, value: Value) {
        self.attach(position, value);
    }

    #[inline]
    fn open(&mut self, _: usize, _: Position<'b>, opened: Opened) -> Unfinished {
        match opened.contents {
            Contents::Items => Unfinished::Items(self.items.open(opened.count)),
            Contents::Entries => Unfinished::Entries(self.entries.open(opened.count)),
        }
    }

    #[inline]
    fn close(&mut self, _: usize, position: Position<'b>, open: Unfinished) -> usize {
        let (value, cost) = match open {
            Unfinished::Items(before) => {
                let is_paid = !self.items.is_short;
                let items = self.items.close(before);
                let cost = if is_paid { 0 } else { Self::cost(Kind::Array, items.len()) };
                (Value::Array(Array(items)), cost)
            }
            Unfinished::Entries(before) => {
                let is_paid = !self.entries.is_short;
                let entries = self.entries.close(before);
                let cost = if is_paid { 0 } else { Self::cost(Kind::Document, entries.len()) };
                (Value::Document(Document(entries)), cost)
            }
        };
        self.attach(position, value);
        cost
    }
}

impl Builder {
    #[inline(always)]
    fn attach(&mut self, position: Position<'_>, value: Value) {
        match position {
            Position::Item(_) => self.items.own.push(value),
            Position::Entry(key) => self.entries.own.push((Key::of(key), value)),
            Position::Root => self.root = value,
        }
    }
}

#[cold]
#[inline(never)]
fn keep_rare(leaf: Leaf<'_>) -> Value {
    match leaf {
        Leaf::DateTime(v) => Value::DateTime(DateTime(v)),
        Leaf::Binary(subtype, bytes) => {
            Value::Binary(Box::new(Binary { subtype, bytes: bytes.to_vec() }))
        }
        Leaf::Other(kind, bytes) => Value::Other(Other::of(kind, bytes.to_vec())),
        // The common ones are kept where this is called.
        Leaf::Null
        | Leaf::Bool(_)
        | Leaf::Int32(_)
        | Leaf::Int64(_)
        | Leaf::Double(_)
        | Leaf::String(_) => {
            debug_assert!(false, "a value that is not rare");
            Value::Null
        }
    }
}
