//! The [notation] of values in text formats such as JSON, without loss. It is what a
//! [`Value`] is read from and written to in every format of serde that is for people.
//!
//! ```
//! use zeze_serialize::Value;
//!
//! let value: Value = zeze_serialize::from_slice(&[0x10, 7, 0x13, 1, b'a', 0])?;
//! let json = serde_json::to_string(&value).unwrap();
//! assert_eq!(json, r#"{"1:int":7,"2:string":"a"}"#);
//! assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
//! # Ok::<(), zeze_serialize::Error>(())
//! ```
//!
//! [notation]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#11-json-notation
//!
//! | value | notation |
//! |---|---|
//! | bean | `{"1:int": 7, "3:string": "a", "base": {…}}`, keys are id and wire type |
//! | dynamic | `{"type": 5, "bean": {…}}` |
//! | list | `{"int": […]}`, the key is the wire type of the elements |
//! | map | `{"int:string": [[1, "a"], …]}`, the key is the wire types of keys and values |
//! | int, float, double | a number; `"0.30000000000000004"`, `"NaN"`, `"inf"`, `"-inf"`, `"nan:7fc00001"` |
//! | string | text, or `{"hex": "00ff"}` where it is not UTF-8 |
//! | vectors | `[1.0, 2.0]` |
//!
//! Floats and doubles of more than 15 digits, or of 10¹⁵ and more or under 10⁻⁷, are text, because many
//! readers of numbers, such as that of `serde_json` by default, change some of those in the last digit.
//! Numbers are read for all of them.
//!
//! A value that is not a bean and has nothing around it is in an object with its wire type:
//! `{"int": 7}`.
//!
//! No object's members need an order, so that the notation goes through tools that sort them, such as
//! `serde_json::Value` by default.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;

use serde_core::de::{self, DeserializeSeed, Unexpected, Visitor};
use serde_core::ser::{Error as _, SerializeMap};
use serde_core::{Deserializer, Serialize, Serializer};

use crate::cast;
use crate::kind::Kind;
use crate::types::{Vector2, Vector3, Vector4};
use crate::value::{Bean, Dynamic, List, Map, Value};

/// The most containers around one another that can be written in the notation and read from it: as
/// many as [`max_depth`](crate::Options::max_depth) is by default. Serde goes through them by
/// recursion, and a stack of 2 MiB holds about twice as many. The bytes of the format have no such
/// limit.
pub const MAX_DEPTH: usize = 128;

const BASE: &str = "base";

pub(crate) fn serialize<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    if let Value::Bean(_) = value {
        return Bare(value, 0).serialize(serializer);
    }
    one(serializer, value.kind().name(), &Bare(value, 0))
}

/// An object with one member.
fn one<S: Serializer, T: Serialize>(
    serializer: S,
    name: &str,
    value: &T,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

fn deeper(depth: usize) -> Result<usize, TooDeep> {
    if depth >= MAX_DEPTH { Err(TooDeep) } else { Ok(depth.saturating_add(1)) }
}

struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {MAX_DEPTH} levels, the limit of the notation")
    }
}

/// A value whose wire type stands before it, and the containers around it.
struct Bare<'a>(&'a Value, usize);

