//! Access by key, position and pointer.

use std::ops::{Index, IndexMut};

use gamewire_core::pointer;

use crate::Value;
use crate::value::dictionary::{NIL, there};
use crate::value::{Dictionary, Object, ValueIndex};

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or nil when there is none.
    fn index(&self, index: I) -> &Value {
        self.get(index).unwrap_or(&NIL)
    }
}

impl<I: ValueIndex> IndexMut<I> for Value {
    /// The value there. A dictionary, and nil, which becomes one, gets an entry for a new key.
    ///
    /// ```
    /// use godot_variant::{Value, variant};
    ///
    /// let mut save = Value::Nil;
    /// save["player"]["hp"] = 7.into();
    /// save["player"]["items"] = variant!(["lamp"]);
    /// save["player"]["items"][0] = "key".into();
    /// assert_eq!(save.pointer("/player/items/0"), Some(&"key".into()));
    /// ```
    ///
    /// # Panics
    /// For a position that an array does not have, a property that an object does not have, and in any
    /// other value.
    fn index_mut(&mut self, index: I) -> &mut Value {
        if self.is_null() {
            *self = Dictionary::new().into();
        }
        match self {
            Value::Dictionary(entries) => entries.index_mut(&index),
            Value::TypedDictionary(typed) => typed.entries.index_mut(&index),
            other => there(other.get_mut(index)),
        }
    }
}

impl Value {
    /// The value at a text key, property name or position, or at any key.
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value> {
        let key = index.key()?;
        match self {
            Value::Object(Object::Instance(instance)) => instance.get(key.as_str()?),
            other => match other.as_array() {
                Some(items) => items.get(usize::try_from(key.as_i64()?).ok()?),
                None => other.as_dictionary()?.get(&*key),
            },
        }
    }

    /// The value at a text key, property name or position, or at any key, to change.
    pub fn get_mut<I: ValueIndex>(&mut self, index: I) -> Option<&mut Value> {
        let key = index.key()?;
        match self {
            Value::Object(Object::Instance(instance)) => instance.get_mut(key.as_str()?),
            Value::Array(_) | Value::TypedArray(_) => {
                self.as_array_mut()?.get_mut(usize::try_from(key.as_i64()?).ok()?)
            }
            other => other.as_dictionary_mut()?.get_mut(&*key),
        }
    }

    /// The value at a JSON pointer (RFC 6901) such as `/players/0/name`. Steps are text keys,
    /// property names or positions; `~1` stands for `/` and `~0` for `~`.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        pointer::find(self, pointer, |value, step| match value.as_array() {
            Some(items) => items.get(pointer::position(step)?),
            None => value.get(step),
        })
    }

    /// The value at a JSON pointer, to change.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        pointer::find(self, pointer, |value, step| match value.as_array() {
            Some(_) => value.as_array_mut()?.get_mut(pointer::position(step)?),
            None => value.get_mut(step),
        })
    }
}
