//! The `value` of a row: a tree of `["Type", …]` lists.

use gamewire_testkit::vectors::{from_hex, to_hex};
use godot_variant::types::*;
use godot_variant::value::{
    Array, Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary,
};
use godot_variant::*;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{Check, project};

/// The tree of a value. Containers have their types only in 4.x rows.
pub(crate) fn of(value: &Value, dialect: Dialect) -> Json {
    let typed = dialect == Dialect::Godot4;
    match value {
        Value::Nil => json!(["Nil"]),
        Value::Bool(v) => json!(["Bool", v]),
        Value::Int(v) => json!(["Int", v.to_string()]),
        Value::Float(v) => json!(["Float", to_hex(&v.to_le_bytes())]),
        Value::String(v) => json!(["String", text(v)]),
        Value::StringName(v) => json!(["StringName", text(v)]),
        Value::NodePath(v) => json!(["NodePath", v.absolute, texts(&v.names), texts(&v.subnames)]),
        Value::Vector2i(v) => json!(["Vector2i", v.to_array()]),
        Value::Rect2i(v) => json!(["Rect2i", v.to_array()]),
        Value::Vector3i(v) => json!(["Vector3i", v.to_array()]),
        Value::Vector4i(v) => json!(["Vector4i", v.to_array()]),
        Value::Rid(v) => json!(["RID", v.0.cast_signed().to_string()]),
        Value::Callable(_) => json!(["Callable", true]),
        Value::Signal(v) => {
            json!(["Signal", text(&v.name), v.object.0.cast_signed().to_string()])
        }
        Value::Object(Object::Null) => json!(["Object", null]),
        Value::Object(Object::Id(id)) => {
            json!(["EncodedObjectAsID", id.0.cast_signed().to_string()])
        }
        Value::Object(Object::Instance(instance)) => object(instance, dialect),
        Value::Array(items) => array(&ElementType::Any, items, dialect),
        Value::TypedArray(own) => array(&own.element, &own.items, dialect),
        Value::Dictionary(entries) if typed => {
            json!(["Dictionary", [0, "", ""], [0, "", ""], pairs(entries, dialect)])
        }
        Value::Dictionary(entries) => json!(["Dictionary", pairs(entries, dialect)]),
        Value::TypedDictionary(typed) => {
            let mut value = element(&typed.value);
            if matches!(typed.value, ElementType::Class(_) | ElementType::Script(_)) {
                let (class, script) = project::with_script_of_key(&typed.key, &typed.value);
                value = json!([24, class, script]);
            }
            json!(["Dictionary", element(&typed.key), value, pairs(&typed.entries, dialect)])
        }
        Value::PackedStringArray(v) => json!(["PackedStringArray", texts(v)]),
        other => numbers(other),
    }
}

fn text(text: &str) -> String {
    to_hex(text.as_bytes())
}

fn texts(texts: &[GString]) -> Vec<String> {
    texts.iter().map(|own| text(own)).collect()
}

fn list(items: &Array, dialect: Dialect) -> Vec<Json> {
    items.iter().map(|item| of(item, dialect)).collect()
}

fn array(kind: &ElementType, items: &Array, dialect: Dialect) -> Json {
    match dialect {
        Dialect::Godot4 => json!(["Array", element(kind), list(items, dialect)]),
        _ => json!(["Array", list(items, dialect)]),
    }
}

fn pairs(entries: &Dictionary, dialect: Dialect) -> Vec<Json> {
    entries.iter().map(|(key, value)| json!([of(key, dialect), of(value, dialect)])).collect()
}

fn element(kind: &ElementType) -> Json {
    match kind {
        ElementType::Any => json!([0, "", ""]),
        ElementType::Builtin(kind) => json!([*kind as u8, "", ""]),
        ElementType::Class(class) => json!([24, class.as_str(), ""]),
        ElementType::Script(path) => {
            json!([24, project::script_base(path).unwrap_or(""), path.as_str()])
        }
    }
}

/// The notation has the script apart from the other properties.
fn object(instance: &Instance, dialect: Dialect) -> Json {
    if instance.class == "EncodedObjectAsID"
        && let Some(id) = instance.get("object_id").and_then(Value::as_i64)
    {
        return json!(["EncodedObjectAsID", id.to_string()]);
    }
    let script = instance.get("script").and_then(Value::as_str).unwrap_or("");
    let properties: Vec<Json> = instance
        .properties
        .iter()
        .filter(|(name, _)| *name != "script")
        .map(|(name, value)| json!([name.as_str(), of(value, dialect)]))
        .collect();
    json!(["Object", instance.class.as_str(), script, properties])
}

