#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "gdec")]
mod check_sum;
mod class_db;
pub mod de;
mod error;
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub mod explain;
mod find;
mod float;
pub mod frame;
mod handoff;
mod interop;
mod macros;
#[cfg(feature = "native_json")]
#[cfg_attr(docsrs, doc(cfg(feature = "native_json")))]
pub mod native_json;
mod options;
pub mod project;
mod read;
pub mod ser;
#[cfg(feature = "text")]
#[cfg_attr(docsrs, doc(cfg(feature = "text")))]
pub mod text;
pub mod types;
pub mod value;
#[cfg(feature = "zerocopy")]
pub mod view;
pub mod wrapped;
mod write;

pub use class_db::ClassDb;
pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use find::FoundDialect;
pub use options::{Dialect, Options, Precision, Spelling};
pub use ser::Serializer;
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
/// let bytes = [4, 0, 0, 0, 3, 0, 0, 0, b'h', b'i', b'!', 0];
/// assert_eq!(godot_variant::from_slice::<&str>(&bytes)?, "hi!");
/// # Ok::<(), godot_variant::Error>(())
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
/// let file = std::io::Cursor::new([1, 0, 0, 0, 1, 0, 0, 0]);
/// assert!(godot_variant::from_reader::<_, bool>(file)?);
/// # Ok::<(), godot_variant::Error>(())
/// ```
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads one value and returns it with the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the value are fine.
///
/// # Example
/// ```
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// let (seven, rest) = godot_variant::take_from_slice::<u8>(&bytes)?;
/// assert_eq!((seven, rest), (7, &[0; 4][..]));
/// # Ok::<(), godot_variant::Error>(())
/// ```
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Encodes a value as `var_to_bytes` does.
///
/// # Errors
/// A value that the format cannot represent, or a limit.
///
/// # Example
/// ```
/// use godot_variant::types::Vector2i;
///
/// let bytes = godot_variant::to_vec(&Vector2i::new(1, -1))?;
/// assert_eq!(bytes, [6, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255]);
/// # Ok::<(), godot_variant::Error>(())
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
/// let mut packet = Vec::new();
/// godot_variant::to_writer(&mut packet, &true)?;
/// assert_eq!(packet, [1, 0, 0, 0, 1, 0, 0, 0]);
/// # Ok::<(), godot_variant::Error>(())
/// ```
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The [`Value`] that the engine would see for `value`.
///
/// # Errors
/// As [`to_vec`].
///
/// # Example
/// ```
/// let value = godot_variant::to_value(&("a", 1.5))?;
/// assert_eq!(format!("{value:?}"), r#"["a", 1.5]"#);
/// # Ok::<(), godot_variant::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

gamewire_core::check! { "godot_variant", Options, Error, ErrorKind::Data }

/// Reads a Rust type from a [`Value`].
///
/// # Errors
/// Data that does not fit `T`, or a limit.
///
/// # Example
/// ```
/// use godot_variant::Value;
///
/// let value = Value::from(vec!["a", "b"]);
/// assert_eq!(godot_variant::from_value::<[String; 2]>(&value)?, ["a", "b"]);
/// # Ok::<(), godot_variant::Error>(())
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}

/// Says what every byte of the input means; never fails, see [`Explanation::error`].
///
/// # Example
/// ```
/// let explanation = godot_variant::explain(&[2, 0, 0, 0, 7, 0, 0, 0]);
/// let number = &explanation.spans()[1];
/// assert_eq!((number.meaning(), number.value()), ("32-bit integer", "7"));
/// ```
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
