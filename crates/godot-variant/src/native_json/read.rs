//! The notation to [`Value`].

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};

use super::{MAX_LEVELS, NativeJson};
use crate::Value;
use crate::error::Shortened;
use crate::types::*;
use crate::value::{Array, Dictionary, Instance, Object};

impl<'de> Deserialize<'de> for NativeJson<Value> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NativeJsonSeed::new(MAX_LEVELS).deserialize(deserializer).map(NativeJson)
    }
}

/// Reads the notation with another limit for the nesting. Reading needs stack for each level.
#[derive(Clone, Copy, Debug)]
pub struct NativeJsonSeed {
    levels: usize,
}

impl NativeJsonSeed {
    /// A reader for values that nest up to `levels` deep.
    pub fn new(levels: usize) -> Self {
        NativeJsonSeed { levels }
    }
}

impl<'de> DeserializeSeed<'de> for NativeJsonSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        // Twice: `args` of an object are a level of JSON of their own.
        let levels = self.levels.saturating_mul(2).saturating_add(4);
        let node = NodeSeed(levels).deserialize(deserializer)?;
        node.into_value().map_err(D::Error::custom)
    }
}

/// JSON as it stands, because the members of an object may come in any order.
enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

#[derive(Clone, Copy)]
struct NodeSeed(usize);

