//! Where things are, and what the workspace holds.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process;

/// The format crates, those not written yet included.
pub(crate) const FORMATS: [&str; 5] =
    ["godot-variant", "o3de-json", "kiwi-pclass", "zeze-serialize", "resonite-brson"];

/// The package of the side-by-side benchmarks.
pub(crate) const BENCH: &str = "gamewire-bench";

/// The folder of the workspace: that above the running `xtask`, or the next one upwards from the
/// current folder whose Cargo.toml is a workspace.
pub(crate) fn root() -> Result<PathBuf, String> {
    let from_cargo = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = std::env::current_dir().map_err(|error| format!("current folder: {error}"))?;
    [from_cargo.as_deref(), Some(&here)]
        .into_iter()
        .flatten()
        .flat_map(Path::ancestors)
        .find(|folder| {
            std::fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|text| text.lines().any(|line| line.trim() == "[workspace]"))
        })
        .map(Path::to_owned)
        .ok_or_else(|| "no workspace around the current folder".to_owned())
}

/// The format crates that have a folder.
pub(crate) fn formats(root: &Path) -> Vec<&'static str> {
    FORMATS.into_iter().filter(|name| root.join("crates").join(name).is_dir()).collect()
}

/// A package of the workspace, as `cargo metadata` tells it.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Without `default`.
    pub(crate) features: Vec<String>,
    /// Those that do without the feature `std`, where there is one.
    pub(crate) bare_features: Option<Vec<String>>,
    pub(crate) has_library: bool,
    /// Names of the examples.
    pub(crate) examples: Vec<String>,
    pub(crate) rust_version: Option<String>,
}

/// The packages of the workspace.
pub(crate) fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let text = process::output(process::cargo(root).args([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
    ]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    parse_packages(&metadata).ok_or_else(|| "cargo metadata has another form".to_owned())
}

fn parse_packages(metadata: &Value) -> Option<Vec<Package>> {
    let package = |package: &Value| {
        let features = package["features"].as_object()?;
        let targets = package["targets"].as_array()?;
        let bare = features.keys().filter(|name| is_bare(features, name));
        Some(Package {
            name: package["name"].as_str()?.to_owned(),
            version: package["version"].as_str()?.to_owned(),
            features: features.keys().filter(|name| *name != "default").cloned().collect(),
            bare_features: features.contains_key("std").then(|| bare.cloned().collect()),
            has_library: targets.iter().any(|target| is_a("lib", target)),
            examples: targets
                .iter()
                .filter(|target| is_a("example", target))
                .filter_map(|target| target["name"].as_str().map(str::to_owned))
                .collect(),
            rust_version: package["rust_version"].as_str().map(str::to_owned),
        })
    };
    metadata["packages"].as_array()?.iter().map(package).collect()
}

fn is_a(kind: &str, target: &Value) -> bool {
    target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|own| own == kind))
}

/// The files under a folder, as paths from it with `/`, in order. Links are not followed.
pub(crate) fn files_under(folder: &Path) -> Vec<String> {
    fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => walk(&entry.path(), &format!("{path}/"), found),
                Ok(kind) if kind.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, "", &mut found);
    found.sort();
    found
}

/// The files of the project: those that git tracks or would track; without git, all but `target`.
pub(crate) fn project_files(root: &Path) -> Result<Vec<String>, String> {
    if root.join(".git").exists() {
        let list = process::output(process::command("git", root).args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ]))?;
        let listed = list.split('\0').filter(|name| !name.is_empty()).map(str::to_owned);
        let mut files: Vec<String> = listed.filter(|name| root.join(name).is_file()).collect();
        files.sort();
        return Ok(files);
    }
    let outside =
        |name: &String| !name.split('/').any(|part| part == "target") && !name.starts_with(".git/");
    Ok(files_under(root).into_iter().filter(outside).collect())
}

/// Whether a feature goes without `std`, by itself and by all that it needs.
fn is_bare(features: &serde_json::Map<String, Value>, name: &str) -> bool {
    let needs = features.get(name).and_then(Value::as_array).into_iter().flatten();
    let mut needs = needs.filter_map(Value::as_str);
    !matches!(name, "std" | "default") && needs.all(|need| is_bare(features, need))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_metadata() {
        let metadata = serde_json::json!({ "packages": [{
            "name": "a",
            "version": "0.1.0",
            "rust_version": "1.88",
            "features": { "default": ["x"], "x": [], "y": ["dep:y"] },
            "targets": [{ "name": "a", "kind": ["lib"] }, { "name": "b", "kind": ["example"] }],
        }]});
        let packages = parse_packages(&metadata).unwrap();
        assert_eq!(packages[0].features, ["x", "y"]);
        assert_eq!(packages[0].bare_features, None);
        assert!(packages[0].has_library);
        assert_eq!(packages[0].examples, ["b"]);
        assert_eq!(packages[0].rust_version.as_deref(), Some("1.88"));
        assert!(parse_packages(&serde_json::json!({ "packages": [{}] })).is_none());
    }

    #[test]
    fn features_without_std_are_those_that_never_need_it() {
        let features = serde_json::json!({
            "default": ["std"], "std": [], "net": ["std", "dep:a"], "client": ["net"],
            "bare": ["dep:b", "core/bare"], "more": ["bare"],
        });
        let bare = |name| is_bare(features.as_object().unwrap(), name);
        assert_eq!(
            ["bare", "more", "net", "client", "std"].map(bare),
            [true, true, false, false, false]
        );
    }

    #[test]
    fn files_are_listed_in_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("b/target")).unwrap();
        for name in ["z", "b/a", "b/target/x"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(files_under(folder.path()), ["b/a", "b/target/x", "z"]);
        assert_eq!(project_files(folder.path()).unwrap(), ["b/a", "z"]);
    }
}
