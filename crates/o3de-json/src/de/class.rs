//! Classes: objects whose members have names that the type knows.

use serde_core::de::{DeserializeSeed, MapAccess, Visitor};

use super::learn::{self, Key, Names};
use super::{Loader, Name, Slot, Source};
use crate::error::Lesson;
use crate::node::Node;
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::{Error, Result, handoff};

pub(super) fn read<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    name: &'static str,
    fields: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source } = slot;
    let old = match source {
        Source::Text(old) if loader.reader.peek()? == b'{' => old,
        Source::Text(old) => {
            loader.unfit("an object")?;
            return without_text(loader, old, fields, visitor);
        }
        Source::Old(node) => return without_text(loader, Some(node), fields, visitor),
        Source::Key(key) => {
            loader.unfit_key("an object", &key)?;
            return without_text(loader, None, fields, visitor);
        }
        Source::Default | Source::Absent => {
            loader.defaulted();
            return without_text(loader, None, fields, visitor);
        }
    };
    let start = loader.reader.offset();
    loader.reader.open()?;
    let exact = name == handoff::TRANSFORM;
    let mut access = Access::new(loader, fields, Key::of::<V>(fields), old);
    (access.in_text, access.exact, access.start) = (true, exact, start);
    match visitor.visit_map(&mut access) {
        Ok(value) => access.finish().map(|()| value),
        Err(error) => Err(access.lesson(error)),
    }
}

/// From an old value or from nothing; the code of the load stays.
fn without_text<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    old: Option<&'o Node>,
    fields: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    loader.enter_unwritten()?;
    let code = loader.code;
    let mut access = Access::new(loader, fields, Key::of::<V>(fields), old);
    let value = match visitor.visit_map(&mut access) {
        Ok(value) => value,
        Err(error) => return Err(access.lesson(error)),
    };
    loader.code = code;
    loader.leave_unwritten();
    Ok(value)
}

/// A set of field indices.
#[derive(Default)]
struct Seen {
    /// One bit for each of the first 128.
    low: u128,
    more: Vec<bool>,
}

impl Seen {
    #[inline]
    fn has(&self, index: usize) -> bool {
        match u32::try_from(index) {
            Ok(bit) if bit < 128 => self.low >> bit & 1 == 1,
            _ => self.more.get(index).copied().unwrap_or_default(),
        }
    }

    #[inline]
    fn add(&mut self, index: usize, count: usize) {
        match u32::try_from(index) {
            Ok(bit) if bit < 128 => self.low |= 1 << bit,
            _ => {
                self.more.resize(count, false);
                if let Some(seen) = self.more.get_mut(index) {
                    *seen = true;
                }
            }
        }
    }
}

struct Access<'a, 'de, 'o> {
    loader: &'a mut Loader<'de, 'o>,
    fields: &'static [&'static str],
    key: Key,
    old: &'o [(&'static str, Node)],
    /// Whether members of the text are left.
    in_text: bool,
    first: bool,
    /// Names must match in case.
    exact: bool,
    start: usize,
    /// Repeated members were looked for already.
    rescanned: bool,
    seen: Seen,
    /// The field after the last one, which is likely to come next.
    next: usize,
    code: ResultCode,
    loaded: usize,
    /// Progress in what comes after the text.
    rest: usize,
    required: Option<Names>,
    asked: bool,
    pending: Pending<'o>,
}

enum Pending<'o> {
    None,
    /// A member of the text, at a field.
    Member(usize),
    /// `{}`, of which it is not known yet whether it is a pointer.
    Empty(usize, usize),
    Old(&'o Node),
    Absent,
}

