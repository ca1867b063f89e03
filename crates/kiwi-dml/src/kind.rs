//! The types of fields
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-dml.md#fields)).

use std::fmt;

use kiwi_pclass::Value;
use kiwi_pclass::types::{ByteString, WString};

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `BYT`: a signed number of 1 byte.
    Byt,
    /// `UBYT`: an unsigned number of 1 byte. `BOOL` is one of 0 and 1.
    UByt,
    /// `SHRT`: a signed number of 2 bytes.
    Shrt,
    /// `USHRT`: an unsigned number of 2 bytes.
    UShrt,
    /// `INT`: a signed number of 4 bytes.
    Int,
    /// `UINT`: an unsigned number of 4 bytes.
    UInt,
    /// `GID`: an id of 8 bytes.
    Gid,
    /// `FLT`: a float of 4 bytes.
    Flt,
    /// `DBL`: a float of 8 bytes.
    Dbl,
    /// `STR`: up to 65 535 bytes, which are text or anything else.
    Str,
    /// `WSTR`: up to 65 535 UTF-16 code units.
    WStr,
}

/// Kinds with their names in XML; where there are several, the first is the usual one.
const NAMES: [(&str, Kind); 14] = [
    ("BYT", Kind::Byt),
    ("UBYT", Kind::UByt),
    ("SHRT", Kind::Shrt),
    ("USHRT", Kind::UShrt),
    ("INT", Kind::Int),
    ("UINT", Kind::UInt),
    ("GID", Kind::Gid),
    ("FLT", Kind::Flt),
    ("DBL", Kind::Dbl),
    ("STR", Kind::Str),
    ("WSTR", Kind::WStr),
    ("UBYTE", Kind::UByt),
    ("USHORT", Kind::UShrt),
    ("BOOL", Kind::UByt),
];

impl Kind {
    /// The kind of a name in XML: one of the eleven, or `UBYTE`, `USHORT` or `BOOL`.
    pub fn from_name(name: &str) -> Option<Kind> {
        NAMES.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind)
    }

    /// The usual name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Bytes of the smallest value.
    pub const fn min_size(self) -> usize {
        match self {
            Kind::Byt | Kind::UByt => 1,
            Kind::Shrt | Kind::UShrt | Kind::Str | Kind::WStr => 2,
            Kind::Int | Kind::UInt | Kind::Flt => 4,
            Kind::Gid | Kind::Dbl => 8,
        }
    }

    /// Zero, or the empty text.
    pub fn zero(self) -> Value {
        match self {
            Kind::Byt | Kind::Shrt | Kind::Int => Value::Int(0),
            Kind::UByt | Kind::UShrt | Kind::UInt | Kind::Gid => Value::UInt(0),
            Kind::Flt => Value::Float(0.0),
            Kind::Dbl => Value::Double(0.0),
            Kind::Str => Value::String(ByteString::default()),
            Kind::WStr => Value::WString(WString::default()),
        }
    }

    /// The value of a text in a file of messages, `None` if it is none of this kind. No text is zero.
    pub(crate) fn declared(self, text: &str) -> Option<Value> {
        let value = match self {
            _ if text.is_empty() => return Some(self.zero()),
            Kind::Str | Kind::WStr => Value::from(text),
            Kind::Flt | Kind::Dbl => {
                Value::Double(text.parse().ok().filter(|own: &f64| own.is_finite())?)
            }
            _ => text.parse().map(Value::Int).or_else(|_| text.parse().map(Value::UInt)).ok()?,
        };
        self.hold(&value)
    }

    /// The value as a field of this kind holds it: whole numbers within its range, floats of its width,
    /// texts as bytes or as code units. `None` if it does not fit.
    pub(crate) fn hold(self, value: &Value) -> Option<Value> {
        Some(match self {
            Kind::Byt => Value::Int(i8::try_from(whole(value)?).ok()?.into()),
            Kind::Shrt => Value::Int(i16::try_from(whole(value)?).ok()?.into()),
            Kind::Int => Value::Int(i32::try_from(whole(value)?).ok()?.into()),
            Kind::UByt => Value::UInt(u8::try_from(whole(value)?).ok()?.into()),
            Kind::UShrt => Value::UInt(u16::try_from(whole(value)?).ok()?.into()),
            Kind::UInt => Value::UInt(u32::try_from(whole(value)?).ok()?.into()),
            Kind::Gid => Value::UInt(u64::try_from(whole(value)?).ok()?),
            Kind::Flt => Value::Float(match value {
                Value::Float(float) => *float,
                _ => nearest(double(value)?)?,
            }),
            Kind::Dbl => Value::Double(double(value)?),
            Kind::Str => match value {
                Value::String(_) => value.clone(),
                Value::WString(text) => Value::String(text.to_text()?.into()),
                _ => return None,
            },
            Kind::WStr => match value {
                Value::WString(_) => value.clone(),
                Value::String(text) => Value::WString(text.as_str()?.into()),
                _ => return None,
            },
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(yes) => Some((*yes).into()),
        Value::Int(number) => Some((*number).into()),
        Value::UInt(number) => Some((*number).into()),
        Value::Enum(number) => Some((*number).into()),
        _ => None,
    }
}

fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(double) => Some(*double),
        Value::Float(float) => Some((*float).into()),
        // A number of 32 bits is a double whatever it is.
        _ => {
            let number = whole(value)?;
            i32::try_from(number)
                .map(f64::from)
                .or_else(|_| u32::try_from(number).map(f64::from))
                .ok()
        }
    }
}

/// The float next to a double, unless it is beyond all floats.
#[allow(clippy::cast_possible_truncation, reason = "to the nearest float")]
fn nearest(double: f64) -> Option<f32> {
    let float = double as f32;
    (float.is_finite() || !double.is_finite()).then_some(float)
}
