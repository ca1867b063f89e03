//! Equality of values: whether the same bytes would be written. Without recursion.

use crate::Value;
use crate::value::walk::Children;
use crate::value::{Array, Document, Key};

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (Children::of(self), Children::of(other)) {
            (Some(left), Some(right)) => shallow_equal(self, other) && equal(left, right),
            _ => shallow_equal(self, other),
        }
    }
}

impl Eq for Value {}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && equal(Children::Items(self.iter()), Children::Items(other.iter()))
    }
}

impl Eq for Array {}

impl PartialEq for Document {
    /// Order counts, as it does in the bytes.
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && equal(Children::Entries(self.iter()), Children::Entries(other.iter()))
    }
}

impl Eq for Document {}

/// Compares the children of two containers that have as many.
fn equal<'a>(left: Children<'a>, right: Children<'a>) -> bool {
    let mut stack = vec![(left, right)];
    while let Some((left, right)) = stack.last_mut() {
        let Some(((key_a, a), (key_b, b))) = left.next_entry().zip(right.next_entry()) else {
            stack.pop();
            continue;
        };
        if !same_key(key_a, key_b) || !shallow_equal(a, b) {
            return false;
        }
        if let (Some(left), Some(right)) = (Children::of(a), Children::of(b)) {
            stack.push((left, right));
        }
    }
    true
}

#[inline]
fn same_key(a: Option<&Key>, b: Option<&Key>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        _ => false,
    }
}

/// Compares everything but the children, including how many there are.
fn shallow_equal(a: &Value, b: &Value) -> bool {
    use Value::*;
    match (a, b) {
        (Bool(a), Bool(b)) => a == b,
        (Int32(a), Int32(b)) => a == b,
        (Int64(a), Int64(b)) => a == b,
        (Double(a), Double(b)) => a.to_bits() == b.to_bits(),
        (String(a), String(b)) => a == b,
        (Code(a), Code(b)) | (Symbol(a), Symbol(b)) => a == b,
        (Document(a), Document(b)) => a.len() == b.len(),
        (Array(a), Array(b)) => a.len() == b.len(),
        (DateTime(a), DateTime(b)) => a == b,
        (Binary(a), Binary(b)) => a == b,
        (ObjectId(a), ObjectId(b)) => a == b,
        (Regex(a), Regex(b)) => a == b,
        (DbPointer(a), DbPointer(b)) => a == b,
        (CodeWithScope(a), CodeWithScope(b)) => a.code == b.code && a.scope.len() == b.scope.len(),
        (Timestamp(a), Timestamp(b)) => a == b,
        (Decimal128(a), Decimal128(b)) => a == b,
        (Null, Null) | (Undefined, Undefined) | (MinKey, MinKey) | (MaxKey, MaxKey) => true,
        _ => false,
    }
}
