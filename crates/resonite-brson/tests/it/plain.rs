//! The face of the crate for BSON without a container, where offsets and borrowing are those of
//! the input.

use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(crate) use resonite_brson::{
    Container, Deserializer, Error, ErrorKind, Result, Serializer, Value, from_value, to_value,
};

#[cfg(feature = "explain")]
pub(crate) use resonite_brson::explain;

/// `resonite_brson::Options` with raw BSON both ways.
#[derive(Clone, Debug)]
pub(crate) struct Options(pub(crate) resonite_brson::Options);

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

#[allow(clippy::wrong_self_convention, reason = "the names of the crate")]
impl Options {
    pub(crate) fn new() -> Self {
        let bson = Container::BSON;
        Options(resonite_brson::Options::new().container(bson).input(bson))
    }

    pub(crate) fn max_depth(self, depth: usize) -> Self {
        Options(self.0.max_depth(depth))
    }

    pub(crate) fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.0.from_slice(bytes)
    }

    pub(crate) fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        self.0.take_from_slice(bytes)
    }

    pub(crate) fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        self.0.from_reader(reader)
    }

    pub(crate) fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        self.0.to_vec(value)
    }

    pub(crate) fn to_writer<W: io::Write, T: Serialize + ?Sized>(
        &self,
        writer: W,
        value: &T,
    ) -> Result<()> {
        self.0.to_writer(writer, value)
    }
}

pub(crate) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

pub(crate) fn take_from_slice<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

pub(crate) fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

pub(crate) fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

pub(crate) fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}
