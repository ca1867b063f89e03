//! What the engine does with an element whose type is not the container's: convert it where it has
//! a strict conversion with a constructor, else drop it.
//! <https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#4-typed-containers>

use crate::Value;
use crate::error::Result;
use crate::options::Precision;
use crate::read::Reader;
use crate::types::{
    Basis, Color, Components, ElementType, GString, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Projection, Quaternion, Real,
    Transform3D, Type, Vector2, Vector3, Vector4,
};
use crate::value::decode::Typed;
use crate::value::{Array, Instance, Object, Real64, colors};

/// The element as the container keeps it, or `None` when the engine drops it.
pub(super) fn element(value: Value, typed: Typed<'_, '_>) -> Result<Option<Value>> {
    let Typed { types: (wanted, _), at, reader } = typed;
    let Some(kind) = wanted.builtin().filter(|_| !reader.options.in_memory) else {
        return Ok(Some(value));
    };
    let fits = match kind {
        Type::Object => object_fits(&value, wanted, reader),
        kind => value.kind() == kind,
    };
    if fits {
        return Ok(Some(value));
    }
    reader.canonical(false, at, "an element does not have the container's type")?;
    let double = reader.options.precision == Precision::Double;
    Ok(if kind == Type::Object { None } else { converted(&value, kind, double) })
}

fn object_fits(value: &Value, wanted: &ElementType, reader: &Reader<'_>) -> bool {
    let inherits = |class: &str| match wanted {
        ElementType::Class(base) => {
            class == &**base
                || reader.options.classes.as_ref().is_none_or(|db| db.inherits(class, base))
        }
        _ => true,
    };
    match value {
        Value::Nil | Value::Object(Object::Null) => true,
        Value::Object(Object::Id(_)) => inherits(ElementType::ENCODED_OBJECT_AS_ID),
        Value::Object(Object::Instance(instance)) => match wanted {
            ElementType::Script(_) => has_script(instance),
            _ => inherits(&instance.class),
        },
        _ => false,
    }
}

fn has_script(instance: &Instance) -> bool {
    instance.get("script").is_some_and(|script| script.as_str().is_some())
}

/// The value as another type, or `None` without a conversion.
fn converted(value: &Value, kind: Type, double: bool) -> Option<Value> {
    use Value::*;
    macro_rules! reals {
        ($name:ident, $ints:ident) => {
            if double {
                crate::$name::from($ints.to_array().map(f64::from)).into()
            } else {
                crate::$name::from($ints.to_array().map(from_i32)).into()
            }
        };
    }
    Some(match (kind, value) {
        (Type::Bool, Int(v)) => Bool(*v != 0),
        (Type::Bool, Float(v)) => Bool(*v != 0.0),
        (Type::Int, Bool(_) | Float(_)) => Int(to_i64(value)),
        (Type::Float, Bool(_) | Int(_)) => Float(to_f64(value)),
        (Type::String, StringName(v)) => String(v.0.clone()),
        (Type::String, NodePath(v)) => String(v.to_string().into()),
        (Type::StringName, String(v)) => StringName(crate::StringName(v.clone())),
        (Type::NodePath, String(v)) => NodePath(Box::new(crate::NodePath::new(v))),
        (Type::Vector2, Vector2i(v)) => reals!(Vector2, v),
        (Type::Rect2, Rect2i(v)) => reals!(Rect2, v),
        (Type::Vector3, Vector3i(v)) => reals!(Vector3, v),
        (Type::Vector4, Vector4i(v)) => reals!(Vector4, v),
        (Type::Vector2i, Vector2(v)) => Vector2i(v.to_array().map(to_i32).into()),
        (Type::Rect2i, Rect2(v)) => Rect2i(v.to_array().map(to_i32).into()),
        (Type::Vector3i, Vector3(v)) => Vector3i(v.to_array().map(to_i32).into()),
        (Type::Vector4i, Vector4(v)) => Vector4i(v.to_array().map(to_i32).into()),
        (Type::Quaternion, Basis(v)) => Quaternion(quaternion(v)),
        (Type::Basis, Quaternion(v)) => Basis(Box::new(basis(*v))),
        (Type::Transform3D, Projection(v)) => Transform3D(Box::new(transform(v))),
        (Type::Projection, Transform3D(v)) => Projection(Box::new(projection(v))),
        (_, Real64(v)) => return converted64(v, kind),
        (Type::Color, String(v)) => Color(colors::from_text(v)),
        (Type::Array, _) => Array(unpacked(value)?),
        (_, Array(_) | TypedArray(_)) => packed(value.as_array()?, kind)?,
        _ => return None,
    })
}

