//! [`Value`] to bytes, without recursion.

use gamewire_core::bytes::part;

use crate::Value;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::options::{Dialect, Options, Precision};
use crate::read::{Parts, Reader};
use crate::types::{Components, ElementType, PackedElement, Real, Type, WireElement, rewidth};
use crate::value::decode::{Decoder, Listener, Typed};
use crate::value::walk::Inside;
use crate::value::{Array, Dictionary, Object, assign, by_numbers, step_of};
use crate::write::{Writer, check_script, length};

/// A container that is being written, and the index of its next value.
pub(super) struct OpenContainer<'a> {
    /// Nothing where it is typed, so that the loop over values that are not has nothing to ask.
    inside: Inside<'a>,
    next: usize,
    typed: Option<Box<TypedInside<'a>>>,
}

/// A typed container: the values in it, the type of elements or keys, and that of values.
struct TypedInside<'a> {
    inside: Inside<'a>,
    types: (&'a ElementType, &'a ElementType),
}

impl<'a> OpenContainer<'a> {
    fn new(inside: Inside<'a>) -> Option<Self> {
        Some(OpenContainer { inside, next: 0, typed: None })
    }

    fn typed(inside: Inside<'a>, types: (&'a ElementType, &'a ElementType)) -> Option<Self> {
        let typed = Some(Box::new(TypedInside { inside, types }));
        Some(OpenContainer { inside: Inside::Items(&[]), next: 0, typed })
    }

    /// The next value of a typed container, or `Some(None)` if it was converted, and so is written
    /// already; `None` at the end of any container.
    #[inline(never)]
    fn next_typed(&mut self, writer: &mut Writer) -> Result<Option<Option<&'a Value>>> {
        let Some(TypedInside { inside, types }) = self.typed.as_deref() else { return Ok(None) };
        let at = self.next;
        let Some(value) = inside.get(at) else { return Ok(None) };
        self.next = at.saturating_add(1);
        let declared = match inside {
            Inside::Entries(_) if !at.is_multiple_of(2) => types.1,
            _ => types.0,
        };
        Ok(Some(match assign::converted(declared, value)? {
            // It has no values inside.
            Some(made) => {
                start(writer, &made)?;
                None
            }
            None => Some(value),
        }))
    }

    /// The step to the value that is being written.
    fn segment(&self) -> Segment {
        let at = self.next.saturating_sub(1);
        let inside = self.typed.as_ref().map_or(self.inside, |typed| typed.inside);
        match (inside.name(at), inside.key(at)) {
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
            match open.next_typed(writer)? {
                Some(value) => {
                    check_depth(writer, depth.saturating_add(stack.len()))?;
                    if let Some(value) = value {
                        stack.extend(start(writer, value)?);
                    }
                }
                None => drop(stack.pop()),
            }
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
        ints v => ints(writer, value.kind(), v.to_components().as_ref())?,
        reals v => real(writer, value.kind(), v.to_components().as_ref())?,
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
            self::Object::Reference(reference) => {
                let text = format!("expected a value that is whole, found {reference}");
                return Err(Error::new(ErrorKind::Unsupported, text));
            }
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
    element: &'a ElementType,
    items: &'a Array,
) -> Result<Option<OpenContainer<'a>>> {
    writer.array_start(element)?;
    writer.u32(length(items.len())?);
    let inside = Inside::Items(&items.0);
    Ok(match writer.checks(element.is_typed()) {
        true => OpenContainer::typed(inside, (element, element)),
        false => OpenContainer::new(inside),
    })
}

fn dictionary<'a>(
    writer: &mut Writer,
    key: &'a ElementType,
    value: &'a ElementType,
    entries: &'a Dictionary,
) -> Result<Option<OpenContainer<'a>>> {
    writer.dictionary_start(key, value)?;
    writer.u32(length(entries.len())?);
    let inside = Inside::Entries(entries.as_slice());
    if entries.is_as_read() || !writer.checks(key.is_typed() || value.is_typed()) {
        return Ok(OpenContainer::new(inside));
    }
    if key.builtin() == Some(Type::Float) {
        check_float_keys(entries)?;
    }
    Ok(OpenContainer::typed(inside, (key, value)))
}

