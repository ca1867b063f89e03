//! A journal of several files that are about to change, so that the next run ends what a killed one began.
//!
//! The journal is in the folder around all of them while they change, and the run has a lock on it. A run that
//! writes anywhere below takes the steps that are left, all but those whose file has changed since.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use gamewire::document::count;
use serde::{Deserialize, Serialize};
use tempfile::TempPath;

use super::message::note;
use super::rename::{
    Before, Existing, Stamp, folder_of, leads_to, put, stamp, sync_folder, unchanged,
};
use super::temporary::{Known, is_temporary, make, uninterrupted};
use super::text::Shown as _;
use crate::failure::{Failure, io_message};

/// The name of a temporary file, so that no command takes it for an input.
const NAME: &str = ".gamewire-resume.tmp";

/// Bytes that are read of a journal: those of a million files.
const MAX_LEN: u64 = 1 << 28;

/// A file gets its new content, or goes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    /// The path from the folder of the journal.
    pub(super) target: OsString,
    /// The file beside it that gets the name; without one, the target goes.
    pub(super) new: Option<OsString>,
    /// The file beside it with the content that the target has until then.
    pub(super) old: Option<OsString>,
    /// The target until then; without one, nothing has the name.
    pub(super) before: Option<Stamp>,
}

impl Step {
    /// Takes the step. `shown` is the target as messages name it.
    pub(super) fn take(&self, root: &Path, shown: &Path) -> Result<(), Failure> {
        let target = root.join(&self.target);
        let failed = |error: &io::Error| Failure::io(&shown.shown(), error);
        let existing =
            self.before.map_or(Existing::Kept, |own| Existing::Changed(Before::Stamp(own)));
        match &self.new {
            Some(new) => {
                let new = TempPath::try_from_path(target.with_file_name(new));
                put(new.map_err(|error| failed(&error))?, &target, existing, shown)?;
            }
            None => {
                let lock = self.before.map(|own| unchanged(shown, &target, Before::Stamp(own)));
                drop(lock.transpose()?);
                fs::remove_file(&target).map_err(|error| failed(&error))?;
            }
        }
        if self.new.is_none() || self.before.is_none() {
            sync_folder(folder_of(&target));
        }
        Ok(())
    }

    /// The step back, once this is taken. `new` is what [`Step::new`] was.
    pub(super) fn back(&self, new: Option<Stamp>) -> Step {
        Step { target: self.target.clone(), new: self.old.clone(), old: None, before: new }
    }

    /// Whether all is in the folder, whoever wrote the journal.
    fn is_below(&self, root: &Path) -> bool {
        let target = Path::new(&self.target);
        let folder = folder_of(&root.join(target)).canonicalize();
        target.components().all(|own| matches!(own, Component::Normal(_)))
            && target.file_name().is_some()
            && folder.is_ok_and(|folder| folder.starts_with(root))
            && [&self.new, &self.old].into_iter().flatten().all(|own| is_temporary(own))
    }

    /// Takes the step if the run did not come to it. Says whether it is taken now.
    fn resume(&self, root: &Path) -> Result<bool, Failure> {
        let target = root.join(&self.target);
        let now = fs::symlink_metadata(&target).ok().map(|own| stamp(&own));
        let is_left = match &self.new {
            Some(new) => target.with_file_name(new).exists(),
            None => now.is_some(),
        };
        if is_left && now != self.before {
            let why = "changed since a run of gamewire was killed that was changing it";
            note(&format!("{}: {why}; it stays as it is", target.shown()));
        } else if is_left {
            self.take(root, &target)?;
        }
        Ok(is_left && now == self.before)
    }

    /// Removes what the step leaves: temporary files, and the folder that has nothing in it any more.
    fn clean(&self, root: &Path) {
        let target = root.join(&self.target);
        let names = [&self.new, &self.old].into_iter().flatten();
        names.for_each(|name| _ = fs::remove_file(target.with_file_name(name)));
        if self.new.is_none() {
            let around = target.ancestors().skip(1).take_while(|own| *own != root);
            _ = around.take_while(|folder| fs::remove_dir(folder).is_ok()).count();
        }
    }
}

/// The journal of this run. It goes when it is dropped.
pub(super) struct Journal {
    /// The folder around all files.
    pub(super) root: PathBuf,
    /// None where the folder takes no file.
    known: Option<Known>,
    /// Open for the lock on it.
    file: Option<File>,
}

