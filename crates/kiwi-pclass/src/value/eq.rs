//! Equality: the same bytes would be written, so that NaN is itself and -0.0 is not 0.0.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use super::{Field, List, Object, Value};
use crate::schema::Number;

/// A number with its type, by bits.
fn bits(number: Number) -> (u8, u64) {
    match number {
        Number::Int(number) => (0, number.cast_unsigned()),
        Number::UInt(number) => (1, number),
        Number::Float(number) => (2, number.to_bits().into()),
        Number::Double(number) => (3, number.to_bits()),
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        if discriminant(self) != discriminant(other) {
            return false;
        }
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::UInt(a), Value::UInt(b)) => a == b,
            (Value::Enum(a), Value::Enum(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::WString(a), Value::WString(b)) => a == b,
            (Value::Size(a), Value::Size(b)) => a == b,
            (Value::Point(a), Value::Point(b)) => a == b,
            (Value::Rect(a), Value::Rect(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Bools(a), Value::Bools(b)) => a == b,
            (Value::SmallInts(a), Value::SmallInts(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::Raw(a), Value::Raw(b)) => a == b,
            (Value::Bits(a), Value::Bits(b)) => a == b,
            // Null, and what is a few numbers of one type.
            _ => match (self.row(), other.row()) {
                (Some((_, a)), Some((_, b))) => {
                    a.iter().map(|n| bits(*n)).eq(b.iter().map(|n| bits(*n)))
                }
                _ => true,
            },
        }
    }
}

impl Eq for Value {}
impl Eq for List {}
impl Eq for Field {}
impl Eq for Object {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Value::Bool(value) => value.hash(state),
            Value::Int(value) => value.hash(state),
            Value::UInt(value) => value.hash(state),
            Value::Enum(value) => value.hash(state),
            Value::Float(value) => value.to_bits().hash(state),
            Value::Double(value) => value.to_bits().hash(state),
            Value::String(value) => value.hash(state),
            Value::WString(value) => value.hash(state),
            Value::List(value) => value.iter().for_each(|value| value.hash(state)),
            Value::Bools(value) => value.hash(state),
            Value::SmallInts(value) => value.hash(state),
            Value::Object(object) => {
                object.class().hash().hash(state);
                object.fields().iter().for_each(|field| field.value.hash(state));
            }
            Value::Raw(value) => value.hash(state),
            Value::Bits(value) => value.hash(state),
            // A few numbers are distinguished by their bits.
            _ => {
                let numbers = self.row().map(|(_, numbers)| numbers);
                numbers.iter().flat_map(|all| all.iter()).for_each(|n| bits(*n).hash(state));
            }
        }
    }
}
