//! The grammar: one walk over a text, without recursion, that tells a [`Listener`] what it meets.
//!
//! Whatever looks at JSON without a Rust type in mind listens here: skipping, [`Value`](super::Value),
//! the places of a [`Document`](super::Document), paths of offsets, repeated names, `explain`. Reading
//! of Rust types stands beside it in `de.rs`, because serde pulls where this pushes.

use std::borrow::Cow;
use std::ops::Range;

use crate::Result;
use crate::read::{Kind, Reader};

/// A value that holds no other.
#[derive(Debug)]
pub(crate) enum Leaf<'t> {
    Null,
    Bool(bool),
    /// Its digits are the text of the span.
    Number,
    /// Its characters; empty unless [`Listener::TEXT`].
    String(Cow<'t, str>),
}

/// Receives what the decoder reads, in order. Ranges are those of tokens; commas, colons, white space and
/// comments stand between tokens.
pub(crate) trait Listener<'t> {
    /// Whether the characters of names and strings are wanted. They are checked in any case.
    const TEXT: bool = true;

    /// An array or object begins, with its bracket at `start`.
    fn open(&mut self, _start: usize, _kind: Kind) {}

    /// A member of the innermost object begins, with its name. The colon is not yet taken.
    fn key(&mut self, _range: Range<usize>, _name: Cow<'t, str>) {}

    /// An element of the innermost array follows; whether it is a value is not known yet.
    fn element(&mut self) {}

    /// A value without values inside.
    fn leaf(&mut self, _range: Range<usize>, _leaf: Leaf<'t>) {}

    /// The innermost array or object ends; its bracket is the byte before `end`.
    fn close(&mut self, _end: usize) {}

    /// Asked after each value and bracket: whether to stop there, until
    /// [`run`](Decoder::run) is called again.
    #[inline]
    fn pauses(&self) -> bool {
        false
    }
}

/// Skips: what is wrong is still found.
impl Listener<'_> for () {
    const TEXT: bool = false;
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    #[default]
    Value,
    /// Nothing of the innermost container was read.
    First,
    /// The state after a value.
    Rest,
}

/// A walk over one value. The reader is the caller's, and must not be moved by anyone else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder {
    open: Open,
    next: Next,
}

/// The open containers, one bit each: set for objects. The innermost 64 of them need no heap, which
/// is what makes skipping as fast as it was with an explicit stack.
#[derive(Clone, Debug, Default)]
struct Open {
    low: u64,
    more: Vec<u64>,
    depth: usize,
}

impl Open {
    #[inline]
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth & 63 == 0 {
            self.more.push(self.low);
        }
        self.low = self.low << 1 | u64::from(is_object);
        self.depth = self.depth.wrapping_add(1);
    }

    #[inline]
    fn pop(&mut self) {
        debug_assert!(self.depth > 0, "only what is open ends");
        self.low >>= 1;
        self.depth = self.depth.saturating_sub(1);
        if self.depth > 0 && self.depth & 63 == 0 {
            let low = self.more.pop();
            debug_assert!(low.is_some(), "64 levels are put away together");
            self.low = low.unwrap_or_default();
        }
    }

    /// The kind of the innermost container.
    #[inline]
    fn kind(&self) -> Option<Kind> {
        match self.depth {
            0 => None,
            _ if self.low & 1 == 1 => Some(Kind::Object),
            _ => Some(Kind::Array),
        }
    }
}

impl Decoder {
    /// Reads on until the value ends (`true`) or the listener pauses (`false`).
    #[inline]
    pub(crate) fn run<'t, L: Listener<'t>>(
        &mut self,
        reader: &mut Reader<'t>,
        listener: &mut L,
    ) -> Result<bool> {
        loop {
            if self.next == Next::Value {
                self.next = self.value(reader, listener)?;
                if listener.pauses() {
                    return Ok(false);
                }
            }
            // On to the next value, out of the containers that end here.
            let Some(kind) = self.open.kind() else { return Ok(true) };
            let mut first = self.next == Next::First;
            let more = match kind {
                Kind::Object => reader.next_member(&mut first)?,
                _ => reader.next_element(&mut first)?,
            };
            if !more {
                self.open.pop();
                self.next = Next::Rest;
                listener.close(reader.offset());
                if listener.pauses() {
                    return Ok(false);
                }
                continue;
            }
            self.next = Next::Value;
            if kind == Kind::Object {
                let start = reader.offset();
                let name = string::<L>(reader)?;
                listener.key(start..reader.offset(), name);
                reader.colon()?;
            } else {
                listener.element();
            }
        }
    }

    /// A leaf, or the beginning of a container.
    #[inline]
    fn value<'t, L: Listener<'t>>(
        &mut self,
        reader: &mut Reader<'t>,
        listener: &mut L,
    ) -> Result<Next> {
        let kind = reader.peek_kind()?;
        let start = reader.offset();
        let leaf = match kind {
            Kind::String => Leaf::String(string::<L>(reader)?),
            Kind::Number => {
                reader.skip_number()?;
                Leaf::Number
            }
            Kind::Null => {
                reader.literal("null")?;
                Leaf::Null
            }
            Kind::Bool => Leaf::Bool(reader.bool()?),
            Kind::Array | Kind::Object => {
                reader.open()?;
                self.open.push(kind == Kind::Object);
                listener.open(start, kind);
                return Ok(Next::First);
            }
        };
        listener.leaf(start..reader.offset(), leaf);
        Ok(Next::Rest)
    }
}

#[inline]
fn string<'t, L: Listener<'t>>(reader: &mut Reader<'t>) -> Result<Cow<'t, str>> {
    if L::TEXT {
        return reader.string();
    }
    reader.skip_string().map(|()| Cow::Borrowed(""))
}

/// Reads the value that comes next.
#[inline]
pub(crate) fn decode<'t, L: Listener<'t>>(reader: &mut Reader<'t>, listener: &mut L) -> Result<()> {
    Decoder::default().run(reader, listener).map(drop)
}

/// Takes the value that comes next without making anything of it, and checks it all the same.
#[inline]
pub(crate) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    decode(reader, &mut ())
}

/// Where the last member of each name is in the object that comes next, which is taken, and where the
/// object ends.
pub(crate) fn find_members<const N: usize>(
    reader: &mut Reader<'_>,
    names: [&str; N],
) -> Result<([Option<usize>; N], usize)> {
    let (mut places, mut first) = ([None; N], true);
    reader.open()?;
    while let Some(name) = reader.next_key(&mut first)? {
        reader.peek()?;
        let mut named = places.iter_mut().zip(names).filter(|(_, own)| name == *own);
        named.next().map(|(place, _)| place.insert(reader.offset()));
        skip(reader)?;
    }
    Ok((places, reader.offset()))
}
