#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod de;
mod error;
#[cfg(feature = "explain")]
pub mod explain;
pub mod file;
mod macros;
mod node;
mod options;
mod read;
pub mod registry;
pub mod report;
pub mod ser;
mod setters;
pub mod types;
pub mod value;
mod write;

pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::{Explanation, explain};
pub use options::{Conformance, Floats, Options};
pub use ser::Serializer;
pub use value::Value;

/// For the macros.
#[doc(hidden)]
pub mod __private {
    pub use serde_core;

    pub use crate::macros::number;
}

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use report::Report;

/// Reads one value that takes the whole text. Strings can be borrowed.
///
/// # Errors
/// Text that is not JSON, data that does not fit `T`, a limit, or text after the value.
///
/// # Example
/// ```
/// let sizes: Vec<u8> = o3de_json::from_str("[1, \"0x10\", 2.9] // three")?;
/// assert_eq!(sizes, [1, 16, 2]);
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T> {
    Options::new().from_str(text)
}

/// Reads one value that takes the whole of some UTF-8 bytes.
///
/// # Errors
/// As [`from_str`], or bytes that are not UTF-8.
///
/// # Example
/// ```
/// let error = o3de_json::from_slice::<u8>(b"7 eight").unwrap_err();
/// assert_eq!(error.offset(), Some(2));
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a reader to its end and the one value in it.
///
/// # Errors
/// As [`from_slice`], or an I/O error.
///
/// # Example
/// ```
/// let reader: &[u8] = b"[true, \"FALSE\", 2]";
/// assert_eq!(o3de_json::from_reader::<_, Vec<bool>>(reader)?, [true, false, true]);
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads one value and returns the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the value are fine.
///
/// # Example
/// ```
/// let (first, rest) = o3de_json::take_from_slice::<u8>(b"1 2")?;
/// assert_eq!((first, rest), (1, &b" 2"[..]));
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Loads a value as the engine does: what does not fit is left out and reported.
///
/// # Errors
/// Text that is not JSON, a limit, text after the value, or what [`Options::load`] says of members
/// without a default.
///
/// # Example
/// ```
/// let (sizes, report) = o3de_json::load::<Vec<u8>>("[1, \"x\", 300, 4]")?;
/// assert_eq!(sizes, [1, 4]);
/// assert_eq!(report.issues()[1].pointer, "/2");
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn load<'de, T: Deserialize<'de>>(text: &'de str) -> Result<(T, Report)> {
    Options::new().load(text)
}

/// Loads onto a value that is present, as the engine does.
///
/// # Errors
/// As [`load()`]; see [`Options::load_into`].
pub fn load_into<T: Serialize + DeserializeOwned>(target: &mut T, text: &str) -> Result<Report> {
    Options::new().load_into(target, text)
}

gamewire_core::check! { "o3de_json", Options, Error, ErrorKind::Data }

/// Writes a value as text, with all its defaults.
///
/// # Errors
/// A value that JSON or the engine cannot say, such as NaN, or a limit.
///
/// # Example
/// ```
/// assert_eq!(o3de_json::to_string(&[0.5_f32, 1.0])?, "[0.5,1.0]");
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    Options::new().to_string(value)
}

/// As [`to_string`], indented as the engine's files are.
///
/// # Errors
/// As [`to_string`].
///
/// # Example
/// ```
/// assert_eq!(o3de_json::to_string_pretty(&[1, 2])?, "[\n    1,\n    2\n]");
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    Options::new().to_string_pretty(value)
}

/// The bytes of [`to_string`].
///
/// # Errors
/// As [`to_string`].
///
/// # Example
/// ```
/// assert_eq!(o3de_json::to_vec("Door")?, b"\"Door\"");
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes a value as text.
///
/// # Errors
/// As [`to_string`], or an I/O error.
///
/// # Example
/// ```
/// let mut file = Vec::new();
/// o3de_json::to_writer(&mut file, &(true, None::<u8>))?;
/// assert_eq!(file, b"[true,null]");
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The document that a value is written as.
///
/// # Errors
/// As [`to_string`].
///
/// # Example
/// ```
/// let value = o3de_json::to_value(&[Some(1.5), None])?;
/// assert_eq!((value[0].as_f64(), value[1].is_null()), (Some(1.5), true));
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

/// Reads a Rust type from a document.
///
/// # Errors
/// As [`from_str`], without line and column.
///
/// # Example
/// ```
/// let id = o3de_json::Value::from("0x10");
/// assert_eq!(o3de_json::from_value::<u64>(&id)?, 16);
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}
