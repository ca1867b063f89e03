//! The listener that builds a [`Value`].

use std::borrow::Cow;

use super::decode::{Leaf, Listener, Reals, Types};
use crate::Value;
use crate::error::Result;
use crate::read::{Parts, Reader};
use crate::types::{
    Callable, Components, GString, ObjectId, PackedByteArray, PackedColorArray, PackedFloat32Array,
    PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray, PackedVector2Array,
    PackedVector3Array, PackedVector4Array, Real, Rid, Signal, StringName, Type, WireElement,
    transpose_basis,
};
use crate::value::{
    Array, Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary, compare, convert,
};

/// Builds a [`Value`], with what engines do on the way: elements of typed containers are converted
/// or dropped, the last of equal keys wins.
pub(crate) struct Builder;

impl Parts for Builder {}

impl<'de> Listener<'de> for Builder {
    type Value = Value;
    type Items = Vec<Value>;
    type Entries = Vec<(Value, Value)>;
    type Object = Box<Instance>;
    type Strings = Vec<GString>;

    // Inlined, so that the common values are stored where they go without a match on them.
    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'de>) -> Value {
        match leaf {
            Leaf::Nil => Value::Nil,
            Leaf::Bool(value) => Value::Bool(value),
            Leaf::Int(value) => Value::Int(value),
            Leaf::Float(value) => Value::Float(value),
            Leaf::String(text) => Value::String(text.into()),
            Leaf::StringName(text) => Value::StringName(StringName(text.into())),
            Leaf::NodePath(path) => Value::NodePath(Box::new(path)),
            Leaf::Rid(id) => Value::Rid(Rid(id)),
            Leaf::Callable => Value::Callable(Callable),
            Leaf::Signal(name, object) => signal(name, object),
            Leaf::NullObject => Value::Object(Object::Null),
            Leaf::Object(id) => Value::Object(Object::Id(ObjectId(id))),
            Leaf::Ints(kind, bytes) => ints(kind, bytes),
            Leaf::Reals(kind, reals) => math(kind, &reals),
            Leaf::PackedBytes(bytes) => Value::PackedByteArray(PackedByteArray(bytes.to_vec())),
            Leaf::Packed(kind, bytes) => packed(kind, bytes),
            Leaf::PackedReals(kind, reals) => packed_reals(kind, &reals),
        }
    }

    #[inline(always)]
    fn short_string(&mut self, len: u8, words: [u64; 3]) -> Value {
        Value::String(GString::from_words(len, words))
    }

    fn strings(&mut self, capacity: usize) -> Vec<GString> {
        Vec::with_capacity(capacity)
    }

    #[inline]
    fn add_string(&mut self, strings: &mut Vec<GString>, text: Cow<'de, str>) {
        strings.push(text.into());
    }

    fn end_strings(&mut self, strings: Vec<GString>) -> Value {
        Value::PackedStringArray(PackedStringArray(strings))
    }

    #[inline]
    fn items(&mut self, capacity: usize) -> Vec<Value> {
        Vec::with_capacity(capacity)
    }

    #[inline]
    fn entries(&mut self, capacity: usize) -> Vec<(Value, Value)> {
        Vec::with_capacity(capacity)
    }

    fn object(&mut self, class: Cow<'de, str>, capacity: usize) -> Box<Instance> {
        Box::new(Instance { class: class.into(), properties: Vec::with_capacity(capacity) })
    }

    #[inline(always)]
    fn item(&mut self, items: &mut Vec<Value>, value: Value) {
        items.push(value);
    }

    fn typed_item(
        &mut self,
        items: &mut Vec<Value>,
        value: Value,
        types: &Types,
        at: usize,
        reader: &Reader<'de>,
    ) -> Result<()> {
        items.extend(convert::element(value, &types.0, at, reader)?);
        Ok(())
    }

    #[inline(always)]
    fn key(&mut self, entries: &mut Vec<(Value, Value)>, key: Value) {
        entries.push((key, Value::Nil));
    }

    #[inline(always)]
    fn entry(&mut self, entries: &mut Vec<(Value, Value)>, value: Value) {
        if let Some((_, place)) = entries.last_mut() {
            *place = value;
        }
    }

    fn typed_entry(
        &mut self,
        entries: &mut Vec<(Value, Value)>,
        value: Value,
        types: &Types,
        key_at: usize,
        reader: &Reader<'de>,
    ) -> Result<()> {
        if let Some((key, _)) = entries.pop()
            && let Some(key) = convert::element(key, &types.0, key_at, reader)?
        {
            entries.push((key, value));
        }
        Ok(())
    }

    fn name(&mut self, object: &mut Box<Instance>, name: Cow<'de, str>) {
        object.properties.push((name.into(), Value::Nil));
    }

    fn property(&mut self, object: &mut Box<Instance>, value: Value) {
        if let Some((_, place)) = object.properties.last_mut() {
            *place = value;
        }
    }

    #[inline]
    fn end_items(&mut self, items: Vec<Value>, types: Option<Types>) -> Value {
        match types {
            None => Value::Array(Array(items)),
            Some((element, _)) => {
                Value::TypedArray(Box::new(TypedArray { element, items: Array(items) }))
            }
        }
    }

    #[inline]
    fn end_entries(
        &mut self,
        mut entries: Vec<(Value, Value)>,
        types: Option<Types>,
        reader: &Reader<'de>,
    ) -> Result<Value> {
        if compare::has_same_keys(&entries) {
            reader.canonical(false, reader.offset(), "two keys are the same")?;
            compare::merge_same_keys(&mut entries);
        }
        let entries = Dictionary(entries);
        Ok(match types {
            None => Value::Dictionary(entries),
            Some((key, value)) => {
                Value::TypedDictionary(Box::new(TypedDictionary { key, value, entries }))
            }
        })
    }

    fn end_object(&mut self, object: Box<Instance>) -> Value {
        Value::Object(Object::Instance(object))
    }
}

