//! The one error of this crate.

use std::fmt;

/// Something wrong with a schema: a sentence, with the file and the line where there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(crate) String);

/// A result with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
