//! BSON as text, canonical without loss, relaxed for people: for all that the engine writes, MongoDB's
//! Extended JSON v2.
//!
//! | BSON | canonical | relaxed |
//! |---|---|---|
//! | Null, Bool, String, Document, Array | as in JSON | the same |
//! | Int32 | `{"$numberInt":"5"}` | `5` |
//! | Int64 | `{"$numberLong":"5"}` | `5` |
//! | Double | `{"$numberDouble":"5.0"}` | `5.0`; `{"$numberDouble":"NaN"}` |
//! | DateTime | `{"$date":{"$numberLong":"0"}}` | `{"$date":"1970-01-01T00:00:00Z"}` in 1970 to 9999 |
//! | Binary | `{"$binary":{"base64":"AQI=","subType":"00"}}` | the same |
//!
//! Values that the notation cannot say get an extension:
//!
//! | value | extension |
//! |---|---|
//! | document whose first key is one of these | `{"$document":{"$date":"not a date"}}` |
//! | unusual NaN, such as that of .NET | `{"$numberDouble":"NaN:fff8000000000000"}` |
//! | of a type that no engine writes, by its bytes | `{"$bson":{"type":"07","base64":"X7…"}}` |
//!
//! Reading takes both forms, mixed as they come. A number without point and exponent is the
//! smallest integer that holds it, any other is a double. So relaxed text loses whether an integer
//! was an int32 or an int64, which is the same to the engine.
//!
//! ```
//! use resonite_brson::{Value, json::{self, Style}};
//!
//! let value: Value = [("a", Value::Int64(5)), ("b", Value::Double(0.5))].into_iter().collect();
//! let text = json::to_string(&value, Style::Canonical);
//! assert_eq!(text, r#"{"a":{"$numberLong":"5"},"b":{"$numberDouble":"0.5"}}"#);
//! assert_eq!(json::from_str(&text)?, value);
//! assert_eq!(json::to_string(&value, Style::Relaxed), r#"{"a":5,"b":0.5}"#);
//! # Ok::<(), resonite_brson::Error>(())
//! ```

mod read;
mod write;

use crate::{Options, Result, Value};

/// Which of the two forms to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Numbers and dates as people read them.
    #[default]
    Relaxed,
    /// Every type spelled out; reading it returns the same value.
    Canonical,
}

/// The text of a value, on one line.
pub fn to_string(value: &Value, style: Style) -> String {
    write::write(value, style, false)
}

/// The text of a value, indented by two spaces.
pub fn to_string_pretty(value: &Value, style: Style) -> String {
    write::write(value, style, true)
}

/// Reads text of either form.
///
/// # Errors
/// Text that is no JSON, a wrapper with something else in it, a duplicate key, or a limit.
/// Offsets count the bytes of the text.
pub fn from_str(text: &str) -> Result<Value> {
    from_str_with(text, &Options::new())
}

/// [`from_str`] with another [`max_depth`](Options::max_depth) or [`max_memory`](Options::max_memory), or
/// with [`allow_duplicates`](Options::allow_duplicates).
///
/// # Errors
/// As [`from_str`].
pub fn from_str_with(text: &str, options: &Options) -> Result<Value> {
    read::read(text, options)
}
