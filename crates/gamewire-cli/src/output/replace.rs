//! Files that are replaced as a whole, or stay as they are.
//!
//! The new content is written to a temporary file in the folder of the target, synced, and renamed
//! over the target. At each moment the name leads to the whole old file or to the whole new one.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::journal::{Journal, Step, resume};
use super::rename::{Before, Existing, folder_of, put, stamp, unchanged};
use super::temporary::{Known, make, uninterrupted};
use crate::failure::{Failure, io_message};
use crate::output::Shown as _;

/// Links that are followed one after the other, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// Writes a file. A link is not replaced; what it leads to is.
pub(super) fn write(
    path: &Path,
    existing: Existing<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::io(&path.shown(), error);
    // Follows a link to an open file (/dev/fd/3).
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(&error)),
    };
    if old.as_ref().is_some_and(Metadata::is_dir) {
        return Err(Failure::Usage(format!("{}: is a folder", path.shown())));
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
struct Staged<'a> {
    temporary: TempPath,
    /// Goes after the file, or after the file has its name.
    _known: Known,
    path: PathBuf,
    target: PathBuf,
    existing: Existing<'a>,
}

impl Staged<'_> {
    fn commit(self) -> Result<(), Failure> {
        put(self.temporary, &self.target, self.existing, &self.path)
    }
}

/// Writes a file that gets its name later. `old` is what has the name now.
fn stage<'a>(
    path: &Path,
    existing: Existing<'a>,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Staged<'a>, Failure> {
    let failed = |error: &io::Error| Failure::io(&path.shown(), error);
    let target = end_of_links(path).map_err(|error| failed(&error))?;
    // A file that may not be written is not replaced either, whatever the folder allows.
    let file = old.map(|old| match cfg!(windows) && old.permissions().readonly() {
        // Wine opens it for an administrator.
        true => Err(io::ErrorKind::PermissionDenied.into()),
        false => OpenOptions::new().read(true).write(true).open(&target),
    });
    let file = file.transpose().map_err(|error| failed(&error))?;
    let folder = folder_of(&target);
    let (temporary, known) = temporary(folder, old.zip(file.as_ref())).map_err(|error| {
        let why = match folder.is_dir() {
            false => "does not exist".to_owned(),
            true => format!("takes no new file: {}", io_message(&error)),
        };
        Failure::Usage(format!("{}: the folder {} {why}", path.shown(), folder.shown()))
    })?;
    // From here on the temporary file goes when it is dropped.
    let (file, temporary) = temporary.into_parts();
    let file = buffered(file, write);
    let synced = match existing {
        Existing::Kept => file.map(drop),
        _ => file.and_then(|file| file.sync_all()),
    };
    synced.map_err(|error| failed(&error))?;
    Ok(Staged { temporary, _known: known, path: path.to_owned(), target, existing })
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
    if files.is_empty() {
        return Ok(());
    }
    let places = files.iter().flat_map(|file| [Some(&file.path), file.to.as_ref()]).flatten();
    let ends: Vec<PathBuf> =
        places.map(|path| end_of_links(path).unwrap_or_else(|_| path.clone())).collect();
    let mut journal = Journal::begin(ends.iter().map(PathBuf::as_path))?;
    let mut folders = Vec::new();
    let staged = staged(files, &mut folders);
    let _whole = uninterrupted();
    let result = staged.and_then(|staged| {
        files.iter().try_for_each(Replacement::is_unchanged)?;
        let changes = changes(&staged, &journal.root)?;
        take_all(&changes, &mut journal)
    });
    match result {
        Ok(()) => {
            for file in files.iter().filter(|file| file.to.is_some()) {
                let around = file.path.ancestors().skip(1);
                _ = around.take_while(|folder| fs::remove_dir(folder).is_ok()).count();
            }
        }
        // Those that were made for this, as far as they are empty.
        Err(_) => folders.iter().rev().for_each(|folder| _ = fs::remove_dir(folder)),
    }
    result
}

