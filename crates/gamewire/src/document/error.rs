//! Errors of documents.

use std::{fmt, io};

pub(super) use super::hint::Hint;

/// An error in a file's data, or in what is asked of it.
#[derive(Debug)]
pub struct Error {
    pub(super) message: String,
    pub(super) position: Position,
    pub(super) hint: Option<Hint>,
    /// The error of the writer.
    pub(super) io: Option<io::Error>,
}

/// Where in the data something is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Position {
    /// Not known, or nowhere in the data.
    Unknown,
    /// An offset in the file.
    Byte(usize),
    /// An offset in bytes that the file stands for, such as those that are decompressed from it.
    Within(usize, Vec<u8>),
    /// Line and column of a text file, from 1; a column counts bytes.
    Text(usize, usize),
    /// The same of a text that the file stands for, such as one that is decrypted from it.
    TextWithin(usize, usize, Vec<u8>),
}

impl Error {
    /// An error with a message, for programs that check more than this.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), position: Position::Unknown, hint: None, io: None }
    }

    /// One sentence, with offset and path where they are known.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where it is.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// A way out, if there is one.
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// Whether it is no fault of the data: what is written to has failed.
    pub fn is_io(&self) -> bool {
        self.io.is_some()
    }

    /// The same of the value at a path.
    pub(super) fn of_path(mut self, path: &str) -> Self {
        self.message = format!("{path}: {}", self.message);
        self
    }

    /// At an offset, if there is one.
    pub(super) fn at(mut self, offset: Option<usize>) -> Self {
        self.position = offset.map_or(Position::Unknown, Position::Byte);
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Option<Hint>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// With line and column in place of an offset in a text.
    pub(super) fn in_text(mut self, text: &[u8]) -> Self {
        if let Position::Byte(offset) = self.position {
            let before = text.get(..offset).unwrap_or(text);
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
            let found = format!(" at line {line} column {column}");
            self.message = self.message.replacen(&format!(" at byte {offset:#x}"), &found, 1);
            self.position = Position::Text(line, column);
        }
        self
    }

    /// In a text that is not that of the file.
    pub(super) fn in_other_text(mut self, text: &[u8]) -> Self {
        self.position = match self.position {
            Position::Text(line, column) => Position::TextWithin(line, column, text.to_vec()),
            Position::Byte(at) => Position::Within(at, text.to_vec()),
            other => other,
        };
        self
    }

    /// At an offset of these bytes, which need not be those of the file. An error with a line and a
    /// column keeps them.
    pub(super) fn within(mut self, offset: Option<usize>, bytes: &[u8]) -> Self {
        if let (Some(offset), Position::Unknown | Position::Byte(_)) = (offset, &self.position) {
            self.position = Position::Within(offset, bytes.to_vec());
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Error::new(message)
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Self {
        Error::new(message)
    }
}

/// Errors of the formats by value, where [`Error`] is made of references.
macro_rules! by_value {
    ($($feature:literal $library:ident;)+) => {$(
        #[cfg(feature = $feature)]
        impl From<$library::Error> for Error {
            fn from(error: $library::Error) -> Self {
                Error::from(&error)
            }
        }
    )+};
}

by_value! {
    "godot-variant" godot_variant;
    "o3de-prefab" o3de_json;
    "kiwi-pclass" kiwi_pclass;
    "resonite-save" resonite_brson;
    "zeze-serialize" zeze_serialize;
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        let message = error.to_string();
        Error { io: Some(error), ..Error::new(message) }
    }
}

/// The writer's own error, or one of the kind `InvalidData`.
impl From<Error> for io::Error {
    fn from(mut error: Error) -> Self {
        error.io.take().unwrap_or_else(|| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() {
            return Error::from(io::Error::from(error));
        }
        let mut own = Error::new(error.to_string());
        if error.line() > 0 {
            own.position = Position::Text(error.line(), error.column());
        }
        own
    }
}
