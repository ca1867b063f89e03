//! `gamewire package`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gamewire::resonite_save::package::{self, Package, Record, is_hash};
use gamewire::resonite_save::{Options, SavedObject};

use serde_json::json;

use super::assets::{self, Kind};
use crate::failure::Failure;
use crate::fault::show;
use crate::files::{self, Bound, Found};
use crate::names::{self, Paths};
use crate::output::Shown as _;
use crate::output::{self, Drawing};
use gamewire::document::{Error, Hint};

const RECORD: &str = "R-Main.record";

/// The file in a folder that says of an archive what its entries do not.
pub(crate) const ABOUT: &str = ".gamewire.json";

/// The record in short, and the assets.
pub(crate) fn list(bytes: &[u8], options: &Options) -> Result<Drawing, Error> {
    let package = read(bytes, options)?;
    let record = package.record();
    let mut text = String::new();
    let shown = |text: Option<String>| text.unwrap_or_default().escape_debug().to_string();
    _ = writeln!(text, "name   {}", shown(record.name()));
    _ = writeln!(text, "owner  {}", shown(record.owner_id()));
    let main = package.main_hash();
    for (hash, bytes) in package.assets() {
        let mark = if main.as_deref() == Some(hash) { "main " } else { "" };
        let hash = hash.escape_debug();
        _ = writeln!(text, "{hash}  {:>9}  {mark}{}", bytes.len(), Kind::of(bytes).name);
    }
    let entries = package.entries().map(|(name, bytes)| {
        let is_main = name.strip_prefix("Assets/").is_some_and(|own| main.as_deref() == Some(own));
        json!({ "name": name, "len": bytes.len(), "kind": Kind::of(bytes).name, "main": is_main })
    });
    let entries: Vec<_> = entries.collect();
    let json = json!({ "name": record.name(), "owner": record.owner_id(), "entries": entries });
    for (name, bytes) in package.entries().filter(|(name, _)| !name.starts_with("Assets/")) {
        _ = writeln!(text, "{}  {}", name.escape_debug(), bytes.len());
    }
    Ok(Drawing { text, json })
}

/// The names of all entries, the paths that they get in a folder, and their contents, the record
/// included.
pub(crate) fn entries(package: &Package) -> impl Iterator<Item = (&str, PathBuf, Cow<'_, [u8]>)> {
    let mut paths = Paths::new();
    let record = (RECORD, Cow::Owned(package.record().to_vec()));
    let others = package.entries().map(|(name, bytes)| (name, Cow::Borrowed(bytes)));
    // The record first: it has its own name whatever the others are called.
    let entries = std::iter::once(record).chain(others);
    entries.map(move |(name, bytes)| (name, paths.of(name), bytes))
}

/// Reads a package.
pub(crate) fn read(bytes: &[u8], options: &Options) -> Result<Package, Error> {
    Ok(Package::from_slice_with(bytes, options)?)
}

/// Whether a file with this name is a package.
pub(crate) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("resonitepackage"))
}

/// A package of a folder as `extract` writes it. Says what was left out or renamed.
pub(crate) fn from_folder(
    folder: &Path,
    name: Option<&str>,
    assets: Vec<Vec<u8>>,
    incomplete: bool,
    bound: Bound,
) -> Result<Vec<u8>, Failure> {
    let shown = folder.shown();
    let data = |fault: Error| Failure::Data(show(&fault, &shown, &[]));
    let mut record = None;
    let mut entries = Vec::new();
    let mut paths = HashMap::new();
    for found in found(folder)? {
        let wrong = |why: &str| Failure::Usage(format!("{}: {why}", found.path.shown()));
        let asset = assets::without_extension(&found.relative);
        let path = asset.as_deref().unwrap_or(&found.relative);
        let name = names::entry(path).map_err(|why| wrong(&why))?;
        if let Some(other) = paths.insert(name.clone(), found.relative.clone()) {
            let other = other.shown();
            return Err(wrong(&format!("is the same entry as {other}")));
        }
        let bytes = files::read(&found.path, bound).map_err(|why| wrong(&why))?;
        if name == RECORD {
            record = Some(Record::from_slice(&bytes).map_err(|error| data(error.into()))?);
        } else {
            entries.push((name, bytes));
        }
    }
    let record = record.ok_or_else(|| data(Error::new(format!("has no {RECORD}"))))?;
    let mut package = Package::from_entries(record, entries).map_err(|e| data(e.into()))?;
    if let Some(name) = name {
        package.record_mut().set_name(name);
    }
    for asset in assets {
        package.add_asset(asset);
    }
    let is_changed = |(name, bytes): (&str, &[u8])| is_hash(name) && package::hash(bytes) != name;
    let is_listed = lists_its_assets(&package);
    // Only then, because it writes the record again.
    if !is_listed || package.assets().any(is_changed) {
        let before: Vec<String> = package.entries().map(|(name, _)| name.to_owned()).collect();
        let renamed = package.rehash().map_err(|e| data(e.into()))?;
        let is_there = |name: &str| package.entries().any(|(own, _)| own == name);
        for (old, new) in &renamed {
            output::note(&format!("asset {} is now {new}", old.escape_debug()));
        }
        if !is_listed {
            output::note("the record now lists the assets that are in the folder");
        }
        for name in before.iter().filter(|name| name.starts_with("Metadata/") && !is_there(name)) {
            output::note(&format!("{} is left out: its asset changed", name.escape_debug()));
        }
    }
    finished(&package, incomplete).map_err(data)
}

