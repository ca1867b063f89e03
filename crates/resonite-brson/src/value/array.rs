use std::ops::{Deref, DerefMut};

use super::{Document, Key, Value};

/// The elements of an array, in order.
///
/// A `Vec<Value>` whose clone and text need no recursion.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Array(pub(super) Vec<Value>);

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

impl<T: Into<Value>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Array(items.into_iter().map(Into::into).collect())
    }
}

/// Makes a type that wraps a vector usable as one; the type has its own `Clone` and `Debug`.
macro_rules! as_vector {
    ($name:ident, $item:ty) => {
        impl Deref for $name {
            type Target = Vec<$item>;
            fn deref(&self) -> &Vec<$item> {
                &self.0
            }
        }

        impl DerefMut for $name {
            fn deref_mut(&mut self) -> &mut Vec<$item> {
                &mut self.0
            }
        }

        impl From<Vec<$item>> for $name {
            fn from(items: Vec<$item>) -> Self {
                $name(items)
            }
        }

        impl IntoIterator for $name {
            type Item = $item;
            type IntoIter = std::vec::IntoIter<$item>;
            fn into_iter(self) -> Self::IntoIter {
                self.into_vec().into_iter()
            }
        }

        impl<'a> IntoIterator for &'a $name {
            type Item = &'a $item;
            type IntoIter = std::slice::Iter<'a, $item>;
            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }

        impl<'a> IntoIterator for &'a mut $name {
            type Item = &'a mut $item;
            type IntoIter = std::slice::IterMut<'a, $item>;
            fn into_iter(self) -> Self::IntoIter {
                self.0.iter_mut()
            }
        }
    };
}

as_vector!(Array, Value);
as_vector!(Document, (Key, Value));
