//! The notation to [`Value`].

use std::borrow::Cow;

use gamewire_core::json::{Elements, Kind, Node, Seed};
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error as _};

use super::{MAX_LEVELS, NativeJson};
use crate::Value;
use crate::error::Shortened;
use crate::read::Number;
use crate::types::*;
use crate::value::{Array, Dictionary, Instance, Object, Reals, of_numbers};

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
        let expected = "a value in the notation of JSON.from_native";
        let seed = Seed { max_levels: levels, expected };
        let items = seed.deserialize(deserializer)?;
        value(items.root()).map_err(D::Error::custom)
    }
}

type Made<T> = Result<T, String>;

/// Depth was limited while reading, so this may go by recursion.
fn value(node: Node<'_>) -> Made<Value> {
    match node.kind() {
        Kind::Null => Ok(Value::Nil),
        Kind::Bool(v) => Ok(Value::Bool(v)),
        Kind::Text => from_text(&text(node)?),
        Kind::List => values(elements(node)?).map(Value::Array),
        Kind::Map => Members(node.members().into_iter().flatten().collect()).into_value(),
        Kind::Number => Err(match parsed(node) {
            Ok(v) => format!("expected \"i:{v}\" or \"f:{v}\", found the number {v}"),
            Err(v) => format!("expected \"f:{v}\", found the number {v}"),
        }),
    }
}

/// A number as an integer, or else as a float.
fn parsed(node: Node<'_>) -> Result<i64, f64> {
    let text = node.number().unwrap_or_default();
    text.parse().map_err(|_| text.parse().unwrap_or(f64::NAN))
}

