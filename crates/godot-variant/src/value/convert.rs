//! Elements whose type is not the container's: the engine converts them where it has
//! a strict conversion with a constructor, else drop it.
//! <https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#typed-containers>

use crate::Value;
use crate::error::{Error, ErrorKind, Result};
use crate::float;
use crate::options::{Options, Precision};
use crate::read::{Number, Reader};
use crate::types::{
    Basis, Color, Components, ElementType, PackedByteArray, PackedColorArray, PackedFloat32Array,
    PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray, Projection,
    Quaternion, Real, Transform2D, Transform3D, Type, Vector2, Vector3, Vector4,
};
use crate::value::build::of_numbers;
use crate::value::decode::{Reals, Typed};
use crate::value::numbers::{Numbers, Scalar};
use crate::value::stringify::stringify;
use crate::value::{Array, Instance, Object, Real64 as Components64, colors};

/// The element as the container keeps it, or `None` when the engine drops it.
pub(crate) fn element(value: Value, typed: Typed<'_, '_>) -> Result<Option<Value>> {
    let Typed { types: (wanted, _), at, reader, .. } = typed;
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
    let double = reader.options.precision == Precision::Double;
    if kind == Type::Array {
        // Elements of packed arrays become values, which are larger.
        let size = match value.kind() {
            Type::PackedStringArray => 4,
            kind => Number::of(kind, false).size().saturating_mul(kind.packed_components()),
        };
        let count = reader.offset().saturating_sub(at).checked_div(size).unwrap_or(0);
        reader.charge(count.saturating_mul(size_of::<Value>()))?;
    }
    let kept = if kind == Type::Object { None } else { converted(&value, kind, double) };
    if let Some(Value::PackedStringArray(texts)) = &kept {
        // They may be longer than the values.
        reader.charge(texts.iter().map(|text| text.len()).sum())?;
    }
    misfit(reader, at, (wanted, value.kind()), if kept.is_some() { "converts" } else { "drops" })?;
    Ok(kept)
}

/// The value of an entry, which engines keep whatever it is, and take for the declared type.
pub(crate) fn check_value(kind: Type, typed: Typed<'_, '_>) -> Result<()> {
    let Typed { types: (_, wanted), at, reader } = typed;
    match (wanted.builtin(), kind) {
        (None | Some(Type::Object), Type::Nil) => Ok(()),
        (Some(own), kind) if own != kind => misfit(reader, at, (wanted, kind), "keeps"),
        _ => Ok(()),
    }
}

/// The error in strict mode for an element that is not of the container's type.
fn misfit(
    reader: &mut Reader<'_>,
    at: usize,
    (wanted, found): (&ElementType, Type),
    engine: &str,
) -> Result<()> {
    let left = reader.options.max_misfits.map(|left| left.checked_sub(1));
    match reader.strict() || left == Some(None) {
        true => Err(Error::at(
            ErrorKind::NotCanonical,
            at,
            format!(
                "expected {wanted}, the type of the container, found {found} (the engine {engine} it)"
            ),
        )),
        false => {
            reader.options.max_misfits = left.flatten();
            Ok(())
        }
    }
}

