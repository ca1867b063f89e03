//! Where things are, and what the workspace holds.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process::{self, Outcome};

/// The format crates.
pub(crate) const FORMATS: [&str; 5] =
    ["godot-variant", "o3de-json", "kiwi-pclass", "zeze-serialize", "resonite-brson"];

/// The package of the side-by-side benchmarks.
pub(crate) const BENCH: &str = "gamewire-bench";

/// The folder of the workspace. The program may have been built for another one with the same target folder.
pub(crate) fn root() -> PathBuf {
    let built = env!("CARGO_MANIFEST_DIR").into();
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or(built, PathBuf::from);
    own.parent().map(Path::to_owned).unwrap_or(own)
}

/// The target of this machine.
pub(crate) fn host(root: &Path) -> Outcome<String> {
    let about = process::output(process::command("rustc", root).arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not name its host")?.to_owned())
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
    pub(crate) is_published: bool,
    /// Without `default`.
    pub(crate) features: Vec<String>,
    /// The number of examples.
    pub(crate) examples: usize,
    pub(crate) rust_version: Option<String>,
}

/// The packages of the workspace.
pub(crate) fn packages(root: &Path) -> Outcome<Vec<Package>> {
    let mut metadata = process::cargo(root);
    let text = process::output(metadata.args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(parse_packages(&metadata).ok_or("cargo metadata has another form")?)
}

fn parse_packages(metadata: &Value) -> Option<Vec<Package>> {
    let package = |package: &Value| {
        let features = package["features"].as_object()?;
        let targets = package["targets"].as_array()?;
        Some(Package {
            name: package["name"].as_str()?.to_owned(),
            version: package["version"].as_str()?.to_owned(),
            is_published: package["publish"].is_null(),
            features: features.keys().filter(|name| *name != "default").cloned().collect(),
            examples: targets.iter().filter(|target| target["kind"][0] == "example").count(),
            rust_version: package["rust_version"].as_str().map(str::to_owned),
        })
    };
    metadata["packages"].as_array()?.iter().map(package).collect()
}

/// The files under a folder, as paths from it with `/`, in order. Links are not followed.
pub(crate) fn files_under(folder: &Path) -> Vec<String> {
    fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
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
pub(crate) fn project_files(root: &Path) -> Outcome<Vec<String>> {
    if !root.join(".git").exists() {
        let outside = |name: &String| !name.split('/').any(|part| part == "target");
        return Ok(files_under(root).into_iter().filter(outside).collect());
    }
    let mut list = process::command("git", root);
    let list = list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let list = process::output(list)?;
    let files = list.split_terminator('\0').map(str::to_owned);
    let mut files: Vec<String> = files.filter(|name| root.join(name).is_file()).collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_metadata() {
        let metadata = serde_json::json!({ "packages": [{
            "name": "a",
            "version": "0.1.0",
            "publish": null,
            "rust_version": "1.88",
            "features": { "default": ["net"], "net": ["dep:a"], "client": ["net"] },
            "targets": [{ "name": "a", "kind": ["lib"] }, { "name": "b", "kind": ["example"] }],
        }]});
        let package = parse_packages(&metadata).unwrap().remove(0);
        assert_eq!(package.features, ["net", "client"]);
        assert_eq!((package.is_published, package.examples), (true, 1));
        assert_eq!(package.rust_version.as_deref(), Some("1.88"));
        assert!(parse_packages(&serde_json::json!({ "packages": [{}] })).is_none());
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
