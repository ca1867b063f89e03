//! Bytes to [`Value`], without recursion: open containers are on a stack of their own.

use crate::Value;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::options::{Dialect, Precision};
use crate::read::{Header, ObjectHead, Reader};
use crate::types::{
    Callable, Components, ElementType, GString, ObjectId, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Real, Rid, Signal, StringName,
    Type, WireElement, transpose_basis,
};
use crate::value::{
    Array, Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary, compare, convert,
};

/// A container whose end was not reached yet.
enum Open {
    Array {
        element: ElementType,
        items: Vec<Value>,
        count: usize,
        index: usize,
    },
    Dictionary {
        key_type: ElementType,
        value_type: ElementType,
        entries: Vec<(Value, Value)>,
        /// The key whose value is next, and where the last key was.
        key: Option<Value>,
        key_at: usize,
        count: usize,
        index: usize,
    },
    Object {
        instance: Box<Instance>,
        /// The property whose value is next.
        name: GString,
        count: usize,
        index: usize,
    },
}

enum Started {
    Whole(Value),
    Open(Open),
}

/// Reads one value that stands `depth` containers deep.
pub(crate) fn decode(reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
    let mut stack = Vec::new();
    decode_onto(reader, depth, &mut stack).map_err(|error| {
        let error = error.or_at(reader.offset());
        stack.iter().rev().fold(error, |error, open: &Open| error.in_segment(open.segment()))
    })
}

fn decode_onto(reader: &mut Reader<'_>, depth: usize, stack: &mut Vec<Open>) -> Result<Value> {
    let limit = reader.options.max_depth;
    loop {
        if depth.saturating_add(stack.len()) > limit {
            return Err(reader.too_deep(limit, "max_depth"));
        }
        let header = reader.header()?;
        let mut value = match start(reader, &header)? {
            Started::Whole(value) => value,
            Started::Open(mut open) => {
                open.before_next(reader)?;
                stack.push(open);
                continue;
            }
        };
        loop {
            let Some(open) = stack.last_mut() else { return Ok(value) };
            if !open.attach(value, header.at, reader)? {
                open.before_next(reader)?;
                break;
            }
            let Some(open) = stack.pop() else { return Ok(Value::Nil) };
            value = open.finish(reader)?;
        }
    }
}

impl Open {
    fn segment(&self) -> Segment {
        match self {
            Open::Array { index, .. } => Segment::Index(*index),
            Open::Dictionary { key: Some(key), .. } => Segment::of_key(key),
            Open::Dictionary { index, .. } => Segment::Other(format!("key {index}")),
            Open::Object { name, .. } => Segment::key(name),
        }
    }

    /// Reads what stands before the next value: a property's name.
    fn before_next(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        if let Open::Object { name, .. } = self {
            *name = reader.string()?.into();
        }
        Ok(())
    }

    /// Adds a value; whether that was the last one.
    fn attach(&mut self, value: Value, at: usize, reader: &Reader<'_>) -> Result<bool> {
        match self {
            Open::Array { element, items, count, index } => {
                if element.is_typed() {
                    items.extend(convert::element(value, element, at, reader)?);
                } else {
                    items.push(value);
                }
                *index = index.saturating_add(1);
                Ok(index == count)
            }
            Open::Dictionary { key_type, entries, key, key_at, count, index, .. } => {
                match key.take() {
                    None => {
                        *key = Some(value);
                        *key_at = at;
                        Ok(false)
                    }
                    Some(own) => {
                        if key_type.is_typed() {
                            if let Some(own) = convert::element(own, key_type, *key_at, reader)? {
                                entries.push((own, value));
                            }
                        } else {
                            entries.push((own, value));
                        }
                        *index = index.saturating_add(1);
                        Ok(index == count)
                    }
                }
            }
            Open::Object { instance, name, count, index } => {
                if *name == "script" && reader.dialect() == Dialect::Godot4 {
                    check_script(&value, at, reader)?;
                }
                instance.properties.push((std::mem::take(name), value));
                *index = index.saturating_add(1);
                Ok(index == count)
            }
        }
    }

    fn finish(self, reader: &Reader<'_>) -> Result<Value> {
        Ok(match self {
            Open::Array { element: ElementType::Any, items, .. } => Value::Array(Array(items)),
            Open::Array { element, items, .. } => {
                Value::TypedArray(Box::new(TypedArray { element, items: Array(items) }))
            }
            Open::Dictionary { key_type, value_type, mut entries, .. } => {
                if reader.strict() && compare::has_same_keys(&entries) {
                    return Err(reader.not_canonical(reader.offset(), "two keys are the same"));
                }
                compare::merge_same_keys(&mut entries);
                dictionary(key_type, value_type, entries)
            }
            Open::Object { instance, .. } => Value::Object(Object::Instance(instance)),
        })
    }
}

