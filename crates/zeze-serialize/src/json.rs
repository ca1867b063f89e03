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
//! [notation]: https://github.com/gamewire/gamewire/blob/main/docs/crates/zeze-serialize.md#json-notation
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
use std::fmt::{self, Write as _};

use gamewire_core::bytes::{from_hex, hex};
use gamewire_core::json::{Elements, FaultKind, Kind as Form, Node, Reading, Seed};
use serde_core::de::{DeserializeSeed, Error as _, Unexpected};
use serde_core::ser::{Error as _, SerializeMap};
use serde_core::{Deserializer, Serialize, Serializer};

use crate::cast;
use crate::error::{Error, ErrorKind, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::value::{Bean, Value};
use crate::write;

/// The most containers around one another that can be written in the notation and read from it: as
/// many as [`max_depth`](crate::Options::max_depth) is by default. Serde goes through them by
/// recursion, and a stack of 2 MiB holds about twice as many. The bytes of the format have no such
/// limit.
pub const MAX_DEPTH: usize = 128;

/// Brackets that may be open at once: a map is in three, for its types, its entries and one entry.
const MAX_LEVELS: usize = MAX_DEPTH.saturating_mul(3).saturating_add(3);

type Result<T, E = Error> = std::result::Result<T, E>;

const BASE: &str = "base";

/// Reads a value from JSON in the notation. Errors have the offset in the text, and the path.
///
/// ```
/// let error = zeze_serialize::json::from_str(r#"{"1:int": "x"}"#).unwrap_err();
/// assert_eq!((error.offset(), error.path().to_string()), (Some(10), r#"["1:int"]"#.to_owned()));
/// ```
///
/// # Errors
///
/// Text that is no JSON or not in the notation, and more than [`MAX_DEPTH`] levels.
pub fn from_str(text: &str) -> Result<Value> {
    let (kind, bytes) = to_vec(text)?;
    made(&bytes, kind)
}

/// Makes the wire type and the bytes of a value from JSON in the notation, without the value: this takes
/// less memory than [`from_str`].
///
/// ```
/// use zeze_serialize::{Kind, json};
///
/// assert_eq!(json::to_vec(r#"{"1:int": 7}"#)?, (Kind::Bean, vec![0x10, 7, 0]));
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`from_str`].
pub fn to_vec(text: &str) -> Result<(Kind, Vec<u8>)> {
    let items = Reading { max_levels: MAX_LEVELS, ..Reading::default() }.items(text);
    let items = items.map_err(|fault| match fault.kind {
        FaultKind::Depth => too_deep().or_at(fault.offset),
        _ => Error::at(ErrorKind::Data, fault.offset, fault.message),
    })?;
    let mut out = Vec::new();
    let kind = root(&mut out, items.root()).map_err(|error| error.or_at(items.root().offset()))?;
    Ok((kind, out))
}

/// The value of bytes that were made here.
fn made(bytes: &[u8], kind: Kind) -> Result<Value> {
    let options = Options::new().max_memory(usize::MAX);
    Value::take_from_slice(bytes, kind, &options).map(|(value, _)| value)
}

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

fn deeper(depth: usize) -> Result<usize> {
    if depth >= MAX_DEPTH { Err(too_deep()) } else { Ok(depth.saturating_add(1)) }
}

#[cold]
fn too_deep() -> Error {
    let text = format!("more than {MAX_DEPTH} levels, the limit of the notation");
    Error::new(ErrorKind::DepthLimit, text)
}

/// A value whose wire type stands before it, and the containers around it.
struct Bare<'a>(&'a Value, usize);

impl Serialize for Bare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = || deeper(self.1).map_err(S::Error::custom);
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
                let depth = depth()?;
                let items = list.items.iter().map(|item| Bare(item, depth));
                one(serializer, &type_name(list.element), &Sequence(items))
            }
            Value::Map(map) => {
                let depth = depth()?;
                let entries = map.entries.iter();
                let entries = entries.map(|(key, value)| [Bare(key, depth), Bare(value, depth)]);
                let types = format!("{}:{}", type_name(map.types.0), type_name(map.types.1));
                one(serializer, &types, &Sequence(entries))
            }
            Value::Bean(bean) => Fields(bean, depth()?).serialize(serializer),
            Value::Dynamic(dynamic) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("type", &dynamic.type_id)?;
                map.serialize_entry("bean", &Fields(&dynamic.bean, depth()?))?;
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

