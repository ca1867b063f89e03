//! Maps: objects, or arrays of `{"Key": …, "Value": …}` whatever the key is.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_core::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};

use super::buffers::{is_buffer, reader_of};
use super::readings::IDLE;
use super::slot::{HANDED_OUT, Loader, Slot, Source};
use crate::node::Node;
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::value::decode::{find_members, skip};
use crate::{Error, Result};

/// How entries are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// One value for each key; an existing key's value is loaded onto.
    One,
    /// As `One`, for a type of this crate that cannot find repeated keys itself: its visitor gets the
    /// key, a number that is the same for the same keys, and the value, in turn.
    Unique,
    /// An array of values for each key, as multimaps have.
    Many,
    /// One value for each key; entries are only added. The page's multimaps.
    Added,
    /// The members of an object for a type that asks for anything: names are names, `{}` is an empty
    /// object.
    Any,
    /// As `Any`, without the `$type` of a variant.
    Content,
}

pub(super) fn read<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    values: Values,
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source, .. } = slot;
    let (mut form, mut start) = (Form::None, None);
    let old = match source {
        Source::Text(old) if matches!(loader.reader.peek()?, b'{' | b'[') => {
            let is_object = loader.reader.peek()? == b'{';
            start = Some(loader.reader.offset());
            if loader.reader.take_empty_object()? {
                loader.defaulted();
                old
            } else {
                loader.reader.open_typed()?;
                form = if is_object { Form::Object } else { Form::Pairs };
                old.filter(|_| !loader.options.clear_containers)
            }
        }
        source => loader.fallback(source, "an object, or an array of keys and values")?,
    };
    let code = if form == Form::None { loader.code } else { IDLE };
    let values = match values {
        Values::Many if loader.docs() => Values::Added,
        values => values,
    };
    let of = reader_of::<V>("");
    let mut access = EntryAccess::new(loader, form, values, old, code, of);
    let value = match values {
        Values::Unique => visitor.visit_seq(Numbered { access: &mut access, next: Part::Key })?,
        // Errors in serde's `flatten` buffer carry no offset.
        _ => visitor.visit_map(&mut access).map_err(|error| match start {
            Some(start) => error.or_at(start),
            None => error,
        })?,
    };
    access.finish()?;
    Ok(value)
}

/// An object for a type that asks for anything.
pub(super) fn any<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    of: &'static str,
    values: Values,
    visitor: V,
) -> Result<V::Value> {
    let start = loader.reader.offset();
    loader.reader.open_typed()?;
    let code = ResultCode::SUCCESS;
    let of = if is_buffer::<V::Value>() { of } else { reader_of::<V>("") };
    let mut access = EntryAccess::new(loader, Form::Object, values, None, code, of);
    // As in an enum with a tag inside.
    let value = visitor.visit_map(&mut access).map_err(|error| error.or_at(start))?;
    access.finish()?;
    Ok(value)
}

/// The code of an entry that is left out.
const LOST: ResultCode = ResultCode::new(Task::ReadField, Outcome::Unavailable);

/// The source of the next entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The old map: nothing of the text is left.
    None,
    /// The members of an object.
    Object,
    /// The elements of an array.
    Pairs,
}

/// A key of the text.
#[derive(Clone)]
enum Key<'de> {
    Name(Cow<'de, str>),
    At(usize),
    /// `{}`, or a pair without `Key`: a new instance.
    Default,
}

/// The values of a multimap's key.
struct Many<'de> {
    key: Key<'de>,
    /// Whether they are in an array, of which elements are left; else there is one `{}`.
    in_array: bool,
    first: bool,
}

struct EntryAccess<'a, 'de, 'o> {
    loader: &'a mut Loader<'de, 'o>,
    form: Form,
    first: bool,
    values: Values,
    many: Option<Many<'de>>,
    code: ResultCode,
    old: OldEntries<'o>,
    /// Offset of the present entry, for leaving it out; `None` for an old one.
    entry: Option<usize>,
    /// The source of the present entry's value, and its offset in the text.
    value: (Source<'de, 'o>, Option<usize>),
    /// The same for the same keys, with [`Values::Unique`].
    number: u64,
    /// Where to continue after an entry that was read out of order.
    end: Option<usize>,
    /// How the key of the present entry ended, once it is read.
    key_code: Option<ResultCode>,
    /// The type whose buffer the values are for.
    of: &'static str,
}