impl<'de> DeserializeSeed<'de> for NodeSeed {
    type Value = Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl NodeSeed {
    fn below<E: serde_core::de::Error>(self) -> Result<NodeSeed, E> {
        self.0.checked_sub(1).map(NodeSeed).ok_or_else(|| E::custom("nested too deep"))
    }
}

impl<'de> Visitor<'de> for NodeSeed {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in the notation of JSON.from_native")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, v: bool) -> Result<Node, E> {
        Ok(Node::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Node, E> {
        Ok(Node::Int(v))
    }

    fn visit_u64<E: serde_core::de::Error>(self, v: u64) -> Result<Node, E> {
        i64::try_from(v).map(Node::Int).map_err(|_| E::custom(format_args!("{v} is too large")))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Node, E> {
        Ok(Node::Float(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Node, E> {
        Ok(Node::Text(v.to_owned()))
    }

    fn visit_string<E>(self, v: String) -> Result<Node, E> {
        Ok(Node::Text(v))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let inner = self.below()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let inner = self.below()?;
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            members.push((name, map.next_value_seed(inner)?));
        }
        Ok(Node::Map(members))
    }
}

type Made<T> = Result<T, String>;

impl Node {
    /// Depth was limited while reading, so this may go by recursion.
    fn into_value(self) -> Made<Value> {
        match self {
            Node::Null => Ok(Value::Nil),
            Node::Bool(v) => Ok(Value::Bool(v)),
            Node::Text(text) => from_text(&text),
            Node::List(items) => Ok(Value::Array(values(items)?)),
            Node::Map(members) => Members(members).into_value(),
            Node::Int(v) => Err(format!("expected \"i:{v}\" or \"f:{v}\", found the number {v}")),
            Node::Float(v) => Err(format!("expected \"f:{v}\", found the number {v}")),
        }
    }

    fn text(self) -> Made<String> {
        match self {
            Node::Text(text) => Ok(text),
            other => Err(format!("expected text, found {}", other.name())),
        }
    }

    fn list(self) -> Made<Vec<Node>> {
        match self {
            Node::List(items) => Ok(items),
            other => Err(format!("expected a list, found {}", other.name())),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "a bool",
            Node::Int(_) | Node::Float(_) => "a number",
            Node::Text(_) => "text",
            Node::List(_) => "a list",
            Node::Map(_) => "an object",
        }
    }
}

fn values(items: Vec<Node>) -> Made<Array> {
    items.into_iter().map(Node::into_value).collect::<Made<Vec<_>>>().map(Array::from)
}

fn from_text(text: &str) -> Made<Value> {
    let (prefix, rest) = text.split_once(':').unwrap_or(("", text));
    match prefix {
        "i" => rest
            .parse()
            .map(Value::Int)
            .map_err(|_| format!("expected a 64-bit integer, found \"{}\"", Shortened(rest))),
        "f" => float(rest).map(Value::Float),
        "s" => Ok(Value::String(rest.into())),
        "sn" => Ok(Value::StringName(rest.into())),
        "np" => Ok(Value::NodePath(Box::new(NodePath::new(rest)))),
        _ => Err(format!(
            "expected text that starts with i:, f:, s:, sn: or np:, found \"{}\"",
            Shortened(text)
        )),
    }
}

fn float(text: &str) -> Made<f64> {
    match text {
        "nan" => Ok(f64::NAN),
        "inf" => Ok(f64::INFINITY),
        "-inf" => Ok(f64::NEG_INFINITY),
        _ if text.starts_with("nan:") => nan(text),
        _ => text
            .parse()
            .ok()
            .filter(|_| text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)))
            .ok_or_else(|| format!("expected a float, found \"{}\"", Shortened(text))),
    }
}

/// A NaN by its bits.
fn nan<R: Real>(text: &str) -> Made<R> {
    let digits = text.strip_prefix("nan:").unwrap_or_default();
    let bits = u64::from_str_radix(digits, 16).unwrap_or(0);
    bits.to_le_bytes()
        .get(..R::SIZE)
        .and_then(R::read)
        .filter(|value| value.to_f64().is_nan() && value.bits() == bits)
        .ok_or_else(|| format!("expected the bits of a NaN, found \"{}\"", Shortened(digits)))
}

/// A component; the inverse of what the writer does with the numbers that JSON lacks.
fn number<R: Real>(node: Node) -> Made<R> {
    match node {
        Node::Int(v) => Ok(R::from_f64(v as f64)),
        Node::Float(v) => Ok(R::from_f64(v)),
        Node::Null => Ok(R::from_f64(f64::NAN)),
        Node::Text(text) if text.starts_with("nan:") => nan(&text),
        Node::Text(text) => float(&text).map(R::from_f64),
        other => Err(format!("expected a number, found {}", other.name())),
    }
}

/// A whole number, also from a float that is one: JSON parsers differ in what `1.0` is.
#[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
fn integer<T: TryFrom<i64>>(node: Node) -> Made<T> {
    let value = match node {
        Node::Int(v) => v,
        Node::Float(v) if crate::float::is_whole(v) && v.abs() < 9.0e18 => v as i64,
        Node::Float(v) => return Err(format!("expected a whole number, found {v}")),
        other => return Err(format!("expected a whole number, found {}", other.name())),
    };
    T::try_from(value).map_err(|_| format!("{value} is out of range"))
}

/// A math value, or a packed array of them, with components of one width; `None` for other types.
macro_rules! reals {
    ($members:ident, $kind:ident, $real:ty; $($name:ident)+; $($packed:ident)+) => {
        match $kind {
            $(Type::$name => {
                Some($name::<$real>::from(exact($members.args()?, number::<$real>)?).into())
            })+
            $(Type::$packed => Some($packed::<$real>(rows($members.args()?)?).into()),)+
            _ => None,
        }
    };
    ($members:ident, $kind:ident, $real:ty) => {
        reals!(
            $members, $kind, $real;
            Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion Aabb Basis Transform3D
            Projection Color;
            PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array
        )
    };
}

/// The members of a JSON object, taken one by one.
struct Members(Vec<(String, Node)>);

impl Members {
    fn take(&mut self, name: &str) -> Option<Node> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.swap_remove(at).1)
    }

    fn args(&mut self) -> Made<Vec<Node>> {
        self.take("args").ok_or("member \"args\" is missing")?.list()
    }

