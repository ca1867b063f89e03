use crate::Value;
use crate::types::ElementType;

/// The elements of an array, in order.
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

crate::types::vec_newtype!(around Array, Value);

impl<T: Into<Value>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Array(items.into_iter().map(Into::into).collect())
    }
}

/// Takes what is in a container one by one.
macro_rules! into_iterator {
    ($name:ident of $item:ty) => {
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
                self.iter()
            }
        }
    };
}
pub(super) use into_iterator;

into_iterator!(Array of Value);

/// An array with the type of its elements, the engine's `Array[T]`.
///
/// When it is written, elements are converted as [`Value::accept`] says, and those that do not fit
/// are an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypedArray {
    /// The type of the elements.
    pub element: ElementType,
    /// The elements.
    pub items: Array,
}