fn converted64(value: &Real64, kind: Type) -> Option<Value> {
    Some(match (kind, value) {
        (Type::Vector2i, Real64::Vector2(v)) => Value::Vector2i(v.to_array().map(to_i32).into()),
        (Type::Rect2i, Real64::Rect2(v)) => Value::Rect2i(v.to_array().map(to_i32).into()),
        (Type::Vector3i, Real64::Vector3(v)) => Value::Vector3i(v.to_array().map(to_i32).into()),
        (Type::Vector4i, Real64::Vector4(v)) => Value::Vector4i(v.to_array().map(to_i32).into()),
        (Type::Quaternion, Real64::Basis(v)) => quaternion(v).into(),
        (Type::Basis, Real64::Quaternion(v)) => basis(*v).into(),
        (Type::Transform3D, Real64::Projection(v)) => transform(v).into(),
        (Type::Projection, Real64::Transform3D(v)) => projection(v).into(),
        (Type::Array, Real64::PackedVector2Array(v)) => Value::Array(v.iter().copied().collect()),
        (Type::Array, Real64::PackedVector3Array(v)) => Value::Array(v.iter().copied().collect()),
        (Type::Array, Real64::PackedVector4Array(v)) => Value::Array(v.iter().copied().collect()),
        _ => return None,
    })
}

fn from_i32(value: i32) -> f32 {
    f32::from_f64(f64::from(value))
}

/// Truncates. Out of range and NaN give the smallest number, as the engine's x86 builds do.
#[allow(clippy::cast_possible_truncation, reason = "checked to be in range")]
fn to_i32<R: Real>(value: R) -> i32 {
    let value = value.to_f64().trunc();
    if value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX) {
        value as i32
    } else {
        i32::MIN
    }
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// The engine's conversion to int: numbers, and 0 for everything else.
#[allow(clippy::cast_possible_truncation, reason = "checked to be in range")]
fn to_i64(value: &Value) -> i64 {
    match value {
        Value::Bool(value) => i64::from(*value),
        Value::Int(value) => *value,
        Value::Float(value) if (-TWO_TO_63..TWO_TO_63).contains(value) => value.trunc() as i64,
        Value::Float(_) => i64::MIN,
        Value::String(text) => text.trim().parse().unwrap_or(0),
        _ => 0,
    }
}

fn to_f64(value: &Value) -> f64 {
    match value {
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Int(value) => *value as f64,
        Value::Float(value) => *value,
        Value::String(text) => text.trim().parse().unwrap_or(0.0),
        _ => 0.0,
    }
}

fn to_text(value: &Value) -> GString {
    match value {
        Value::String(text) => text.clone(),
        Value::StringName(name) => name.0.clone(),
        Value::NodePath(path) => path.to_string().into(),
        Value::Nil => "<null>".into(),
        other => format!("{other:?}").into(),
    }
}

/// The elements of a packed array as values.
fn unpacked(value: &Value) -> Option<Array> {
    Some(match value {
        Value::PackedByteArray(v) => v.iter().map(|v| i64::from(*v)).collect(),
        Value::PackedInt32Array(v) => v.iter().map(|v| i64::from(*v)).collect(),
        Value::PackedInt64Array(v) => v.iter().copied().collect(),
        Value::PackedFloat32Array(v) => v.iter().map(|v| f64::from(*v)).collect(),
        Value::PackedFloat64Array(v) => v.iter().copied().collect(),
        Value::PackedStringArray(v) => v.iter().cloned().collect(),
        Value::PackedVector2Array(v) => v.iter().copied().collect(),
        Value::PackedVector3Array(v) => v.iter().copied().collect(),
        Value::PackedColorArray(v) => v.iter().copied().collect(),
        Value::PackedVector4Array(v) => v.iter().copied().collect(),
        _ => return None,
    })
}

