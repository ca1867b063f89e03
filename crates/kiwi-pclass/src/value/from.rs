//! Values from Rust's own types.

use super::{List, Object, Value};
use crate::types::{ByteString, Color, Euler, Gid, Matrix3x3, Quaternion, Vector3D, WString};

macro_rules! from {
    ($($type:ty => $variant:ident $(.$part:tt)?;)+) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Value {
                Value::$variant(value $(.$part)? .into())
            }
        }
    )+};
}

from! {
    bool => Bool;
    i8 => Int;
    i16 => Int;
    i32 => Int;
    i64 => Int;
    u8 => UInt;
    u16 => UInt;
    u32 => UInt;
    u64 => UInt;
    Gid => UInt.0;
    f32 => Float;
    f64 => Double;
    &str => String;
    String => String;
    &[u8] => String;
    ByteString => String;
    WString => WString;
    Color => Color;
    Vector3D => Vector3D;
    Quaternion => Quaternion;
    Euler => Euler;
    Matrix3x3 => Matrix3x3;
    List => List;
    Vec<Value> => List;
    Vec<bool> => Bools;
    Object => Object;
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Value {
        Value::List(values.into_iter().collect())
    }
}
