//! [`Value`]: any variant, without a Rust type for it.

mod arms;
mod array;
mod assign;
pub(crate) mod build;
mod colors;
mod compare;
mod convert;
mod damaged;
mod debug;
pub(crate) mod decode;
mod dictionary;
mod encode;
mod from;
mod index;
mod keys;
mod lookup;
pub(crate) mod numbers;
mod object;
mod serde;
mod stringify;
mod walk;

pub use array::{Array, TypedArray};
pub use damaged::{Cut, Damage};
pub use dictionary::{Dictionary, TypedDictionary};
pub use lookup::ValueIndex;
pub use object::{Instance, Object, Reference};

pub(crate) use build::of_numbers;
#[cfg(feature = "text")]
pub(crate) use convert::{element as converted_element, vector};
#[cfg(feature = "text")]
pub(crate) use decode::Typed;
pub(crate) use decode::{Reals, decode, fills, key_segment, skip, step_of};
pub(crate) use encode::{check_elements, check_narrow, packed as write_packed, write};
#[cfg(feature = "text")]
pub(crate) use keys::merge_same_keys;
#[cfg(feature = "explain")]
pub(crate) use keys::same_keys;
pub(crate) use serde::packed_elements;

pub(crate) use arms::{by_numbers, by_real64};
pub(crate) use walk::Inside;