/// The elements of an array as a packed array; what has no conversion becomes zero.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the engine cuts integers to the width of the elements"
)]
fn packed(items: &Array, kind: Type) -> Option<Value> {
    fn vector<T: Default + Copy>(pick: impl Fn(&Value) -> Option<T>) -> impl Fn(&Value) -> T {
        move |value| pick(value).unwrap_or_default()
    }
    let items = items.iter();
    let black = Color::new(0.0, 0.0, 0.0, 1.0);
    Some(match kind {
        Type::PackedByteArray => PackedByteArray(items.map(|v| to_i64(v) as u8).collect()).into(),
        Type::PackedInt32Array => {
            PackedInt32Array(items.map(|v| to_i64(v) as i32).collect()).into()
        }
        Type::PackedInt64Array => PackedInt64Array(items.map(to_i64).collect()).into(),
        Type::PackedFloat32Array => {
            PackedFloat32Array(items.map(|v| to_f64(v) as f32).collect()).into()
        }
        Type::PackedFloat64Array => PackedFloat64Array(items.map(to_f64).collect()).into(),
        Type::PackedStringArray => PackedStringArray(items.map(to_text).collect()).into(),
        Type::PackedVector2Array => {
            PackedVector2Array(items.map(vector(as_vector2)).collect()).into()
        }
        Type::PackedVector3Array => {
            PackedVector3Array(items.map(vector(as_vector3)).collect()).into()
        }
        Type::PackedVector4Array => {
            PackedVector4Array(items.map(vector(as_vector4)).collect()).into()
        }
        Type::PackedColorArray => {
            PackedColorArray(items.map(|v| as_color(v).unwrap_or(black)).collect()).into()
        }
        _ => return None,
    })
}

fn as_vector2(value: &Value) -> Option<Vector2> {
    match value {
        Value::Vector2i(v) => Some(v.to_array().map(from_i32).into()),
        other => other.as_vector2(),
    }
}

fn as_vector3(value: &Value) -> Option<Vector3> {
    match value {
        Value::Vector3i(v) => Some(v.to_array().map(from_i32).into()),
        other => other.as_vector3(),
    }
}

fn as_vector4(value: &Value) -> Option<Vector4> {
    match value {
        Value::Vector4(v) => Some(*v),
        Value::Vector4i(v) => Some(v.to_array().map(from_i32).into()),
        _ => None,
    }
}

fn as_color(value: &Value) -> Option<Color> {
    match value {
        Value::Color(v) => Some(*v),
        Value::String(text) => Some(colors::from_text(text)),
        _ => None,
    }
}

/// Rotation of a basis without scale, as the engine computes it.
#[allow(clippy::arithmetic_side_effects, reason = "floats do not overflow")]
fn quaternion<R: Real>(basis: &Basis<R>) -> Quaternion<R> {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = basis.to_components().map(Real::to_f64);
    let trace = xx + yy + zz;
    let [x, y, z, w] = if trace > 0.0 {
        let root = (trace + 1.0).sqrt();
        let s = 0.5 / root;
        [(yz - zy) * s, (zx - xz) * s, (xy - yx) * s, root * 0.5]
    } else if xx >= yy && xx >= zz {
        let root = (xx - yy - zz + 1.0).sqrt();
        let s = 0.5 / root;
        [root * 0.5, (xy + yx) * s, (xz + zx) * s, (yz - zy) * s]
    } else if yy >= zz {
        let root = (yy - zz - xx + 1.0).sqrt();
        let s = 0.5 / root;
        [(yx + xy) * s, root * 0.5, (yz + zy) * s, (zx - xz) * s]
    } else {
        let root = (zz - xx - yy + 1.0).sqrt();
        let s = 0.5 / root;
        [(zx + xz) * s, (zy + yz) * s, root * 0.5, (xy - yx) * s]
    };
    Quaternion::from_array([x, y, z, w].map(R::from_f64))
}

/// The basis that rotates as a quaternion does.
#[allow(clippy::arithmetic_side_effects, reason = "floats do not overflow")]
fn basis<R: Real>(quaternion: Quaternion<R>) -> Basis<R> {
    let [x, y, z, w] = quaternion.to_components().map(Real::to_f64);
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let (xs, ys, zs) = (x * s, y * s, z * s);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    Basis::from_array(
        [
            1.0 - (yy + zz),
            xy + wz,
            xz - wy,
            xy - wz,
            1.0 - (xx + zz),
            yz + wx,
            xz + wy,
            yz - wx,
            1.0 - (xx + yy),
        ]
        .map(R::from_f64),
    )
}

fn transform<R: Real>(p: &Projection<R>) -> Transform3D<R> {
    let xyz = |v: Vector4<R>| Vector3 { x: v.x, y: v.y, z: v.z };
    Transform3D { basis: Basis { x: xyz(p.x), y: xyz(p.y), z: xyz(p.z) }, origin: xyz(p.w) }
}

fn projection<R: Real>(t: &Transform3D<R>) -> Projection<R> {
    let column = |v: Vector3<R>, w: f64| Vector4 { x: v.x, y: v.y, z: v.z, w: R::from_f64(w) };
    Projection {
        x: column(t.basis.x, 0.0),
        y: column(t.basis.y, 0.0),
        z: column(t.basis.z, 0.0),
        w: column(t.origin, 1.0),
    }
}
