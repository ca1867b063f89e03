//! The listener that builds a [`Value`].

use std::borrow::Cow;

use super::decode::{Contents, Key, Leaf, Listener, Reals, Typed, Types};
use crate::Value;
use crate::error::{Error, ErrorKind, Result};
use crate::read::{Part, Parts, Reader};
use crate::types::{
    Aabb, Basis, Callable, Color, Components, GString, ObjectId, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Plane, Projection, Quaternion,
    Rect2, Rid, Signal, StringName, Transform2D, Transform3D, Type, Vector2, Vector3, Vector4,
    WireElement, cast, transpose_basis,
};
use crate::value::{
    Array, Dictionary, Instance, Object, TypedArray, TypedDictionary, assign, convert, keys,
};

/// Builds a [`Value`], with what engines do on the way: elements of typed containers are converted
/// or dropped, the last of equal keys wins.
pub(crate) struct Builder<O>(pub(crate) O);

/// Watches while values are built. `()` does not.
pub(crate) trait Observer: Parts {
    /// A value without values inside was made.
    #[inline(always)]
    fn leaf(&mut self, _value: &Value) {}
    /// A container begins.
    #[inline(always)]
    fn open(&mut self, _kind: Type) {}
    /// The key or name of the next value in the innermost container was made.
    #[inline(always)]
    fn key(&mut self, _key: Key<'_, Value>) {}
    /// The next value is in its container; if that is typed, what the element or key was, and what
    /// it is now if it was not dropped.
    #[inline(always)]
    fn added(&mut self, _typed: Option<(&Types, Type, Option<Type>)>) {}
    /// The innermost container ends; the entries of a dictionary before equal keys are merged.
    #[inline(always)]
    fn close(&mut self, _entries: &[(Value, Value)]) {}
}

impl Observer for () {}

impl<O: Observer> Parts for Builder<O> {
    const LISTENS: bool = O::LISTENS;

    #[inline(always)]
    fn part(&mut self, len: usize, part: Part<'_>) {
        self.0.part(len, part);
    }
}

impl<'de, O: Observer> Listener<'de> for Builder<O> {
    type Value = Value;
    type Text = GString;

    // Inlined, so that the common values are stored where they go without a match on them.
    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'de>) -> Value {
        let value = match leaf {
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
            Leaf::Numbers(kind, reals) => of_numbers(kind, &reals),
        };
        self.0.leaf(&value);
        value
    }

    #[inline(always)]
    fn short_string(&mut self, len: u8, words: [u64; 3]) -> Value {
        Value::String(GString::from_words(len, words))
    }

    #[inline(always)]
    fn text(&mut self, text: Cow<'de, str>) -> GString {
        text.into()
    }

    #[inline(always)]
    fn open(&mut self, kind: Type) {
        self.0.open(kind);
    }

    #[inline(always)]
    fn key(&mut self, key: Key<'_, Value>) {
        self.0.key(key);
    }

    #[inline(always)]
    fn added(&mut self) {
        self.0.added(None);
    }

    fn typed(&mut self, value: Value, was: Type, typed: Typed<'_, 'de>) -> Result<Option<Value>> {
        let types = typed.types;
        let kept = convert::element(value, typed)?;
        self.0.added(Some((types, was, kept.as_ref().map(Value::kind))));
        Ok(kept)
    }

    fn typed_value(&mut self, kind: Type, typed: Typed<'_, 'de>) -> Result<()> {
        convert::check_value(kind, typed)
    }

    fn strings(&mut self, strings: Vec<GString>) -> Value {
        let value = Value::PackedStringArray(PackedStringArray(strings));
        self.0.leaf(&value);
        value
    }

    #[inline(always)]
    fn close(
        &mut self,
        contents: Contents<GString, Value>,
        types: Option<Types>,
        reader: &Reader<'de>,
    ) -> Result<Value> {
        self.0.close(if let Contents::Entries(entries) = &contents { entries } else { &[] });
        Ok(match (contents, types) {
            (Contents::Items(items), None) => Value::Array(Array(items)),
            (Contents::Items(items), Some((element, _))) => {
                Value::TypedArray(Box::new(TypedArray { element, items: Array(items) }))
            }
            (Contents::Entries(entries), types) => dictionary(entries, types, reader)?,
            (Contents::Object(object), _) => {
                let (class, properties) = *object;
                Value::Object(Object::Instance(Box::new(Instance { class, properties })))
            }
        })
    }
}

/// Makes a dictionary: the last of equal keys wins.
#[inline]
fn dictionary(
    mut entries: Vec<(Value, Value)>,
    types: Option<Types>,
    reader: &Reader<'_>,
) -> Result<Value> {
    if keys::has_same_keys(&entries) {
        if reader.options.in_memory {
            let text = "expected keys that are not the same, found one twice";
            return Err(Error::new(ErrorKind::Data, text));
        }
        reader.canonical(false, reader.offset(), "two keys are the same")?;
        keys::merge_same_keys(&mut entries);
    }
    let is_foreign = types.as_ref().is_some_and(|(_, declared)| {
        let fits = |own| matches!(assign::converted(declared, own), Ok(None));
        entries.iter().any(|(_, own)| !fits(own))
    });
    let entries = match is_foreign {
        true => Dictionary::as_read(entries),
        false => Dictionary::of_unique(entries),
    };
    Ok(match types {
        None => Value::Dictionary(entries),
        Some((key, value)) => {
            Value::TypedDictionary(Box::new(TypedDictionary { key, value, entries }))
        }
    })
}

/// The value of a type that is a row of numbers, from its encoded components or elements.
pub(crate) fn of_numbers(kind: Type, reals: &Reals<'_>) -> Value {
    let bytes = reals.bytes;
    match kind {
        Type::PackedByteArray => Value::PackedByteArray(PackedByteArray(bytes.to_vec())),
        Type::PackedInt32Array
        | Type::PackedInt64Array
        | Type::PackedFloat32Array
        | Type::PackedFloat64Array => packed(kind, bytes),
        Type::Vector2i | Type::Rect2i | Type::Vector3i | Type::Vector4i => ints(kind, bytes),
        kind if kind.element().is_some() => packed_reals(kind, reals),
        kind => math(kind, reals),
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
fn math(kind: Type, reals: &Reals<'_>) -> Value {
    macro_rules! by_type {
        ($($name:ident),+ $(,)?) => {
            match kind {
                $(Type::$name => real::<$name, $name<f64>, { len::<$name>() }>(reals),)+
                _ => real::<Color, Color<f64>, { len::<Color>() }>(reals),
            }
        };
    }
    by_type! {
        Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb, Basis, Transform3D,
        Projection,
    }
}

/// The number of components, of four bytes each, of a type.
const fn len<T>() -> usize {
    size_of::<T>() / 4
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
            false => A::from_components(cast(&columns)).into(),
        }
    } else {
        let read: [f32; N] = f32::read_array(reals.bytes);
        let columns = if rows { transpose_basis(read) } else { read };
        match reals.keep {
            true => B::from_components(cast(&columns)).into(),
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
            vectors::<$name, $name<f64>, $packed, $packed<f64>, { len::<$name>() }>(reals)
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
    let narrow = |v: B| A::from_components(cast(&v.to_components()));
    let widen = |v: A| B::from_components(cast(&v.to_components()));
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
