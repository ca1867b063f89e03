//! The commands on packages, for the games' archives.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gamewire::document::{Error, count, members};
use gamewire::kiwi_pclass::Options;
use gamewire::kiwi_pclass::archive::{Archive, Builder};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::{Value as Json, json};

use super::must_be_empty;
use crate::commands::bar;
use crate::commands::sources::Glob;
use crate::failure::{Failure, Outcome, bad};
use crate::files::{self, Bound, Input};
use crate::formats::pclass::archive;
use crate::formats::resonite::package::{ABOUT, found};
use crate::names;
use crate::output::{self, Folder, Sink};

/// Bytes that all entries of an archive may have, for each byte of it, if no option says otherwise.
const RATIO: u64 = 64;

/// The same for a small archive.
const ENOUGH: u64 = 256 << 20;

/// Version and flags of a new archive.
const NEW: (u32, u8) = (2, 0);

/// Writes the entries that are meant into a folder, on all cores.
pub(super) fn extract(
    input: &Input,
    options: &Options,
    max_output: Option<usize>,
    folder: &Folder<'_>,
    names: &[String],
) -> Result<Outcome, Failure> {
    let archive = archive::read(&input.bytes, options).map_err(|fault| bad(input, &fault))?;
    let globs: Vec<Glob> = names.iter().map(|name| Glob::new(name)).collect();
    let is_meant = |name: &str| globs.is_empty() || globs.iter().any(|glob| glob.matches(name));
    let paths = archive::paths(&archive);
    let meant: Vec<(usize, &Path)> = (0..)
        .zip(&paths)
        .filter(|(index, _)| archive.by_index(*index).is_some_and(|own| is_meant(own.name())))
        .map(|(index, path)| (index, path.as_path()))
        .collect();
    if meant.is_empty() && !names.is_empty() {
        let names = names.join(", ");
        return Err(Failure::Usage(format!("{}: has no entry {names}", input.name)));
    }
    must_be_little(&archive, &meant, input, max_output)?;
    for (index, path) in &meant {
        folder.check(path)?;
        if path.iter().any(|part| part.len() > super::MAX_NAME) {
            let name = archive.by_index(*index).map(|own| own.name().escape_debug().to_string());
            let name = name.unwrap_or_default();
            return Err(Failure::Data(format!("{}: no file can be called {name}", input.name)));
        }
    }
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
        .map(|(index, path)| {
            let done = one(&archive, index, path, input, folder);
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
        .filter(|(name, path)| is_meant(name) && path.as_os_str() != *name);
    for (name, path) in renamed {
        _ = writeln!(text, "{} is written as {}", name.escape_debug(), path.display());
    }
    _ = write!(text, "{} written, {failed} failed", count(written, "entry"));
    if unfetched > 0 {
        _ = write!(text, "; skipped: {unfetched} that the game has not fetched");
    }
    text.push('\n');
    output::print(&text)?;
    Ok(Outcome::good_if(failed == 0))
}

/// Writes an entry, and returns whether there is anything to write.
fn one(
    archive: &Archive<'_>,
    index: usize,
    path: &Path,
    input: &Input,
    folder: &Folder<'_>,
) -> Result<bool, Failure> {
    let Some(entry) = archive.by_index(index) else { return Ok(false) };
    let failed = |why: String| Failure::Data(format!("{}: {why}", input.name));
    let Some(content) = archive::content(entry).map_err(failed)? else { return Ok(false) };
    folder.write(path, |out| out.write_all(&content))?;
    Ok(true)
}

/// The sizes that all entries claim, before any is written.
fn must_be_little(
    archive: &Archive<'_>,
    meant: &[(usize, &Path)],
    input: &Input,
    max_output: Option<usize>,
) -> Result<(), Failure> {
    let sizes = meant.iter().filter_map(|(index, _)| archive.by_index(*index));
    let claimed: u64 = sizes.map(|entry| u64::from(entry.size())).sum();
    let len = u64::try_from(input.bytes.len()).unwrap_or(u64::MAX);
    let own = len.saturating_mul(RATIO).max(ENOUGH);
    let most = max_output.map_or(own, |most| u64::try_from(most).unwrap_or(u64::MAX));
    if claimed <= most {
        return Ok(());
    }
    let why = format!("{claimed} bytes are more than {most}; --max-output BYTES allows more");
    Err(Failure::Data(format!("{}: {why}", input.name)))
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
    let failed = |fault: Error| Failure::Data(format!("{}: {}", folder.display(), fault.message()));
    let path = folder.join(ABOUT);
    let about = match path.exists() {
        true => members(&Input::read(&path, bound)?.bytes, &["archive_version", "flags"]),
        false => HashMap::new(),
    };
    let said = |name: &str| about.get(name).and_then(Json::as_u64);
    let said_version = said("archive_version").and_then(|own| u32::try_from(own).ok());
    let said_flags = said("flags").and_then(|own| u8::try_from(own).ok());
    builder.set_version(version.or(said_version).unwrap_or(NEW.0));
    builder.set_flags(flags.or(said_flags).unwrap_or(NEW.1));
    archive::insert(&mut builder, in_folder(folder, bound)?).map_err(failed)?;
    write(&builder, output, &Sink::new(Some(output)))
}

/// The file of `NAME=FILE`, with the name.
pub(super) fn named(with: &Path, bound: Bound) -> Result<(String, Vec<u8>), Failure> {
    let text = with.to_str().and_then(|text| text.split_once('='));
    let (name, file) = text.ok_or_else(|| {
        let with = with.display();
        Failure::Usage(format!("{with}: expected a folder, or such as NAME=FILE"))
    })?;
    Ok((name.to_owned(), Input::read(Path::new(file), bound)?.bytes))
}

/// The files of a folder under the names of their entries.
fn in_folder(folder: &Path, bound: Bound) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let read = |found: &files::Found| {
        let wrong = |why: String| Failure::Usage(format!("{}: {why}", found.path.display()));
        let name = names::entry(&found.relative).map_err(wrong)?;
        Ok((name, files::read(&found.path, bound).map_err(wrong)?))
    };
    found(folder)?.iter().map(read).collect()
}

fn write(builder: &Builder<'_>, output: &Path, sink: &Sink<'_>) -> Result<Outcome, Failure> {
    let bytes = builder
        .to_vec()
        .map_err(|error| Failure::Data(format!("{}: {error}", output.display())))?;
    sink.write_bytes(&bytes)?;
    Ok(Outcome::Good)
}

/// The archive with other entries in the place of some, more of them, or fewer.
pub(super) fn replace(
    input: &Input,
    options: &Options,
    with: &[PathBuf],
    remove: &[String],
    output: &Path,
    bound: Bound,
) -> Result<Outcome, Failure> {
    let archive = archive::read(&input.bytes, options).map_err(|fault| bad(input, &fault))?;
    let mut builder = archive.to_builder();
    for name in remove {
        if !builder.remove(name) {
            let name = name.escape_debug();
            return Err(Failure::Usage(format!("{}: has no entry {name}", input.name)));
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
    archive::insert(&mut builder, files).map_err(|fault| bad(input, &fault))?;
    let from = input.path.as_deref().unwrap_or(Path::new("-"));
    write(&builder, output, &Sink::new(Some(output)).over(from, &input.bytes))
}
