#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod de;
mod error;
pub mod explain;
pub mod frame;
pub mod hash;
mod ids;
mod interop;
mod kind;
mod options;
mod read;
pub mod ser;
mod types;
pub mod value;
pub mod wire;
mod write;

pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
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

/// Encodes a value as the generated code of Zeze does.
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

/// The [`Value`] of what is written for `value`.
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
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
