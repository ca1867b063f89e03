//! JSON as a value of its own: members keep their order, and numbers are what they are.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::slice;
use std::vec;

use serde_core::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeMap as _, Serializer};

use super::{Layout, Writer};

/// A value of JSON.
///
/// ```
/// use gamewire_core::json::Value;
///
/// let value = Value::from([("b", Value::from(1.5)), ("a", Value::from(vec![7, 8]))]);
/// assert_eq!(value.to_string(), r#"{"b":1.5,"a":[7,8]}"#);
/// assert_eq!(value.get("a").and_then(|a| a.at(1)).and_then(Value::as_u64), Some(8));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// An object.
    Object(Map),
}

/// A number of JSON: an integer of 64 bits, else a finite float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(Width);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Width {
    /// Not negative, so that equal numbers are equal.
    Unsigned(u64),
    /// Negative.
    Signed(i64),
    Float(f64),
}

/// The members of an object in their order, each name once.
#[derive(Clone, Debug, Default)]
pub struct Map {
    members: Vec<(String, Value)>,
    /// Where each name is, of many.
    places: BTreeMap<String, usize>,
}

impl Number {
    /// Returns whether it is an integer that `i64` has.
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Returns whether it is no integer of 64 bits.
    pub fn is_f64(&self) -> bool {
        matches!(self.0, Width::Float(_))
    }

    /// Returns an integer that `i64` has.
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Width::Unsigned(number) => number.try_into().ok(),
            Width::Signed(number) => Some(number),
            Width::Float(_) => None,
        }
    }

    /// Returns an integer that `u64` has.
    pub fn as_u64(&self) -> Option<u64> {
        match self.0 {
            Width::Unsigned(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the number, rounded to a float.
    #[allow(clippy::cast_precision_loss, reason = "the nearest float is meant")]
    pub fn as_f64(&self) -> f64 {
        match self.0 {
            Width::Unsigned(number) => number as f64,
            Width::Signed(number) => number as f64,
            Width::Float(number) => number,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Width::Unsigned(number) => write!(f, "{number}"),
            Width::Signed(number) => write!(f, "{number}"),
            // Where an exponent begins is that of other writers of JSON.
            Width::Float(number) if (1e-5..1e-4).contains(&number.abs()) => write!(f, "{number}"),
            Width::Float(number) => {
                let text = format!("{number:?}");
                match text.split_once('e') {
                    Some((digits, exponent)) if !exponent.starts_with('-') => {
                        write!(f, "{digits}e+{exponent}")
                    }
                    _ => f.write_str(&text),
                }
            }
        }
    }
}

impl Map {
    /// Up to this many members are searched one by one; of more, their places are kept.
    const FEW: usize = 16;

    /// Returns an object without members.
    pub fn new() -> Self {
        Map::default()
    }

    fn place(&self, name: &str) -> Option<usize> {
        match self.places.is_empty() {
            true => self.members.iter().position(|(own, _)| own == name),
            false => self.places.get(name).copied(),
        }
    }

    /// Returns the value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(self.place(name)?).map(|(_, value)| value)
    }

    /// Returns the value of a name, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name)?;
        self.members.get_mut(place).map(|(_, value)| value)
    }

    /// Returns whether there is a member with a name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Adds a member at the end, or gives the one with this name another value, and returns the old one.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        if let Some(own) = self.get_mut(&name) {
            return Some(std::mem::replace(own, value));
        }
        let place = self.members.len();
        if place == Self::FEW {
            let all = self.members.iter().enumerate();
            self.places = all.map(|(at, (name, _))| (name.clone(), at)).collect();
        }
        if place >= Self::FEW {
            self.places.insert(name.clone(), place);
        }
        self.members.push((name, value));
        None
    }

    /// Returns how many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns the names in their order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.members.iter().map(|(name, _)| name)
    }

    /// Returns the members in their order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.members.iter())
    }

    /// Returns the members in their order, to change their values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut Value)> {
        self.members.iter_mut().map(|(name, value)| (&*name, value))
    }
}

/// The members of an object.
#[derive(Clone, Debug)]
pub struct Iter<'m>(slice::Iter<'m, (String, Value)>);

