//! Classes: objects whose members have names that the type knows.

use gamewire_core::words::Shortened;
use serde_core::de::value::CowStrDeserializer;
use serde_core::de::{DeserializeSeed, Error as _, MapAccess, Visitor};

use super::pointer::check_type;
use super::readings::IDLE;
use super::slot::{Loader, Name, Role, Slot, Source};
use crate::node::Node;
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::types::handoff;
use crate::value::decode::skip;
use crate::{Error, ErrorKind, Result};

pub(super) fn read<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    name: &'static str,
    fields: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source, role, .. } = slot;
    let (old, in_text) = match source {
        Source::Text(old) if loader.reader.peek()? == b'{' => (old, true),
        // From an old value or from nothing; the code of the load stays.
        source => (loader.fallback(source, "an object")?, false),
    };
    let (start, code) = (loader.reader.offset(), loader.code);
    if !in_text {
        loader.enter_unwritten()?;
    } else {
        if role == Role::Pointee && loader.options.strict {
            check_type(loader, name)?;
        }
        loader.reader.open_typed()?;
    }
    let mut access = Access::new(loader, fields, old);
    (access.in_text, access.exact) = (in_text, name.starts_with(handoff::PREFIX));
    if in_text && access.loader.repeats.as_ref().is_some_and(|repeats| repeats.are_in(start)) {
        access.find_superseded()?;
    }
    // The one call: what a visitor does is inlined here, and two would be twice the code.
    let value = visitor.visit_map(&mut access).map_err(|error| access.explained(error, start))?;
    if in_text {
        // A visitor may stop early, so the rest of the object is taken.
        access.finish()?;
    } else {
        loader.code = code;
        loader.leave_unwritten();
    }
    Ok(value)
}

/// A set of field indices.
#[derive(Default)]
struct Seen {
    /// One bit for each of the first 64.
    low: u64,
    more: Vec<bool>,
}

impl Seen {
    #[inline]
    fn has(&self, index: usize) -> bool {
        match u32::try_from(index) {
            Ok(bit) if bit < 64 => self.low >> bit & 1 == 1,
            _ => self.more.get(index).copied().unwrap_or_default(),
        }
    }

    #[inline]
    fn add(&mut self, index: usize, count: usize) {
        match u32::try_from(index) {
            Ok(bit) if bit < 64 => self.low |= 1 << bit,
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
    old: &'o [(&'static str, Node)],
    /// Whether members of the text are left.
    in_text: bool,
    first: bool,
    /// Names must match in case.
    exact: bool,
    /// Members that a later one of the same field overrides, by their values.
    superseded: Vec<usize>,
    seen: Seen,
    /// The field after the last one, which is likely to come next.
    next: usize,
    code: ResultCode,
    loaded: usize,
    /// Progress in what comes after the text.
    rest: usize,
    pending: Pending<'o>,
}

/// In the place of a field's index: the member whose name comes next has no field.
const UNKNOWN: usize = usize::MAX;

enum Pending<'o> {
    None,
    /// A member of the text, at a field.
    Member(usize),
    /// A member of the text without a field.
    Unknown,
    Old(&'o Node),
    Absent,
}

