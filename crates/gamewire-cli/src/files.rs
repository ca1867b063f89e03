//! The files that a command is given.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use gamewire::document::{Bytes, Entries, Error, count};

use crate::failure::{self, Failure};
use crate::fault::show;
use crate::glob::Globs;
use crate::output::{Shown as _, is_dash, is_temporary};

/// The default of `--max-input`: 1 GiB.
const MAX_INPUT: u64 = 1 << 30;

/// How much of an input is read. More is an error, and no part of it is used.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Bound {
    /// The most bytes that an input may have [default: 1073741824]
    #[arg(long, value_name = "BYTES", default_value_t = MAX_INPUT, hide_default_value = true)]
    max_input: u64,
}

impl Default for Bound {
    fn default() -> Self {
        Bound { max_input: MAX_INPUT }
    }
}

/// A file's name and its content.
pub(crate) struct Input {
    /// The name on a line of text, and as it is.
    pub(crate) name: String,
    pub(crate) raw_name: String,
    /// `None` for standard input.
    pub(crate) path: Option<PathBuf>,
    pub(crate) bytes: Bytes,
    /// Whether it was named, and not found in a folder.
    pub(crate) is_named: bool,
    /// The memory that reading it may take, if it was unpacked of another file.
    pub(crate) max_memory: Option<usize>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path, bound: Bound) -> Result<Self, Failure> {
        let is_dash = is_dash(path);
        let (raw_name, bytes) = if is_dash {
            ("standard input".to_owned(), take(io::stdin().lock(), 0, bound))
        } else {
            (path.display().to_string(), read(path, bound))
        };
        let name = raw_name.shown();
        let bytes = bytes.map_err(|why| Failure::Usage(format!("{name}: {why}")))?;
        let path = (!is_dash).then(|| path.to_owned());
        let bytes = bytes.into();
        Ok(Input { name, raw_name, path, bytes, is_named: true, max_memory: None })
    }
}

/// Bad data in a file.
pub(crate) fn bad(input: &Input, error: &Error) -> Failure {
    Failure::Data(show(error, &input.name, &input.bytes))
}

/// The content of a file. Errors are sentences without its name.
pub(crate) fn read(path: &Path, bound: Bound) -> Result<Vec<u8>, String> {
    let file = open(path)?;
    let len = file.metadata().map_err(|error| failure::io_message(&error))?.len();
    take(file, len, bound)
}

/// A file that is open only while it is read: more of them can be looked into than a process can have open.
pub(crate) struct Reopened {
    pub(crate) path: PathBuf,
    pub(crate) at: u64,
}

impl Read for Reopened {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.at))?;
        let len = file.read(buf)?;
        self.at = self.at.saturating_add(u64::try_from(len).unwrap_or(u64::MAX));
        Ok(len)
    }
}

impl Seek for Reopened {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let by = |at: u64, by: i64| at.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput);
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(own) => by(self.at, own)?,
            SeekFrom::End(own) => by(fs::metadata(&self.path)?.len(), own)?,
        };
        Ok(self.at)
    }
}

/// Opens a file that is read piece by piece. Errors are sentences without its name.
pub(crate) fn open(path: &Path) -> Result<File, String> {
    let failed = |error: io::Error| failure::io_message(&error);
    // Before it is opened, because opening a pipe waits for its other end.
    must_be_file(&fs::metadata(path).map_err(failed)?)?;
    let file = File::open(path).map_err(failed)?;
    must_be_file(&file.metadata().map_err(failed)?)?;
    Ok(file)
}

/// All of a stream that has perhaps `len` bytes.
fn take(from: impl Read, len: u64, Bound { max_input }: Bound) -> Result<Vec<u8>, String> {
    let too_long = || format!("has more than {max_input} bytes; --max-input allows more");
    if len > max_input {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    let capacity = usize::try_from(len).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(capacity).map_err(|error| error.to_string())?;
    let read = from.take(max_input.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| failure::io_message(&error))?;
    match u64::try_from(bytes.len()) {
        Ok(len) if len <= max_input => Ok(bytes),
        _ => Err(too_long()),
    }
}

fn must_be_file(metadata: &Metadata) -> Result<(), String> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind = kind(metadata);
    Err(match kind {
        "a folder" => format!("is {kind}"),
        _ => format!("is {kind} and no file; `-` reads standard input"),
    })
}

/// Names something that is not a file.
fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        }
    }
    "a device"
}

/// A file to look at.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The path from the folder in which it was found; of a file that was named, its name.
    pub(crate) relative: PathBuf,
    /// Whether it was named, and not found in a folder.
    pub(crate) is_named: bool,
    /// The file that it is in, and its place there.
    pub(crate) inside: Option<(Arc<Entries>, usize)>,
}

impl Found {
    pub(crate) fn read(&self, bound: Bound) -> Result<Input, Failure> {
        if let Some((entries, at)) = &self.inside {
            let name = self.path.shown();
            let bytes = entries.read(*at);
            let bytes = bytes.map_err(|why| Failure::Data(format!("{name}: {why}")))?;
            let path = Some(self.relative.clone());
            let max_memory = entries.limits().max_memory;
            let raw_name = self.path.display().to_string();
            let bytes = bytes.into();
            return Ok(Input { name, raw_name, path, bytes, is_named: self.is_named, max_memory });
        }
        Ok(Input { is_named: self.is_named, ..Input::read(&self.path, bound)? })
    }
}

/// The files found on the paths of a command line.
#[derive(Default)]
pub(crate) struct Walk {
    /// The files, in the order of their names below each path.
    pub(crate) files: Vec<Found>,
    /// Why folders, or some of their entries, could not be read.
    pub(crate) unreadable: Vec<String>,
    pub(crate) skipped: Skipped,
}