impl<'a, 'de, 'o> Access<'a, 'de, 'o> {
    #[inline]
    fn new(
        loader: &'a mut Loader<'de, 'o>,
        fields: &'static [&'static str],
        key: Key,
        old: Option<&'o Node>,
    ) -> Self {
        let old = match old {
            Some(Node::Class(members)) => members.as_slice(),
            _ => &[],
        };
        Access {
            loader,
            fields,
            key,
            old,
            in_text: false,
            first: true,
            exact: false,
            start: 0,
            rescanned: false,
            seen: Seen::default(),
            next: 0,
            code: super::load::IDLE,
            loaded: 0,
            rest: 0,
            required: None,
            asked: false,
            pending: Pending::None,
        }
    }

    /// The field that a member name means: exactly, or whatever its case.
    fn find(&self, name: &str) -> Option<usize> {
        let mut fields = self.fields.iter();
        if let Some(index) = fields.position(|field| *field == name) {
            return Some(index);
        }
        if self.exact {
            return None;
        }
        self.fields.iter().position(|field| field.eq_ignore_ascii_case(name))
    }

    /// The next member of the text that goes into a field.
    fn next_in_text(&mut self) -> Result<Option<usize>> {
        loop {
            if self.loader.halted {
                self.skip_to_end()?;
                return Ok(None);
            }
            if !self.loader.reader.next_member(&mut self.first)? {
                self.in_text = false;
                return Ok(None);
            }
            // Members mostly stand in the order of the fields.
            let expected = self.fields.get(self.next);
            let index = match expected {
                Some(field) if self.loader.reader.take_exact(field) => {
                    self.loader.reader.colon()?;
                    self.next
                }
                _ => match self.find_member()? {
                    Some(index) => index,
                    None => continue,
                },
            };
            let byte = self.loader.reader.peek()?;
            let seen = self.seen.has(index);
            let session = &self.loader.log.session;
            let plain = !seen
                && session.superseded.is_empty()
                && session.refused.is_empty()
                && session.dropped.is_empty();
            if !plain && !self.is_wanted(index, seen)? {
                continue;
            }
            if byte == b'{' {
                let at = self.loader.reader.offset();
                if self.loader.reader.take_empty_object()? && !self.empty(index, at)? {
                    continue;
                }
            }
            self.seen.add(index, self.fields.len());
            self.next = index.saturating_add(1);
            return Ok(Some(index));
        }
    }

    /// The field of the member whose name comes next; an unknown member is passed over.
    #[inline(never)]
    fn find_member(&mut self) -> Result<Option<usize>> {
        let name = self.loader.reader.string()?;
        self.loader.reader.colon()?;
        let found = self.find(&name);
        if found.is_none() {
            self.loader.reader.peek()?;
            self.unknown(&name)?;
        }
        Ok(found)
    }

    /// What to do with `{}`, which was taken; `false` if it is done with.
    fn empty(&mut self, index: usize, at: usize) -> Result<bool> {
        if learn::is_pointer(self.key, index) == Some(false) {
            self.loader.defaulted();
            self.code = self.code.combine(self.loader.code);
            self.loaded = self.loaded.saturating_add(1);
            return Ok(false);
        }
        self.loader.reader.seek(at);
        self.pending = Pending::Empty(index, at);
        Ok(true)
    }

    /// A member without a field.
    #[inline(never)]
    fn unknown(&mut self, name: &str) -> Result<()> {
        let at = self.loader.reader.offset();
        self.loader.reader.skip_value()?;
        if name == "$type" || !self.loader.log.notes_skips() {
            return Ok(());
        }
        let message = format!("unknown member \"{}\"", crate::error::Shortened(name));
        self.loader.issue(Outcome::Skipped, at, message)?;
        self.code = self.code.combine(self.loader.code);
        Ok(())
    }

    /// Whether a member that comes next is to be read, in an object or session where that is not
    /// plain. Passes it over if not.
    #[inline(never)]
    fn is_wanted(&mut self, index: usize, seen: bool) -> Result<bool> {
        let at = self.loader.reader.offset();
        let session = &self.loader.log.session;
        if let Some(message) = session.refused.get(&at).cloned() {
            self.loader.reader.skip_value()?;
            self.loader.issue(Outcome::Unsupported, at, message)?;
            self.code = self.code.combine(self.loader.code);
            return Ok(false);
        }
        let unwanted = session.superseded.contains(&at) || session.dropped.contains(&at);
        if !unwanted && !seen {
            return Ok(true);
        }
        if !unwanted && seen {
            // The last one counts: the earlier ones are passed over in another reading.
            self.find_repeated()?;
            self.loader.log.again = true;
            self.seen.add(index, self.fields.len());
        }
        self.loader.reader.skip_value()?;
        Ok(false)
    }

    /// Notes all members of this object that a later one overrides.
    fn find_repeated(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.rescanned, true) {
            return Ok(());
        }
        let mut ahead = self.loader.reader.clone();
        ahead.seek(self.start.saturating_add(1));
        let mut last: Vec<Option<usize>> = vec![None; self.fields.len()];
        let mut first = true;
        while let Some(name) = ahead.next_key(&mut first)? {
            ahead.peek()?;
            let at = ahead.offset();
            let place = self.find(&name).and_then(|index| last.get_mut(index));
            if let Some(earlier) = place.and_then(|place| place.replace(at)) {
                self.loader.log.session.superseded.insert(earlier);
            }
            ahead.skip_value()?;
        }
        Ok(())
    }

    fn skip_to_end(&mut self) -> Result<()> {
        while self.in_text && self.loader.reader.next_key(&mut self.first)?.is_some() {
            self.loader.reader.skip_value()?;
        }
        self.in_text = false;
        Ok(())
    }

    /// The next field that the text does not have, and what it gets.
    fn next_of_rest(&mut self) -> Option<(&'static str, Pending<'o>)> {
        while let Some((name, node)) = self.old.get(self.rest) {
            self.rest = self.rest.saturating_add(1);
            let index = self.fields.iter().position(|field| field == name);
            if index.is_some_and(|index| !self.seen.has(index)) {
                return Some((name, Pending::Old(node)));
            }
        }
        if !std::mem::replace(&mut self.asked, true) {
            self.required = learn::required(self.key);
        }
        loop {
            let after = self.rest.saturating_sub(self.old.len());
            let required = self.required.as_ref()?.get(after)?;
            let name = required.name;
            self.rest = self.rest.saturating_add(1);
            let index = self.fields.iter().position(|field| *field == name);
            let old = self.old.iter().any(|(old, _)| *old == name);
            let seen = index.is_some_and(|index| self.seen.has(index));
            if !old && !seen && !required.may_be_there(self.seen.low) {
                return Some((name, Pending::Absent));
            }
        }
    }

    /// An error of this type's visitor about a missing or repeated field is a lesson.
    #[cold]
    fn lesson(&self, mut error: Error) -> Error {
        let learned = match error.take_lesson() {
            Some(Lesson::Missing(name)) => learn::learn_required(self.key, name, self.seen.low),
            Some(Lesson::Repeated(name)) => learn::learn_alias(self.key, name),
            None => false,
        };
        if learned { Error::again() } else { error }
    }

    /// After a member was read.
    #[inline]
    fn note(&mut self, at: usize) {
        let code = self.loader.code;
        if code == ResultCode::SUCCESS {
            self.loaded = self.loaded.saturating_add(1);
            if self.code != ResultCode::SUCCESS {
                self.code = self.code.combine(ResultCode::SUCCESS);
            }
            return;
        }
        self.code = self.code.combine(code);
        match code.processing() {
            Processing::Altered => {
                self.loader.log.dropped.insert(at);
            }
            Processing::Halted => {
                self.loader.log.dropped.insert(at);
                self.loader.halted = true;
            }
            _ => self.loaded = self.loaded.saturating_add(1),
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.skip_to_end()?;
        let halted = self.code.processing() == Processing::Halted;
        if !halted && self.loaded < self.fields.len() {
            let outcome = match self.loaded {
                0 => Outcome::DefaultsUsed,
                _ => Outcome::PartialDefaults,
            };
            self.code = self.code.combine(ResultCode::new(Task::ReadField, outcome));
        }
        self.loader.code = self.code;
        Ok(())
    }

    /// A value that the type's own code refuses: left out, after another reading.
    #[cold]
    fn refused(&mut self, at: usize, error: Error) -> Error {
        refuse(self.loader, at, error)
    }
}

