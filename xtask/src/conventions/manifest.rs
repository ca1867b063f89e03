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
        report.check(false, || format!("{place}: no such file"));
        return;
    };
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            let reason = error.to_string().lines().next().unwrap_or_default().to_owned();
            report.check(false, || format!("{place}: {reason}"));
            return;
        }
    };
    let mut missing: BTreeSet<String> = files_under(&folder).into_iter().collect();
    missing.remove(NAME);
    let entries = table.get("file").and_then(toml::Value::as_array);
    for entry in entries.map(Vec::as_slice).unwrap_or_default() {
        let field = |key: &str| entry.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let path = field("path");
        for key in ["path", "origin", "shows"] {
            report.check(!field(key).trim().is_empty(), || {
                format!("{place}: an entry has no {key} (path `{path}`)")
            });
        }
        if path.is_empty() {
            continue;
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

/// Writes the right hash into every entry whose file exists; gives the number of those that were
/// wrong. Everything else in the file stays as it is.
pub(super) fn fix(root: &Path, name: &str) -> Result<usize, String> {
    let path = root.join(path_of(name));
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(0) };
    let (new, changed) = rehashed(&text, |file| hash(&path.with_file_name(file)));
    if changed > 0 {
        std::fs::write(&path, new).map_err(|error| format!("{}: {error}", path_of(name)))?;
    }
    Ok(changed)
}

/// The text with the hash of each `[[file]]` block as `hash` gives it for the path of the block.
fn rehashed(text: &str, hash: impl Fn(&str) -> Option<String>) -> (String, usize) {
    const HEAD: &str = "[[file]]\n";
    let mut changed = 0;
    let mut blocks = text.split(HEAD);
    let mut new = blocks.next().unwrap_or_default().to_owned();
    for block in blocks {
        new.push_str(HEAD);
        let table: toml::Table = block.parse().unwrap_or_default();
        let field = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let right = field("path").and_then(&hash).filter(|hash| field("sha256") != Some(hash));
        let Some(right) = right else {
            new.push_str(block);
            continue;
        };
        changed += 1;
        let line = format!("sha256 = \"{right}\"\n");
        if field("sha256").is_some() {
            for old in block.split_inclusive('\n') {
                new.push_str(if old.starts_with("sha256") { &line } else { old });
            }
        } else {
            let (entry, gap) = block.split_at(block.trim_end().len());
            new.push_str(&format!("{entry}\n{line}{}", gap.strip_prefix('\n').unwrap_or(gap)));
        }
    }
    (new, changed)
}

fn hash(path: &Path) -> Option<String> {
    let digest = Sha256::digest(std::fs::read(path).ok()?);
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wrong_hashes_are_rewritten() {
        let text = "# head\n\n[[file]]\npath = \"a\"\nsha256 = \"old\"\nshows = \"x\" # why\n\n[[file]]\npath = \"b\"\n\n[[file]]\npath = \"gone\"\nsha256 = \"kept\"\n";
        let hash = |file: &str| (file != "gone").then(|| format!("hash of {file}"));
        let (new, changed) = rehashed(text, hash);
        assert_eq!(changed, 2);
        assert_eq!(
            new,
            "# head\n\n[[file]]\npath = \"a\"\nsha256 = \"hash of a\"\nshows = \"x\" # why\n\n[[file]]\npath = \"b\"\nsha256 = \"hash of b\"\n\n[[file]]\npath = \"gone\"\nsha256 = \"kept\"\n"
        );
        assert_eq!(rehashed(&new, hash), (new.clone(), 0));
    }

    #[test]
    fn the_hash_is_sha256() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        assert_eq!(
            hash(file.path()).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
