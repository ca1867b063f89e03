//! The notation of values in text formats such as JSON, without loss. It is what a
//! [`Value`](crate::Value) is read from and written to in every format of serde that is for people.
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
//! | value | notation |
//! |---|---|
//! | bean | `{"1:int": 7, "3:string": "a", "base": {…}}`, keys are id and wire type |
//! | dynamic | `{"type": 5, "bean": {…}}` |
//! | list | `{"list": "int", "items": […]}` |
//! | map | `{"map": ["int", "string"], "entries": [[1, "a"], …]}` |
//! | int, float, double | a number; `"NaN"`, `"inf"`, `"-inf"`, `"nan:7fc00001"` |
//! | string | text, or `{"hex": "00ff"}` where it is not UTF-8 |
//! | vectors | `[1.0, 2.0]` |
//!
//! A value that is not a bean and has nothing around it is in an object with its wire type:
//! `{"int": 7}`.

use std::fmt;
use std::fmt::Write as _;

use serde_core::de::{self, DeserializeSeed, Visitor};
use serde_core::ser::{Error as _, SerializeMap, SerializeSeq};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kind::Kind;
use crate::types::{Vector2, Vector3, Vector4};
use crate::value::{Bean, Dynamic, List, Map, Value};

/// The most containers around one another that can be written in the notation and read from it:
/// serde goes through them by recursion, and this is what a stack of 2 MiB holds. The bytes of the
/// format have no such limit.
pub const MAX_DEPTH: usize = 256;

const BASE: &str = "base";

pub(crate) fn serialize<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    if let Value::Bean(_) = value {
        return Bare(value, 0).serialize(serializer);
    }
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(value.kind().name(), &Bare(value, 0))?;
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
                value if value.is_finite() => serializer.serialize_f64(value),
                value => serializer.collect_str(&Special(value.to_bits(), f64::NAN.to_bits(), 11)),
            },
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => serializer.serialize_str(text),
                Err(_) => {
                    let mut map = serializer.serialize_map(Some(1))?;
                    map.serialize_entry("hex", &Hex(bytes))?;
                    map.end()
                }
            },
            Value::List(list) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("list", &TypeName(list.element))?;
                map.serialize_entry(
                    "items",
                    &Items(list, deeper(self.1).map_err(S::Error::custom)?),
                )?;
                map.end()
            }
            Value::Map(entries) => {
                let mut map = serializer.serialize_map(Some(2))?;
                let (key, value) = entries.types;
                map.serialize_entry("map", &[TypeName(key), TypeName(value)])?;
                map.serialize_entry(
                    "entries",
                    &Entries(entries, deeper(self.1).map_err(S::Error::custom)?),
                )?;
                map.end()
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
    let mut seq = serializer.serialize_seq(Some(floats.len()))?;
    floats.iter().try_for_each(|value| seq.serialize_element(&Float(*value)))?;
    seq.end()
}

/// The shortest number that reads back as this float, also by way of a double.
fn float<S: Serializer>(value: f32, serializer: S) -> Result<S::Ok, S::Error> {
    if !value.is_finite() {
        let (bits, nan) = (u64::from(value.to_bits()) << 32, u64::from(f32::NAN.to_bits()) << 32);
        return serializer.collect_str(&Special(bits, nan, 8));
    }
    let exact = f64::from(value);
    let short = value.to_string().parse().unwrap_or(exact);
    let same = crate::read::narrow(short).to_bits() == value.to_bits();
    serializer.serialize_f64(if same { short } else { exact })
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

struct TypeName(u8);

impl Serialize for TypeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Kind::from_number(self.0) {
            Some(kind) => serializer.serialize_str(kind.name()),
            None => serializer.collect_str(&self.0),
        }
    }
}

struct Hex<'a>(&'a [u8]);

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Elements, and the containers around them.
struct Items<'a>(&'a [Value], usize);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|item| Bare(item, self.1)))
    }
}

struct Entries<'a>(&'a [(Value, Value)], usize);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Entries(entries, depth) = *self;
        serializer
            .collect_seq(entries.iter().map(|(key, value)| [Bare(key, depth), Bare(value, depth)]))
    }
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
    deserializer.deserialize_map(RootVisitor)
}

struct RootVisitor;

