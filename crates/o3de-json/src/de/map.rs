//! Maps: objects, or arrays of `{"Key": …, "Value": …}` whatever the key is.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_core::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};

use super::log::IDLE;
use super::slot::{HANDED_OUT, Loader, Slot, Source, find_members};
use crate::node::Node;
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::value::decode::skip;
use crate::{Error, Result};

/// How many values a key has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    One,
    /// As `One`, for a type of this crate that cannot find repeated keys itself: its visitor gets the
    /// key, a number that is the same for the same keys, and the value, in turn.
    Unique,
    /// An array of values, as multimaps have.
    Many,
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
        source => loader.instead(source, "an object, or an array of keys and values")?,
    };
    let code = if form == Form::None { loader.code } else { IDLE };
    let mut access = Access::new(loader, form, old, code);
    access.values = match values {
        Values::Many if access.loader.docs() => Values::One,
        values => values,
    };
    access.updates = values != Values::Many;
    access.numbered = values == Values::Unique;
    let value = match access.numbered {
        true => visitor.visit_seq(Numbered { access: &mut access, next: Part::Key })?,
        // With `flatten`, what is kept for later is found wrong without its place.
        false => visitor.visit_map(&mut access).map_err(|error| match start {
            Some(start) => error.or_at(start),
            None => error,
        })?,
    };
    access.finish()?;
    Ok(value)
}

/// An object for a type that asks for anything: names are names, `{}` is an empty object.
pub(super) fn any<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let start = loader.reader.offset();
    loader.reader.open_typed()?;
    let mut access = Access::new(loader, Form::Object, None, ResultCode::SUCCESS);
    access.plain = true;
    // As in an enum with a tag inside.
    let value = visitor.visit_map(&mut access).map_err(|error| error.or_at(start))?;
    access.finish()?;
    Ok(value)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing of the text is left.
    None,
    Object,
    Pairs,
}

struct Access<'a, 'de, 'o> {
    loader: &'a mut Loader<'de, 'o>,
    form: Form,
    first: bool,
    values: Values,
    /// Names as they are, without defaults.
    plain: bool,
    code: ResultCode,
    old: Old<'o>,
    /// Whether an existing key's value is loaded onto.
    updates: bool,
    /// Whether keys are told apart by numbers, and that of the present one.
    numbered: bool,
    number: u64,
    /// Where the entry begins, for leaving it out.
    entry: usize,
    value: Place<'o>,
    /// Where to go on after an entry that was read out of order.
    end: Option<usize>,
    /// Of a multimap: the key whose values are being read.
    key: Option<Repeated<'de>>,
    /// Of a multimap: whether its values are in an array, and none was read yet.
    array: bool,
    array_first: bool,
}

/// Where the value of an entry is.
#[derive(Clone, Copy)]
enum Place<'o> {
    Next(Option<&'o Node>),
    At(usize, Option<&'o Node>),
    Missing(Option<&'o Node>),
    Old(&'o Node),
}

/// Where to read the key of a multimap again.
#[derive(Clone)]
enum Repeated<'de> {
    Name(Cow<'de, str>),
    At(usize),
    Missing,
}

/// Entries that are there already.
struct Old<'o> {
    entries: &'o [(Node, Node)],
    fields: &'o [(&'static str, Node)],
    next: usize,
    /// By the hash of the key; made at the first key of the text.
    by_key: Option<HashMap<u64, usize>>,
    used: Vec<bool>,
}

