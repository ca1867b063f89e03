//! `cargo xtask package`: each published crate as its package holds it, on its own.
//!
//! The packages are made, unpacked into a workspace of their own, and tested there: what they need
//! of this repository and do not bring along would be missing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::test::{Count, cargo_test, run_examples};
use crate::workspace::{self, FORMATS};
use crate::{Outcome, process};

/// The published packages, each after those that it needs: the order of publishing.
pub(crate) fn published() -> Vec<&'static str> {
    let above = ["godot-multiplayer", "kiwi-dml", "o3de-prefab", "zeze-net"];
    let more = ["gamewire-gen", "gamewire", "gamewire-cli"];
    [&["gamewire-core"][..], &FORMATS, &above, &more].concat()
}

/// Where the packages are made and unpacked.
const FOLDER: &str = "target/packages";

/// Files that each package has.
const FILES: [&str; 5] =
    ["Cargo.toml", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(crate) fn run(root: &Path) -> Outcome {
    let folder = unpacked(root)?;
    let mut count = Count::default();
    let packages = workspace::packages(&folder)?;
    let good = cargo_test(&folder, &packages, &["--lib", "--bins"], &mut count)?
        && cargo_test(&folder, &packages, &["--doc"], &mut count)?
        && run_examples(&folder, &packages, &mut count)?;
    println!("{} passed, {} failed, in packages", count.passed, count.failed);
    Ok((good && count.passed > 0).into())
}

/// Makes the packages and puts what is in them side by side.
fn unpacked(root: &Path) -> Result<PathBuf, String> {
    let mut package = process::cargo(root);
    package.args(["package", "--no-verify", "--allow-dirty", "--quiet", "--target-dir", FOLDER]);
    published().iter().for_each(|name| {
        package.args(["--package", name]);
    });
    if !process::run(&mut package)? {
        return Err("packages cannot be made".to_owned());
    }
    let failed = |what: &Path| {
        let what = what.display().to_string();
        move |error: std::io::Error| format!("{what}: {error}")
    };
    let folder = root.join(FOLDER).join("unpacked");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(failed(&folder))?;
    let (mut members, mut patches) = (String::new(), String::new());
    for package in workspace::packages(root)? {
        let name = package.name.as_str();
        if !published().contains(&name) {
            continue;
        }
        let stem = format!("{name}-{}", package.version);
        let file = root.join(FOLDER).join("package").join(format!("{stem}.crate"));
        let mut tar = process::command("tar", &folder);
        process::output(tar.arg("-xzf").arg(&file))?;
        for own in FILES {
            if !folder.join(&stem).join(own).is_file() {
                return Err(format!("{stem}: no {own} in the package"));
            }
        }
        members += &format!("\"{stem}\", ");
        patches += &format!("{name} = {{ path = \"{stem}\" }}\n");
    }
    // The same profiles, versions and target folder, so that dependencies are not built again.
    let own = root.join("Cargo.toml");
    let own = fs::read_to_string(&own).map_err(failed(&own))?;
    let profiles = own.split("\n[").filter(|table| table.starts_with("profile."));
    let profiles: String = profiles.map(|table| format!("\n[{table}\n")).collect();
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}{profiles}"
    );
    let config = "[build]\ntarget-dir = \"../..\"\n".to_owned();
    for (name, text) in [("Cargo.toml", manifest), (".cargo/config.toml", config)] {
        let path = folder.join(name);
        fs::create_dir_all(folder.join(".cargo")).map_err(failed(&path))?;
        fs::write(&path, text).map_err(failed(&path))?;
    }
    let lock = folder.join("Cargo.lock");
    fs::copy(root.join("Cargo.lock"), &lock).map_err(failed(&lock))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_published_first() {
        let root = workspace::root().unwrap();
        let all = published();
        for (at, name) in all.iter().enumerate() {
            let folder =
                name.strip_prefix("gamewire-").filter(|own| *own == "core").unwrap_or(name);
            let manifest = fs::read_to_string(root.join("crates").join(folder).join("Cargo.toml"));
            let table: toml::Table = manifest.unwrap().parse().unwrap();
            let needs = table["dependencies"].as_table().unwrap();
            for need in needs.keys().filter(|need| all.contains(&need.as_str())) {
                assert!(all[..at].contains(&need.as_str()), "{name} needs {need}");
            }
        }
    }
}
