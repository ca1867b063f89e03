//! The files that a command is given.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Whether the path stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file's name and its content.
pub(crate) struct Input {
    pub(crate) name: String,
    /// `None` for standard input.
    pub(crate) path: Option<PathBuf>,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        let (name, read) = if is_dash(path) {
            ("standard input".to_owned(), io::stdin().lock().read_to_end(&mut bytes))
        } else {
            let read = fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
            (path.display().to_string(), read)
        };
        read.map_err(|error| Failure::io(&name, &error))?;
        let path = (!is_dash(path)).then(|| path.to_owned());
        Ok(Input { name, path, bytes })
    }
}

/// A file to look at.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Whether it was named, and not found in a folder.
    pub(crate) is_named: bool,
}

/// The named files, and all files below the named folders, in the order of their names. Links
/// inside of folders are not followed, and a repository's own folder is left out.
pub(crate) fn expand(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if !is_dash(path) && path.is_dir() {
            walk(path, &mut found)?;
        } else {
            found.push(Found { path: path.clone(), is_named: true });
        }
    }
    Ok(found)
}

fn walk(root: &Path, found: &mut Vec<Found>) -> Result<(), Failure> {
    let mut folders = vec![root.to_owned()];
    let start = found.len();
    while let Some(folder) = folders.pop() {
        let failed = |error: &io::Error| Failure::io(&folder.display().to_string(), error);
        for entry in fs::read_dir(&folder).map_err(|error| failed(&error))? {
            let entry = entry.map_err(|error| failed(&error))?;
            let kind = entry.file_type().map_err(|error| failed(&error))?;
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(Found { path: entry.path(), is_named: false });
            }
        }
    }
    if let Some(added) = found.get_mut(start..) {
        added.sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(())
}