impl<'a, 'de, 'o> Access<'a, 'de, 'o> {
    fn new(
        loader: &'a mut Loader<'de, 'o>,
        form: Form,
        old: Option<&'o Node>,
        code: ResultCode,
    ) -> Self {
        let entries: &[(Node, Node)] = match old {
            Some(Node::Map(_, entries)) => entries,
            _ => &[],
        };
        let fields: &[(&'static str, Node)] = match old {
            Some(Node::Class(fields)) => fields,
            _ => &[],
        };
        let used = vec![false; entries.len()];
        Access {
            loader,
            form,
            first: true,
            values: Values::One,
            plain: false,
            code,
            old: Old { entries, fields, next: 0, by_key: None, used },
            updates: true,
            numbered: false,
            number: 0,
            entry: 0,
            value: Place::Missing(None),
            end: None,
            key: None,
            array: false,
            array_first: false,
        }
    }

    fn note(&mut self) {
        let code = self.loader.code;
        if code == ResultCode::SUCCESS && self.code == code {
            return;
        }
        if code.processing() == Processing::Halted {
            self.loader.halted = true;
        }
        self.code = self.code.combine(code);
    }

    /// A key or value is not what the text says: the entry is left out.
    fn note_entry(&mut self) {
        let altered =
            matches!(self.loader.code.processing(), Processing::Altered | Processing::Halted);
        self.note();
        if altered {
            self.loader.log.drop(self.entry);
            self.code = self.code.combine(ResultCode::new(Task::ReadField, Outcome::Unavailable));
        }
    }

    /// Passes over an entry that was found wrong; the next character is that of its value.
    fn left_out(&mut self) -> Result<bool> {
        let left_out = self.loader.left_out()?;
        if left_out {
            self.code = self.code.combine(self.loader.code);
        }
        Ok(left_out)
    }

    /// The next entry of the text: what its key is read from.
    fn advance(&mut self) -> Result<Option<Source<'de, 'o>>> {
        loop {
            if let Some(source) = self.next_of_many()? {
                return Ok(Some(source));
            }
            if self.loader.halted {
                return Ok(None);
            }
            match self.form {
                Form::None => return Ok(None),
                Form::Object => {
                    let Some(name) = self.loader.reader.next_key(&mut self.first)? else {
                        self.form = Form::None;
                        continue;
                    };
                    if self.plain {
                        self.loader.hand_out(HANDED_OUT.saturating_add(name.len()))?;
                    }
                    self.loader.reader.peek()?;
                    self.entry = self.loader.reader.offset();
                    if self.left_out()? {
                        continue;
                    }
                    if self.values == Values::Many {
                        let key = match name.as_ref() {
                            "{}" => Repeated::Missing,
                            _ => Repeated::Name(name),
                        };
                        self.begin_many(key)?;
                        continue;
                    }
                    self.value = Place::Next(None);
                    return Ok(Some(match name.as_ref() {
                        "{}" if !self.plain => Source::Default,
                        _ => Source::Key(name),
                    }));
                }
                Form::Pairs => {
                    if !self.loader.reader.next_element(&mut self.first)? {
                        self.form = Form::None;
                        continue;
                    }
                    let kind = self.loader.reader.peek_kind()?;
                    self.entry = self.loader.reader.offset();
                    if self.left_out()? {
                        continue;
                    }
                    if kind != Kind::Object {
                        self.loader.unfit("an object with `Key` and `Value`")?;
                        self.note();
                        continue;
                    }
                    let ([key, value], end) =
                        find_members(&mut self.loader.reader, ["Key", "Value"])?;
                    if key.is_none() && value.is_none() && !self.is_entry(end)? {
                        continue;
                    }
                    self.end = Some(end);
                    if self.values == Values::Many {
                        let key = key.map_or(Repeated::Missing, Repeated::At);
                        match value {
                            Some(at) => {
                                self.loader.reader.seek(at);
                                self.begin_many(key)?;
                            }
                            None => {
                                self.value = Place::Missing(None);
                                return Ok(Some(self.source_of(&key)));
                            }
                        }
                        continue;
                    }
                    self.value = value.map_or(Place::Missing(None), |at| Place::At(at, None));
                    return Ok(Some(match key {
                        Some(at) => {
                            self.loader.reader.seek(at);
                            Source::Text(None)
                        }
                        None => Source::Default,
                    }));
                }
            }
        }
    }

    /// Whether an object without `Key` and `Value`, which ends at an offset, is an entry all the same.
    ///
    /// The engine makes a default entry of any, and says nothing. That is kept for `{}` and where it
    /// can be reported; else an array of other objects would be read as a single entry.
    fn is_entry(&mut self, end: usize) -> Result<bool> {
        self.loader.reader.seek(self.entry);
        let is_empty = self.loader.reader.take_empty_object()?;
        self.loader.reader.seek(end);
        if is_empty {
            return Ok(true);
        }
        let message = "expected an object with `Key` and `Value`, found neither".to_owned();
        if self.loader.log.lenient {
            self.loader.log.issue(Task::ReadField, Outcome::Skipped, self.entry, message)?;
            return Ok(true);
        }
        self.loader.issue(Outcome::Unsupported, self.entry, message)?;
        self.note();
        Ok(false)
    }

    /// Begins with the values of a multimap's key; the next character is that of the values.
    fn begin_many(&mut self, key: Repeated<'de>) -> Result<()> {
        let kind = self.loader.reader.peek_kind()?;
        let at = self.loader.reader.offset();
        if kind == Kind::Array {
            self.loader.reader.open_typed()?;
            self.key = Some(key);
            (self.array, self.array_first) = (true, true);
        } else if self.loader.reader.take_empty_object()? {
            self.loader.reader.seek(at);
            self.key = Some(key);
            self.array = false;
        } else {
            self.loader.unfit("an array of values")?;
            self.note();
            self.leave_entry();
        }
        Ok(())
    }

    /// The key again, for another value of it.
    fn next_of_many(&mut self) -> Result<Option<Source<'de, 'o>>> {
        loop {
            let Some(key) = self.key.clone() else { return Ok(None) };
            if !self.array {
                self.key = None;
            } else if !self.loader.reader.next_element(&mut self.array_first)? {
                self.key = None;
                self.leave_entry();
                return Ok(None);
            }
            self.loader.reader.peek()?;
            let at = self.loader.reader.offset();
            self.entry = at;
            if self.array && self.left_out()? {
                continue;
            }
            self.value = Place::At(at, None);
            return Ok(Some(self.source_of(&key)));
        }
    }

    fn source_of(&mut self, key: &Repeated<'de>) -> Source<'de, 'o> {
        match key {
            Repeated::Name(name) => Source::Key(name.clone()),
            Repeated::Missing => Source::Default,
            Repeated::At(at) => {
                self.loader.reader.seek(*at);
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

    /// The old value of a key that the text has too.
    fn old_value(&mut self, hash: u64) -> Option<&'o Node> {
        let index = *self.old.by_key.as_ref()?.get(&hash)?;
        if let Some(used) = self.old.used.get_mut(index) {
            *used = true;
        }
        self.old.entries.get(index).map(|(_, value)| value)
    }

    fn next_old(&mut self) -> Option<(Source<'de, 'o>, &'o Node)> {
        let fields = self.old.fields;
        loop {
            let index = self.old.next;
            self.old.next = index.saturating_add(1);
            if let Some((name, value)) = fields.get(index) {
                return Some((Source::Key(Cow::Borrowed(name)), value));
            }
            let (key, value) = self.old.entries.get(index.saturating_sub(fields.len()))?;
            if !self.old.used.get(index).copied().unwrap_or_default() {
                return Some((Source::Old(key), value));
            }
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

impl<'de> MapAccess<'de> for &mut Access<'_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(source) = self.advance()? else {
            let Some((key, value)) = self.next_old() else { return Ok(None) };
            self.value = Place::Old(value);
            let code = self.loader.code;
            let read = |loader: &mut _| seed.deserialize(Slot::new(loader, key));
            let (key, number) = self.loader.traced(read)?;
            (self.loader.code, self.number) = (code, number);
            return Ok(Some(key));
        };
        let at = self.entry;
        // Hashing every key costs; only what keeps entries that may be there already needs it.
        if (self.old.entries.is_empty() && !self.numbered) || !self.updates {
            let key = seed.deserialize(Slot::new(&mut *self.loader, source));
            let key = key.map_err(|error| self.loader.log.refuse(at, error))?;
            self.note_entry();
            return Ok(Some(key));
        }
        // The entry may be there already: keys are told apart by what is read from them.
        let (key, hash) = self
            .loader
            .traced(|loader| seed.deserialize(Slot::new(loader, source)))
            .map_err(|error| self.loader.log.refuse(at, error))?;
        self.note_entry();
        self.number = hash;
        if self.old.by_key.is_none() {
            let hashes = self.old.entries.iter().enumerate();
            self.old.by_key = Some(hashes.map(|(index, (key, _))| (key.hash(), index)).collect());
        }
        let old = self.old_value(hash);
        self.value = match self.value {
            Place::Next(_) => Place::Next(old),
            Place::At(at, _) => Place::At(at, old),
            Place::Missing(_) => Place::Missing(old),
            place => place,
        };
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let at = self.entry;
        let source = match self.value {
            Place::Next(old) => Source::Text(old),
            Place::At(at, old) => {
                self.loader.reader.seek(at);
                Source::Text(old)
            }
            Place::Missing(None) => Source::Default,
            Place::Missing(Some(node)) => Source::Old(node),
            Place::Old(node) => {
                let code = self.loader.code;
                let value = seed.deserialize(Slot::new(&mut *self.loader, Source::Old(node)));
                self.loader.code = code;
                return value;
            }
        };
        self.loader.reader.skip_space()?;
        let value = seed.deserialize(Slot::new(&mut *self.loader, source));
        let value = value.map_err(|error| self.loader.log.refuse(at, error))?;
        self.note_entry();
        if self.key.is_none() {
            self.leave_entry();
        }
        Ok(value)
    }
}

/// The entries of a map with numbers for its keys.
struct Numbered<'m, 'a, 'de, 'o> {
    access: &'m mut Access<'a, 'de, 'o>,
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
