use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use crate::Value;
use crate::types::ElementType;

/// The elements of an array, in order.
#[derive(Default, PartialEq, Eq)]
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

impl IntoIterator for Array {
    type Item = Value;
    type IntoIter = alloc::vec::IntoIter<Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = core::slice::Iter<'a, Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// An array with the type of its elements, the engine's `Array[T]`.
///
/// The elements are not checked against the type when written; the engine would drop or convert
/// those that do not fit when it reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedArray {
    /// The type of the elements.
    pub element: ElementType,
    /// The elements.
    pub items: Array,
}
