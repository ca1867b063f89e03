//! Packed arrays and vectors: their elements and components, which are no values in the bytes.

use std::fmt;

use godot_variant::Options;
use godot_variant::types::{Color, GString, Vector2, Vector3, Vector4};
use godot_variant::value::Real64;
use godot_variant::{Value, text as notation};

use super::made::{read, to_json};
use crate::document::edit::{self, text};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::GONE;

/// Levels of nesting that the notation of a vector may have.
const FLAT: usize = 4;

/// An element of a packed array.
#[derive(Clone)]
pub(super) enum Element {
    Value(Value),
    /// A number of 32 bits, which has fewer digits than the same with 64.
    Single(f32),
}

impl Element {
    pub(super) fn value(&self) -> Value {
        match self {
            Element::Value(value) => value.clone(),
            Element::Single(number) => Value::Float(f64::from(*number)),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        match self {
            Element::Single(own) if own.is_finite() => Json::from(digits(own)),
            Element::Single(own) => Json::from(own.to_string()),
            Element::Value(Value::Int(own)) => Json::from(*own),
            Element::Value(Value::Float(own)) if own.is_finite() => Json::from(*own),
            Element::Value(Value::Float(own)) => Json::from(own.to_string()),
            Element::Value(Value::String(own)) => Json::from(own.as_str()),
            Element::Value(value) => args(value).into(),
        }
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Element::Single(a), Element::Single(b)) => a.to_bits() == b.to_bits(),
            // Elements of 32 and of 64 bits: that the arrays differ in this is said of the arrays.
            (Element::Value(a @ Value::Real64(_)), Element::Value(b))
            | (Element::Value(b), Element::Value(a @ Value::Real64(_)))
                if !matches!(b, Value::Real64(_)) =>
            {
                format!("{a:?}") == format!("{b:?}")
            }
            (a, b) => a.value() == b.value(),
        }
    }
}

/// The number of 64 bits that has the digits of one of 32.
fn digits(own: &f32) -> f64 {
    own.to_string().parse().unwrap_or_default()
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Value(value) => value.fmt(f),
            Element::Single(number) => number.fmt(f),
        }
    }
}

/// The elements of packed arrays.
trait Packed: Clone {
    fn element(&self) -> Element;

    /// The element of a value that fits.
    fn of(value: &Value) -> Option<Self>;
}

macro_rules! element {
    ($($type:ty: $own:ident => $element:expr, $pattern:pat => $of:expr;)+) => {$(
        impl Packed for $type {
            fn element(&self) -> Element {
                let $own = self.clone();
                $element
            }

            fn of(value: &Value) -> Option<Self> {
                #[allow(unreachable_patterns, reason = "floats are made of any number")]
                match value {
                    $pattern => $of,
                    _ => None,
                }
            }
        }
    )+};
}

element! {
    u8: own => Element::Value(Value::Int(own.into())), Value::Int(n) => u8::try_from(*n).ok();
    i32: own => Element::Value(Value::Int(own.into())), Value::Int(n) => i32::try_from(*n).ok();
    i64: own => Element::Value(Value::Int(own)), Value::Int(n) => Some(*n);
    f64: own => Element::Value(Value::Float(own)), value => value.as_f64();
    GString: own => Element::Value(Value::String(own)), Value::String(text) => Some(text.clone());
    Vector2: own => Element::Value(Value::Vector2(own)), Value::Vector2(v) => Some(*v);
    Vector3: own => Element::Value(Value::Vector3(own)), Value::Vector3(v) => Some(*v);
    Vector4: own => Element::Value(Value::Vector4(own)), Value::Vector4(v) => Some(*v);
    Color: own => Element::Value(Value::Color(own)), Value::Color(v) => Some(*v);
}

impl Packed for f32 {
    fn element(&self) -> Element {
        Element::Single(*self)
    }

