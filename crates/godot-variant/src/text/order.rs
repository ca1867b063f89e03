//! The order in which the engine writes the keys of a dictionary.

use core::cmp::Ordering;

use crate::Value;
use crate::value::vector;

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
    let vectors = vector::<4>(a).zip(vector::<4>(b));
    vectors.and_then(|(a, b)| a.partial_cmp(&b)).unwrap_or(Ordering::Equal)
}