impl Options {
    /// Returns an error for each value that does not fit into its typed container, at most `most`: with its path, and
    /// what the engine does with it.
    ///
    /// ```
    /// use godot_variant::{Options, types::TypedDictionary, variant};
    ///
    /// let counts = TypedDictionary(vec![("gold".to_owned(), 7_i64)]);
    /// let mut bytes = godot_variant::to_vec(&counts)?;
    /// assert!(Options::new().misfits(&bytes, 8).is_empty());
    /// let at = bytes.len() - 8;
    /// bytes[at] = 3;
    /// assert_eq!(
    ///     Options::new().misfits(&bytes, 8)[0].to_string(),
    ///     "expected int, the type of the container, found float (the engine keeps it), in gold"
    /// );
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    pub fn misfits(&self, bytes: &[u8], most: usize) -> Vec<Error> {
        let with = |known| Options { strict: false, max_misfits: Some(known), ..self.clone() };
        let misfit = |known| with(known).value_from_slice(bytes).err();
        let is_misfit = |error: &Error| error.kind() == ErrorKind::NotCanonical;
        let all = (0..most).map_while(misfit).take_while(is_misfit);
        all.map(Error::without_offset).collect()
    }
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
        // The class of a resource beside the value is not known.
        Value::Nil | Value::Object(Object::Null | Object::Reference(_)) => true,
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

/// The conversions between types with components of the same width.
macro_rules! between_reals {
    ($of:ident, $value:expr, $kind:expr) => {
        Some(match ($kind, $value) {
            (Type::Vector2i, $of::Vector2(v)) => Value::Vector2i(v.to_array().map(to_i32).into()),
            (Type::Rect2i, $of::Rect2(v)) => Value::Rect2i(v.to_array().map(to_i32).into()),
            (Type::Vector3i, $of::Vector3(v)) => Value::Vector3i(v.to_array().map(to_i32).into()),
            (Type::Vector4i, $of::Vector4(v)) => Value::Vector4i(v.to_array().map(to_i32).into()),
            (Type::Transform2D, $of::Transform3D(v)) => flattened(v).into(),
            (Type::Quaternion, $of::Basis(v)) => quaternion(v).into(),
            (Type::Basis, $of::Quaternion(v)) => basis(v).into(),
            (Type::Transform3D, $of::Transform2D(v)) => raised(v).into(),
            (Type::Transform3D, $of::Quaternion(v)) => at_origin(&basis(v)).into(),
            (Type::Transform3D, $of::Basis(v)) => at_origin(v).into(),
            (Type::Transform3D, $of::Projection(v)) => transform(v).into(),
            (Type::Projection, $of::Transform3D(v)) => projection(v).into(),
            _ => return None,
        })
    };
}

/// The value as another type, or `None` without a conversion.
fn converted(value: &Value, kind: Type, double: bool) -> Option<Value> {
    use Value::*;
    macro_rules! reals {
        ($name:ident, $ints:ident) => {{
            let wide = crate::types::$name::from($ints.to_array().map(f64::from));
            if double { wide.into() } else { wide.cast::<f32>().into() }
        }};
    }
    Some(match (kind, value) {
        (Type::Bool, Int(v)) => Bool(*v != 0),
        (Type::Bool, Float(v)) => Bool(*v != 0.0),
        (Type::Int, Bool(_) | Float(_)) => Int(to_i64(value)),
        (Type::Float, Bool(_) | Int(_)) => Float(to_f64(value)),
        (Type::String, StringName(_) | NodePath(_)) => String(stringify(value).into()),
        (Type::StringName, String(v)) => StringName(crate::types::StringName(v.clone())),
        (Type::NodePath, String(v)) => NodePath(Box::new(crate::types::NodePath::new(v))),
        (Type::Vector2, Vector2i(v)) => reals!(Vector2, v),
        (Type::Rect2, Rect2i(v)) => reals!(Rect2, v),
        (Type::Vector3, Vector3i(v)) => reals!(Vector3, v),
        (Type::Vector4, Vector4i(v)) => reals!(Vector4, v),
        (Type::Color, String(_) | Int(_)) => Color(to_color(value)),
        // None of the objects that arrive is a resource, and others have no RID.
        (Type::Rid, Object(_)) => Rid(crate::types::Rid(0)),
        (Type::Array, _) => Array(unpacked(value)?),
        (_, Array(_) | TypedArray(_)) => packed(value.as_array()?, kind, double)?,
        (_, Real64(v)) => return between_reals!(Components64, &**v, kind),
        _ => return between_reals!(Value, value, kind),
    })
}

/// Truncates. Out of range and NaN give the smallest number, as the engine's x86 builds do.
#[allow(clippy::cast_possible_truncation, reason = "checked to be in range")]
fn to_i32<R: Real>(value: R) -> i32 {
    let value = float::trunc(value.to_f64());
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
        Value::Float(value) if (-TWO_TO_63..TWO_TO_63).contains(value) => {
            float::trunc(*value) as i64
        }
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

/// The elements of a packed array as values.
fn unpacked(value: &Value) -> Option<Array> {
    if let Value::PackedStringArray(texts) = value {
        return Some(texts.iter().cloned().collect());
    }
    let numbers = Numbers::of(value).filter(|numbers| numbers.kind.components() == 0)?;
    let mut items = Array::default();
    let Some(element) = numbers.kind.element() else {
        numbers.each(&mut |number| {
            items.push(match number {
                Scalar::Int(value) => Value::Int(value),
                float => Value::Float(float.to_f64()),
            })
        });
        return Some(items);
    };
    let wide = numbers.number == Number::F64;
    let len = element.components().saturating_mul(numbers.number.size());
    let mut bytes = Vec::with_capacity(len);
    numbers.each(&mut |number| {
        match number {
            Scalar::Single(value) => value.write(&mut bytes),
            number => number.to_f64().write(&mut bytes),
        }
        if bytes.len() == len {
            items
                .push(of_numbers(element, &Reals { bytes: &bytes, wide, keep: wide, rows: false }));
            bytes.clear();
        }
    });
    Some(items)
}

/// The elements of an array as a packed array; what has no conversion becomes zero.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the engine cuts integers to the width of the elements"
)]
fn packed(items: &Array, kind: Type, double: bool) -> Option<Value> {
    let items = items.iter();
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
        Type::PackedStringArray => {
            PackedStringArray(items.map(|v| stringify(v).into()).collect()).into()
        }
        Type::PackedColorArray => PackedColorArray(items.map(to_color).collect()).into(),
        kind => {
            let size = kind.element()?.components();
            let mut bytes = Vec::new();
            for item in items {
                let parts = vector::<4>(item).unwrap_or_default();
                parts.iter().take(size).for_each(|part| part.write(&mut bytes));
            }
            of_numbers(kind, &Reals { bytes: &bytes, wide: true, keep: double, rows: false })
        }
    })
}

