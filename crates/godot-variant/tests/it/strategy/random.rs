//! Values out of random bytes that come back the same from their bytes.
//!
//! They are what Godot 4 can say with whole objects allowed: text without NUL or a leading byte
//! order mark, typed containers whose elements have the type, scripts with `res://` paths. Null
//! objects and objects by id are left out, because engines write them as nil and, with whole objects
//! allowed, as the object that holds the id.

use arbitrary::{Arbitrary, Result, Unstructured};
use godot_variant::Value;
use godot_variant::types::*;
use godot_variant::value::{Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary};

/// How deep containers nest.
const MAX_LEVELS: u8 = 5;

/// The most elements of a container.
const MAX_ELEMENTS: usize = 6;

/// Any value of up to 6 levels.
pub(crate) fn value(u: &mut Unstructured<'_>) -> Result<Value> {
    any(u, MAX_LEVELS)
}

fn any(u: &mut Unstructured<'_>, levels: u8) -> Result<Value> {
    let kind = *u.choose(&Type::ALL)?;
    of_type(u, kind, levels)
}

/// A real-typed value in either width.
macro_rules! real {
    ($u:ident, $name:ident) => {
        if $u.arbitrary()? {
            Value::Real64(Box::new(Real64::$name($name::from_array($u.arbitrary()?))))
        } else {
            Value::$name($name::from_array($u.arbitrary()?).into())
        }
    };
    ($u:ident, $name:ident of $element:ident) => {
        if $u.arbitrary()? {
            Value::Real64(Box::new(Real64::$name(elements($u, $element::<f64>::from_array)?)))
        } else {
            Value::$name(elements($u, $element::<f32>::from_array)?)
        }
    };
}

fn of_type(u: &mut Unstructured<'_>, kind: Type, levels: u8) -> Result<Value> {
    Ok(match kind {
        Type::Nil => Value::Nil,
        Type::Bool => Value::Bool(u.arbitrary()?),
        // Half of the numbers fit 32 bits.
        Type::Int if u.arbitrary()? => Value::Int(u.arbitrary::<i32>()?.into()),
        Type::Int => Value::Int(u.arbitrary()?),
        Type::Float if u.arbitrary()? => Value::Float(u.arbitrary::<f32>()?.into()),
        Type::Float => Value::Float(u.arbitrary()?),
        Type::String => Value::String(text(u)?),
        Type::Vector2 => real!(u, Vector2),
        Type::Vector2i => Value::Vector2i(Vector2i::from_array(u.arbitrary()?)),
        Type::Rect2 => real!(u, Rect2),
        Type::Rect2i => Value::Rect2i(Rect2i::from_array(u.arbitrary()?)),
        Type::Vector3 => real!(u, Vector3),
        Type::Vector3i => Value::Vector3i(Vector3i::from_array(u.arbitrary()?)),
        Type::Transform2D => real!(u, Transform2D),
        Type::Vector4 => real!(u, Vector4),
        Type::Vector4i => Value::Vector4i(Vector4i::from_array(u.arbitrary()?)),
        Type::Plane => real!(u, Plane),
        Type::Quaternion => real!(u, Quaternion),
        Type::Aabb => real!(u, Aabb),
        Type::Basis => real!(u, Basis),
        Type::Transform3D => real!(u, Transform3D),
        Type::Projection => real!(u, Projection),
        Type::Color => Value::Color(Color::from_array(u.arbitrary()?)),
        Type::StringName => Value::StringName(StringName(text(u)?)),
        Type::NodePath => Value::NodePath(Box::new(NodePath {
            absolute: u.arbitrary()?,
            names: texts(u)?,
            subnames: texts(u)?,
        })),
        Type::Rid => Value::Rid(Rid(u.arbitrary()?)),
        Type::Object => object(u, ElementType::Any, levels)?,
        Type::Callable => Value::Callable(Callable),
        Type::Signal => Value::Signal(Box::new(Signal {
            name: StringName(text(u)?),
            object: ObjectId(u.arbitrary()?),
        })),
        Type::Dictionary => dictionary(u, levels)?,
        Type::Array => array(u, levels)?,
        Type::PackedByteArray => Value::PackedByteArray(PackedByteArray(u.arbitrary()?)),
        Type::PackedInt32Array => Value::PackedInt32Array(PackedInt32Array(u.arbitrary()?)),
        Type::PackedInt64Array => Value::PackedInt64Array(PackedInt64Array(u.arbitrary()?)),
        Type::PackedFloat32Array => Value::PackedFloat32Array(PackedFloat32Array(u.arbitrary()?)),
        Type::PackedFloat64Array => Value::PackedFloat64Array(PackedFloat64Array(u.arbitrary()?)),
        Type::PackedStringArray => Value::PackedStringArray(PackedStringArray(texts(u)?)),
        Type::PackedVector2Array => real!(u, PackedVector2Array of Vector2),
        Type::PackedVector3Array => real!(u, PackedVector3Array of Vector3),
        Type::PackedColorArray => Value::PackedColorArray(elements(u, Color::<f32>::from_array)?),
        Type::PackedVector4Array => real!(u, PackedVector4Array of Vector4),
    })
}