/// Entries that are present already.
struct OldEntries<'o> {
    entries: &'o [(Node, Node)],
    fields: &'o [(&'static str, Node)],
    next: usize,
    /// By the hash of the key; made at the first key of the text.
    by_key: Option<HashMap<u64, usize>>,
    used: Vec<bool>,
}

impl<'o> OldEntries<'o> {
    fn of(old: Option<&'o Node>) -> Self {
        let entries = match old {
            Some(Node::Map(_, entries)) => entries.as_slice(),
            _ => &[],
        };
        let fields = match old {
            Some(Node::Class(fields)) => fields.as_slice(),
            _ => &[],
        };
        OldEntries { entries, fields, next: 0, by_key: None, used: vec![false; entries.len()] }
    }

    /// The old value of a key that the text has too.
    fn find(&mut self, hash: u64) -> Option<&'o Node> {
        let entries = self.entries;
        let by_key = self.by_key.get_or_insert_with(|| {
            entries.iter().enumerate().map(|(index, (key, _))| (key.hash(), index)).collect()
        });
        let index = *by_key.get(&hash)?;
        if let Some(used) = self.used.get_mut(index) {
            *used = true;
        }
        entries.get(index).map(|(_, value)| value)
    }

    /// The next one that the text does not have.
    fn next<'de>(&mut self) -> Option<(Source<'de, 'o>, &'o Node)> {
        loop {
            let index = self.next;
            self.next = index.saturating_add(1);
            if let Some((name, value)) = self.fields.get(index) {
                return Some((Source::Key(Cow::Borrowed(name)), value));
            }
            let (key, value) = self.entries.get(index.saturating_sub(self.fields.len()))?;
            if !self.used.get(index).copied().unwrap_or_default() {
                return Some((Source::Old(key), value));
            }
        }
    }
}

impl<'a, 'de, 'o> EntryAccess<'a, 'de, 'o> {
    fn new(
        loader: &'a mut Loader<'de, 'o>,
        form: Form,
        values: Values,
        old: Option<&'o Node>,
        code: ResultCode,
        of: &'static str,
    ) -> Self {
        EntryAccess {
            loader,
            form,
            first: true,
            values,
            many: None,
            code,
            old: OldEntries::of(old),
            entry: None,
            value: (Source::Absent, None),
            number: 0,
            end: None,
            key_code: None,
            of,
        }
    }

    fn note(&mut self, code: ResultCode) {
        if code != ResultCode::SUCCESS || self.code != code {
            self.code = self.code.combine(code);
        }
    }

    /// Notes how a key or value ended. If one is not what the text says, the entry is left out, and
    /// Unavailable is all that is said of it.
    fn note_entry(&mut self, at: usize) {
        let code = self.loader.code;
        let is_lost = |code: ResultCode| code.processing() == Processing::Altered;
        let key = self.key_code.replace(code);
        match code.processing() {
            Processing::Halted => self.note(code),
            // The value may stop the load all the same.
            _ if key.is_none() && !is_lost(code) => return,
            Processing::Altered if key.is_none_or(|key| !is_lost(key)) => {
                self.note(LOST);
            }
            Processing::Altered => {}
            _ if key.is_some_and(is_lost) => return,
            _ => {
                key.into_iter().for_each(|key| self.note(key));
                return self.note(code);
            }
        }
        self.loader.leave_out(at);
    }

    /// Comes to an entry at the present offset. Skips one that was found wrong.
    fn begin_entry(&mut self) -> Result<bool> {
        self.loader.reader.peek()?;
        self.entry = Some(self.loader.reader.offset());
        self.key_code = None;
        let left_out = self.loader.left_out()?;
        if left_out {
            self.note(match self.loader.code.processing() {
                Processing::Altered => LOST,
                _ => self.loader.code,
            });
        }
        Ok(!left_out)
    }

    /// The next entry of the text: what its key is read from.
    fn next_in_text(&mut self) -> Result<Option<Source<'de, 'o>>> {
        loop {
            if let Some(source) = self.next_of_many()? {
                return Ok(Some(source));
            }
            if self.loader.halted {
                return Ok(None);
            }
            let found = match self.form {
                Form::None => return Ok(None),
                Form::Object => self.next_member()?,
                Form::Pairs => self.next_pair()?,
            };
            if let Some((key, value)) = found
                && let Some(source) = self.take(key, value)?
            {
                return Ok(Some(source));
            }
        }
    }