/// The way back of a step, the step, and the path as messages name it.
type Change = (Step, Step, PathBuf);

/// Takes all steps, or goes back those that were taken.
fn take_all(changes: &[Change], journal: &mut Journal) -> Result<(), Failure> {
    let forward: Vec<Step> = changes.iter().map(|(_, step, _)| step.clone()).collect();
    journal.write(&forward)?;
    let mut taken = Vec::new();
    let result = changes.iter().try_for_each(|(back, step, path)| {
        step.take(&journal.root, path)?;
        taken.push((back.clone(), path));
        Ok(())
    });
    if result.is_err() {
        taken.reverse();
        let back: Vec<Step> = taken.iter().map(|(back, _)| back.clone()).collect();
        _ = journal.write(&back);
        taken.iter().for_each(|(back, path)| _ = back.take(&journal.root, path));
    }
    result
}

impl Replacement {
    fn is_unchanged(&self) -> Result<(), Failure> {
        unchanged(&self.path, &self.path, Before::Bytes(&self.old)).map(drop)
    }
}

/// The new file and where it goes, and the one that was there.
struct Pair<'a> {
    new: Staged<'a>,
    old: Staged<'a>,
    is_moved: bool,
}

/// The steps in their order: files that are moved go when all others have their new content.
fn changes(staged: &[Pair<'_>], root: &Path) -> Result<Vec<Change>, Failure> {
    let stamp_of = |path: &Path, shown: &Path| {
        let metadata = fs::metadata(path);
        metadata.map(|own| stamp(&own)).map_err(|error| Failure::io(&shown.shown(), &error))
    };
    let name = |own: &Staged<'_>| own.temporary.file_name().map(OsStr::to_owned);
    let (mut changes, mut removed) = (Vec::new(), Vec::new());
    for Pair { new, old, is_moved } in staged {
        let after = Some(stamp_of(&new.temporary, &new.path)?);
        let before = Some(stamp_of(&old.target, &old.path)?);
        let (here, there) = (below(root, &old.target), below(root, &new.target));
        if *is_moved {
            let step = Step { target: there, new: name(new), old: None, before: None };
            changes.push((step.back(after), step, new.path.clone()));
            let step = Step { target: here, new: None, old: name(old), before };
            removed.push((step.back(None), step, old.path.clone()));
        } else {
            let step = Step { target: here, new: name(new), old: name(old), before };
            changes.push((step.back(after), step, old.path.clone()));
        }
    }
    changes.append(&mut removed);
    Ok(changes)
}

/// The path from the root.
fn below(root: &Path, target: &Path) -> OsString {
    let folder = folder_of(target).canonicalize().unwrap_or_else(|_| folder_of(target).to_owned());
    let path = folder.join(target.file_name().unwrap_or_default());
    path.strip_prefix(root).unwrap_or(&path).as_os_str().to_owned()
}

/// The new files, and those that were there.
fn staged<'a>(
    files: &'a [Replacement],
    folders: &mut Vec<PathBuf>,
) -> Result<Vec<Pair<'a>>, Failure> {
    let mut staged = Vec::new();
    for Replacement { path, old, new, to } in files {
        let metadata = fs::metadata(path);
        let metadata = metadata.map_err(|error| Failure::io(&path.shown(), &error))?;
        let stage_here = |bytes: &Vec<u8>| {
            stage(path, Existing::Replaced, Some(&metadata), |out| out.write_all(bytes))
        };
        let new = match to {
            None => stage_here(new)?,
            Some(to) => {
                let folder = folder_of(to);
                let missing = folder.ancestors().take_while(|folder| !folder.exists());
                let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
                folders.extend(missing.into_iter().rev());
                fs::create_dir_all(folder).map_err(|error| Failure::io(&folder.shown(), &error))?;
                stage(to, Existing::Kept, None, |out| out.write_all(new))?
            }
        };
        staged.push(Pair { new, old: stage_here(old)?, is_moved: to.is_some() });
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

/// A file in the folder, with the permissions and attributes of the old one, or those of any new file.
fn temporary(folder: &Path, old: Option<(&Metadata, &File)>) -> io::Result<(NamedTempFile, Known)> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    // Without the bits that the process masks. No other process writes to the replacement of an old file until it has
    // the permissions of that.
    if old.is_none() {
        builder.permissions(all);
    }
    let (file, known) = make(folder, &mut builder, resume)?;
    if let Some((metadata, old)) = old {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only an administrator can keep the owner. Before the mode, which this changes.
            _ = fchown(file.as_file(), Some(metadata.uid()), Some(metadata.gid()));
        }
        file.as_file().set_permissions(metadata.permissions())?;
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        attributes::copy(old, file.as_file())?;
        let _ = old;
    }
    Ok((file, known))
}