/// Math types and packed arrays of numbers: the components as little-endian hexadecimal digits, in
/// the order of the fields. That is what the Docs dialect has on the wire after its header.
fn numbers(value: &Value) -> Json {
    let double = matches!(value, Value::Real64(_));
    let precision = if double { Precision::Double } else { Precision::Single };
    let packed = value.kind().name().starts_with("Packed");
    let bytes = wire(value, precision);
    let start = if packed { 8 } else { 4 };
    let mut bytes = bytes.get(start..).unwrap_or_default().to_vec();
    if let Value::PackedByteArray(own) = value {
        bytes.truncate(own.len());
    }
    if matches!(value.kind(), Type::Basis | Type::Transform3D) {
        let size = if double { 8 } else { 4 };
        let rows = bytes.clone();
        for (to, from) in [0, 3, 6, 1, 4, 7, 2, 5, 8].into_iter().enumerate() {
            bytes[to * size..][..size].copy_from_slice(&rows[from * size..][..size]);
        }
    }
    json!([value.kind().name(), to_hex(&bytes)])
}

fn wire(value: &Value, precision: Precision) -> Vec<u8> {
    let color = matches!(value.kind(), Type::Color | Type::PackedColorArray);
    let dialect =
        if color && precision == Precision::Double { Dialect::Docs } else { Dialect::Godot4 };
    Options::new().dialect(dialect).precision(precision).to_vec(value).unwrap_or_default()
}

/// The first difference of two trees. Names may have their components in brackets, and signalling
/// NaNs are compared as the quiet ones that they become on their way through the test script.
pub(crate) fn same(expected: &Json, found: &Json) -> Check {
    match (expected, found) {
        (Json::Array(expected), Json::Array(found)) => {
            if expected.len() != found.len() {
                return Err(format!("expected {}, found {}", short(expected), short(found)));
            }
            if let [Json::String(kind), Json::String(digits)] = &expected[..]
                && let [Json::String(own), Json::String(own_digits)] = &found[..]
                && kind.split('(').next() == Some(own.as_str())
                && quiet(own, digits) == quiet(own, own_digits)
            {
                return Ok(());
            }
            expected.iter().zip(found).try_for_each(|(expected, found)| same(expected, found))
        }
        _ if expected == found => Ok(()),
        _ => Err(format!("expected {expected}, found {found}")),
    }
}

fn short(items: &[Json]) -> String {
    let text = Json::Array(items.to_vec()).to_string();
    text.chars().take(120).collect()
}

/// The types whose components have 32 bits in single precision.
const FLOATS: &str = "Vector2 Vector3 Vector4 Rect2 Transform2D Plane Quaternion AABB Basis \
                      Transform3D Projection Color PackedVector2Array PackedVector3Array \
                      PackedVector4Array PackedColorArray PackedFloat32Array";

fn quiet(kind: &str, digits: &str) -> String {
    let Ok(mut bytes) = from_hex(digits) else { return digits.to_owned() };
    if FLOATS.split(' ').any(|float| float == kind) {
        for bytes in bytes.as_chunks_mut::<4>().0 {
            let value = f32::from_le_bytes(*bytes);
            if value.is_nan() {
                *bytes = f32::from_bits(value.to_bits() | 0x0040_0000).to_le_bytes();
            }
        }
    }
    to_hex(&bytes)
}

/// Like [`same`] for the notation of `JSON.from_native`: numbers by value, so that `0.0` is `-0.0`.
pub(crate) fn same_json(expected: &Json, found: &Json) -> Check {
    match (expected, found) {
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).try_for_each(|(a, b)| same_json(a, b))
        }
        (Json::Object(a), Json::Object(b)) if a.keys().eq(b.keys()) => {
            a.values().zip(b.values()).try_for_each(|(a, b)| same_json(a, b))
        }
        // Integers are compared as they are: as floats, neighbours above 2^53 are the same.
        (Json::Number(a), Json::Number(b))
            if a.is_f64() && b.is_f64() && a.as_f64() == b.as_f64() =>
        {
            Ok(())
        }
        _ if expected == found => Ok(()),
        _ => Err(format!("expected {expected:.100}, found {found:.100}")),
    }
}

/// Whether an object is somewhere in a tree.
pub(crate) fn has_object(tree: &Json) -> bool {
    match tree {
        Json::Array(items) => {
            matches!(items.first().and_then(Json::as_str), Some("Object" | "EncodedObjectAsID"))
                || items.iter().any(has_object)
        }
        _ => false,
    }
}

