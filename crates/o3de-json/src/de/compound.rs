//! Sequences and tuples, and values of any kind.

use std::borrow::Cow;
use std::collections::HashSet;
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

/// How a container treats an element that it has already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    /// It is an element like any other. Sets of the standard library look like this to serde, and
    /// pass it over themselves.
    Kept,
    /// The engine's sets say that they have no room for it.
    Unavailable,
}

/// A list, vector or set.
#[inline]
pub(super) fn sequence<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    repeated: Repeated,
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
    let known = (repeated == Repeated::Unavailable && text).then(HashSet::new);
    let code = if text { IDLE } else { loader.code };
    let mut access =
        Elements { loader, old: old.iter(), text, first: true, code, known, done: false, of };
    let value = visitor.visit_seq(&mut access)?;
    access.finish()?;
    Ok(value)
}

struct Elements<'a, 'de, 'o> {
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

impl Elements<'_, '_, '_> {
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

impl<'de> SeqAccess<'de> for &mut Elements<'_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if let Some(node) = self.old.next() {
            let read = |loader: &mut _| seed.deserialize(Slot::new(loader, Source::Old(node)));
            let Some(known) = &mut self.known else { return read(&mut *self.loader).map(Some) };
            let code = self.loader.code;
            let (value, hash) = self.loader.traced(read)?;
            known.insert(hash);
            self.loader.code = code;
            return Ok(Some(value));
        }
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
                break;
            }
            self.done = self.loader.halted;
            if !self.done {
                self.code = self.code.combine(self.loader.code);
            }
        }
        self.loader.reader.skip_space()?;
        let at = self.loader.reader.offset();
        let read = match &mut self.known {
            None => {
                let source = Source::Text(None);
                seed.deserialize(Slot::of::<T::Value>(&mut *self.loader, source, self.of))
            }
            Some(known) => {
                let traced = self
                    .loader
                    .traced(|loader| seed.deserialize(Slot::new(loader, Source::Text(None))));
                match traced {
                    Ok((value, hash)) => {
                        let altered = self.loader.code.processing() != Processing::Completed;
                        if !altered && !known.insert(hash) {
                            let message = "the set has this element already".to_owned();
                            self.loader.issue(Outcome::Unavailable, at, message)?;
                        }
                        Ok(value)
                    }
                    Err(error) => Err(error),
                }
            }
        };
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

    /// The source for a slot that the text does not have.
    fn absent(&mut self) -> Source<'de, 'o> {
        if self.was_text && self.loader.docs() {
            // The page fills up with defaults, whatever was there.
            let missing = ResultCode::new(Task::ReadField, Outcome::DefaultsUsed);
            self.code = self.code.combine(missing);
            return Source::Absent;
        }
        self.old.get(self.index).map_or(Source::Absent, Source::Old)
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
        let source = self.absent();
        self.index = self.index.saturating_add(1);
        let code = self.loader.code;
        let value = seed.deserialize(Slot::new(&mut *self.loader, source))?;
        self.loader.code = code;
        Ok(Some(value))
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
            sequence(slot, Repeated::Kept, visitor)
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
            sequence(Slot::new(loader, Source::Old(node)), Repeated::Kept, visitor)
        }
        Node::Map(..) | Node::Class(_) => {
            map::read(Slot::new(loader, Source::Old(node)), map::Values::One, visitor)
        }
        Node::Reals(_, values) => {
            visitor.visit_seq(serde_core::de::value::SeqDeserializer::new(values.iter().copied()))
        }
    }
}