use crate::types::{
    Aabb, Basis, Callable, Color, Components, ElementType, GString, NodePath, PackedByteArray,
    PackedColorArray, PackedElement, PackedFloat32Array, PackedFloat64Array, PackedInt32Array,
    PackedInt64Array, PackedStringArray, PackedVector2Array, PackedVector3Array,
    PackedVector4Array, Plane, Projection, Quaternion, Rect2, Rect2i, Rid, Signal, StringName,
    Transform2D, Transform3D, Type, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// Any of the engine's 39 types.
///
/// Lossless: what was read in canonical form is written back byte for byte. Order, widths of
/// components, element types of containers and bit patterns of floats are kept. `Drop`, `Clone`,
/// `==` and `Debug` work on whatever was accepted, which is at most 1 025 levels deep.
///
/// Two values are equal when they would be written as the same bytes, so NaN equals itself and
/// `0.0` is not `-0.0`.
///
/// ```
/// use godot_variant::types::Vector3;
/// use godot_variant::{Value, variant};
///
/// let value = variant!({ "name": "Åsa", "pos": Vector3::new(1.0, 0.0, -2.5) });
/// let bytes = godot_variant::to_vec(&value)?;
/// assert_eq!(godot_variant::from_slice::<Value>(&bytes)?, value);
/// assert_eq!(value["name"], "Åsa");
/// assert_eq!(format!("{value:?}"), r#"{"name": "Åsa", "pos": Vector3(1.0, 0.0, -2.5)}"#);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names are the engine's own")]
pub enum Value {
    #[default]
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(GString),
    Vector2(Vector2),
    Vector2i(Vector2i),
    Rect2(Rect2),
    Rect2i(Rect2i),
    Vector3(Vector3),
    Vector3i(Vector3i),
    Transform2D(Transform2D),
    Vector4(Vector4),
    Vector4i(Vector4i),
    Plane(Plane),
    Quaternion(Quaternion),
    Aabb(Aabb),
    Basis(Box<Basis>),
    Transform3D(Box<Transform3D>),
    Projection(Box<Projection>),
    Color(Color),
    StringName(StringName),
    NodePath(Box<NodePath>),
    Rid(Rid),
    Object(Object),
    Callable(Callable),
    Signal(Box<Signal>),
    Dictionary(Dictionary),
    /// A `Dictionary[K, V]` (4.4 on).
    TypedDictionary(Box<TypedDictionary>),
    Array(Array),
    /// An `Array[T]` (4.3 on).
    TypedArray(Box<TypedArray>),
    PackedByteArray(PackedByteArray),
    PackedInt32Array(PackedInt32Array),
    PackedInt64Array(PackedInt64Array),
    PackedFloat32Array(PackedFloat32Array),
    PackedFloat64Array(PackedFloat64Array),
    PackedStringArray(PackedStringArray),
    PackedVector2Array(PackedVector2Array),
    PackedVector3Array(PackedVector3Array),
    PackedColorArray(PackedColorArray),
    PackedVector4Array(PackedVector4Array),
    /// A real-typed value with 64-bit components, from an engine with `precision=double`.
    Real64(Box<Real64>),
}

/// The real-typed values with 64-bit components.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names are the engine's own")]
pub enum Real64 {
    Vector2(Vector2<f64>),
    Rect2(Rect2<f64>),
    Vector3(Vector3<f64>),
    Transform2D(Transform2D<f64>),
    Vector4(Vector4<f64>),
    Plane(Plane<f64>),
    Quaternion(Quaternion<f64>),
    Aabb(Aabb<f64>),
    Basis(Basis<f64>),
    Transform3D(Transform3D<f64>),
    Projection(Projection<f64>),
    /// Only in [`Dialect::Docs`](crate::Dialect::Docs).
    Color(Color<f64>),
    PackedVector2Array(PackedVector2Array<f64>),
    PackedVector3Array(PackedVector3Array<f64>),
    /// Only in [`Dialect::Docs`](crate::Dialect::Docs).
    PackedColorArray(PackedColorArray<f64>),
    PackedVector4Array(PackedVector4Array<f64>),
}

impl Value {
    /// The engine's type. Typed containers and 64-bit components have no type.
    pub fn kind(&self) -> Type {
        by_numbers!(
            self,
            ints v => type_of(v),
            reals v => type_of(v),
            scalars v => packed_type_of(v),
            packed v => packed_type_of(v),
            Value::Nil => Type::Nil,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::String(_) => Type::String,
            Value::StringName(_) => Type::StringName,
            Value::NodePath(_) => Type::NodePath,
            Value::Rid(_) => Type::Rid,
            Value::Object(_) => Type::Object,
            Value::Callable(_) => Type::Callable,
            Value::Signal(_) => Type::Signal,
            Value::Dictionary(_) | Value::TypedDictionary(_) => Type::Dictionary,
            Value::Array(_) | Value::TypedArray(_) => Type::Array,
            Value::PackedStringArray(_) => Type::PackedStringArray,
        )
    }

    /// Whether it is nil, the engine's null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// The integer, if it is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_i64().and_then(|value| u64::try_from(value).ok())
    }

    /// The float, or the integer if a float holds it exactly.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "checked to be exact"
    )]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(*value),
            Value::Int(value) => {
                let float = *value as f64;
                (float as i128 == i128::from(*value)).then_some(float)
            }
            _ => None,
        }
    }

    /// Makes a math type or a packed array of numbers from the bytes of its numbers, little-endian; a basis
    /// by its rows, as every file has it. `wide` says that `real_t` has 64 bits.
    ///
    /// # Errors
    /// Another type; bytes that are not those of all components or of whole elements.
    pub fn from_numbers(kind: Type, bytes: &[u8], wide: bool) -> crate::Result<Value> {
        let wide = wide && kind.is_real();
        let size = crate::read::Number::of(kind, wide).size();
        let fits = match kind.components() {
            0 => bytes.len().is_multiple_of(size.saturating_mul(kind.packed_components())),
            count => bytes.len() == size.saturating_mul(count),
        };
        if !(kind.is_row() && fits) {
            let text = format!("expected the numbers of {kind}, found {} bytes", bytes.len());
            return Err(crate::Error::new(crate::ErrorKind::Data, text));
        }
        Ok(of_numbers(kind, &Reals { bytes, wide, keep: wide, rows: true }))
    }

    /// The bytes from which [`from_numbers`](Self::from_numbers) makes the value, and whether its `real_t`
    /// has 64 bits; `None` for a value that is no row of numbers.
    pub fn to_numbers(&self) -> Option<(Vec<u8>, bool)> {
        let numbers = numbers::Numbers::of(self)?.by_rows();
        let mut bytes = Vec::new();
        numbers.each(&mut |number| number.write(numbers.number, &mut bytes));
        Some((bytes, matches!(self, Value::Real64(_))))
    }

    /// Takes the value out and leaves nil.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
}

