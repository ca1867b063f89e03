//! How a [`Value`] or a packed array passes through serde in one piece.
//!
//! `Serialize` and `Deserialize` are written for any format and are shown a serializer of unknown type,
//! so a `Value` cannot tell this crate's from another before it has chosen between its encoded and its
//! readable form. Nor can it be passed in parts: serde goes through those by recursion, where 1024
//! nested containers overflow a stack of 2 MiB, and takes a call for each number of a packed array.
//!
//! There are two ways, with the same results. The serializer and the deserializer know the types by the
//! reserved names of their newtypes in both.
//!
//! - With `std`, by thread-locals (`lent.rs`): the serializer lends its writer for the length of one
//!   call, and the type takes it from there; the other way round a decoded `Value` waits for its visitor,
//!   which is called next. In other formats nothing is ever put there, and nothing stays after a call.
//! - Without, in band (`carried.rs`): the type makes bytes that hold everything, and the serializer a
//!   value of them again, which it writes by its own options. That takes twice the time. The other way
//!   round a value passes as it does in serde's buffers, as a map of one entry.

#[cfg(not(feature = "std"))]
mod carried;
#[cfg(feature = "std")]
mod lent;

#[cfg(not(feature = "std"))]
pub(crate) use carried::{Lent, carried, lend, take_value, write_native};
#[cfg(feature = "std")]
pub(crate) use lent::{Lent, leave_value, lend, take_value, write_native};

use serde_core::ser::Error as _;

use crate::Error;

/// What is in the newtype is not what its name says.
#[cold]
pub(crate) fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$godot_variant` are reserved")
}
