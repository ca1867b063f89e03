//! The wrappers of the JSON notation as plain documents and strings: what it writes, and how types that serde
//! does not have pass through other formats.

use crate::Value;
use crate::kind::Kind;
use crate::text::hex;
use crate::types::{Binary, DateTime, Other};
use crate::value::{Document, Key};

/// The key of the wrapper around a document that would be taken for a wrapper itself.
pub(crate) const LITERAL: &str = "$document";

/// Whether a plain document begins like a wrapper.
pub(crate) fn is_ambiguous(document: &[(Key, Value)]) -> bool {
    document.first().is_some_and(|(key, _)| shape(key).is_some())
}

fn wrapper(key: &str, value: impl Into<Value>) -> Value {
    Value::Document([(key, value.into())].into_iter().collect())
}

/// The canonical wrapper of a value that plain JSON does not have; others stay as they are.
pub(crate) fn wrap(value: Value) -> Value {
    let document = |entries: Vec<(&str, Value)>| Value::Document(entries.into_iter().collect());
    match value {
        Value::DateTime(v) => wrapper("$date", wrapper("$numberLong", v.0.to_string())),
        Value::Binary(v) => {
            let inner = document(vec![
                ("base64", base64(&v.bytes).into()),
                ("subType", format!("{:02x}", v.subtype).into()),
            ]);
            wrapper("$binary", inner)
        }
        Value::Other(v) => {
            let inner = document(vec![
                ("type", format!("{:02x}", v.kind().byte()).into()),
                ("base64", base64(v.bytes()).into()),
            ]);
            wrapper("$bson", inner)
        }
        other => other,
    }
}

/// Text of a double that is read back as the same bits.
pub(crate) fn double_text(value: f64) -> String {
    if value.is_nan() {
        return match value.to_bits() {
            0x7ff8_0000_0000_0000 => "NaN".to_owned(),
            bits => format!("NaN:{bits:016x}"),
        };
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    // With a point, or an exponent where the digits would be many.
    format!("{value:?}")
}

/// Whether a double as a plain number of JSON text is read back as the same bits by readers that take
/// its digits for an integer and a power of ten, as `serde_json` does by default.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    reason = "digits and exponents of doubles"
)]
pub(crate) fn is_plain(value: f64) -> bool {
    let text = format!("{value:e}");
    let Some((digits, exponent)) = text.split_once('e') else { return false };
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let Ok(exponent) = exponent.parse::<i32>() else { return false };
    let mut power = exponent + 1 - digits.len() as i32;
    let Ok(mut number) = digits.parse::<u64>() else { return false };
    // Whole numbers are written with a 0 after the point.
    while power >= 0 && exponent < 16 {
        (number, power) = (number * 10, power - 1);
    }
    let ten = 10_f64.powi(power.abs());
    let is_read = |number: u64| {
        let read = if power < 0 { number as f64 / ten } else { number as f64 * ten };
        power.abs() <= 22 && read == value.abs()
    };
    // Of two texts that are as short and as near, not all writers take the same.
    let is_same = |number: &u64| format!("{number}e{power}").parse() == Ok(value.abs());
    let others = [number.saturating_sub(1), number + 1];
    is_read(number) && (digits.len() < 16 || others.into_iter().filter(is_same).all(is_read))
}

pub(crate) fn parse_double(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::from_bits(0x7ff8_0000_0000_0000)),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => match text.strip_prefix("NaN:") {
            Some(bits) => {
                let value = f64::from_bits(u64::try_from(hex(bits, 16)?).ok()?);
                value.is_nan().then_some(value)
            }
            None => {
                let number = text.bytes().all(|byte| {
                    byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E')
                });
                text.parse().ok().filter(|value: &f64| number && value.is_finite())
            }
        },
    }
}

/// The value that a document stands for, if it is a wrapper; else the document.
///
/// # Errors
/// A document that begins like a wrapper and is none: what was expected.
pub(crate) fn unwrap(document: Document) -> Result<Value, String> {
    let first = document.first().map(|(key, _)| key.clone());
    match first.and_then(|name| shape(&name).map(|shape| (name, shape))) {
        None => Ok(Value::Document(document)),
        Some((name, shape)) => interpret(&name, document).ok_or_else(|| {
            format!("expected {shape} in the notation of {name}, found something else")
        }),
    }
}