fn text(node: Node<'_>) -> Made<Cow<'_, str>> {
    node.text().ok_or_else(|| format!("expected text, found {}", name_of(node)))
}

fn elements(node: Node<'_>) -> Made<Elements<'_>> {
    node.elements().ok_or_else(|| format!("expected a list, found {}", name_of(node)))
}

fn name_of(node: Node<'_>) -> &'static str {
    match node.kind() {
        Kind::Null => "null",
        Kind::Bool(_) => "a bool",
        Kind::Number => "a number",
        Kind::Text => "text",
        Kind::List => "a list",
        Kind::Map => "an object",
    }
}

fn values(items: Elements<'_>) -> Made<Array> {
    items.map(value).collect::<Made<Vec<_>>>().map(Array::from)
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
fn number<R: Real>(node: Node<'_>) -> Made<R> {
    match (node.kind(), node.text()) {
        (Kind::Number, _) => Ok(R::from_f64(parsed(node).map_or_else(|v| v, |v| v as f64))),
        (Kind::Null, _) => Ok(R::from_f64(f64::NAN)),
        (_, Some(text)) if text.starts_with("nan:") => nan(&text),
        (_, Some(text)) => float(&text).map(R::from_f64),
        _ => Err(format!("expected a number, found {}", name_of(node))),
    }
}

/// A whole number, also from a float that is one: JSON parsers differ in what `1.0` is.
#[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
fn integer<T: TryFrom<i64>>(node: Node<'_>) -> Made<T> {
    let value = match parsed(node) {
        _ if node.kind() != Kind::Number => {
            return Err(format!("expected a whole number, found {}", name_of(node)));
        }
        Ok(v) => v,
        Err(v) if crate::float::is_whole(v) && v.abs() < 9.0e18 => v as i64,
        Err(v) => return Err(format!("expected a whole number, found {v}")),
    };
    T::try_from(value).map_err(|_| format!("{value} is out of range"))
}

/// The members of a JSON object, taken one by one.
struct Members<'t>(Vec<(Cow<'t, str>, Node<'t>)>);

impl<'t> Members<'t> {
    fn take(&mut self, name: &str) -> Option<Node<'t>> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.swap_remove(at).1)
    }

    fn args(&mut self) -> Made<Elements<'t>> {
        elements(self.take("args").ok_or("member \"args\" is missing")?)
    }

    /// Members that mean nothing here would be lost.
    fn done(self, value: Value) -> Made<Value> {
        match self.0.first() {
            None => Ok(value),
            Some((name, _)) => Err(format!("member \"{}\" is not known here", Shortened(name))),
        }
    }

    fn into_value(mut self) -> Made<Value> {
        let name = text(self.take("type").ok_or("member \"type\" is missing")?)?;
        if let Some(props) = self.take("props") {
            return self.done(instance(&name, elements(props)?)?);
        }
        let Some(kind) = Type::from_name(&name) else {
            return Err(format!("unknown type \"{}\"", Shortened(&name)));
        };
        let double = match self.take("precision").map(text).transpose()?.as_deref() {
            None => false,
            Some("double") => true,
            Some(other) => {
                return Err(format!("expected \"double\", found \"{}\"", Shortened(other)));
            }
        };
        let real = kind.is_real() || matches!(kind, Type::Color | Type::PackedColorArray);
        if double && !real {
            return Err(format!("type {kind} has no 64-bit components"));
        }
        let value = match kind.is_row() {
            true => self.numbers(kind, double)?,
            false => self.of_kind(kind)?,
        };
        self.done(value)
    }

    fn of_kind(&mut self, kind: Type) -> Made<Value> {
        Ok(match kind {
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
            Type::PackedStringArray => PackedStringArray(texts(self.args()?)?).into(),
            Type::Int | Type::Float | Type::String | Type::StringName => {
                return Err(format!("type {kind} is written as text with a prefix"));
            }
            // Nil and bool; the others were read above.
            _ => return Err(format!("type {kind} is written as plain JSON")),
        })
    }

    /// A value that is a row of numbers, vectors without brackets around each.
    fn numbers(&mut self, kind: Type, wide: bool) -> Made<Value> {
        let (mut bytes, mut found) = (Vec::new(), 0_usize);
        for node in self.args()? {
            found = found.saturating_add(1);
            match Number::of(kind, wide) {
                Number::U8 => bytes.push(integer(node)?),
                Number::I32 => bytes.extend(integer::<i32>(node)?.to_le_bytes()),
                Number::I64 => bytes.extend(integer::<i64>(node)?.to_le_bytes()),
                Number::F32 => number::<f32>(node)?.write(&mut bytes),
                Number::F64 => number::<f64>(node)?.write(&mut bytes),
            }
        }
        match (kind.components(), kind.packed_components()) {
            (0, each) if found.checked_rem(each) != Some(0) => {
                Err(format!("expected a multiple of {each} numbers, found {found}"))
            }
            (count, _) if count != 0 && count != found => {
                Err(format!("expected {count} numbers in \"args\", found {found}"))
            }
            _ => {
                let reals = Reals { bytes: &bytes, wide, keep: wide, rows: false };
                Ok(of_numbers(kind, &reals))
            }
        }
    }

    fn optional_id(&mut self) -> Made<Option<u64>> {
        let Some(args) = self.take("args") else { return Ok(None) };
        let [id] = exactly(args, "one id")?;
        id_of(id).map(Some)
    }

    fn signal(&mut self) -> Made<Value> {
        let Some(args) = self.take("args") else { return Ok(Signal::default().into()) };
        let [name, object] = exactly(args, "a name and an id")?;
        let name = match value(name)? {
            Value::String(name) => StringName(name),
            other => return Err(format!("expected a name, found {}", other.kind())),
        };
        Ok(Signal { name, object: ObjectId(id_of(object)?) }.into())
    }

    fn node_path(&mut self) -> Made<Value> {
        let args = self.take("args").ok_or("member \"args\" is missing")?;
        let [absolute, names, subnames] = exactly(args, "a bool and two lists of names")?;
        let Kind::Bool(absolute) = absolute.kind() else { return Err("expected a bool".into()) };
        let (names, subnames) = (texts(elements(names)?)?, texts(elements(subnames)?)?);
        Ok(NodePath { absolute, names, subnames }.into())
    }

    fn element_type(&mut self, member: &str) -> Made<ElementType> {
        let name = match self.take(member) {
            None => return Ok(ElementType::Any),
            Some(node) if node.kind() == Kind::Null => return Ok(ElementType::Any),
            Some(node) => text(node)?,
        };
        Ok(match (&*name, name.split_once(':')) {
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

fn id_of(node: Node<'_>) -> Made<u64> {
    match value(node)? {
        Value::Int(id) => Ok(id.cast_unsigned()),
        other => Err(format!("expected an id as \"i:…\", found {}", other.kind())),
    }
}

fn instance(class: &str, props: Elements<'_>) -> Made<Value> {
    let mut instance = Instance::new(class);
    for pair in pairs(props, "names and values in \"props\"") {
        let (name, property) = pair?;
        instance.properties.push((text(name)?.into(), value(property)?));
    }
    Ok(instance.into())
}

fn dictionary(args: Elements<'_>) -> Made<Dictionary> {
    let entries = pairs(args, "keys and values in \"args\"").map(|pair| {
        let (key, entry) = pair?;
        Ok((value(key)?, value(entry)?))
    });
    entries.collect::<Made<Vec<_>>>().map(Dictionary::from)
}

/// Two by two; `expected` if one is left over.
fn pairs<'t>(
    mut items: Elements<'t>,
    expected: &str,
) -> impl Iterator<Item = Made<(Node<'t>, Node<'t>)>> {
    std::iter::from_fn(move || {
        let first = items.next()?;
        let odd = || format!("expected {expected}, found an odd number");
        Some(items.next().map(|second| (first, second)).ok_or_else(odd))
    })
}

fn texts(items: Elements<'_>) -> Made<Vec<GString>> {
    items.map(|node| text(node).map(GString::from)).collect()
}

/// The arguments, of which there are `N`.
fn exactly<'t, const N: usize>(args: Node<'t>, expected: &str) -> Made<[Node<'t>; N]> {
    let args: Vec<_> = elements(args)?.collect();
    <[_; N]>::try_from(args).map_err(|_| format!("expected {expected} in \"args\""))
}
