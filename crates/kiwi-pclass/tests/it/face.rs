//! The face that `conformance!` asks for: deep mode, compact lengths for long strings, any class for
//! a struct, because the tests read one struct's bytes as another. The classes are inferred.

use std::io;

use ::serde::de::DeserializeOwned;
use ::serde::{Deserialize, Serialize};
use kiwi_pclass::{Explanation, Mode, Options, SerializerFlags};

pub(crate) use kiwi_pclass::{Deserializer, Error, ErrorKind, Result, Serializer};

fn options() -> Options {
    Options::new().mode(Mode::Deep).flags(SerializerFlags::COMPACT_LENGTHS).any_class(true)
}

pub(crate) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    options().from_slice(bytes)
}

pub(crate) fn take_from_slice<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
) -> Result<(T, &'de [u8])> {
    options().take_from_slice(bytes)
}

pub(crate) fn from_reader<R: io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    options().from_reader(reader)
}

pub(crate) fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    options().to_vec(value)
}

pub(crate) fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    options().to_writer(writer, value)
}

pub(crate) fn explain(bytes: &[u8]) -> Explanation {
    options().schema(crate::support::types()).explain(bytes)
}
