//! [`Value`] to bytes, without recursion.

use crate::Value;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::options::{Dialect, Precision};
use crate::types::FLAG_64;
use crate::types::{Components, ElementType, GString, Real, Type, WireElement, transpose_basis};
use crate::value::{Array, Dictionary, Object, by_numbers, step_of};
use crate::write::{Writer, check_script, length};

/// A container whose values are being written.
enum Open<'a> {
    Array(std::iter::Enumerate<std::slice::Iter<'a, Value>>),
    Dictionary(std::slice::Iter<'a, (Value, Value)>, Option<(&'a Value, &'a Value)>),
    Object(std::slice::Iter<'a, (GString, Value)>),
}

/// Where the value that is being written stands.
enum Place<'a> {
    Index(usize),
    Key(&'a Value),
    Entry(&'a Value),
    Property(&'a str),
}

impl Place<'_> {
    fn segment(&self) -> Segment {
        match self {
            Place::Index(index) => Segment::Index(*index),
            Place::Property(name) => Segment::field(name),
            Place::Key(key) | Place::Entry(key) => step_of(key),
        }
    }
}

/// Writes one value that stands `depth` containers deep.
pub(super) fn encode(writer: &mut Writer, root: &Value, depth: usize) -> Result<()> {
    check_depth(writer, depth)?;
    let open = start(writer, root)?;
    fill(writer, open, depth)
}

/// [`encode`] of an array that is not in a [`Value`].
pub(super) fn encode_array(writer: &mut Writer, items: &Array, depth: usize) -> Result<()> {
    check_depth(writer, depth)?;
    let open = array(writer, &ElementType::Any, items)?;
    fill(writer, open, depth)
}

/// [`encode`] of a dictionary that is not in a [`Value`].
pub(super) fn encode_dictionary(
    writer: &mut Writer,
    entries: &Dictionary,
    depth: usize,
) -> Result<()> {
    check_depth(writer, depth)?;
    let open = dictionary(writer, &ElementType::Any, &ElementType::Any, entries)?;
    fill(writer, open, depth)
}

fn check_depth(writer: &Writer, depth: usize) -> Result<()> {
    let limit = writer.options.max_depth;
    if depth > limit { Err(writer.too_deep(limit, "max_depth")) } else { Ok(()) }
}

/// Writes what is in a container, if one was started.
fn fill<'a>(writer: &mut Writer, open: Option<Open<'a>>, depth: usize) -> Result<()> {
    let Some(open) = open else { return Ok(()) };
    let mut stack = vec![(open, None)];
    fill_all(writer, depth, &mut stack).map_err(|error| {
        let places = stack.iter().rev().filter_map(|(_, place)| place.as_ref());
        places.fold(error, |error, place: &Place<'_>| error.inside(place.segment()))
    })
}

fn fill_all<'a>(
    writer: &mut Writer,
    depth: usize,
    stack: &mut Vec<(Open<'a>, Option<Place<'a>>)>,
) -> Result<()> {
    while let Some((open, place)) = stack.last_mut() {
        let Some((value, at)) = open.next() else {
            stack.pop();
            continue;
        };
        if let Place::Property(name) = at {
            writer.text(name)?;
            check_property(writer, name, value)?;
        }
        *place = Some(at);
        check_depth(writer, depth.saturating_add(stack.len()))?;
        stack.extend(start(writer, value)?.map(|open| (open, None)));
    }
    Ok(())
}

impl<'a> Open<'a> {
    fn next(&mut self) -> Option<(&'a Value, Place<'a>)> {
        match self {
            Open::Array(items) => items.next().map(|(index, value)| (value, Place::Index(index))),
            Open::Object(properties) => {
                properties.next().map(|(name, value)| (value, Place::Property(name)))
            }
            Open::Dictionary(entries, entry) => match entry.take() {
                Some((key, value)) => Some((value, Place::Entry(key))),
                None => {
                    let (key, value) = entries.next()?;
                    *entry = Some((key, value));
                    Some((key, Place::Key(key)))
                }
            },
        }
    }
}

/// 4.3 and later send a script by its path; what has none cannot be sent.
fn check_property(writer: &Writer, name: &str, value: &Value) -> Result<()> {
    if name != "script" || writer.dialect() != Dialect::Godot4 || writer.options.in_memory {
        return Ok(());
    }
    match value {
        Value::Nil => Ok(()),
        Value::String(path) => check_script(path),
        other => Err(Error::new(
            ErrorKind::ScriptUnavailable,
            format!("expected the res:// path of a script, found {}", other.kind()),
        )),
    }
}

/// Writes a value, or the start of a container.
fn start<'a>(writer: &mut Writer, value: &'a Value) -> Result<Option<Open<'a>>> {
    use Value::*;
    by_numbers!(
        value,
        ints v => ints(writer, v)?,
        reals v => real(writer, v)?,
        packed v => packed(writer, value.kind(), v)?,
        Nil => writer.nil(),
        Bool(v) => writer.bool(*v),
        Int(v) => writer.int(*v),
        Float(v) => writer.float(*v),
        String(v) => writer.string(v)?,
        StringName(v) => writer.string_name(v)?,
        NodePath(v) => writer.node_path(v)?,
        Rid(v) => writer.rid(v.0)?,
        Callable(_) => writer.header(Type::Callable, 0)?,
        Signal(v) => writer.signal(&v.name, v.object.0)?,
        Object(object) => match object {
            self::Object::Null => writer.null_object()?,
            self::Object::Id(id) => writer.object_id(id.0)?,
            self::Object::Instance(instance) => {
                writer.object_start(&instance.class, instance.properties.len())?;
                return Ok(Some(Open::Object(instance.properties.iter())));
            }
        },
        Array(items) => return array(writer, &ElementType::Any, items),
        TypedArray(array_) => return array(writer, &array_.element, &array_.items),
        Dictionary(entries) => {
            return dictionary(writer, &ElementType::Any, &ElementType::Any, entries);
        },
        TypedDictionary(typed) => {
            return dictionary(writer, &typed.key, &typed.value, &typed.entries);
        },
        PackedByteArray(v) => writer.packed(Type::PackedByteArray, false, v)?,
        PackedInt32Array(v) => writer.packed(Type::PackedInt32Array, false, v)?,
        PackedInt64Array(v) => writer.packed(Type::PackedInt64Array, false, v)?,
        PackedFloat32Array(v) => writer.packed(Type::PackedFloat32Array, false, v)?,
        PackedFloat64Array(v) => writer.packed(Type::PackedFloat64Array, false, v)?,
        PackedStringArray(v) => writer.packed_strings(v)?,
    );
    Ok(None)
}