/// Whether the components in a tree have 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    pub(crate) reals: bool,
    pub(crate) colors: bool,
}

/// The value of a tree.
pub(crate) fn to_value(tree: &Json, widths: Widths) -> Check<Value> {
    let items = tree.as_array().ok_or_else(|| format!("expected a list, found {tree}"))?;
    let (kind, rest) = items.split_first().ok_or("an empty list")?;
    let kind = kind.as_str().ok_or("a list without a type")?;
    let kind = kind.split('(').next().unwrap_or(kind);
    Ok(match (kind, rest) {
        ("Nil", []) => Value::Nil,
        ("Bool", [Json::Bool(v)]) => Value::Bool(*v),
        ("Int", [v]) => Value::Int(id(v)?),
        ("Float", [v]) => Value::Float(f64::from_le_bytes(fixed(v)?)),
        ("String", [v]) => Value::String(to_text(v)?),
        ("StringName", [v]) => Value::StringName(StringName(to_text(v)?)),
        ("NodePath", [Json::Bool(absolute), names, subnames]) => {
            NodePath { absolute: *absolute, names: to_texts(names)?, subnames: to_texts(subnames)? }
                .into()
        }
        ("RID", [v]) => Rid(id(v)?.cast_unsigned()).into(),
        ("Callable", _) => Callable.into(),
        ("Signal", [name, object]) => Signal {
            name: StringName(to_text(name)?),
            object: ObjectId(id(object)?.cast_unsigned()),
        }
        .into(),
        ("Object", [Json::Null]) => Value::Object(Object::Null),
        ("EncodedObjectAsID", [v]) => ObjectId(id(v)?.cast_unsigned()).into(),
        ("Object", [Json::String(class), _, properties]) => {
            let mut instance = Instance::new(class);
            for property in properties.as_array().ok_or("no properties")? {
                let name = property.get(0).and_then(Json::as_str).ok_or("no name")?;
                let value = to_value(property.get(1).ok_or("no value")?, widths)?;
                instance.properties.push((name.into(), value));
            }
            instance.into()
        }
        ("Array", [items]) => Value::Array(to_items(items, widths)?),
        ("Array", [kind, items]) => match to_element(kind)? {
            ElementType::Any => Value::Array(to_items(items, widths)?),
            element => TypedArray { element, items: to_items(items, widths)? }.into(),
        },
        ("Dictionary", [entries]) => Value::Dictionary(to_entries(entries, widths)?),
        ("Dictionary", [key, value, entries]) => {
            let (key, value) = (to_element(key)?, to_element(value)?);
            let entries = to_entries(entries, widths)?;
            if key.is_typed() || value.is_typed() {
                TypedDictionary { key, value, entries }.into()
            } else {
                Value::Dictionary(entries)
            }
        }
        ("PackedStringArray", [v]) => PackedStringArray(to_texts(v)?).into(),
        ("Vector2i" | "Vector3i" | "Vector4i" | "Rect2i", [v]) => {
            to_numbers(kind, &to_bytes(v)?, widths)?
        }
        (_, [Json::String(digits)]) => to_numbers(kind, &from_hex(digits)?, widths)?,
        _ => return Err(format!("cannot read {tree}")),
    })
}

fn id(json: &Json) -> Check<i64> {
    json.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| format!("not a number: {json}"))
}

fn fixed<const N: usize>(json: &Json) -> Check<[u8; N]> {
    let bytes = from_hex(json.as_str().ok_or("not text")?)?;
    bytes.try_into().map_err(|_| format!("not {N} bytes: {json}"))
}

fn to_text(json: &Json) -> Check<GString> {
    let bytes = from_hex(json.as_str().ok_or("not text")?)?;
    String::from_utf8(bytes).map(GString::from).map_err(|error| error.to_string())
}

fn to_texts(json: &Json) -> Check<Vec<GString>> {
    json.as_array().ok_or("not a list")?.iter().map(to_text).collect()
}

fn to_items(json: &Json, widths: Widths) -> Check<Array> {
    let items = json.as_array().ok_or("not a list")?;
    let items: Check<Vec<Value>> = items.iter().map(|item| to_value(item, widths)).collect();
    Ok(items?.into())
}

fn to_entries(json: &Json, widths: Widths) -> Check<Dictionary> {
    let mut entries = Vec::new();
    for pair in json.as_array().ok_or("not a list")? {
        let [key, value] = &pair.as_array().ok_or("not a pair")?[..] else {
            return Err("not a pair".into());
        };
        entries.push((to_value(key, widths)?, to_value(value, widths)?));
    }
    Ok(entries.into())
}