    /// Takes an entry, whose value may be in the text: what its key is read from. A multimap only
    /// begins with the values.
    fn take(&mut self, key: Key<'de>, value: Option<usize>) -> Result<Option<Source<'de, 'o>>> {
        if let (Values::Many, Some(at)) = (self.values, value) {
            self.loader.reader.seek(at);
            self.begin_many(key)?;
            return Ok(None);
        }
        self.value = (value.map_or(Source::Default, |_| Source::Text(None)), value);
        Ok(Some(self.source_of(key)))
    }

    /// The next member, if it is an entry: its key, and the offset of its value.
    fn next_member(&mut self) -> Result<Option<(Key<'de>, Option<usize>)>> {
        let Some(name) = self.loader.reader.next_key(&mut self.first)? else {
            self.form = Form::None;
            return Ok(None);
        };
        let is_any = matches!(self.values, Values::Any | Values::Content);
        if is_any {
            self.loader.charge(HANDED_OUT.saturating_add(name.len()))?;
        }
        if self.values == Values::Content && name == "$type" {
            return skip(&mut self.loader.reader).map(|()| None);
        }
        if !self.begin_entry()? {
            return Ok(None);
        }
        let key = match name.as_ref() {
            "{}" if !is_any => Key::Default,
            _ => Key::Name(name),
        };
        Ok(Some((key, self.entry)))
    }

    /// The same for the next element.
    fn next_pair(&mut self) -> Result<Option<(Key<'de>, Option<usize>)>> {
        if !self.loader.reader.next_element(&mut self.first)? {
            self.form = Form::None;
            return Ok(None);
        }
        let kind = self.loader.reader.peek_kind()?;
        if !self.begin_entry()? {
            return Ok(None);
        }
        if kind != Kind::Object {
            self.loader.reject_value("an object with `Key` and `Value`")?;
            self.note(self.loader.code);
            return Ok(None);
        }
        let start = self.loader.reader.offset();
        let ([key, value], end) = find_members(&mut self.loader.reader, ["Key", "Value"])?;
        if key.is_none() && value.is_none() && !self.is_entry(start, end)? {
            return Ok(None);
        }
        self.end = Some(end);
        Ok(Some((key.map_or(Key::Default, Key::At), value)))
    }

    /// Whether an object without `Key` and `Value` is an entry all the same.
    ///
    /// The engine makes a default entry of any, and says nothing. That is kept for `{}` and where it
    /// can be reported; else an array of other objects would be read as a single entry.
    fn is_entry(&mut self, start: usize, end: usize) -> Result<bool> {
        self.loader.reader.seek(start);
        let is_empty = self.loader.reader.take_empty_object()?;
        self.loader.reader.seek(end);
        if is_empty {
            return Ok(true);
        }
        let message = "expected an object with `Key` and `Value`, found neither".to_owned();
        if self.loader.readings.is_lenient() {
            self.loader.readings.issue(Task::ReadField, Outcome::Skipped, start, message)?;
            return Ok(true);
        }
        self.loader.issue(Outcome::Unsupported, start, message)?;
        self.note(self.loader.code);
        Ok(false)
    }

    /// Begins with the values of a multimap's key, which come next.
    fn begin_many(&mut self, key: Key<'de>) -> Result<()> {
        let in_array = self.loader.reader.peek_kind()? == Kind::Array;
        let at = self.loader.reader.offset();
        if in_array {
            self.loader.reader.open_typed()?;
        } else if self.loader.reader.take_empty_object()? {
            self.loader.reader.seek(at);
        } else {
            self.loader.reject_value("an array of values")?;
            self.note(self.loader.code);
            self.leave_entry();
            return Ok(());
        }
        self.many = Some(Many { key, in_array, first: true });
        Ok(())
    }

    /// The key again, for another value of it.
    fn next_of_many(&mut self) -> Result<Option<Source<'de, 'o>>> {
        while let Some(mut many) = self.many.take() {
            if many.in_array && !self.loader.reader.next_element(&mut many.first)? {
                self.leave_entry();
                return Ok(None);
            }
            self.loader.reader.peek()?;
            let at = Some(self.loader.reader.offset());
            let (key, in_array) = (many.key.clone(), many.in_array);
            if in_array {
                self.many = Some(many);
                if !self.begin_entry()? {
                    continue;
                }
            }
            self.entry = at;
            self.value = (Source::Text(None), at);
            return Ok(Some(self.source_of(key)));
        }
        Ok(None)
    }

