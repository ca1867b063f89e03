//! The engine's own types as plain structs and newtypes.
//!
//! Each is written as its native type by this crate and as a plain sequence, number or string by
//! every other serde format.

mod kind;
mod math;
mod packed;
mod serde;
mod text;
mod typed;

pub use kind::{ElementType, Type};
pub use math::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Real, Rect2, Rect2i, Transform2D,
    Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
pub use packed::{
    PackedByteArray, PackedByteSlice, PackedColorArray, PackedFloat32Array, PackedFloat64Array,
    PackedInt32Array, PackedInt64Array, PackedStringArray, PackedVector2Array, PackedVector3Array,
    PackedVector4Array,
};
pub use text::{GString, NodePath, StringName};
pub(crate) use text::{escaped, escaped_in_lines, quoted};
pub use typed::{Element, TypedArray, TypedDictionary};

pub(crate) use kind::{FLAG_64, FLAG_OBJECT_AS_ID, fits_f32};
pub(crate) use math::{Components, cast, transpose_basis};
pub(crate) use packed::{PackedElement, WireElement, rewidth, vec_newtype};
pub use serde::Native;
pub(crate) use serde::{TAG, Tagged, tag_settings};

use std::fmt;

/// Id of a resource inside a server (rendering, physics) of one running engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rid(
    /// The id; 0 is the null RID. Godot 3 does not send it.
    pub u64,
);

/// Instance id of an object in one running engine, or 0 for null.
///
/// This is what an object is reduced to when whole objects are not sent. The engine shows ids of
/// reference-counted objects, which have bit 63 set, as negative numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(
    /// The id; 0 is null.
    pub u64,
);

/// A callable. The engine sends nothing of it: what arrives is always the null callable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Callable;

/// A signal of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signal {
    /// The signal's name; empty in the null signal.
    pub name: StringName,
    /// The object that has the signal.
    pub object: ObjectId,
}

impl fmt::Display for Rid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RID({})", self.0)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
