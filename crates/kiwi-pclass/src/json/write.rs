//! [`Value`] to the notation: as text, without recursion, and through serde.

use std::borrow::Cow;
use std::fmt;

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Json;
use crate::notation::{Again, name_of};
use crate::schema::Property;
use crate::value::{Field, Object, RawBits, too_deep};
use crate::{CoreHeader, Error, ErrorKind, Result, Value};

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let levels = Value::MAX_SERDE_DEPTH;
        Shown { value: self.0, property: None, levels }.serialize(serializer)
    }
}

/// An object or list of which a part is written.
enum Level<'v> {
    Object { object: &'v Object, next: usize, again: Again },
    List { list: &'v [Value], next: usize, property: Option<&'v Property> },
}

/// Levels below this are not indented further, or a deep value would become a very long text.
const MAX_INDENT: usize = 40;

/// JSON text. With `pretty`, what holds other values has a line for each.
pub(super) fn text(value: &Value, pretty: bool) -> Result<String> {
    let mut writer = Writer { out: String::new(), pretty };
    let mut stack = Vec::new();
    stack.extend(writer.begin(value, None, 1)?);
    loop {
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { return Ok(writer.out) };
        let (value, property) = match level {
            Level::Object { object, next, again } => {
                let Some(field) = object.fields().get(*next) else {
                    stack.pop();
                    writer.line(depth.saturating_sub(1));
                    writer.out.push('}');
                    continue;
                };
                *next = next.saturating_add(1);
                writer.out.push(',');
                writer.line(depth);
                writer.name(&name(object, field, again)?)?;
                (&field.value, object.property_of(field))
            }
            Level::List { list, next, property } => {
                let Some(value) = list.get(*next) else {
                    let is_empty = *next == 0;
                    stack.pop();
                    if !is_empty {
                        writer.line(depth.saturating_sub(1));
                    }
                    writer.out.push(']');
                    continue;
                };
                if *next > 0 {
                    writer.out.push(',');
                }
                *next = next.saturating_add(1);
                writer.line(depth);
                (value, *property)
            }
        };
        stack.extend(writer.begin(value, property, depth.saturating_add(1))?);
    }
}

/// The name of a member.
fn name<'v>(object: &'v Object, field: &Field, again: &mut Again) -> Result<Cow<'v, str>> {
    let property = object.property_of(field).map(Property::name);
    Ok(match (property, field.unknown_hash(), again.count(field)) {
        (Some(name), _, 1) => name.into(),
        (Some(name), _, count) => format!("{name}#{count}").into(),
        (None, Some(hash), 1) => format!("{hash:#010x}").into(),
        (None, Some(hash), count) => format!("{hash:#010x}#{count}").into(),
        (None, None, _) => {
            let message = "a field has an index that is none of its class";
            return Err(Error::new(ErrorKind::Data, message));
        }
    })
}

struct Writer {
    out: String,
    pretty: bool,
}

impl Writer {
    fn line(&mut self, depth: usize) {
        if self.pretty {
            self.out.push('\n');
            (0..depth.min(MAX_INDENT)).for_each(|_| self.out.push_str("  "));
        }
    }

    /// Something that holds no other values, on one line.
    fn leaf(&mut self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(value);
        let fault = |error: serde_json::Error| Error::new(ErrorKind::Data, error.to_string());
        self.out.push_str(&text.map_err(fault)?);
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<()> {
        self.leaf(&name)?;
        self.out.push_str(if self.pretty { ": " } else { ":" });
        Ok(())
    }

    /// Writes a value, or what stands before the values that it holds: then it is level `depth`.
    fn begin<'v>(
        &mut self,
        value: &'v Value,
        property: Option<&'v Property>,
        depth: usize,
    ) -> Result<Option<Level<'v>>> {
        match value {
            Value::Object(object) => {
                self.out.push('{');
                self.head(object, depth)?;
                Ok(Some(Level::Object { object, next: 0, again: Again::new(object) }))
            }
            Value::List(list) => {
                self.out.push('[');
                Ok(Some(Level::List { list, next: 0, property }))
            }
            leaf => {
                self.leaf(&Shown { value: leaf, property, levels: 0 })?;
                Ok(None)
            }
        }
    }

    /// The members before the properties.
    fn head(&mut self, object: &Object, depth: usize) -> Result<()> {
        self.line(depth);
        self.name("$type")?;
        self.leaf(&object.class().name())?;
        if let Some(header) = object.core() {
            self.out.push(',');
            self.line(depth);
            self.name("$core")?;
            self.leaf(&core(header))?;
        }
        Ok(())
    }
}

/// The header of a core object.
fn core(header: CoreHeader) -> Tuple<u32, 3> {
    let CoreHeader { block, template_type, template_id } = header;
    Tuple(["block", "type", "template_id"], [block.into(), template_type.into(), template_id])
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
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
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for value in items {
                    seq.serialize_element(&self.inner(value, self.property)?)?;
                }
                seq.end()
            }
            Value::Bools(items) => serializer.collect_seq(items.iter()),
            Value::SmallInts(items) => serializer.collect_seq(items.iter()),
            Value::Object(own) => self.object(own, serializer),
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

impl<'a> Shown<'a> {
    fn inner<E: serde_core::ser::Error>(
        self,
        value: &'a Value,
        property: Option<&'a Property>,
    ) -> std::result::Result<Self, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom(too_deep()))?;
        Ok(Shown { value, property, levels })
    }

    fn object<S: Serializer>(
        self,
        object: &'a Object,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$type", object.class().name())?;
        if let Some(header) = object.core() {
            map.serialize_entry("$core", &core(header))?;
        }
        let mut again = Again::new(object);
        for field in object.fields() {
            let name = name(object, field, &mut again).map_err(S::Error::custom)?;
            let value = self.inner(&field.value, object.property_of(field))?;
            map.serialize_entry(&name, &value)?;
        }
        map.end()
    }
}

fn bits<M: SerializeMap>(map: &mut M, bits: &RawBits) -> std::result::Result<(), M::Error> {
    map.serialize_entry("$bits", &bits.len())?;
    map.serialize_entry("$hex", &Hex(bits.as_bytes()))
}

/// An object with one member.
fn one<S: Serializer>(
    serializer: S,
    name: &'static str,
    value: &(impl Serialize + ?Sized),
) -> std::result::Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

fn tuple<S: Serializer, T: Serialize, const N: usize>(
    serializer: S,
    names: [&'static str; N],
    values: [T; N],
) -> std::result::Result<S::Ok, S::Error> {
    Tuple(names, values).serialize(serializer)
}

struct Tuple<T, const N: usize>([&'static str; N], [T; N]);

impl<T: Serialize, const N: usize> Serialize for Tuple<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Float::Single(value) => serializer.serialize_f32(*value),
            Float::Double(value) => serializer.serialize_f64(*value),
            Float::SingleBits(bits) => one(serializer, "$float", &format_args!("{bits:08x}")),
            Float::DoubleBits(bits) => one(serializer, "$float", &format_args!("{bits:016x}")),
        }
    }
}
