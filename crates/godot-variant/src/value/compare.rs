//! Equality of values, and the engine's idea of equal dictionary keys. Without recursion.

use alloc::collections::btree_map::{self, BTreeMap};
use alloc::vec::Vec;
use core::hash::Hasher;
#[cfg(feature = "std")]
use std::hash::{BuildHasher, RandomState};

use crate::Value;
use crate::types::{Components, Real, Signal, Type};
#[cfg(feature = "std")]
use crate::value::lookup::Places;
use crate::value::order::Placed;
use crate::value::walk::Children;
use crate::value::{Dictionary, Object, Real64, by_numbers};

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
    let mut stack: Vec<(Children<'_>, Children<'_>)> = Vec::new();
    let mut pair = Some((a, b));
    loop {
        match pair {
            Some((a, b)) => {
                if !shallow_equal(a, b, rule) {
                    return false;
                }
                if let (Some(left), Some(right)) = (Children::of(a), Children::of(b)) {
                    stack.push((left, right));
                }
            }
            // One side's children ran out: sizes were compared before.
            None => {
                stack.pop();
            }
        }
        match stack.last_mut() {
            Some((left, right)) => pair = left.next().zip(right.next()),
            None => return true,
        }
    }
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
        (TypedArray(a), TypedArray(b)) => {
            (keys || a.element == b.element) && a.items.len() == b.items.len()
        }
        (TypedDictionary(a), TypedDictionary(b)) => {
            (keys || (a.key == b.key && a.value == b.value)) && a.entries.len() == b.entries.len()
        }
        (Array(_) | TypedArray(_), Array(_) | TypedArray(_)) => {
            let len = |value: &Value| value.as_array().map(|array| array.len());
            (keys || core::mem::discriminant(a) == core::mem::discriminant(b)) && len(a) == len(b)
        }
        (Dictionary(_) | TypedDictionary(_), Dictionary(_) | TypedDictionary(_)) => {
            let len = |value: &Value| value.as_dictionary().map(|entries| entries.len());
            (keys || core::mem::discriminant(a) == core::mem::discriminant(b)) && len(a) == len(b)
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

/// Few keys are compared with each other, many are looked up.
const FEW: usize = 16;

/// What the engine does with equal keys: the last value wins, in the place of the first key.
pub(crate) fn merge_same_keys(entries: &mut Vec<(Value, Value)>) {
    if entries.len() < 2 || !has_same_keys(entries) {
        return;
    }
    let earlier: Vec<Option<usize>> = KeyIndex::earlier(entries).collect();
    // Where each key comes to stand; those that are equal to an earlier one stand with that.
    let mut places = Vec::with_capacity(entries.len());
    let mut merged: Vec<(Value, Value)> = Vec::with_capacity(entries.len());
    for ((key, value), earlier) in entries.drain(..).zip(earlier) {
        let place = earlier.and_then(|at| places.get(at).copied()).unwrap_or(merged.len());
        places.push(place);
        match merged.get_mut(place) {
            Some((_, old)) => *old = value,
            None => merged.push((key, value)),
        }
    }
    *entries = merged;
}

/// Whether the engine would take two of the keys for one.
pub(super) fn has_same_keys(entries: &[(Value, Value)]) -> bool {
    if entries.len() <= FEW {
        return entries.iter().enumerate().any(|(count, (key, _))| {
            entries.iter().take(count).any(|(earlier, _)| match (earlier, key) {
                (Value::String(earlier), Value::String(key)) => earlier == key,
                _ => earlier.same_key(key),
            })
        });
    }
    KeyIndex::earlier(entries).any(|earlier| earlier.is_some())
}

/// Each entry whose key was there before, with the place of the first.
#[cfg(feature = "explain")]
pub(crate) fn same_keys(entries: &[(Value, Value)]) -> Vec<(usize, usize)> {
    KeyIndex::earlier(entries).enumerate().filter_map(|(at, first)| Some((at, first?))).collect()
}

/// Where each key stands. Input cannot make keys clash: hashes are seeded at random, and an order needs
/// none.
struct KeyIndex<'a> {
    /// Keys that hold no other values.
    #[cfg(feature = "std")]
    hashed: Hashed<'a>,
    /// Containers, and all keys without `std`. A hash of all that is inside would be made again on
    /// every level where a key is inside of a key; two containers are only compared up to where they
    /// differ.
    ordered: BTreeMap<Placed<'a>, usize>,
}

impl<'a> KeyIndex<'a> {
    #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "the order holds the keys"))]
    fn new(entries: &'a [(Value, Value)]) -> Self {
        KeyIndex {
            #[cfg(feature = "std")]
            hashed: Hashed { entries, state: RandomState::new(), places: Places::default() },
            ordered: BTreeMap::new(),
        }
    }

    /// The place of an equal key, or `None` after `at` was noted as the place of this one.
    fn find(&mut self, key: &'a Value, at: usize) -> Option<usize> {
        #[cfg(feature = "std")]
        if Children::of(key).is_none() {
            return self.hashed.find(key, at);
        }
        match self.ordered.entry(Placed { key, at }) {
            btree_map::Entry::Vacant(free) => {
                free.insert(at);
                None
            }
            btree_map::Entry::Occupied(taken) => Some(*taken.get()),
        }
    }