fn dictionary(key: ElementType, value: ElementType, entries: Vec<(Value, Value)>) -> Value {
    let entries = Dictionary(entries);
    if key.is_typed() || value.is_typed() {
        Value::TypedDictionary(Box::new(TypedDictionary { key, value, entries }))
    } else {
        Value::Dictionary(entries)
    }
}

/// 4.3 and later send a script by its path (spec §4).
fn check_script(value: &Value, at: usize, reader: &Reader<'_>) -> Result<()> {
    match value {
        Value::Nil => Ok(()),
        Value::String(path) => reader.check_script(path, at),
        other => Err(Error::at(
            ErrorKind::InvalidScript,
            at,
            format!("expected the res:// path of a script, found {}", other.kind()),
        )),
    }
}

fn start(reader: &mut Reader<'_>, header: &Header) -> Result<Started> {
    Ok(Started::Whole(match header.kind {
        Type::Nil => Value::Nil,
        Type::Bool => Value::Bool(reader.bool()?),
        Type::Int => Value::Int(reader.int(header)?),
        Type::Float => Value::Float(reader.float(header)?),
        Type::String => Value::String(reader.string()?.into()),
        Type::StringName => Value::StringName(StringName(reader.string()?.into())),
        Type::Vector2i => Value::Vector2i(reader.components(header.kind)?.into()),
        Type::Rect2i => Value::Rect2i(reader.components(header.kind)?.into()),
        Type::Vector3i => Value::Vector3i(reader.components(header.kind)?.into()),
        Type::Vector4i => Value::Vector4i(reader.components(header.kind)?.into()),
        Type::NodePath => Value::NodePath(Box::new(reader.node_path()?)),
        Type::Rid => Value::Rid(rid(reader, header.at)?),
        Type::Callable => Value::Callable(Callable),
        Type::Signal => {
            let name = StringName(reader.string()?.into());
            let object = ObjectId(reader.u64("a signal's object")?);
            Value::Signal(Box::new(Signal { name, object }))
        }
        Type::PackedByteArray => {
            Value::PackedByteArray(PackedByteArray(reader.packed_bytes()?.to_vec()))
        }
        Type::PackedInt32Array => Value::PackedInt32Array(PackedInt32Array(packed(reader)?)),
        Type::PackedInt64Array => Value::PackedInt64Array(PackedInt64Array(packed(reader)?)),
        Type::PackedFloat32Array => Value::PackedFloat32Array(PackedFloat32Array(packed(reader)?)),
        Type::PackedFloat64Array => Value::PackedFloat64Array(PackedFloat64Array(packed(reader)?)),
        Type::PackedStringArray => {
            Value::PackedStringArray(PackedStringArray(reader.packed_strings()?))
        }
        Type::Object => return object(reader, header),
        Type::Array => {
            let element = match reader.dialect() {
                Dialect::Godot4 => reader.element_type(header.flags)?,
                _ => ElementType::Any,
            };
            let count = reader.count()?;
            let open = Open::Array {
                element,
                items: Vec::with_capacity(reader.reserve(count, 4)),
                count,
                index: 0,
            };
            return Ok(if count == 0 {
                Started::Whole(open.finish(reader)?)
            } else {
                Started::Open(open)
            });
        }
        Type::Dictionary => {
            let (key_type, value_type) = match reader.dialect() {
                Dialect::Godot4 => {
                    (reader.element_type(header.flags)?, reader.element_type(header.flags >> 2)?)
                }
                _ => (ElementType::Any, ElementType::Any),
            };
            let count = reader.count()?;
            let open = Open::Dictionary {
                key_type,
                value_type,
                entries: Vec::with_capacity(reader.reserve(count, 8)),
                key: None,
                key_at: 0,
                count,
                index: 0,
            };
            return Ok(if count == 0 {
                Started::Whole(open.finish(reader)?)
            } else {
                Started::Open(open)
            });
        }
        _ => real(reader, header)?,
    }))
}

/// 3.x sends nothing of an RID, and the published page lists it as not supported.
fn rid(reader: &mut Reader<'_>, at: usize) -> Result<Rid> {
    match reader.dialect() {
        Dialect::Godot4 => Ok(Rid(reader.u64("an RID")?)),
        Dialect::Godot3 => Ok(Rid(0)),
        Dialect::Docs => Err(Error::at(
            ErrorKind::Unsupported,
            at,
            "expected a type that the published page has, found RID",
        )),
    }
}

