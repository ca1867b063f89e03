//! `xtask/api/<folder>.txt`: the public items of each published library, so that a change of them is seen.
//!
//! What is `pub` can be reached, for the lint `unreachable_pub` holds; so a reader of lines is enough.

use std::path::{Path, PathBuf};

use super::Report;
use crate::process::{Outcome, at};
use crate::workspace::files_under;

const FOLDER: &str = "xtask/api";

/// Writes the listings.
pub(super) fn fix(root: &Path) -> Outcome<()> {
    std::fs::create_dir_all(root.join(FOLDER)).map_err(at(Path::new(FOLDER)))?;
    for (file, listing) in listings(root) {
        std::fs::write(&file, listing).map_err(at(&file))?;
    }
    Ok(())
}

pub(super) fn check(root: &Path, report: &mut Report) {
    for (file, listing) in listings(root) {
        let same = std::fs::read_to_string(&file).is_ok_and(|written| written == listing);
        report.check(same, || {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            format!(
                "{FOLDER}/{name}: the items have changed; `cargo xtask conventions --fix` writes it"
            )
        });
    }
}

fn listings(root: &Path) -> impl Iterator<Item = (PathBuf, String)> {
    let files = files_under(&root.join("crates")).into_iter();
    let folders = files.filter_map(|file| file.strip_suffix("/src/lib.rs").map(str::to_owned));
    folders.filter_map(move |name| {
        let folder = root.join("crates").join(&name);
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        let is_published =
            !manifest.contains("publish = false") && !manifest.contains("[workspace]");
        let source = folder.join("src");
        let list = |file: &String| {
            items(&std::fs::read_to_string(source.join(file)).unwrap_or_default(), file)
        };
        let listing =
            files_under(&source).iter().filter(|file| file.ends_with(".rs")).map(list).collect();
        is_published.then(|| (root.join(FOLDER).join(name + ".txt"), listing))
    })
}

/// The public items of a file: each on a line, after its file and what is around it. Variants of enums and
/// items of traits have no `pub`.
pub(super) fn items(text: &str, file: &str) -> String {
    let (mut listed, mut around, mut open) = (String::new(), "", String::new());
    for line in text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().lines() {
        let (item, level) = (line.trim(), line.len() - line.trim_start().len());
        if level == 0 && item.starts_with(char::is_alphabetic) {
            around = item.split(" {").next().unwrap_or_default();
        }
        let is_inner = ["pub enum", "pub trait"].iter().any(|own| around.starts_with(own));
        let is_implied = level == 4 && is_inner && item.starts_with(char::is_alphabetic);
        if open.is_empty() {
            if !item.starts_with("pub ") && !is_implied {
                continue;
            }
            open = format!("{file}: {}:", if level > 0 { around } else { "" });
        }
        open += &format!(" {item}");
        let ends = match open.split(": ").nth(2).unwrap_or_default() {
            own if own.starts_with("pub use") || own.starts_with("pub type") => &[";"][..],
            own if own.starts_with("pub const ") && !own.contains(" fn ") => &[" = "],
            _ => &["{", ";"],
        };
        let is_whole =
            item.ends_with(',') && open.matches('(').count() == open.matches(')').count();
        let end = ends.iter().filter_map(|end| open.find(end)).min();
        if let Some(end) = end.or(is_whole.then_some(open.len())) {
            listed += &format!("{}\n", open[..end].trim_end_matches([',', ' ']));
            open.clear();
        }
    }
    listed
}
