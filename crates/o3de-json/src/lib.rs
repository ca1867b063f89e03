#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod de;
mod error;
#[cfg(feature = "explain")]
pub mod explain;
mod file;
mod node;
mod options;
pub mod prefab;
mod read;
mod registry;
pub mod report;
pub mod ser;
pub mod types;
pub mod value;
mod write;

pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::{Explanation, explain};
pub use options::{Conformance, Floats, Options};
pub use registry::{TypeInfo, TypeRegistry};
pub use ser::Serializer;
pub use types::{
    Any, AssetPath, Bytes, Color, Enumeration, FixedMaxPath, Map, Matrix3x3, Matrix3x4, Matrix4x4,
    MultiMap, MultiSet, Quaternion, RawValue, Refused, Set, Transform, Tuple, UnorderedMap,
    UnorderedSet, Uuid, Vector2, Vector3, Vector4,
};
pub use value::Value;

#[doc(hidden)]
pub use serde_core as __serde;

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use report::Report;

/// Reads one value that takes the whole text. Strings can be borrowed.
///
/// # Errors
/// Text that is not JSON, data that does not fit `T`, a limit, or text after the value.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T> {
    Options::new().from_str(text)
}

/// Reads one value that takes the whole of some UTF-8 bytes.
///
/// # Errors
/// As [`from_str`], or bytes that are not UTF-8.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a reader to its end and the one value in it.
///
/// # Errors
/// As [`from_slice`], or an I/O error.
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads one value and returns the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the value are fine.
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Loads a value as the engine does: what does not fit is left out and reported.
///
/// # Errors
/// Text that is not JSON, a limit, text after the value, or what [`Options::load`] says of members
/// without a default.
pub fn load<'de, T: Deserialize<'de>>(text: &'de str) -> Result<(T, Report)> {
    Options::new().load(text)
}

/// Loads onto a value that is there, as the engine does.
///
/// # Errors
/// As [`load()`]; see [`Options::load_into`].
pub fn load_into<T: Serialize + DeserializeOwned>(target: &mut T, text: &str) -> Result<Report> {
    Options::new().load_into(target, text)
}

/// Writes a value as text, with all its defaults.
///
/// # Errors
/// What JSON or the engine cannot say, such as NaN, or a limit.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    Options::new().to_string(value)
}

/// As [`to_string`], indented as the engine's files are.
///
/// # Errors
/// As [`to_string`].
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    Options::new().to_string_pretty(value)
}

/// The bytes of [`to_string`].
///
/// # Errors
/// As [`to_string`].
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes a value as text.
///
/// # Errors
/// As [`to_string`], or an I/O error.
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// Writes a value without what is the default of its type, as the engine stores.
///
/// # Errors
/// As [`to_string`].
pub fn to_string_stripped<T: Serialize + DeserializeOwned>(value: &T) -> Result<String> {
    Options::new().to_string_stripped(value)
}

/// Writes a value without what is the same in `default`.
///
/// # Errors
/// As [`to_string`].
pub fn to_string_with_default<T: Serialize + DeserializeOwned>(
    value: &T,
    default: &T,
) -> Result<String> {
    Options::new().to_string_with_default(value, default)
}

/// The document that a value is written as.
///
/// # Errors
/// As [`to_string`].
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

/// Reads a Rust type from a document.
///
/// # Errors
/// As [`from_str`], without line and column.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}
