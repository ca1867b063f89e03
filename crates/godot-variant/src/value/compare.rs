//! Equality of values, and the engine's idea of equal dictionary keys.

use gamewire_core::walk::Tree as _;

use crate::Value;
use crate::types::{Components, Real};
use crate::value::walk::children;
use crate::value::{Object, Real64};

/// Which values count as equal.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// The same bytes would be written.
    Exact,
    /// The engine takes them for one dictionary key (its `hash_compare`).
    SameKey,
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
    shallow_equal(a, b, rule) && children(a).zip(children(b)).all(|(a, b)| equal(a, b, rule))
}

fn float_equal(a: f64, b: f64, rule: Rule) -> bool {
    match rule {
        Rule::Exact => a.to_bits() == b.to_bits(),
        Rule::SameKey => a == b || (a.is_nan() && b.is_nan()),
    }
}

fn reals_equal<T>(a: &[T], b: &[T], rule: Rule) -> bool
where
    T: Components,
    T::Scalar: Real,
{
    let same = |(a, b): (&T, &T)| {
        floats_equal(a.to_components().as_ref(), b.to_components().as_ref(), rule)
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn floats_equal<R: Real>(a: &[R], b: &[R], rule: Rule) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| match rule {
            Rule::Exact => a.bits() == b.bits(),
            Rule::SameKey => float_equal(a.to_f64(), b.to_f64(), rule),
        })
}

/// Math values of the same type, and packed arrays of them; `None` for other pairs.
fn numbers_equal(a: &Value, b: &Value, rule: Rule) -> Option<bool> {
    macro_rules! same {
        ($of:ident, $a:expr, $b:expr; $($one:ident),+; $($many:ident),+) => {
            match ($a, $b) {
                $(($of::$one(a), $of::$one(b)) => {
                    Some(floats_equal(&a.to_components(), &b.to_components(), rule))
                })+
                $(($of::$many(a), $of::$many(b)) => Some(reals_equal(a, b, rule)),)+
                _ => None,
            }
        };
        ($of:ident, $a:expr, $b:expr) => {
            same!(
                $of, $a, $b; Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion,
                Aabb, Basis, Transform3D, Projection, Color;
                PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array
            )
        };
    }
    match (a, b) {
        (Value::Real64(a), Value::Real64(b)) => same!(Real64, &**a, &**b),
        (a, b) => same!(Value, a, b),
    }
}

/// Compares everything but the children, including how many there are.
fn shallow_equal(a: &Value, b: &Value, rule: Rule) -> bool {
    use Value::*;
    let keys = rule == Rule::SameKey;
    match (a, b) {
        (Nil, Nil) | (Callable(_), Callable(_)) => true,
        (Bool(a), Bool(b)) => a == b,
        (Int(a), Int(b)) => a == b,
        (Float(a), Float(b)) => float_equal(*a, *b, rule),
        (String(a), String(b)) => a == b,
        (StringName(a), StringName(b)) => a == b,
        (String(a), StringName(b)) | (StringName(b), String(a)) => keys && *a == b.0,
        (Vector2i(a), Vector2i(b)) => a == b,
        (Rect2i(a), Rect2i(b)) => a == b,
        (Vector3i(a), Vector3i(b)) => a == b,
        (Vector4i(a), Vector4i(b)) => a == b,
        (NodePath(a), NodePath(b)) => a == b,
        (Rid(a), Rid(b)) => a == b,
        (Signal(a), Signal(b)) => a == b,
        (Object(a), Object(b)) => object_equal(a, b, rule),
        (PackedByteArray(a), PackedByteArray(b)) => a == b,
        (PackedInt32Array(a), PackedInt32Array(b)) => a == b,
        (PackedInt64Array(a), PackedInt64Array(b)) => a == b,
        (PackedFloat32Array(a), PackedFloat32Array(b)) => floats_equal(a, b, rule),
        (PackedFloat64Array(a), PackedFloat64Array(b)) => floats_equal(a, b, rule),
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
                false => core::mem::discriminant(a) == core::mem::discriminant(b),
            };
            same && a.count() == b.count()
        }
        _ => numbers_equal(a, b, rule).unwrap_or(false),
    }
}

/// Objects that arrive are new objects each, so as keys only null is equal to itself.
fn object_equal(a: &Object, b: &Object, rule: Rule) -> bool {
    match (a, b) {
        (Object::Null, Object::Null) => true,
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
