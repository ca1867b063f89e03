//! Temporary files, which are gone when a run ends, however it ends.
//!
//! A signal that ends the run removes those that it has; what a run leaves that is killed, the next one removes
//! that writes into the same folder. A run has a lock on the folders that it writes into, so that no other takes
//! its files for left ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use super::message::note;
use super::text::Shown as _;

/// What the name of a temporary file has before and after six letters and digits.
const AROUND: (&str, &str) = (".gamewire-", ".tmp");

/// Folders on which a run has locks: each is an open file.
const MAX_LOCKS: usize = 64;

/// The files that there are, and the folders that were looked at, with the locks on them.
struct Own {
    files: BTreeSet<PathBuf>,
    folders: BTreeMap<PathBuf, Option<File>>,
}

static OWN: Mutex<Own> = Mutex::new(Own { files: BTreeSet::new(), folders: BTreeMap::new() });

/// Held while several files get their names: a signal waits for the last one.
static RENAMING: Mutex<()> = Mutex::new(());

fn own() -> MutexGuard<'static, Own> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nothing but `kill -9` ends the run until this goes.
pub(super) fn uninterrupted() -> MutexGuard<'static, ()> {
    RENAMING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a file of this name is a temporary one, of this run or another.
pub(crate) fn is_temporary(name: &std::ffi::OsStr) -> bool {
    let letters =
        name.to_str().and_then(|name| name.strip_prefix(AROUND.0)?.strip_suffix(AROUND.1));
    letters.is_some_and(|own| own.len() == 6 && own.bytes().all(|own| own.is_ascii_alphanumeric()))
}

/// The place of a temporary file that is known to be this run's.
pub(super) struct Known(PathBuf);

impl Known {
    pub(super) fn of(path: PathBuf) -> Self {
        own().files.insert(path.clone());
        Known(path)
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        own().files.remove(&self.0);
    }
}

/// Ends what killed runs began in the folders around one, whatever this run's files are. `false`: a run is at it.
type Resume = fn(&Path, &BTreeSet<PathBuf>) -> bool;

/// Makes a temporary file.
pub(super) fn make(
    folder: &Path,
    builder: &mut tempfile::Builder<'_, '_>,
    resume: Resume,
) -> io::Result<(NamedTempFile, Known)> {
    static START: Once = Once::new();
    START.call_once(clean_up_at_signals);
    let mut own = own();
    if !own.folders.contains_key(folder) {
        let locks = own.folders.values().flatten().count();
        let lock = lock(folder, &own.files, resume).filter(|_| locks < MAX_LOCKS);
        own.folders.insert(folder.to_owned(), lock);
    }
    let file = builder.prefix(AROUND.0).suffix(AROUND.1).tempfile_in(folder)?;
    own.files.insert(file.path().to_owned());
    let known = Known(file.path().to_owned());
    Ok((file, known))
}

/// Removes what killed runs left in a folder, if no other run writes into it, and locks it.
#[cfg(unix)]
fn lock(folder: &Path, own: &BTreeSet<PathBuf>, resume: Resume) -> Option<File> {
    use rustix::fs::{FlockOperation, flock};
    let now = SystemTime::now();
    let file = File::open(folder).ok()?;
    if resume(folder, own) && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        sweep(folder, now);
    }
    // Waits while another run sweeps, which might take a file without a lock for a left one.
    flock(&file, FlockOperation::LockShared).ok().map(|()| file)
}

/// The same where folders have no locks: what is an hour old is no other run's.
#[cfg(not(unix))]
fn lock(folder: &Path, own: &BTreeSet<PathBuf>, resume: Resume) -> Option<File> {
    let hour = std::time::Duration::from_secs(3600);
    if resume(folder, own) {
        sweep(folder, SystemTime::now().checked_sub(hour)?);
    }
    None
}

/// Removes temporary files that are older, and names them.
fn sweep(folder: &Path, than: SystemTime) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // No link, and no folder.
        let is_file = || entry.metadata().is_ok_and(|own| own.is_file());
        let is_older =
            || entry.metadata().and_then(|own| own.modified()).is_ok_and(|own| own < than);
        if is_temporary(&entry.file_name()) && is_file() && is_older() {
            let what = match fs::remove_file(entry.path()) {
                Ok(()) => "removed".to_owned(),
                Err(error) => format!("not removed: {}", crate::failure::io_message(&error)),
            };
            let path = entry.path().shown();
            note(&format!("{path}: left by a run of gamewire that was killed, {what}"));
        }
    }
}

/// Removes the temporary files when a signal ends the run.
#[cfg(unix)]
fn clean_up_at_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
    std::thread::spawn(move || {
        for signal in &mut signals {
            let renaming = uninterrupted();
            let own = own();
            own.files.iter().for_each(|file| _ = fs::remove_file(file));
            // Ends the process; no file is made any more.
            _ = signal_hook::low_level::emulate_default_handler(signal);
            drop((renaming, own));
        }
    });
}

/// Whether who started the run wants the signal to be ignored, as `nohup` does. Linux says it.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    u32::try_from(signal - 1).is_ok_and(|bit| mask.checked_shr(bit).unwrap_or(0) & 1 == 1)
}

#[cfg(not(unix))]
fn clean_up_at_signals() {}
