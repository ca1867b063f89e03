//! Folders that get several files.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::rename::{Existing, sync_folder};
use super::replace;
use crate::failure::Failure;
use crate::output::Shown as _;

/// A folder that files are written to, by their paths from there.
///
/// Without `force`, files that are present stay, and links below the folder are not followed: they
/// could lead out of it.
///
/// The folders in which there are new names are synced once, at the end.
pub(crate) struct Folder<'a> {
    pub(crate) path: &'a Path,
    pub(crate) force: bool,
    filled: Mutex<BTreeSet<PathBuf>>,
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        let filled = self.filled.get_mut().map(std::mem::take).unwrap_or_default();
        filled.iter().for_each(|folder| sync_folder(folder));
    }
}

impl<'a> Folder<'a> {
    pub(crate) fn new(path: &'a Path, force: bool) -> Self {
        Folder { path, force, filled: Mutex::default() }
    }

    /// Whether a file can get this path, as far as that can be told without writing it.
    pub(crate) fn check(&self, relative: &Path) -> Result<(), Failure> {
        let mut path = self.path.to_owned();
        if path.exists() && !path.is_dir() {
            return Err(Failure::Usage(format!("{}: is no folder", path.shown())));
        }
        let mut parts = relative.components().peekable();
        while let Some(part) = parts.next() {
            path.push(part);
            let wrong = |why: &str| Err(Failure::Usage(format!("{}: {why}", path.shown())));
            let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(()) };
            let is_link = metadata.is_symlink();
            if is_link && !self.force {
                return wrong("is a link, which only --force follows");
            }
            let is_dir = metadata.is_dir() || (is_link && path.is_dir());
            match (parts.peek(), is_dir) {
                (Some(_), true) => {}
                (Some(_), false) => return wrong("is no folder"),
                (None, true) => return wrong("is a folder"),
                (None, false) if !self.force => {
                    return wrong("exists; --force replaces it");
                }
                (None, false) => {}
            }
        }
        Ok(())
    }

    /// Writes a file, and makes the folders on its way.
    pub(crate) fn write(
        &self,
        relative: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.check(relative)?;
        let path = self.path.join(relative);
        let parent = path.parent().unwrap_or(self.path);
        fs::create_dir_all(parent).map_err(|error| Failure::io(&parent.shown(), &error))?;
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        replace::write(&path, existing, write)?;
        if let Ok(mut filled) = self.filled.lock()
            && !self.force
            && !filled.contains(parent)
        {
            filled.insert(parent.to_owned());
        }
        Ok(())
    }
}
