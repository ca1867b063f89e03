//! [`Value`]: any variant, without a Rust type for it.

mod arms;
mod array;
pub(crate) mod build;
mod colors;
mod compare;
mod convert;
mod debug;
pub(crate) mod decode;
mod dictionary;
mod encode;
mod from;
mod index;
mod object;
mod serde;
mod walk;

pub use array::{Array, TypedArray};
pub use dictionary::{Dictionary, TypedDictionary};
pub use index::ValueIndex;
pub use object::{Instance, Object};

pub(crate) use compare::merge_same_keys;
#[cfg(feature = "explain")]
pub(crate) use compare::same_keys;
pub(crate) use convert::element as converted_element;
pub(crate) use decode::{decode, key_segment, skip, step_of};
pub(crate) use encode::check_narrow;
pub(crate) use serde::{from_components, packed_elements, write_packed};

pub(crate) use arms::{by_numbers, by_real64};

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
/// `==` and `Debug` need no recursion, so they work on whatever was accepted.
///
/// Two values are equal when they would be written as the same bytes, so NaN equals itself and
/// `0.0` is not `-0.0`.
///
/// ```
/// use godot_variant::{Value, Vector3, value::Dictionary};
///
/// let mut player = Dictionary::new();
/// player.insert("name", "Åsa");
/// player.insert("pos", Vector3::new(1.0, 0.0, -2.5));
/// let value = Value::from(player);
/// let bytes = godot_variant::to_vec(&value)?;
/// assert_eq!(godot_variant::from_slice::<Value>(&bytes)?, value);
/// assert_eq!(value["name"], "Åsa");
/// assert_eq!(format!("{value:?}"), r#"{"name": "Åsa", "pos": Vector3(1.0, 0.0, -2.5)}"#);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[derive(Default)]
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
    /// The engine's type. Typed containers and 64-bit components have no type of their own.
    pub fn kind(&self) -> Type {
        by_numbers!(
            self,
            ints v => type_of(v),
            reals v => type_of(v),
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
            Value::PackedByteArray(_) => Type::PackedByteArray,
            Value::PackedInt32Array(_) => Type::PackedInt32Array,
            Value::PackedInt64Array(_) => Type::PackedInt64Array,
            Value::PackedFloat32Array(_) => Type::PackedFloat32Array,
            Value::PackedFloat64Array(_) => Type::PackedFloat64Array,
            Value::PackedStringArray(_) => Type::PackedStringArray,
        )
    }

    /// Whether it is nil, the engine's null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// [`is_null`](Self::is_null), by the engine's word.
    pub fn is_nil(&self) -> bool {
        self.is_null()
    }

    /// The bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
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

    /// The text of a `String` or `StringName`.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            Value::StringName(name) => Some(name),
            _ => None,
        }
    }

    /// The bytes of a `PackedByteArray`.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::PackedByteArray(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The `Vector3`, rounded to 32-bit components if it has 64-bit ones.
    pub fn as_vector3(&self) -> Option<Vector3> {
        match self {
            Value::Vector3(vector) => Some(*vector),
            Value::Real64(real) => match **real {
                Real64::Vector3(vector) => Some(vector.cast()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The `Vector2`, rounded to 32-bit components if it has 64-bit ones.
    pub fn as_vector2(&self) -> Option<Vector2> {
        match self {
            Value::Vector2(vector) => Some(*vector),
            Value::Real64(real) => match **real {
                Real64::Vector2(vector) => Some(vector.cast()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The colour.
    pub fn as_color(&self) -> Option<Color> {
        match self {
            Value::Color(color) => Some(*color),
            _ => None,
        }
    }

    /// The elements of an array, typed or not. Packed arrays are not arrays.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(array) => Some(array),
            Value::TypedArray(array) => Some(&array.items),
            _ => None,
        }
    }

    /// The elements of an array, to change. The element type of a typed array stays as it is.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Value::Array(array) => Some(array),
            Value::TypedArray(array) => Some(&mut array.items),
            _ => None,
        }
    }

    /// The entries of a dictionary, typed or not.
    pub fn as_dictionary(&self) -> Option<&Dictionary> {
        match self {
            Value::Dictionary(dictionary) => Some(dictionary),
            Value::TypedDictionary(dictionary) => Some(&dictionary.entries),
            _ => None,
        }
    }

    /// The entries of a dictionary, to change.
    pub fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary> {
        match self {
            Value::Dictionary(dictionary) => Some(dictionary),
            Value::TypedDictionary(dictionary) => Some(&mut dictionary.entries),
            _ => None,
        }
    }

    /// The object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The element type of an array; `Any` when it is not typed, `None` for other values.
    pub fn element_type(&self) -> Option<&ElementType> {
        match self {
            Value::Array(_) => Some(&ElementType::Any),
            Value::TypedArray(array) => Some(&array.element),
            _ => None,
        }
    }

    /// Takes the value out and leaves nil.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
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
