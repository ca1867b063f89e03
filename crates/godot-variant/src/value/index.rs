//! Access by key, position and pointer.

use std::ops::Index;

use crate::Value;
use crate::value::Object;

static NIL: Value = Value::Nil;

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl<S: Sealed + ?Sized> Sealed for &S {}
    impl Sealed for String {}
    impl Sealed for usize {}
}

/// What a [`Value`] can be indexed with: a text key or property name, or a position.
pub trait ValueIndex: sealed::Sealed {
    #[doc(hidden)]
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value>;
    #[doc(hidden)]
    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;
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
}

impl ValueIndex for String {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        str::get_in(self, value)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        str::get_in_mut(self, value)
    }
}

impl<I: ValueIndex + ?Sized> ValueIndex for &I {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        I::get_in(self, value)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        I::get_in_mut(self, value)
    }
}

impl ValueIndex for usize {
    fn get_in<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_array()?.get(*self)
    }

    fn get_in_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_array_mut()?.get_mut(*self)
    }
}

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or nil when there is none.
    fn index(&self, index: I) -> &Value {
        index.get_in(self).unwrap_or(&NIL)
    }
}

impl Value {
    /// The value at a text key, property name or position.
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value> {
        index.get_in(self)
    }

    /// The value at a text key, property name or position, to change.
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
