//! The order in which the engine writes the keys of a dictionary.

use core::cmp::Ordering;

use crate::Value;
use crate::types::Components;
use crate::value::Real64;

/// Text by its characters, whether String or StringName; numbers and vectors by size; other types by
/// their number. What the engine cannot compare keeps its order.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Value::Rid(a), Value::Rid(b)) => a.cmp(b),
        _ => match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => a.cmp(b),
            _ if a.kind() == b.kind() => compare_vectors(a, b),
            _ => (a.kind() as u8).cmp(&(b.kind() as u8)),
        },
    }
}

/// Only vectors are smaller than one another; rectangles and colours are not.
fn compare_vectors(a: &Value, b: &Value) -> Ordering {
    match (vector(a), vector(b)) {
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    }
}

/// The components of a vector, with zeros after them.
fn vector(value: &Value) -> Option<[f64; 4]> {
    fn all<T: Components<Scalar: Copy + Into<f64>>>(value: &T) -> [f64; 4] {
        let mut parts = [0.0; 4];
        let components = value.to_components();
        for (place, part) in parts.iter_mut().zip(components.as_ref()) {
            *place = (*part).into();
        }
        parts
    }
    Some(match value {
        Value::Vector2(v) => all(v),
        Value::Vector2i(v) => all(v),
        Value::Vector3(v) => all(v),
        Value::Vector3i(v) => all(v),
        Value::Vector4(v) => all(v),
        Value::Vector4i(v) => all(v),
        Value::Real64(real) => match &**real {
            Real64::Vector2(v) => all(v),
            Real64::Vector3(v) => all(v),
            Real64::Vector4(v) => all(v),
            _ => return None,
        },
        _ => return None,
    })
}
