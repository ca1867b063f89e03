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

/// The name of a member, or a position in an array.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum IndexKey<'a> {
    Name(&'a str),
    Position(usize),
}

/// An index into a [`Value`]: the name of a member, or a position in an array.
pub trait ValueIndex: sealed::Sealed {
    #[doc(hidden)]
    fn key(&self) -> IndexKey<'_>;
}

macro_rules! names {
    ($($own:ty),+) => {$(
        impl ValueIndex for $own {
            fn key(&self) -> IndexKey<'_> {
                IndexKey::Name(self)
            }
        }
    )+};
}

names!(str, &str, String, Text);

impl ValueIndex for usize {
    fn key(&self) -> IndexKey<'_> {
        IndexKey::Position(*self)
    }
}

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or null when there is none.
    fn index(&self, index: I) -> &Value {
        self.get(index).unwrap_or(&NULL)
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
        if let IndexKey::Name(name) = index.key() {
            if self.is_null() {
                *self = Object::new().into();
            }
            if let Some(members) = self.as_object_mut()
                && !members.contains(name)
            {
                members.push(name, Value::Null);
            }
        }
        match self.get_mut(index) {
            Some(value) => value,
            None => panic!("nothing is at this index"),
        }
    }
}

impl Value {
    /// The value of the first member of a name, or at a position.
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value> {
        match index.key() {
            IndexKey::Name(name) => self.as_object()?.get(name),
            IndexKey::Position(at) => self.as_array()?.get(at),
        }
    }

    /// The value of the first member of a name, or at a position, to change.
    pub fn get_mut<I: ValueIndex>(&mut self, index: I) -> Option<&mut Value> {
        match index.key() {
            IndexKey::Name(name) => self.as_object_mut()?.get_mut(name),
            IndexKey::Position(at) => self.as_array_mut()?.get_mut(at),
        }
    }
}
