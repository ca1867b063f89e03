//! The gems of a project: which there are, and which it uses.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use super::version::{Wanted, parts};
use super::{bytes, manifest, texts};
use o3de_json::Value;

/// A gem that is somewhere.
struct Gem {
    folder: PathBuf,
    version: String,
    dependencies: Vec<String>,
}

/// Gems that are known, by their names, and of them those that are used.
#[derive(Default)]
pub(super) struct Gems {
    known: BTreeMap<String, Vec<Gem>>,
    seen: HashSet<PathBuf>,
    /// In the order in which the engine has them: each after those that it needs (cmake/SettingsRegistry.cmake).
    used: Vec<(String, PathBuf)>,
    names: HashSet<String>,
}

/// The most folders of gems that are looked at.
const MAX_GEMS: usize = 4096;

impl Gems {
    /// Learns of the gem in a folder, and of those that it brings along; returns its name. A folder without
    /// a `gem.json` is none.
    pub(super) fn know(&mut self, folder: &Path) -> Option<String> {
        let mut waiting = vec![folder.to_owned()];
        let mut first = None;
        while let Some(folder) = waiting.pop() {
            let Ok(folder) = folder.canonicalize() else { continue };
            let file = folder.join("gem.json");
            if !file.is_file() {
                continue;
            }
            let gem = manifest(&file);
            let text = |name: &str| gem.get(name).and_then(Value::as_str).unwrap_or_default();
            let name = match text("gem_name") {
                "" => folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                name => name.to_owned(),
            };
            first.get_or_insert_with(|| name.clone());
            if self.seen.len() >= MAX_GEMS || !self.seen.insert(folder.clone()) {
                continue;
            }
            waiting.extend(texts(&gem, "external_subdirectories").map(|path| folder.join(path)));
            let version = text("version").to_owned();
            let dependencies = texts(&gem, "dependencies").map(str::to_owned).collect();
            self.known.entry(name).or_default().push(Gem { folder, version, dependencies });
        }
        first
    }

    /// Uses a gem and those that it needs. Returns whether there is such a gem.
    pub(super) fn enable(&mut self, name: &str) -> bool {
        // With the folder of a gem whose own are all there.
        let mut waiting = vec![(name.to_owned(), None)];
        let mut is_found = None;
        while let Some((name, done)) = waiting.pop() {
            if let Some(folder) = done {
                self.used.push((name, folder));
                continue;
            }
            let wanted = Wanted::parse(&name);
            let known = self.known.get(wanted.name).into_iter().flatten();
            let fitting = known.clone().filter(|gem| wanted.accepts(&gem.version));
            // Any is better than none.
            let best = fitting.max_by_key(|gem| parts(&gem.version));
            let best = best.or_else(|| known.max_by_key(|gem| parts(&gem.version)));
            is_found.get_or_insert(best.is_some());
            let Some(gem) = best else { continue };
            if self.names.insert(wanted.name.to_owned()) {
                waiting.push((wanted.name.to_owned(), Some(gem.folder.clone())));
                waiting.extend(gem.dependencies.iter().rev().map(|own| (own.clone(), None)));
            }
        }
        is_found == Some(true)
    }

    /// The folders of those that are used, by name, as the engine's registry has them.
    pub(super) fn used(&self) -> impl Iterator<Item = (&str, &Path)> {
        let all = self.known.iter();
        let all =
            all.flat_map(|(name, gems)| gems.iter().map(move |gem| (name.as_str(), &*gem.folder)));
        all.filter(|(_, folder)| self.used.iter().any(|(_, used)| used == folder))
    }

    /// Those that are used, each after those that it needs.
    pub(super) fn in_order(&self) -> &[(String, PathBuf)] {
        &self.used
    }
}

/// The names of the gems that a project uses, and whether it can do without; of older ones, those in
/// `enabled_gems.cmake`.
pub(super) fn named(root: &Path, project: &Value) -> Vec<(String, bool)> {
    let list = project.get("gem_names").and_then(Value::as_array).into_iter().flatten();
    let gem = |own: &Value| {
        let is_optional = own.get("optional").and_then(Value::as_bool).unwrap_or(false);
        let name = own.as_str().or_else(|| own.get("name")?.as_str())?;
        Some((name.to_owned(), is_optional))
    };
    let mut names: Vec<(String, bool)> = list.filter_map(gem).collect();
    let places =
        ["Gem", "Gem/Code", "Code"].map(|place| root.join(place).join("enabled_gems.cmake"));
    if let Some(bytes) = places.iter().find_map(|place| bytes(place)) {
        let text = String::from_utf8_lossy(&bytes);
        let list = text.split("set(ENABLED_GEMS").nth(1).and_then(|rest| rest.split(')').next());
        let lines = list.unwrap_or_default().lines();
        let words =
            lines.flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace());
        names.extend(words.map(|word| (word.trim_matches('"').to_owned(), false)));
    }
    names
}
