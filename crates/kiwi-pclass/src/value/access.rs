//! Looking into a value.

use std::ops::{Index, IndexMut};

use gamewire_core::pointer;

use super::{Object, Value};
use crate::types::{ByteString, WString};

static NULL: Value = Value::Null;

/// Returns the content of a value of one variant, or of a few.
macro_rules! reads {
    ($($(#[$about:meta])* $name:ident -> $type:ty = $($pattern:pat => $found:expr),+;)+) => {$(
        $(#[$about])*
        pub fn $name(&self) -> Option<$type> {
            match self {
                $($pattern => Some($found),)+
                _ => None,
            }
        }
    )+};
}

impl Value {
    /// Names the kind of value for errors.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a bool",
            Value::Int(_) => "a signed number",
            Value::UInt(_) => "an unsigned number",
            Value::Float(_) => "a float",
            Value::Double(_) => "a double",
            Value::Enum(_) => "an enum",
            Value::String(_) => "a string",
            Value::WString(_) => "a wide string",
            Value::Color(_) => "a Color",
            Value::Vector3D(_) => "a Vector3D",
            Value::Quaternion(_) => "a Quaternion",
            Value::Euler(_) => "an Euler",
            Value::Matrix3x3(_) => "a Matrix3x3",
            Value::Size(_) => "a Size",
            Value::Point(_) => "a Point",
            Value::Rect(_) => "a Rect",
            Value::List(_) | Value::Bools(_) | Value::SmallInts(_) => "a list",
            Value::Object(_) => "an object",
            Value::Raw(_) => "a raw object",
            Value::Bits(_) => "raw bits",
        }
    }

    /// Whether it is the null pointer.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    reads! {
        /// The object, if it is one.
        as_object -> &Object = Value::Object(object) => object;
        /// The boolean, if it is one.
        as_bool -> bool = Value::Bool(value) => *value;
        /// The number, if it is a `float` or a `double`.
        as_f64 -> f64 = Value::Float(value) => f64::from(*value), Value::Double(value) => *value;
        /// The bytes, if it is a `std::string`.
        as_string -> &ByteString = Value::String(text) => text;
        /// The code units, if it is a `std::wstring`.
        as_wstring -> &WString = Value::WString(text) => text;
        /// The values, if it is a list; `None` for [`Value::Bools`] and [`Value::SmallInts`], see
        /// [`items`](Self::items).
        as_list -> &[Value] = Value::List(list) => list;
    }

    /// The object, to be changed.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        if let Value::Object(object) = self { Some(object) } else { None }
    }

    /// The number, if it is a whole one and not above `i64::MAX`; an enum is its number.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::UInt(value) => i64::try_from(*value).ok(),
            Value::Enum(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The number, if it is a whole one and not negative; an enum is its number.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int(value) => u64::try_from(*value).ok(),
            Value::UInt(value) => Some(*value),
            Value::Enum(value) => Some(u64::from(*value)),
            _ => None,
        }
    }

    /// The text, if it is a `std::string` in UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        self.as_string().and_then(ByteString::as_str)
    }

    /// The values of a list of any kind, in order; none if it is no list.
    pub fn items(&self) -> Items<'_> {
        Items { value: self, next: 0 }
    }

    /// Number of values in a list of any kind; `None` if it is no list.
    pub fn list_len(&self) -> Option<usize> {
        match self {
            Value::List(list) => Some(list.len()),
            Value::Bools(list) => Some(list.len()),
            Value::SmallInts(list) => Some(list.len()),
            _ => None,
        }
    }

    /// The value of a property of an object; `None` if it is no object or has it not.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// As [`get`](Self::get), to change what is there.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.as_object_mut()?.get_mut(name)
    }

    /// An element of a [`Value::List`].
    pub fn get_index(&self, index: usize) -> Option<&Value> {
        self.as_list()?.get(index)
    }

    /// The same, to be changed.
    pub fn get_index_mut(&mut self, index: usize) -> Option<&mut Value> {
        match self {
            Value::List(list) => list.get_mut(index),
            _ => None,
        }
    }

    /// The value at a JSON pointer (RFC 6901): names and indices, each after a `/`.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        pointer::find(self, pointer, |value, step| match value {
            Value::Object(object) => object.get(step),
            Value::List(list) => list.get(pointer::position(step)?),
            _ => None,
        })
    }

    /// As [`pointer`](Self::pointer), to change what is there.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        pointer::find(self, pointer, |value, step| match value {
            Value::Object(object) => object.get_mut(step),
            Value::List(list) => list.get_mut(pointer::position(step)?),
            _ => None,
        })
    }

    /// Leaves null in its place.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
}

/// The values of a list, see [`Value::items`].
#[derive(Clone, Debug)]
pub struct Items<'a> {
    value: &'a Value,
    next: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = std::borrow::Cow<'a, Value>;

    fn next(&mut self) -> Option<Self::Item> {
        use std::borrow::Cow;
        let at = self.next;
        self.next = at.saturating_add(1);
        match self.value {
            Value::List(list) => list.get(at).map(Cow::Borrowed),
            Value::Bools(list) => list.get(at).map(|value| Cow::Owned(Value::Bool(*value))),
            Value::SmallInts(list) => {
                list.get(at).map(|value| Cow::Owned(Value::Int(i64::from(*value))))
            }
            _ => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.value.list_len().unwrap_or(0).saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Items<'_> {}

/// The value of a property; null if it is missing.
impl Index<&str> for Value {
    type Output = Value;
    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&NULL)
    }
}

/// An element; null if it is missing.
impl Index<usize> for Value {
    type Output = Value;
    fn index(&self, index: usize) -> &Value {
        self.get_index(index).unwrap_or(&NULL)
    }
}

/// An element that is present.
///
/// # Panics
/// If it is missing; [`Value::get_index_mut`] does not.
#[allow(clippy::panic, reason = "what `IndexMut` does everywhere")]
impl IndexMut<usize> for Value {
    fn index_mut(&mut self, index: usize) -> &mut Value {
        match self.get_index_mut(index) {
            Some(value) => value,
            None => panic!("there is no element {index}"),
        }
    }
}

/// The value of a property that is present.
///
/// # Panics
/// If it is missing; [`Object::set`] adds one.
#[allow(clippy::panic, reason = "what `IndexMut` does everywhere")]
impl IndexMut<&str> for Value {
    fn index_mut(&mut self, name: &str) -> &mut Value {
        match self.get_mut(name) {
            Some(value) => value,
            None => panic!("there is no property `{name}`"),
        }
    }
}