/// Turns the refusal of a type's own code into another reading without the value, where that is
/// the policy.
#[cold]
pub(super) fn refuse(loader: &mut Loader<'_, '_>, at: usize, error: Error) -> Error {
    // What this crate itself finds wrong comes with its offset, or is a limit.
    if loader.log.lenient && !error.is_again() && error.offset().is_none() && error.is_data() {
        let message = error.message().to_owned();
        if loader.log.session.refused.insert(at, message).is_none() {
            return Error::again();
        }
    }
    error.or_at(at)
}

impl<'de> MapAccess<'de> for &mut Access<'_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.pending = Pending::None;
        if self.in_text
            && let Some(index) = self.next_in_text()?
        {
            if matches!(self.pending, Pending::None) {
                self.pending = Pending::Member(index);
            }
            let name = self.fields.get(index).copied().unwrap_or_default();
            return seed.deserialize(Name(name)).map(Some);
        }
        match self.next_of_rest() {
            Some((name, pending)) => {
                self.pending = pending;
                seed.deserialize(Name(name)).map(Some)
            }
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let index = match self.pending {
            Pending::Member(index) => index,
            Pending::Empty(index, at) => return self.empty_value(index, at, seed),
            Pending::Old(node) => return self.value_without_text(Source::Old(node), seed),
            Pending::Absent | Pending::None => {
                return self.value_without_text(Source::Absent, seed);
            }
        };
        let at = self.loader.reader.offset();
        let old = match self.old {
            [] => None,
            old => self
                .fields
                .get(index)
                .and_then(|name| old.iter().find(|(known, _)| known == name).map(|(_, node)| node)),
        };
        match seed.deserialize(Slot::new(&mut *self.loader, Source::Text(old))) {
            Ok(value) => {
                self.note(at);
                Ok(value)
            }
            Err(error) => Err(self.refused(at, error)),
        }
    }
}