fn array<'a>(
    writer: &mut Writer,
    element: &ElementType,
    items: &'a Array,
) -> Result<Option<Open<'a>>> {
    writer.array_start(element)?;
    writer.u32(length(items.len())?);
    Ok(Some(Open::Array(items.iter().enumerate())))
}

fn dictionary<'a>(
    writer: &mut Writer,
    key: &ElementType,
    value: &ElementType,
    entries: &'a Dictionary,
) -> Result<Option<Open<'a>>> {
    writer.dictionary_start(key, value)?;
    writer.u32(length(entries.len())?);
    Ok(Some(Open::Dictionary(entries.iter(), None)))
}

fn ints<T, const N: usize>(writer: &mut Writer, value: &T) -> Result<()>
where
    T: Components<Scalar = i32, Array = [i32; N]>,
{
    writer.header(T::TYPE, 0)?;
    writer.elements(&value.to_components());
    Ok(())
}

/// The width in which a value of this type is sent.
fn wide(writer: &Writer, kind: Type, given: bool) -> bool {
    match kind {
        Type::Color | Type::PackedColorArray => writer.wide_color(given),
        _ => writer.wide(given),
    }
}

fn real<T, R, const N: usize>(writer: &mut Writer, value: &T) -> Result<()>
where
    R: Real,
    T: Components<Scalar = R, Array = [R; N]>,
{
    let is_basis = matches!(T::TYPE, Type::Basis | Type::Transform3D);
    let columns = value.to_components();
    let rows = is_basis && writer.basis_by_rows();
    components(writer, T::TYPE, if rows { transpose_basis(columns) } else { columns })
}

fn components<R: Real, const N: usize>(
    writer: &mut Writer,
    kind: Type,
    values: [R; N],
) -> Result<()> {
    let wide = wide(writer, kind, R::WIDE);
    let flag = wide && writer.dialect() == Dialect::Godot4;
    writer.header(kind, if flag { FLAG_64 } else { 0 })?;
    match wide == R::WIDE {
        true => values.iter().for_each(|value| value.write(&mut writer.out)),
        false if wide => writer.elements(&values.map(Real::to_f64)),
        false => {
            values.iter().try_for_each(|value| check_narrow(writer, value.to_f64()))?;
            writer.elements(&values.map(|value| f32::from_f64(value.to_f64())));
        }
    }
    Ok(())
}

fn packed<T, R, const N: usize>(writer: &mut Writer, kind: Type, values: &[T]) -> Result<()>
where
    R: Real + WireElement,
    T: Components<Scalar = R, Array = [R; N]> + WireElement,
{
    let wide = wide(writer, kind, R::WIDE);
    if wide == R::WIDE {
        return writer.packed(kind, wide, values);
    }
    writer.math_header(kind, wide)?;
    writer.u32(length(values.len())?);
    for value in values {
        let values = value.to_components().map(Real::to_f64);
        if wide {
            writer.elements(&values);
        } else {
            values.iter().try_for_each(|value| check_narrow(writer, *value))?;
            writer.elements(&values.map(f32::from_f64));
        }
    }
    Ok(())
}

/// Narrowing is what [`Precision::Single`] asks for; where the dialect has no 64-bit components it
/// is an error unless it is exact.
pub(crate) fn check_narrow(writer: &Writer, value: f64) -> Result<()> {
    let asked = writer.options.precision == Precision::Single;
    if asked || value.is_nan() || crate::types::fits_f32(value) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::NumberRange,
        format!("expected a component that fits 32 bits, found {value}, see Precision::Single"),
    ))
}