    /// Numbers that are too large for 32 bits do not fit, nor whole ones that would be rounded.
    fn of(value: &Value) -> Option<Self> {
        let number = value.as_f64()?;
        #[allow(clippy::cast_possible_truncation, reason = "digits may go, the size is looked at")]
        let short = number as f32;
        let is_same = f64::from(short) == number || !matches!(value, Value::Int(_));
        Some(short).filter(|short| is_same && (short.is_finite() || !number.is_finite()))
    }
}

macro_rules! wide {
    ($($kind:ident)+) => {$(
        impl Packed for $kind<f64> {
            fn element(&self) -> Element {
                Element::Value(Value::Real64(Box::new(Real64::$kind(*self))))
            }

            fn of(value: &Value) -> Option<Self> {
                let Value::Real64(real) = value else { return None };
                match &**real {
                    Real64::$kind(own) => Some(*own),
                    _ => None,
                }
            }
        }
    )+};
}

wide! { Vector2 Vector3 Vector4 Color }

/// Does something with the elements of a packed array.
macro_rules! packed {
    ($value:expr, $deref:ident, $items:ident => $then:expr, $other:expr) => {
        match $value {
            Value::PackedByteArray($items) => $then,
            Value::PackedInt32Array($items) => $then,
            Value::PackedInt64Array($items) => $then,
            Value::PackedFloat32Array($items) => $then,
            Value::PackedFloat64Array($items) => $then,
            Value::PackedStringArray($items) => $then,
            Value::PackedVector2Array($items) => $then,
            Value::PackedVector3Array($items) => $then,
            Value::PackedColorArray($items) => $then,
            Value::PackedVector4Array($items) => $then,
            Value::Real64(real) => match real.$deref() {
                Real64::PackedVector2Array($items) => $then,
                Real64::PackedVector3Array($items) => $then,
                Real64::PackedColorArray($items) => $then,
                Real64::PackedVector4Array($items) => $then,
                _ => $other,
            },
            _ => $other,
        }
    };
}

/// The element of a packed array of one.
pub(super) fn first(array: &Value) -> Option<Element> {
    packed!(array, as_ref, items => items.first().map(Packed::element), None)
}

/// Whether it is a packed array.
pub(super) fn is_array(value: &Value) -> bool {
    packed!(value, as_ref, _items => true, false)
}

/// Makes a packed array that of these elements.
pub(super) fn fill(array: &mut Value, new: &[Value]) -> Result<(), Error> {
    packed!(array, as_mut, items => {
        *items = all(items, new)?.into();
        Ok(())
    }, Err(Error::new("it is no container")))
}

fn all<T: Packed>(_: &[T], new: &[Value]) -> Result<Vec<T>, Error> {
    new.iter().map(fitting).collect()
}

/// The elements of an array of any kind.
pub(super) fn elements(array: &Value) -> Option<Vec<Value>> {
    match array {
        Value::Array(items) => Some(items.to_vec()),
        array => packed!(array, as_ref, items => {
            Some(items.iter().map(|item| item.element().value()).collect())
        }, None),
    }
}

fn fitting<T: Packed>(new: &Value) -> Result<T, Error> {
    T::of(new).ok_or_else(|| {
        Error::new(match new {
            Value::Int(_) | Value::Float(_) => format!("does not fit: {new:?} is out of range"),
            _ => format!("does not fit: {new:?} is no element of this array"),
        })
    })
}

