use super::packed::vec_newtype;
use crate::types::{
    Aabb, Basis, Callable, Color, GString, NodePath, ObjectId, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Plane, Projection, Quaternion,
    Rect2, Rect2i, Rid, Signal, StringName, Transform2D, Transform3D, Type, Vector2, Vector2i,
    Vector3, Vector3i, Vector4, Vector4i,
};

/// A Rust type that is always written as one engine type, so that typed containers can hold it.
///
/// Implement it for your own structs to put them in an `Array[Dictionary]`:
///
/// ```
/// # use godot_variant::types::{Element, Type, TypedArray};
/// # use serde::{Serialize, Deserialize};
/// #[derive(Serialize, Deserialize)]
/// struct Item { id: i64 }
///
/// impl Element for Item {
///     const TYPE: Option<Type> = Some(Type::Dictionary);
/// }
///
/// let bytes = godot_variant::to_vec(&TypedArray(vec![Item { id: 7 }]))?;
/// assert_eq!(bytes[..8], [28, 0, 1, 0, 27, 0, 0, 0]);
/// # Ok::<(), godot_variant::Error>(())
/// ```
pub trait Element {
    /// The engine's type; `None` is `Variant`, which leaves the container (or the side) untyped.
    const TYPE: Option<Type>;
}

macro_rules! elements {
    ($($rust:ty => $kind:ident $([$($generic:ident),+])?),+ $(,)?) => {$(
        impl $(<$($generic),+>)? Element for $rust { const TYPE: Option<Type> = Some(Type::$kind); }
    )+};
}

elements! {
    bool => Bool, i8 => Int, i16 => Int, i32 => Int, i64 => Int, u8 => Int, u16 => Int, u32 => Int,
    f32 => Float, f64 => Float, String => String, &str => String, GString => String, char => String,
    Vec<T> => Array [T], TypedArray<T> => Array [T], crate::value::Array => Array,
    std::collections::BTreeMap<K, V> => Dictionary [K, V],
    TypedDictionary<K, V> => Dictionary [K, V],
    crate::value::Dictionary => Dictionary, ObjectId => Object,
}

elements!(std::collections::HashMap<K, V, S> => Dictionary [K, V, S]);

macro_rules! own_elements {
    ($($name:ident $(<$real:ident>)?),+ $(,)?) => {
        elements!($($name $(<$real>)? => $name $([$real])?),+);
    };
}

own_elements! {
    Vector2<R>, Rect2<R>, Vector3<R>, Transform2D<R>, Vector4<R>, Plane<R>, Quaternion<R>, Aabb<R>,
    Basis<R>, Transform3D<R>, Projection<R>, Color<R>, Vector2i, Rect2i, Vector3i, Vector4i,
    StringName, NodePath, Rid, Callable, Signal, PackedByteArray, PackedInt32Array, PackedInt64Array,
    PackedFloat32Array, PackedFloat64Array, PackedStringArray, PackedVector2Array<R>,
    PackedVector3Array<R>, PackedColorArray<R>, PackedVector4Array<R>,
}

impl Element for crate::Value {
    const TYPE: Option<Type> = None;
}

/// An `Array[T]` (4.3 on): `TypedArray<i64>` is GDScript's `Array[int]`.
///
/// Reads untyped arrays too. An array of [`ObjectId`]s is sent with the class
/// `EncodedObjectAsID`, as the engine does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypedArray<T>(
    /// The elements.
    pub Vec<T>,
);

vec_newtype!(TypedArray<T>, T; T);

impl<T> Default for TypedArray<T> {
    fn default() -> Self {
        TypedArray(Vec::new())
    }
}

/// A `Dictionary[K, V]` (4.4 on), with its entries in order. Reads untyped dictionaries too.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypedDictionary<K, V>(
    /// The entries, in the engine's insertion order.
    pub Vec<(K, V)>,
);

vec_newtype!(TypedDictionary<K, V>, (K, V); K, V);

impl<K, V> Default for TypedDictionary<K, V> {
    fn default() -> Self {
        TypedDictionary(Vec::new())
    }
}