/// The items of an iterator as a sequence.
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

fn type_number(name: &str) -> Result<u8> {
    let number = match Kind::from_name(name) {
        Some(kind) => Some(kind.number()),
        None => name.parse().ok().filter(|number| (13..16).contains(number)),
    };
    let wrong = || fault(format_args!("expected the name of a wire type, found `{name}`"));
    number.map_or_else(wrong, Ok)
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

/// Reads a value in the notation; `of_bytes` makes the one of the bytes that another format has, which come
/// here as hexadecimal digits if one of serde's buffers has kept them.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
    of_bytes: fn(&[u8]) -> Result<Value>,
) -> Result<Value, D::Error> {
    let seed = Seed { max_levels: MAX_LEVELS, expected: ROOT };
    let items = seed.deserialize(deserializer)?;
    let mut out = Vec::new();
    let value = match items.root().text().and_then(|digits| from_hex(&digits)) {
        Some(bytes) => of_bytes(&bytes),
        None => root(&mut out, items.root()).and_then(|kind| made(&out, kind)),
    };
    // The items have a text of their own, so that their offsets say nothing.
    value.map_err(|error| D::Error::custom(error.without_offset()))
}

const ROOT: &str = "a bean with keys such as `1:int`, or an object with one wire type";

fn fault<T>(text: impl fmt::Display) -> Result<T> {
    Err(Error::new(ErrorKind::Data, text.to_string()))
}

/// The error for a value of another form.
#[cold]
fn invalid<T>(node: Node<'_>, expected: &str) -> Result<T> {
    let text = node.text().unwrap_or_default();
    let number = node.number().unwrap_or_default();
    let found = match node.kind() {
        Form::Null => Unexpected::Unit,
        Form::Bool(value) => Unexpected::Bool(value),
        Form::Number => match number.parse() {
            Ok(value) => Unexpected::Signed(value),
            Err(_) => Unexpected::Float(number.parse().unwrap_or_default()),
        },
        Form::Text => Unexpected::Str(&text),
        Form::List => Unexpected::Seq,
        Form::Map => Unexpected::Map,
    };
    let text = format!("invalid type: {found}, expected {expected}");
    Err(Error::at(ErrorKind::Data, node.offset(), text))
}

fn root(out: &mut Vec<u8>, node: Node<'_>) -> Result<Kind> {
    let Some(mut members) = node.members() else { return invalid(node, ROOT) };
    let first = members.next();
    let Some((kind, inner)) = first.and_then(|(name, own)| Some((Kind::from_name(&name)?, own)))
    else {
        return bean(out, node, 0).map(|()| Kind::Bean);
    };
    match members.next() {
        None => {
            value(out, inner, kind, 0).map_err(|error| error.inside(Segment::field(kind.name())))
        }
        Some((name, inner)) => {
            let text = format!("a value and `{name}` beside it");
            Err(Error::at(ErrorKind::Data, inner.name_offset(), text))
        }
    }
    .map(|()| kind)
}

/// Writes a value inside of `depth` containers.
fn value(out: &mut Vec<u8>, node: Node<'_>, kind: Kind, depth: usize) -> Result<()> {
    of_kind(out, node, kind, depth).map_err(|error| error.or_at(node.offset()))
}