fn elements<'a, C: Arbitrary<'a>, T, A: FromIterator<T>>(
    u: &mut Unstructured<'a>,
    make: fn(C) -> T,
) -> Result<A> {
    u.arbitrary_iter()?.map(|components| components.map(make)).collect()
}

/// Text that engines read to its end.
fn text(u: &mut Unstructured<'_>) -> Result<GString> {
    let text: &str = u.arbitrary()?;
    let text = text.replace('\0', "");
    Ok(GString::new(text.trim_start_matches('\u{feff}')))
}

fn texts(u: &mut Unstructured<'_>) -> Result<Vec<GString>> {
    let count = u.int_in_range(0..=MAX_ELEMENTS)?;
    (0..count).map(|_| text(u)).collect()
}

fn class(u: &mut Unstructured<'_>) -> Result<GString> {
    let class = text(u)?;
    Ok(if class.is_empty() { GString::new("Resource") } else { class })
}

fn script(u: &mut Unstructured<'_>) -> Result<GString> {
    Ok(format!("res://{}.gd", text(u)?).into())
}

/// Number of elements of a container with this many levels left.
fn count(u: &mut Unstructured<'_>, levels: u8) -> Result<usize> {
    if levels == 0 { Ok(0) } else { u.int_in_range(0..=MAX_ELEMENTS) }
}

/// A whole object, of a class or with a script if it must be.
fn object(u: &mut Unstructured<'_>, wanted: ElementType, levels: u8) -> Result<Value> {
    let class = match &wanted {
        ElementType::Class(class) => class.clone(),
        _ => class(u)?,
    };
    let mut instance = Instance { class, ..Instance::default() };
    for _ in 0..count(u, levels)? {
        let name = text(u)?;
        let name = if name == "script" { GString::new("script_") } else { name };
        instance.properties.push((name, any(u, levels.saturating_sub(1))?));
    }
    if matches!(wanted, ElementType::Script(_)) || u.arbitrary()? {
        instance.properties.push((GString::new("script"), Value::String(script(u)?)));
    }
    Ok(Value::Object(Object::Instance(Box::new(instance))))
}

/// The type of a side of a container; half of them are not typed.
fn element_type(u: &mut Unstructured<'_>) -> Result<ElementType> {
    if u.arbitrary()? {
        return Ok(ElementType::Any);
    }
    Ok(match *u.choose(&Type::ALL)? {
        Type::Nil => ElementType::Class(class(u)?),
        Type::Object => ElementType::Script(script(u)?),
        kind => ElementType::Builtin(kind),
    })
}

fn element(u: &mut Unstructured<'_>, wanted: &ElementType, levels: u8) -> Result<Value> {
    match wanted {
        ElementType::Any => any(u, levels),
        ElementType::Builtin(kind) => of_type(u, *kind, levels),
        ElementType::Class(_) | ElementType::Script(_) if u.ratio(1, 4)? => Ok(Value::Nil),
        ElementType::Class(_) | ElementType::Script(_) => object(u, wanted.clone(), levels),
    }
}

fn array(u: &mut Unstructured<'_>, levels: u8) -> Result<Value> {
    let element_type = element_type(u)?;
    let below = levels.saturating_sub(1);
    let items: Vec<Value> =
        (0..count(u, levels)?).map(|_| element(u, &element_type, below)).collect::<Result<_>>()?;
    Ok(match element_type {
        ElementType::Any => Value::Array(items.into()),
        element => Value::TypedArray(Box::new(TypedArray { element, items: items.into() })),
    })
}

fn dictionary(u: &mut Unstructured<'_>, levels: u8) -> Result<Value> {
    let (key, value) = (element_type(u)?, element_type(u)?);
    let below = levels.saturating_sub(1);
    let entries: Vec<(Value, Value)> = (0..count(u, levels)?)
        .map(|_| Ok((element(u, &key, below)?, element(u, &value, below)?)))
        .collect::<Result<_>>()?;
    let entries = Dictionary::from(entries);
    Ok(match (key, value) {
        (ElementType::Any, ElementType::Any) => Value::Dictionary(entries),
        (key, value) => Value::TypedDictionary(Box::new(TypedDictionary { key, value, entries })),
    })
}
