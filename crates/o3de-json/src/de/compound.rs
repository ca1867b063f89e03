//! Sequences and tuples, and values of any kind.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::DefaultHasher;
use std::slice;

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use super::buffers::{self, InVariant, Key};
use super::map;
use super::readings::IDLE;
use super::slot::{HANDED_OUT, Loader, Role, Slot, Source};
use crate::node::Node;
use crate::read::{Kind, Reader, Worth};
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::value::decode::skip;
use crate::{Error, Result};

/// A list or vector; or one of the engine's sets, which say that they have no room for what they have already. Sets of
/// the standard library look like lists to serde, and pass it over themselves.
#[inline]
pub(super) fn sequence<'de, const SET: bool, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source, of, .. } = slot;
    let (old, text) = match source {
        Source::Text(old) if loader.reader.peek()? == b'[' => {
            loader.reader.open_typed()?;
            (old.filter(|_| !loader.options.clear_containers), true)
        }
        source => (loader.fallback(source, "an array")?, false),
    };
    let old = match old {
        Some(Node::Seq(_, elements) | Node::Tuple(elements)) => elements.as_slice(),
        _ => &[],
    };
    let known = SET.then(HashSet::new);
    let code = if text { IDLE } else { loader.code };
    let mut access = Elements::<SET> {
        loader,
        old: old.iter(),
        text,
        first: true,
        code,
        known,
        done: false,
        of,
    };
    let value = visitor.visit_seq(&mut access)?;
    access.finish()?;
    Ok(value)
}

struct Elements<'a, 'de, 'o, const SET: bool> {
    loader: &'a mut Loader<'de, 'o>,
    old: slice::Iter<'o, Node>,
    text: bool,
    first: bool,
    code: ResultCode,
    /// Hashes of the elements of a set.
    known: Option<HashSet<u64>>,
    done: bool,
    /// The type whose buffer the elements are for.
    of: &'static str,
}

impl<'de, 'o, const SET: bool> Elements<'_, 'de, 'o, SET> {
    #[inline(always)]
    fn note(&mut self, at: usize) {
        if self.loader.code == ResultCode::SUCCESS
            && matches!(self.code, ResultCode::SUCCESS | IDLE)
        {
            self.code = ResultCode::SUCCESS;
        } else {
            self.note_other(at);
        }
    }

    #[inline(never)]
    fn note_other(&mut self, at: usize) {
        let code = self.loader.code;
        match code.processing() {
            Processing::Halted => {
                // The engine stops here, with the code from before this element.
                self.loader.leave_out(at);
                self.done = true;
                return;
            }
            Processing::Altered => self.loader.leave_out(at),
            _ => {}
        }
        self.code = self.code.combine(code);
    }

    /// Reads an element that was there before.
    #[cold]
    #[inline(never)]
    fn old_element<T: DeserializeSeed<'de>>(
        &mut self,
        node: &'o Node,
        seed: T,
    ) -> Result<T::Value> {
        let code = self.loader.code;
        let outer = SET.then(|| self.loader.begin_trace());
        let read = seed.deserialize(Slot::new(&mut *self.loader, Source::Old(node)));
        if let Some(outer) = outer {
            self.note_known(outer, None)?;
        }
        self.loader.code = code;
        read
    }

    /// Comes to an element of the text, and returns its offset.
    #[inline(always)]
    fn next_in_text(&mut self) -> Result<Option<usize>> {
        loop {
            if !self.text || self.done || self.loader.halted {
                return Ok(None);
            }
            if !self.loader.reader.next_element(&mut self.first)? {
                self.text = false;
                self.close();
                return Ok(None);
            }
            if !self.loader.left_out()? {
                self.loader.reader.skip_space()?;
                return Ok(Some(self.loader.reader.offset()));
            }
            self.done = self.loader.halted;
            if !self.done {
                self.code = self.code.combine(self.loader.code);
            }
        }
    }

    /// Takes down an element of a set, and says of one of the text that it is there already.
    #[inline(never)]
    fn note_known(&mut self, outer: Option<DefaultHasher>, at: Option<usize>) -> Result<()> {
        let hash = self.loader.end_trace(outer);
        let is_altered = at.is_some() && self.loader.code.processing() != Processing::Completed;
        let is_new = is_altered || self.known.as_mut().is_none_or(|known| known.insert(hash));
        match at.filter(|_| !is_new) {
            None => Ok(()),
            Some(at) => {
                let message = "the set has this element already".to_owned();
                self.loader.issue(Outcome::Unavailable, at, message)
            }
        }
    }

    /// Sets the code that the engine reports for the container.
    fn finish(&mut self) -> Result<()> {
        if self.text {
            while self.loader.reader.next_element(&mut self.first)? {
                skip(&mut self.loader.reader)?;
            }
            if !self.loader.halted {
                self.close();
            }
        }
        if self.done {
            self.loader.go_on();
        }
        self.loader.code = self.code;
        Ok(())
    }

    /// The bracket was taken.
    #[inline]
    fn close(&mut self) {
        if self.code.is_idle() {
            self.code = ResultCode::SUCCESS;
        }
        // A container with anything in it is more than a default.
        if self.code.outcome() == Outcome::DefaultsUsed {
            self.code = ResultCode::new(Task::ReadField, Outcome::PartialDefaults);
        }
    }
}

