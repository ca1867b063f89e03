#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod control;
mod de;
pub mod frame;
mod kind;
mod message;
mod protocol;
mod read;
mod record;
mod ser;
mod session;
mod table;
mod xml;

pub use control::{Control, KeepAlive, SessionAccept, SessionOffer, Time};
pub use kind::Kind;
pub use kiwi_pclass::{Error, ErrorKind, Result, Value, types};
pub use message::{Message, RawMessage};
pub use protocol::{Field, MessageType, Protocol, Protocols};
pub use record::Record;
pub use session::Session;
pub use table::Table;

use serde_core::{Deserialize, Serialize};

/// Reads the fields of a message from its body: one after another, each as wide as its Rust type.
///
/// # Errors
/// A body that is cut off or has bytes after the last field, data that does not fit `T`, and types that DML
/// does not have.
///
/// # Example
/// ```
/// let (x, name): (u16, &str) = kiwi_dml::from_slice(b"\x07\0\x02\0Oz")?;
/// assert_eq!((x, name), (7, "Oz"));
/// # Ok::<(), kiwi_dml::Error>(())
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T> {
    de::from_body(body)
}

/// Writes the fields of a message, which are its body.
///
/// # Errors
/// Types that DML does not have, texts of more than 65 535 bytes or code units, and a body of more than
/// [`RawMessage::MAX_BODY`] bytes.
///
/// # Example
/// ```
/// assert_eq!(kiwi_dml::to_vec(&(7u16, "Oz"))?, b"\x07\0\x02\0Oz");
/// # Ok::<(), kiwi_dml::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(fields: &T) -> Result<Vec<u8>> {
    ser::to_body(fields)
}