    fn source_of(&mut self, key: Key<'de>) -> Source<'de, 'o> {
        match key {
            Key::Name(name) => Source::Key(name),
            Key::Default => Source::Default,
            Key::At(at) => {
                self.loader.reader.seek(at);
                Source::Text(None)
            }
        }
    }

    /// Goes to the end of an entry that was read out of order.
    fn leave_entry(&mut self) {
        if let Some(end) = self.end.take() {
            self.loader.reader.seek(end);
        }
    }

    fn finish(&mut self) -> Result<()> {
        loop {
            match self.form {
                Form::None => break,
                Form::Object if self.loader.reader.next_key(&mut self.first)?.is_some() => {}
                Form::Pairs if self.loader.reader.next_element(&mut self.first)? => {}
                _ => break,
            }
            skip(&mut self.loader.reader)?;
        }
        if self.code.is_idle() && !self.loader.halted {
            self.code = ResultCode::SUCCESS;
        }
        if self.code.outcome() == Outcome::DefaultsUsed && !self.first {
            self.code = ResultCode::new(Task::ReadField, Outcome::PartialDefaults);
        }
        self.loader.code = self.code;
        Ok(())
    }
}

impl<'de> MapAccess<'de> for &mut EntryAccess<'_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(source) = self.next_in_text()? else {
            let Some((key, value)) = self.old.next() else { return Ok(None) };
            (self.entry, self.value) = (None, (Source::Old(value), None));
            let code = self.loader.code;
            let read = |loader: &mut _| seed.deserialize(Slot::new(loader, key));
            let (key, number) = self.loader.traced(read)?;
            (self.loader.code, self.number) = (code, number);
            return Ok(Some(key));
        };
        debug_assert!(self.entry.is_some(), "an entry of the text has a place");
        let at = self.entry.unwrap_or_default();
        // Hashing every key costs; only what keeps entries that may be there already needs it.
        let is_hashed = match self.values {
            Values::Unique => true,
            Values::One => !self.old.entries.is_empty(),
            Values::Many | Values::Added | Values::Any | Values::Content => false,
        };
        if !is_hashed {
            let key = seed.deserialize(Slot::new(&mut *self.loader, source));
            let key = key.map_err(|error| self.loader.readings.refuse(at, error))?;
            self.note_entry(at);
            return Ok(Some(key));
        }
        // The entry may be there already: keys are distinguished by what is read from them.
        let (key, hash) = self
            .loader
            .traced(|loader| seed.deserialize(Slot::new(loader, source)))
            .map_err(|error| self.loader.readings.refuse(at, error))?;
        self.note_entry(at);
        self.number = hash;
        if let Some(old) = self.old.find(hash) {
            self.value.0 = match self.value.1 {
                Some(at) => {
                    // `{}` makes a zero of a number, as of a new one; a class stays as it is.
                    self.loader.reader.seek(at);
                    let is_zero = old.is_plain() && self.loader.reader.take_empty_object()?;
                    Source::Text(Some(old).filter(|_| !is_zero))
                }
                None => Source::Old(old),
            };
        }
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let (source, place) = std::mem::replace(&mut self.value, (Source::Absent, None));
        let Some(at) = self.entry else {
            let code = self.loader.code;
            let value = seed.deserialize(Slot::new(&mut *self.loader, source));
            self.loader.code = code;
            return value;
        };
        if let Some(place) = place {
            self.loader.reader.seek(place);
        }
        self.loader.reader.skip_space()?;
        let value = seed.deserialize(Slot::of::<T::Value>(&mut *self.loader, source, self.of));
        let value = value.map_err(|error| self.loader.readings.refuse(at, error))?;
        self.note_entry(at);
        if self.many.is_none() {
            self.leave_entry();
        }
        Ok(value)
    }
}

/// The entries of a map with numbers for its keys.
struct Numbered<'m, 'a, 'de, 'o> {
    access: &'m mut EntryAccess<'a, 'de, 'o>,
    next: Part,
}

enum Part {
    Key,
    Number,
    Value,
}

impl<'de> SeqAccess<'de> for Numbered<'_, '_, 'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.next {
            Part::Key => {
                self.next = Part::Number;
                (&mut *self.access).next_key_seed(seed)
            }
            Part::Number => {
                self.next = Part::Value;
                seed.deserialize(self.access.number.into_deserializer()).map(Some)
            }
            Part::Value => {
                self.next = Part::Key;
                (&mut *self.access).next_value_seed(seed).map(Some)
            }
        }
    }
}
