//! Access by name and position.

use std::ops::{Index, IndexMut};

use super::{Object, Text, Value};

static NULL: Value = Value::Null;

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl Sealed for &str {}
    impl Sealed for String {}
    impl Sealed for super::Text {}
    impl Sealed for usize {}
}

/// An index into a [`Value`]: the name of a member, or a position in an array.
pub trait ValueIndex: sealed::Sealed {
    #[doc(hidden)]
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value>;
    #[doc(hidden)]
    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;
    /// Which member it is, if it is one.
    #[doc(hidden)]
    fn name(&self) -> Option<&str>;
}

impl ValueIndex for str {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_object()?.get(self)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_object_mut()?.get_mut(self)
    }

    fn name(&self) -> Option<&str> {
        Some(self)
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

            fn name(&self) -> Option<&str> {
                Some(self)
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

    fn name(&self) -> Option<&str> {
        None
    }
}

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or null when there is none.
    fn index(&self, index: I) -> &Value {
        index.get_in(self).unwrap_or(&NULL)
    }
}

impl<I: ValueIndex> IndexMut<I> for Value {
    /// The value there. An object, and null, which becomes one, gets a member for a new name.
    ///
    /// ```
    /// use o3de_json::{Value, json};
    ///
    /// let mut settings = Value::Null;
    /// settings["Amazon"]["Gems"] = json!(["Atom"]);
    /// settings["Amazon"]["Gems"][0] = "PhysX".into();
    /// assert_eq!(settings.pointer("/Amazon/Gems/0"), Some(&"PhysX".into()));
    /// ```
    ///
    /// # Panics
    /// For a position that an array does not have, and in any other value.
    #[track_caller]
    #[allow(clippy::panic, reason = "what `IndexMut` does everywhere")]
    fn index_mut(&mut self, index: I) -> &mut Value {
        if let Some(name) = index.name() {
            if self.is_null() {
                *self = Object::new().into();
            }
            if let Some(members) = self.as_object_mut()
                && !members.contains(name)
            {
                members.push(name, Value::Null);
            }
        }
        match index.get_in_mut(self) {
            Some(value) => value,
            None => panic!("nothing is at this index"),
        }
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