impl<'de> Visitor<'de> for RootVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bean with keys such as `1:int`, or an object with one wire type")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let first: Option<String> = map.next_key()?;
        if let Some(kind) = first.as_deref().and_then(Kind::from_name) {
            let value = map.next_value_seed(Seed { kind, depth: 0 })?;
            return match map.next_key::<String>()? {
                None => Ok(value),
                Some(key) => Err(de::Error::custom(format!("a value and `{key}` beside it"))),
            };
        }
        fields(map, first, 0).map(Value::Bean)
    }
}

/// A value of a wire type.
#[derive(Clone, Copy)]
struct Seed {
    kind: Kind,
    depth: usize,
}

impl Seed {
    fn inner<E: de::Error>(self, kind: Kind) -> Result<Seed, E> {
        deeper(self.depth).map_err(E::custom).map(|depth| Seed { kind, depth })
    }
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.kind {
            Kind::Int => i64::deserialize(deserializer).map(Value::Int),
            Kind::Float => Float::deserialize(deserializer).map(|float| Value::Float(float.0)),
            Kind::Double => Double::deserialize(deserializer).map(|double| Value::Double(double.0)),
            Kind::Bytes => deserializer.deserialize_any(TextVisitor),
            Kind::Vector2 => vector(deserializer).map(Vector2::from_array).map(Value::Vector2),
            Kind::Vector3 => vector(deserializer).map(Vector3::from_array).map(Value::Vector3),
            Kind::Vector4 => vector(deserializer).map(Vector4::from_array).map(Value::Vector4),
            Kind::Vector2Int => <[i64; 2]>::deserialize(deserializer).map(Value::Vector2Int),
            Kind::Vector3Int => <[i64; 3]>::deserialize(deserializer).map(Value::Vector3Int),
            Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic => {
                deserializer.deserialize_map(self)
            }
        }
    }
}

fn vector<'de, const N: usize, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<[f32; N], D::Error> {
    let floats = Vec::<Float>::deserialize(deserializer)?;
    let floats: Vec<f32> = floats.into_iter().map(|float| float.0).collect();
    floats.try_into().map_err(|_| de::Error::custom(format!("expected {N} components")))
}

impl<'de> Visitor<'de> for Seed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::List => "a list with `list` and `items`",
            Kind::Map => "a map with `map` and `entries`",
            Kind::Dynamic => "a dynamic bean with `type` and `bean`",
            _ => "a bean with keys such as `1:int`",
        })
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let value = match self.kind {
            Kind::List => {
                key(&mut map, "list")?;
                let TypeNumber(element) = map.next_value()?;
                key(&mut map, "items")?;
                let seed = self.inner(Kind::from_number(element).unwrap_or(Kind::Int))?;
                let items = map.next_value_seed(ItemsSeed(seed))?;
                Value::List(List { element, items })
            }
            Kind::Map => {
                key(&mut map, "map")?;
                let (TypeNumber(key_type), TypeNumber(value_type)) = map.next_value()?;
                key(&mut map, "entries")?;
                let keys = self.inner(Kind::from_number(key_type).unwrap_or(Kind::Int))?;
                let values = self.inner(Kind::from_number(value_type).unwrap_or(Kind::Int))?;
                let entries = map.next_value_seed(EntriesSeed(keys, values))?;
                Value::Map(Map { types: (key_type, value_type), entries })
            }
            Kind::Dynamic => {
                key(&mut map, "type")?;
                let type_id = map.next_value()?;
                key(&mut map, "bean")?;
                let bean =
                    map.next_value_seed(BeanSeed(deeper(self.depth).map_err(de::Error::custom)?))?;
                Value::Dynamic(Box::new(Dynamic { type_id, bean }))
            }
            _ => {
                let first = map.next_key()?;
                return fields(map, first, self.depth).map(Value::Bean);
            }
        };
        match map.next_key::<String>()? {
            None => Ok(value),
            Some(key) => Err(de::Error::custom(format!("expected nothing more, found `{key}`"))),
        }
    }
}

/// The next key, which has to be this one.
fn key<'de, A: de::MapAccess<'de>>(map: &mut A, wanted: &str) -> Result<(), A::Error> {
    match map.next_key::<String>()? {
        Some(found) if found == wanted => Ok(()),
        Some(found) => Err(de::Error::custom(format!("expected `{wanted}`, found `{found}`"))),
        None => Err(de::Error::custom(format!("expected `{wanted}`, found nothing"))),
    }
}

