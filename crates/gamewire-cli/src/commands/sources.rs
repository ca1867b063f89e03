//! The input of the commands: files, and those in folders and in archives.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gamewire::document::{Entries, Settings, count};

use super::Reading;
use crate::args::FormatArgs;
use crate::failure::{Failure, Outcome};
use crate::fault::show;
use crate::files::{self, Found, Input, Reopened, Walk};
use crate::formats::pclass::archive;
use crate::glob::Globs;
use crate::names::Paths;
use crate::output;
use crate::output::Shown as _;
use crate::output::is_dash;

pub(crate) use crate::formats::pclass::archive::begins as begins_as_archive;

/// The files that are named, those below folders, and those in archives. What comes after an archive
/// and is no file names entries of it. Those of several archives, and of archives in folders, have the path of their
/// archive before their own.
pub(crate) fn expand(paths: &[PathBuf], settings: &Settings) -> Result<Walk, Failure> {
    let mut all = Walk::default();
    let paths = files::meant(paths);
    let mut rest = paths.as_slice();
    let is_one = paths.iter().filter(|path| begins_as_archive(path)).take(2).count() < 2;
    while let [path, after @ ..] = rest {
        rest = after;
        if begins_as_archive(path) {
            let end = rest.iter().position(|next| is_dash(next) || next.exists());
            let (names, others) = rest.split_at(end.unwrap_or(rest.len()));
            rest = others;
            let below = path.file_name().filter(|_| !is_one).map(Path::new);
            unpack(path, below, names, settings, &mut all)?;
            continue;
        }
        let mut walk = files::expand(std::slice::from_ref(path));
        let (inner, files): (Vec<_>, Vec<_>) = walk.files.into_iter().partition(|found| {
            !found.is_named && archive::is_named(&found.path) && begins_as_archive(&found.path)
        });
        walk.files = files;
        all.add(walk);
        for found in inner {
            unpack(&found.path, Some(&found.relative), &[], settings, &mut all)?;
        }
    }
    Ok(all)
}

/// The only file there is, for output that goes elsewhere: a file, or an entry of an archive.
pub(crate) fn only(paths: &[PathBuf], args: &FormatArgs) -> Result<(Input, PathBuf), Failure> {
    let bound = args.bound();
    match paths {
        [file] => Ok((Input::read(file, bound)?, file.clone())),
        [file, ..] if begins_as_archive(file) => {
            let walk = expand(paths, &args.settings(None))?;
            match walk.files.as_slice() {
                [found] => Ok((found.read(bound)?, found.relative.clone())),
                files => {
                    let found = count(files.len(), "file");
                    Err(Failure::Usage(format!("{found} of {} need --out-dir", file.shown())))
                }
            }
        }
        _ => Err(Failure::Usage("several files need --out-dir".to_owned())),
    }
}

/// An archive or a package.
pub(crate) fn open(path: &Path, settings: &Settings) -> Result<Entries, Failure> {
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.shown()));
    files::open(path).map_err(wrong)?;
    let file = Reopened { path: path.to_owned(), at: 0 };
    let entries = Entries::open(file, settings)
        .map_err(|error| Failure::Data(show(&error, &path.shown(), &[])))?;
    entries.ok_or_else(|| wrong("is no archive and no package with entries".to_owned()))
}

/// Where an entry is, with the separator that is in its name on every system.
fn place(archive: &Path, entry: &Path) -> PathBuf {
    let mut place = archive.as_os_str().to_owned();
    place.push("/");
    place.push(entry);
    place.into()
}

/// The entries of an archive or a package that a name or a pattern means.
pub(crate) fn within(path: &Path, name: &str, reading: &Reading) -> Result<Vec<Found>, Failure> {
    let mut walk = Walk::default();
    unpack(path, None, &[name.into()], &reading.args.settings(None), &mut walk)?;
    match walk.files.as_slice() {
        [] => Err(Failure::Data(format!("{}: the game has not fetched {name}", path.shown()))),
        _ => Ok(walk.files),
    }
}

/// Does something with each of several entries, by its name. What is of no known format is skipped, and what is
/// wrong with one does not keep the others from it.
pub(crate) fn each(
    all: &[Found],
    reading: &Reading,
    mut then: impl FnMut(&str, &Input) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Good;
    for found in all {
        let done = match found.read(reading.bound()) {
            Ok(input) if reading.knows(&input).is_none() => Ok(()),
            input => input.and_then(|input| then(&found.relative.display().to_string(), &input)),
        };
        match done {
            Ok(()) => {}
            Err(Failure::Data(why) | Failure::Usage(why)) => {
                output::error(&why);
                outcome = Outcome::Bad;
            }
            Err(Failure::Closed) => return Err(Failure::Closed),
        }
    }
    Ok(outcome)
}

/// Says that a file has no such entry.
pub(crate) fn no_entry(path: &Path, names: &str) -> Failure {
    Failure::Usage(format!("{}: has no entry {names}", path.shown()))
}

/// The name of an entry as a user writes it, on Windows with either separator.
fn named(name: &Path) -> String {
    let name = name.to_string_lossy();
    if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
}

/// Adds the entries of an archive, `below` a path.
fn unpack(
    path: &Path,
    below: Option<&Path>,
    names: &[PathBuf],
    settings: &Settings,
    all: &mut Walk,
) -> Result<(), Failure> {
    let entries = Arc::new(open(path, settings)?);
    let problems = entries.problems();
    all.unreadable.extend(problems.iter().map(|why| format!("{}: {why}", path.shown())));
    let globs = Globs::new(names.iter().map(|name| named(name))).map_err(Failure::Usage)?;
    let (start, unfetched) = (all.files.len(), all.skipped.unfetched);
    let mut paths = Paths::new();
    let mut taken = HashSet::new();
    for (at, name) in entries.names().enumerate() {
        // The path of an entry does not depend on what else is meant. A second one of a name is a problem of the
        // table.
        let own = paths.of(name);
        if !taken.insert(name) {
            continue;
        }
        if !globs.matches(name) {
            continue;
        }
        if entries.is_unfetched(at) {
            all.skipped.unfetched += 1;
            continue;
        }
        let relative = below.map_or_else(|| own.clone(), |below| below.join(&own));
        let (path, inside) = (place(path, &own), Some((entries.clone(), at)));
        all.files.push(Found { path, relative, is_named: false, inside });
    }
    let found = all.files.get_mut(start..).unwrap_or_default();
    if found.is_empty() && all.skipped.unfetched == unfetched && !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
        return Err(no_entry(path, &names.join(", ")));
    }
    // An entry that is named as a whole is meant, whatever is in it.
    if let ([_], [found]) = (names, found) {
        found.is_named = globs.is_plain();
    }
    Ok(())
}

/// Says that what is found is nothing that a command takes.
pub(crate) fn must_be_some(files: &[Found], paths: &[PathBuf]) -> Result<(), Failure> {
    match (files, paths) {
        ([], [path, ..]) if begins_as_archive(path) => {
            Err(Failure::Usage(format!("{}: has no entries", path.shown())))
        }
        _ => Ok(()),
    }
}