fn signal(name: Cow<'_, str>, object: u64) -> Value {
    Value::Signal(Box::new(Signal { name: StringName(name.into()), object: ObjectId(object) }))
}

fn ints(kind: Type, bytes: &[u8]) -> Value {
    match kind {
        Type::Vector2i => Value::Vector2i(i32::read_array(bytes).into()),
        Type::Rect2i => Value::Rect2i(i32::read_array(bytes).into()),
        Type::Vector3i => Value::Vector3i(i32::read_array(bytes).into()),
        _ => Value::Vector4i(i32::read_array(bytes).into()),
    }
}

fn packed(kind: Type, bytes: &[u8]) -> Value {
    match kind {
        Type::PackedInt32Array => Value::PackedInt32Array(PackedInt32Array(i32::read_all(bytes))),
        Type::PackedInt64Array => Value::PackedInt64Array(PackedInt64Array(i64::read_all(bytes))),
        Type::PackedFloat32Array => {
            Value::PackedFloat32Array(PackedFloat32Array(f32::read_all(bytes)))
        }
        _ => Value::PackedFloat64Array(PackedFloat64Array(f64::read_all(bytes))),
    }
}

enum Width<A, B> {
    Single(A),
    Double(B),
}

fn real64(value: Real64) -> Value {
    Value::Real64(Box::new(value))
}

/// A math type, in the width in which it is to be kept. The last one is [`Type::Color`].
pub(super) fn math(kind: Type, reals: &Reals<'_>) -> Value {
    macro_rules! by_width {
        ($read:ident, $last:ident: $($name:ident $(($boxed:ident))?),+ $(,)?) => {
            match kind {
                $(Type::$name => by_width!(@read $read $name $(($boxed))?),)+
                _ => by_width!(@read $read $last),
            }
        };
        (@read $read:ident $name:ident $(($boxed:ident))?) => {
            match $read(reals) {
                Width::Single(value) => Value::$name(by_width!(@box value $($boxed)?)),
                Width::Double(value) => real64(Real64::$name(value)),
            }
        };
        (@box $value:ident) => { $value };
        (@box $value:ident boxed) => { Box::new($value) };
    }
    match kind {
        Type::Basis if reals.rows => by_width!(@read by_rows Basis(boxed)),
        Type::Transform3D if reals.rows => by_width!(@read by_rows Transform3D(boxed)),
        _ => by_width!(
            by_columns, Color: Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion,
            Aabb, Basis(boxed), Transform3D(boxed), Projection(boxed),
        ),
    }
}

fn by_columns<A, B, const N: usize>(reals: &Reals<'_>) -> Width<A, B>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    real_value(reals, |c| c, |c| c)
}

fn by_rows<A, B, const N: usize>(reals: &Reals<'_>) -> Width<A, B>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    real_value(reals, transpose_basis, transpose_basis)
}

#[inline]
fn real_value<A, B, const N: usize>(
    reals: &Reals<'_>,
    single: fn([f32; N]) -> [f32; N],
    double: fn([f64; N]) -> [f64; N],
) -> Width<A, B>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    if reals.wide {
        let read: [f64; N] = f64::read_array(reals.bytes);
        if reals.keep {
            Width::Double(B::from_components(double(read)))
        } else {
            Width::Single(A::from_components(single(read.map(f32::from_f64))))
        }
    } else {
        let read: [f32; N] = f32::read_array(reals.bytes);
        if reals.keep {
            Width::Double(B::from_components(double(read.map(f64::from))))
        } else {
            Width::Single(A::from_components(single(read)))
        }
    }
}

fn packed_reals(kind: Type, reals: &Reals<'_>) -> Value {
    macro_rules! by_width {
        ($name:ident) => {
            match vectors(reals) {
                Width::Single(v) => Value::$name($name(v)),
                Width::Double(v) => real64(Real64::$name($name(v))),
            }
        };
    }
    match kind {
        Type::PackedVector2Array => by_width!(PackedVector2Array),
        Type::PackedVector3Array => by_width!(PackedVector3Array),
        Type::PackedVector4Array => by_width!(PackedVector4Array),
        _ => by_width!(PackedColorArray),
    }
}

fn vectors<A, B, const N: usize>(reals: &Reals<'_>) -> Width<Vec<A>, Vec<B>>
where
    A: Components<Array = [f32; N]> + WireElement,
    B: Components<Array = [f64; N]> + WireElement,
{
    if reals.wide {
        let read = B::read_all(reals.bytes);
        if reals.keep {
            return Width::Double(read);
        }
        let narrow = |v: B| A::from_components(v.to_components().map(f32::from_f64));
        Width::Single(read.into_iter().map(narrow).collect())
    } else {
        let read = A::read_all(reals.bytes);
        if !reals.keep {
            return Width::Single(read);
        }
        let widen = |v: A| B::from_components(v.to_components().map(f64::from));
        Width::Double(read.into_iter().map(widen).collect())
    }
}