/// Extended attributes, of which access control lists are one on Linux.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod attributes {
    use std::ffi::CString;
    use std::fs::File;
    use std::io;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::{Errno, Result};

    /// The list that a folder gives to new files.
    const ACL: &std::ffi::CStr = c"system.posix_acl_access";

    /// More than any system takes.
    const MAX_VALUE: usize = 1 << 28;

    /// Copies all that the system lets be copied.
    pub(super) fn copy(from: &File, to: &File) -> io::Result<()> {
        let names = match whole(|room| flistxattr(from, room)) {
            Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(()),
            names => names?,
        };
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let names: Vec<CString> = names.filter_map(|name| CString::new(name).ok()).collect();
        if !names.iter().any(|name| name.as_c_str() == ACL) {
            _ = fremovexattr(to, ACL);
        }
        for name in names {
            let value = whole(|room| fgetxattr(from, &*name, room));
            let copied = value.and_then(|value| fsetxattr(to, &*name, &value, XattrFlags::empty()));
            // Others are the system's own, and not for every process to set.
            let is_own = name.to_bytes().starts_with(b"user.") || name.as_c_str() == ACL;
            copied.or_else(|error| if is_own { Err(error) } else { Ok(()) })?;
        }
        Ok(())
    }

    /// All of a value, however long it is.
    fn whole(read: impl Fn(&mut [u8]) -> Result<usize>) -> Result<Vec<u8>> {
        let mut value = vec![0; 1 << 12];
        loop {
            match read(&mut value) {
                Err(Errno::RANGE) if value.len() < MAX_VALUE => value.resize(value.len() * 4, 0),
                len => {
                    value.truncate(len?);
                    return Ok(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A file that is not read whole is known by its stamp.
    #[test]
    fn a_file_that_was_written_to_or_replaced_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Root.wad");
        let replace = |stamp| {
            let existing = Existing::Changed(Before::Stamp(stamp));
            write(&path, existing, |out| out.write_all(b"new"))
        };
        let now = || stamp(&fs::metadata(&path).unwrap());
        fs::write(&path, "old").unwrap();
        let before = now();
        fs::write(&path, "longer").unwrap();
        let Err(Failure::Usage(why)) = replace(before) else { panic!("replaced") };
        assert!(why.ends_with("changed it after it was read; nothing is written"), "{why}");
        assert_eq!(fs::read(&path).unwrap(), b"longer");
        let before = now();
        replace(before).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(replace(before).is_err(), "another file of this name");
    }

    /// All are looked at before the first is replaced.
    #[test]
    fn one_file_that_changed_keeps_all_others_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = |index: usize| folder.path().join(format!("{index}.prefab"));
        let files: Vec<Replacement> = (0..530)
            .map(|index| {
                fs::write(path(index), "old").unwrap();
                let to = (index == 1).then(|| folder.path().join("new/moved.prefab"));
                Replacement { path: path(index), old: b"old".into(), new: b"new".into(), to }
            })
            .collect();
        let is_all = |text: &str| {
            let own = |index: usize| fs::read(path(index)).is_ok_and(|own| own == text.as_bytes());
            (0..530).filter(|index| *index != 1).all(own)
        };
        fs::write(path(529), "other").unwrap();
        let Err(Failure::Usage(why)) = replace_all(&files) else { panic!("replaced") };
        assert!(why.ends_with(
            "529.prefab: another process changed it after it was read; nothing is written"
        ));
        fs::write(path(529), "old").unwrap();
        assert!(is_all("old") && path(1).exists() && !folder.path().join("new").exists());
        // There are more of them than a process may have open.
        replace_all(&files).unwrap();
        assert!(is_all("new") && !path(1).exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 530);
    }

    /// After each number of steps that a run came to before it was killed, the next one takes the others.
    #[test]
    fn what_a_killed_run_began_is_ended() {
        for taken in 0..=4 {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            let files: Vec<Replacement> = ["a", "b", "c"]
                .map(|name| {
                    let place = path(name).join("x.prefab");
                    fs::create_dir(path(name)).unwrap();
                    fs::write(&place, "old").unwrap();
                    let to = (name == "c").then(|| path("d/moved.prefab"));
                    Replacement { path: place, old: b"old".into(), new: b"new".into(), to }
                })
                .into();
            let all = ["a/x.prefab", "b/x.prefab", "c/x.prefab", "d/moved.prefab"];
            let mut journal = Journal::begin(all.map(path).iter().map(PathBuf::as_path)).unwrap();
            let staged = staged(&files, &mut Vec::new()).unwrap();
            let changes = changes(&staged, &journal.root).unwrap();
            let steps: Vec<Step> = changes.iter().map(|(_, step, _)| step.clone()).collect();
            journal.write(&steps).unwrap();
            for (_, step, path) in &changes[..taken] {
                step.take(&journal.root, path).unwrap();
            }
            for own in staged {
                _ = (own.new.temporary.keep(), own.old.temporary.keep());
            }
            let beside = path("b");
            assert!(!resume(&beside, &BTreeSet::new()), "a run is at it");
            journal.abandon();
            assert!(resume(&beside, &BTreeSet::new()));
            let now = all.map(|name| fs::read_to_string(path(name)).ok());
            let new = Some("new".to_owned());
            assert_eq!(now, [new.clone(), new.clone(), None, new], "{taken} steps");
            let left = |name: &str| fs::read_dir(path(name)).unwrap().count();
            // The folder of the moved file goes, and no temporary file stays.
            assert_eq!((left(""), left("a"), left("b"), left("d")), (3, 1, 1, 1), "{taken} steps");
        }
    }

    /// A file that somebody changed meanwhile keeps what it has; a journal leads nowhere outside.
    #[test]
    fn what_changed_after_a_kill_stays() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("in");
        fs::create_dir(&inside).unwrap();
        let outside = folder.path().join("kept");
        fs::write(&outside, "kept").unwrap();
        fs::write(inside.join("a"), "old").unwrap();
        let step = |target: &str, new: Option<&str>, path: &Path| Step {
            target: target.into(),
            new: new.map(OsString::from),
            old: None,
            before: Some(stamp(&fs::metadata(path).unwrap())),
        };
        let steps = [
            step("a", Some(".gamewire-aaaaaa.tmp"), &inside.join("a")),
            step("../kept", None, &outside),
            step(outside.to_str().unwrap(), None, &outside),
            step("a", Some("../kept"), &inside.join("a")),
        ];
        let mut journal = Journal::begin([&*inside.join("a")].into_iter()).unwrap();
        journal.write(&steps).unwrap();
        journal.abandon();
        fs::write(inside.join(".gamewire-aaaaaa.tmp"), "new").unwrap();
        fs::write(inside.join("a"), "changed").unwrap();
        assert!(resume(&inside, &BTreeSet::new()));
        assert_eq!(fs::read_to_string(inside.join("a")).unwrap(), "changed");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "kept");
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 1);
    }
}
