//! From text to [`Value`].

use std::borrow::Cow;
use std::sync::Arc;

use super::decode::{Leaf, Listener, decode};
use super::locate::located;
use super::{Array, Number, Object, Text, Value};
use crate::read::{Kind, Reader};
use crate::{Options, Result};

/// The listener that builds a [`Value`].
pub(crate) struct Builder<'s> {
    /// The reader's whole text, of which strings are parts.
    source: &'s Arc<String>,
    /// Of each open container, where its children begin in the list of its kind.
    levels: Vec<(Kind, usize)>,
    // Children of all open containers, innermost last: a container takes its own off the end, in a
    // vector of their number. The last member is the one being read.
    items: Vec<Value>,
    members: Vec<(Text, Value)>,
    /// The value at the root, once it is whole.
    root: Value,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s Arc<String>) -> Self {
        Builder {
            source,
            levels: Vec::new(),
            items: Vec::new(),
            members: Vec::new(),
            root: Value::Null,
        }
    }

    #[inline]
    fn put(&mut self, value: Value) {
        match self.levels.last() {
            Some((Kind::Object, _)) => {
                if let Some((_, place)) = self.members.last_mut() {
                    *place = value;
                }
            }
            Some(_) => self.items.push(value),
            None => self.root = value,
        }
    }

    /// A string between its quotes: a part of the source, unless it had escapes.
    #[inline]
    fn text(&self, end: usize, text: Cow<'_, str>) -> Text {
        match text {
            Cow::Borrowed(text) => {
                let end = end.saturating_sub(1);
                Text::shared(self.source, end.saturating_sub(text.len()), end)
            }
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<'t> Listener<'t> for Builder<'_> {
    #[inline]
    fn begin(&mut self, kind: Kind, _: usize) {
        let from = if kind == Kind::Object { self.members.len() } else { self.items.len() };
        self.levels.push((kind, from));
    }

    #[inline]
    fn name(&mut self, _: usize, end: usize, name: Cow<'t, str>) {
        let name = self.text(end, name);
        self.members.push((name, Value::Null));
    }

    #[inline]
    fn leaf(&mut self, start: usize, end: usize, leaf: Leaf<'t>) {
        let value = match leaf {
            Leaf::Null => Value::Null,
            Leaf::Bool(value) => Value::Bool(value),
            Leaf::Number => Value::Number(Number::spelled(Text::shared(self.source, start, end))),
            Leaf::String(text) => Value::String(self.text(end, text)),
        };
        self.put(value);
    }

    #[inline]
    fn end(&mut self, _: Kind, _: usize) {
        let value = match self.levels.pop() {
            Some((Kind::Object, from)) => Value::Object(Object(take_last(&mut self.members, from))),
            Some((_, from)) => Value::Array(Array(take_last(&mut self.items, from))),
            None => return,
        };
        self.put(value);
    }
}

/// The elements from a position on, in a vector of their size.
fn take_last<T>(list: &mut Vec<T>, from: usize) -> Vec<T> {
    if from == 0 {
        let mut all = std::mem::take(list);
        all.shrink_to_fit();
        return all;
    }
    list.split_off(from.min(list.len()))
}

/// Tells a second listener what the builder is told.
struct Beside<'b, 's, L>(Builder<'s>, &'b mut L);

impl<'t, L: Listener<'t>> Listener<'t> for Beside<'_, '_, L> {
    #[inline]
    fn begin(&mut self, kind: Kind, start: usize) {
        self.0.begin(kind, start);
        self.1.begin(kind, start);
    }

    #[inline]
    fn name(&mut self, start: usize, end: usize, name: Cow<'t, str>) {
        self.0.name(start, end, name);
        self.1.name(start, end, Cow::Borrowed(""));
    }

    #[inline]
    fn leaf(&mut self, start: usize, end: usize, leaf: Leaf<'t>) {
        self.0.leaf(start, end, leaf);
        self.1.leaf(start, end, Leaf::Number);
    }

    #[inline]
    fn end(&mut self, kind: Kind, end: usize) {
        self.0.end(kind, end);
        self.1.end(kind, end);
    }
}

/// A whole document. `beside` is told of it too, without the characters.
pub(crate) fn document<L: for<'t> Listener<'t>>(
    source: &Arc<String>,
    options: &Options,
    beside: &mut L,
) -> Result<Value> {
    let mut reader = Reader::new(source, options);
    let mut both = Beside(Builder::new(source), beside);
    decode(&mut reader, &mut both)
        .and_then(|()| reader.end())
        .map(|()| both.0.root)
        .map_err(|error| located(error, source, options))
}

/// A whole document from bytes.
pub(crate) fn bytes(bytes: Vec<u8>, options: &Options) -> Result<Value> {
    Reader::check_utf8(&bytes)?;
    document(&Arc::new(String::from_utf8(bytes).unwrap_or_default()), options, &mut ())
}