/// The contents of a wrapper in words, by its first key; `None` for other keys.
fn shape(name: &str) -> Option<&'static str> {
    Some(match name {
        "$numberInt" => "the digits of an int32",
        "$numberLong" => "the digits of an int64",
        "$numberDouble" => "the text of a double",
        "$binary" => "base64 and subType",
        "$uuid" => "the text of a UUID",
        "$bson" => "type and base64",
        "$date" => "a time or its milliseconds",
        LITERAL => "a document",
        _ => return None,
    })
}

fn interpret(name: &str, mut document: Document) -> Option<Value> {
    let mut values = std::mem::take(&mut *document).into_iter();
    let (_, first) = values.next()?;
    if values.next().is_some() {
        return None;
    }
    Some(match name {
        "$numberInt" => Value::Int32(digits(first.as_str()?)?),
        "$numberLong" => Value::Int64(digits(first.as_str()?)?),
        "$numberDouble" => Value::Double(parse_double(first.as_str()?)?),
        "$binary" => {
            let [data, subtype] = pair(&first, ["base64", "subType"])?;
            let subtype = subtype.as_str().filter(|digits| matches!(digits.len(), 1 | 2))?;
            let subtype = u8::try_from(hex(subtype, subtype.len())?).ok()?;
            let bytes = from_base64(data.as_str()?)?;
            Value::Binary(Box::new(Binary { subtype, bytes }))
        }
        "$uuid" => {
            let digits = first.as_str()?.replace('-', "");
            let bytes = hex(&digits, 32)?.to_be_bytes().to_vec();
            Value::Binary(Box::new(Binary { subtype: 4, bytes }))
        }
        "$bson" => {
            let [kind, data] = pair(&first, ["type", "base64"])?;
            let kind = Kind::from_byte(u8::try_from(hex(kind.as_str()?, 2)?).ok()?)?;
            Value::Other(Other::new(kind, from_base64(data.as_str()?)?).ok()?)
        }
        "$date" => Value::DateTime(match &first {
            Value::Int64(v) => DateTime(*v),
            Value::Int32(v) => DateTime((*v).into()),
            other => DateTime::parse(other.as_str()?)?,
        }),
        LITERAL if matches!(first, Value::Document(_)) => first,
        _ => return None,
    })
}

/// The two values of a document with these keys, in either order.
fn pair<'a>(value: &'a Value, keys: [&str; 2]) -> Option<[&'a Value; 2]> {
    let document = value.as_document().filter(|document| document.len() == 2)?;
    Some([document.get(keys[0])?, document.get(keys[1])?])
}

/// An integer in plain decimal digits.
fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// With padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        let word = match chunk.len() {
            1 => word << 16,
            2 => word << 8,
            _ => word,
        };
        for (index, shift) in [18_u32, 12, 6, 0].into_iter().enumerate() {
            let place = usize::try_from(word >> shift & 63).unwrap_or(0);
            let letter = LETTERS.get(place).copied().unwrap_or(b'=');
            text.push(char::from(if index > chunk.len() { b'=' } else { letter }));
        }
    }
    text
}

/// With or without padding.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_suffix("==").or(text.strip_suffix('=')).unwrap_or(text);
    if digits.len() % 4 == 1 || (digits.len() != text.len() && !text.len().is_multiple_of(4)) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len());
    for chunk in digits.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for digit in chunk {
            let value = match digit {
                b'A'..=b'Z' => digit.wrapping_sub(b'A'),
                b'a'..=b'z' => digit.wrapping_sub(b'a').wrapping_add(26),
                b'0'..=b'9' => digit.wrapping_sub(b'0').wrapping_add(52),
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            word = word << 6 | u32::from(value);
        }
        let [_, a, b, c] = match chunk.len() {
            2 => word << 12,
            3 => word << 6,
            _ => word,
        }
        .to_be_bytes();
        bytes.extend([a, b, c].iter().take(chunk.len().saturating_sub(1)));
    }
    Some(bytes)
}