/// An int that becomes a float may become a key that is present.
fn check_float_keys(entries: &Dictionary) -> Result<()> {
    let same = |(key, _): &&(Value, Value)| {
        let float = if let Value::Int(_) = key { key.as_f64() } else { None };
        float.is_some_and(|float| entries.contains(&Value::Float(float)))
    };
    match entries.iter().find(same) {
        None => Ok(()),
        Some((key, _)) => {
            let text =
                format!("expected keys that are not the same as floats, found {key:?} twice");
            Err(Error::new(ErrorKind::Data, text))
        }
    }
}

/// Checks a typed container that serde wrote, at the end of the output: a type says itself what it is
/// written as, see [`Element`](crate::types::Element).
pub(crate) fn check_elements(writer: &Writer, start: usize) -> Result<()> {
    struct Checked;

    impl Parts for Checked {
        const LISTENS: bool = false;
    }

    impl<'de> Listener<'de> for Checked {
        type Value = ();
        type Text = ();

        fn typed(&mut self, value: (), kind: Type, typed: Typed<'_, 'de>) -> Result<Option<()>> {
            check(&typed.types.0, kind).map(|()| Some(value))
        }

        fn typed_value(&mut self, kind: Type, typed: Typed<'_, 'de>) -> Result<()> {
            check(&typed.types.1, kind)
        }
    }

    fn check(declared: &ElementType, found: Type) -> Result<()> {
        match declared.builtin() {
            Some(kind) if kind != found && (kind, found) != (Type::Object, Type::Nil) => {
                Err(assign::mismatch(&format_args!("{declared}, the type of the container"), found))
            }
            _ => Ok(()),
        }
    }

    let written = part(&writer.out, start..);
    let options = Options { strict: false, ..writer.options.clone() };
    Decoder::new(&mut Reader::new(written, options), 0, &mut Checked)
        .run()
        .map_err(Error::without_offset)
}

fn ints(writer: &mut Writer, kind: Type, components: &[i32]) -> Result<()> {
    writer.header(kind, 0)?;
    components.iter().for_each(|value| writer.scalar(&value.to_le_bytes()));
    Ok(())
}

/// The width in which a value of this type is sent.
fn wide(writer: &Writer, kind: Type, given: bool) -> bool {
    match kind {
        Type::Color | Type::PackedColorArray => writer.wide_color(given),
        _ => writer.wide(given),
    }
}

/// A math type by its components.
fn real<R: Real>(writer: &mut Writer, kind: Type, components: &[R]) -> Result<()> {
    let wide = wide(writer, kind, R::WIDE);
    writer.math_header(kind, wide)?;
    let start = writer.position();
    writer.out.reserve(components.len().saturating_mul(8));
    for value in components {
        if wide == R::WIDE {
            value.write(&mut writer.out);
        } else if wide {
            value.to_f64().write(&mut writer.out);
        } else {
            check_narrow(writer, value.to_f64())?;
            f32::from_f64(value.to_f64()).write(&mut writer.out);
        }
    }
    if matches!(kind, Type::Basis | Type::Transform3D) && writer.basis_by_rows() {
        writer.transpose_written(if wide { 8 } else { 4 }, start);
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
    other_width(writer, T::PACKED, elements.len(), wide, &bytes)
}

/// A packed array whose elements were encoded with components of the other width.
#[cold]
fn other_width(
    writer: &mut Writer,
    kind: Type,
    count: usize,
    wide: bool,
    bytes: &[u8],
) -> Result<()> {
    if !wide {
        let (doubles, _) = bytes.as_chunks::<8>();
        doubles.iter().try_for_each(|c| check_narrow(writer, f64::from_le_bytes(*c)))?;
    }
    writer.math_header(kind, wide)?;
    writer.u32(length(count)?);
    writer.scalar(&rewidth(bytes, wide));
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
