//! [`Value`] to the notation.

use alloc::string::ToString as _;
use core::fmt;

use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{MAX_LEVELS, NativeJson};
use crate::Value;
use crate::float;
use crate::types::{Components, ElementType, NodePath, Real, Rid, Type};
use crate::value::{Inside, Object, by_numbers};

impl Serialize for NativeJson<&Value> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write_deep(MAX_LEVELS).serialize(serializer)
    }
}

impl Serialize for NativeJson<Value> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NativeJson(&self.0).serialize(serializer)
    }
}

impl<'a> NativeJson<&'a Value> {
    /// With another limit for the nesting. Writing needs stack for each level.
    pub fn write_deep(&self, levels: usize) -> impl Serialize + use<'a> {
        Notation(self.0, levels)
    }
}

/// A value and how many levels may still be below it.
struct Notation<'a>(&'a Value, usize);

fn below<E: serde_core::ser::Error>(levels: usize) -> Result<usize, E> {
    levels.checked_sub(1).ok_or_else(|| E::custom("nested too deep for JSON"))
}

impl Serialize for Notation<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        use Value::*;
        let Notation(value, levels) = *self;
        by_numbers!(
            value,
            ints v => args(value, &v.to_array(), s),
            reals v => math(v, s),
            packed v => vectors(value.kind(), v, s),
            Nil => s.serialize_unit(),
            Bool(v) => s.serialize_bool(*v),
            Int(v) => s.collect_str(&format_args!("i:{v}")),
            Float(v) => s.collect_str(&format_args!("f:{}", FloatText(*v))),
            String(v) => s.collect_str(&format_args!("s:{v}")),
            StringName(v) => s.collect_str(&format_args!("sn:{v}")),
            NodePath(v) => node_path(v, s),
            Rid(self::Rid(0)) => bare(value, s),
            Rid(v) => args(value, &[TextNotation(IdText(v.0))], s),
            Callable(_) => bare(value, s),
            Signal(v) => match (&*v.name, v.object.0) {
                ("", 0) => bare(value, s),
                (name, object) => {
                    args(value, &(TextNotation(format_args!("s:{name}")), TextNotation(IdText(object))), s)
                }
            },
            Object(self::Object::Null) => bare(value, s),
            Object(self::Object::Id(id)) => args(value, &[TextNotation(IdText(id.0))], s),
            Object(self::Object::Instance(instance)) => {
                let levels = below::<S::Error>(levels)?;
                let mut map = s.serialize_map(Some(2))?;
                map.serialize_entry("type", instance.class.as_str())?;
                let properties = Inside::Properties(&instance.properties);
                map.serialize_entry("props", &NotationInside(properties, levels))?;
                map.end()
            },
            Array(items) => {
                NotationInside(Inside::Items(items), below::<S::Error>(levels)?).serialize(s)
            },
            TypedArray(typed) => {
                let contents = NotationInside(Inside::Items(&typed.items), below::<S::Error>(levels)?);
                container(value, &[("elem_type", &typed.element)], contents, s)
            },
            Dictionary(entries) => {
                let contents = NotationInside(Inside::Entries(entries.as_slice()), below::<S::Error>(levels)?);
                container(value, &[], contents, s)
            },
            TypedDictionary(typed) => {
                let entries = Inside::Entries(typed.entries.as_slice());
                let types = [("key_type", &typed.key), ("value_type", &typed.value)];
                container(value, &types, NotationInside(entries, below::<S::Error>(levels)?), s)
            },
            PackedByteArray(v) => args(value, &v.0, s),
            PackedInt32Array(v) => args(value, &v.0, s),
            PackedInt64Array(v) => args(value, &v.0, s),
            PackedFloat32Array(v) => args(value, &Numbers(&v.0), s),
            PackedFloat64Array(v) => args(value, &Numbers(&v.0), s),
            PackedStringArray(v) => args(value, &v.0, s),
        )
    }
}

fn container<S: Serializer>(
    value: &Value,
    types: &[(&'static str, &ElementType)],
    contents: NotationInside<'_>,
    s: S,
) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(None)?;
    map.serialize_entry("type", value.kind().name())?;
    for (member, element) in types.iter().filter(|(_, element)| element.is_typed()) {
        map.serialize_entry(member, &TypeName(element))?;
    }
    map.serialize_entry("args", &contents)?;
    map.end()
}

fn bare<S: Serializer>(value: &Value, s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(1))?;
    map.serialize_entry("type", value.kind().name())?;
    map.end()
}

fn args<S: Serializer, A: Serialize>(value: &Value, args: &A, s: S) -> Result<S::Ok, S::Error> {
    typed_args(value.kind(), args, s)
}

fn typed_args<S: Serializer, A: Serialize>(kind: Type, args: &A, s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(2))?;
    map.serialize_entry("type", kind.name())?;
    map.serialize_entry("args", args)?;
    map.end()
}

fn math<T, S: Serializer>(value: &T, s: S) -> Result<S::Ok, S::Error>
where
    T: Components,
    T::Scalar: Real,
{
    vectors(T::TYPE, core::slice::from_ref(value), s)
}

fn vectors<T, S: Serializer>(kind: Type, values: &[T], s: S) -> Result<S::Ok, S::Error>
where
    T: Components,
    T::Scalar: Real,
{
    if !T::Scalar::WIDE {
        return typed_args(kind, &Flat(values), s);
    }
    let mut map = s.serialize_map(Some(3))?;
    map.serialize_entry("type", kind.name())?;
    map.serialize_entry("precision", "double")?;
    map.serialize_entry("args", &Flat(values))?;
    map.end()
}

