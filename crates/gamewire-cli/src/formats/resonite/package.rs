//! What `gamewire package` does.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use gamewire::resonite_brson::package::{self, Package, Record};
use gamewire::resonite_brson::{SavedObject, container};

use crate::failure::Failure;
use crate::fault::Fault;

const RECORD: &str = "R-Main.record";

/// The record in short, and the assets.
pub(crate) fn list(bytes: &[u8]) -> Result<String, Fault> {
    let package = Package::from_slice(bytes)?;
    let record = package.record();
    let mut text = String::new();
    let shown = |text: Option<String>| text.unwrap_or_default().escape_debug().to_string();
    _ = writeln!(text, "name   {}", shown(record.name()));
    _ = writeln!(text, "owner  {}", shown(record.owner_id()));
    let main = package.main_hash();
    for (hash, bytes) in package.assets() {
        let mark = if main.as_deref() == Some(hash) { "main " } else { "" };
        let hash = hash.escape_debug();
        _ = writeln!(text, "{hash}  {:>9}  {mark}{}", bytes.len(), kind(bytes));
    }
    for (name, bytes) in package.entries().filter(|(name, _)| !name.starts_with("Assets/")) {
        _ = writeln!(text, "{}  {}", name.escape_debug(), bytes.len());
    }
    Ok(text)
}

/// What an asset looks like.
fn kind(bytes: &[u8]) -> String {
    let known: [(&[u8], &str); 7] = [
        (b"\x89PNG", "PNG"),
        (b"\xff\xd8\xff", "JPEG"),
        (b"OggS", "Ogg"),
        (b"\x05MeshX", "MeshX"),
        (b"\x05AnimX", "AnimX"),
        (b"glTF", "glTF"),
        (b"\0\x01\0\0", "TrueType"),
    ];
    if let Some((_, name)) = known.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return (*name).to_owned();
    }
    if bytes.starts_with(b"RIFF") {
        return match bytes.get(8..12) {
            Some(b"WEBP") => "WebP".to_owned(),
            Some(b"WAVE") => "WAVE".to_owned(),
            _ => "RIFF".to_owned(),
        };
    }
    match container::detect(bytes) {
        Ok(Some(head)) => format!("save ({})", head.container()),
        _ => "data".to_owned(),
    }
}

/// The names and contents of all entries, the record included. No name leads out of a folder.
pub(crate) fn entries(bytes: &[u8]) -> Result<Vec<(PathBuf, Vec<u8>)>, Fault> {
    let package = Package::from_slice(bytes)?;
    let mut entries = vec![(PathBuf::from(RECORD), package.record().to_vec())];
    for (name, bytes) in package.entries() {
        let path = PathBuf::from(name);
        let is_safe = !name.contains('\\')
            && !name.contains(':')
            && path.components().next().is_some()
            && path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_safe {
            return Err(Fault::new(format!("the entry {name:?} would be written elsewhere")));
        }
        entries.push((path, bytes.to_vec()));
    }
    Ok(entries)
}

/// A package of a folder as `extract` writes it.
pub(crate) fn from_folder(
    folder: &Path,
    name: Option<&str>,
    assets: &[PathBuf],
) -> Result<Vec<u8>, Failure> {
    let shown = folder.display().to_string();
    let data = |fault: Fault| Failure::Data(format!("{shown}: {}", fault.message));
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| Failure::io(&path.display().to_string(), &error))
    };
    let record = Record::from_slice(&read(&folder.join(RECORD))?).map_err(|e| data(e.into()))?;
    let mut entries = Vec::new();
    for place in ["Assets", "Metadata"] {
        let inner = folder.join(place);
        if !inner.is_dir() {
            continue;
        }
        let failed = |error| Failure::io(&inner.display().to_string(), &error);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&inner).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name());
        }
        names.sort();
        for name in names {
            let path = inner.join(&name);
            let Some(name) = name.to_str() else { continue };
            if path.is_file() {
                entries.push((format!("{place}/{name}"), read(&path)?));
            }
        }
    }
    let mut package = Package::from_entries(record, entries).map_err(|e| data(e.into()))?;
    if let Some(name) = name {
        package.record_mut().set_name(name);
    }
    for path in assets {
        package.add_asset(read(path)?);
    }
    package.rehash().map_err(|e| data(e.into()))?;
    package.to_vec().map_err(|e| data(e.into()))
}

/// A package of a save and its assets. The save keeps its bytes.
pub(crate) fn from_save(
    save: &[u8],
    name: Option<&str>,
    assets: Vec<Vec<u8>>,
) -> Result<Vec<u8>, Fault> {
    let object: SavedObject = gamewire::resonite_brson::from_slice(save)?;
    let own = object.root().and_then(|root| root.name()).unwrap_or("Object");
    let mut package = Package::new(name.unwrap_or(own), &object)?;
    package.set_main(save.to_vec());
    for asset in assets {
        package.add_asset(asset);
    }
    debug_assert_eq!(package.main_hash(), Some(package::hash(save)));
    Ok(package.to_vec()?)
}

/// What is wrong, and whether it does harm.
pub(crate) fn verify(bytes: &[u8]) -> Result<(String, bool), Fault> {
    let problems = Package::from_slice(bytes)?.verify();
    let mut text = String::new();
    for problem in &problems {
        let word = if problem.is_error() { "error" } else { "note" };
        _ = writeln!(text, "  {word}: {problem}");
    }
    Ok((text, !problems.iter().any(package::Problem::is_error)))
}
