//! Access by name and position.

use std::ops::Index;

use super::{Text, Value, ValueRef};

static NULL: Value = Value::Null;

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl Sealed for &str {}
    impl Sealed for String {}
    impl Sealed for super::Text {}
    impl Sealed for usize {}
}

/// What a [`Value`] can be indexed with: the name of a member, or a position in an array.
pub trait ValueIndex: sealed::Sealed {
    #[doc(hidden)]
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value>;
    #[doc(hidden)]
    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;
    #[doc(hidden)]
    fn get_in_ref<'t>(&self, value: ValueRef<'t>) -> Option<ValueRef<'t>>;
}

impl ValueIndex for str {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_object()?.get(self)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_object_mut()?.get_mut(self)
    }

    fn get_in_ref<'t>(&self, value: ValueRef<'t>) -> Option<ValueRef<'t>> {
        value.member(self)
    }
}

macro_rules! as_str {
    ($($own:ty),+) => {$(
        impl ValueIndex for $own {
            fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
                let name: &str = self;
                name.get_in(value)
            }

            fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
                let name: &str = self;
                name.get_in_mut(value)
            }

            fn get_in_ref<'t>(&self, value: ValueRef<'t>) -> Option<ValueRef<'t>> {
                value.member(self)
            }
        }
    )+};
}

as_str!(&str, String, Text);

impl ValueIndex for usize {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_array()?.get(*self)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_array_mut()?.get_mut(*self)
    }

    fn get_in_ref<'t>(&self, value: ValueRef<'t>) -> Option<ValueRef<'t>> {
        value.items().nth(*self)
    }
}

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or null when there is none.
    fn index(&self, index: I) -> &Value {
        index.get_in(self).unwrap_or(&NULL)
    }
}

impl Value {
    /// The value of the first member of a name, or at a position.
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value> {
        index.get_in(self)
    }

    /// The value of the first member of a name, or at a position, to change.
    pub fn get_mut<I: ValueIndex>(&mut self, index: I) -> Option<&mut Value> {
        index.get_in_mut(self)
    }
}