/// The element of a packed array that a text says.
pub(super) fn made(array: &Value, new: &str) -> Result<Value, Error> {
    let kind = array.kind();
    let element = kind.name().trim_start_matches("Packed").trim_end_matches("Array");
    match element {
        "String" => return Ok(Value::from(text(new)?)),
        "Byte" | "Int32" | "Int64" => {
            let json = edit::notation(new, "a number")?;
            let number = json.as_i64().map(Value::Int);
            return number.ok_or_else(|| {
                Error::new(format!("does not fit: expected an integer, found {new}"))
            });
        }
        "Float32" | "Float64" => {
            let number = new.trim().parse::<f64>().ok();
            let is_digits = new.contains(|c: char| c.is_ascii_digit());
            let number = number.filter(|number| number.is_finite() || !is_digits);
            let why = || Error::new(format!("expected the JSON notation of a number, found {new}"));
            return number.map(Value::Float).ok_or_else(why);
        }
        _ => {}
    }
    let found = notation::value_from_str(new, &Options::new())
        .ok()
        .filter(|found: &Value| found.kind().name() == element);
    if let Some(found) = found.or_else(|| color(new)) {
        return Ok(found);
    }
    let len = width(kind.name());
    let json = edit::notation(new, element)?;
    let parts = if json.is_array() { Some(json) } else { json.get("args").cloned() };
    let parts = parts.filter(|parts| parts.as_array().is_some_and(|own| own.len() == len));
    let parts = parts
        .ok_or_else(|| Error::new(format!("expected an array of {len} numbers, found {new}")))?;
    let mut made = Json::from([("type", element.into()), ("args", parts)]);
    if let (Value::Real64(_), Json::Object(members)) = (array, &mut made) {
        members.insert("precision".to_owned(), Json::from("double"));
    }
    read(&made, FLAT)
}

/// The colour that digits say, as the engine's `Color("#ff0000")` takes them: 3, 4, 6 or 8.
pub(super) fn color(text: &str) -> Option<Value> {
    let inner = text.strip_prefix("Color(\"").and_then(|text| text.strip_suffix("\")"));
    let digits = inner.or_else(|| text.starts_with('#').then_some(text))?.trim_start_matches('#');
    let digit = |at: usize| digits.get(at..at + 1).and_then(|own| u8::from_str_radix(own, 16).ok());
    let (channels, width) = match digits.len() {
        len @ (3 | 4) => (len, 1),
        len @ (6 | 8) => (len / 2, 2),
        _ => return None,
    };
    let channel = |at: usize| match width {
        _ if at >= channels => Some(1.0),
        1 => Some(f32::from(digit(at)? * 17) / 255.0),
        _ => Some(f32::from(digit(at * 2)? * 16 + digit(at * 2 + 1)?) / 255.0),
    };
    Some(Value::Color(Color::new(channel(0)?, channel(1)?, channel(2)?, channel(3)?)))
}

/// How many numbers of the notation an element of a kind of packed array has.
pub(super) fn width(kind: &str) -> usize {
    let element = kind.strip_prefix("Packed").and_then(|kind| kind.strip_suffix("Array"));
    match element {
        Some("Color") => 4,
        Some(vector) if vector.starts_with("Vector") => last(vector).max(1),
        _ => 1,
    }
}

/// The number that a name ends with.
fn last(name: &str) -> usize {
    name.chars().last().and_then(|c| c.to_digit(10)).unwrap_or(0) as usize
}

/// The numbers of a vector and its kin, in the notation.
fn args(value: &Value) -> Vec<Json> {
    let json = to_json(value, FLAT);
    debug_assert!(json.is_ok(), "a flat value has a notation");
    match json.ok().and_then(|mut json| json.get_mut("args").map(Json::take)) {
        Some(Json::Array(args)) => args,
        _ => Vec::new(),
    }
}

/// The name of a component, which of the numbers it begins with, and its kind.
type NamedPart = (&'static str, usize, &'static str);