impl Serialize for Bare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::Float(value) => float(*value, serializer),
            Value::Double(value) => match *value {
                value if value.is_finite() => double(value, serializer),
                value => serializer.collect_str(&Special(value.to_bits(), f64::NAN.to_bits(), 11)),
            },
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => serializer.serialize_str(text),
                Err(_) => one(serializer, "hex", &hex(bytes)),
            },
            Value::List(list) => {
                let depth = deeper(self.1).map_err(S::Error::custom)?;
                let items = list.items.iter().map(|item| Bare(item, depth));
                one(serializer, &type_name(list.element), &Sequence(items))
            }
            Value::Map(map) => {
                let depth = deeper(self.1).map_err(S::Error::custom)?;
                let entries = map.entries.iter();
                let entries = entries.map(|(key, value)| [Bare(key, depth), Bare(value, depth)]);
                let types = format!("{}:{}", type_name(map.types.0), type_name(map.types.1));
                one(serializer, &types, &Sequence(entries))
            }
            Value::Bean(bean) => {
                Fields(bean, deeper(self.1).map_err(S::Error::custom)?).serialize(serializer)
            }
            Value::Dynamic(dynamic) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("type", &dynamic.type_id)?;
                map.serialize_entry(
                    "bean",
                    &Fields(&dynamic.bean, deeper(self.1).map_err(S::Error::custom)?),
                )?;
                map.end()
            }
            Value::Vector2(vector) => floats(&vector.to_array(), serializer),
            Value::Vector3(vector) => floats(&vector.to_array(), serializer),
            Value::Vector4(vector) => floats(&vector.to_array(), serializer),
            Value::Vector2Int(vector) => vector.serialize(serializer),
            Value::Vector3Int(vector) => vector.serialize(serializer),
        }
    }
}

fn floats<S: Serializer>(floats: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    struct Float(f32);
    impl Serialize for Float {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            float(self.0, serializer)
        }
    }
    serializer.collect_seq(floats.iter().map(|value| Float(*value)))
}

/// What an iterator gives, which can be had again.
struct Sequence<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Sequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// The shortest number that reads back as this float, also by way of a double.
fn float<S: Serializer>(value: f32, serializer: S) -> Result<S::Ok, S::Error> {
    if !value.is_finite() {
        let (bits, nan) = (u64::from(value.to_bits()) << 32, u64::from(f32::NAN.to_bits()) << 32);
        return serializer.collect_str(&Special(bits, nan, 8));
    }
    let exact = f64::from(value);
    let short = value.to_string().parse().unwrap_or(exact);
    let same = cast::narrow(short).to_bits() == value.to_bits();
    double(if same { short } else { exact }, serializer)
}

fn double<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if survives(value) {
        return serializer.serialize_f64(value);
    }
    serializer.collect_str(&format_args!("{value:?}"))
}

/// Whether any reader makes the same number of its shortest digits: those of one that multiplies or
/// divides them by a power of ten, rounding once, are right as long as both are exact, digits and
/// power. That is so up to 2⁵³ and 10²², and a zero after the point counts as a digit.
fn survives(value: f64) -> bool {
    let shortest = format!("{value:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit);
    let size = value.abs();
    size == 0.0 || ((1e-7..1e15).contains(&size) && digits.count() <= 15)
}

/// An infinity or NaN: its bits, aligned to the left, those of the usual NaN, and the number of
/// bits of its exponent.
struct Special(u64, u64, u32);

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Special(bits, nan, exponent) = *self;
        let mantissa = bits.unbounded_shl(exponent.saturating_add(1));
        match (mantissa, bits >> 63) {
            (0, 0) => f.write_str("inf"),
            (0, _) => f.write_str("-inf"),
            _ if bits == nan => f.write_str("NaN"),
            _ if exponent == 8 => write!(f, "nan:{:08x}", bits >> 32),
            _ => write!(f, "nan:{bits:016x}"),
        }
    }
}

/// The name of a wire type, or one of the numbers 13 to 15.
fn type_name(number: u8) -> Cow<'static, str> {
    Kind::from_number(number).map_or_else(|| number.to_string().into(), |kind| kind.name().into())
}

fn type_number<E: de::Error>(name: &str) -> Result<u8, E> {
    let number = match Kind::from_name(name) {
        Some(kind) => Some(kind.number()),
        None => name.parse().ok().filter(|number| (13..16).contains(number)),
    };
    let wrong = || E::custom(format!("expected the name of a wire type, found `{name}`"));
    number.ok_or_else(wrong)
}

