//! `From` and comparison with plain values for [`Value`].

use crate::Value;
use crate::text::Str;
use crate::types::{
    Binary, CodeWithScope, DateTime, DbPointer, Decimal128, Int, ObjectId, Regex, Text, TimeSpan,
    Timestamp, Url,
};
use crate::value::{Array, Document};

macro_rules! from {
    ($($name:ident),+ $(,)?) => {$(
        impl From<$name> for Value {
            fn from(value: $name) -> Self { Value::$name(value) }
        }
    )+};
    (boxed $($name:ident),+ $(,)?) => {$(
        impl From<$name> for Value {
            fn from(value: $name) -> Self { Value::$name(Box::new(value)) }
        }
    )+};
    (int32 $($int:ty),+ $(,)?) => {$(
        impl From<$int> for Value {
            fn from(value: $int) -> Self { Value::Int32(value.into()) }
        }
    )+};
}

from!(Document, Array, DateTime, ObjectId, Timestamp, Decimal128);
from!(boxed Binary, Regex, DbPointer, CodeWithScope);
from!(int32 i8, i16, i32, u8, u16);

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int64(value)
    }
}

impl From<u32> for Value {
    /// Wrapped into an int32, as the engine writes a `uint`.
    fn from(value: u32) -> Self {
        Value::Int32(value.cast_signed())
    }
}

impl From<Int> for Value {
    fn from(value: Int) -> Self {
        match value {
            Int::I32(value) => Value::Int32(value),
            Int::I64(value) => Value::Int64(value),
        }
    }
}

impl From<TimeSpan> for Value {
    fn from(value: TimeSpan) -> Self {
        Value::Int64(value.0)
    }
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Value::Null
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Value::Double(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Double(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::String(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::String(value.into())
    }
}

impl From<Str> for Value {
    fn from(value: Str) -> Self {
        Value::String(value)
    }
}

impl From<Url> for Value {
    fn from(value: Url) -> Self {
        Value::String(value.to_stored().into())
    }
}

impl From<Text> for Value {
    fn from(value: Text) -> Self {
        Value::String(Text::to_stored(&value.0).into())
    }
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

impl<K: Into<Str>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Value::Document(entries.into_iter().collect())
    }
}

impl PartialEq<str> for Value {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == Some(*other)
    }
}

impl PartialEq<bool> for Value {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}

impl PartialEq<i64> for Value {
    /// In either width.
    fn eq(&self, other: &i64) -> bool {
        self.as_i64() == Some(*other)
    }
}

impl PartialEq<i32> for Value {
    /// In either width.
    fn eq(&self, other: &i32) -> bool {
        self.as_i64() == Some(i64::from(*other))
    }
}

impl PartialEq<f64> for Value {
    fn eq(&self, other: &f64) -> bool {
        matches!(self, Value::Double(value) if value == other)
    }
}