/// The components of values.
const COMPONENTS: [(&str, &[NamedPart]); 15] = [
    ("Vector2", &[("x", 0, "float"), ("y", 1, "float")]),
    ("Vector2i", &[("x", 0, "int"), ("y", 1, "int")]),
    ("Vector3", &[("x", 0, "float"), ("y", 1, "float"), ("z", 2, "float")]),
    ("Vector3i", &[("x", 0, "int"), ("y", 1, "int"), ("z", 2, "int")]),
    ("Vector4", &[("x", 0, "float"), ("y", 1, "float"), ("z", 2, "float"), ("w", 3, "float")]),
    ("Vector4i", &[("x", 0, "int"), ("y", 1, "int"), ("z", 2, "int"), ("w", 3, "int")]),
    ("Quaternion", &[("x", 0, "float"), ("y", 1, "float"), ("z", 2, "float"), ("w", 3, "float")]),
    ("Color", &[("r", 0, "float"), ("g", 1, "float"), ("b", 2, "float"), ("a", 3, "float")]),
    ("Rect2", &[("position", 0, "Vector2"), ("size", 2, "Vector2")]),
    ("Rect2i", &[("position", 0, "Vector2i"), ("size", 2, "Vector2i")]),
    ("AABB", &[("position", 0, "Vector3"), ("size", 3, "Vector3")]),
    ("Plane", &[("normal", 0, "Vector3"), ("d", 3, "float")]),
    ("Transform2D", &[("x", 0, "Vector2"), ("y", 2, "Vector2"), ("origin", 4, "Vector2")]),
    ("Transform3D", &[("basis", 0, "Basis"), ("origin", 9, "Vector3")]),
    (
        "Projection",
        &[("x", 0, "Vector4"), ("y", 4, "Vector4"), ("z", 8, "Vector4"), ("w", 12, "Vector4")],
    ),
];

/// How many numbers a component has.
fn numbers(kind: &str) -> usize {
    match kind {
        "float" | "int" => 1,
        "Basis" => 9,
        kind => last(kind.trim_end_matches('i')),
    }
}

fn of_kind(value: &Value) -> &'static [NamedPart] {
    let kind = value.kind();
    COMPONENTS.iter().find(|(own, _)| *own == kind.name()).map_or(&[], |(_, parts)| parts)
}

/// The components of a vector and its kin, with their names.
pub(super) fn components(value: &Value) -> Vec<(&'static str, Value)> {
    let parts = of_kind(value);
    if parts.is_empty() {
        return Vec::new();
    }
    let Ok(whole) = to_json(value, FLAT) else { return Vec::new() };
    let is_wide = matches!(value, Value::Real64(_));
    let args = args(value);
    let component = |(name, start, kind): &NamedPart| {
        let own = args.get(*start..start.checked_add(numbers(kind))?)?;
        let value = match (*kind, own) {
            ("int", [own]) => Value::Int(own.as_i64()?),
            ("float", [own]) => {
                let number = match own {
                    Json::String(text) => text.parse().ok()?,
                    own => own.as_f64()?,
                };
                // Of 32 bits, the digits of 32 bits.
                let short = f32::of(&Value::Float(number)).filter(|_| !is_wide);
                Value::Float(short.map_or(number, |short| digits(&short)))
            }
            (kind, own) => {
                let mut part = whole.clone();
                *part.get_mut("type")? = Json::from(kind);
                *part.get_mut("args")? = Json::from(own.to_vec());
                read(&part, FLAT).ok()?
            }
        };
        Some((*name, value))
    };
    parts.iter().filter_map(component).collect()
}

/// The value with another component at a position.
pub(super) fn with_component(value: &Value, at: usize, new: &Value) -> Result<Value, Error> {
    let (_, start, kind) = of_kind(value).get(at).ok_or(GONE)?;
    let own = match (*kind, new) {
        ("int", Value::Int(new)) => vec![Json::from(*new)],
        ("float", new) if matches!(value, Value::Real64(_)) => vec![number(new.as_f64())?],
        ("float", new) => vec![number(f32::of(new).map(|own| digits(&own)))?],
        _ => args(new),
    };
    let mut whole = to_json(value, FLAT)?;
    let args = whole.get_mut("args").and_then(Json::as_array_mut).ok_or(GONE)?;
    let end = start.checked_add(own.len()).filter(|end| *end <= args.len()).ok_or(GONE)?;
    args.splice(*start..end, own);
    read(&whole, FLAT)
}

fn number(own: Option<f64>) -> Result<Json, Error> {
    match own.ok_or("does not fit: the number is too large for 32 bits")? {
        own if own.is_finite() => Ok(Json::from(own)),
        own => Ok(Json::from(own.to_string())),
    }
}
