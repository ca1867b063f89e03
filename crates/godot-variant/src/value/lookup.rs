//! How dictionaries find their entries: one by one, or by an index of their keys.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::Value;
use crate::value::keys::ByHash;
use crate::value::keys::FEW;

type Entry = (Value, Value);

/// The entries of a dictionary; a large one has an index.
pub(super) enum Entries {
    Few(Vec<Entry>),
    Many(Box<Many>),
    /// As they were read, with values that are not of the declared type: the engine keeps these, and they are written
    /// as they are until something changes.
    Read(Box<Many>),
}

pub(super) struct Many {
    entries: Vec<Entry>,
    index: Index,
}

impl Default for Entries {
    fn default() -> Self {
        Entries::new()
    }
}

impl Entries {
    pub(super) const fn new() -> Self {
        Entries::Few(Vec::new())
    }

    /// No two keys may be the same.
    #[inline]
    pub(super) fn of(entries: Vec<Entry>) -> Self {
        match entries.len() {
            ..=FEW => Entries::Few(entries),
            _ => Entries::Many(Box::new(Many { index: Index::default(), entries })),
        }
    }

    pub(super) fn as_read(entries: Vec<Entry>) -> Self {
        Entries::Read(Box::new(Many { index: Index::default(), entries }))
    }

    pub(super) fn is_as_read(&self) -> bool {
        matches!(self, Entries::Read(_))
    }

    /// Something changes.
    fn touch(&mut self) {
        if self.is_as_read() {
            *self = Entries::of(std::mem::take(self).into_vec());
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Entry] {
        match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) | Entries::Read(many) => &many.entries,
        }
    }

    /// To change values; keys have to stay.
    pub(super) fn as_mut_slice(&mut self) -> &mut [Entry] {
        self.touch();
        match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) | Entries::Read(many) => &mut many.entries,
        }
    }

    pub(super) fn into_vec(self) -> Vec<Entry> {
        match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) | Entries::Read(many) => many.entries,
        }
    }

    /// The place of an entry.
    pub(super) fn find(&self, key: &Value) -> Option<usize> {
        match (self, key.as_str()) {
            (Entries::Few(entries), Some(text)) => {
                entries.iter().position(|(own, _)| own.as_str() == Some(text))
            }
            (Entries::Few(entries), None) => entries.iter().position(|(own, _)| own.same_key(key)),
            (Entries::Many(many) | Entries::Read(many), _) => many.index.find(&many.entries, key),
        }
    }

    /// Adds an entry with a key that is missing.
    pub(super) fn push(&mut self, entry: Entry) {
        self.touch();
        match self {
            Entries::Few(entries) if entries.len() < FEW => entries.push(entry),
            Entries::Few(entries) => {
                entries.push(entry);
                *self = Entries::of(std::mem::take(entries));
            }
            Entries::Many(many) | Entries::Read(many) => {
                many.entries.push(entry);
                many.index.pushed(&many.entries);
            }
        }
    }

    pub(super) fn remove(&mut self, place: usize) -> Option<Entry> {
        self.touch();
        let entries = match self {
            Entries::Few(entries) => entries,
            Entries::Many(many) | Entries::Read(many) => {
                many.index.remove(&many.entries, place);
                &mut many.entries
            }
        };
        (place < entries.len()).then(|| entries.remove(place))
    }
}

/// Where the key of each entry stands; made at the first lookup.
#[derive(Default)]
struct Index(OnceLock<ByHash>);

impl Index {
    fn find(&self, entries: &[Entry], key: &Value) -> Option<usize> {
        self.0.get_or_init(|| ByHash::of(entries)).find(entries, key)
    }

    /// Adds the last entry.
    fn pushed(&mut self, entries: &[Entry]) {
        if let (Some(made), [before @ .., (key, _)]) = (self.0.get_mut(), entries) {
            made.insert(key, before.len());
        }
    }

    /// Takes out an entry that is still there.
    fn remove(&mut self, entries: &[Entry], at: usize) {
        if let (Some(made), Some((key, _))) = (self.0.get_mut(), entries.get(at)) {
            made.remove(key, at);
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// An index of a [`Value`] or a [`Dictionary`](super::Dictionary): text is a key or the
/// name of a property, a whole number a position in an array or a key, and a [`Value`] any key.
pub trait ValueIndex: sealed::Sealed {
    /// `None` for a number that no value holds.
    #[doc(hidden)]
    fn key(&self) -> Option<Cow<'_, Value>>;
}

macro_rules! keys {
    ($($($type:ty),+ => |$own:ident| $key:expr;)+) => {$($(
        impl sealed::Sealed for $type {}

        impl ValueIndex for $type {
            #[inline]
            fn key(&self) -> Option<Cow<'_, Value>> {
                let $own = self;
                Some($key)
            }
        }
    )+)+};
}

keys! {
    str => |own| Cow::Owned(own.into());
    String => |own| Cow::Owned(own.as_str().into());
    Value => |own| Cow::Borrowed(own);
    bool, i32, i64, u32, f64, crate::types::Vector2i, crate::types::Vector3i => |own| Cow::Owned((*own).into());
    usize => |own| Cow::Owned(Value::try_from(*own).ok()?);
}

impl<K: ValueIndex + ?Sized> sealed::Sealed for &K {}

impl<K: ValueIndex + ?Sized> ValueIndex for &K {
    fn key(&self) -> Option<Cow<'_, Value>> {
        K::key(self)
    }
}