    /// Members that mean nothing here would be lost.
    fn done(self, value: Value) -> Made<Value> {
        match self.0.first() {
            None => Ok(value),
            Some((name, _)) => Err(format!("member \"{}\" is not known here", Shortened(name))),
        }
    }

    fn into_value(mut self) -> Made<Value> {
        let name = self.take("type").ok_or("member \"type\" is missing")?.text()?;
        if let Some(props) = self.take("props") {
            return self.done(instance(&name, props.list()?)?);
        }
        let Some(kind) = Type::from_name(&name) else {
            return Err(format!("unknown type \"{}\"", Shortened(&name)));
        };
        let double = match self.take("precision").map(Node::text).transpose()?.as_deref() {
            None => false,
            Some("double") => true,
            Some(other) => {
                return Err(format!("expected \"double\", found \"{}\"", Shortened(other)));
            }
        };
        let value = if double { self.real64(kind)? } else { self.of_kind(kind)? };
        self.done(value)
    }

    fn of_kind(&mut self, kind: Type) -> Made<Value> {
        if let Some(value) = reals!(self, kind, f32) {
            return Ok(value);
        }
        macro_rules! ints {
            ($name:ident) => {
                Value::$name(exact(self.args()?, integer::<i32>)?.into())
            };
        }
        Ok(match kind {
            Type::Vector2i => ints!(Vector2i),
            Type::Rect2i => ints!(Rect2i),
            Type::Vector3i => ints!(Vector3i),
            Type::Vector4i => ints!(Vector4i),
            Type::Rid => Value::Rid(Rid(self.optional_id()?.unwrap_or(0))),
            Type::Callable => Value::Callable(Callable),
            Type::Object => Value::Object(match self.optional_id()? {
                Some(id) => Object::Id(ObjectId(id)),
                None => Object::Null,
            }),
            Type::Signal => self.signal()?,
            Type::NodePath => self.node_path()?,
            Type::Array => {
                let element = self.element_type("elem_type")?;
                let items = values(self.args()?)?;
                if element.is_typed() {
                    crate::value::TypedArray { element, items }.into()
                } else {
                    Value::Array(items)
                }
            }
            Type::Dictionary => {
                let (key, value) =
                    (self.element_type("key_type")?, self.element_type("value_type")?);
                let entries = dictionary(self.args()?)?;
                if key.is_typed() || value.is_typed() {
                    crate::value::TypedDictionary { key, value, entries }.into()
                } else {
                    Value::Dictionary(entries)
                }
            }
            Type::PackedByteArray => PackedByteArray(each(self.args()?, integer)?).into(),
            Type::PackedInt32Array => PackedInt32Array(each(self.args()?, integer)?).into(),
            Type::PackedInt64Array => PackedInt64Array(each(self.args()?, integer)?).into(),
            Type::PackedFloat32Array => PackedFloat32Array(each(self.args()?, number)?).into(),
            Type::PackedFloat64Array => PackedFloat64Array(each(self.args()?, number)?).into(),
            Type::PackedStringArray => {
                PackedStringArray(each(self.args()?, |node| node.text().map(GString::from))?).into()
            }
            Type::Int | Type::Float | Type::String | Type::StringName => {
                return Err(format!("type {kind} is written as text with a prefix"));
            }
            // Nil and bool; the others were read above.
            _ => return Err(format!("type {kind} is written as plain JSON")),
        })
    }

    fn real64(&mut self, kind: Type) -> Made<Value> {
        reals!(self, kind, f64).ok_or_else(|| format!("type {kind} has no 64-bit components"))
    }

    fn optional_id(&mut self) -> Made<Option<u64>> {
        let Some(args) = self.take("args") else { return Ok(None) };
        let [id] =
            <[Node; 1]>::try_from(args.list()?).map_err(|_| "expected one id in \"args\"")?;
        id_of(id).map(Some)
    }