/// Methods that return what is in some of the values, and `None` for the others.
macro_rules! parts {
    ($(
        $(#[$doc:meta])*
        $name:ident($this:ident: $of:ty) -> $part:ty { $($value:pat => $take:expr),+ }
    )+) => {
        impl Value {$(
            $(#[$doc])*
            pub fn $name($this: $of) -> Option<$part> {
                match $this {
                    $($value => Some($take),)+
                    _ => None,
                }
            }
        )+}
    };
}

parts! {
    /// The bool.
    as_bool(self: &Self) -> bool { Value::Bool(value) => *value }
    /// The integer.
    as_i64(self: &Self) -> i64 { Value::Int(value) => *value }
    /// The text of a `String` or `StringName`.
    as_str(self: &Self) -> &str { Value::String(text) => text, Value::StringName(name) => name }
    /// The bytes of a `PackedByteArray`.
    as_bytes(self: &Self) -> &[u8] { Value::PackedByteArray(bytes) => bytes }
    /// The colour.
    as_color(self: &Self) -> Color { Value::Color(color) => *color }
    /// The elements of an array, typed or not. Packed arrays are not arrays.
    as_array(self: &Self) -> &Array {
        Value::Array(array) => array, Value::TypedArray(array) => &array.items
    }
    /// The elements of an array, to change. The element type of a typed array stays as it is.
    as_array_mut(self: &mut Self) -> &mut Array {
        Value::Array(array) => array, Value::TypedArray(array) => &mut array.items
    }
    /// The entries of a dictionary, typed or not.
    as_dictionary(self: &Self) -> &Dictionary {
        Value::Dictionary(entries) => entries, Value::TypedDictionary(typed) => &typed.entries
    }
    /// The entries of a dictionary, to change.
    as_dictionary_mut(self: &mut Self) -> &mut Dictionary {
        Value::Dictionary(entries) => entries, Value::TypedDictionary(typed) => &mut typed.entries
    }
    /// The object.
    as_object(self: &Self) -> &Object { Value::Object(object) => object }
    /// The element type of an array; `Any` when it is not typed, `None` for other values.
    element_type(self: &Self) -> &ElementType {
        Value::Array(_) => &ElementType::Any, Value::TypedArray(array) => &array.element
    }
}

macro_rules! vectors {
    ($($(#[$doc:meta])* $name:ident -> $vector:ident;)+) => {
        impl Value {$(
            $(#[$doc])*
            pub fn $name(&self) -> Option<$vector> {
                match self {
                    Value::$vector(vector) => Some(*vector),
                    Value::Real64(real) => match &**real {
                        Real64::$vector(vector) => Some(vector.cast()),
                        _ => None,
                    },
                    _ => None,
                }
            }
        )+}
    };
}

vectors! {
    /// The `Vector3`, rounded to 32-bit components if it has 64-bit ones.
    as_vector3 -> Vector3;
    /// The `Vector2`, rounded to 32-bit components if it has 64-bit ones.
    as_vector2 -> Vector2;
}

impl Real64 {
    /// The engine's type.
    pub fn kind(&self) -> Type {
        by_real64!(self, reals v => type_of(v), packed v => packed_type_of(v))
    }
}

#[inline]
fn type_of<T: Components>(_: &T) -> Type {
    T::TYPE
}

#[inline]
fn packed_type_of<P: std::ops::Deref<Target = Vec<T>>, T: PackedElement>(_: &P) -> Type {
    T::PACKED
}
