//! Equality of values, and the engine's idea of equal dictionary keys.

use gamewire_core::walk::Nested as _;

use crate::Value;
use crate::value::numbers::{Numbers, Scalar};
use crate::value::walk::children;
use crate::value::{Object, Real64};

/// Which values count as equal.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// The same bytes would be written.
    Exact,
    /// The engine takes them for one dictionary key (its `hash_compare`).
    SameKey,
    /// The same inside of a key, where a String and a StringName differ, but for keys of dictionaries.
    SamePart,
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        equal(self, other, Rule::Exact)
    }
}

impl Eq for Value {}

impl Eq for Real64 {}

impl Value {
    /// Whether the engine takes the two for the same dictionary key.
    pub fn same_key(&self, other: &Value) -> bool {
        equal(self, other, Rule::SameKey)
    }
}

fn equal(a: &Value, b: &Value, rule: Rule) -> bool {
    let has_keys = a.as_dictionary().is_some();
    let inside = |at: usize| match rule {
        Rule::Exact => rule,
        _ if has_keys && at.is_multiple_of(2) => Rule::SameKey,
        _ => Rule::SamePart,
    };
    let mut pairs = children(a).zip(children(b)).enumerate();
    shallow_equal(a, b, rule) && pairs.all(|(at, (a, b))| equal(a, b, inside(at)))
}

fn float_equal(a: f64, b: f64, rule: Rule) -> bool {
    match rule {
        Rule::Exact => a.to_bits() == b.to_bits(),
        _ => a == b || (a.is_nan() && b.is_nan()),
    }
}

/// Math values of the same type, and packed arrays; `false` for other pairs.
fn numbers_equal(a: &Value, b: &Value, rule: Rule) -> bool {
    let (Some(a), Some(b)) = (Numbers::of(a), Numbers::of(b)) else { return false };
    a.equal(
        &b,
        match rule {
            Rule::Exact => |a, b| a.bits() == b.bits(),
            _ => |a, b| match (a, b) {
                (Scalar::Int(a), Scalar::Int(b)) => a == b,
                (a, b) => float_equal(a.to_f64(), b.to_f64(), Rule::SameKey),
            },
        },
    )
}

/// Compares everything but the children, including how many there are.
fn shallow_equal(a: &Value, b: &Value, rule: Rule) -> bool {
    use Value::*;
    let keys = rule != Rule::Exact;
    match (a, b) {
        (Nil, Nil) | (Callable(_), Callable(_)) => true,
        (Bool(a), Bool(b)) => a == b,
        (Int(a), Int(b)) => a == b,
        (Float(a), Float(b)) => float_equal(*a, *b, rule),
        (String(a), String(b)) => a == b,
        (StringName(a), StringName(b)) => a == b,
        (String(a), StringName(b)) | (StringName(b), String(a)) => {
            rule == Rule::SameKey && *a == b.0
        }
        (NodePath(a), NodePath(b)) => a == b,
        (Rid(a), Rid(b)) => a == b,
        (Signal(a), Signal(b)) => a == b,
        (Object(a), Object(b)) => object_equal(a, b, rule),
        (PackedByteArray(a), PackedByteArray(b)) => a == b,
        (PackedStringArray(a), PackedStringArray(b)) => a == b,
        (TypedArray(x), TypedArray(y)) if !keys && x.element != y.element => false,
        (TypedDictionary(x), TypedDictionary(y))
            if !keys && (&x.key, &x.value) != (&y.key, &y.value) =>
        {
            false
        }
        (Array(_) | TypedArray(_), _) | (Dictionary(_) | TypedDictionary(_), _) => {
            let same = match keys {
                true => a.kind() == b.kind(),
                false => std::mem::discriminant(a) == std::mem::discriminant(b),
            };
            same && a.count() == b.count()
        }
        _ => numbers_equal(a, b, rule),
    }
}

/// Objects that arrive are new objects each, so as keys only null is equal to itself.
fn object_equal(a: &Object, b: &Object, rule: Rule) -> bool {
    match (a, b) {
        (Object::Null, Object::Null) => true,
        (Object::Reference(a), Object::Reference(b)) => a == b,
        (Object::Id(a), Object::Id(b)) => rule == Rule::Exact && a == b,
        (Object::Instance(a), Object::Instance(b)) => {
            let same_names = || {
                a.properties.len() == b.properties.len()
                    && a.properties.iter().zip(&b.properties).all(|((a, _), (b, _))| a == b)
            };
            rule == Rule::Exact && a.class == b.class && same_names()
        }
        _ => false,
    }
}
