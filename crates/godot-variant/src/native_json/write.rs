//! [`Value`] to the notation.

use std::fmt;

use gamewire_core::json::{Kind, Layout, Node, Reading, Writer};
use serde_core::ser::{Error as _, Serialize, Serializer};

use super::{MAX_LEVELS, NativeJson};
use crate::Value;
use crate::float;
use crate::read::Number;
use crate::types::{ElementType, GString, Real, Type};
use crate::value::numbers::{Numbers, Scalar};
use crate::value::{Inside, Object};

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

/// A value and how many levels may be in it.
struct Notation<'a>(&'a Value, usize);

impl Serialize for Notation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut writer = Writer::new(Layout::Compact);
        write(&mut writer, self.0, self.1).map_err(S::Error::custom)?;
        let text = writer.into_text();
        let items = Reading::default().items(&text);
        let items = items.map_err(|fault| S::Error::custom(fault.message))?;
        Item(items.root()).serialize(serializer)
    }
}

/// JSON that was written.
struct Item<'t>(Node<'t>);

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Item(node) = *self;
        match (node.kind(), node.number()) {
            (Kind::Bool(value), _) => serializer.serialize_bool(value),
            (Kind::Text, _) => serializer.serialize_str(&node.text().unwrap_or_default()),
            (Kind::List, _) => {
                serializer.collect_seq(node.elements().into_iter().flatten().map(Item))
            }
            (Kind::Map, _) => {
                let members = node.members().into_iter().flatten();
                serializer.collect_map(members.map(|(name, member)| (name, Item(member))))
            }
            (_, Some(number)) => match number.parse::<i64>() {
                Ok(number) => serializer.serialize_i64(number),
                Err(_) => serializer.serialize_f64(number.parse().unwrap_or(f64::NAN)),
            },
            _ => serializer.serialize_unit(),
        }
    }
}

type Written = Result<(), &'static str>;

fn write(w: &mut Writer, value: &Value, levels: usize) -> Written {
    use Value::*;
    let kind = value.kind();
    match value {
        Nil => w.null(),
        Bool(v) => w.bool(*v),
        Int(v) => w.text(format_args!("i:{v}")),
        Float(v) => w.text(format_args!("f:{}", FloatText(*v))),
        String(v) => w.text(format_args!("s:{v}")),
        StringName(v) => w.text(format_args!("sn:{v}")),
        NodePath(v) => match v.is_plain() {
            true => w.text(format_args!("np:{v}")),
            // Its names, because the text would be read back as another one.
            false => args(w, kind, |w| {
                w.bool(v.absolute);
                for names in [&v.names, &v.subnames] {
                    list(w, |w| texts(w, names));
                }
            }),
        },
        Rid(crate::types::Rid(0)) | Callable(_) | Object(self::Object::Null) => bare(w, kind),
        Rid(v) => args(w, kind, |w| id(w, v.0)),
        Signal(v) => match (&*v.name, v.object.0) {
            ("", 0) => bare(w, kind),
            (name, object) => args(w, kind, |w| {
                w.text(format_args!("s:{name}"));
                id(w, object);
            }),
        },
        Object(self::Object::Id(v)) => args(w, kind, |w| id(w, v.0)),
        Object(self::Object::Reference(_)) => {
            return Err("references to resources have no form in the engine's JSON");
        }
        Object(self::Object::Instance(v)) => {
            w.map();
            w.name("type");
            w.text(&v.class);
            w.name("props");
            inside(w, value, levels)?;
            w.end();
        }
        Array(_) => inside(w, value, levels)?,
        TypedArray(v) => container(w, value, &[("elem_type", &v.element)], levels)?,
        Dictionary(_) => container(w, value, &[], levels)?,
        TypedDictionary(v) => {
            container(w, value, &[("key_type", &v.key), ("value_type", &v.value)], levels)?;
        }
        PackedStringArray(v) => args(w, kind, |w| texts(w, v)),
        other => {
            if let Some(values) = Numbers::of(other) {
                numbers(w, &values);
            }
        }
    }
    Ok(())
}

