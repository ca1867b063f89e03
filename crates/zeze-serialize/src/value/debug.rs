use std::fmt;

use super::{Bean, List, Map, Value};

/// `{1: 7, 3: ["a", "b"]}`: beans by their ids, text as text, bytes in hex.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => value.fmt(f),
            Value::Float(value) => write!(f, "{value:?}f"),
            Value::Double(value) => value.fmt(f),
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text.fmt(f),
                Err(_) => {
                    f.write_str("x\"")?;
                    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                    f.write_str("\"")
                }
            },
            Value::List(list) => list.fmt(f),
            Value::Map(map) => map.fmt(f),
            Value::Bean(bean) => bean.fmt(f),
            Value::Dynamic(dynamic) => {
                write!(f, "dynamic {} ", dynamic.type_id)?;
                dynamic.bean.fmt(f)
            }
            Value::Vector2(vector) => vector.fmt(f),
            Value::Vector3(vector) => vector.fmt(f),
            Value::Vector4(vector) => vector.fmt(f),
            Value::Vector2Int([x, y]) => write!(f, "Vector2Int {{ x: {x}, y: {y} }}"),
            Value::Vector3Int([x, y, z]) => {
                write!(f, "Vector3Int {{ x: {x}, y: {y}, z: {z} }}")
            }
        }
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// `map {1: "a"}`.
impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("map ")?;
        f.debug_map().entries(self.iter().map(|(key, value)| (key, value))).finish()
    }
}

impl fmt::Debug for Bean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        map.entries(self.iter());
        if let Some(base) = self.base() {
            map.entry(&format_args!("base"), base);
        }
        map.finish()
    }
}