fn of_kind(out: &mut Vec<u8>, node: Node<'_>, kind: Kind, depth: usize) -> Result<()> {
    match kind {
        Kind::Int => match node.number().and_then(|number| number.parse().ok()) {
            Some(value) => write::int(out, value),
            None => return invalid(node, "an integer of 64 bits"),
        },
        Kind::Float | Kind::Double => return number(out, node, kind),
        Kind::Bytes => match (node.text(), node.members()) {
            (Some(text), _) => write::bytes(out, text.as_bytes())?,
            (None, Some(_)) => {
                let (name, inner) = only(node, "`hex`")?;
                let bytes = inner.text().and_then(|digits| from_hex(&digits));
                match bytes.filter(|_| name == "hex") {
                    Some(bytes) => write::bytes(out, &bytes)?,
                    None => return fault("expected pairs of hexadecimal digits in `hex`"),
                }
            }
            _ => return invalid(node, "text, or an object with `hex`"),
        },
        Kind::List => {
            let (name, inner) = only(node, "a wire type")?;
            let element = type_number(&name)?;
            let mut items = elements(inner, "the elements of a list")?;
            write::list_header(out, write::length(items.clone().count())?, element);
            items
                .try_for_each(|item| value(out, item, known(element)?, deeper(depth)?))
                .map_err(|error| error.inside(Segment::field(&name)))?;
        }
        Kind::Map => {
            let (name, inner) = only(node, "two wire types")?;
            let (key, of) = name.split_once(':').unwrap_or((&name, ""));
            let types = (type_number(key)?, type_number(of)?);
            let mut entries = elements(inner, "the entries of a map")?;
            write::map_header(out, write::length(entries.clone().count())?, types.0, types.1);
            entries
                .try_for_each(|entry| self::entry(out, entry, types, deeper(depth)?))
                .map_err(|error| error.inside(Segment::field(&name)))?;
        }
        Kind::Bean => bean(out, node, depth)?,
        Kind::Dynamic => dynamic(out, node, depth)?,
        _ => vector(out, node, kind, depth)?,
    }
    Ok(())
}

/// The elements of an array.
fn elements<'t>(node: Node<'t>, expected: &str) -> Result<Elements<'t>> {
    node.elements().map_or_else(|| invalid(node, expected), Ok)
}

/// The only member of an object.
fn only<'t>(node: Node<'t>, wanted: &str) -> Result<(Cow<'t, str>, Node<'t>)> {
    let Some(mut members) = node.members() else { return invalid(node, "an object") };
    match (members.next(), members.next()) {
        (Some(member), None) => Ok(member),
        (_, Some((name, _))) => fault(format_args!("expected nothing more, found `{name}`")),
        (None, _) => fault(format_args!("expected {wanted}, found nothing")),
    }
}

/// The wire type of elements that are there.
fn known(number: u8) -> Result<Kind> {
    let text = || format!("expected no element of wire type {number}, found one");
    Kind::from_number(number).ok_or_else(|| Error::new(ErrorKind::MixedTypes, text()))
}

fn entry(out: &mut Vec<u8>, node: Node<'_>, types: (u8, u8), depth: usize) -> Result<()> {
    let mut parts = elements(node, "a key and its value")?;
    match (parts.next(), parts.next(), parts.next()) {
        (Some(key), Some(of), None) => {
            value(out, key, known(types.0)?, depth)?;
            value(out, of, known(types.1)?, depth)
        }
        _ => fault("expected a key and its value"),
    }
}

fn dynamic(out: &mut Vec<u8>, node: Node<'_>, depth: usize) -> Result<()> {
    let Some(members) = node.members() else {
        return invalid(node, "a dynamic bean with `type` and `bean`");
    };
    let (mut type_id, mut bean, mut count) = (None, None, 0_usize);
    for (name, inner) in members {
        count = count.saturating_add(1);
        match &*name {
            "type" => type_id = Some(inner),
            "bean" => bean = Some(inner),
            _ => return fault(format_args!("expected `type` and `bean`, found `{name}`")),
        }
    }
    match (type_id, bean) {
        (Some(type_id), Some(bean)) if count == 2 => {
            value(out, type_id, Kind::Int, depth)?;
            self::bean(out, bean, depth).map_err(|error| error.inside(Segment::field("bean")))
        }
        (None, None) => fault("expected `type` and `bean`, found nothing"),
        (Some(_), None) if count == 1 => fault("expected `bean` beside `type`"),
        (None, Some(_)) if count == 1 => fault("expected `type` beside `bean`"),
        _ => fault("expected `type` and `bean`, each once"),
    }
}

