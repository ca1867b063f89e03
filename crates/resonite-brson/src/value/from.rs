//! `From` and comparison with plain values for [`Value`].

use crate::Value;
use crate::text::Str;
use crate::types::{Binary, DateTime, Int, Other, Text, TimeSpan, Url};
use crate::value::{Array, Document, Key};

macro_rules! from {
    ($($(#[$doc:meta])* $type:ty => $make:expr;)+) => {$(
        impl From<$type> for Value {
            $(#[$doc])*
            fn from(value: $type) -> Self {
                let make: fn($type) -> Value = $make;
                make(value)
            }
        }
    )+};
}

from! {
    () => |()| Value::Null;
    bool => Value::Bool;
    i8 => |value| Value::Int32(value.into());
    i16 => |value| Value::Int32(value.into());
    i32 => Value::Int32;
    u8 => |value| Value::Int32(value.into());
    u16 => |value| Value::Int32(value.into());
    /// Wrapped into an int32, as the engine writes a `uint`.
    u32 => |value| Value::Int32(value.cast_signed());
    i64 => Value::Int64;
    Int => |value| match value {
        Int::I32(value) => Value::Int32(value),
        Int::I64(value) => Value::Int64(value),
    };
    f32 => |value| Value::Double(value.into());
    f64 => Value::Double;
    &str => |value| Value::String(value.into());
    String => |value| Value::String(value.into());
    Str => Value::String;
    Url => |value| Value::String(value.to_stored().into());
    Text => |value| Value::String(Text::to_stored(&value.0).into());
    Document => Value::Document;
    Array => Value::Array;
    TimeSpan => |value| Value::Int64(value.0);
    DateTime => Value::DateTime;
    Binary => |value| Value::Binary(Box::new(value));
    Other => Value::Other;
}

impl<T: Into<Value>> From<Option<T>> for Value {
    /// Null for nothing.
    fn from(value: Option<T>) -> Self {
        value.map(T::into).unwrap_or_default()
    }
}

macro_rules! lists {
    ($([$($size:tt)*] $list:ty;)+) => {$(
        impl<T: Into<Value>, $($size)*> From<$list> for Value {
            fn from(items: $list) -> Self {
                items.into_iter().collect()
            }
        }
    )+};
}

lists! {
    [] Vec<T>;
    [const N: usize] [T; N];
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Value::Array(items.into_iter().collect())
    }
}

impl<K: Into<Key>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Value::Document(entries.into_iter().collect())
    }
}

macro_rules! equal {
    ($($(#[$doc:meta])* $type:ty: $of:expr;)+) => {$(
        impl PartialEq<$type> for Value {
            $(#[$doc])*
            fn eq(&self, other: &$type) -> bool {
                let equal: fn(&Value, &$type) -> bool = $of;
                equal(self, other)
            }
        }
    )+};
}

equal! {
    str: |value, other| value.as_str() == Some(other);
    &str: |value, other| value.as_str() == Some(*other);
    bool: |value, other| value.as_bool() == Some(*other);
    /// In either width.
    i64: |value, other| value.as_i64() == Some(*other);
    /// In either width.
    i32: |value, other| value.as_i64() == Some(i64::from(*other));
    f64: |value, other| matches!(value, Value::Double(value) if value == other);
}
