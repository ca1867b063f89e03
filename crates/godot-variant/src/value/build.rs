//! The listener that builds a [`Value`].

use std::borrow::Cow;

use super::decode::{Leaf, Listener, Reals, Types};
use crate::Value;
use crate::error::Result;
use crate::read::{Parts, Reader};
use crate::types::{
    Aabb, Basis, Callable, Color, Components, GString, ObjectId, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Plane, Projection, Quaternion,
    Real, Rect2, Rid, Signal, StringName, Transform2D, Transform3D, Type, Vector2, Vector3,
    Vector4, WireElement, transpose_basis,
};
use crate::value::{
    Array, Dictionary, Instance, Object, TypedArray, TypedDictionary, compare, convert,
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
        Type::PackedInt32Array => PackedInt32Array(i32::read_all(bytes)).into(),
        Type::PackedInt64Array => PackedInt64Array(i64::read_all(bytes)).into(),
        Type::PackedFloat32Array => PackedFloat32Array(f32::read_all(bytes)).into(),
        _ => PackedFloat64Array(f64::read_all(bytes)).into(),
    }
}

/// A math type, in the width in which it is to be kept. The last one is [`Type::Color`].
pub(super) fn math(kind: Type, reals: &Reals<'_>) -> Value {
    macro_rules! by_type {
        ($($name:ident),+ $(,)?) => {
            match kind {
                $(Type::$name => real::<$name, $name<f64>, _>(reals),)+
                _ => real::<Color, Color<f64>, _>(reals),
            }
        };
    }
    by_type! {
        Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb, Basis, Transform3D,
        Projection,
    }
}

#[inline]
fn real<A, B, const N: usize>(reals: &Reals<'_>) -> Value
where
    A: Components<Array = [f32; N]> + Into<Value>,
    B: Components<Array = [f64; N]> + Into<Value>,
{
    let rows = reals.rows && matches!(A::TYPE, Type::Basis | Type::Transform3D);
    if reals.wide {
        let read: [f64; N] = f64::read_array(reals.bytes);
        let columns = if rows { transpose_basis(read) } else { read };
        match reals.keep {
            true => B::from_components(columns).into(),
            false => A::from_components(columns.map(f32::from_f64)).into(),
        }
    } else {
        let read: [f32; N] = f32::read_array(reals.bytes);
        let columns = if rows { transpose_basis(read) } else { read };
        match reals.keep {
            true => B::from_components(columns.map(f64::from)).into(),
            false => A::from_components(columns).into(),
        }
    }
}

fn packed_reals(kind: Type, reals: &Reals<'_>) -> Value {
    macro_rules! by_type {
        ($($packed:ident of $name:ident),+; $last:ident of $last_name:ident) => {
            match kind {
                $(Type::$packed => by_type!(@read $packed of $name),)+
                _ => by_type!(@read $last of $last_name),
            }
        };
        (@read $packed:ident of $name:ident) => {
            vectors::<$name, $name<f64>, $packed, $packed<f64>, _>(reals)
        };
    }
    by_type! {
        PackedVector2Array of Vector2, PackedVector3Array of Vector3,
        PackedVector4Array of Vector4; PackedColorArray of Color
    }
}

/// A packed array of `A` or `B`, which is `P` or `Q`.
fn vectors<A, B, P, Q, const N: usize>(reals: &Reals<'_>) -> Value
where
    A: Components<Array = [f32; N]> + WireElement,
    B: Components<Array = [f64; N]> + WireElement,
    P: From<Vec<A>> + Into<Value>,
    Q: From<Vec<B>> + Into<Value>,
{
    let narrow = |v: B| A::from_components(v.to_components().map(f32::from_f64));
    let widen = |v: A| B::from_components(v.to_components().map(f64::from));
    match (reals.wide, reals.keep) {
        (false, false) => P::from(A::read_all(reals.bytes)).into(),
        (true, true) => Q::from(B::read_all(reals.bytes)).into(),
        (true, false) => {
            let read: Vec<A> = B::read_all(reals.bytes).into_iter().map(narrow).collect();
            P::from(read).into()
        }
        (false, true) => {
            let read: Vec<B> = A::read_all(reals.bytes).into_iter().map(widen).collect();
            Q::from(read).into()
        }
    }
}