impl<'de, const SET: bool> SeqAccess<'de> for &mut Elements<'_, 'de, '_, SET> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if let Some(node) = self.old.next() {
            return self.old_element(node, seed).map(Some);
        }
        let Some(at) = self.next_in_text()? else { return Ok(None) };
        let outer = SET.then(|| self.loader.begin_trace());
        // The one call here: what it does is inlined.
        let read =
            seed.deserialize(Slot::of::<T::Value>(&mut *self.loader, Source::Text(None), self.of));
        if let Some(outer) = outer {
            self.note_known(outer, Some(at).filter(|_| read.is_ok()))?;
        }
        match read {
            Ok(value) => {
                self.note(at);
                Ok(Some(value))
            }
            Err(error) => Err(self.loader.readings.refuse(at, error)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match self.old.len() {
            0 => None,
            count => Some(count),
        }
    }
}

/// How many elements the array that comes next has. Does not move.
fn count_elements(reader: &Reader<'_>) -> Result<usize> {
    let mut ahead = reader.clone();
    ahead.open()?;
    let (mut count, mut first) = (0_usize, true);
    while ahead.next_element(&mut first)? {
        skip(&mut ahead)?;
        count = count.saturating_add(1);
    }
    Ok(count)
}

/// An array, pair or tuple.
pub(super) fn tuple<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    len: usize,
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source, role, .. } = slot;
    let text = matches!(source, Source::Text(_))
        && loader.reader.peek()? == b'['
        && (!loader.readings.is_lenient()
            || loader.docs()
            || count_elements(&loader.reader)? >= len);
    let start = loader.reader.offset();
    let old = match source {
        Source::Text(old) if text => loader.reader.open_typed().map(|()| old)?,
        source => loader.fallback(source, format_args!("an array of {len} or more elements"))?,
    };
    let old = match old {
        Some(Node::Tuple(elements) | Node::Seq(_, elements)) => elements.as_slice(),
        _ => &[],
    };
    if !text {
        loader.enter_unwritten()?;
    }
    let code = if text { IDLE } else { loader.code };
    let mut access = Slots {
        loader,
        old,
        index: 0,
        len,
        text,
        was_text: text,
        is_tuple: role == Role::Tuple,
        first: true,
        code,
        start,
    };
    let value = visitor.visit_seq(&mut access).map_err(|error| error.or_at(start))?;
    access.finish()?;
    if !text {
        loader.leave_unwritten();
    }
    Ok(value)
}

struct Slots<'a, 'de, 'o> {
    loader: &'a mut Loader<'de, 'o>,
    old: &'o [Node],
    index: usize,
    len: usize,
    /// Whether elements of the text are left.
    text: bool,
    was_text: bool,
    /// Whether it has the rules of the engine's tuples, not those of its arrays.
    is_tuple: bool,
    first: bool,
    code: ResultCode,
    /// Where the array begins.
    start: usize,
}

impl<'de, 'o> Slots<'_, 'de, 'o> {
    /// Comes to an element of the text for this slot.
    #[inline]
    fn next_in_text(&mut self) -> Result<bool> {
        loop {
            if self.loader.halted {
                return Ok(false);
            }
            if !self.loader.reader.next_element(&mut self.first)? {
                self.text = false;
                if !self.loader.readings.is_lenient() && !self.loader.docs() {
                    let (count, len) = (self.index, self.len);
                    let plural = if count == 1 { "" } else { "s" };
                    let message = format!(
                        "expected an array of {len} or more elements, found {count} element{plural}"
                    );
                    // The elements are taken, so this is no more than an error.
                    self.loader.issue(Outcome::Unsupported, self.start, message)?;
                }
                return Ok(false);
            }
            if !self.loader.left_out()? {
                return Ok(true);
            }
            self.code = self.code.combine(self.loader.code);
            if !self.is_tuple {
                return Ok(false);
            }
        }
    }

    /// Reads a slot that the text does not have.
    #[cold]
    #[inline(never)]
    fn absent<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let mut old = self.old.get(self.index);
        if self.was_text && self.loader.docs() {
            // The page fills up with defaults, whatever was there.
            let missing = ResultCode::new(Task::ReadField, Outcome::DefaultsUsed);
            (self.code, old) = (self.code.combine(missing), None);
        }
        self.index = self.index.saturating_add(1);
        let code = self.loader.code;
        let source = old.map_or(Source::Absent, Source::Old);
        let value = seed.deserialize(Slot::new(&mut *self.loader, source))?;
        self.loader.code = code;
        Ok(value)
    }

    fn finish(&mut self) -> Result<()> {
        let mut spare = None;
        while self.text && self.loader.reader.next_element(&mut self.first)? {
            self.loader.reader.peek()?;
            spare.get_or_insert(self.loader.reader.offset());
            skip(&mut self.loader.reader)?;
        }
        let noted = !self.is_tuple && !self.loader.halted && self.loader.readings.notes_skips();
        if let Some(at) = spare.filter(|_| noted) {
            let message = format!("more elements than the {} of the array", self.len);
            self.loader.issue(Outcome::Skipped, at, message)?;
            self.code = self.code.combine(self.loader.code);
        }
        self.loader.code = self.code;
        Ok(())
    }
}