struct Fields<'a>(&'a Bean, usize);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut name = String::new();
        for (id, value) in self.0.iter() {
            name.clear();
            // Writing to a string cannot fail.
            let _ = write!(name, "{id}:{}", value.kind());
            map.serialize_entry(&name, &Bare(value, self.1))?;
        }
        if let Some(base) = self.0.base() {
            map.serialize_entry(BASE, &Fields(base, deeper(self.1).map_err(S::Error::custom)?))?;
        }
        map.end()
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    deserializer.deserialize_map(Seed { what: What::Root, depth: 0 })
}

/// What is read next.
#[derive(Clone, Copy)]
enum What {
    /// A bean, or an object with one wire type.
    Root,
    Value(Kind),
    /// The elements of a list, by the number of their wire type.
    Items(u8),
    /// The entries of a map, by the numbers of both wire types.
    Entries(u8, u8),
}

/// Reads one thing inside of `depth` containers.
#[derive(Clone, Copy)]
struct Seed {
    what: What,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.what {
            What::Items(_) | What::Entries(..) => deserializer.deserialize_seq(self),
            What::Value(kind) if kind.is_container() => deserializer.deserialize_map(self),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl Seed {
    /// A value in this one, which is a container.
    fn inner<E: de::Error>(self, what: What) -> Result<Seed, E> {
        Ok(Seed { what, depth: deeper(self.depth).map_err(E::custom)? })
    }

    /// A value beside this one. Of a type that does not exist there is none.
    fn element(self, number: u8) -> Seed {
        Seed { what: What::Value(Kind::from_number(number).unwrap_or(Kind::Int)), ..self }
    }

    fn list<'de, A: de::MapAccess<'de>>(self, map: &mut A) -> Result<Value, A::Error> {
        let element = type_number(&key(map, "a wire type")?)?;
        map.next_value_seed(self.inner(What::Items(element))?)
    }

    fn map<'de, A: de::MapAccess<'de>>(self, map: &mut A) -> Result<Value, A::Error> {
        let name = key(map, "two wire types")?;
        let (keys, values) = name.split_once(':').unwrap_or((&name, ""));
        let (keys, values) = (type_number(keys)?, type_number(values)?);
        map.next_value_seed(self.inner(What::Entries(keys, values))?)
    }

    fn dynamic<'de, A: de::MapAccess<'de>>(self, map: &mut A) -> Result<Value, A::Error> {
        let (mut type_id, mut bean) = (None, None);
        for _ in 0..2 {
            match &*key(map, "`type` and `bean`")? {
                "type" => type_id = Some(map.next_value()?),
                // It is no level of its own.
                "bean" => {
                    let value =
                        map.next_value_seed(Seed { what: What::Value(Kind::Bean), ..self })?;
                    bean = if let Value::Bean(bean) = value { Some(bean) } else { None };
                }
                other => {
                    let text = format!("expected `type` and `bean`, found `{other}`");
                    return Err(de::Error::custom(text));
                }
            }
        }
        let missing = || de::Error::custom("expected `type` and `bean`, each once");
        let (type_id, bean) = type_id.zip(bean).ok_or_else(missing)?;
        Ok(Dynamic { type_id, bean }.into())
    }

    /// The fields of a bean, of which one key was read.
    fn fields<'de, A: de::MapAccess<'de>>(
        self,
        mut map: A,
        first: Option<String>,
    ) -> Result<Bean, A::Error> {
        let (mut bean, mut next) = (Bean::new(), first);
        while let Some(name) = next {
            let parts = name.split_once(':');
            let parts =
                parts.and_then(|(id, kind)| Some((id.parse().ok()?, Kind::from_name(kind)?)));
            match parts {
                Some((id, kind)) => {
                    let value = map.next_value_seed(self.inner(What::Value(kind))?)?;
                    bean.fields.push((id, value));
                }
                None if name == BASE => {
                    let base = map.next_value_seed(self.inner(What::Value(Kind::Bean))?)?;
                    if let Value::Bean(base) = base {
                        bean.set_base(Some(base));
                    }
                }
                None => {
                    return Err(de::Error::custom(format!(
                        "expected a key of id and wire type such as `1:int`, found `{name}`"
                    )));
                }
            }
            next = map.next_key()?;
        }
        // Once at the end, for to put each in its place takes time for all those after it.
        bean.fields.sort_by_key(|field| field.0);
        for (a, b) in bean.fields.iter().zip(bean.fields.iter().skip(1)) {
            if a.0 == b.0 {
                return Err(de::Error::custom(format!("duplicate field {}", a.0)));
            }
        }
        Ok(bean)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.what {
            What::Root => "a bean with keys such as `1:int`, or an object with one wire type",
            What::Items(_) => "the elements of a list",
            What::Entries(..) => "the entries of a map",
            What::Value(kind) => match kind {
                Kind::Int => "an integer of 64 bits",
                Kind::Float | Kind::Double => {
                    "a number, also as text, or `NaN`, `inf`, `-inf`, `nan:` and its bits"
                }
                Kind::Bytes => "text, or an object with `hex`",
                Kind::List => "a list: an object with the wire type of the elements",
                Kind::Map => "a map: an object with the wire types such as `int:string`",
                Kind::Bean => "a bean with keys such as `1:int`",
                Kind::Dynamic => "a dynamic bean with `type` and `bean`",
                _ => "the components of a vector",
            },
        })
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        match self.what {
            What::Value(Kind::Int) => Ok(Value::Int(value)),
            What::Value(Kind::Float | Kind::Double) => self.visit_f64(cast::int_to_double(value)),
            _ => Err(E::invalid_type(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        match (i64::try_from(value), self.what) {
            (Ok(value), _) => self.visit_i64(value),
            (_, What::Value(Kind::Float | Kind::Double)) => self.visit_f64(value as f64),
            _ => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        match self.what {
            What::Value(Kind::Float) => Ok(Value::Float(cast::narrow(value))),
            What::Value(Kind::Double) => Ok(Value::Double(value)),
            _ => Err(E::invalid_type(Unexpected::Float(value), &self)),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        let bits = text.strip_prefix("nan:").unwrap_or_default();
        let value = match (self.what, text) {
            (What::Value(Kind::Bytes), text) => return Ok(text.into()),
            (What::Value(Kind::Float | Kind::Double), "NaN") => return self.visit_f64(f64::NAN),
            (What::Value(Kind::Float | Kind::Double), "inf") => {
                return self.visit_f64(f64::INFINITY);
            }
            (What::Value(Kind::Float | Kind::Double), "-inf") => {
                return self.visit_f64(f64::NEG_INFINITY);
            }
            (What::Value(Kind::Float), _) => u32::from_str_radix(bits, 16)
                .ok()
                .map(f32::from_bits)
                .filter(|float| float.is_nan())
                .map(Value::Float),
            (What::Value(Kind::Double), _) => u64::from_str_radix(bits, 16)
                .ok()
                .map(f64::from_bits)
                .filter(|double| double.is_nan())
                .map(Value::Double),
            _ => return Err(E::invalid_type(Unexpected::Str(text), &self)),
        };
        let number = || text.parse().ok().filter(|number: &f64| number.is_finite());
        let number = value.is_none().then(number).flatten();
        if let Some(number) = number {
            return self.visit_f64(number);
        }
        value.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Value, A::Error> {
        match self.what {
            What::Items(element) => {
                let items = all(seq, self.element(element))?;
                Ok(Value::List(List { element, items }))
            }
            What::Entries(key, value) => {
                let entries = all(seq, EntrySeed(self.element(key), self.element(value)))?;
                Ok(Value::Map(Map { types: (key, value), entries }))
            }
            What::Value(kind) if kind.components() > 0 => {
                let component = if kind.has_ints() { Kind::Int } else { Kind::Float };
                let components = all(seq, self.element(component.number()))?;
                vector(kind, &components).ok_or_else(|| {
                    de::Error::custom(format!("expected {} components", kind.components()))
                })
            }
            _ => Err(de::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let kind = match self.what {
            What::Value(kind) => kind,
            What::Root => {
                let first: Option<String> = map.next_key()?;
                let Some(kind) = first.as_deref().and_then(Kind::from_name) else {
                    return self.fields(map, first).map(Value::Bean);
                };
                let value = map.next_value_seed(Seed { what: What::Value(kind), ..self })?;
                return match map.next_key::<String>()? {
                    None => Ok(value),
                    Some(key) => Err(de::Error::custom(format!("a value and `{key}` beside it"))),
                };
            }
            _ => return Err(de::Error::invalid_type(Unexpected::Map, &self)),
        };
        // Each in a function of its own, for what one of them has on the stack is there at each level.
        let value = match kind {
            Kind::List => self.list(&mut map)?,
            Kind::Map => self.map(&mut map)?,
            Kind::Dynamic => self.dynamic(&mut map)?,
            Kind::Bean => {
                let first = map.next_key()?;
                return self.fields(map, first).map(Value::Bean);
            }
            Kind::Bytes => {
                let name = key(&mut map, "`hex`")?;
                let digits: String = map.next_value()?;
                let bytes = unhex(&digits).filter(|_| name == "hex");
                let wrong = || de::Error::custom("expected pairs of hexadecimal digits in `hex`");
                Value::Bytes(bytes.ok_or_else(wrong)?)
            }
            _ => return Err(de::Error::invalid_type(Unexpected::Map, &self)),
        };
        match map.next_key::<String>()? {
            None => Ok(value),
            Some(key) => Err(de::Error::custom(format!("expected nothing more, found `{key}`"))),
        }
    }
}

/// The elements of a sequence.
fn all<'de, A, T>(mut seq: A, seed: T) -> Result<Vec<T::Value>, A::Error>
where
    A: de::SeqAccess<'de>,
    T: DeserializeSeed<'de> + Copy,
{
    let mut items = Vec::new();
    while let Some(item) = seq.next_element_seed(seed)? {
        items.push(item);
    }
    Ok(items)
}

/// A vector of a wire type; `None` if the number of components is another.
fn vector(kind: Kind, components: &[Value]) -> Option<Value> {
    let float = |value: &Value| if let Value::Float(float) = value { *float } else { 0.0 };
    let floats: Vec<f32> = components.iter().map(float).collect();
    let ints: Vec<i64> = components.iter().filter_map(Value::as_i64).collect();
    match kind {
        Kind::Vector2 => <[f32; 2]>::try_from(floats).ok().map(|v| Vector2::from(v).into()),
        Kind::Vector3 => <[f32; 3]>::try_from(floats).ok().map(|v| Vector3::from(v).into()),
        Kind::Vector4 => <[f32; 4]>::try_from(floats).ok().map(|v| Vector4::from(v).into()),
        Kind::Vector2Int => ints.try_into().ok().map(Value::Vector2Int),
        _ => ints.try_into().ok().map(Value::Vector3Int),
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(digit.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = |pair: &[u8; 2]| digit(pair[0])?.checked_mul(16)?.checked_add(digit(pair[1])?);
    pairs.iter().map(|pair| byte(pair).and_then(|byte| u8::try_from(byte).ok())).collect()
}

/// The next key, which has to be there.
fn key<'de, A: de::MapAccess<'de>>(map: &mut A, wanted: &str) -> Result<String, A::Error> {
    let missing = || de::Error::custom(format!("expected {wanted}, found nothing"));
    map.next_key()?.ok_or_else(missing)
}

/// A key and its value.
#[derive(Clone, Copy)]
struct EntrySeed(Seed, Seed);

impl<'de> DeserializeSeed<'de> for EntrySeed {
    type Value = (Value, Value);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for EntrySeed {
    type Value = (Value, Value);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key and its value")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let key = seq.next_element_seed(self.0)?;
        let value = seq.next_element_seed(self.1)?;
        key.zip(value).ok_or_else(|| de::Error::invalid_length(1, &self))
    }
}
