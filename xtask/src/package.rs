//! `cargo xtask package`: each published crate as its package holds it, on its own.
//!
//! The packages are made, unpacked into a workspace of their own, and tested there: what they need
//! of this repository and do not bring along would be missing. Names that are another project's are refused.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{self, Outcome, at};
use crate::test::{Count, cargo_test, run_examples};
use crate::{registry, workspace};

/// Where the packages are made and unpacked.
const FOLDER: &str = "target/packages";

/// Files that each package has.
const FILES: [&str; 5] =
    ["Cargo.toml", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(crate) fn run(root: &Path) -> Outcome {
    let folder = unpacked(root)?;
    let mut count = Count::default();
    let good = cargo_test(&folder, &["--lib", "--bins"], &mut count)?
        && cargo_test(&folder, &["--doc"], &mut count)?
        && run_examples(&folder, &workspace::packages(&folder)?, &mut count)?;
    println!("{} passed, {} failed, in packages", count.passed, count.failed);
    let are_free = registry::run(root)?;
    Ok(good && are_free && count.passed > 0)
}

/// Makes the packages and puts what is in them side by side.
pub(crate) fn unpacked(root: &Path) -> Outcome<PathBuf> {
    let mut packages = workspace::packages(root)?;
    packages.retain(|package| package.is_published);
    let mut package = process::cargo(root);
    package.args(["package", "--no-verify", "--allow-dirty", "--quiet", "--target-dir", FOLDER]);
    for own in &packages {
        package.args(["--package", &own.name]);
    }
    process::done(&mut package)?;

    let folder = root.join(FOLDER).join("unpacked");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".cargo")).map_err(at(&folder))?;
    let (mut members, mut patches) = (String::new(), String::new());
    for package in &packages {
        let stem = format!("{}-{}", package.name, package.version);
        let file = root.join(FOLDER).join("package").join(format!("{stem}.crate"));
        process::output(process::command("tar", &folder).arg("-xzf").arg(&file))?;
        if let Some(own) = FILES.iter().find(|own| !folder.join(&stem).join(own).is_file()) {
            return Err(format!("{stem}: no {own} in the package").into());
        }
        members += &format!("\"{stem}\", ");
        patches += &format!("{} = {{ path = \"{stem}\" }}\n", package.name);
    }
    // The same profiles, versions and target folder, so that dependencies are not built again.
    let own = root.join("Cargo.toml");
    let own = fs::read_to_string(&own).map_err(at(&own))?;
    let profiles = own.split("\n[").filter(|table| table.starts_with("profile."));
    let profiles: String = profiles.map(|table| format!("\n[{table}\n")).collect();
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}{profiles}"
    );
    let config = "[build]\ntarget-dir = \"../..\"\n".to_owned();
    for (name, text) in [("Cargo.toml", manifest), (".cargo/config.toml", config)] {
        fs::write(folder.join(name), text).map_err(at(&folder))?;
    }
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).map_err(at(&folder))?;
    Ok(folder)
}
