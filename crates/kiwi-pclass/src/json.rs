//! A JSON notation of any [`Value`], with the names of classes, properties and options.
//!
//! | value | JSON |
//! |---|---|
//! | object | `{"$type": "class Leaf", "m_id": 7, …}`, properties in their order |
//! | null | `null` |
//! | `bool`, numbers | the same; `{"$float": "7fc00000"}` for NaN and infinities, by their bits |
//! | enum, bit flags | `"RED"`, `"A\|B"`; a number where names do not say it. Both are read. |
//! | `std::string` | text; `{"$bytes": "ff00"}` if it is not UTF-8 |
//! | `std::wstring` | text; `{"$utf16": [55357]}` if it has a lone surrogate |
//! | `class Vector3D` and the like | `{"x": 1.0, "y": 0.0, "z": -2.5}`; a matrix has rows `i`, `j`, `k` |
//! | vector, list | an array |
//! | header of a core object | `"$core": {"block": 104, "type": 2, "template_id": 57}` |
//! | object of an unknown class | `{"$type": "0x1234abcd", "$bits": 12, "$hex": "0f0a"}` |
//! | unknown property | `"0x1234abcd": {"$bits": 12, "$hex": "0f0a"}` |
//! | a property that occurs again | `"m_id#2"` |
//!
//! The notation is part of the [format's description](https://github.com/gamewire/gamewire/blob/main/docs/crates/kiwi-pclass.md#json-notation).
//!
//! In other serde formats a [`Value`] writes itself in the same notation, up to
//! [`Value::MAX_SERDE_DEPTH`].
//!
//! Writing needs no schema, because objects know their class; reading takes it from the
//! [`Options`]. Nothing is lost between the two.
//!
//! ```
//! use kiwi_pclass::schema::{ClassDef, PropertyDef};
//! use kiwi_pclass::{Options, Schema, json};
//!
//! const LEAF: ClassDef =
//!     ClassDef::new("class Leaf", &[], &[PropertyDef::new("m_id", "unsigned int", 0x1f)]);
//!
//! let options = Options::new().schema(Schema::builder().class(&LEAF)?.build()?);
//! let leaf = json::from_str(r#"{"$type": "class Leaf", "m_id": 7}"#, &options)?;
//! assert_eq!(leaf["m_id"].as_u64(), Some(7));
//! assert_eq!(json::to_string(&leaf)?, r#"{"$type":"class Leaf","m_id":7}"#);
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```

mod build;
pub(crate) mod items;
mod write;

use gamewire_core::json::Layout;

use crate::notation::Budget;
use crate::{Options, Result, Value};

/// A value as JSON on one line.
///
/// # Errors
/// A field that is none of its object's class.
pub fn to_string(value: &Value) -> Result<String> {
    write::text(value, Layout::Compact)
}

/// A value as JSON with a line for each property and element.
///
/// # Errors
/// As [`to_string`].
pub fn to_string_pretty(value: &Value) -> Result<String> {
    write::text(value, Layout::Lines)
}

/// Reads a value from JSON.
///
/// Classes are those of [`Options::schema`], the nesting is limited by [`Options::max_depth`], and
/// [`Options::mode`] and [`Options::mask`] should be those that the value is written with.
///
/// # Errors
/// Malformed JSON, a class or property that the schema does not have, data that does not fit its
/// property, nesting beyond the limit.
pub fn from_str(text: &str, options: &Options) -> Result<Value> {
    let memory = options.limits.memory(text.len());
    let items = items::items(text, memory)?;
    let budget = Budget::new(memory.saturating_sub(items.memory()));
    build::value(items.root(), options, budget)
}
