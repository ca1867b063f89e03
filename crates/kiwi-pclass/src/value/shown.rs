//! The JSON notation as serde sees it: what a value is in other formats.

use std::borrow::Cow;
use std::fmt;

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::row::number_of;
use super::{Field, Object, RawBits, Value};
use crate::core_object::CoreHeader;
use crate::schema::{Number, Numbers, Property};
use crate::{Error, ErrorKind, Result, handoff};
use std::collections::HashMap as Map;

/// The text of an enum, if it says the value.
pub(crate) fn name_of(property: &Property, value: u32) -> Option<String> {
    let options = property.options()?;
    let text = options.format(value);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    (!is_number && options.parse(&text).ok() == Some(value)).then_some(text)
}

/// How often properties of an object were there before: deep mode allows that.
pub(crate) struct Again {
    /// Empty where each occurs once, in the order of the class.
    known: Vec<u32>,
    unknown: Map<u32, u32>,
    #[cfg(feature = "xml")]
    is_plain: bool,
}

impl Again {
    pub(crate) fn new(object: &Object) -> Self {
        let known = || object.fields().iter().filter_map(Field::index);
        let is_sorted = known().zip(known().skip(1)).all(|(a, b)| a < b);
        let len = if is_sorted { 0 } else { object.class().properties().len() };
        Again {
            known: vec![0; len],
            unknown: Map::new(),
            #[cfg(feature = "xml")]
            is_plain: is_sorted && object.fields().iter().all(|field| field.index().is_some()),
        }
    }

    /// Whether each property occurs once, in the order of the class, and nothing else.
    #[cfg(feature = "xml")]
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// 1 for the first time.
    pub(crate) fn count(&mut self, field: &Field) -> u32 {
        let count = match (field.index(), field.unknown_hash()) {
            (Some(index), _) => match self.known.get_mut(index) {
                Some(count) => count,
                None => return 1,
            },
            (None, hash) => self.unknown.entry(hash.unwrap_or_default()).or_default(),
        };
        *count = count.saturating_add(1);
        *count
    }
}

/// The name of a member.
pub(crate) fn name<'v>(
    object: &'v Object,
    field: &Field,
    again: &mut Again,
) -> Result<Cow<'v, str>> {
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

/// The header of a core object.
pub(crate) fn core(header: CoreHeader) -> Named {
    let CoreHeader { block, template_type, template_id } = header;
    let numbers = [block.into(), template_type.into(), template_id.into()];
    let numbers = numbers.into_iter().map(Number::UInt).collect();
    Named { names: &["block", "type", "template_id"], each: 1, numbers }
}

/// A value with what its property adds to it.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    value: &'a Value,
    property: Option<&'a Property>,
    /// How many levels may follow.
    levels: usize,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // The serializer of this crate asks here for the whole value.
        let serializer = match handoff::write_native(serializer, |lent| lent.write(self.value)) {
            Ok(taken) => return taken,
            Err(serializer) => serializer,
        };
        match self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(_) | Value::UInt(_) | Value::Float(_) | Value::Double(_) => {
                number_of(self.value).unwrap_or(Number::Int(0)).serialize(serializer)
            }
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
            other => {
                let row = Named::of(other);
                row.ok_or_else(|| S::Error::custom("expected two equal numbers"))?
                    .serialize(serializer)
            }
        }
    }
}

impl<'a> Shown<'a> {
    pub(crate) fn new(value: &'a Value, property: Option<&'a Property>) -> Self {
        Shown { value, property, levels: Value::MAX_SERDE_DEPTH }
    }

    fn inner<E: serde_core::ser::Error>(
        self,
        value: &'a Value,
        property: Option<&'a Property>,
    ) -> std::result::Result<Self, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| {
            let most = Value::MAX_SERDE_DEPTH;
            E::custom(format_args!("nested deeper than {most} levels, the most for serde"))
        })?;
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

/// A few numbers by name; those of a matrix are rows.
pub(crate) struct Named {
    names: &'static [&'static str],
    /// Numbers to a name.
    each: usize,
    numbers: Numbers,
}

impl Named {
    /// The numbers that a value consists of.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let (row, numbers) = value.row()?;
        Some(Named { names: row.names, each: row.each, numbers })
    }

    /// Each name, and the numbers that it has.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'static str, &[Number])> {
        self.names.iter().copied().zip(self.numbers.chunks(self.each))
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (name, numbers) in self.members() {
            match numbers {
                [number] => map.serialize_entry(name, number)?,
                row => map.serialize_entry(name, row)?,
            }
        }
        map.end()
    }
}

pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

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
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match *self {
            Number::Int(value) => serializer.serialize_i64(value),
            Number::UInt(value) => serializer.serialize_u64(value),
            Number::Float(value) if value.is_finite() => serializer.serialize_f32(value),
            Number::Double(value) if value.is_finite() => serializer.serialize_f64(value),
            Number::Float(value) => {
                one(serializer, "$float", &format_args!("{:08x}", value.to_bits()))
            }
            Number::Double(value) => {
                one(serializer, "$float", &format_args!("{:016x}", value.to_bits()))
            }
        }
    }
}
