//! From text to [`Value`].

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::decode::{Leaf, Listener, decode, skip};
use super::locate::located;
use super::{Array, Number, Object, Text, Value};
use crate::read::{Input, Kind, Reader, foreign};
use crate::{Error, Options, Result};

/// The listener that builds a [`Value`].
pub(crate) struct Builder<'s> {
    /// The reader's whole text, of which strings are parts.
    source: &'s Arc<String>,
    /// The open containers, and where their children begin in the list of their kind.
    levels: Vec<(Kind, usize)>,
    // Children of all open containers, innermost last: a container takes its own off the end, in a
    // vector of their number. The last member is the one being read.
    items: Vec<Value>,
    members: Vec<(Text, Value)>,
    /// The value at the root, once it is whole.
    root: Value,
    /// How many bytes of memory it may still take, and whether it has taken more.
    left: usize,
    is_over: bool,
    /// Bytes taken beside each name, value and container.
    beside: usize,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s Arc<String>, left: usize, beside: usize) -> Self {
        Builder {
            source,
            left,
            is_over: false,
            beside,
            levels: Vec::new(),
            items: Vec::new(),
            members: Vec::new(),
            root: Value::Null,
        }
    }

    /// Takes memory for a part of the value: two and a half times what it is in the end, because
    /// vectors grow by half, and then have the old elements twice.
    #[inline]
    fn take(&mut self, bytes: usize) {
        let bytes = (bytes.saturating_mul(5) >> 1).saturating_add(self.beside);
        let (left, is_over) = self.left.overflowing_sub(bytes);
        self.left = left;
        self.is_over |= is_over;
    }

    #[inline]
    fn put(&mut self, value: Value) {
        match self.levels.last() {
            Some((Kind::Object, _)) => {
                debug_assert!(!self.members.is_empty(), "a name stands before its value");
                if let Some((_, place)) = self.members.last_mut() {
                    *place = value;
                }
            }
            Some(_) => push(&mut self.items, value),
            None => self.root = value,
        }
    }

    /// A string between its quotes: a part of the source, unless it had escapes.
    #[inline]
    fn text(&self, Range { start, end }: Range<usize>, text: Cow<'_, str>) -> Text {
        match text {
            Cow::Borrowed(_) => {
                Text::shared(self.source, start.saturating_add(1), end.saturating_sub(1))
            }
            Cow::Owned(text) => text.into(),
        }
    }

    /// The value, and the memory that is left, unless it took too much.
    fn finish(self, end: usize, options: &Options) -> Result<(Value, usize)> {
        match self.is_over {
            true => Err(Error::memory(options).or_at(end)),
            false => Ok((self.root, self.left)),
        }
    }
}

impl<'t> Listener<'t> for Builder<'_> {
    #[inline]
    fn open(&mut self, _: usize, kind: Kind) {
        self.take(size_of::<Value>());
        let from = if kind == Kind::Object { self.members.len() } else { self.items.len() };
        self.levels.push((kind, from));
    }

    #[inline]
    fn key(&mut self, range: Range<usize>, name: Cow<'t, str>) {
        self.take(size_of::<Text>().saturating_add(owned(&name)));
        let name = self.text(range, name);
        push(&mut self.members, (name, Value::Null));
    }

    #[inline]
    fn leaf(&mut self, range: Range<usize>, leaf: Leaf<'t>) {
        let text = if let Leaf::String(text) = &leaf { owned(text) } else { 0 };
        self.take(size_of::<Value>().saturating_add(text));
        let value = match leaf {
            Leaf::Null => Value::Null,
            Leaf::Bool(value) => Value::Bool(value),
            Leaf::Number => {
                Value::Number(Number::spelled(Text::shared(self.source, range.start, range.end)))
            }
            Leaf::String(text) => Value::String(self.text(range, text)),
        };
        self.put(value);
    }

    #[inline]
    fn close(&mut self, _: usize) {
        let value = match self.levels.pop() {
            Some((Kind::Object, from)) => Value::Object(Object(take_last(&mut self.members, from))),
            Some((_, from)) => Value::Array(Array(take_last(&mut self.items, from))),
            None => return debug_assert!(false, "only what is open ends"),
        };
        self.put(value);
    }

    #[inline]
    fn pauses(&self) -> bool {
        self.is_over
    }
}

/// Adds to a list that grows by half, which takes less memory than doubling.
#[inline]
fn push<T>(list: &mut Vec<T>, one: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() >> 1).saturating_add(16));
    }
    list.push(one);
}

/// The length of a text that is no part of the source.
#[allow(clippy::ptr_arg, reason = "whether it is owned is what is asked")]
fn owned(text: &Cow<'_, str>) -> usize {
    if let Cow::Owned(text) = text { text.len() } else { 0 }
}

/// The elements from a position on, in a vector of their size.
fn take_last<T>(list: &mut Vec<T>, from: usize) -> Vec<T> {
    debug_assert!(from <= list.len(), "children are taken off by their container");
    // A long list is not copied where it is all there is.
    if from == 0 && list.len() > 1 << 10 {
        let mut all = std::mem::take(list);
        all.shrink_to_fit();
        return all;
    }
    list.drain(from.min(list.len())..).collect()
}

/// A whole document. `beside` is the memory that the caller will take for each name and value of it.
pub(crate) fn document(source: &Arc<String>, options: &Options, beside: usize) -> Result<Value> {
    let mut reader = Reader::new(source, options);
    let left = options.limits.memory(source.len()).saturating_sub(source.len());
    let mut builder = Builder::new(source, left, beside);
    decode(&mut reader, &mut builder)
        .and_then(|()| builder.finish(reader.offset(), options))
        .and_then(|(value, _)| reader.end().map(|()| value))
        .map_err(|error| {
            let error = located(error, Input::text(source), options);
            match error.offset().and_then(|offset| source.get(..offset)) {
                Some(before) if options.invalid_utf8 => error.moved(foreign::len(before)),
                _ => error,
            }
        })
}

/// Reads the value that comes next as a separate document, with `left` bytes of memory, and
/// returns how many are left. The `last` value of a text need not be skipped first to find its end.
pub(crate) fn inside(
    reader: &mut Reader<'_>,
    last: bool,
    left: usize,
    options: &Options,
) -> Result<(Value, usize)> {
    reader.peek_kind()?;
    let (start, is_text) = (reader.offset(), reader.is_text());
    let end = match last {
        true => reader.bytes().len(),
        false => skip(reader).map(|()| reader.offset())?,
    };
    let left = left.checked_sub(end.saturating_sub(start)).ok_or_else(|| Error::memory(options))?;
    let source = Arc::new(reader.between(start, end).into_owned());
    let mut inner = reader.over(&source);
    let mut builder = Builder::new(&source, left, 0);
    let done =
        decode(&mut inner, &mut builder).and_then(|()| builder.finish(inner.offset(), options));
    // Offsets of the document are not those of bytes that are no text.
    let at = |offset| {
        let before = source.get(..offset).filter(|_| !is_text);
        start.saturating_add(before.map_or(offset, foreign::len))
    };
    reader.seek(at(inner.offset()));
    done.map_err(|error| match error.offset() {
        Some(offset) => error.moved(at(offset)),
        None => error,
    })
}