impl<'a, 'de, 'o> Access<'a, 'de, 'o> {
    #[inline]
    fn new(
        loader: &'a mut Loader<'de, 'o>,
        fields: &'static [&'static str],
        old: Option<&'o Node>,
    ) -> Self {
        let old = match old {
            Some(Node::Class(members)) => members.as_slice(),
            _ => &[],
        };
        Access {
            loader,
            fields,
            old,
            in_text: false,
            first: true,
            exact: false,
            superseded: Vec::new(),
            seen: Seen::default(),
            next: 0,
            code: IDLE,
            loaded: 0,
            rest: 0,
            pending: Pending::None,
        }
    }

    /// The next member of the text, if it is that of the next field, and nothing else is to be looked at.
    #[inline]
    fn next_expected(&mut self) -> Option<(usize, &'static str)> {
        let (index, loader) = (self.next, &mut *self.loader);
        let name = self.fields.get(index)?;
        let is_plain = self.in_text
            && loader.is_fresh()
            && !loader.halted
            && self.superseded.is_empty()
            && !self.seen.has(index);
        if !is_plain || !loader.reader.take_compact_member(&mut self.first, name) {
            return None;
        }
        self.seen.add(index, self.fields.len());
        self.next = index.wrapping_add(1);
        Some((index, name))
    }

    /// The next member of the text that goes into a field, or [`UNKNOWN`] for one to be shown.
    #[inline(never)]
    fn next_in_text(&mut self) -> Result<Option<usize>> {
        loop {
            if self.loader.halted {
                self.skip_to_end()?;
                return Ok(None);
            }
            // Members mostly stand in the order of the fields.
            let index = match self.fields.get(self.next) {
                Some(field) if self.loader.reader.take_member(&mut self.first, field) => self.next,
                _ => {
                    if !self.loader.reader.next_member(&mut self.first)? {
                        self.in_text = false;
                        return Ok(None);
                    }
                    match self.find_member()? {
                        Some(UNKNOWN) => return Ok(Some(UNKNOWN)),
                        Some(index) => index,
                        None => continue,
                    }
                }
            };
            self.loader.reader.peek()?;
            if self.seen.has(index) || !self.superseded.is_empty() {
                let at = self.loader.reader.offset();
                if self.superseded.binary_search(&at).is_ok() {
                    skip(&mut self.loader.reader)?;
                    continue;
                }
                if self.seen.has(index) {
                    // No name was expected to repeat. The reading ends here; see `load.rs`.
                    let name = self.fields.get(index).copied().unwrap_or_default();
                    return Err(Error::duplicate_field(name).or_at(at));
                }
            }
            if self.loader.left_out()? {
                self.code = self.code.combine(self.loader.code);
                continue;
            }
            self.seen.add(index, self.fields.len());
            self.next = index.saturating_add(1);
            return Ok(Some(index));
        }
    }

    /// The field of the member whose name comes next. A member without one is skipped where a report
    /// has it; else its name stays, for `deny_unknown_fields` and for wrappers such as `serde_ignored`.
    #[inline(never)]
    fn find_member(&mut self) -> Result<Option<usize>> {
        let start = self.loader.reader.offset();
        let name = self.loader.reader.string()?;
        self.loader.reader.colon()?;
        let found = known_name(self.fields, &name, self.exact);
        if found.is_some() {
            return Ok(found);
        }
        self.loader.reader.peek()?;
        let at = self.loader.reader.offset();
        skip(&mut self.loader.reader)?;
        if name == "$type" {
            return Ok(None);
        }
        if self.loader.readings.notes_skips() {
            let message = format!("unknown member \"{}\"", Shortened(&name));
            self.loader.issue(Outcome::Skipped, at, message)?;
            self.code = self.code.combine(self.loader.code);
        }
        if self.loader.readings.is_lenient() {
            return Ok(None);
        }
        self.loader.reader.seek(start);
        Ok(Some(UNKNOWN))
    }

    /// Notes all members of this object, of which nothing is read yet, that a later one overrides.
    #[cold]
    fn find_superseded(&mut self) -> Result<()> {
        let mut ahead = self.loader.reader.clone();
        let mut last: Vec<Option<usize>> = vec![None; self.fields.len()];
        let mut first = true;
        while let Some(name) = ahead.next_key(&mut first)? {
            ahead.peek()?;
            let at = ahead.offset();
            let index = known_name(self.fields, &name, self.exact);
            let place = index.and_then(|index| last.get_mut(index));
            self.superseded.extend(place.and_then(|place| place.replace(at)));
            skip(&mut ahead)?;
        }
        self.superseded.sort_unstable();
        Ok(())
    }

    fn skip_to_end(&mut self) -> Result<()> {
        while self.in_text && self.loader.reader.next_key(&mut self.first)?.is_some() {
            skip(&mut self.loader.reader)?;
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
        while self.loader.options.absent_as_zero {
            let index = self.rest.saturating_sub(self.old.len());
            let name = self.fields.get(index)?;
            self.rest = self.rest.saturating_add(1);
            if !self.seen.has(index) && !self.old.iter().any(|(old, _)| old == name) {
                return Some((name, Pending::Absent));
            }
        }
        None
    }

    /// Turns serde's error for a field that the text does not have into one that helps.
    #[cold]
    fn explained(&self, error: Error, at: usize) -> Error {
        let (name, why) = match (error.duplicate(), &self.pending) {
            (Some(name), Pending::Absent) => (name, "absent_as_zero"),
            (Some(name), Pending::Old(_)) => (name, "load_into"),
            _ => return error,
        };
        let message = format!(
            "field `{name}` has an `alias`, which {why} cannot tell from a field of its own"
        );
        Error::at(ErrorKind::Data, at, message)
    }

    /// The old value of a field.
    #[inline]
    fn old_of(&self, index: usize) -> Option<&'o Node> {
        let old = self.old;
        let name = if old.is_empty() { return None } else { self.fields.get(index)? };
        old.iter().find(|(known, _)| known == name).map(|(_, node)| node)
    }

    /// After a member was read.
    #[inline(always)]
    fn note(&mut self, at: usize) {
        if self.loader.code == ResultCode::SUCCESS
            && matches!(self.code, ResultCode::SUCCESS | IDLE)
        {
            self.code = ResultCode::SUCCESS;
            self.loaded = self.loaded.saturating_add(1);
        } else {
            self.note_other(at);
        }
    }

    #[inline(never)]
    fn note_other(&mut self, at: usize) {
        let code = self.loader.code;
        self.code = self.code.combine(code);
        match code.processing() {
            Processing::Altered | Processing::Halted => self.loader.leave_in_place(at),
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
}

impl<'de> MapAccess<'de> for &mut Access<'_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.pending = Pending::None;
        if let Some((index, name)) = self.next_expected() {
            self.pending = Pending::Member(index);
            return seed.deserialize(Name::new(name)).map(Some);
        }
        if self.in_text && self.next == self.fields.len() && self.loader.reader.take_end() {
            self.in_text = false;
            if self.old.is_empty() && !self.loader.options.absent_as_zero {
                return Ok(None);
            }
        }
        if self.in_text
            && let Some(index) = self.next_in_text()?
        {
            let Some(name) = self.fields.get(index) else {
                self.pending = Pending::Unknown;
                let at = self.loader.reader.offset();
                let name = self.loader.reader.string()?;
                self.loader.reader.colon()?;
                let key = seed.deserialize(CowStrDeserializer::new(name));
                return key.map(Some).map_err(|error: Error| error.or_at(at));
            };
            self.pending = Pending::Member(index);
            return seed.deserialize(Name::new(name)).map(Some);
        }
        match self.next_of_rest() {
            Some((name, pending)) => {
                self.pending = pending;
                seed.deserialize(Name::new(name)).map(Some)
            }
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let (at, code) = (self.loader.reader.offset(), self.loader.code);
        let (source, is_member) = match self.pending {
            Pending::Member(index) => (Source::Text(self.old_of(index)), true),
            Pending::Unknown => (Source::Text(None), false),
            Pending::Old(node) => (Source::Old(node), false),
            Pending::Absent | Pending::None => (Source::Absent, false),
        };
        let has_text = matches!(source, Source::Text(_));
        match seed.deserialize(Slot::of::<T::Value>(&mut *self.loader, source, "")) {
            Ok(value) if is_member => {
                self.note(at);
                Ok(value)
            }
            Err(error) if is_member => Err(self.loader.readings.refuse(at, error)),
            other => {
                if !has_text {
                    self.loader.code = code;
                }
                other
            }
        }
    }
}

/// Which of a type's names a name of the text means: exactly, or whatever its case. Two that differ
/// in case alone are distinguished, as the engine cannot.
pub(super) fn known_name(names: &[&str], name: &str, exact: bool) -> Option<usize> {
    names
        .iter()
        .position(|known| *known == name)
        .or_else(|| names.iter().position(|known| !exact && known.eq_ignore_ascii_case(name)))
}

/// The kind of the next value, or none where there is no text.
pub(super) fn kind_of_text(slot: &mut Slot<'_, '_, '_>) -> Result<Option<Kind>> {
    match slot.source {
        Source::Text(_) => slot.loader.reader.peek_kind().map(Some),
        _ => Ok(None),
    }
}
