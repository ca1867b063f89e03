#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod class_db;
pub mod de;
mod error;
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub mod explain;
pub mod frame;
mod handoff;
mod interop;
pub mod native_json;
mod options;
pub mod project;
mod read;
pub mod ser;
mod types;
pub mod value;
#[cfg(feature = "zerocopy")]
pub mod view;
mod write;

pub use class_db::ClassDb;
pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use options::{Dialect, Options, Precision};
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

/// Reads one value and gives the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the value are fine.
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Encodes a value as `var_to_bytes` does.
///
/// # Errors
/// What the format cannot say, or a limit.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Encodes a value and writes it.
///
/// # Errors
/// As [`to_vec`], or an I/O error.
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The [`Value`] that the engine would see for `value`.
///
/// # Errors
/// As [`to_vec`].
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

/// Reads a Rust type from a [`Value`].
///
/// # Errors
/// Data that does not fit `T`, or a limit.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}

/// Says what every byte of the input means; never fails, see [`Explanation::error`].
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