/// The first components of a vector of any size, and zeros after them.
pub(crate) fn vector<const N: usize>(value: &Value) -> Option<[f64; N]> {
    use Type::*;
    if !matches!(value.kind(), Vector2 | Vector3 | Vector4 | Vector2i | Vector3i | Vector4i) {
        return None;
    }
    let numbers = Numbers::of(value)?;
    let mut parts = numbers.parts();
    Some(std::array::from_fn(|_| parts.next().map_or(0.0, Scalar::to_f64)))
}

/// A colour by its text or as `0xRRGGBBAA`; opaque black for everything else.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the lower 32 bits")]
fn to_color(value: &Value) -> Color {
    match value {
        Value::Color(v) => *v,
        Value::String(text) => colors::from_text(text),
        Value::Int(v) => colors::from_bytes((*v as u32).to_be_bytes()),
        _ => Color::new(0.0, 0.0, 0.0, 1.0),
    }
}

/// Rounds what was computed in 64 bits to the width of the components, which after each single step
/// comes to the same as to compute in that width.
fn rounded<R: Real>(value: f64) -> f64 {
    R::from_f64(value).to_f64()
}

/// The rotation of a basis; of one that is more than a rotation, or something else, none.
fn quaternion<R: Real>(basis: &Basis<R>) -> Quaternion<R> {
    let n = rounded::<R>;
    let c @ [xx, xy, xz, yx, yy, yz, zx, zy, zz] = basis.to_components().map(Real::to_f64);
    let trace = n(n(xx + yy) + zz);
    let root = |a: f64, b: f64, c: f64| n(float::sqrt(n(n(n(a - b) - c) + 1.0)));
    let [x, y, z, w] = if !is_rotation::<R>(&c) {
        [0.0, 0.0, 0.0, 1.0]
    } else if trace > 0.0 {
        let root = n(float::sqrt(n(trace + 1.0)));
        let s = n(0.5 / root);
        [n(n(yz - zy) * s), n(n(zx - xz) * s), n(n(xy - yx) * s), n(root * 0.5)]
    } else if xx >= yy && xx >= zz {
        let root = root(xx, yy, zz);
        let s = n(0.5 / root);
        [n(root * 0.5), n(n(xy + yx) * s), n(n(xz + zx) * s), n(n(yz - zy) * s)]
    } else if yy >= zz {
        let root = root(yy, zz, xx);
        let s = n(0.5 / root);
        [n(n(yx + xy) * s), n(root * 0.5), n(n(yz + zy) * s), n(n(zx - xz) * s)]
    } else {
        let root = root(zz, xx, yy);
        let s = n(0.5 / root);
        [n(n(zx + xz) * s), n(n(zy + yz) * s), n(root * 0.5), n(n(xy - yx) * s)]
    };
    Quaternion::from_array([x, y, z, w].map(R::from_f64))
}