/// How many entries of folders were skipped for what they are.
#[derive(Default)]
pub(crate) struct Skipped {
    links: usize,
    /// Pipes, sockets and devices.
    special: usize,
    /// Folders named `.git`.
    repositories: usize,
    /// Temporary files that killed runs left.
    temporary: usize,
    /// Entries of archives whose data is not present yet.
    pub(crate) unfetched: usize,
}

impl Skipped {
    /// Such as `1 link`, `2 special files`; with the number of files that have no known format.
    pub(crate) fn words(&self, unknown: usize) -> Option<String> {
        let counts = [
            (unknown, format!("{unknown} of no known format")),
            (self.links, count(self.links, "link")),
            (self.special, count(self.special, "special file")),
            (self.repositories, format!("{} of git", count(self.repositories, "folder"))),
            (self.temporary, count(self.temporary, "temporary file")),
            (self.unfetched, format!("{} not fetched", count(self.unfetched, "entry"))),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words);
        let counts: Vec<String> = counts.collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

/// The named files, and all files below the named folders. Links inside of folders are not
/// followed, and a repository's own folder is left out.
pub(crate) fn expand(paths: &[PathBuf]) -> Walk {
    let mut walk = Walk::default();
    for path in &meant(paths) {
        if !is_dash(path) && path.is_dir() {
            walk.folder(path);
        } else {
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            let path = path.clone();
            walk.files.push(Found { path, relative, is_named: true, inside: None });
        }
    }
    walk
}

/// The paths, of which those with `*` or `?` that are no files are patterns on Windows, whose shells leave them as
/// they are.
pub(crate) fn meant(paths: &[PathBuf]) -> Vec<PathBuf> {
    let expanded = |path: &PathBuf| match cfg!(windows) && !path.exists() {
        true => Some(matching(path)).filter(|found| !found.is_empty()),
        false => None,
    };
    paths.iter().flat_map(|path| expanded(path).unwrap_or_else(|| vec![path.clone()])).collect()
}

/// The files that match a pattern, in their order.
fn matching(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name() else { return vec![path.to_owned()] };
    let folders = match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => matching(folder),
        None => vec![PathBuf::new()],
    };
    let Ok(pattern) = Globs::new([name.to_string_lossy()]) else { return vec![path.to_owned()] };
    let mut found = Vec::new();
    for folder in folders {
        if pattern.is_plain() {
            found.extend(Some(folder.join(name)).filter(|path| path.exists()));
            continue;
        }
        let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let entries = fs::read_dir(shown).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name());
        let names = names.filter(|name| pattern.matches(&name.to_string_lossy()));
        let start = found.len();
        found.extend(names.map(|name| folder.join(name)));
        found.get_mut(start..).into_iter().for_each(<[PathBuf]>::sort);
    }
    found
}

impl Walk {
    /// Adds the files that were found elsewhere, after the own.
    pub(crate) fn add(&mut self, other: Walk) {
        self.files.extend(other.files);
        self.unreadable.extend(other.unreadable);
        self.skipped.links += other.skipped.links;
        self.skipped.special += other.skipped.special;
        self.skipped.repositories += other.skipped.repositories;
        self.skipped.temporary += other.skipped.temporary;
        self.skipped.unfetched += other.skipped.unfetched;
    }

    fn folder(&mut self, root: &Path) {
        let mut folders = vec![PathBuf::new()];
        let start = self.files.len();
        while let Some(folder) = folders.pop() {
            let path = match folder.as_os_str().is_empty() {
                true => root.to_owned(),
                false => root.join(&folder),
            };
            if let Err(error) = self.entries(root, &path, &folder, &mut folders) {
                let why = failure::io_message(&error);
                self.unreadable.push(format!("{}: {why}", path.shown()));
            }
        }
        if let Some(added) = self.files.get_mut(start..) {
            added.sort_by(|a, b| a.path.cmp(&b.path));
        }
    }

    fn entries(
        &mut self,
        root: &Path,
        path: &Path,
        folder: &Path,
        folders: &mut Vec<PathBuf>,
    ) -> io::Result<()> {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let relative = folder.join(entry.file_name());
            if kind.is_dir() && entry.file_name() == ".git" {
                self.skipped.repositories += 1;
            } else if kind.is_dir() {
                folders.push(relative);
            } else if kind.is_file() && is_temporary(&entry.file_name()) {
                self.skipped.temporary += 1;
            } else if kind.is_file() {
                let path = root.join(&relative);
                self.files.push(Found { path, relative, is_named: false, inside: None });
            } else if kind.is_symlink() {
                self.skipped.links += 1;
            } else {
                self.skipped.special += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_expanded_where_shells_do_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a/1.dat", "a/2.DAT", "a/3.txt", "b/4.dat"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = |pattern: &str| -> Vec<String> {
            let found = matching(&folder.path().join(pattern));
            let names = found.iter().map(|path| path.strip_prefix(folder.path()).unwrap());
            names.map(|name| name.display().to_string().replace('\\', "/")).collect()
        };
        assert_eq!(found("a/*.dat"), ["a/1.dat", "a/2.DAT"]);
        assert_eq!(found("*/?.dat"), ["a/1.dat", "a/2.DAT", "b/4.dat"]);
        assert_eq!(found("b/4.dat"), ["b/4.dat"]);
        assert_eq!(found("c/*.dat"), [""; 0]);
        // Elsewhere a name is a name.
        let named = [folder.path().join("a/*.dat")];
        assert_eq!(meant(&named).len(), if cfg!(windows) { 2 } else { 1 });
    }
}