impl Journal {
    /// Of the folder around these files. From here on no other run takes temporary files in it for left ones.
    pub(super) fn begin<'a>(targets: impl Iterator<Item = &'a Path>) -> Result<Self, Failure> {
        let mut root: Option<PathBuf> = None;
        for target in targets {
            // The one that it will be moved to is made later.
            let path = std::path::absolute(target);
            let path = path.map_err(|error| Failure::io(&target.shown(), &error))?;
            let folder = path.ancestors().skip(1).find_map(|own| own.canonicalize().ok());
            let folder = folder.unwrap_or_default();
            root = Some(match root {
                Some(root) => {
                    let around = root.ancestors().find(|own| folder.starts_with(own));
                    around.unwrap_or(Path::new("")).to_owned()
                }
                None => folder,
            });
        }
        let mut journal = Journal { root: root.unwrap_or_default(), known: None, file: None };
        let whole = uninterrupted();
        let made = journal.make(&[]);
        drop(whole);
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let path = journal.root.join(NAME);
                Err(Failure::Usage(format!(
                    "{}: another process is changing files in this folder; nothing is written",
                    path.shown()
                )))
            }
            // One that takes no file, such as that around two disks.
            _ => Ok(journal),
        }
    }

    /// Writes what is to be done, before it is.
    pub(super) fn write(&mut self, steps: &[Step]) -> Result<(), Failure> {
        if self.known.is_none() {
            return Ok(());
        }
        self.make(steps).map_err(|error| Failure::io(&self.root.join(NAME).shown(), &error))
    }

    /// Leaves the journal as a run does that is killed.
    #[cfg(test)]
    pub(super) fn abandon(mut self) {
        (self.known, self.file) = (None, None);
    }

    fn make(&mut self, steps: &[Step]) -> io::Result<()> {
        let path = self.root.join(NAME);
        let (mut file, _known) = make(&self.root, &mut tempfile::Builder::new(), resume)?;
        let mut out = BufWriter::new(file.as_file_mut());
        serde_json::to_writer(&mut out, steps)?;
        out.flush()?;
        drop(out);
        file.as_file().sync_all()?;
        // Before it has its name: nobody finds it without.
        _ = lock(file.as_file());
        if cfg!(not(unix)) {
            // Windows replaces no file that is open.
            self.file = None;
        }
        self.file = Some(match self.known {
            Some(_) => file.persist(&path)?,
            None => file.persist_noclobber(&path)?,
        });
        self.known.get_or_insert_with(|| Known::of(path));
        sync_folder(&self.root);
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.known.is_some() {
            _ = fs::remove_file(self.root.join(NAME));
        }
    }
}

/// Ends what killed runs began in the folders around this one. `false`: a run is at it, and what is temporary is its own.
/// `own` are the files of this run.
pub(super) fn resume(folder: &Path, own: &BTreeSet<PathBuf>) -> bool {
    let Ok(folder) = folder.canonicalize() else { return true };
    folder.ancestors().all(|root| own.contains(&root.join(NAME)) || resume_in(root))
}

fn resume_in(root: &Path) -> bool {
    let path = root.join(NAME);
    let Ok(metadata) = fs::symlink_metadata(&path) else { return true };
    if !metadata.is_file() || !is_mine(&metadata) {
        return true;
    }
    let Ok(file) = File::open(&path) else { return true };
    if !lock(&file) || !leads_to(&path, &file) {
        return false;
    }
    let steps = serde_json::from_reader(BufReader::new(&file).take(MAX_LEN));
    // No run leaves another file; that is a temporary one as any other.
    let Ok::<Vec<Step>, _>(mut steps) = steps else { return true };
    steps.retain(|step| step.is_below(root));
    let began = "a change of several files that a killed run of gamewire began";
    let mut taken = 0_usize;
    for step in &steps {
        match step.resume(root) {
            Ok(is_taken) => taken = taken.saturating_add(is_taken.into()),
            Err(Failure::Data(error) | Failure::Usage(error)) => {
                note(&format!("{}: {began} is not ended: {error}", path.shown()));
                return false;
            }
            Err(Failure::Closed) => return false,
        }
    }
    steps.iter().for_each(|step| step.clean(root));
    let what = match fs::remove_file(&path) {
        Ok(()) if steps.is_empty() => "removed before it had changed any".to_owned(),
        Ok(()) => format!("ended with the last {taken} of {}", count(steps.len(), "step")),
        Err(error) => format!("not removed: {}", io_message(&error)),
    };
    note(&format!("{}: {began}, {what}", path.shown()));
    true
}

/// Whether this user wrote it: whoever may write to a folder around could name files of others.
#[cfg(unix)]
fn is_mine(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_mine(_: &Metadata) -> bool {
    true
}

/// Locks a journal, if no run has it.
#[cfg(unix)]
fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    // A system without locks says nothing of others.
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(rustix::io::Errno::WOULDBLOCK)
}

/// The same where files have no locks: what is an hour old is no other run's.
#[cfg(not(unix))]
fn lock(file: &File) -> bool {
    let written = file.metadata().and_then(|own| own.modified());
    let age = written.ok().and_then(|own| own.elapsed().ok());
    age.is_some_and(|age| age.as_secs() > 3600)
}