/// The text of a path, or its names where that would be read back as another one.
fn node_path<S: Serializer>(path: &NodePath, s: S) -> Result<S::Ok, S::Error> {
    if path.is_plain() {
        return s.collect_str(&format_args!("np:{path}"));
    }
    typed_args(Type::NodePath, &(path.absolute, &path.names, &path.subnames), s)
}

/// What is shown as text.
struct TextNotation<T>(T);

/// An id as the engine prints ids: signed.
struct IdText(u64);

impl fmt::Display for IdText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i:{}", self.0.cast_signed())
    }
}

impl<T: fmt::Display> Serialize for TextNotation<T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&self.0)
    }
}

/// Elements one after another, without brackets around each vector.
struct Flat<'a, T>(&'a [T]);

impl<T> Serialize for Flat<'_, T>
where
    T: Components,
    T::Scalar: Real,
{
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut seq = s.serialize_seq(None)?;
        for value in self.0 {
            let components = value.to_components();
            components
                .as_ref()
                .iter()
                .try_for_each(|c| seq.serialize_element(&NumberNotation(*c)))?;
        }
        seq.end()
    }
}

struct Numbers<'a, R>(&'a [R]);

impl<R: Real> Serialize for Numbers<'_, R> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.0.iter().map(|value| NumberNotation(*value)))
    }
}

/// A component: a number where JSON has one for it.
struct NumberNotation<R>(R);

impl<R: Real> Serialize for NumberNotation<R> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let value = self.0.to_f64();
        if value.is_finite() {
            // What is rounded to 32 bits survives in any case.
            if !R::WIDE || survives(value) {
                return s.serialize_f64(value);
            }
            s.collect_str(&format_args!("{value:e}"))
        } else if value.is_infinite() {
            s.serialize_str(if value > 0.0 { "inf" } else { "-inf" })
        } else if self.0.bits() == R::from_f64(f64::NAN).bits() {
            s.serialize_unit()
        } else {
            let digits = R::SIZE.saturating_mul(2);
            s.collect_str(&format_args!("nan:{:0digits$x}", self.0.bits()))
        }
    }
}

/// A float as the engine prints it, but with as many digits as it takes.
struct FloatText(f64);

impl fmt::Display for FloatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value.is_nan() {
            return match value.to_bits() {
                bits if bits == f64::NAN.to_bits() => f.write_str("nan"),
                bits => write!(f, "nan:{bits:016x}"),
            };
        }
        if value.is_infinite() {
            return f.write_str(if value > 0.0 { "inf" } else { "-inf" });
        }
        if float::is_whole(value) {
            return write!(f, "{value:.1}");
        }
        // The engine takes 18 digits of a number, zeros in front included: 38 zeros are 0 to it.
        let text = value.to_string();
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        if digits > 18 { write!(f, "{value:e}") } else { f.write_str(&text) }
    }
}

/// Whether serde_json reads the number back without its feature `float_roundtrip`: then it rounds
/// the digits, and the digits times a power of ten once more.
fn survives(value: f64) -> bool {
    let shortest = format!("{value:e}");
    // Of two shortest texts that are as close, serde_json takes the even one, as `even` does.
    let digits = shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit);
    let even = format!("{value:.*e}", digits.count().saturating_sub(1));
    let whole = (float::is_whole(value) && value.abs() < 1e18).then(|| format!("{value:.1}"));
    let texts = [Some(shortest), Some(even), whole];
    texts.iter().flatten().all(|text| rounded_twice(text) == Some(value.abs()))
}

fn rounded_twice(text: &str) -> Option<f64> {
    let text = text.trim_start_matches('-');
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand: u64 = format!("{whole}{fraction}").parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()?;
    let mut exponent = exponent.parse::<i32>().ok()?.checked_sub(places)?;
    let mut value = significand as f64;
    while exponent < -308 {
        value /= 1e308;
        exponent = exponent.checked_add(308)?;
    }
    let power: f64 = format!("1e{}", exponent.unsigned_abs()).parse().ok()?;
    Some(if exponent < 0 { value / power } else { value * power })
}

/// What is inside of a container, in a row.
struct NotationInside<'a>(Inside<'a>, usize);

impl Serialize for NotationInside<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let NotationInside(inside, levels) = *self;
        let node = |value| Notation(value, levels);
        match inside {
            Inside::Items(items) => s.collect_seq(items.iter().map(node)),
            Inside::Entries(entries) => {
                s.collect_seq(entries.iter().flat_map(|(key, value)| [node(key), node(value)]))
            }
            Inside::Properties(properties) => {
                let mut seq = s.serialize_seq(Some(properties.len().saturating_mul(2)))?;
                for (name, value) in properties {
                    seq.serialize_element(name.as_str())?;
                    seq.serialize_element(&node(value))?;
                }
                seq.end()
            }
        }
    }
}

/// The type of a container's elements, as the engine names it where that is unambiguous.
struct TypeName<'a>(&'a ElementType);

impl Serialize for TypeName<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ElementType::Any => s.serialize_unit(),
            ElementType::Builtin(Type::Object) => s.serialize_str("builtin:Object"),
            ElementType::Builtin(kind) => s.serialize_str(kind.name()),
            ElementType::Class(class) => {
                let like_another = Type::from_name(class).is_some_and(|kind| kind != Type::Object)
                    || class.contains(':');
                s.collect_str(&format_args!("{}{class}", if like_another { "class:" } else { "" }))
            }
            ElementType::Script(path) => {
                let plain = path.starts_with("res://");
                s.collect_str(&format_args!("{}{path}", if plain { "" } else { "script:" }))
            }
        }
    }
}
