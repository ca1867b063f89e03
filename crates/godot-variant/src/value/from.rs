//! `From` and `FromIterator` for [`Value`].

use crate::Value;
use crate::error::{Error, Result};
use crate::types::{
    Aabb, Basis, Callable, Color, GString, NodePath, ObjectId, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Plane, Projection, Quaternion,
    Rect2, Rect2i, Rid, Signal, StringName, Transform2D, Transform3D, Vector2, Vector2i, Vector3,
    Vector3i, Vector4, Vector4i,
};
use crate::value::{Array, Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary};

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
    (as $($made:ident: $($from:ty),+;)+) => {$($(
        impl From<$from> for Value {
            fn from(value: $from) -> Self { Value::$made(value.into()) }
        }
    )+)+};
    (real64 $($name:ident),+ $(,)?) => {$(
        impl From<$name<f64>> for Value {
            fn from(value: $name<f64>) -> Self { Value::Real64(Box::new(Real64::$name(value))) }
        }
    )+};
}

from! {
    Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Vector4, Vector4i, Plane,
    Quaternion, Aabb, Color, StringName, Rid, Object, Callable, Dictionary, Array, PackedByteArray,
    PackedInt32Array, PackedInt64Array, PackedFloat32Array, PackedFloat64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array,
}
from!(boxed Basis, Transform3D, Projection, NodePath, Signal, TypedArray, TypedDictionary);
from!(as
    Bool: bool;
    Int: i8, i16, i32, i64, u8, u16, u32;
    Float: f32, f64;
    String: &str, String, GString;
);
from!(real64
    Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb, Basis, Transform3D,
    Projection, Color, PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array,
);

macro_rules! try_from {
    ($($integer:ty),+) => {$(
        impl TryFrom<$integer> for Value {
            type Error = Error;

            /// The integer, if it fits 64 bits with a sign.
            fn try_from(value: $integer) -> Result<Self> {
                i64::try_from(value).map(Value::Int).map_err(|_| crate::ser::out_of_range(value))
            }
        }
    )+};
}

try_from!(u64, usize, isize, i128, u128);

impl From<()> for Value {
    fn from((): ()) -> Self {
        Value::Nil
    }
}

impl From<ObjectId> for Value {
    fn from(id: ObjectId) -> Self {
        Value::Object(if id.0 == 0 { Object::Null } else { Object::Id(id) })
    }
}

impl From<Instance> for Value {
    fn from(instance: Instance) -> Self {
        Value::Object(Object::Instance(Box::new(instance)))
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Nil, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::Array(items.into_iter().collect())
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Value::Array(items.into_iter().collect())
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Value::Dictionary(entries.into_iter().collect())
    }
}

macro_rules! equal {
    ($($other:ty: |$value:ident, $to:ident| $same:expr;)+) => {$(
        impl PartialEq<$other> for Value {
            fn eq(&self, $to: &$other) -> bool {
                let $value = self;
                $same
            }
        }
    )+};
}

equal! {
    str: |value, other| value.as_str() == Some(other);
    &str: |value, other| value.as_str() == Some(*other);
    bool: |value, other| value.as_bool() == Some(*other);
    i64: |value, other| value.as_i64() == Some(*other);
    f64: |value, other| matches!(value, Value::Float(value) if value == other);
}