fn typed(w: &mut Writer, kind: Type) {
    w.map();
    w.name("type");
    w.text(kind);
}

fn bare(w: &mut Writer, kind: Type) {
    typed(w, kind);
    w.end();
}

fn args(w: &mut Writer, kind: Type, write: impl FnOnce(&mut Writer)) {
    typed(w, kind);
    w.name("args");
    list(w, write);
    w.end();
}

fn list(w: &mut Writer, write: impl FnOnce(&mut Writer)) {
    w.list();
    write(w);
    w.end();
}

fn texts(w: &mut Writer, texts: &[GString]) {
    texts.iter().for_each(|text| w.text(text));
}

/// An id as the engine prints ids: signed.
fn id(w: &mut Writer, id: u64) {
    w.text(format_args!("i:{}", id.cast_signed()));
}

fn container(
    w: &mut Writer,
    value: &Value,
    types: &[(&str, &ElementType)],
    levels: usize,
) -> Written {
    typed(w, value.kind());
    for (member, element) in types.iter().filter(|(_, element)| element.is_typed()) {
        w.name(member);
        element_type(w, element);
    }
    w.name("args");
    inside(w, value, levels)?;
    w.end();
    Ok(())
}

/// Writes the values inside of a container in a row.
fn inside(w: &mut Writer, value: &Value, levels: usize) -> Written {
    let levels = levels.checked_sub(1).ok_or("nested too deep for JSON")?;
    let Some(inside) = Inside::of(value) else { return Ok(()) };
    w.list();
    for at in 0..inside.len() {
        if let Some(name) = inside.name(at) {
            w.text(name);
        }
        inside.get(at).map_or(Ok(()), |value| write(w, value, levels))?;
    }
    w.end();
    Ok(())
}

/// Elements one after another, without brackets around each vector.
fn numbers(w: &mut Writer, numbers: &Numbers<'_>) {
    typed(w, numbers.kind);
    let usual = Number::of(numbers.kind, false);
    if numbers.number != usual {
        w.name("precision");
        w.text("double");
    }
    w.name("args");
    w.list();
    numbers.each(&mut |value| number(w, value));
    w.end();
    w.end();
}

/// A component: a number where JSON has one for it.
fn number(w: &mut Writer, component: Scalar) {
    let (bits, digits, usual_nan) = match component {
        Scalar::Int(value) => return w.number(value),
        Scalar::Single(value) => (value.bits(), 8, f32::NAN.bits()),
        Scalar::Double(value) => (value.bits(), 16, f64::NAN.bits()),
    };
    let value = component.to_f64();
    if value.is_finite() {
        // A number of 32 bits survives in any case.
        match matches!(component, Scalar::Single(_)) || survives(value) {
            true => w.number(format_args!("{value:?}")),
            false => w.text(format_args!("{value:e}")),
        }
    } else if value.is_infinite() {
        w.text(if value > 0.0 { "inf" } else { "-inf" });
    } else if bits == usual_nan {
        w.null();
    } else {
        w.text(format_args!("nan:{bits:0digits$x}"));
    }
}

/// The type of a container's elements, as the engine names it where that is unambiguous.
fn element_type(w: &mut Writer, element: &ElementType) {
    match element {
        ElementType::Any => w.null(),
        ElementType::Builtin(Type::Object) => w.text("builtin:Object"),
        ElementType::Builtin(kind) => w.text(kind),
        ElementType::Class(class) => {
            let like_another = Type::from_name(class).is_some_and(|kind| kind != Type::Object)
                || class.contains(':');
            w.text(format_args!("{}{class}", if like_another { "class:" } else { "" }));
        }
        ElementType::Script(path) => {
            let plain = path.starts_with("res://");
            w.text(format_args!("{}{path}", if plain { "" } else { "script:" }));
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
    // serde_json takes the even one of two shortest texts that are as close, as `even` does.
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
