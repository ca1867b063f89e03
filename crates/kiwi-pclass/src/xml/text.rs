//! Numbers and names as XML text, and which properties the form has.

use std::borrow::Cow;

use quick_xml::escape::partial_escape;

use crate::schema::Property;
use crate::{Mode, Options};

/// Whether XML 1.0 can carry the character.
fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Whether XML 1.0 can carry the text.
pub(super) fn is_text(text: &str) -> bool {
    text.chars().all(is_char)
}

/// Whether it is a name of an element, for every reader: ASCII, and not what this form uses itself.
pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    bytes.next().is_some_and(is_first)
        && bytes.all(|byte| is_first(byte) || byte.is_ascii_digit() || b".-".contains(&byte))
        && !name.starts_with("_0x")
}

/// Text between elements. A carriage return would be read as a line feed.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let escaped = partial_escape(text);
    if escaped.contains('\r') { escaped.replace('\r', "&#13;").into() } else { escaped }
}

/// A value of an attribute, between double quotes.
pub(super) fn escaped_attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
    out
}

/// Whether an object is written with the property, if it is not a delta property.
pub(super) fn is_written(property: &Property, options: &Options) -> bool {
    property.is_selected(options.mask)
        && !(property.is_deprecated() && (options.mode == Mode::Deep || options.skip_deprecated))
}

macro_rules! floats {
    ($($write:ident $read:ident $float:ty, $bits:ty, $digits:literal;)+) => {$(
        /// The fewest digits that come back, and the bits of a NaN that is not the usual one.
        pub(super) fn $write(value: $float) -> String {
            if value.is_nan() {
                let bits = value.to_bits();
                if bits == <$float>::NAN.to_bits() {
                    return "nan".to_owned();
                }
                return format!(concat!("nan({:0", $digits, "x})"), bits);
            }
            let text = format!("{value:?}");
            text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
        }

        pub(super) fn $read(text: &str) -> Option<$float> {
            let digits = text.strip_prefix("nan(").and_then(|rest| rest.strip_suffix(')'));
            if let Some(digits) = digits.filter(|digits| !digits.starts_with('+')) {
                let value = <$float>::from_bits(<$bits>::from_str_radix(digits, 16).ok()?);
                return Some(value).filter(|value| value.is_nan());
            }
            text.parse().ok()
        }
    )+};
}

floats! {
    float read_float f32, u32, "8";
    double read_double f64, u64, "16";
}
