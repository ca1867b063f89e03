//! Reading parts of a value.

use std::mem::take;
use std::ops::{Index, IndexMut};

use gamewire_core::pointer;

use super::{Bean, Dynamic, List, Map, Value};

macro_rules! accessors {
    ($(
        $(#[$doc:meta])*
        $name:ident $mutable:ident $variant:ident $type:ty $(, $other:ident $part:ident)?;
    )+) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> Option<&$type> {
            match self {
                Value::$variant(value) => Some(value),
                $(Value::$other(value) => Some(&value.$part),)?
                _ => None,
            }
        }

        #[doc = concat!("[`", stringify!($name), "`](Self::", stringify!($name), "), to be changed.")]
        pub fn $mutable(&mut self) -> Option<&mut $type> {
            match self {
                Value::$variant(value) => Some(value),
                $(Value::$other(value) => Some(&mut value.$part),)?
                _ => None,
            }
        }
    )+};
}

impl Value {
    /// The integer.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the integer is not 0.
    pub fn as_bool(&self) -> Option<bool> {
        self.as_i64().map(|value| value != 0)
    }

    /// The float or double.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(f64::from(*value)),
            Value::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        self.as_bytes().and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// The bytes or text.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    accessors! {
        /// The bean, also that of a dynamic bean.
        as_bean as_bean_mut Bean Bean, Dynamic bean;
        /// The list.
        as_list as_list_mut List List;
        /// The map.
        as_map as_map_mut Map Map;
        /// The dynamic bean.
        as_dynamic as_dynamic_mut Dynamic Dynamic;
    }

    /// The field with an id, the element at a position, or the value of an integer key.
    pub fn get(&self, index: usize) -> Option<&Value> {
        match self {
            Value::List(list) => list.items.get(index),
            Value::Map(map) => map.get(&Value::Int(i64::try_from(index).ok()?)),
            other => other.as_bean()?.get(u32::try_from(index).ok()?),
        }
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Value> {
        match self {
            Value::List(list) => list.items.get_mut(index),
            Value::Map(map) => map.get_mut(&Value::Int(i64::try_from(index).ok()?)),
            other => other.as_bean_mut()?.get_mut(u32::try_from(index).ok()?),
        }
    }

    /// Always `false`: the format has no null. What is missing is absent from its bean, and read
    /// as zero or empty.
    pub const fn is_null(&self) -> bool {
        false
    }

    /// A part by its path: `/3/0/name` is the key `name` of the map that is the first element of
    /// the list that is the field 3. A dynamic bean is its bean; `base` is the layer of the base,
    /// which is not a separate value, so that only its fields can be reached.
    ///
    /// `~1` stands for `/` in a key and `~0` for `~`. The empty path is the value itself.
    pub fn pointer(&self, path: &str) -> Option<&Value> {
        // The base is no value, so that the steps to it are counted until one goes on to a field.
        let mut bases = 0_usize;
        let found = pointer::find(self, path, |value, step| match value {
            Value::List(list) => list.items.get(step.parse::<usize>().ok()?),
            Value::Map(map) => map.get(&key(map, step)?),
            other if step == "base" => {
                bases = bases.saturating_add(1);
                Some(other)
            }
            other => other.as_bean()?.layers().nth(take(&mut bases))?.get(step.parse().ok()?),
        });
        found.filter(|_| bases == 0)
    }

    /// The same, to be changed.
    pub fn pointer_mut(&mut self, path: &str) -> Option<&mut Value> {
        let mut bases = 0_usize;
        let found = pointer::find(self, path, |value, step| match value {
            Value::List(list) => list.items.get_mut(step.parse::<usize>().ok()?),
            Value::Map(map) => {
                let key = key(map, step)?;
                map.get_mut(&key)
            }
            other if step == "base" => {
                bases = bases.saturating_add(1);
                Some(other)
            }
            other => {
                let mut layers = 0..take(&mut bases);
                let bean =
                    layers.try_fold(other.as_bean_mut()?, |bean, _| bean.base.as_deref_mut());
                bean?.get_mut(step.parse().ok()?)
            }
        });
        found.filter(|_| bases == 0)
    }
}

/// The key that a step means: text before numbers.
fn key(map: &Map, step: &str) -> Option<Value> {
    let text = Value::from(step);
    if map.get(&text).is_some() { Some(text) } else { step.parse().ok().map(Value::Int) }
}

/// The field with an id, the element at a position, or the value of an integer key.
///
/// # Panics
/// If it is missing; [`Value::get`] does not.
impl Index<usize> for Value {
    type Output = Value;

    fn index(&self, index: usize) -> &Value {
        #[allow(clippy::expect_used, reason = "as the standard library does")]
        self.get(index).expect("no field, element or entry has this number")
    }
}

/// The same, to be changed.
///
/// # Panics
/// If it is missing; [`Value::get_mut`] does not.
impl IndexMut<usize> for Value {
    fn index_mut(&mut self, index: usize) -> &mut Value {
        #[allow(clippy::expect_used, reason = "as the standard library does")]
        self.get_mut(index).expect("no field, element or entry has this number")
    }
}
