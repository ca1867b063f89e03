use super::{Bean, Dynamic, List, Map, Value};
use crate::types::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

macro_rules! from {
    ($($type:ty: $value:ident => $expr:expr;)+) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $expr
            }
        }
    )+};
}

from! {
    bool: value => Value::Int(value.into());
    i8: value => Value::Int(value.into());
    i16: value => Value::Int(value.into());
    i32: value => Value::Int(value.into());
    i64: value => Value::Int(value);
    u8: value => Value::Int(value.into());
    u16: value => Value::Int(value.into());
    u32: value => Value::Int(value.into());
    f32: value => Value::Float(value);
    f64: value => Value::Double(value);
    &str: value => Value::Bytes(value.as_bytes().to_vec());
    String: value => Value::Bytes(value.into_bytes());
    &[u8]: value => Value::Bytes(value.to_vec());
    List: value => Value::List(value);
    Vec<Value>: value => Value::List(value.into());
    Map: value => Value::Map(value);
    Vec<(Value, Value)>: value => Value::Map(value.into());
    Bean: value => Value::Bean(value);
    Dynamic: value => Value::Dynamic(Box::new(value));
    Vector2: value => Value::Vector2(value);
    Vector2Int: value => Value::Vector2Int([value.x.into(), value.y.into()]);
    Vector3: value => Value::Vector3(value);
    Vector3Int: value => Value::Vector3Int([value.x.into(), value.y.into(), value.z.into()]);
    Vector4: value => Value::Vector4(value);
    Quaternion: value => Value::Vector4(Vector4::from_array(value.to_array()));
}

/// `None` is the integer 0, as which an absent field is read.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Self {
        option.map(Into::into).unwrap_or_default()
    }
}

/// A list.
impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Value::List(items.into_iter().collect::<Vec<_>>().into())
    }
}
