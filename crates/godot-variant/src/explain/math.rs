//! Names and numbers of the math types and of packed arrays, in the order of the wire.

use std::fmt::Write;

use super::sink::cut;
use crate::options::Dialect;
use crate::types::Type;

/// The components of a math type as they follow each other on the wire. The engines send the
/// basis row by row, the published page axis by axis.
pub(super) fn names(kind: Type, dialect: Dialect) -> &'static [&'static str] {
    match kind {
        Type::Vector2 | Type::Vector2i => &["x", "y"],
        Type::Vector3 | Type::Vector3i => &["x", "y", "z"],
        Type::Vector4 | Type::Vector4i | Type::Quaternion => &["x", "y", "z", "w"],
        Type::Rect2 | Type::Rect2i => &["position.x", "position.y", "size.x", "size.y"],
        Type::Plane => &["normal.x", "normal.y", "normal.z", "d"],
        Type::Color => &["r", "g", "b", "a"],
        Type::Transform2D => &["x.x", "x.y", "y.x", "y.y", "origin.x", "origin.y"],
        Type::Aabb => &["position.x", "position.y", "position.z", "size.x", "size.y", "size.z"],
        Type::Basis if dialect == Dialect::Docs => {
            &["x.x", "x.y", "x.z", "y.x", "y.y", "y.z", "z.x", "z.y", "z.z"]
        }
        Type::Basis => &["x.x", "y.x", "z.x", "x.y", "y.y", "z.y", "x.z", "y.z", "z.z"],
        Type::Transform3D if dialect == Dialect::Docs => &[
            "basis.x.x",
            "basis.x.y",
            "basis.x.z",
            "basis.y.x",
            "basis.y.y",
            "basis.y.z",
            "basis.z.x",
            "basis.z.y",
            "basis.z.z",
            "origin.x",
            "origin.y",
            "origin.z",
        ],
        Type::Transform3D => &[
            "basis.x.x",
            "basis.y.x",
            "basis.z.x",
            "basis.x.y",
            "basis.y.y",
            "basis.z.y",
            "basis.x.z",
            "basis.y.z",
            "basis.z.z",
            "origin.x",
            "origin.y",
            "origin.z",
        ],
        Type::Projection => &[
            "x.x", "x.y", "x.z", "x.w", "y.x", "y.y", "y.z", "y.w", "z.x", "z.y", "z.z", "z.w",
            "w.x", "w.y", "w.z", "w.w",
        ],
        _ => &[],
    }
}

/// A kind of number on the wire.
#[derive(Clone, Copy)]
pub(super) enum Number {
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    /// The numbers that a math type or packed array is made of.
    pub(super) fn of(kind: Type, wide: bool) -> Number {
        match kind {
            Type::Vector2i | Type::Vector3i | Type::Vector4i | Type::Rect2i => Number::I32,
            Type::PackedInt32Array => Number::I32,
            Type::PackedInt64Array => Number::I64,
            Type::PackedFloat64Array => Number::F64,
            _ if wide => Number::F64,
            _ => Number::F32,
        }
    }

    pub(super) fn size(self) -> usize {
        match self {
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 => 8,
        }
    }

    /// The numbers in the bytes, as GDScript shows them; in brackets after the type's name if each
    /// element has several.
    pub(super) fn show(self, bytes: &[u8], vector: Option<Type>) -> String {
        let mut shown = String::new();
        let numbers = bytes.chunks_exact(self.size());
        for (index, number) in numbers.enumerate() {
            let between = if index == 0 { "" } else { ", " };
            // Writing to a string cannot fail.
            let _ = match self {
                Number::I32 => write!(shown, "{between}{}", i32::from_le_bytes(array(number))),
                Number::I64 => write!(shown, "{between}{}", i64::from_le_bytes(array(number))),
                Number::F32 => write!(shown, "{between}{:?}", f32::from_le_bytes(array(number))),
                Number::F64 => write!(shown, "{between}{:?}", f64::from_le_bytes(array(number))),
            };
        }
        match vector {
            Some(kind) => cut(format_args!("{kind}({shown})")),
            None => shown,
        }
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// The type of one element of a packed array whose elements have several numbers.
pub(super) fn vector(kind: Type) -> Option<Type> {
    match kind {
        Type::PackedVector2Array => Some(Type::Vector2),
        Type::PackedVector3Array => Some(Type::Vector3),
        Type::PackedVector4Array => Some(Type::Vector4),
        Type::PackedColorArray => Some(Type::Color),
        _ => None,
    }
}