/// The bytes of a package that has all assets to which its save points and that can be loaded, unless it may
/// lack some.
fn finished(package: &Package, incomplete: bool) -> Result<Vec<u8>, Error> {
    use package::Problem::{Address, Dangling, Empty, Main, Missing};
    let problems = package.verify();
    let is_dead = |own: &&package::Problem| matches!(own, Address { .. } | Empty(_) | Main(_));
    if let Some(first) = problems.iter().find(is_dead).filter(|_| !incomplete) {
        let hint = "`package verify` lists all of this kind, --incomplete builds it all the same";
        return Err(Error::new(format!("nobody can load it: {first}"))
            .with_hint(Hint::Other(hint.to_owned())));
    }
    let missing = problems.into_iter().filter_map(|problem| match problem {
        Dangling(hash) | Missing(hash) => Some(hash),
        _ => None,
    });
    let missing: BTreeSet<String> = missing.collect();
    let Some(first) = missing.first().filter(|_| !incomplete) else { return Ok(package.to_vec()?) };
    let why = match missing.len() {
        1 => format!("the save needs the asset {first}, which is not there"),
        many => format!("the save needs {many} assets that are not there, such as {first}"),
    };
    let hint = "--asset FILE puts one in, --incomplete does without";
    Err(Error::new(why).with_hint(Hint::Other(hint.to_owned())))
}

/// Whether the record names the assets that are present, as far as they have the names of assets.
fn lists_its_assets(package: &Package) -> bool {
    let listed = package.record().manifest();
    let listed = listed.iter().map(|(hash, _)| hash.as_str()).filter(|hash| is_hash(hash));
    let main = package.main_hash();
    let own = package.assets().map(|(hash, _)| hash);
    let own = own.filter(|hash| is_hash(hash) && main.as_deref() != Some(*hash));
    listed.collect::<BTreeSet<_>>() == own.collect()
}

/// The files of a folder that are entries of a package, in the order of their names.
pub(crate) fn found(folder: &Path) -> Result<Vec<Found>, Failure> {
    let walk = files::expand(&[folder.to_owned()]);
    if let Some(why) = walk.unreadable.into_iter().next() {
        return Err(Failure::Usage(why));
    }
    if let Some(skipped) = walk.skipped.words(0) {
        output::note(&format!("{}: not packed: {skipped}", folder.shown()));
    }
    let is_hidden = |found: &Found| {
        let mut parts = found.relative.components();
        parts.any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
    };
    let (hidden, files): (Vec<_>, Vec<_>) = walk.files.into_iter().partition(is_hidden);
    for own in hidden.iter().filter(|own| own.relative != Path::new(ABOUT)) {
        output::note(&format!("{}: not packed: hidden", own.path.shown()));
    }
    Ok(files)
}

/// A package of a save and its assets. The save keeps its bytes.
pub(crate) fn from_save(
    save: &[u8],
    name: Option<&str>,
    assets: Vec<Vec<u8>>,
    incomplete: bool,
) -> Result<Vec<u8>, Error> {
    let object: SavedObject = gamewire::resonite_brson::from_slice(save)?;
    let own = object.root().and_then(|root| root.name()).unwrap_or("Object");
    let mut package = Package::new(name.unwrap_or(own), &object)?;
    package.set_main(save.to_vec());
    for asset in assets {
        package.add_asset(asset);
    }
    finished(&package, incomplete)
}

/// Lists the problems, and says whether any does harm.
pub(crate) fn verify(bytes: &[u8], options: &Options) -> Result<(String, bool), Error> {
    let problems = read(bytes, options)?.verify();
    let mut text = String::new();
    for problem in &problems {
        let word = if problem.is_error() { "error" } else { "note" };
        _ = writeln!(text, "  {word}: {problem}");
    }
    Ok((text, !problems.iter().any(package::Problem::is_error)))
}
