//! How the parts of a value are called, and how numbers and values are shown.

use std::borrow::Cow;
use std::fmt::Write;

use gamewire_core::explain::{quoted, shortened};

use crate::Value;
use crate::read::{Header, Number, Slot, Text};
use crate::types::Type;

/// The whole value in short. Numbers in brackets are clear without the name of the type, which the
/// header says.
pub(super) fn summary(value: &Value) -> Cow<'static, str> {
    let kind = match value {
        Value::Nil => return "null".into(),
        Value::String(text) => return quoted(text).into(),
        Value::StringName(name) => return format!("&{}", quoted(name)).into(),
        Value::Rid(_) | Value::Object(_) | Value::Callable(_) | Value::Signal(_) => "",
        other => other.kind().name(),
    };
    let mut shown = shortened(format_args!("{value:?}"));
    if !kind.is_empty() && shown.strip_prefix(kind).is_some_and(|rest| rest.starts_with('(')) {
        shown.drain(..kind.len());
    }
    shown.into()
}

/// The meaning of the flags of a header.
pub(super) fn flags(header: &Header, known: u32) -> &'static str {
    match header.kind {
        _ if header.flags & known == 0 => "",
        Type::Int | Type::Float => "64 bits",
        Type::Object => "by id",
        Type::Array => "typed",
        Type::Dictionary => match (header.flags & 3, header.flags & 12) {
            (_, 0) => "typed keys",
            (0, _) => "typed values",
            _ => "typed keys and values",
        },
        _ => "64-bit components",
    }
}

/// The numbers of header bits from 16 on: `bits 17, 20–31`.
pub(super) fn flag_bits(flags: u32) -> String {
    let set = |bit: u32| flags >> bit & 1 != 0;
    let mut runs = Vec::new();
    let mut bit = 0u32;
    while bit < 16 {
        let run = (bit..16).take_while(|&bit| set(bit)).count();
        let next = bit.saturating_add(u32::try_from(run).unwrap_or(16));
        match run {
            0 => {}
            1 => runs.push(bit.saturating_add(16).to_string()),
            _ => runs.push(format!("{}–{}", bit.saturating_add(16), next.saturating_add(15))),
        }
        bit = next.saturating_add(1);
    }
    let one = flags.count_ones() == 1;
    format!("{} {}", if one { "bit" } else { "bits" }, runs.join(", "))
}

/// The names of a text's length and of its characters.
pub(super) fn text(what: Text) -> (Cow<'static, str>, Cow<'static, str>) {
    let (length, text) = match what {
        Text::String => ("length in bytes", "text"),
        Text::OldPath => ("length in bytes", "old form: the path as text"),
        Text::Name => ("length of a name", "name"),
        Text::Subname => ("length of a subname", "subname"),
        Text::Signal => ("length of the signal's name", "name of the signal"),
        Text::Property => ("length of the property's name", "name of the property"),
        Text::Class | Text::ElementClass => ("length of the class name", "class name"),
        Text::Script => ("length of the script's path", "path of the script"),
        Text::Element(index, ends) => {
            let with = if ends { " with NUL" } else { "" };
            let length = format!("length of element {index}{with}");
            return (length.into(), format!("element {index}").into());
        }
    };
    (length.into(), text.into())
}

pub(super) fn slot(slot: Slot) -> &'static str {
    match slot {
        Slot::Elements => "element type",
        Slot::Keys => "type of the keys",
        Slot::Values => "type of the values",
    }
}

/// The components of a math type as they follow each other on the wire. The engines send the
/// basis row by row (`rows`), the published page axis by axis.
pub(super) fn components(kind: Type, rows: bool) -> &'static str {
    match (kind, rows) {
        (Type::Vector2 | Type::Vector2i, _) => "x y",
        (Type::Vector3 | Type::Vector3i, _) => "x y z",
        (Type::Vector4 | Type::Vector4i | Type::Quaternion, _) => "x y z w",
        (Type::Rect2 | Type::Rect2i, _) => "position.x position.y size.x size.y",
        (Type::Plane, _) => "normal.x normal.y normal.z d",
        (Type::Color, _) => "r g b a",
        (Type::Transform2D, _) => "x.x x.y y.x y.y origin.x origin.y",
        (Type::Aabb, _) => "position.x position.y position.z size.x size.y size.z",
        (Type::Basis, true) => "x.x y.x z.x x.y y.y z.y x.z y.z z.z",
        (Type::Basis, false) => "x.x x.y x.z y.x y.y y.z z.x z.y z.z",
        (Type::Transform3D, true) => {
            "basis.x.x basis.y.x basis.z.x basis.x.y basis.y.y basis.z.y basis.x.z basis.y.z \
             basis.z.z origin.x origin.y origin.z"
        }
        (Type::Transform3D, false) => {
            "basis.x.x basis.x.y basis.x.z basis.y.x basis.y.y basis.y.z basis.z.x basis.z.y \
             basis.z.z origin.x origin.y origin.z"
        }
        (Type::Projection, _) => "x.x x.y x.z x.w y.x y.y y.z y.w z.x z.y z.z z.w w.x w.y w.z w.w",
        _ => "",
    }
}

/// The numbers in the bytes, as GDScript shows them; in brackets after the type's name if each
/// element has several.
pub(super) fn numbers(number: Number, bytes: &[u8], vector: Option<Type>) -> String {
    let mut shown = String::new();
    for (index, bytes) in bytes.chunks_exact(number.size()).enumerate() {
        let between = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = match number {
            Number::U8 => write!(shown, "{between}{}", u8::from_le_bytes(array(bytes))),
            Number::I32 => write!(shown, "{between}{}", i32::from_le_bytes(array(bytes))),
            Number::I64 => write!(shown, "{between}{}", i64::from_le_bytes(array(bytes))),
            Number::F32 => write!(shown, "{between}{:?}", f32::from_le_bytes(array(bytes))),
            Number::F64 => write!(shown, "{between}{:?}", f64::from_le_bytes(array(bytes))),
        };
    }
    match vector {
        Some(kind) => shortened(format_args!("{kind}({shown})")),
        None => shown,
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}
