//! The commands on packages, for the games' archives.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gamewire::document::{Error, count, members, shortened};
use gamewire::kiwi_pclass::archive::{Archive, Builder, Entry, is_path};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::json;

use super::{Reading, must_be_empty};
use crate::commands::bar;
use crate::commands::sources::no_entry;
use crate::failure::{Failure, Outcome};
use crate::fault::sentence;
use crate::files::{self, Bound, Input};
use crate::formats::pclass::archive::{self, Given};
use crate::formats::resonite::package::{ABOUT, found};
use crate::glob::Globs;
use crate::names;
use crate::output::Shown as _;
use crate::output::{self, Folder, Sink};

/// Bytes that all entries of an archive may have, for each byte of it, if no option says otherwise.
const RATIO: u64 = 64;

/// The same for a small archive.
const ENOUGH: u64 = 256 << 20;

/// Characters of a name that are shown in errors.
const MAX_SHOWN: usize = 120;

/// Version and flags of a new archive.
const NEW: (u32, u8) = (2, 0);

/// Writes the entries of several archives, each into a folder of its name. What comes after an archive and is
/// no file names entries of it.
pub(super) fn extract_all(
    all: &[PathBuf],
    out_dir: &Path,
    (force, is_stored): (bool, bool),
    reading: Reading,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Good;
    let mut taken = HashSet::new();
    let mut rest = all;
    while let [path, after @ ..] = rest {
        let end = after.iter().position(|next| next.exists());
        let (names, others) = after.split_at(end.unwrap_or(after.len()));
        rest = others;
        let wrong = |why: &str| Failure::Usage(format!("{}: {why}", path.shown()));
        let Given::Archive(wad, archive) = reading.given(path)? else {
            return Err(wrong("is no archive; --out-dir is for archives"));
        };
        let to = out_dir.join(path.file_name().unwrap_or_default());
        if !taken.insert(to.clone()) {
            return Err(wrong(&format!("{} is the folder of an archive before it", to.shown())));
        }
        let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
        let folder = Folder::new(&to, force);
        match extract(&wad, &archive, (reading.max_output, is_stored), &folder, &names) {
            Ok((text, own)) => {
                outcome = if own == Outcome::Bad { own } else { outcome };
                output::print(format!("{wad}: {text}"))?;
            }
            Err(Failure::Data(why) | Failure::Usage(why)) => {
                outcome = Outcome::Bad;
                output::error(&why);
            }
            Err(Failure::Closed) => return Err(Failure::Closed),
        }
    }
    Ok(outcome)
}

/// An entry and its path, or why it can have none.
type Meant<'a> = (Entry<'a, 'static>, Result<&'a Path, &'static str>);

/// Writes the entries that are meant into a folder, on all cores. Returns what became of them.
pub(super) fn extract(
    wad: &str,
    archive: &Archive<'static>,
    (max_output, is_stored): (Option<usize>, bool),
    folder: &Folder<'_>,
    names: &[String],
) -> Result<(String, Outcome), Failure> {
    let globs = Globs::new(names).map_err(Failure::Usage)?;
    let paths = archive::paths(archive);
    let mut taken = HashSet::new();
    let mut meant: Vec<Meant<'_>> = Vec::new();
    for (entry, path) in archive.entries().zip(&paths).filter(|own| globs.matches(own.0.name())) {
        let path = if !taken.insert(path) {
            Err("skipped: an earlier entry has the same name")
        } else {
            folder.check(path)?;
            Ok(path.as_path())
        };
        meant.push((entry, path));
    }
    if meant.is_empty() && !names.is_empty() {
        return Err(no_entry(Path::new(wad), &names.join(", ")));
    }
    must_be_little(&meant, wad, max_output)?;
    if !folder.force {
        must_be_empty(folder.path)?;
    }

    let (version, flags) = (archive.version(), archive.flags().unwrap_or_default());
    if (version, flags) != NEW || folder.path.join(ABOUT).exists() {
        let about = json!({ "archive_version": version, "flags": flags });
        folder.write(Path::new(ABOUT), |out| writeln!(out, "{about}"))?;
    }
    let bar = bar(meant.len(), "entries");
    let done: Vec<Result<bool, Failure>> = meant
        .into_par_iter()
        .map(|meant| {
            let done = one(meant, wad, is_stored, folder);
            bar.inc(1);
            done
        })
        .collect();
    bar.finish_and_clear();

    let (mut written, mut unfetched, mut failed) = (0, 0, 0);
    for done in done {
        match done {
            Ok(true) => written += 1,
            Ok(false) => unfetched += 1,
            Err(Failure::Data(why) | Failure::Usage(why)) => {
                failed += 1;
                output::error(&why);
            }
            Err(Failure::Closed) => failed += 1,
        }
    }
    let mut text = String::new();
    let renamed = archive
        .file_names()
        .zip(&paths)
        .filter(|(name, path)| globs.matches(name) && path.as_os_str() != *name);
    for (name, path) in renamed {
        _ = writeln!(text, "{} is written as {}", name.escape_debug(), path.shown());
    }
    _ = write!(text, "{} written, {failed} failed", count(written, "entry"));
    if unfetched > 0 {
        _ = write!(text, "; skipped: {unfetched} that the game has not fetched");
    }
    text.push('\n');
    Ok((text, Outcome::good_if(failed == 0)))
}

