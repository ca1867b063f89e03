use crate::Value;
use crate::types::ElementType;

/// The entries of a dictionary, in insertion order, as the engine keeps them.
///
/// Keys are any values. Keys are the same when the engine takes them for the same: a `String` and
/// a `StringName` with the same text are, `1`, `1.0` and `true` are not. Lookup is a linear search.
/// Two dictionaries are equal if their entries are, in the same order.
#[derive(Default, PartialEq, Eq)]
pub struct Dictionary(pub(super) Vec<(Value, Value)>);

impl Dictionary {
    /// An empty dictionary.
    pub const fn new() -> Self {
        Dictionary(Vec::new())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value at a text key, be it a `String` or a `StringName`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| own.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The value at a text key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(own, _)| own.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The value at any key.
    pub fn get_value(&self, key: &Value) -> Option<&Value> {
        self.0.iter().find(|(own, _)| own.same_key(key)).map(|(_, value)| value)
    }

    /// Sets the value at a key and returns the one that was there. A new key comes last; an old one
    /// keeps its place.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        match self.0.iter_mut().find(|(own, _)| own.same_key(&key)) {
            Some((_, place)) => Some(std::mem::replace(place, value)),
            None => {
                self.0.push((key, value));
                None
            }
        }
    }

    /// Takes out the entry at a text key; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.0.iter().position(|(own, _)| own.as_str() == Some(key))?;
        Some(self.0.remove(at).1)
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Value, Value)> {
        self.0.iter()
    }

    pub(crate) fn as_slice(&self) -> &[(Value, Value)] {
        &self.0
    }

    /// The values in order, to change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The entries as a vector.
    pub fn into_vec(mut self) -> Vec<(Value, Value)> {
        std::mem::take(&mut self.0)
    }
}

impl From<Vec<(Value, Value)>> for Dictionary {
    /// Later values replace earlier ones of the same key, in the place of the earlier key.
    fn from(entries: Vec<(Value, Value)>) -> Self {
        let mut entries = entries;
        super::compare::merge_same_keys(&mut entries);
        Dictionary(entries)
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

impl IntoIterator for Dictionary {
    type Item = (Value, Value);
    type IntoIter = std::vec::IntoIter<(Value, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Dictionary {
    type Item = &'a (Value, Value);
    type IntoIter = std::slice::Iter<'a, (Value, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A dictionary with the types of its keys and values, the engine's `Dictionary[K, V]`.
///
/// Entries are not checked against the types when written. When reading, the engine converts or
/// drops keys that do not fit and leaves values as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedDictionary {
    /// What the keys are.
    pub key: ElementType,
    /// What the values are.
    pub value: ElementType,
    /// The entries.
    pub entries: Dictionary,
}
