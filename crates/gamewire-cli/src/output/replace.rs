//! Files that are replaced as a whole, or stay as they are.
//!
//! The new content is written to a temporary file in the folder of the target, synced, and renamed
//! over the target. At each moment the name leads to the whole old file or to the whole new one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, io_message};

/// Links that are followed one after the other, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    Replaced,
    /// It is an error.
    Kept,
}

/// Writes a file. A link is not replaced; what it leads to is.
pub(super) fn write(
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::io(&path.display().to_string(), error);
    let target = end_of_links(path).map_err(|error| failed(&error))?;
    // Of a link to an open file (/dev/fd/3), this tells what the file is.
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(&error)),
    };
    if old.as_ref().is_some_and(Metadata::is_dir) {
        return Err(Failure::Usage(format!("{}: is a folder", path.display())));
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) || is_descriptor(path) {
        // A pipe or a device has no content that could be lost, and must not become a file.
        let file = OpenOptions::new().append(true).open(path);
        let written = file.and_then(|file| buffered(file, write));
        return written.map(drop).map_err(|error| failed(&error));
    }
    if old.is_some() {
        // Who may not write the file may not replace it either, whatever the folder allows.
        OpenOptions::new().write(true).open(&target).map_err(|error| failed(&error))?;
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let temporary = temporary(folder, old.as_ref()).map_err(|error| {
        let why = match folder.is_dir() {
            false => "does not exist".to_owned(),
            true => format!("takes no new file: {}", io_message(&error)),
        };
        Failure::Usage(format!("{}: the folder {} {why}", path.display(), folder.display()))
    })?;
    // From here on the temporary file goes when it is dropped.
    let (file, temporary) = temporary.into_parts();
    let file = buffered(file, write).and_then(|file| file.sync_all().map(|()| file));
    let file = file.map_err(|error| failed(&error))?;
    let temporary = NamedTempFile::from_parts(file, temporary);
    let persisted = match existing {
        Existing::Replaced => temporary.persist(&target),
        Existing::Kept => temporary.persist_noclobber(&target),
    };
    persisted.map_err(|error| failed(&error.error))?;
    // The new name is safe when the folder is. Not every system can sync one.
    _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn buffered(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Where a chain of links ends, whether there is something or not.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            // No link, or nothing at all.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// Whether the path names an open file by its number, as `/dev/fd/3` does.
fn is_descriptor(path: &Path) -> bool {
    cfg!(unix) && (path.starts_with("/proc") || path.parent().is_some_and(is_dev))
}

fn is_dev(folder: &Path) -> bool {
    folder == Path::new("/dev") || folder == Path::new("/dev/fd")
}

/// A file in the folder, with the permissions of the old one, or those of any new file.
fn temporary(folder: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gamewire-").suffix(".tmp");
    #[cfg(unix)]
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    // Less what the process masks. Nobody else writes to what replaces an old file until it has
    // the permissions of that.
    if old.is_none() {
        builder.permissions(all);
    }
    let file = builder.tempfile_in(folder)?;
    if let Some(old) = old {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only an administrator can keep the owner. Before the mode, which this changes.
            _ = fchown(file.as_file(), Some(old.uid()), Some(old.gid()));
        }
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}
