//! Access by key, position and pointer.

use std::ops::{Index, IndexMut};

use crate::Value;
use crate::value::{Dictionary, Object};

pub(super) static NIL: Value = Value::Nil;

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl<S: Sealed + ?Sized> Sealed for &S {}
    impl Sealed for String {}
    impl Sealed for usize {}
    impl Sealed for super::Value {}
}

/// What a [`Value`] can be indexed with: a text key or property name, a position or whole number, or
/// any key as a [`Value`].
pub trait ValueIndex: sealed::Sealed {
    #[doc(hidden)]
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value>;
    #[doc(hidden)]
    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;
    /// As a key, for an entry that is not there yet.
    #[doc(hidden)]
    fn to_key(&self) -> Option<Value>;
}

impl ValueIndex for str {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match value {
            Value::Object(Object::Instance(instance)) => instance.get(self),
            other => other.as_dictionary()?.get(self),
        }
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        match value {
            Value::Object(Object::Instance(instance)) => instance.get_mut(self),
            other => other.as_dictionary_mut()?.get_mut(self),
        }
    }

    fn to_key(&self) -> Option<Value> {
        Some(self.into())
    }
}

impl ValueIndex for String {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        str::get_in(self, value)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        str::get_in_mut(self, value)
    }

    fn to_key(&self) -> Option<Value> {
        str::to_key(self)
    }
}

impl<I: ValueIndex + ?Sized> ValueIndex for &I {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        I::get_in(self, value)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        I::get_in_mut(self, value)
    }

    fn to_key(&self) -> Option<Value> {
        I::to_key(self)
    }
}

impl ValueIndex for usize {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match value.as_array() {
            Some(items) => items.get(*self),
            None => value.as_dictionary()?.get(&self.to_key()?),
        }
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        match value.as_array() {
            Some(_) => value.as_array_mut()?.get_mut(*self),
            None => value.as_dictionary_mut()?.get_mut(&self.to_key()?),
        }
    }

    fn to_key(&self) -> Option<Value> {
        i64::try_from(*self).ok().map(Value::Int)
    }
}

impl ValueIndex for Value {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match (value.as_dictionary(), self.as_str()) {
            (Some(entries), _) => entries.get(self),
            (None, Some(name)) => name.get_in(value),
            (None, None) => usize::try_from(self.as_i64()?).ok()?.get_in(value),
        }
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        match (value.as_dictionary(), self.as_str()) {
            (Some(_), _) => value.as_dictionary_mut()?.get_mut(self),
            (None, Some(name)) => name.get_in_mut(value),
            (None, None) => usize::try_from(self.as_i64()?).ok()?.get_in_mut(value),
        }
    }

    fn to_key(&self) -> Option<Value> {
        Some(self.clone())
    }
}

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or nil when there is none.
    fn index(&self, index: I) -> &Value {
        index.get_in(self).unwrap_or(&NIL)
    }
}

impl<I: ValueIndex> IndexMut<I> for Value {
    /// The value there. A dictionary, and nil, which becomes one, gets an entry for a new key.
    ///
    /// # Panics
    /// For a position that an array does not have, a property that an object does not have, and in any
    /// other value.
    fn index_mut(&mut self, index: I) -> &mut Value {
        if self.is_nil() {
            *self = Dictionary::new().into();
        }
        if let Some(key) = index.to_key().filter(|_| index.get_in(self).is_none())
            && let Some(entries) = self.as_dictionary_mut()
        {
            entries.insert(key, Value::Nil);
        }
        there(index.get_in_mut(self))
    }
}

/// What an index names that has to be there.
#[allow(clippy::panic, reason = "what `IndexMut` does everywhere")]
#[track_caller]
pub(super) fn there(found: Option<&mut Value>) -> &mut Value {
    match found {
        Some(value) => value,
        None => panic!("nothing is at this index"),
    }
}

impl Value {
    /// The value at a text key, property name or position, or at any key.
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value> {
        index.get_in(self)
    }

    /// The value at a text key, property name or position, or at any key, to change.
    pub fn get_mut<I: ValueIndex>(&mut self, index: I) -> Option<&mut Value> {
        index.get_in_mut(self)
    }

    /// The value at a JSON pointer (RFC 6901) such as `/players/0/name`. Steps are text keys,
    /// property names or positions; `~1` stands for `/` and `~0` for `~`.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        steps(pointer)?.try_fold(self, |value, step| match value.as_array() {
            Some(items) => items.get(position(&step)?),
            None => value.get(step),
        })
    }

    /// The value at a JSON pointer, to change.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        steps(pointer)?.try_fold(self, |value, step| match value.as_array() {
            Some(_) => value.as_array_mut()?.get_mut(position(&step)?),
            None => value.get_mut(step),
        })
    }
}

fn steps(pointer: &str) -> Option<impl Iterator<Item = String>> {
    let mut parts = pointer.split('/');
    parts.next().filter(|before| before.is_empty())?;
    Some(parts.map(|part| part.replace("~1", "/").replace("~0", "~")))
}

fn position(step: &str) -> Option<usize> {
    let plain = step == "0" || !step.starts_with(['0', '+']);
    step.parse().ok().filter(|_| plain)
}
