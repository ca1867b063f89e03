//! [`Array`] and [`Object`]: what values nest in.

use std::ops::{Deref, DerefMut};

use super::{Text, Value};

/// The elements of an array. It is used as a vector is.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Array(pub(super) Vec<Value>);

/// The members of an object, in their order, duplicates included.
///
/// [`get`](Object::get) finds the first of several members of one name, as the engine's patches do
/// (when the engine loads a class, the last one wins).
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Object(pub(super) Vec<(Text, Value)>);

impl Array {
    /// An empty array.
    pub const fn new() -> Self {
        Array(Vec::new())
    }

    /// The elements as a vector.
    pub fn into_vec(self) -> Vec<Value> {
        self.0
    }
}

impl Deref for Array {
    type Target = Vec<Value>;
    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Self {
        Array(items)
    }
}

impl<T: Into<Value>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Array(items.into_iter().map(Into::into).collect())
    }
}

impl Object {
    /// An empty object.
    pub const fn new() -> Self {
        Object(Vec::new())
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of the first member of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// The value of the first member of a name, to change.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Whether there is a member of a name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets the value of the first member of a name and returns the one that was there. A new member
    /// comes last; an old one keeps its place.
    pub fn insert(&mut self, name: impl Into<Text>, value: impl Into<Value>) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        match self.get_mut(&name) {
            Some(place) => Some(std::mem::replace(place, value)),
            None => {
                self.0.push((name, value));
                None
            }
        }
    }

    /// Adds a member at the end, even if there is one of that name.
    pub fn push(&mut self, name: impl Into<Text>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    /// Puts a member before the one at a position, or at the end, even if there is one of that name.
    pub fn insert_at(&mut self, at: usize, name: impl Into<Text>, value: impl Into<Value>) {
        self.0.insert(at.min(self.0.len()), (name.into(), value.into()));
    }

    /// Takes out the first member of a name; the others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(at).1)
    }

    /// The members in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Text, Value)> {
        self.0.iter()
    }

    /// The names in order.
    pub fn keys(&self) -> impl Iterator<Item = &Text> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The members in order, with their values to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.0.iter_mut().map(|(name, value)| (name.as_str(), value))
    }

    /// The members as a vector.
    pub fn into_vec(self) -> Vec<(Text, Value)> {
        self.0
    }
}

impl From<Vec<(Text, Value)>> for Object {
    /// Duplicate names stay.
    fn from(members: Vec<(Text, Value)>) -> Self {
        Object(members)
    }
}

impl<K: Into<Text>, V: Into<Value>> FromIterator<(K, V)> for Object {
    /// Duplicate names stay.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Object(members.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

macro_rules! iterate {
    ($($own:ident of $item:ty),+) => {$(
        impl IntoIterator for $own {
            type Item = $item;
            type IntoIter = std::vec::IntoIter<$item>;
            fn into_iter(self) -> Self::IntoIter {
                self.into_vec().into_iter()
            }
        }

        impl<'a> IntoIterator for &'a $own {
            type Item = &'a $item;
            type IntoIter = std::slice::Iter<'a, $item>;
            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }
    )+};
}

iterate!(Array of Value, Object of (Text, Value));