impl<'de> SeqAccess<'de> for &mut Slots<'_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.index >= self.len {
            return Ok(None);
        }
        if self.text && self.next_in_text()? {
            self.loader.reader.skip_space()?;
            let at = self.loader.reader.offset();
            let old = self.old.get(self.index);
            let value = seed
                .deserialize(Slot::of::<T::Value>(&mut *self.loader, Source::Text(old), ""))
                .map_err(|error| self.loader.readings.refuse(at, error))?;
            let code = self.loader.code;
            if code != ResultCode::SUCCESS || self.code != ResultCode::SUCCESS {
                self.code = self.code.combine(code);
                if !matches!(code.processing(), Processing::Completed | Processing::PartialAlter) {
                    self.loader.leave_in_place(at);
                }
            }
            self.index = self.index.saturating_add(1);
            return Ok(Some(value));
        }
        self.absent(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.index))
    }
}

/// A value of whatever kind the text has.
pub(super) fn any<'de, V: Visitor<'de>>(slot: Slot<'_, 'de, '_>, visitor: V) -> Result<V::Value> {
    let Slot { loader, source, role, of } = slot;
    match source {
        Source::Text(_) => {}
        Source::Key(Cow::Borrowed(key)) => return visitor.visit_borrowed_str(key),
        Source::Key(Cow::Owned(key)) => return visitor.visit_string(key),
        Source::Old(node) => return any_old(loader, node, visitor),
        source @ (Source::Default | Source::Absent) => {
            return map::read(Slot::new(loader, source), map::Values::One, visitor);
        }
    }
    let kind = loader.reader.peek_kind()?;
    loader.code = ResultCode::SUCCESS;
    loader.charge(HANDED_OUT)?;
    match kind {
        Kind::Null => {
            loader.reader.literal("null")?;
            visitor.visit_unit()
        }
        Kind::Bool => visitor.visit_bool(loader.reader.bool()?),
        Kind::Number => match loader.reader.number()? {
            Worth::Unsigned(value) => visitor.visit_u64(value),
            Worth::Signed(value) => visitor.visit_i64(value),
            Worth::Double(value) => visitor.visit_f64(value),
        },
        Kind::String => {
            let text = loader.reader.string()?;
            loader.charge(text.len())?;
            match text {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            }
        }
        Kind::Array => {
            let slot = Slot { loader, source, role: Role::Any, of };
            sequence::<false, _>(slot, visitor)
        }
        Kind::Object if matches!(role, Role::Content | Role::OtherContent) => {
            buffers::content(Slot { loader, source, role, of }, visitor)
        }
        Kind::Object if buffers::is_buffer::<V::Value>() => buffers::object(loader, of, visitor),
        Kind::Object => map::any(loader, of, map::Values::Any, visitor),
    }
}

/// An old value for a type that asks for anything.
fn any_old<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    node: &'o Node,
    visitor: V,
) -> Result<V::Value> {
    match node {
        Node::Unit | Node::Null | Node::None | Node::Any(..) => visitor.visit_unit(),
        Node::Bool(value) => visitor.visit_bool(*value),
        Node::Unsigned(value) | Node::Flags(value, _) => visitor.visit_u64(*value),
        Node::Signed(value) => visitor.visit_i64(*value),
        Node::Float(value) => visitor.visit_f32(*value),
        Node::Double(value) => visitor.visit_f64(*value),
        Node::Text(text) | Node::Raw(text) => visitor.visit_str(text),
        Node::Name(name) => visitor.visit_borrowed_str(name),
        Node::Bytes(bytes) | Node::Base64(bytes) => visitor.visit_bytes(bytes),
        Node::Uuid(uuid) => visitor.visit_string(uuid.to_string()),
        Node::Some(inner) => any_old(loader, inner, visitor),
        Node::Variant { name, content, .. } => {
            let content = Some(Slot::new(loader, Source::Old(content)));
            visitor.visit_map(InVariant { key: Some(Key::Name(name)), content })
        }
        Node::Seq(..) | Node::Tuple(_) => {
            sequence::<false, _>(Slot::new(loader, Source::Old(node)), visitor)
        }
        Node::Map(..) | Node::Class(_) => {
            map::read(Slot::new(loader, Source::Old(node)), map::Values::One, visitor)
        }
        Node::Reals(_, values) => {
            visitor.visit_seq(serde_core::de::value::SeqDeserializer::new(values.iter().copied()))
        }
    }
}