impl<'m> Iterator for Iter<'m> {
    type Item = (&'m String, &'m Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name, value))
    }
}

impl<'m> IntoIterator for &'m Map {
    type Item = (&'m String, &'m Value);
    type IntoIter = Iter<'m>;

    fn into_iter(self) -> Iter<'m> {
        self.iter()
    }
}

impl IntoIterator for Map {
    type Item = (String, Value);
    type IntoIter = vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

impl FromIterator<(String, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut map = Map::new();
        for (name, value) in members {
            map.insert(name, value);
        }
        map
    }
}

/// In any order.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().all(|(name, value)| other.get(name).is_some_and(|own| own == value))
    }
}

impl Value {
    /// Returns whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns whether it is a list.
    pub fn is_array(&self) -> bool {
        matches!(self, Value::Array(_))
    }

    /// Returns whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Value::Object(_))
    }

    /// Returns the value of a member of an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// Returns the value of a member of an object, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        match self {
            Value::Object(members) => members.get_mut(name),
            _ => None,
        }
    }

    /// Returns the element of a list at a position.
    pub fn at(&self, at: usize) -> Option<&Value> {
        self.as_array()?.get(at)
    }

    /// Returns `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns an integer that `i64` has.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    /// Returns an integer that `u64` has.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// Returns a number, rounded to a float.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(number.as_f64()),
            _ => None,
        }
    }

    /// Returns a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of a list.
    pub fn as_array(&self) -> Option<&Vec<Value>> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the elements of a list, to change them.
    pub fn as_array_mut(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the members of an object.
    pub fn as_object(&self) -> Option<&Map> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Takes the value, and leaves `null`.
    #[must_use]
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
}

macro_rules! from_integers {
    ($($signed:ty)+; $($unsigned:ty)+) => {
        $(impl From<$signed> for Value {
            fn from(number: $signed) -> Self {
                let number = i64::from(number);
                let own = u64::try_from(number).map_or(Width::Signed(number), Width::Unsigned);
                Value::Number(Number(own))
            }
        })+
        $(impl From<$unsigned> for Value {
            fn from(number: $unsigned) -> Self {
                Value::Number(Number(Width::Unsigned(number.into())))
            }
        })+
    };
}

from_integers!(i32 i64; u8 u32 u64);

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Value::from(u64::try_from(number).unwrap_or(u64::MAX))
    }
}

/// `null` of what is no finite number.
impl From<f64> for Value {
    fn from(number: f64) -> Self {
        match number.is_finite() {
            true => Value::Number(Number(Width::Float(number))),
            false => Value::Null,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(text: Cow<'_, str>) -> Self {
        Value::String(text.into_owned())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Value {
    fn from(members: [(&str, Value); N]) -> Self {
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Value::Array(items.into_iter().map(Into::into).collect())
    }
}

impl FromIterator<(String, Value)> for Value {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        Value::Object(members.into_iter().collect())
    }
}

/// Without white space, and without recursion.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Open<'v> {
            List(slice::Iter<'v, Value>),
            Map(Iter<'v>),
        }
        let mut writer = Writer::new(Layout::Compact);
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut next = Some(self);
        loop {
            match next {
                None => {}
                Some(Value::Null) => writer.null(),
                Some(Value::Bool(value)) => writer.bool(*value),
                Some(Value::Number(number)) => writer.number(number),
                Some(Value::String(text)) => writer.text(text),
                Some(Value::Array(items)) => {
                    writer.list();
                    open.push(Open::List(items.iter()));
                }
                Some(Value::Object(members)) => {
                    writer.map();
                    open.push(Open::Map(members.iter()));
                }
            }
            next = match open.last_mut() {
                None => return f.write_str(&writer.into_text()),
                Some(Open::List(items)) => items.next(),
                Some(Open::Map(members)) => members.next().map(|(name, value)| {
                    writer.name(name);
                    value
                }),
            };
            if next.is_none() {
                writer.end();
                open.pop();
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(Number(Width::Unsigned(number))) => serializer.serialize_u64(*number),
            Value::Number(Number(Width::Signed(number))) => serializer.serialize_i64(*number),
            Value::Number(Number(Width::Float(number))) => serializer.serialize_f64(*number),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((name, value)) = map.next_entry()? {
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}
