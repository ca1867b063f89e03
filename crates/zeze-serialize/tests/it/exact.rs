//! The face of the crate for data that has to come back as it was or be refused: by default the
//! format ignores fields of an incompatible type, cuts integers and drops the sign of zero.
#![allow(unreachable_pub, clippy::wrong_self_convention, reason = "the face of a crate")]

use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
#[cfg(feature = "explain")]
pub use zeze_serialize::explain;
pub use zeze_serialize::{Deserializer, Error, ErrorKind, Result, Serializer, Value};

/// `zeze_serialize::Options` with all that is strict.
#[derive(Clone)]
pub struct Options(zeze_serialize::Options);

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    pub fn new() -> Self {
        let options = zeze_serialize::Options::new();
        Options(options.strict(true).exact_integers(true).keep_negative_zero(true))
    }

    pub fn max_depth(self, depth: usize) -> Self {
        Options(self.0.max_depth(depth))
    }

    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.0.from_slice(bytes)
    }

    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        self.0.take_from_slice(bytes)
    }

    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        self.0.from_reader(reader)
    }

    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        self.0.to_vec(value)
    }

    pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(&self, w: W, value: &T) -> Result<()> {
        self.0.to_writer(w, value)
    }
}

pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

pub fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    Options::new().0.to_value(value)
}

pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    Options::new().0.from_value(value)
}