/// Whether axes are as long as each other and at right angles, and the volume is 1, within the
/// engine's tolerances.
fn is_rotation<R: Real>(axes: &[f64; 9]) -> bool {
    const NEAR: f64 = 0.00001;
    let n = rounded::<R>;
    let [a, b, c, d, e, f, g, h, i] = *axes;
    let dot = |v: [f64; 3], w: [f64; 3]| {
        let [p, q, r] = [n(v[0] * w[0]), n(v[1] * w[1]), n(v[2] * w[2])];
        n(n(p + q) + r)
    };
    let (x, y, z) = ([a, b, c], [d, e, f], [g, h, i]);
    let same = |a: f64, b: f64| a == b || (a - b).abs() < NEAR * a.abs().max(1.0);
    let right = |v, w| dot(v, w).abs() < NEAR;
    let volume = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    same(dot(x, x), dot(y, y))
        && same(dot(x, x), dot(z, z))
        && right(x, y)
        && right(x, z)
        && right(y, z)
        && (volume - 1.0).abs() < 0.001
}

/// The basis that rotates as a quaternion does.
fn basis<R: Real>(quaternion: &Quaternion<R>) -> Basis<R> {
    let n = rounded::<R>;
    let [x, y, z, w] = quaternion.to_components().map(Real::to_f64);
    let length = n(n(n(n(x * x) + n(y * y)) + n(z * z)) + n(w * w));
    if length == 0.0 {
        // Nothing times infinity, which has its sign bit set on x86.
        return Basis::from_array([R::from_f64(-f64::NAN); 9]);
    }
    let s = n(2.0 / length);
    let [xs, ys, zs] = [x, y, z].map(|c| n(c * s));
    let [wx, wy, wz] = [xs, ys, zs].map(|c| n(w * c));
    let [xx, xy, xz] = [xs, ys, zs].map(|c| n(x * c));
    let [yy, yz, zz] = [n(y * ys), n(y * zs), n(z * zs)];
    let one_less = |a: f64, b: f64| n(1.0 - n(a + b));
    let x = [one_less(yy, zz), n(xy + wz), n(xz - wy)];
    let y = [n(xy - wz), one_less(xx, zz), n(yz + wx)];
    let z = [n(xz + wy), n(yz - wx), one_less(xx, yy)];
    let [x, y, z] = [x, y, z].map(|axis| Vector3::from_array(axis.map(R::from_f64)));
    Basis { x, y, z }
}

fn at_origin<R: Real>(basis: &Basis<R>) -> Transform3D<R> {
    Transform3D { basis: *basis, origin: Vector3::default() }
}

/// The part of a transform in the plane of X and Y.
fn flattened<R: Real>(t: &Transform3D<R>) -> Transform2D<R> {
    let xy = |v: Vector3<R>| Vector2 { x: v.x, y: v.y };
    Transform2D { x: xy(t.basis.x), y: xy(t.basis.y), origin: xy(t.origin) }
}

/// The same in space.
fn raised<R: Real>(t: &Transform2D<R>) -> Transform3D<R> {
    let xyz = |v: Vector2<R>| Vector3 { x: v.x, y: v.y, z: R::default() };
    let z = Vector3 { z: R::from_f64(1.0), ..Vector3::default() };
    Transform3D { basis: Basis { x: xyz(t.x), y: xyz(t.y), z }, origin: xyz(t.origin) }
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
