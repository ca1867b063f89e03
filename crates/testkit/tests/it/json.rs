//! JSON behind the face of a format crate of text, to test the tests with.

use std::fmt;
use std::io::{Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::shallow::Shallow;

pub use serde_json::{Deserializer, Serializer};

pub type Result<T> = std::result::Result<T, Error>;

pub struct Error(Box<(ErrorKind, String)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Eof,
    Syntax,
    Data,
    Io,
}

impl Error {
    fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        let message =
            message.strip_prefix("EOF").map_or(message.clone(), |rest| format!("end{rest}"));
        Error(Box::new((kind, message)))
    }

    pub fn kind(&self) -> ErrorKind {
        self.0.0
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        use serde_json::error::Category;
        let kind = match error.classify() {
            Category::Eof => ErrorKind::Eof,
            Category::Syntax => ErrorKind::Syntax,
            Category::Data => ErrorKind::Data,
            Category::Io => ErrorKind::Io,
        };
        Error::new(kind, error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.1)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.0)
    }
}

impl std::error::Error for Error {}

pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Ok(serde_json::from_slice(bytes)?)
}

pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    let mut values = Deserializer::from_slice(bytes).into_iter();
    let value = values.next().ok_or_else(|| Error::new(ErrorKind::Eof, "no value"))??;
    Ok((value, &bytes[values.byte_offset()..]))
}

pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Ok(serde_json::from_reader(reader)?)
}

pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Shallow::new(b'[');
    serde_json::to_writer(&mut out, value)?;
    Ok(out.bytes)
}

pub fn to_writer<W: Write, T: Serialize + ?Sized>(mut writer: W, value: &T) -> Result<()> {
    writer.write_all(&to_vec(value)?).map_err(|error| Error::new(ErrorKind::Io, error))
}
