use crate::Value;
use crate::text::ShortStr;

/// A key in a [`Document`]: an owned string that keeps up to 22 bytes in place, as nearly all keys of
/// saves have.
pub type Key = ShortStr<22>;

/// Keys and values in order.
///
/// A `Vec<(Key, Value)>` whose clone and text need no recursion. Order counts in `==`, as it does in the
/// bytes. Looking up a key goes
/// through the entries; the documents of a tree are short. A key should be there once: the engine
/// refuses documents where it is not, and so does writing unless
/// [`Options::allow_duplicates`](crate::Options::allow_duplicates) is on.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Document(pub(super) Vec<(Key, Value)>);

impl Document {
    /// An empty document.
    pub const fn new() -> Self {
        Document(Vec::new())
    }

    /// The entries as a vector.
    pub fn into_vec(self) -> Vec<(Key, Value)> {
        self.0
    }

    /// Where a key is.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.0.iter().position(|(name, _)| *name == *key)
    }

    /// The value of a key, the first one if there are more.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| *name == *key).map(|(_, value)| value)
    }

    /// The value of a key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(name, _)| *name == *key).map(|(_, value)| value)
    }

    /// Whether a key is present.
    pub fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Sets the value of a key, at the end if it is new. Returns the value that was there.
    pub fn insert(&mut self, key: impl Into<Key>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        match self.get_mut(&key) {
            Some(place) => Some(std::mem::replace(place, value)),
            None => {
                self.0.push((key, value));
                None
            }
        }
    }

    /// Takes an entry out; those after it move up.
    pub fn shift_remove(&mut self, key: &str) -> Option<Value> {
        let at = self.position(key)?;
        Some(self.0.remove(at).1)
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values in order, to change.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Value> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Into<Key>, V: Into<Value>> FromIterator<(K, V)> for Document {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Document(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}