fn object(reader: &mut Reader<'_>, header: &Header) -> Result<Started> {
    let class = match reader.object_head(header)? {
        ObjectHead::Null => return Ok(Started::Whole(Value::Object(Object::Null))),
        ObjectHead::Id(id) => return Ok(Started::Whole(Value::Object(Object::Id(ObjectId(id))))),
        ObjectHead::Class(class) => GString::from(class),
    };
    let count = reader.property_count()?;
    let properties = Vec::with_capacity(reader.reserve(count, 8));
    let instance = Box::new(Instance { class, properties });
    Ok(match count {
        0 => Started::Whole(Value::Object(Object::Instance(instance))),
        count => {
            Started::Open(Open::Object { instance, name: GString::default(), count, index: 0 })
        }
    })
}

fn packed<T: WireElement>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    Ok(T::read_all(reader.packed(T::SIZE)?))
}

/// The real-typed values and colours, in the width that the options ask for.
fn real(reader: &mut Reader<'_>, header: &Header) -> Result<Value> {
    macro_rules! by_width {
        ($read:ident: $($name:ident $(($boxed:ident))?),+ $(,)?) => {
            match header.kind {
                $(Type::$name => match $read(reader, header)? {
                    Width::Single(value) => Value::$name(by_width!(@box value $($boxed)?)),
                    Width::Double(value) => Value::Real64(Box::new(Real64::$name(value))),
                },)+
                kind => return Err(unhandled(kind, header.at)),
            }
        };
        (@box $value:ident) => { $value };
        (@box $value:ident boxed) => { Box::new($value) };
    }
    Ok(match header.kind {
        Type::PackedVector2Array => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedVector2Array(PackedVector2Array(v)),
            Width::Double(v) => real64(Real64::PackedVector2Array(PackedVector2Array(v))),
        },
        Type::PackedVector3Array => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedVector3Array(PackedVector3Array(v)),
            Width::Double(v) => real64(Real64::PackedVector3Array(PackedVector3Array(v))),
        },
        Type::PackedVector4Array => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedVector4Array(PackedVector4Array(v)),
            Width::Double(v) => real64(Real64::PackedVector4Array(PackedVector4Array(v))),
        },
        Type::PackedColorArray => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedColorArray(PackedColorArray(v)),
            Width::Double(v) => real64(Real64::PackedColorArray(PackedColorArray(v))),
        },
        Type::Basis | Type::Transform3D if reader.dialect() != Dialect::Docs => {
            by_width!(by_rows: Basis(boxed), Transform3D(boxed))
        }
        _ => by_width!(
            by_columns: Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb,
            Basis(boxed), Transform3D(boxed), Projection(boxed), Color,
        ),
    })
}

fn real64(value: Real64) -> Value {
    Value::Real64(Box::new(value))
}

#[cold]
fn unhandled(kind: Type, at: usize) -> Error {
    Error::at(ErrorKind::Unsupported, at, format!("type {kind} has no reader"))
}

enum Width<A, B> {
    Single(A),
    Double(B),
}

/// Whether a value is to be kept with 64-bit components.
fn keep_wide(reader: &Reader<'_>, header: &Header, wide: bool) -> Result<bool> {
    let color = matches!(header.kind, Type::Color | Type::PackedColorArray);
    let keep = match reader.options.precision {
        Precision::Keep => wide,
        Precision::Single => false,
        // Every engine's colours have 32 bits, and everything has them in Godot 3.
        Precision::Double => match reader.dialect() {
            Dialect::Godot4 => !color,
            Dialect::Godot3 => false,
            Dialect::Docs => true,
        },
    };
    reader.canonical(keep == wide, header.at, "the components have the other precision's width")?;
    Ok(keep)
}

fn by_columns<A, B, const N: usize>(reader: &mut Reader<'_>, header: &Header) -> Result<Width<A, B>>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    real_value(reader, header, |c| c, |c| c)
}

fn by_rows<A, B, const N: usize>(reader: &mut Reader<'_>, header: &Header) -> Result<Width<A, B>>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    real_value(reader, header, transpose_basis, transpose_basis)
}