/// Writes an entry, and returns whether there is anything to write.
fn one(
    (entry, path): Meant<'_>,
    wad: &str,
    is_stored: bool,
    folder: &Folder<'_>,
) -> Result<bool, Failure> {
    let path = path.map_err(|why| {
        Failure::Data(format!("{wad}: {}: {why}", shortened(entry.name(), MAX_SHOWN)))
    })?;
    let failed = |why: String| Failure::Data(format!("{wad}: {why}"));
    let Some(content) = archive::content(entry, is_stored).map_err(failed)? else {
        return Ok(false);
    };
    folder.write(path, |out| out.write_all(&content))?;
    Ok(true)
}

/// The sizes that all entries claim, before any is written.
fn must_be_little(
    meant: &[Meant<'_>],
    wad: &str,
    max_output: Option<usize>,
) -> Result<(), Failure> {
    let claimed: u64 = meant.iter().map(|(entry, _)| u64::from(entry.size())).sum();
    let len = std::fs::metadata(wad).map_or(0, |own| own.len());
    let own = len.saturating_mul(RATIO).max(ENOUGH);
    let most = max_output.map_or(own, |most| u64::try_from(most).unwrap_or(u64::MAX));
    if claimed <= most {
        return Ok(());
    }
    let why = format!("{claimed} bytes are more than {most}; --max-output BYTES allows more");
    Err(Failure::Data(format!("{wad}: {why}")))
}

/// An archive of a folder.
pub(super) fn build(
    folder: &Path,
    output: &Path,
    flags: Option<u8>,
    version: Option<u32>,
    bound: Bound,
) -> Result<Outcome, Failure> {
    let mut builder = Builder::new();
    let failed = |fault: Error| Failure::Data(format!("{}: {}", folder.shown(), sentence(&fault)));
    let path = folder.join(ABOUT);
    let about = match path.exists() {
        true => members(&Input::read(&path, bound)?.bytes, &["archive_version", "flags"]),
        false => HashMap::new(),
    };
    let said = |name: &str| about.get(name)?.as_u64();
    let said_version = said("archive_version").and_then(|own| u32::try_from(own).ok());
    let said_flags = said("flags").and_then(|own| u8::try_from(own).ok());
    builder.set_version(version.or(said_version).unwrap_or(NEW.0));
    builder.set_flags(flags.or(said_flags).unwrap_or(NEW.1));
    archive::insert(&mut builder, in_folder(folder, bound)?).map_err(failed)?;
    write(&builder, &Sink::new(Some(output)))
}

/// The file of `NAME=FILE`, with the name.
pub(super) fn named(with: &Path, bound: Bound) -> Result<(String, Vec<u8>), Failure> {
    let text = with.to_str().and_then(|text| text.split_once('='));
    let (name, file) = text.ok_or_else(|| {
        let with = with.shown();
        Failure::Usage(format!("{with}: expected a folder, or such as NAME=FILE"))
    })?;
    if !is_path(name) {
        let why = "is no path from the folder of the archive";
        return Err(Failure::Usage(format!("{}: {why}", shortened(name, MAX_SHOWN))));
    }
    Ok((name.to_owned(), Input::read(Path::new(file), bound)?.bytes.into_vec()))
}

/// The files of a folder under the names of their entries.
fn in_folder(folder: &Path, bound: Bound) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let read = |found: &files::Found| {
        let wrong = |why: String| Failure::Usage(format!("{}: {why}", found.path.shown()));
        let name = names::entry(&found.relative).map_err(wrong)?;
        Ok((name, files::read(&found.path, bound).map_err(wrong)?))
    };
    found(folder)?.iter().map(read).collect()
}

fn write(builder: &Builder<'_>, sink: &Sink<'_>) -> Result<Outcome, Failure> {
    sink.write_binary(|out| Ok(builder.to_writer(out)?))?;
    Ok(Outcome::Good)
}

/// The archive with other entries in the place of some, more of them, or fewer.
pub(super) fn replace(
    path: &Path,
    archive: &Archive<'static>,
    with: &[PathBuf],
    remove: &[String],
    output: &Path,
    bound: Bound,
) -> Result<Outcome, Failure> {
    let sink = Sink::new(Some(output)).over_file(path);
    let mut builder = archive.to_builder();
    for name in remove {
        if !builder.remove(name) {
            return Err(no_entry(path, &name.escape_debug().to_string()));
        }
    }
    let mut files = Vec::new();
    for with in with {
        if with.is_dir() {
            files.extend(in_folder(with, bound)?);
            continue;
        }
        files.push(named(with, bound)?);
    }
    let failed = |fault: Error| Failure::Data(format!("{}: {fault}", path.shown()));
    archive::insert(&mut builder, files).map_err(failed)?;
    write(&builder, &sink)
}
