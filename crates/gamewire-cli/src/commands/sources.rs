//! The input of the commands: files, and those in folders and in archives.

mod glob;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use gamewire::document::count;

use crate::failure::Failure;
use crate::files::{self, Bound, Found, Input, Walk, is_dash};
use crate::formats::pclass::archive;

pub(crate) use self::glob::Glob;

/// The files that are named, those below folders, and those in archives. What comes after an archive
/// and is no file names entries of it.
pub(crate) fn expand(paths: &[PathBuf], bound: Bound) -> Result<Walk, Failure> {
    let mut all = Walk::default();
    let mut rest = paths;
    while let [path, after @ ..] = rest {
        rest = after;
        if begins_as_archive(path) {
            let end = rest.iter().position(|next| is_dash(next) || next.exists());
            let (names, others) = rest.split_at(end.unwrap_or(rest.len()));
            rest = others;
            unpack(path, names, bound, &mut all)?;
            continue;
        }
        let mut walk = files::expand(std::slice::from_ref(path));
        let (inner, files): (Vec<_>, Vec<_>) = walk.files.into_iter().partition(|found| {
            !found.is_named && archive::is_named(&found.path) && begins_as_archive(&found.path)
        });
        walk.files = files;
        all.add(walk);
        for found in inner {
            unpack(&found.path, &[], bound, &mut all)?;
        }
    }
    Ok(all)
}

/// The only file there is, for output that goes elsewhere: a file, or an entry of an archive.
pub(crate) fn only(paths: &[PathBuf], bound: Bound) -> Result<(Input, PathBuf), Failure> {
    match paths {
        [file] => Ok((Input::read(file, bound)?, file.clone())),
        [file, ..] if begins_as_archive(file) => {
            let walk = expand(paths, bound)?;
            match walk.files.as_slice() {
                [found] => Ok((found.read(bound)?, found.relative.clone())),
                files => {
                    let found = count(files.len(), "file");
                    Err(Failure::Usage(format!("{found} of {} need --out-dir", file.display())))
                }
            }
        }
        _ => Err(Failure::Usage("several files need --out-dir".to_owned())),
    }
}

/// Whether there is a file that begins as an archive does.
pub(crate) fn begins_as_archive(path: &Path) -> bool {
    let mut head = Vec::new();
    let is_file = || std::fs::metadata(path).is_ok_and(|own| own.is_file());
    !is_dash(path)
        && is_file()
        && File::open(path).is_ok_and(|file| file.take(8).read_to_end(&mut head).is_ok())
        && archive::is_archive(&head)
}

fn unpack(path: &Path, names: &[PathBuf], bound: Bound, all: &mut Walk) -> Result<(), Failure> {
    let shown = path.display();
    let bytes =
        files::read(path, bound).map_err(|why| Failure::Usage(format!("{shown}: {why}")))?;
    let globs: Vec<Glob> = names.iter().map(|name| Glob::new(&name.to_string_lossy())).collect();
    let is_meant = |name: &str| globs.iter().any(|glob| glob.matches(name));
    let is_meant = (!globs.is_empty()).then_some(&is_meant as &dyn Fn(&str) -> bool);
    let mut contents = archive::open(path, bytes, is_meant)?;
    if contents.files.is_empty() && contents.unpatched == 0 && !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
        return Err(Failure::Usage(format!("{shown}: has no entry {}", names.join(", "))));
    }
    // An entry that is named as a whole is meant, whatever is in it.
    if let ([glob], [found]) = (globs.as_slice(), contents.files.as_mut_slice()) {
        found.is_named = glob.is_plain();
    }
    all.files.append(&mut contents.files);
    all.unreadable.append(&mut contents.problems);
    all.skipped.unfetched += contents.unpatched;
    Ok(())
}

/// Says that what is found is nothing that a command takes.
pub(crate) fn must_be_some(files: &[Found], paths: &[PathBuf]) -> Result<(), Failure> {
    match (files, paths) {
        ([], [path, ..]) if begins_as_archive(path) => {
            Err(Failure::Usage(format!("{}: has no entries", path.display())))
        }
        _ => Ok(()),
    }
}
