//! The JSON notation as serde sees it: what a value is in other formats.

use std::borrow::Cow;

use gamewire_core::bytes::hex;
use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Field, Object, RawBits, Value};
use crate::core_object::CoreHeader;
use crate::schema::{Number, Property};
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
pub(crate) struct Occurrences {
    /// Empty where each occurs once, in the order of the class.
    known: Vec<u32>,
    unknown: Map<u32, u32>,
    #[cfg(feature = "xml")]
    is_plain: bool,
}

impl Occurrences {
    pub(crate) fn new(object: &Object) -> Self {
        let known = || object.fields().iter().filter_map(Field::index);
        let is_sorted = known().zip(known().skip(1)).all(|(a, b)| a < b);
        let len = if is_sorted { 0 } else { object.class().properties().len() };
        Occurrences {
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
    occurrences: &mut Occurrences,
) -> Result<Cow<'v, str>> {
    let property = object.property_of(field).map(Property::name);
    Ok(match (property, field.unknown_hash(), occurrences.count(field)) {
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
            Value::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for value in items {
                    seq.serialize_element(&self.inner(value, self.property)?)?;
                }
                seq.end()
            }
            Value::Object(own) => self.object(own, serializer),
            leaf => {
                JsonLeaf::of(leaf, self.property).map_err(S::Error::custom)?.serialize(serializer)
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
            map.serialize_entry("$core", &JsonLeaf::core(header))?;
        }
        let mut occurrences = Occurrences::new(object);
        for field in object.fields() {
            let name = name(object, field, &mut occurrences).map_err(S::Error::custom)?;
            let value = self.inner(&field.value, object.property_of(field))?;
            map.serialize_entry(&name, &value)?;
        }
        map.end()
    }
}

/// A value that holds no others, or a member of one, as the notation has it.
pub(crate) enum JsonLeaf<'v> {
    Null,
    Bool(bool),
    Enum(u32),
    /// No NaN and no infinity, for which JSON has no numbers.
    Number(Number),
    Text(Cow<'v, str>),
    Bools(&'v [bool]),
    SmallInts(&'v [i8]),
    Units(&'v [u16]),
    Row(Vec<JsonLeaf<'v>>),
    Members(Vec<(&'static str, JsonLeaf<'v>)>),
}

impl<'v> JsonLeaf<'v> {
    /// A property adds to what the value means.
    pub(crate) fn of(value: &'v Value, property: Option<&Property>) -> Result<Self> {
        Ok(match value {
            Value::Null => JsonLeaf::Null,
            Value::Bool(value) => JsonLeaf::Bool(*value),
            Value::Int(value) => JsonLeaf::Number(Number::Int(*value)),
            Value::UInt(value) => JsonLeaf::Number(Number::UInt(*value)),
            Value::Float(value) => JsonLeaf::number(Number::Float(*value)),
            Value::Double(value) => JsonLeaf::number(Number::Double(*value)),
            Value::Enum(value) => match property.and_then(|own| name_of(own, *value)) {
                Some(name) => JsonLeaf::Text(name.into()),
                None => JsonLeaf::Enum(*value),
            },
            Value::String(text) => match text.as_str() {
                Some(text) => JsonLeaf::Text(text.into()),
                None => JsonLeaf::Members(vec![("$bytes", JsonLeaf::hex(text.as_bytes()))]),
            },
            Value::WString(text) => match text.to_text() {
                Some(text) => JsonLeaf::Text(text.into()),
                None => JsonLeaf::Members(vec![("$utf16", JsonLeaf::Units(text.units()))]),
            },
            Value::Bools(items) => JsonLeaf::Bools(items),
            Value::SmallInts(items) => JsonLeaf::SmallInts(items),
            Value::Raw(raw) => {
                let class = JsonLeaf::Text(format!("{:#010x}", raw.hash).into());
                JsonLeaf::Members([("$type", class)].into_iter().chain(bits(&raw.bits)).collect())
            }
            Value::Bits(own) => JsonLeaf::Members(bits(own).into()),
            other => {
                let fault = || Error::new(ErrorKind::Data, "expected two equal numbers");
                let (row, numbers) = other.row().ok_or_else(fault)?;
                // The rows of a matrix have names, too.
                let parts = numbers.chunks(row.each).map(|numbers| match numbers {
                    [number] => JsonLeaf::number(*number),
                    row => JsonLeaf::Row(row.iter().copied().map(JsonLeaf::number).collect()),
                });
                JsonLeaf::Members(row.names.iter().copied().zip(parts).collect())
            }
        })
    }

    /// The header of a core object.
    pub(crate) fn core(header: CoreHeader) -> Self {
        let CoreHeader { block, template_type, template_id } = header;
        let number = |number: u64| JsonLeaf::Number(Number::UInt(number));
        JsonLeaf::Members(vec![
            ("block", number(block.into())),
            ("type", number(template_type.into())),
            ("template_id", number(template_id.into())),
        ])
    }

    fn number(number: Number) -> Self {
        let bits = match number {
            Number::Float(value) if !value.is_finite() => format!("{:08x}", value.to_bits()),
            Number::Double(value) if !value.is_finite() => format!("{:016x}", value.to_bits()),
            number => return JsonLeaf::Number(number),
        };
        JsonLeaf::Members(vec![("$float", JsonLeaf::Text(bits.into()))])
    }

    fn hex(bytes: &[u8]) -> Self {
        JsonLeaf::Text(hex(bytes).into())
    }
}

fn bits(bits: &RawBits) -> [(&'static str, JsonLeaf<'static>); 2] {
    let count = Number::UInt(u64::try_from(bits.len()).unwrap_or(u64::MAX));
    [("$bits", JsonLeaf::Number(count)), ("$hex", JsonLeaf::hex(bits.as_bytes()))]
}

impl Serialize for JsonLeaf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            JsonLeaf::Null => serializer.serialize_unit(),
            JsonLeaf::Bool(value) => serializer.serialize_bool(*value),
            JsonLeaf::Enum(value) => serializer.serialize_u32(*value),
            JsonLeaf::Number(Number::Int(value)) => serializer.serialize_i64(*value),
            JsonLeaf::Number(Number::UInt(value)) => serializer.serialize_u64(*value),
            JsonLeaf::Number(Number::Float(value)) => serializer.serialize_f32(*value),
            JsonLeaf::Number(Number::Double(value)) => serializer.serialize_f64(*value),
            JsonLeaf::Text(text) => serializer.serialize_str(text),
            JsonLeaf::Bools(items) => serializer.collect_seq(*items),
            JsonLeaf::SmallInts(items) => serializer.collect_seq(*items),
            JsonLeaf::Units(items) => serializer.collect_seq(*items),
            JsonLeaf::Row(items) => serializer.collect_seq(items),
            JsonLeaf::Members(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}
