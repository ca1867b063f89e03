//! The face of the crate for BSON without a container, where offsets and borrowing are those of
//! the input.

use resonite_brson::{Container, Options, Result};
use serde::{Deserialize, Serialize};

/// Raw BSON both ways.
pub(crate) fn options() -> Options {
    Options::new().container(Container::BSON).input(Container::BSON)
}

pub(crate) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    options().from_slice(bytes)
}

pub(crate) fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    options().to_vec(value)
}
