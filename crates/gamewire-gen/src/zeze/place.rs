//! Lines of the files of a solution.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;

/// A line of a file.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<Path>,
    /// From 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

impl Place {
    /// Something wrong here.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Error {
        Error(format!("{self}: {}", message.into()))
    }

    /// A path that stands in the file: relative to the file's folder.
    pub(super) fn resolve(&self, path: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }
}