    fn signal(&mut self) -> Made<Value> {
        let Some(args) = self.take("args") else { return Ok(Signal::default().into()) };
        let [name, object] = <[Node; 2]>::try_from(args.list()?)
            .map_err(|_| "expected a name and an id in \"args\"")?;
        let name = match name.into_value()? {
            Value::String(name) => StringName(name),
            other => return Err(format!("expected a name, found {}", other.kind())),
        };
        Ok(Signal { name, object: ObjectId(id_of(object)?) }.into())
    }

    fn node_path(&mut self) -> Made<Value> {
        let [absolute, names, subnames] = <[Node; 3]>::try_from(self.args()?)
            .map_err(|_| "expected a bool and two lists of names in \"args\"")?;
        let Node::Bool(absolute) = absolute else { return Err("expected a bool".into()) };
        let names = each(names.list()?, |node| node.text().map(GString::from))?;
        let subnames = each(subnames.list()?, |node| node.text().map(GString::from))?;
        Ok(NodePath { absolute, names, subnames }.into())
    }

    fn element_type(&mut self, member: &str) -> Made<ElementType> {
        let name = match self.take(member) {
            None | Some(Node::Null) => return Ok(ElementType::Any),
            Some(node) => node.text()?,
        };
        Ok(match (name.as_str(), name.split_once(':')) {
            ("builtin:Object", _) => ElementType::Builtin(Type::Object),
            (_, Some(("class", class))) => ElementType::Class(class.into()),
            (_, Some(("script", path))) => ElementType::Script(path.into()),
            (path, _) if path.starts_with("res://") => ElementType::Script(path.into()),
            (name, _) => match Type::from_name(name).filter(|kind| *kind != Type::Object) {
                Some(kind) => ElementType::Builtin(kind),
                None => ElementType::Class(name.into()),
            },
        })
    }
}

fn id_of(node: Node) -> Made<u64> {
    match node.into_value()? {
        Value::Int(id) => Ok(id.cast_unsigned()),
        other => Err(format!("expected an id as \"i:…\", found {}", other.kind())),
    }
}

fn instance(class: &str, props: Vec<Node>) -> Made<Value> {
    if !props.len().is_multiple_of(2) {
        return Err("expected names and values in \"props\", found an odd number".into());
    }
    let mut instance = Instance::new(class);
    let mut props = props.into_iter();
    while let (Some(name), Some(value)) = (props.next(), props.next()) {
        instance.properties.push((name.text()?.into(), value.into_value()?));
    }
    Ok(instance.into())
}

fn dictionary(args: Vec<Node>) -> Made<Dictionary> {
    if !args.len().is_multiple_of(2) {
        return Err("expected keys and values in \"args\", found an odd number".into());
    }
    let mut entries = Vec::with_capacity(args.len() / 2);
    let mut args = args.into_iter();
    while let (Some(key), Some(value)) = (args.next(), args.next()) {
        entries.push((key.into_value()?, value.into_value()?));
    }
    Ok(entries.into())
}

fn each<T>(args: Vec<Node>, read: impl Fn(Node) -> Made<T>) -> Made<Vec<T>> {
    args.into_iter().map(read).collect()
}

/// As many arguments as the type has components.
fn exact<T: Default + Copy, const N: usize>(
    args: Vec<Node>,
    read: impl Fn(Node) -> Made<T>,
) -> Made<[T; N]> {
    let found = each(args, read)?;
    <[T; N]>::try_from(found.as_slice())
        .map_err(|_| format!("expected {N} numbers in \"args\", found {}", found.len()))
}

/// Vectors without brackets around each.
fn rows<R: Real, T: From<[R; N]>, const N: usize>(args: Vec<Node>) -> Made<Vec<T>> {
    let numbers = each(args, number::<R>)?;
    let (rows, rest) = numbers.as_chunks::<N>();
    if !rest.is_empty() {
        return Err(format!("expected a multiple of {N} numbers, found {}", numbers.len()));
    }
    Ok(rows.iter().map(|row| T::from(*row)).collect())
}