fn to_element(json: &Json) -> Check<ElementType> {
    let part = |index: usize| json.get(index).ok_or_else(|| format!("not a type: {json}"));
    let builtin = part(0)?.as_u64().ok_or("not a type")?;
    let (class, script) = (part(1)?.as_str().unwrap_or(""), part(2)?.as_str().unwrap_or(""));
    Ok(match (builtin, class, script) {
        (0, ..) => ElementType::Any,
        (_, class, "") if !class.is_empty() => ElementType::Class(class.into()),
        (_, _, script) if !script.is_empty() => ElementType::Script(script.into()),
        (builtin, ..) => ElementType::Builtin(
            u32::try_from(builtin)
                .ok()
                .and_then(|id| Type::from_id(id, Dialect::Godot4))
                .ok_or("unknown type")?,
        ),
    })
}

/// Integers as they are on the wire.
fn to_bytes(json: &Json) -> Check<Vec<u8>> {
    let numbers: Vec<i32> = Vec::deserialize(json).map_err(|error| error.to_string())?;
    Ok(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

/// A math type or a packed array of numbers.
fn to_numbers(kind: &str, bytes: &[u8], widths: Widths) -> Check<Value> {
    let kind = Type::from_name(kind).ok_or_else(|| format!("unknown type {kind}"))?;
    let wide = match kind {
        Type::Color | Type::PackedColorArray => widths.colors,
        _ => widths.reals,
    };
    let wrong = || format!("wrong length of {kind}: {} bytes", bytes.len());
    macro_rules! numbers {
        ($number:ty) => {
            bytes.as_chunks().0.iter().map(|c| <$number>::from_le_bytes(*c)).collect::<Vec<_>>()
        };
    }
    macro_rules! math {
        ($name:ident $count:literal) => {
            if wide {
                let components = <[f64; $count]>::try_from(numbers!(f64)).map_err(|_| wrong())?;
                Value::Real64(Box::new(Real64::$name(components.into())))
            } else {
                let components = <[f32; $count]>::try_from(numbers!(f32)).map_err(|_| wrong())?;
                Value::from($name::<f32>::from(components))
            }
        };
    }
    macro_rules! ints {
        ($name:ident) => {
            $name::from(<[i32; _]>::try_from(numbers!(i32)).map_err(|_| wrong())?).into()
        };
    }
    macro_rules! packed {
        ($name:ident $count:literal) => {
            if wide {
                let rows =
                    numbers!(f64).as_chunks::<$count>().0.iter().map(|c| (*c).into()).collect();
                Value::Real64(Box::new(Real64::$name($name::<f64>(rows))))
            } else {
                let rows =
                    numbers!(f32).as_chunks::<$count>().0.iter().map(|c| (*c).into()).collect();
                Value::from($name::<f32>(rows))
            }
        };
    }
    Ok(match kind {
        Type::Vector2i => ints!(Vector2i),
        Type::Rect2i => ints!(Rect2i),
        Type::Vector3i => ints!(Vector3i),
        Type::Vector4i => ints!(Vector4i),
        Type::Vector2 => math!(Vector2 2),
        Type::Rect2 => math!(Rect2 4),
        Type::Vector3 => math!(Vector3 3),
        Type::Transform2D => math!(Transform2D 6),
        Type::Vector4 => math!(Vector4 4),
        Type::Plane => math!(Plane 4),
        Type::Quaternion => math!(Quaternion 4),
        Type::Aabb => math!(Aabb 6),
        Type::Basis => math!(Basis 9),
        Type::Transform3D => math!(Transform3D 12),
        Type::Projection => math!(Projection 16),
        Type::Color => math!(Color 4),
        Type::PackedVector2Array => packed!(PackedVector2Array 2),
        Type::PackedVector3Array => packed!(PackedVector3Array 3),
        Type::PackedVector4Array => packed!(PackedVector4Array 4),
        Type::PackedColorArray => packed!(PackedColorArray 4),
        Type::PackedByteArray => PackedByteArray(bytes.to_vec()).into(),
        Type::PackedFloat32Array => PackedFloat32Array(numbers!(f32)).into(),
        Type::PackedFloat64Array => PackedFloat64Array(numbers!(f64)).into(),
        Type::PackedInt32Array => PackedInt32Array(numbers!(i32)).into(),
        Type::PackedInt64Array => PackedInt64Array(numbers!(i64)).into(),
        other => return Err(format!("{other} is not written as digits")),
    })
}