/// The fields of a bean, of which one key was read.
fn fields<'de, A: de::MapAccess<'de>>(
    mut map: A,
    first: Option<String>,
    depth: usize,
) -> Result<Bean, A::Error> {
    let depth = deeper(depth).map_err(de::Error::custom)?;
    let (mut bean, mut next) = (Bean::new(), first);
    while let Some(name) = next {
        if name == BASE {
            bean.base = Some(Box::new(map.next_value_seed(BeanSeed(depth))?));
        } else {
            let parts = name.split_once(':');
            let field = parts
                .and_then(|(id, kind)| Some((id.parse::<u32>().ok()?, Kind::from_name(kind)?)));
            let Some((id, kind)) = field else {
                return Err(de::Error::custom(format!(
                    "expected a key of id and wire type such as `1:int`, found `{name}`"
                )));
            };
            let value = map.next_value_seed(Seed { kind, depth })?;
            if bean.insert(id, value).is_some() {
                return Err(de::Error::custom(format!("duplicate field {id}")));
            }
        }
        next = map.next_key()?;
    }
    Ok(bean)
}

struct BeanSeed(usize);

impl<'de> DeserializeSeed<'de> for BeanSeed {
    type Value = Bean;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Bean, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for BeanSeed {
    type Value = Bean;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bean with keys such as `1:int`")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Bean, A::Error> {
        let first = map.next_key()?;
        fields(map, first, self.0)
    }
}

struct ItemsSeed(Seed);

impl<'de> DeserializeSeed<'de> for ItemsSeed {
    type Value = Vec<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Value>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ItemsSeed {
    type Value = Vec<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the elements of a list")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Value>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.0)? {
            items.push(item);
        }
        Ok(items)
    }
}

struct EntriesSeed(Seed, Seed);

impl<'de> DeserializeSeed<'de> for EntriesSeed {
    type Value = Vec<(Value, Value)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for EntriesSeed {
    type Value = Vec<(Value, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entries of a map")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = seq.next_element_seed(EntrySeed(self.0, self.1))? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

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
        key.zip(value).ok_or_else(|| de::Error::invalid_length(1, &"a key and its value"))
    }
}

/// The name of a wire type, or one of the numbers 13 to 15.
struct TypeNumber(u8);

impl<'de> Deserialize<'de> for TypeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let number = match Kind::from_name(&name) {
            Some(kind) => Some(kind.number()),
            None => name.parse().ok().filter(|number| (13..16).contains(number)),
        };
        number.map(TypeNumber).ok_or_else(|| {
            de::Error::custom(format!("expected the name of a wire type, found `{name}`"))
        })
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, or an object with `hex`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Bytes(text.as_bytes().to_vec()))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        key(&mut map, "hex")?;
        let hex: String = map.next_value()?;
        if let Some(key) = map.next_key::<String>()? {
            return Err(de::Error::custom(format!("expected nothing more, found `{key}`")));
        }
        let bytes = hex.as_bytes().as_chunks::<2>();
        let pairs = bytes.0.iter().map(|pair| {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            let byte = digit(pair[0])?.checked_mul(16)?.checked_add(digit(pair[1])?)?;
            u8::try_from(byte).ok()
        });
        let decoded: Option<Vec<u8>> = pairs.collect();
        decoded
            .filter(|_| bytes.1.is_empty())
            .map(Value::Bytes)
            .ok_or_else(|| de::Error::custom("expected pairs of hexadecimal digits"))
    }
}

macro_rules! floats {
    ($($name:ident $visitor:ident $float:ident $bits:ident $cast:expr;)+) => {$(
        struct $name($float);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor).map($name)
            }
        }

        struct $visitor;

        impl Visitor<'_> for $visitor {
            type Value = $float;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or `NaN`, `inf`, `-inf`, `nan:` and its bits")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<$float, E> {
                Ok($cast(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<$float, E> {
                Ok($cast(crate::read::int_to_double(value)))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<$float, E> {
                Ok($cast(value as f64))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<$float, E> {
                match text {
                    "NaN" => return Ok($float::NAN),
                    "inf" => return Ok($float::INFINITY),
                    "-inf" => return Ok($float::NEG_INFINITY),
                    _ => {}
                }
                let bits = text.strip_prefix("nan:");
                let bits = bits.and_then(|digits| $bits::from_str_radix(digits, 16).ok());
                let value = bits.map($float::from_bits).filter(|value| value.is_nan());
                value.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
    )+};
}

floats! {
    Float FloatVisitor f32 u32 crate::read::narrow;
    Double DoubleVisitor f64 u64 std::convert::identity;
}
