#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "archive")]
pub mod archive;
mod bits;
mod compound;
pub mod core_object;
pub mod de;
pub mod envelope;
mod error;
#[cfg(feature = "explain")]
pub mod explain;
pub mod generated;
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
mod setters;
pub mod types;
pub mod value;
#[doc(hidden)]
pub mod wire;
mod write;
#[cfg(feature = "xml")]
pub mod xml;

pub use de::Deserializer;
pub use error::{Error, ErrorKind, Path, Result, Segment};
#[cfg(feature = "explain")]
pub use explain::Explanation;
pub use options::{Mode, Options, Unknown};
pub use schema::Schema;
pub use ser::Serializer;
pub use value::Value;

use std::io;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

/// Reads one object that takes the whole input, in shallow mode with the classes of `T`. Strings
/// and bytes can be borrowed.
///
/// # Errors
/// Malformed input, data that does not fit `T`, a limit, or bytes after the object.
///
/// # Example
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// #[serde(rename = "class Leaf")]
/// struct Leaf<'a> {
///     m_id: u32,
///     m_name: &'a str,
/// }
///
/// let leaf: Leaf<'_> = kiwi_pclass::from_slice(b"\xe0\x0e\x10\x05\x07\0\0\0\x02\0Oz")?;
/// assert_eq!((leaf.m_id, leaf.m_name), (7, "Oz"));
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a reader to its end and the one object in it.
///
/// # Errors
/// As [`from_slice`], or an I/O error.
///
/// # Example
/// ```
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// # #[serde(rename = "class Leaf")]
/// # struct Leaf {
/// #     m_id: u32,
/// # }
/// let file = std::io::Cursor::new(b"\xe0\x0e\x10\x05\x07\0\0\0");
/// let leaf: Leaf = kiwi_pclass::from_reader(file)?;
/// assert_eq!(leaf, Leaf { m_id: 7 });
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads one object and returns it with the bytes after it.
///
/// # Errors
/// As [`from_slice`], except that bytes after the object are fine.
///
/// # Example
/// ```
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// # #[serde(rename = "class Leaf")]
/// # struct Leaf {
/// #     m_id: u32,
/// # }
/// let bytes = b"\xe0\x0e\x10\x05\x07\0\0\0more";
/// let (leaf, rest): (Leaf, _) = kiwi_pclass::take_from_slice(bytes)?;
/// assert_eq!((leaf.m_id, rest), (7, &b"more"[..]));
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// Encodes an object in shallow mode.
///
/// # Errors
/// Values that the format cannot say, or a limit.
///
/// # Example
/// ```
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// # #[serde(rename = "class Leaf")]
/// # struct Leaf {
/// #     m_id: u32,
/// # }
/// let bytes = kiwi_pclass::to_vec(&Leaf { m_id: 7 })?;
/// assert_eq!(bytes, b"\xe0\x0e\x10\x05\x07\0\0\0");
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Encodes an object and writes it.
///
/// # Errors
/// As [`to_vec`], or an I/O error.
///
/// # Example
/// ```
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// # #[serde(rename = "class Leaf")]
/// # struct Leaf {
/// #     m_id: u32,
/// # }
/// let mut file = Vec::new();
/// kiwi_pclass::to_writer(&mut file, &Leaf { m_id: 7 })?;
/// assert_eq!(file.len(), 8);
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// The [`Value`] of an object.
///
/// # Errors
/// As [`to_vec`].
///
/// # Example
/// ```
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// # #[serde(rename = "class Leaf")]
/// # struct Leaf {
/// #     m_id: u32,
/// # }
/// let value = kiwi_pclass::to_value(&Leaf { m_id: 7 })?;
/// assert_eq!(value["m_id"].as_u64(), Some(7));
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().to_value(value)
}

gamewire_core::check! { "kiwi_pclass", Options, Error, ErrorKind::Data }

/// Reads a Rust type from a [`Value`].
///
/// # Errors
/// Data that does not fit `T`, or a limit.
///
/// # Example
/// ```
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// # #[serde(rename = "class Leaf")]
/// # struct Leaf {
/// #     m_id: u32,
/// # }
/// let mut value = kiwi_pclass::to_value(&Leaf { m_id: 7 })?;
/// value["m_id"] = 8u32.into();
/// assert_eq!(kiwi_pclass::from_value::<Leaf>(&value)?, Leaf { m_id: 8 });
/// # Ok::<(), kiwi_pclass::Error>(())
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().from_value(value)
}

/// Says what every bit of the input means, with the default options; never fails, see
/// [`Explanation::error`]. Without a schema that is not much: see [`Options::explain`].
///
/// # Example
/// ```
/// let explanation = kiwi_pclass::explain(b"\xe0\x0e\x10\x05");
/// assert!(explanation.error().unwrap().to_string().contains("a schema is needed"));
/// ```
#[cfg(feature = "explain")]
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
