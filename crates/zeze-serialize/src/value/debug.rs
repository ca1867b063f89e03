use std::fmt;

use gamewire_core::walk::{self, DebugTree};

use super::{Bean, List, Map, Value};

/// A value, or a part of one that is no `Value` itself.
#[derive(Clone, Copy)]
enum Part<'v> {
    Value(&'v Value),
    List(&'v List),
    Map(&'v Map),
    /// A layer of a bean.
    Bean(&'v Bean),
}

impl Part<'_> {
    /// The container in a `Value`; other parts as they are.
    fn inner(self) -> Self {
        match self {
            Part::Value(Value::List(list)) => Part::List(list),
            Part::Value(Value::Map(map)) => Part::Map(map),
            Part::Value(Value::Bean(bean)) => Part::Bean(bean),
            Part::Value(Value::Dynamic(dynamic)) => Part::Bean(&dynamic.bean),
            other => other,
        }
    }
}

impl DebugTree for Part<'_> {
    const ENDS_WITH_COMMA: bool = true;

    fn child(self, index: usize) -> Option<Self> {
        match self.inner() {
            Part::Value(_) => None,
            Part::List(list) => list.items.get(index).map(Part::Value),
            Part::Map(map) => {
                let (key, value) = map.entries.get(index / 2)?;
                Some(Part::Value(if index.is_multiple_of(2) { key } else { value }))
            }
            Part::Bean(bean) => match bean.fields.get(index) {
                Some((_, value)) => Some(Part::Value(value)),
                None => bean.base().filter(|_| index == bean.fields.len()).map(Part::Bean),
            },
        }
    }

    fn before(self, index: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Part::Bean(bean) = self.inner() else { return Ok(()) };
        match bean.fields.get(index) {
            Some((id, _)) => write!(f, "{id}: "),
            None => f.write_str("base: "),
        }
    }

    fn is_paired(self, index: usize) -> bool {
        matches!(self.inner(), Part::Map(_)) && !index.is_multiple_of(2)
    }

    fn open(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Part::Value(Value::Dynamic(dynamic)) = self {
            write!(f, "dynamic {} ", dynamic.type_id)?;
        }
        match self.inner() {
            Part::Value(leaf) => write_leaf(leaf, f),
            Part::List(_) => f.write_str("["),
            Part::Map(_) => f.write_str("map {"),
            Part::Bean(_) => f.write_str("{"),
        }
    }

    fn close(self) -> &'static str {
        match self.inner() {
            Part::Value(_) => "",
            Part::List(_) => "]",
            Part::Map(_) | Part::Bean(_) => "}",
        }
    }
}

macro_rules! debug {
    ($($type:ident)+) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                walk::debug(Part::$type(self), f)
            }
        }
    )+};
}

debug! { Value List Map Bean }

/// The same text as `Debug`: on one line, or with `{:#}` on many.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

fn write_leaf(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Int(value) => write!(f, "{value}"),
        Value::Float(value) => write!(f, "{value:?}f"),
        Value::Double(value) => write!(f, "{value:?}"),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => write!(f, "{text:?}"),
            Err(_) => {
                f.write_str("x\"")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("\"")
            }
        },
        Value::Vector2(vector) => write!(f, "{vector:?}"),
        Value::Vector3(vector) => write!(f, "{vector:?}"),
        Value::Vector4(vector) => write!(f, "{vector:?}"),
        Value::Vector2Int([x, y]) => write!(f, "Vector2Int {{ x: {x}, y: {y} }}"),
        Value::Vector3Int([x, y, z]) => write!(f, "Vector3Int {{ x: {x}, y: {y}, z: {z} }}"),
        // `Part` writes them.
        Value::List(_) | Value::Map(_) | Value::Bean(_) | Value::Dynamic(_) => Ok(()),
    }
}