fn bean(out: &mut Vec<u8>, node: Node<'_>, depth: usize) -> Result<()> {
    layer(out, node, depth)?;
    out.push(write::END);
    Ok(())
}

/// Writes the fields of a bean, and of its base.
fn layer(out: &mut Vec<u8>, node: Node<'_>, depth: usize) -> Result<()> {
    let Some(members) = node.members() else {
        return invalid(node, "a bean with keys such as `1:int`");
    };
    let (mut fields, mut base, depth) = (Vec::new(), None, deeper(depth)?);
    for (name, inner) in members {
        let parts = name.split_once(':');
        let parts = parts.and_then(|(id, kind)| Some((id.parse().ok()?, Kind::from_name(kind)?)));
        match parts {
            Some((id, kind)) => fields.push((id, kind, name, inner)),
            None if name == BASE => base = Some(inner),
            None => {
                let wanted = "a key of id and wire type such as `1:int`";
                let text = format!("expected {wanted}, found `{name}`");
                return Err(Error::at(ErrorKind::Data, inner.name_offset(), text));
            }
        }
    }
    fields.sort_by_key(|field| field.0);
    let mut last = 0;
    for (at, (id, kind, name, inner)) in fields.into_iter().enumerate() {
        let wrong = match u32::checked_sub(id, last) {
            Some(0) if at > 0 => (ErrorKind::Data, format!("duplicate field {id}")),
            Some(step) if step > 0 && id <= write::MAX_ID => {
                write::tag(out, step, kind);
                value(out, inner, kind, depth)
                    .map_err(|error| error.inside(Segment::field(&name)))?;
                last = id;
                continue;
            }
            _ => {
                let ids = write::MAX_ID;
                let text = format!("expected a field id of 1 to {ids}, found {id}");
                (ErrorKind::InvalidId, text)
            }
        };
        return Err(Error::at(wrong.0, inner.name_offset(), wrong.1));
    }
    let Some(base) = base else { return Ok(()) };
    out.push(write::BASE);
    layer(out, base, depth).map_err(|error| error.inside(Segment::field(BASE)))
}

/// Writes a float or double, from a number or from text.
fn number(out: &mut Vec<u8>, node: Node<'_>, kind: Kind) -> Result<()> {
    let expected = "a number, also as text, or `NaN`, `inf`, `-inf`, `nan:` and its bits";
    let text = node.text();
    let value = match (node.number(), text.as_deref()) {
        (Some(number), _) => number.parse().ok(),
        (_, Some(text @ ("NaN" | "inf" | "-inf"))) => text.parse().ok(),
        (_, Some(text)) => match text.strip_prefix("nan:") {
            Some(bits) => {
                let bits = nan(bits, kind).ok_or(()).or_else(|()| invalid(node, expected))?;
                out.extend_from_slice(&bits);
                return Ok(());
            }
            None => text.parse().ok().filter(|number: &f64| number.is_finite()),
        },
        _ => None,
    };
    match value {
        Some(value) if kind == Kind::Float => {
            out.extend_from_slice(&cast::narrow(value).to_le_bytes());
        }
        Some(value) => out.extend_from_slice(&value.to_le_bytes()),
        None => return invalid(node, expected),
    }
    Ok(())
}

/// The bytes of a NaN that says its bits.
fn nan(bits: &str, kind: Kind) -> Option<Vec<u8>> {
    if kind == Kind::Float {
        let float = f32::from_bits(u32::from_str_radix(bits, 16).ok()?);
        return float.is_nan().then(|| float.to_le_bytes().to_vec());
    }
    let double = f64::from_bits(u64::from_str_radix(bits, 16).ok()?);
    double.is_nan().then(|| double.to_le_bytes().to_vec())
}

fn vector(out: &mut Vec<u8>, node: Node<'_>, kind: Kind, depth: usize) -> Result<()> {
    let component = if kind.has_ints() { Kind::Int } else { Kind::Float };
    let mut components = elements(node, "the components of a vector")?;
    let count = components.clone().count();
    components.try_for_each(|node| value(out, node, component, depth))?;
    if count != kind.components() {
        return fault(format_args!("expected {} components", kind.components()));
    }
    Ok(())
}
