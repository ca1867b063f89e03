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

/// The fate of a file that has the name already.
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
    // Follows a link to an open file (/dev/fd/3).
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
    stage(path, existing, old.as_ref(), write)?.commit()
}

/// A file that is written and has not yet its name.
struct Staged {
    temporary: NamedTempFile,
    path: PathBuf,
    target: PathBuf,
    existing: Existing,
}

impl Staged {
    fn commit(self) -> Result<(), Failure> {
        let persisted = match self.existing {
            Existing::Replaced => self.temporary.persist(&self.target),
            Existing::Kept => self.temporary.persist_noclobber(&self.target),
        };
        persisted.map_err(|error| Failure::io(&self.path.display().to_string(), &error.error))?;
        // The new name is safe when the folder is. Not every system can sync one.
        _ = File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a file that gets its name later. `old` is what has the name now.
fn stage(
    path: &Path,
    existing: Existing,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Staged, Failure> {
    let failed = |error: &io::Error| Failure::io(&path.display().to_string(), error);
    let target = end_of_links(path).map_err(|error| failed(&error))?;
    if old.is_some() {
        // A file that may not be written is not replaced either, whatever the folder allows.
        OpenOptions::new().write(true).open(&target).map_err(|error| failed(&error))?;
    }
    let folder = folder_of(&target);
    let temporary = temporary(folder, old).map_err(|error| {
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
    Ok(Staged { temporary, path: path.to_owned(), target, existing })
}

/// A file whose content, and perhaps whose place, is to be another one.
pub(crate) struct Replacement {
    pub(crate) path: PathBuf,
    pub(crate) old: Vec<u8>,
    pub(crate) new: Vec<u8>,
    /// Where it goes; nothing may be there.
    pub(crate) to: Option<PathBuf>,
}

/// Replaces several files, all of them or none: all are written before the first gets its name, and what
/// was there is kept until the last has it. Folders that files were moved out of go with the last file.
pub(crate) fn replace_all(files: &[Replacement]) -> Result<(), Failure> {
    let mut folders = Vec::new();
    let staged = staged(files, &mut folders);
    let mut done = Vec::new();
    let result = staged.and_then(|staged| {
        for (file, (new, backup)) in files.iter().zip(staged) {
            new.commit()?;
            done.push((file, backup));
        }
        for file in files.iter().filter(|file| file.to.is_some()) {
            let removed = fs::remove_file(&file.path);
            removed.map_err(|error| Failure::io(&file.path.display().to_string(), &error))?;
        }
        Ok(())
    });
    if result.is_ok() {
        for file in files.iter().filter(|file| file.to.is_some()) {
            let around = file.path.ancestors().skip(1);
            _ = around.take_while(|folder| fs::remove_dir(folder).is_ok()).count();
        }
    } else {
        for (file, backup) in done {
            match (&file.to, file.path.exists()) {
                (Some(to), true) => _ = fs::remove_file(to),
                (Some(to), false) => {
                    _ = fs::rename(to, &file.path).and_then(|()| fs::write(&file.path, &file.old))
                }
                (None, _) => _ = backup.map(Staged::commit),
            }
        }
        // Those that were made for this, as far as they are empty.
        folders.iter().rev().for_each(|folder| _ = fs::remove_dir(folder));
    }
    result
}

type Pair = (Staged, Option<Staged>);

/// The new file, and the one that was there.
fn staged(files: &[Replacement], folders: &mut Vec<PathBuf>) -> Result<Vec<Pair>, Failure> {
    let mut staged = Vec::new();
    for Replacement { path, old, new, to } in files {
        let metadata = fs::metadata(path);
        let metadata =
            metadata.map_err(|error| Failure::io(&path.display().to_string(), &error))?;
        let pair = match to {
            None => {
                let stage = |bytes: &Vec<u8>| {
                    stage(path, Existing::Replaced, Some(&metadata), |out| out.write_all(bytes))
                };
                (stage(new)?, Some(stage(old)?))
            }
            Some(to) => {
                let folder = folder_of(to);
                let missing = folder.ancestors().take_while(|folder| !folder.exists());
                let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
                folders.extend(missing.into_iter().rev());
                fs::create_dir_all(folder)
                    .map_err(|error| Failure::io(&folder.display().to_string(), &error))?;
                (stage(to, Existing::Kept, None, |out| out.write_all(new))?, None)
            }
        };
        staged.push(pair);
    }
    Ok(staged)
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
