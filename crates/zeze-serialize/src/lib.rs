#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cast;
pub mod de;
mod error;
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub mod explain;
pub mod frame;
mod handoff;
pub mod hash;
mod ids;
#[cfg(feature = "glam")]
mod interop;
pub mod json;
mod kind;
mod macros;
mod options;
mod read;
mod ser;
mod types;
pub mod value;
pub mod wire;
mod write;

pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use kind::Kind;
pub use options::Options;
pub use ser::Serializer;
pub use types::*;
pub use value::Value;

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

/// Reads one value that takes the whole input. Strings and bytes can be borrowed.
///
/// # Errors
/// Malformed input, data that does not fit `T`, a limit, or bytes after the value.
///
/// # Example
/// ```
/// #[derive(serde::Deserialize)]
/// struct Player<'a> {
///     name: &'a str,
///     level: i32,
/// }
///
/// // Field 1 is the text "Bo", field 2 is 7.
/// let player: Player = zeze_serialize::from_slice(b"\x13\x02Bo\x10\x07\x00")?;
/// assert_eq!((player.name, player.level), ("Bo", 7));
/// # Ok::<(), zeze_serialize::Error>(())
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
/// let file = std::io::Cursor::new([0x30, 1, 2, 3]);
/// let levels: Vec<i32> = zeze_serialize::from_reader(file)?;
/// assert_eq!(levels, [1, 2, 3]);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads one value and returns the bytes after it, too.
///
/// # Errors
/// As [`from_slice`], except that bytes after the value are fine.
///
/// # Example
/// ```
/// let (first, rest) = zeze_serialize::take_from_slice::<i64>(&[0x05, 0x40, 0x64])?;
/// assert_eq!(first, 5);
/// assert_eq!(zeze_serialize::from_slice::<i64>(rest)?, 100);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Encodes a value as the generated code of Zeze does.
///
/// # Errors
/// A value that the format cannot represent, or a limit.
///
/// # Example
/// ```
/// #[derive(serde::Serialize)]
/// struct Player {
///     #[serde(rename = "1:name")]
///     name: String,
///     #[serde(rename = "9:level")]
///     level: i32,
/// }
///
/// let bytes = zeze_serialize::to_vec(&Player { name: "Bo".into(), level: 7 })?;
/// assert_eq!(bytes, b"\x13\x02Bo\x80\x07\x00");
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Encodes a value and writes it.
///
/// # Errors
/// As [`to_vec`], or an I/O error.
///
/// # Example
/// ```
/// let mut file = Vec::new();
/// zeze_serialize::to_writer(&mut file, &vec![1, 2, 3])?;
/// assert_eq!(file, [0x30, 1, 2, 3]);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The [`Value`] of what is written for `value`.
///
/// # Errors
/// As [`to_vec`].
///
/// # Example
/// ```
/// use zeze_serialize::Value;
///
/// // A tuple at the root is a bean; the field that is zero is left out.
/// let value = zeze_serialize::to_value(&(7, 0, "Bo"))?;
/// assert_eq!(value.pointer("/1"), Some(&Value::Int(7)));
/// assert_eq!(value.pointer("/2"), None);
/// assert_eq!(value[3].as_str(), Some("Bo"));
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

gamewire_core::check! { "zeze_serialize", Options, Error, ErrorKind::Data }

/// Reads a Rust type from a [`Value`].
///
/// # Errors
/// Data that does not fit `T`, or a limit.
///
/// # Example
/// ```
/// use zeze_serialize::Value;
/// use zeze_serialize::value::Bean;
///
/// let bean: Bean = [(1, Value::from(7)), (3, Value::from("Bo"))].into_iter().collect();
/// let tuple: (i32, i32, String) = zeze_serialize::from_value(&bean.into())?;
/// assert_eq!(tuple, (7, 0, "Bo".to_owned()));
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}

/// Says what every byte of the input means; never fails, see [`Explanation::error`].
///
/// # Example
/// ```
/// let explanation = zeze_serialize::explain(&[0x10, 0x07, 0x00]);
/// let meanings = explanation.spans().iter().map(|span| (span.offset(), span.value()));
/// assert_eq!(meanings.collect::<Vec<_>>(), [(0, "7"), (1, "7"), (2, "")]);
/// assert!(explanation.error().is_none());
/// ```
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
