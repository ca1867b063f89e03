//! [`Value`] to bytes, without recursion.

use crate::Value;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::options::{Dialect, Precision};
use crate::types::{
    Components, ElementType, PackedElement, Real, Type, WireElement, rewidth, transpose_basis,
};
use crate::value::walk::Inside;
use crate::value::{Array, Dictionary, Object, by_numbers, step_of};
use crate::write::{Writer, check_script, length};
use alloc::vec::Vec;

/// A container that is being written, and the index of its next value.
pub(super) struct OpenContainer<'a> {
    inside: Inside<'a>,
    next: usize,
}

impl<'a> OpenContainer<'a> {
    fn new(inside: Inside<'a>) -> Option<Self> {
        Some(OpenContainer { inside, next: 0 })
    }

    /// The step to the value that is being written.
    fn segment(&self) -> Segment {
        let at = self.next.saturating_sub(1);
        match (self.inside.name(at), self.inside.key(at)) {
            (Some(name), _) => Segment::field(name),
            (_, Some(key)) => step_of(key),
            _ => Segment::Index(at),
        }
    }
}

/// Writes one value that stands `depth` containers deep and is begun by `start`.
pub(super) fn encode<'a, T>(
    writer: &mut Writer,
    value: &'a T,
    depth: usize,
    start: fn(&mut Writer, &'a T) -> Result<Option<OpenContainer<'a>>>,
) -> Result<()> {
    check_depth(writer, depth)?;
    let mut stack: Vec<OpenContainer<'a>> = start(writer, value)?.into_iter().collect();
    fill(writer, depth, &mut stack)
        .map_err(|error| stack.iter().rev().fold(error, |error, open| error.inside(open.segment())))
}

/// Writes one value.
pub(crate) fn write(writer: &mut Writer, value: &Value) -> Result<()> {
    encode(writer, value, 0, start)
}

fn check_depth(writer: &Writer, depth: usize) -> Result<()> {
    let limit = writer.options.limits.max_depth;
    if depth > limit { Err(writer.too_deep(limit, "max_depth")) } else { Ok(()) }
}

/// Writes what is in the containers that are open.
fn fill<'a>(writer: &mut Writer, depth: usize, stack: &mut Vec<OpenContainer<'a>>) -> Result<()> {
    while let Some(open) = stack.last_mut() {
        let at = open.next;
        let Some(value) = open.inside.get(at) else {
            stack.pop();
            continue;
        };
        open.next = at.saturating_add(1);
        if let Some(name) = open.inside.name(at) {
            writer.text(name)?;
            check_property(writer, name, value)?;
        }
        check_depth(writer, depth.saturating_add(stack.len()))?;
        stack.extend(start(writer, value)?);
    }
    Ok(())
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
pub(super) fn start<'a>(
    writer: &mut Writer,
    value: &'a Value,
) -> Result<Option<OpenContainer<'a>>> {
    use Value::*;
    by_numbers!(
        value,
        ints v => ints(writer, v)?,
        reals v => real(writer, v)?,
        scalars v => packed(writer, v)?,
        packed v => packed(writer, v)?,
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
                return Ok(OpenContainer::new(Inside::Properties(&instance.properties)));
            }
        },
        Array(items) => return untyped_array(writer, items),
        TypedArray(array_) => return array(writer, &array_.element, &array_.items),
        Dictionary(entries) => return untyped_dictionary(writer, entries),
        TypedDictionary(typed) => {
            return dictionary(writer, &typed.key, &typed.value, &typed.entries);
        },
        PackedStringArray(v) => writer.packed_strings(v)?,
    );
    Ok(None)
}

pub(super) fn untyped_array<'a>(
    writer: &mut Writer,
    items: &'a Array,
) -> Result<Option<OpenContainer<'a>>> {
    array(writer, &ElementType::Any, items)
}

pub(super) fn untyped_dictionary<'a>(
    writer: &mut Writer,
    entries: &'a Dictionary,
) -> Result<Option<OpenContainer<'a>>> {
    dictionary(writer, &ElementType::Any, &ElementType::Any, entries)
}

fn array<'a>(
    writer: &mut Writer,
    element: &ElementType,
    items: &'a Array,
) -> Result<Option<OpenContainer<'a>>> {
    writer.array_start(element)?;
    writer.u32(length(items.len())?);
    Ok(OpenContainer::new(Inside::Items(&items.0)))
}

fn dictionary<'a>(
    writer: &mut Writer,
    key: &ElementType,
    value: &ElementType,
    entries: &'a Dictionary,
) -> Result<Option<OpenContainer<'a>>> {
    writer.dictionary_start(key, value)?;
    writer.u32(length(entries.len())?);
    Ok(OpenContainer::new(Inside::Entries(entries.as_slice())))
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
    let rows = matches!(T::TYPE, Type::Basis | Type::Transform3D) && writer.basis_by_rows();
    let columns = value.to_components();
    let values = if rows { transpose_basis(columns) } else { columns };
    let wide = wide(writer, T::TYPE, R::WIDE);
    writer.math_header(T::TYPE, wide)?;
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

/// Writes a packed array in the width that the options ask for.
pub(crate) fn packed<T: PackedElement + WireElement>(
    writer: &mut Writer,
    elements: &[T],
) -> Result<()> {
    let wide = match T::PACKED {
        kind if kind.packed_components() > 1 => wide(writer, kind, T::WIDE),
        _ => T::WIDE,
    };
    if wide == T::WIDE {
        return writer.packed(T::PACKED, wide, elements);
    }
    let mut bytes = Vec::new();
    T::write_all(elements, &mut bytes);
    if T::WIDE {
        let (doubles, _) = bytes.as_chunks::<8>();
        doubles.iter().try_for_each(|c| check_narrow(writer, f64::from_le_bytes(*c)))?;
    }
    writer.math_header(T::PACKED, wide)?;
    writer.u32(length(elements.len())?);
    writer.scalar(&rewidth(&bytes, wide));
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
