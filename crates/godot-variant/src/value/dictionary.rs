use std::ops::{Index, IndexMut};

use crate::Value;
use crate::types::ElementType;
use crate::value::ValueIndex;
use crate::value::lookup::Entries;

/// The entries of a dictionary, in insertion order, as the engine keeps them.
///
/// Keys are any values. Keys are the same when the engine takes them for the same: a `String` and
/// a `StringName` with the same text are, `1`, `1.0` and `true` are not. An entry is found in constant
/// time: the first lookup in one with more than 16 of them makes an index. Two dictionaries are equal
/// if their entries are, in the same order.
///
/// ```
/// use godot_variant::types::Vector2i;
/// use godot_variant::dict;
///
/// let mut cells = dict! { "size" => 2, Vector2i::new(0, 1) => "grass", 5 => true };
/// assert_eq!(cells["size"], 2);
/// assert_eq!(cells[&Vector2i::new(0, 1)], "grass");
/// cells["size"] = 3.into();
/// assert_eq!(cells.remove(&5), Some(true.into()));
/// assert_eq!(format!("{cells:?}"), r#"{"size": 3, Vector2i(0, 1): "grass"}"#);
/// ```
#[derive(Default)]
pub struct Dictionary(Entries);

impl Dictionary {
    /// An empty dictionary.
    pub const fn new() -> Self {
        Dictionary(Entries::new())
    }

    /// No two keys may be the same.
    #[inline]
    pub(super) fn of_unique(entries: Vec<(Value, Value)>) -> Self {
        Dictionary(Entries::of(entries))
    }

    /// Entries that stood in bytes, with values that are not of the declared type. No two keys may be the same.
    pub(super) fn as_read(entries: Vec<(Value, Value)>) -> Self {
        Dictionary(Entries::as_read(entries))
    }

    pub(super) fn is_as_read(&self) -> bool {
        self.0.is_as_read()
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The index of the entry with a key.
    #[cfg(feature = "text")]
    pub(crate) fn position(&self, key: &Value) -> Option<usize> {
        self.0.find(key)
    }

    fn find<K: ValueIndex + ?Sized>(&self, key: &K) -> Option<usize> {
        self.0.find(&*key.key()?)
    }

    /// The value at a key; text finds a `String` and a `StringName`.
    pub fn get<K: ValueIndex + ?Sized>(&self, key: &K) -> Option<&Value> {
        self.as_slice().get(self.find(key)?).map(|(_, value)| value)
    }

    /// The value at a key, to change.
    pub fn get_mut<K: ValueIndex + ?Sized>(&mut self, key: &K) -> Option<&mut Value> {
        let place = self.find(key)?;
        self.0.as_mut_slice().get_mut(place).map(|(_, value)| value)
    }

    /// Whether there is an entry with this key.
    pub fn contains<K: ValueIndex + ?Sized>(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    /// Sets the value at a key and returns the one that was there. A new key comes last; an old one
    /// keeps its place.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        match self.get_mut(&key) {
            Some(place) => Some(std::mem::replace(place, value)),
            None => {
                self.0.push((key, value));
                None
            }
        }
    }

    /// Takes out the entry at a key. The others keep their order, so those after it are moved.
    pub fn remove<K: ValueIndex + ?Sized>(&mut self, key: &K) -> Option<Value> {
        let place = self.find(key)?;
        self.0.remove(place).map(|(_, value)| value)
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Value, Value)> {
        self.as_slice().iter()
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[(Value, Value)] {
        self.0.as_slice()
    }

    /// The values in order, to change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.as_mut_slice().iter_mut().map(|(_, value)| value)
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(key, _)| key)
    }

    /// The values in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }

    /// The entries as a vector.
    pub fn into_vec(self) -> Vec<(Value, Value)> {
        self.0.into_vec()
    }
}

impl PartialEq for Dictionary {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Dictionary {}

impl<K: ValueIndex + ?Sized> Index<&K> for Dictionary {
    type Output = Value;

    /// The value at a key, or nil when there is none.
    fn index(&self, key: &K) -> &Value {
        self.get(key).unwrap_or(&NIL)
    }
}

impl<K: ValueIndex + ?Sized> IndexMut<&K> for Dictionary {
    /// The value at a key, which is nil at first if there is none.
    ///
    /// # Panics
    /// For a number above `i64::MAX`.
    fn index_mut(&mut self, key: &K) -> &mut Value {
        let place = self.find(key).or_else(|| {
            self.0.push((key.key()?.into_owned(), Value::Nil));
            self.len().checked_sub(1)
        });
        let place = place.and_then(|place| self.0.as_mut_slice().get_mut(place));
        there(place.map(|(_, value)| value))
    }
}

impl From<Vec<(Value, Value)>> for Dictionary {
    /// Later values replace earlier ones of the same key, in the place of the earlier key.
    fn from(entries: Vec<(Value, Value)>) -> Self {
        let mut entries = entries;
        super::keys::merge_same_keys(&mut entries);
        Dictionary::of_unique(entries)
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        entries
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect::<Vec<_>>()
            .into()
    }
}

super::array::into_iterator!(Dictionary of (Value, Value));

/// The value at an index where nothing is.
pub(super) static NIL: Value = Value::Nil;

/// Returns a value that has to be there.
#[allow(clippy::panic, reason = "what `IndexMut` does everywhere")]
#[track_caller]
pub(super) fn there(found: Option<&mut Value>) -> &mut Value {
    match found {
        Some(value) => value,
        None => panic!("nothing is at this index"),
    }
}

/// A dictionary with the types of its keys and values, the engine's `Dictionary[K, V]`.
///
/// When it is written, keys and values are converted as [`Value::accept`] says, and those that do not
/// fit are an error. When reading, the engine converts or drops keys that do not fit and leaves values
/// as they are; such entries are written again as long as none of them changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypedDictionary {
    /// The type of the keys.
    pub key: ElementType,
    /// The type of the values.
    pub value: ElementType,
    /// The entries.
    pub entries: Dictionary,
}
