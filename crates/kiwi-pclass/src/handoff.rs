//! How a [`Value`](crate::Value) passes through serde in one piece.
//!
//! `Serialize` and `Deserialize` are written for any format, and what a value is in other formats is
//! not what it is here: it holds shared classes (`Arc<Class>`), which serde's data model cannot carry; it
//! is written by rules that only the serializer knows, and both directions go through nested values
//! without recursion, which serde's traits do not allow.
//!
//! There are two ways, with the same results. The serializer and the deserializer know a value by the
//! reserved name of its newtype in both.
//!
//! - With `std`, by thread-locals (`lent.rs`): the serializer lends its writer for the length of one
//!   call, and the value takes it from there; the other way round a decoded value waits for its visitor.
//!   In other formats nothing is ever put there.
//! - Without, in band (`carried.rs`): bytes hold the value and copies of its classes. Whose bytes they
//!   are is found out by asking twice whether the format is for people: this crate's says yes, and no.

#[cfg(not(feature = "std"))]
mod carried;
#[cfg(feature = "std")]
mod lent;

#[cfg(not(feature = "std"))]
pub(crate) use carried::{Knock, give, lend, take_value, write_native};
#[cfg(feature = "std")]
pub(crate) use lent::{give, lend, take_value, write_native};

use serde_core::ser::Error as _;

use crate::Error;

/// What is in the newtype is not what its name says.
#[cold]
fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$kiwi_pclass` are reserved")
}
