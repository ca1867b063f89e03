//! Where files that refer to one another come from.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// A source of files, rooted somewhere.
///
/// Every function from a path to bytes is one.
pub trait Importer {
    /// The bytes of a file.
    ///
    /// `path` is relative to the root, with `/` between its parts, and has no part `.` or `..`. More
    /// than `most` bytes need not be read: they are refused.
    ///
    /// # Errors
    /// Errors of the file system.
    fn read(&mut self, path: &str, most: usize) -> io::Result<Vec<u8>>;
}

impl<F: FnMut(&str) -> io::Result<Vec<u8>>> Importer for F {
    fn read(&mut self, path: &str, _most: usize) -> io::Result<Vec<u8>> {
        self(path)
    }
}

/// The files below a folder. Links that lead out of it are not followed.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The files below `root`. The folder is looked at when a file is read.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Folder { root: root.into() }
    }
}

impl Importer for Folder {
    fn read(&mut self, path: &str, most: usize) -> io::Result<Vec<u8>> {
        let root = self.root.canonicalize()?;
        let file = root.join(path).canonicalize()?;
        if !file.starts_with(&root) {
            let message = "the file is outside of the folder";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        // Before it is opened, because opening a pipe waits for its other end.
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
        }
        let file = File::open(file)?;
        let mut bytes = Vec::new();
        let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Returns the path without `.`, `..` and empty parts; `None` if it leaves the root or names nothing.
pub fn normal_path(path: &str) -> Option<String> {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if has_drive || path.starts_with(['/', '\\']) || path.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}