#[inline]
fn real_value<A, B, const N: usize>(
    reader: &mut Reader<'_>,
    header: &Header,
    single: fn([f32; N]) -> [f32; N],
    double: fn([f64; N]) -> [f64; N],
) -> Result<Width<A, B>>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    let wide = reader.wide(header);
    let keep = keep_wide(reader, header, wide)?;
    Ok(if wide {
        let read: [f64; N] = reader.components(header.kind)?;
        if keep {
            Width::Double(B::from_components(double(read)))
        } else {
            Width::Single(A::from_components(single(read.map(f32::from_f64))))
        }
    } else {
        let read: [f32; N] = reader.components(header.kind)?;
        if keep {
            Width::Double(B::from_components(double(read.map(f64::from))))
        } else {
            Width::Single(A::from_components(single(read)))
        }
    })
}

fn packed_real<A, B, const N: usize>(
    reader: &mut Reader<'_>,
    header: &Header,
) -> Result<Width<Vec<A>, Vec<B>>>
where
    A: Components<Array = [f32; N]> + WireElement,
    B: Components<Array = [f64; N]> + WireElement,
{
    let wide = reader.wide(header);
    let keep = keep_wide(reader, header, wide)?;
    Ok(if wide {
        let read: Vec<B> = packed(reader)?;
        if keep {
            Width::Double(read)
        } else {
            let narrow = |v: B| A::from_components(v.to_components().map(f32::from_f64));
            Width::Single(read.into_iter().map(narrow).collect())
        }
    } else {
        let read: Vec<A> = packed(reader)?;
        if keep {
            let widen = |v: A| B::from_components(v.to_components().map(f64::from));
            Width::Double(read.into_iter().map(widen).collect())
        } else {
            Width::Single(read)
        }
    })
}

/// Moves over one value and checks it as [`decode`] does, without keeping anything.
pub(crate) fn skip(reader: &mut Reader<'_>, depth: usize) -> Result<()> {
    if reader.strict() {
        return decode(reader, depth).map(drop);
    }
    let limit = reader.options.max_depth;
    // Values left in each open container, and whether each has a property name before it.
    let mut stack: Vec<(usize, bool)> = Vec::new();
    loop {
        if depth.saturating_add(stack.len()) > limit {
            return Err(reader.too_deep(limit, "max_depth"));
        }
        let header = reader.header()?;
        let mut opened = None;
        match header.kind {
            Type::Array => {
                if reader.dialect() == Dialect::Godot4 {
                    reader.element_type(header.flags)?;
                }
                opened = Some((reader.count()?, false));
            }
            Type::Dictionary => {
                if reader.dialect() == Dialect::Godot4 {
                    reader.element_type(header.flags)?;
                    reader.element_type(header.flags >> 2)?;
                }
                opened = Some((reader.count()?.saturating_mul(2), false));
            }
            Type::Object if reader.options.allow_objects => {
                // Scripts and classes have to be checked: that is what decoding does.
                if let Started::Open(open) = object(reader, &header)? {
                    stack_object(reader, depth.saturating_add(stack.len()), open)?;
                }
            }
            Type::Bool => drop(reader.bool()?),
            Type::Int => drop(reader.int(&header)?),
            Type::Float => drop(reader.float(&header)?),
            Type::String | Type::StringName => drop(reader.string()?),
            Type::PackedByteArray => drop(reader.packed_bytes()?),
            Type::PackedInt32Array | Type::PackedFloat32Array => drop(reader.packed(4)?),
            Type::PackedInt64Array | Type::PackedFloat64Array => drop(reader.packed(8)?),
            Type::PackedVector2Array
            | Type::PackedVector3Array
            | Type::PackedVector4Array
            | Type::PackedColorArray => {
                let size = if reader.wide(&header) { 8 } else { 4 };
                reader.packed(header.kind.packed_components().saturating_mul(size))?;
            }
            kind if kind.components() > 0 => {
                let size = if reader.wide(&header) { 8 } else { 4 };
                reader.take(kind.components().saturating_mul(size), kind.name())?;
            }
            _ => drop(start(reader, &header)?),
        }
        if let Some((count, named)) = opened.filter(|(count, _)| *count > 0) {
            stack.push((count, named));
            continue;
        }
        loop {
            let Some((left, _)) = stack.last_mut() else { return Ok(()) };
            *left = left.saturating_sub(1);
            if *left > 0 {
                break;
            }
            stack.pop();
        }
    }
}

/// The properties of an object that was just opened, decoded to be checked.
fn stack_object(reader: &mut Reader<'_>, depth: usize, open: Open) -> Result<()> {
    let mut open = open;
    loop {
        open.before_next(reader)?;
        let at = reader.offset();
        let value = decode(reader, depth.saturating_add(1))?;
        if open.attach(value, at, reader)? {
            return Ok(());
        }
    }
}
