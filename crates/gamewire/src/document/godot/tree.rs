//! Values as a tree that can be compared.

use std::fmt;

use godot_variant::value::{Instance, Object, Real64};
use godot_variant::{Value, types::ElementType};

use super::content::{Body, Content};
use crate::document::diff::{Children, Tree};
use crate::document::path::Step;

/// A place in a file.
pub(super) enum Node<'a> {
    /// The values of a stream.
    Stream(&'a [Value]),
    /// The settings of a project.
    Settings(&'a [(String, Value)]),
    Value(&'a Value),
    /// An element of a packed array.
    Element(Value),
    /// An element with 32 bits, which have fewer digits than the same number with 64.
    Single(f32),
}

impl<'a> Node<'a> {
    /// The whole file. A file of one value is that value, whatever its framing.
    pub(super) fn root(content: &'a Content) -> Self {
        match &content.body {
            Body::Settings(settings) => Node::Settings(&settings.entries),
            Body::Values(values) => match values.as_slice() {
                [only] => Node::Value(only),
                values => Node::Stream(values),
            },
        }
    }
}

impl Tree for Node<'_> {
    fn kind(&self) -> String {
        match self {
            Node::Stream(_) | Node::Settings(_) | Node::Single(_) => String::new(),
            Node::Element(value) => value.kind().to_string(),
            Node::Value(Value::TypedArray(array)) => format!("Array[{}]", Full(&array.element)),
            Node::Value(Value::TypedDictionary(dictionary)) => {
                format!("Dictionary[{}, {}]", Full(&dictionary.key), Full(&dictionary.value))
            }
            Node::Value(Value::Object(Object::Instance(instance))) => instance.class.to_string(),
            Node::Value(value @ Value::Real64(_)) => format!("{} of 64 bits", value.kind()),
            Node::Value(value) => value.kind().to_string(),
        }
    }

    fn children(&self) -> Children<Self> {
        match self {
            Node::Stream(values) => Children::Items(values.iter().map(Node::Value).collect()),
            Node::Settings(settings) => {
                let step = |name: &String| Step::Name(name.clone());
                let entries = settings.iter().map(|(name, value)| (step(name), Node::Value(value)));
                Children::Entries(entries.collect())
            }
            Node::Value(value) => of_value(value),
            Node::Element(_) | Node::Single(_) => Children::None,
        }
    }

    fn is_flat(&self) -> bool {
        match self {
            Node::Stream(_) | Node::Settings(_) => false,
            Node::Element(_) | Node::Single(_) => true,
            Node::Value(value) => {
                value.as_array().is_none()
                    && value.as_dictionary().is_none()
                    && value.as_object().and_then(Object::as_instance).is_none()
            }
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Single(a), Node::Single(b)) => a.to_bits() == b.to_bits(),
            (Node::Value(a), Node::Value(b)) => a == b,
            // Elements of 32 and of 64 bits: that the arrays differ in this is said of the arrays.
            (Node::Element(a @ Value::Real64(_)), Node::Element(b))
            | (Node::Element(b), Node::Element(a @ Value::Real64(_)))
                if !matches!(b, Value::Real64(_)) =>
            {
                format!("{a:?}") == format!("{b:?}")
            }
            (Node::Element(a), Node::Element(b)) => a == b,
            (Node::Single(a), Node::Element(b)) | (Node::Element(b), Node::Single(a)) => {
                b.as_f64().is_some_and(|b| b.to_bits() == f64::from(*a).to_bits())
            }
            (Node::Value(a), Node::Element(b)) | (Node::Element(b), Node::Value(a)) => *a == b,
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Node::Stream(values) => write!(out, "{} values", values.len()),
            Node::Settings(settings) => write!(out, "{} settings", settings.len()),
            Node::Value(value) => write!(out, "{value:?}"),
            Node::Element(value) => write!(out, "{value:?}"),
            Node::Single(value) => write!(out, "{value:?}"),
        }
    }
}

/// An element type with its whole name.
struct Full<'a>(&'a ElementType);

impl fmt::Display for Full<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ElementType::Class(name) => write!(f, "{name}"),
            ElementType::Script(path) => write!(f, "{:?}", path.as_str()),
            other => other.fmt(f),
        }
    }
}

/// The values in a value.
pub(super) fn of_value(value: &Value) -> Children<Node<'_>> {
    if let Some(items) = value.as_array() {
        return Children::Items(items.iter().map(Node::Value).collect());
    }
    if let Some(entries) = value.as_dictionary() {
        let entries = entries.iter().map(|(key, value)| (step(key), Node::Value(value)));
        return Children::Entries(entries.collect());
    }
    match value {
        Value::Object(Object::Instance(instance)) => properties(instance),
        Value::PackedByteArray(v) => elements(v, |v| Value::Int(i64::from(*v))),
        Value::PackedInt32Array(v) => elements(v, |v| Value::Int(i64::from(*v))),
        Value::PackedInt64Array(v) => elements(v, |v| Value::Int(*v)),
        Value::PackedFloat32Array(v) => {
            Children::Items(v.iter().copied().map(Node::Single).collect())
        }
        Value::PackedFloat64Array(v) => elements(v, |v| Value::Float(*v)),
        Value::PackedStringArray(v) => elements(v, |v| Value::String(v.clone())),
        Value::PackedVector2Array(v) => elements(v, |v| Value::Vector2(*v)),
        Value::PackedVector3Array(v) => elements(v, |v| Value::Vector3(*v)),
        Value::PackedColorArray(v) => elements(v, |v| Value::Color(*v)),
        Value::PackedVector4Array(v) => elements(v, |v| Value::Vector4(*v)),
        Value::Real64(real) => match &**real {
            Real64::PackedVector2Array(v) => elements(v, |v| wide(Real64::Vector2(*v))),
            Real64::PackedVector3Array(v) => elements(v, |v| wide(Real64::Vector3(*v))),
            Real64::PackedColorArray(v) => elements(v, |v| wide(Real64::Color(*v))),
            Real64::PackedVector4Array(v) => elements(v, |v| wide(Real64::Vector4(*v))),
            _ => Children::None,
        },
        _ => Children::None,
    }
}

fn wide(real: Real64) -> Value {
    Value::Real64(Box::new(real))
}

fn elements<'a, T>(items: &[T], make: impl Fn(&T) -> Value) -> Children<Node<'a>> {
    Children::Items(items.iter().map(|item| Node::Element(make(item))).collect())
}

fn properties(instance: &Instance) -> Children<Node<'_>> {
    let step = |name: &str| Step::Key(name.to_owned());
    let entries = instance.properties.iter().map(|(name, value)| (step(name), Node::Value(value)));
    Children::Entries(entries.collect())
}

/// The key of an entry. A `String` and a `StringName` with the same text are one key for the engine.
pub(super) fn step(key: &Value) -> Step {
    match key.as_str() {
        Some(text) => Step::Key(text.to_owned()),
        None => Step::Other(format!("{key:?}")),
    }
}
