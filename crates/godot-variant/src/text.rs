//! The engine's text of values: what `var_to_str` writes and `str_to_var` reads, what people paste,
//! and what stands after the `=` in `.cfg`, `.tscn` and `.tres` files.
//!
//! ```
//! use godot_variant::types::Vector3;
//! use godot_variant::{Value, text};
//!
//! let value: Value = text::from_str(r#"{ "pos": Vector3(1, 0, -2.5), &"hp": 97.5, 3: [null] }"#)?;
//! assert_eq!(value["pos"], Value::from(Vector3::new(1.0, 0.0, -2.5)));
//! // As the engine writes it: keys are sorted, each entry has a line.
//! assert_eq!(
//!     text::to_string(&value)?,
//!     "{\n3: [null],\n&\"hp\": 97.5,\n\"pos\": Vector3(1, 0, -2.5)\n}"
//! );
//! // A Rust type goes through the value that it would be.
//! assert_eq!(text::from_str::<(i64, String)>(r#"[7, "x"]"#)?, (7, "x".to_owned()));
//! # Ok::<(), godot_variant::Error>(())
//! ```
//!
//! The text is not lossless, in the engine as here:
//!
//! | value | in the text |
//! |---|---|
//! | −0.0 | `0` |
//! | float that fits 32 bits | the digits of the 32-bit float, which as a float of 64 bits is another one: `0.1` |
//! | digits | read as the engine reads them: one in three floats of 17 digits becomes its neighbour |
//! | order of a dictionary | sorted by key |
//! | NaN | `nan`, whichever it was |
//! | control characters in a StringName or NodePath | `\a` and `\v`, which are read as `a` and `v` |
//! | Signal | `Signal()`, the null signal, which is the same key for all |
//! | object id | the object `EncodedObjectAsID` that holds it |
//! | typed container whose elements do not fit | read as an empty one |
//!
//! Text that the engine reads with loss is an error here: numbers out of range, text after the value, a
//! packed array of vectors whose last one is not whole. Resources and classes that are only known to
//! the engine cannot be loaded; whole objects take [`Options::allow_objects`].
//!
//! Values that the engine would write so that nothing reads them back are an error here, too: a
//! string with NUL, at which texts end; names in a node path that are empty or contain `/` or `:`; a
//! class whose name is not one word or is that of a built-in type. `"` and `\` in the name of a
//! property are escaped.

pub mod config;
mod decimal;
mod dialect;
mod float;
mod order;
pub mod parts;
mod read;
mod respell;
mod write;

pub use dialect::{dialect_of, in_dialect};
pub use respell::respelled;

use std::ops::Range;

use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::error::{Error, ErrorKind, Result};
use crate::{Options, Value};

/// Of the bytes of a `PackedByteArray`. The engine does not look at the bits that the last character has too many.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Whether a character can be in a word, such as the name of a class.
fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Reads the text of one value.
///
/// # Errors
/// Malformed text, with the byte offset in it; a limit; data that does not fit `T`.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T> {
    from_str_with(text, &Options::new())
}

/// [`from_str`] with options: limits, whole objects, and the precision of what has components.
///
/// # Errors
/// As [`from_str`].
pub fn from_str_with<T: DeserializeOwned>(text: &str, options: &Options) -> Result<T> {
    options.from_value(&read::read(text, options)?)
}

/// Reads the text of one value as a [`Value`], without serde.
///
/// # Errors
/// As [`from_str`].
pub fn value_from_str(text: &str, options: &Options) -> Result<Value> {
    read::read(text, options)
}

/// Reads the value that begins at an offset, or after white space and comments there, and returns it with
/// its place: that of a value in a larger text.
///
/// # Errors
/// As [`from_str`].
pub fn value_at(text: &str, at: usize, options: &Options) -> Result<(Value, Range<usize>)> {
    read::read_at(text, at, options)
}

/// Reads values that stand one after another, each on its own lines, as of `store_line(var_to_str(x))`; returns each
/// with its place.
///
/// ```
/// use godot_variant::{Options, text};
///
/// let values = text::values_from_str("[1,\n2]\n\n\"x\"\n", &Options::new())?;
/// assert_eq!(values[1], ("x".into(), 8..11));
/// # Ok::<(), godot_variant::Error>(())
/// ```
///
/// # Errors
/// As [`from_str`], and something after a value on its line.
pub fn values_from_str(text: &str, options: &Options) -> Result<Vec<(Value, Range<usize>)>> {
    let mut values = Vec::new();
    each_value(text, |at| {
        let (value, place) = read::read_at(text, at, options)?;
        values.push((value, place.clone()));
        Ok(place)
    })?;
    Ok(values)
}

/// Whether a text looks like values that stand so, other than numbers and words alone, which anything may be. Takes
/// little memory, and looks at brackets and words alone.
///
/// ```
/// use godot_variant::text::is_values;
///
/// assert!(is_values("{\"at\": Vector2(1, 2)}\n[1]\n"));
/// assert!(!is_values("1\n") && !is_values("[a]") && !is_values("[1] 2"));
/// ```
pub fn is_values(text: &str) -> bool {
    let mut has_brackets = false;
    let is_read = each_value(text, |at| {
        let place = read::skim_at(text, at)?;
        let own = text.get(place.clone()).unwrap_or_default();
        has_brackets |=
            own.starts_with('&') || !own.starts_with('"') && own.ends_with([')', ']', '}']);
        Ok(place)
    });
    is_read.is_ok() && has_brackets
}

/// Goes along values that stand on their own lines. `take` returns where one is.
fn each_value(text: &str, mut take: impl FnMut(usize) -> Result<Range<usize>>) -> Result<()> {
    let mut at = 0;
    loop {
        let mut tokens = read::Tokens::at(text, at);
        tokens.skip();
        let next = tokens.offset();
        let between = text.get(at..next).unwrap_or_default();
        if text.get(next..).is_none_or(|rest| rest.is_empty() || rest.starts_with('\0')) {
            return Ok(());
        }
        if at > 0 && !between.contains('\n') {
            let text = "expected the end of the line after a value, found more";
            return Err(Error::at(ErrorKind::TrailingBytes, next, text));
        }
        at = take(next)?.end;
    }
}

/// Writes a value as the engine does.
///
/// # Errors
/// A value that a [`Value`] or the [text](self) cannot represent, or a limit.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    to_string_with(value, &Options::new())
}

/// [`to_string`] with options: limits.
///
/// # Errors
/// As [`to_string`].
pub fn to_string_with<T: Serialize + ?Sized>(value: &T, options: &Options) -> Result<String> {
    value_to_string(&options.to_value(value)?, options)
}

/// Writes a [`Value`] as the engine does, without serde.
///
/// # Errors
/// As [`to_string`].
pub fn value_to_string(value: &Value, options: &Options) -> Result<String> {
    write::write(value, options)
}
