//! Written files get the names that they are for.
//!
//! A file that is changed must be the one that was read: before the new one gets its name, the old one is
//! locked and compared, so that of two processes one says that it came too late.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Read as _};
use std::path::Path;
use std::time::SystemTime;

use tempfile::TempPath;

use crate::failure::Failure;
use crate::output::text::Shown as _;

/// The fate of a file that has the name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing<'a> {
    Replaced,
    /// Replaced, if it is what was read; else it is an error.
    Changed(Before<'a>),
    /// It is an error, and there is nothing to lose: the folder is synced by whoever fills it.
    Kept,
}

/// A file as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before<'a> {
    Bytes(&'a [u8]),
    /// Of one that is not read whole.
    Stamp(Stamp),
}

/// The identity of a file that was not written to or replaced: its length, and when it was written.
pub(crate) type Stamp = (u64, Option<SystemTime>);

pub(crate) fn stamp(file: &Metadata) -> Stamp {
    (file.len(), file.modified().ok())
}

/// Gives a written file its name. `shown` is the target as messages name it.
pub(super) fn put(
    temporary: TempPath,
    target: &Path,
    existing: Existing<'_>,
    shown: &Path,
) -> Result<(), Failure> {
    let lock = match existing {
        Existing::Changed(read) => Some(unchanged(shown, target, read)?),
        _ => None,
    };
    // Windows replaces no file that is open, and has no lock on this one.
    let lock = lock.filter(|_| cfg!(unix));
    let persisted = match existing {
        Existing::Kept => temporary.persist_noclobber(target),
        _ => temporary.persist(target),
    };
    persisted.map_err(|error| Failure::io(&shown.shown(), &error.error))?;
    drop(lock);
    if existing != Existing::Kept {
        sync_folder(folder_of(target));
    }
    Ok(())
}

/// The new names in a folder are safe when the folder is. Not every system can sync one.
pub(super) fn sync_folder(folder: &Path) {
    _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// The file, locked, if it still has the content that was read.
pub(super) fn unchanged(path: &Path, target: &Path, before: Before<'_>) -> Result<File, Failure> {
    let wrong = |why: &str| {
        Failure::Usage(format!("{}: another process {why}; nothing is written", path.shown()))
    };
    let changed = || wrong("changed it after it was read");
    let file = File::open(target).map_err(|_| changed())?;
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        // A system without locks has still the comparison.
        if flock(&file, FlockOperation::NonBlockingLockExclusive)
            == Err(rustix::io::Errno::WOULDBLOCK)
        {
            return Err(wrong("is changing it"));
        }
        if !leads_to(target, &file) {
            return Err(changed());
        }
    }
    let mut rest = match before {
        Before::Bytes(read) => read,
        Before::Stamp(before) => {
            let is_same = file.metadata().is_ok_and(|own| stamp(&own) == before);
            return if is_same { Ok(file) } else { Err(changed()) };
        }
    };
    let mut reader = BufReader::with_capacity(1 << 16, &file);
    let mut piece = vec![0; 1 << 16];
    loop {
        let len = reader.read(&mut piece).map_err(|_| changed())?;
        let found = piece.get(..len).unwrap_or_default();
        rest = rest.strip_prefix(found).ok_or_else(changed)?;
        if len == 0 {
            return if rest.is_empty() { Ok(file) } else { Err(changed()) };
        }
    }
}

/// Whether the name leads to the file that was opened by it, and not to a newer one.
#[cfg(unix)]
pub(super) fn leads_to(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let number = |own: io::Result<Metadata>| own.map(|own| (own.dev(), own.ino())).ok();
    number(file.metadata()) == number(fs::metadata(path))
}

/// Files that are open keep their names there.
#[cfg(not(unix))]
pub(super) fn leads_to(_: &Path, _: &File) -> bool {
    true
}

pub(super) fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
