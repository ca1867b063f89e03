//! The engine's `str()` of a value: the text that an element becomes when it is converted to one.

use crate::Value;
use crate::float;
use crate::types::{ElementType, Type, escaped, quoted};
use crate::value::numbers::{Numbers, Scalar};
use crate::value::{Dictionary, Object};
use std::fmt::{Display, Write as _};

/// The engine shows no more nested containers, so that recursion is no risk.
const MAX_LEVELS: usize = 100;

/// The text of a value. Objects have the ids that they are known by, which are others in the engine
/// that makes them.
pub(super) fn stringify(value: &Value) -> String {
    let mut out = String::new();
    show(&mut out, value, 0);
    out
}

fn show(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::Nil => out.push_str("<null>"),
        Value::Bool(v) => display(out, v),
        Value::Int(v) => display(out, v),
        Value::Float(v) => real(out, *v, 14),
        Value::String(v) => out.push_str(v),
        Value::StringName(v) => out.push_str(v),
        Value::NodePath(v) => display(out, v),
        Value::Rid(v) => display(out, format_args!("RID({})", v.0.cast_signed())),
        Value::Callable(_) => out.push_str("null::null"),
        Value::Signal(v) => display(out, format_args!("null::[signal]{}", v.name)),
        Value::Object(Object::Null) => out.push_str("<Object#null>"),
        Value::Object(Object::Id(v)) => {
            let class = ElementType::ENCODED_OBJECT_AS_ID;
            display(out, format_args!("<{class}#{}>", v.0.cast_signed()));
        }
        Value::Object(Object::Reference(v)) => display(out, v),
        Value::Object(Object::Instance(v)) => display(out, format_args!("<{}#0>", v.class)),
        Value::Array(items) => array(out, items, level),
        Value::TypedArray(typed) => array(out, &typed.items, level),
        Value::Dictionary(entries) => dictionary(out, entries, level),
        Value::TypedDictionary(typed) => dictionary(out, &typed.entries, level),
        Value::PackedStringArray(v) => list(out, v, |out, v| quoted(out, "\"", v, escaped)),
        other => {
            if let Some(values) = Numbers::of(other) {
                numbers(out, &values);
            }
        }
    }
}

fn display(out: &mut String, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

fn list<T>(out: &mut String, items: &[T], show: impl Fn(&mut String, &T)) {
    out.push('[');
    joined(out, items.iter(), show);
    out.push(']');
}

fn joined<T>(out: &mut String, items: impl Iterator<Item = T>, show: impl Fn(&mut String, T)) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        show(out, item);
    }
}

fn array(out: &mut String, items: &[Value], level: usize) {
    match level > MAX_LEVELS {
        true => out.push_str("[...]"),
        false => list(out, items, |out, item| inside(out, item, level)),
    }
}

fn dictionary(out: &mut String, entries: &Dictionary, level: usize) {
    if level > MAX_LEVELS {
        return out.push_str("{ ... }");
    }
    out.push_str("{ ");
    joined(out, entries.iter(), |out, (key, value)| {
        inside(out, key, level);
        out.push_str(": ");
        inside(out, value, level);
    });
    out.push_str(" }");
}

/// In a container texts have quotes.
fn inside(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::String(v) => quoted(out, "\"", v, escaped),
        Value::StringName(v) => quoted(out, "&\"", v, escaped),
        Value::NodePath(v) => quoted(out, "^\"", &format!("{v}"), escaped),
        _ => show(out, value, level.saturating_add(1)),
    }
}

/// A float: whole ones with `.0`, others with up to 14 digits after the point, or 6 of 32 bits.
fn real(out: &mut String, value: f64, most: usize) {
    if !value.is_finite() {
        return match value {
            _ if value.is_nan() => out.push_str("nan"),
            _ => out.push_str(if value > 0.0 { "inf" } else { "-inf" }),
        };
    }
    if float::is_whole(value) {
        // Negative zero is an integer to the engine here.
        return display(out, format_args!("{:.1}", if value == 0.0 { 0.0 } else { value }));
    }
    let magnitude = format!("{:.0}", float::trunc(value.abs())).len().saturating_sub(1);
    let digits = if value.abs() > 10.0 { most.saturating_sub(magnitude) } else { most };
    rounded(out, value, digits);
}

/// That many digits after the point, without zeros at the end but for one.
fn rounded(out: &mut String, value: f64, digits: usize) {
    display(out, format_args!("{value:.digits$}"));
    if digits > 0 {
        out.truncate(out.trim_end_matches('0').len());
        if out.ends_with('.') {
            out.push('0');
        }
    }
}

fn scalar(out: &mut String, kind: Type, number: Scalar) {
    match (kind, number) {
        (_, Scalar::Int(value)) => display(out, value),
        // Colours have four digits after the point at most.
        (Type::Color | Type::PackedColorArray, value) if value.to_f64().is_finite() => {
            rounded(out, value.to_f64(), 4);
        }
        // The engine's floats have 64 bits by themselves.
        (Type::PackedFloat32Array, value) => real(out, value.to_f64(), 14),
        (_, Scalar::Single(value)) => real(out, value.into(), 6),
        (_, Scalar::Double(value)) => real(out, value, 14),
    }
}

/// Math types of several vectors name these.
fn numbers(out: &mut String, numbers: &Numbers<'_>) {
    let kind = numbers.kind;
    if kind.components() == 0 {
        let size = kind.packed_components();
        let mut index = 0_usize;
        out.push('[');
        numbers.each(&mut |number| {
            let (first, last) = match size {
                1 => ("", ""),
                _ => ("(", ")"),
            };
            let at = index.checked_rem(size).unwrap_or(0);
            out.push_str(if index == 0 { "" } else { ", " });
            out.push_str(if at == 0 { first } else { "" });
            scalar(out, kind, number);
            index = index.saturating_add(1);
            out.push_str(if index.is_multiple_of(size) { last } else { "" });
        });
        return out.push(']');
    }
    let all: Vec<Scalar> = numbers.parts().collect();
    let show = |out: &mut String, part: &Scalar| scalar(out, kind, *part);
    let (names, size) = match kind {
        Type::Rect2 | Type::Rect2i => ("PS", 2),
        Type::Aabb => ("PS", 3),
        Type::Plane => ("ND", 3),
        Type::Transform2D => ("XYO", 2),
        Type::Basis => ("XYZ", 3),
        Type::Transform3D => ("XYZO", 3),
        Type::Projection => ("XYZW", 4),
        _ => ("", all.len()),
    };
    if names.is_empty() {
        out.push('(');
        joined(out, all.iter(), show);
        return out.push(')');
    }
    out.push('[');
    joined(out, names.chars().zip(all.chunks(size)), |out, (name, part)| {
        display(out, format_args!("{name}: "));
        match part {
            [one] => show(out, one),
            part => {
                out.push('(');
                joined(out, part.iter(), show);
                out.push(')');
            }
        }
    });
    out.push(']');
}