impl<'de, 'o> Access<'_, 'de, 'o> {
    fn value_without_text<T: DeserializeSeed<'de>>(
        &mut self,
        source: Source<'de, 'o>,
        seed: T,
    ) -> Result<T::Value> {
        let code = self.loader.code;
        let value = seed.deserialize(Slot::new(&mut *self.loader, source));
        self.loader.code = code;
        value
    }

    /// `{}` for a field seen for the first time: a pointer gets a new instance, any other type
    /// stays as it is, which takes another reading.
    #[cold]
    fn empty_value<T: DeserializeSeed<'de>>(
        &mut self,
        index: usize,
        at: usize,
        seed: T,
    ) -> Result<T::Value> {
        self.loader.pointer = false;
        let old = self.fields.get(index).and_then(|name| {
            self.old.iter().find(|(known, _)| known == name).map(|(_, node)| node)
        });
        let value = seed.deserialize(Slot::new(&mut *self.loader, Source::Text(old)));
        let pointer = std::mem::take(&mut self.loader.pointer);
        learn::learn_pointer(self.key, index, pointer);
        let value = value.map_err(|error| self.refused(at, error))?;
        if !pointer && old.is_none() {
            self.loader.log.again = true;
        }
        self.note(at);
        Ok(value)
    }
}

/// A name from the text as one of the type's own.
pub(super) fn known_name(names: &'static [&'static str], name: &str) -> Option<&'static str> {
    names
        .iter()
        .find(|known| **known == name)
        .or_else(|| names.iter().find(|known| known.eq_ignore_ascii_case(name)))
        .copied()
}

/// The kind of the next value, or none where there is no text.
pub(super) fn kind_of_text(slot: &mut Slot<'_, '_, '_>) -> Result<Option<Kind>> {
    match slot.source {
        Source::Text(_) => slot.loader.reader.peek_kind().map(Some),
        _ => Ok(None),
    }
}
