//! Enums with data in serde's buffers.
//!
//! Untagged enums, and types with `flatten` or a tag inside, keep what they read in a buffer of serde's.
//! An enum that is read out of it wants an object of one member, `{"Variant": content}`, where the
//! engine's form is `{"$type": "Variant", …}`, which everything else wants. No visitor says which it is,
//! so the first reading hands out the engine's form. Where an enum refuses that, the text is read again:
//! with a name that no enum has, so that the error lists the variants; with their indices, which what
//! takes any object refuses; and with their names. An object that is not taken so stays as it was.

use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use gamewire_core::error::SerdeError;
use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, Visitor};

use super::slot::{Loader, Role, Slot, Source};
use super::{compound, map};
use crate::node::name_of;
use crate::read::{Input, Kind};
use crate::types::Uuid;
use crate::value::decode::skip;
use crate::{Error, Result};

/// The name that no variant has.
const PROBE: &str = "$o3de::Probe";
/// serde's words for an object of several members where it wants that of an enum.
const REFUSED: &str = "expected map with a single key, found an object";
const MAX_READINGS: usize = 48;

thread_local! {
    /// Whether an enum refused an object of a buffer: serde tells the constructor of the error alone.
    static WANTED: Cell<bool> = const { Cell::new(false) };
    /// The variants of the enums that were asked for [`PROBE`].
    static ASKED: RefCell<Vec<&'static [&'static str]>> = const { RefCell::new(Vec::new()) };
}

/// Takes down what an error of serde says of enums.
pub(crate) fn note(cause: SerdeError, message: &str) {
    match cause {
        SerdeError::Type if message == REFUSED => WANTED.set(true),
        SerdeError::Variant(_) if message.starts_with("unknown variant `$type`") => {
            WANTED.set(true)
        }
        SerdeError::Variant(names) if message.contains(PROBE) => {
            ASKED.with_borrow_mut(|asked| asked.push(names));
        }
        _ => {}
    }
}

/// Whether a type is the content of serde's buffer.
#[inline]
pub(super) fn is_buffer<T>() -> bool {
    let name = type_name::<T>();
    name.strip_suffix("<'_>").unwrap_or(name).ends_with("::Content")
}

