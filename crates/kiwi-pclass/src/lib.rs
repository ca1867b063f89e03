#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bits;
mod catch;
pub mod core_object;
pub mod de;
pub mod envelope;
mod error;
#[cfg(feature = "explain")]
pub mod explain;
mod handoff;
pub mod hash;
#[cfg(feature = "json")]
pub mod json;
#[cfg(any(feature = "json", feature = "xml"))]
mod notation;
mod options;
mod read;
pub mod schema;
pub mod ser;
pub mod types;
pub mod value;
mod write;
#[cfg(feature = "xml")]
pub mod xml;

pub use core_object::{CoreHeader, CoreTypes};
pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use hash::Game;
pub use options::{Mode, Options, Unknown};
pub use read::Header;
pub use schema::{Class, Container, EnumOptions, Property, Schema};
pub use ser::Serializer;
#[doc(inline)]
pub use types::{
    ByteString, Color, Euler, Gid, Matrix3x3, PropertyFlags, Ptr, Quaternion, SerializerFlags,
    Shared, Vector3D, WString,
};
pub use value::{Field, List, Object, RawBits, RawObject, Value};

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

/// Reads one object that takes the whole input, in shallow mode with the classes of `T`. Strings
/// and bytes can be borrowed.
///
/// # Errors
/// Malformed input, data that does not fit `T`, a limit, or bytes after the object.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a reader to its end and the one object in it.
///
/// # Errors
/// As [`from_slice`], or an I/O error.
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads one object and gives the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the object are fine.
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Encodes an object in shallow mode.
///
/// # Errors
/// What the format cannot say, or a limit.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Encodes an object and writes it.
///
/// # Errors
/// As [`to_vec`], or an I/O error.
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The [`Value`] of an object.
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

#[cfg(feature = "explain")]
/// Says what every bit of the input means, with the default options; never fails, see
/// [`Explanation::error`]. Without a schema that is not much: see [`Options::explain`].
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
