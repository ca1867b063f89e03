//! `testdata/<crate>/MANIFEST.toml`: where each file comes from, what it shows, and its hash.
//!
//! ```toml
//! [[file]]
//! path = "scenes/player.scn"
//! origin = "Godot 4.6.3, ResourceSaver.save"
//! shows = "a whole object with a script"
//! sha256 = "..."
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::Report;
use crate::process::{Outcome, at};
use crate::workspace::files_under;

const NAME: &str = "MANIFEST.toml";

/// The manifest of a crate, from the root.
pub(super) fn path_of(name: &str) -> String {
    format!("testdata/{name}/{NAME}")
}

pub(super) fn check(root: &Path, name: &str, report: &mut Report) {
    let place = path_of(name);
    let folder = root.join("testdata").join(name);
    let Ok(text) = std::fs::read_to_string(folder.join(NAME)) else {
        return report.check(false, || format!("{place}: no such file"));
    };
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return report.check(false, || format!("{place}: {error}")),
    };
    let mut missing: BTreeSet<String> = files_under(&folder).into_iter().collect();
    // Pages are about the data, and no data.
    missing.retain(|path| path != NAME && !path.ends_with("README.md"));
    let entries = table.get("file").and_then(toml::Value::as_array);
    for entry in entries.map(Vec::as_slice).unwrap_or_default() {
        let field = |key: &str| entry.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let path = field("path");
        for key in ["path", "origin", "shows"] {
            report.check(!field(key).trim().is_empty(), || {
                format!("{place}: an entry has no {key} (path `{path}`)")
            });
        }
        let known = missing.remove(path);
        report.check(known, || format!("{place}: {path} is not in the folder, or listed twice"));
        if let Some(hash) = hash(&folder.join(path)).filter(|_| known) {
            report
                .check(field("sha256") == hash, || format!("{place}: sha256 of {path} is {hash}"));
        }
    }
    for path in missing {
        report.check(false, || format!("{place}: {path} is not listed"));
    }
}

/// Writes the right hash into every entry that has a line for it; returns the number of those that
/// were wrong. Everything else in the file stays as it is.
pub(super) fn fix(root: &Path, name: &str) -> Outcome<usize> {
    let path = root.join(path_of(name));
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(0) };
    let (mut new, mut file, mut changed) = (String::new(), None, 0);
    for line in text.split_inclusive('\n') {
        let unquoted = |text: &str| text.trim_end().trim_matches('"').to_owned();
        file = line.strip_prefix("path = ").map(unquoted).or(file);
        let old = line.strip_prefix("sha256 = ").map(unquoted);
        match file.as_ref().and_then(|file| hash(&path.with_file_name(file))) {
            Some(hash) if old.is_some_and(|old| old != hash) => {
                changed += 1;
                new.push_str(&format!("sha256 = \"{hash}\"\n"));
            }
            _ => new.push_str(line),
        }
    }
    if changed > 0 {
        std::fs::write(&path, new).map_err(at(&path))?;
    }
    Ok(changed)
}

fn hash(path: &Path) -> Option<String> {
    let digest = Sha256::digest(std::fs::read(path).ok()?);
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