    /// For each entry the place of an earlier one with the same key.
    fn earlier(entries: &'a [(Value, Value)]) -> impl Iterator<Item = Option<usize>> {
        let mut index = KeyIndex::new(entries);
        entries.iter().enumerate().map(move |(at, (key, _))| index.find(key, at))
    }
}

/// The places of keys by their hashes.
#[cfg(feature = "std")]
struct Hashed<'a> {
    entries: &'a [(Value, Value)],
    state: RandomState,
    places: Places,
}

#[cfg(feature = "std")]
impl<'a> Hashed<'a> {
    fn find(&mut self, key: &'a Value, at: usize) -> Option<usize> {
        let hash = hash_part(key, at, &self.state);
        let own = |place: usize| self.entries.get(place).is_some_and(|(own, _)| own.same_key(key));
        let found = self.places.find(hash, own);
        if found.is_none() {
            self.places.insert(hash, at);
        }
        found
    }
}

/// The hash of a key of a dictionary. Of a container only its beginning is in it.
#[cfg(feature = "std")]
pub(super) fn hash_key(key: &Value, state: &RandomState) -> u64 {
    const MOST: usize = 32;
    let mut hasher = state.build_hasher();
    hash_shallow(key, 0, &mut hasher);
    let mut stack: Vec<Children<'_>> = Children::of(key).into_iter().collect();
    for _ in 0..MOST {
        let Some(inside) = stack.last_mut() else { break };
        match inside.next() {
            Some(value) => {
                hash_shallow(value, 0, &mut hasher);
                stack.extend(Children::of(value));
            }
            None => drop(stack.pop()),
        }
    }
    hasher.finish()
}

/// The hash of a value without what is inside of it. Equal keys have equal ones. Objects are never
/// equal, so each is told apart by the place `at` of its key.
#[cfg(feature = "std")]
fn hash_part(value: &Value, at: usize, state: &RandomState) -> u64 {
    let mut hasher = state.build_hasher();
    hash_shallow(value, at, &mut hasher);
    hasher.finish()
}

fn hash_float(value: f64, hasher: &mut impl Hasher) {
    let bits = if value.is_nan() {
        f64::NAN.to_bits()
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    };
    hasher.write_u64(bits);
}

fn hash_reals<T>(values: &[T], hasher: &mut impl Hasher)
where
    T: Components,
    T::Scalar: Real,
{
    hasher.write_usize(values.len());
    // Never the same key as the value with components of the other width.
    hasher.write_u8(u8::from(T::Scalar::WIDE));
    for value in values {
        value.to_components().as_ref().iter().for_each(|c| hash_float(c.to_f64(), hasher));
    }
}

fn hash_ints<T: Components<Scalar = i32>>(value: &T, hasher: &mut impl Hasher) {
    value.to_components().as_ref().iter().for_each(|c| hasher.write_i32(*c));
}

fn hash_text(text: &str, hasher: &mut impl Hasher) {
    hasher.write(text.as_bytes());
    hasher.write_u8(0xff);
}

/// The type of a key: a `StringName` is a `String` there.
pub(super) fn key_type(value: &Value) -> u8 {
    match value {
        Value::StringName(_) => Type::String as u8,
        other => other.kind() as u8,
    }
}

/// Hashes a value without what is inside of it: other bytes for each value of the same type that is
/// not the same key.
pub(super) fn hash_shallow(value: &Value, at: usize, hasher: &mut impl Hasher) {
    use core::slice::from_ref;
    hasher.write_u8(key_type(value));
    by_numbers!(
        value,
        ints v => hash_ints(v, hasher),
        reals v => hash_reals(from_ref(v), hasher),
        packed v => hash_reals(v, hasher),
        Value::Nil | Value::Callable(_) => {},
        Value::Bool(v) => hasher.write_u8(u8::from(*v)),
        Value::Int(v) => hasher.write_i64(*v),
        Value::Float(v) => hash_float(*v, hasher),
        Value::String(v) => hash_text(v, hasher),
        Value::StringName(v) => hash_text(v, hasher),
        Value::NodePath(v) => {
            hasher.write_u8(u8::from(v.absolute));
            hasher.write_usize(v.names.len());
            v.names.iter().chain(&v.subnames).for_each(|name| hash_text(name, hasher));
        },
        Value::Rid(v) => hasher.write_u64(v.0),
        Value::Signal(v) => {
            let Signal { name, object } = &**v;
            hash_text(name, hasher);
            hasher.write_u64(object.0);
        },
        Value::Object(Object::Null) => {},
        Value::Object(_) => hasher.write_usize(at),
        Value::Dictionary(_) | Value::TypedDictionary(_) => {
            hasher.write_usize(value.as_dictionary().map_or(0, Dictionary::len));
        },
        Value::Array(_) | Value::TypedArray(_) => {
            hasher.write_usize(value.as_array().map_or(0, |array| array.len()));
        },
        Value::PackedByteArray(v) => hasher.write(v),
        Value::PackedInt32Array(v) => v.iter().for_each(|v| hasher.write_i32(*v)),
        Value::PackedInt64Array(v) => v.iter().for_each(|v| hasher.write_i64(*v)),
        Value::PackedFloat32Array(v) => v.iter().for_each(|v| hash_float((*v).into(), hasher)),
        Value::PackedFloat64Array(v) => v.iter().for_each(|v| hash_float(*v, hasher)),
        Value::PackedStringArray(v) => v.iter().for_each(|v| hash_text(v, hasher)),
    );
}
