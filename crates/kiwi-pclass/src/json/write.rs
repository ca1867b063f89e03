//! [`Value`] to the notation.

use std::fmt;

use serde_core::ser::{Error as _, Serialize, SerializeMap, Serializer};

use super::Json;
use crate::core_object::CoreHeader;
use crate::notation::{Again, name_of};
use crate::schema::Property;
use crate::value::{Object, RawBits};
use crate::{Options, Value};

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Shown { value: self.0, property: None, levels: Options::MAX_DEPTH }.serialize(serializer)
    }
}

/// A value with what its property adds to it.
#[derive(Clone, Copy)]
struct Shown<'a> {
    value: &'a Value,
    property: Option<&'a Property>,
    /// How many levels may follow.
    levels: usize,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::UInt(value) => serializer.serialize_u64(*value),
            Value::Float(value) => float(*value).serialize(serializer),
            Value::Double(value) => double(*value).serialize(serializer),
            Value::Enum(value) => match self.property.and_then(|own| name_of(own, *value)) {
                Some(name) => serializer.serialize_str(&name),
                None => serializer.serialize_u32(*value),
            },
            Value::String(text) => match text.as_str() {
                Some(text) => serializer.serialize_str(text),
                None => one(serializer, "$bytes", &Hex(text.as_bytes())),
            },
            Value::WString(text) => match text.to_text() {
                Some(text) => serializer.serialize_str(&text),
                None => one(serializer, "$utf16", text.units()),
            },
            Value::Color(v) => tuple(serializer, ["r", "g", "b", "a"], [v.r, v.g, v.b, v.a]),
            Value::Vector3D(v) => tuple(serializer, ["x", "y", "z"], [v.x, v.y, v.z].map(float)),
            Value::Quaternion(v) => {
                tuple(serializer, ["w", "x", "y", "z"], [v.w, v.x, v.y, v.z].map(float))
            }
            Value::Euler(v) => {
                tuple(serializer, ["pitch", "yaw", "roll"], [v.pitch, v.yaw, v.roll].map(float))
            }
            Value::Matrix3x3(v) => {
                tuple(serializer, ["i", "j", "k"], [v.i, v.j, v.k].map(|row| row.map(float)))
            }
            Value::Size(v) => {
                tuple(serializer, ["width", "height"], [&v.width, &v.height].map(Json))
            }
            Value::Point(v) => tuple(serializer, ["x", "y"], [&v.x, &v.y].map(Json)),
            Value::Rect(v) => tuple(
                serializer,
                ["left", "top", "right", "bottom"],
                [&v.left, &v.top, &v.right, &v.bottom].map(Json),
            ),
            Value::List(items) => {
                let levels = self.below()?;
                serializer.collect_seq(items.iter().map(|value| Shown { value, levels, ..*self }))
            }
            Value::Bools(items) => serializer.collect_seq(items.iter()),
            Value::SmallInts(items) => serializer.collect_seq(items.iter()),
            Value::Object(own) => object(own, self.below()?, serializer),
            Value::Raw(raw) => {
                let mut map = serializer.serialize_map(Some(3))?;
                map.serialize_entry("$type", &format_args!("{:#010x}", raw.hash))?;
                bits(&mut map, &raw.bits)?;
                map.end()
            }
            Value::Bits(own) => {
                let mut map = serializer.serialize_map(Some(2))?;
                bits(&mut map, own)?;
                map.end()
            }
        }
    }
}

impl Shown<'_> {
    fn below<E: serde_core::ser::Error>(&self) -> Result<usize, E> {
        self.levels.checked_sub(1).ok_or_else(|| {
            E::custom(format_args!("nested deeper than {} levels", Options::MAX_DEPTH))
        })
    }
}

fn object<S: Serializer>(object: &Object, levels: usize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("$type", object.class().name())?;
    if let Some(CoreHeader { block, template_type, template_id }) = object.core() {
        let names = ["block", "type", "template_id"];
        let numbers = [u32::from(block), u32::from(template_type), template_id];
        map.serialize_entry("$core", &Tuple(names, numbers))?;
    }
    let mut again = Again::new(object);
    for field in object.fields() {
        let property = object.property_of(field);
        let shown = Shown { value: &field.value, property, levels };
        match (property, field.unknown_hash(), again.count(field)) {
            (Some(property), _, 1) => map.serialize_entry(property.name(), &shown)?,
            (Some(property), _, count) => {
                map.serialize_entry(&format_args!("{}#{count}", property.name()), &shown)?;
            }
            (None, Some(hash), 1) => map.serialize_entry(&format_args!("{hash:#010x}"), &shown)?,
            (None, Some(hash), count) => {
                map.serialize_entry(&format_args!("{hash:#010x}#{count}"), &shown)?;
            }
            (None, None, _) => return Err(S::Error::custom("a field of no property")),
        }
    }
    map.end()
}

fn bits<M: SerializeMap>(map: &mut M, bits: &RawBits) -> Result<(), M::Error> {
    map.serialize_entry("$bits", &bits.len())?;
    map.serialize_entry("$hex", &Hex(bits.as_bytes()))
}

/// An object with one member.
fn one<S: Serializer>(
    serializer: S,
    name: &'static str,
    value: &(impl Serialize + ?Sized),
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

fn tuple<S: Serializer, T: Serialize, const N: usize>(
    serializer: S,
    names: [&'static str; N],
    values: [T; N],
) -> Result<S::Ok, S::Error> {
    Tuple(names, values).serialize(serializer)
}

struct Tuple<T, const N: usize>([&'static str; N], [T; N]);

impl<T: Serialize, const N: usize> Serialize for Tuple<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(N))?;
        for (name, value) in self.0.iter().zip(&self.1) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// JSON has no numbers for NaN and infinities.
enum Float {
    Single(f32),
    Double(f64),
    SingleBits(u32),
    DoubleBits(u64),
}

fn float(value: f32) -> Float {
    if value.is_finite() { Float::Single(value) } else { Float::SingleBits(value.to_bits()) }
}

fn double(value: f64) -> Float {
    if value.is_finite() { Float::Double(value) } else { Float::DoubleBits(value.to_bits()) }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Float::Single(value) => serializer.serialize_f32(*value),
            Float::Double(value) => serializer.serialize_f64(*value),
            Float::SingleBits(bits) => one(serializer, "$float", &format_args!("{bits:08x}")),
            Float::DoubleBits(bits) => one(serializer, "$float", &format_args!("{bits:016x}")),
        }
    }
}
