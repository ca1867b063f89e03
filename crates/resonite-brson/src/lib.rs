// The round trip of the README is a `.brson`.
#![cfg_attr(feature = "brotli", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "brotli"), doc = "Saves of Resonite and NeosVR for serde.")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod codec;
#[cfg_attr(
    not(all(feature = "brotli", feature = "lz4", feature = "lzma")),
    allow(unused, unreachable_code, reason = "what only some codecs need")
)]
pub mod container;
pub mod de;
mod error;
#[cfg(feature = "explain")]
pub mod explain;
mod extended;
mod handoff;
#[cfg(feature = "bson")]
mod interop;
pub mod json;
mod kind;
mod macros;
mod options;
#[doc(hidden)]
pub mod read;
pub mod ser;
mod text;
mod types;
pub mod value;
mod write;

pub use body::Body;
pub use codec::{Codec, Container};
pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use kind::Kind;
pub use options::Options;
pub use ser::Serializer;
pub use text::Str;
pub use types::*;
pub use value::Value;

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

/// Reads a file: any container, one document that takes the whole of it.
///
/// Text and bytes can be borrowed where the file is not compressed; see [`open`] for borrowing
/// from compressed files.
///
/// # Errors
/// A damaged container, malformed BSON, data that does not fit `T`, a limit, or bytes after the
/// end.
///
/// # Example
/// ```
/// let file = b"\x0c\0\0\0\x10a\0\x01\0\0\0\0"; // BSON alone
/// let value: resonite_brson::Value = resonite_brson::from_slice(file)?;
/// assert_eq!(value["a"], 1);
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a reader to its end and the one document in it.
///
/// # Errors
/// As [`from_slice`], or an I/O error.
///
/// # Example
/// ```
/// let file: &[u8] = b"\x05\0\0\0\0";
/// let value: resonite_brson::Value = resonite_brson::from_reader(file)?;
/// assert_eq!(format!("{value:?}"), "{}");
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads a file and returns the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the end are fine.
///
/// # Example
/// ```
/// use resonite_brson::{Container, Options, Value};
///
/// let options = Options::new().input(Container::BSON);
/// let (value, rest): (Value, _) = options.take_from_slice(b"\x05\0\0\0\0 and more")?;
/// assert_eq!((value, rest), (Value::Document(Default::default()), &b" and more"[..]));
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Decompresses a file; [`Body::read`] then lends text and bytes out of it.
///
/// # Errors
/// A damaged container, a limit, or bytes after the end.
pub fn open(bytes: &[u8]) -> Result<Body<'_>> {
    Options::new().open(bytes)
}

/// Encodes a value as a `.brson` file.
///
/// # Errors
/// A value that the format cannot say, a root that is not a struct or map, or a limit.
///
/// # Example
/// ```
/// # #[cfg(feature = "brotli")] {
/// let file = resonite_brson::to_vec(&std::collections::BTreeMap::from([("a", 1)]))?;
/// assert!(file.starts_with(b"FrDT\0\0\0\0\x03"));
/// # }
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Encodes a value as a `.brson` file and writes it.
///
/// # Errors
/// As [`to_vec`], or an I/O error.
///
/// # Example
/// ```
/// # #[cfg(feature = "brotli")] {
/// let mut file = Vec::new();
/// resonite_brson::to_writer(&mut file, &std::collections::BTreeMap::from([("a", 1)]))?;
/// assert_eq!(file, resonite_brson::to_vec(&std::collections::BTreeMap::from([("a", 1)]))?);
/// # }
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The [`Value`] of what would be written.
///
/// # Errors
/// As [`to_vec`], but any value can stand at the root.
///
/// # Example
/// ```
/// let value = resonite_brson::to_value(&(1, "two"))?;
/// assert_eq!(format!("{value:?}"), r#"[1, "two"]"#);
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

gamewire_core::check! { "resonite_brson", Options, Error, ErrorKind::Data }

/// Reads a Rust type from a [`Value`].
///
/// # Errors
/// Data that does not fit `T`, or a limit.
///
/// # Example
/// ```
/// let value = resonite_brson::Value::from(vec![1, 2]);
/// assert_eq!(resonite_brson::from_value::<[u8; 2]>(&value)?, [1, 2]);
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}

/// Says what every byte of a file means; never fails, see [`Explanation::error`].
///
/// # Example
/// ```
/// let explanation = resonite_brson::explain(&[5, 0, 0, 0, 0]);
/// assert_eq!(explanation.spans()[0].kind(), "Document");
/// ```
#[cfg(feature = "explain")]
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
