//! `From`, `FromIterator` and comparison with Rust's own types for [`Value`].

use super::{Array, Number, Object, Text, Value};

macro_rules! number {
    ($($own:ty),+) => {$(
        impl From<$own> for Value {
            fn from(value: $own) -> Self {
                Value::Number(value.into())
            }
        }
    )+};
}

number!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

macro_rules! from {
    ($($own:ty => |$value:pat_param| $made:expr;)+) => {$(
        impl From<$own> for Value {
            fn from($value: $own) -> Self {
                $made
            }
        }
    )+};
}

from! {
    () => |()| Value::Null;
    bool => |value| Value::Bool(value);
    Number => |value| Value::Number(value);
    &str => |value| Value::String(value.into());
    String => |value| Value::String(value.into());
    Text => |value| Value::String(value);
    Array => |value| Value::Array(value);
    Object => |value| Value::Object(value);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::Array(items.into_iter().collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(items: [T; N]) -> Self {
        Value::Array(items.into_iter().collect())
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Value::Array(items.into_iter().collect())
    }
}

impl<K: Into<Text>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Value::Object(members.into_iter().collect())
    }
}

macro_rules! equal {
    ($($own:ty => |$value:ident, $other:ident| $equal:expr;)+) => {$(
        impl PartialEq<$own> for Value {
            fn eq(&self, $other: &$own) -> bool {
                let $value = self;
                $equal
            }
        }
    )+};
}

equal! {
    str => |value, other| value.as_str() == Some(other);
    &str => |value, other| value.as_str() == Some(*other);
    bool => |value, other| value.as_bool() == Some(*other);
    i64 => |value, other| value.as_i64() == Some(*other);
    u64 => |value, other| value.as_u64() == Some(*other);
    f64 => |value, other| value.as_f64() == Some(*other);
}