/// The type that a value is read for: its own, or for a buffer that of whom the buffer is.
#[inline]
pub(super) fn reader_of<T>(outer: &'static str) -> &'static str {
    if is_buffer::<T>() { outer } else { type_name::<T>() }
}

/// The findings of earlier readings of a text.
#[derive(Default)]
pub(crate) struct Buffers {
    /// Enums, by the type whose buffer they are read from.
    enums: Vec<(&'static str, &'static [&'static str])>,
    /// Variants whose content is of the other kind that it may be, by where that was found.
    other: HashMap<(&'static str, &'static str), usize>,
    /// Objects that are no enum all the same, and those that were asked for their enum.
    plain: HashSet<usize>,
    asked: HashSet<usize>,
    probe: Option<usize>,
    by_name: bool,
    /// The objects with `$type` of this reading.
    handed: Vec<Handed>,
    /// The type that wants an enum.
    wanted: Option<&'static str>,
}

#[derive(Clone, Copy)]
struct Handed {
    at: usize,
    depth: usize,
    of: &'static str,
    variant: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(super) enum Key {
    Name(&'static str),
    Index(usize),
}

impl Buffers {
    fn knows(&self, of: &str) -> bool {
        self.enums.iter().any(|(known, _)| *known == of)
    }

    /// The key that an object is handed out with, if it is one of an enum, and whether its content is of
    /// the other kind.
    fn key(
        &mut self,
        at: usize,
        depth: usize,
        of: &'static str,
        class: &str,
    ) -> Option<(Key, bool)> {
        self.note_wanted(false);
        let known =
            self.enums.iter().filter(|(known, _)| *known == of && !self.plain.contains(&at));
        let found = known.clone().find_map(|(_, names)| {
            let index = variant_of(names, class)?;
            names.get(index).map(|name| (*name, index))
        });
        self.handed.push(Handed { at, depth, of, variant: found.map(|(name, _)| name) });
        if self.probe == Some(at) {
            return Some((Key::Name(PROBE), false));
        }
        let (name, index) = found?;
        let key = if self.by_name { Key::Name(name) } else { Key::Index(index) };
        Some((key, self.other.contains_key(&(of, name))))
    }

    /// Whether the enum of the last object refused it. One whose enum is known is none of it, unless
    /// the reading ends there.
    fn note_wanted(&mut self, ends: bool) {
        if WANTED.replace(false)
            && let Some(last) = self.handed.last()
            && last.variant.is_none()
            && (ends || !self.knows(last.of))
        {
            self.wanted.get_or_insert(last.of);
        }
    }

    /// After a reading: whether another one may find more.
    fn next(&mut self, failed: bool) -> bool {
        self.note_wanted(failed);
        let asked = ASKED.take();
        let handed = std::mem::take(&mut self.handed);
        let wanted = self.wanted.take();
        if let Some(at) = self.probe.take() {
            if let Some(one) = handed.iter().find(|one| one.at == at) {
                self.enums.extend(asked.into_iter().map(|names| (one.of, names)));
            }
            return true;
        }
        let open = handed.iter().filter(|one| {
            Some(one.of) == wanted && one.variant.is_none() && !self.plain.contains(&one.at)
        });
        // The outermost, because the others are its content.
        let next = open.filter(|one| !self.asked.contains(&one.at));
        if let Some(one) = next.min_by_key(|one| (one.depth, Reverse(one.at))) {
            self.asked.insert(one.at);
            self.probe = Some(one.at);
            return true;
        }
        let Some(last) = handed.last().filter(|_| failed) else { return false };
        let Some(variant) = last.variant else { return false };
        let key = (last.of, variant);
        match self.other.get(&key) {
            None => {
                self.other.insert(key, last.at);
            }
            Some(at) => {
                if *at == last.at {
                    self.other.remove(&key);
                }
                self.plain.insert(last.at);
            }
        }
        true
    }
}

/// The variant that the text of `$type` means: as it is written, or as the engine would read it.
fn variant_of(names: &[&str], class: &str) -> Option<usize> {
    let class = class.trim();
    let uuid = Uuid::find(class);
    let exact = names.iter().position(|name| *name == class);
    exact.or_else(|| match uuid {
        Some(_) => names.iter().position(|name| Uuid::find(name) == uuid),
        None => names.iter().position(|name| name_of(name).eq_ignore_ascii_case(class)),
    })
}

/// The findings of earlier readings, where there are any.
pub(super) type Held = Option<Box<Buffers>>;

/// Runs `first`, and where an enum refused an object of a buffer, `again` with the result.
pub(super) fn settle<T>(
    text: Input<'_>,
    first: impl FnOnce() -> Result<T>,
    again: impl FnOnce(Result<T>) -> Result<T>,
) -> Result<T> {
    let outer = WANTED.replace(false);
    let mut result = first();
    if WANTED.replace(false) && text.may_have("\"$type\"") {
        result = again(result);
    }
    WANTED.set(outer);
    result
}

/// Finds out which objects are those of enums, and reads with what was found. Nothing is found where
/// that would refuse what was `good` without it.
pub(super) fn learn<T>(
    good: bool,
    mut again: impl FnMut(&mut Held) -> Result<T>,
) -> Option<(Result<T>, Held)> {
    let mut held = Some(Box::<Buffers>::default());
    let mut better = false;
    for _ in 0..MAX_READINGS {
        better = again(&mut held).is_ok();
        if !held.as_mut().is_some_and(|buffers| buffers.next(!better)) {
            break;
        }
    }
    let buffers = held.as_mut().filter(|buffers| !buffers.enums.is_empty())?;
    buffers.by_name = true;
    if !better {
        // The indices may be wrong, as an `alias` moves them.
        (buffers.other, buffers.plain) = Default::default();
    }
    (better || !good).then(|| (again(&mut held), held))
}

/// An object for a buffer of serde's.
pub(super) fn object<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    of: &'static str,
    visitor: V,
) -> Result<V::Value> {
    if let Some(buffers) = &mut loader.buffers {
        let mut ahead = loader.reader.clone();
        let (at, depth) = (ahead.offset(), ahead.depth());
        ahead.open()?;
        if ahead.next_key(&mut true)?.is_some_and(|name| name == "$type")
            && ahead.peek_kind()? == Kind::String
            && let Some((key, other)) = buffers.key(at, depth, of, &ahead.string()?)
        {
            let role = if other { Role::OtherContent } else { Role::Content };
            let content = Some(Slot { loader, source: Source::Text(None), role, of });
            return visitor.visit_map(InVariant { key: Some(key), content });
        }
    }
    map::any(loader, of, map::Values::Any, visitor)
}

/// The members of an object with `$type`.
pub(super) enum Members {
    /// `Value` alone: where that is, and where the object ends.
    Value(usize, usize),
    /// None.
    None,
    Any,
}

impl Members {
    /// Looks at the object that comes next.
    pub(super) fn of(loader: &Loader<'_, '_>) -> Result<Self> {
        let mut ahead = loader.reader.clone();
        let (mut first, mut value) = (true, None);
        ahead.open()?;
        while let Some(name) = ahead.next_key(&mut first)? {
            ahead.peek()?;
            match name.as_ref() {
                "$type" => {}
                "Value" => value = Some(ahead.offset()),
                _ => return Ok(Members::Any),
            }
            skip(&mut ahead)?;
        }
        Ok(value.map_or(Members::None, |at| Members::Value(at, ahead.offset())))
    }
}

/// The content of a variant: an object that comes next without its `$type`, or what its `Value` is. With
/// `OtherContent` a `Value` is a member, and an object without members a unit.
pub(super) fn content<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, role, of, .. } = slot;
    match (Members::of(loader)?, role) {
        (Members::Value(at, end), Role::Content) => loader.inside(at, end, |loader| {
            compound::any(Slot { loader, source: Source::Text(None), role: Role::Any, of }, visitor)
        }),
        (Members::None, Role::OtherContent) => {
            skip(&mut loader.reader)?;
            visitor.visit_unit()
        }
        // Another value may be for the classes that have no variant.
        _ if !is_buffer::<V::Value>() => map::any(loader, of, map::Values::Any, visitor),
        _ => map::any(loader, of, map::Values::Content, visitor),
    }
}

/// `{"Variant": content}`.
pub(super) struct InVariant<'a, 'de, 'o> {
    pub(super) key: Option<Key>,
    pub(super) content: Option<Slot<'a, 'de, 'o>>,
}

impl<'de> MapAccess<'de> for InVariant<'_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.key.take() {
            Some(Key::Name(name)) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            Some(Key::Index(index)) => {
                seed.deserialize((index as u64).into_deserializer()).map(Some)
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match self.content.take() {
            Some(slot) => seed.deserialize(slot),
            None => {
                debug_assert!(false, "a value is asked for once");
                Err(Error::new(crate::ErrorKind::Data, "expected a variant with content"))
            }
        }
    }
}
