//! MessagePack behind the face of a format crate, to test the tests with.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read, Write};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::shallow::Shallow;

pub use rmp_serde::{Deserializer, Serializer};
pub use rmpv::Value;

pub type Result<T> = std::result::Result<T, Error>;

pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    offset: Option<usize>,
    path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Eof,
    TrailingBytes,
    Data,
    Io,
}

impl Error {
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let inner = Inner { kind, message: message.to_string(), offset: None, path: String::new() };
        Error(Box::new(inner))
    }

    pub fn at(mut self, offset: usize) -> Self {
        self.0.offset = Some(offset);
        self
    }

    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    fn decode(error: &rmp_serde::decode::Error, path: &serde_path_to_error::Path) -> Self {
        use rmp_serde::decode::Error::*;
        let mut new = match error {
            InvalidMarkerRead(_) | InvalidDataRead(_) => {
                Error::new(ErrorKind::Eof, "unexpected end of input")
            }
            TypeMismatch(_) => Error::new(ErrorKind::Data, "unexpected marker"),
            other => Error::new(ErrorKind::Data, other),
        };
        if path.iter().next().is_some() {
            new.0.path = path.to_string();
        }
        new
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(offset) = self.0.offset {
            write!(f, " at byte {offset:#x}")?;
        }
        if !self.0.path.is_empty() {
            write!(f, ", in {}", self.0.path)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    max_depth: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_depth: 128 }
    }
}

/// A slice that says from outside how much of it is left.
struct Tracked<'de, 'c> {
    rest: &'c Cell<&'de [u8]>,
}

impl Read for Tracked<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = self.rest.get();
        let len = rest.read(buffer);
        self.rest.set(rest);
        len
    }
}

impl Options {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }

    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let rest = Cell::new(bytes);
        let mut deserializer = Deserializer::new(Tracked { rest: &rest });
        deserializer.set_max_depth(self.max_depth);
        let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
            let offset = bytes.len() - rest.get().len();
            Error::decode(error.inner(), error.path()).at(offset.saturating_sub(1))
        })?;
        Ok((value, rest.get()))
    }

    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        // Only this reader borrows, and only the tracked one says where it stands.
        let mut deserializer = Deserializer::from_read_ref(bytes);
        deserializer.set_max_depth(self.max_depth);
        let value = match T::deserialize(&mut deserializer) {
            Ok(value) => value,
            Err(_) => return self.take_from_slice(bytes).map(|(value, _)| value),
        };
        match self.take_from_slice::<IgnoredAny>(bytes)? {
            (_, []) => Ok(value),
            (_, rest) => Err(Error::new(ErrorKind::TrailingBytes, "bytes after the value")
                .at(bytes.len() - rest.len())),
        }
    }

    pub fn from_reader<R: Read, T: DeserializeOwned>(&self, mut reader: R) -> Result<T> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| Error::new(ErrorKind::Io, error))?;
        self.from_slice(&bytes)
    }

    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        // 0x91 opens a sequence of one.
        let mut serializer = Serializer::new(Shallow::new(0x91)).with_struct_map();
        value.serialize(&mut serializer).map_err(|error| Error::new(ErrorKind::Data, error))?;
        Ok(serializer.into_inner().bytes)
    }

    pub fn to_writer<W: Write, T: Serialize + ?Sized>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        writer.write_all(&self.to_vec(value)?).map_err(|error| Error::new(ErrorKind::Io, error))
    }
}

pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

pub fn to_writer<W: Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    from_slice(&to_vec(value)?)
}

pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    from_slice(&to_vec(value)?)
}

pub fn explain(bytes: &[u8]) -> Vec<String> {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
