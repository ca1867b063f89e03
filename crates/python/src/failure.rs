//! Errors on their way to Python.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::types::Types;

/// The error, and where: the steps to the value, the innermost first.
pub(crate) struct Failure(Box<Inner>);

struct Inner {
    what: What,
    path: Vec<String>,
}

enum What {
    /// An exception that Python raised.
    Python(PyErr),
    /// Data that cannot be read or written so.
    Data(String),
    /// A value of a type that the format does not have.
    Type(String),
    /// A number out of the range of the format.
    Range(String),
    /// The error of a format or a document, with offset and path.
    Said(String, Option<usize>, Option<String>),
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    fn new(what: What) -> Self {
        Failure(Box::new(Inner { what, path: Vec::new() }))
    }

    /// A `GamewireError`.
    pub(crate) fn data(message: impl Into<String>) -> Self {
        Failure::new(What::Data(message.into()))
    }

    /// A `TypeError`.
    pub(crate) fn kind(message: impl Into<String>) -> Self {
        Failure::new(What::Type(message.into()))
    }

    /// A `ValueError`.
    pub(crate) fn range(message: impl Into<String>) -> Self {
        Failure::new(What::Range(message.into()))
    }

    /// The value has a type that the format does not have.
    pub(crate) fn unknown(value: &Bound<'_, PyAny>, format: &str) -> Self {
        let name = value.get_type().name();
        let name = name.map_or_else(|_| "a value".to_owned(), |name| name.to_string());
        Failure::kind(format!("expected a value that {format} has, found {name}"))
    }

    /// With the key of the value around it.
    #[must_use]
    pub(crate) fn in_key(mut self, key: &Bound<'_, PyAny>) -> Self {
        let text = key.str().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        let dot = if key.is_instance_of::<pyo3::types::PyString>() { "." } else { "" };
        let text = if dot.is_empty() { format!("[{text}]") } else { format!(".{text}") };
        self.0.path.push(text);
        self
    }

    /// With the position in the value around it.
    #[must_use]
    pub(crate) fn in_item(mut self, at: usize) -> Self {
        self.0.path.push(format!("[{at}]"));
        self
    }

    /// With the path of the value in a file.
    #[must_use]
    pub(crate) fn in_path(mut self, path: &str) -> Self {
        self.0.path.push(path.to_owned());
        self
    }

    /// The exception.
    fn raise(self, py: Python<'_>) -> PyErr {
        let Inner { what, path } = *self.0;
        let path: String = path.into_iter().rev().collect();
        let path = path.strip_prefix('.').unwrap_or(&path).to_owned();
        let with = |message: String| match path.is_empty() {
            true => message,
            false => format!("{message}, in {path}"),
        };
        match what {
            What::Python(error) => error,
            What::Type(message) => PyTypeError::new_err(with(message)),
            What::Range(message) => PyValueError::new_err(with(message)),
            What::Data(message) => {
                let path = Some(path.clone()).filter(|path| !path.is_empty());
                error(py, with(message), None, path)
            }
            What::Said(message, offset, path) => error(py, message, offset, path),
        }
    }
}

/// Errors that are exceptions already.
macro_rules! of_python {
    ($($name:ty),+) => {$(
        impl From<$name> for Failure {
            fn from(error: $name) -> Self {
                Failure::new(What::Python(error.into()))
            }
        }
    )+};
}

of_python!(PyErr, std::io::Error, pyo3::CastError<'_, '_>, pyo3::CastIntoError<'_>);

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| failure.raise(py))
    }
}

/// A `GamewireError`.
fn error(py: Python<'_>, message: String, offset: Option<usize>, path: Option<String>) -> PyErr {
    let made = Types::get(py).and_then(|types| types.error.bind(py).call1((message, offset, path)));
    made.map_or_else(|error| error, PyErr::from_value)
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure::data(error.to_string())
    }
}

/// Errors of the formats.
macro_rules! of_format {
    ($($name:ident)+) => {$(
        impl From<gamewire::$name::Error> for Failure {
            fn from(error: gamewire::$name::Error) -> Self {
                let path = Some(error.path().to_string()).filter(|path| !path.is_empty());
                Failure::new(What::Said(error.to_string(), error.offset(), path))
            }
        }
    )+};
}

of_format!(godot_variant kiwi_pclass o3de_json resonite_brson zeze_serialize);

impl From<gamewire::document::Error> for Failure {
    fn from(error: gamewire::document::Error) -> Self {
        use gamewire::document::Position;
        let offset = match error.position() {
            Position::Byte(offset) => Some(*offset),
            _ => None,
        };
        let argument = |name: &str, value: Option<&str>| {
            let value = value.map_or_else(String::new, |value| format!("{value:?}"));
            Some(format!("{name}={value}"))
        };
        let hint = error.hint().and_then(|hint| hint.to_sentence(argument));
        let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
        Failure::new(What::Said(format!("{}{hint}", error.message()), offset, None))
    }
}
