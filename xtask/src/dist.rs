//! `cargo xtask dist`: what a release has, in `target/dist`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::process::{
    Fault, Outcome, at, cargo, command, done, needs, needs_target, output, succeeds,
};
use crate::workspace::{self, files_under};
use crate::{python, web};

/// Targets that a Linux builds for too, and what links for them.
const MORE: [(&str, &str); 2] =
    [("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc"), ("x86_64-unknown-linux-musl", "cc")];

const SHELLS: [(&str, &str); 4] = [
    ("bash", "gamewire.bash"),
    ("zsh", "_gamewire"),
    ("fish", "gamewire.fish"),
    ("powershell", "gamewire.ps1"),
];

/// Files of the tool's crate in each archive of it.
const FILES: [&str; 4] = ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"];

/// What the archive of vectors has of this repository.
const VECTORS: [&str; 5] =
    ["LICENSE-MIT", "LICENSE-APACHE", "docs/conformance", "docs/formats", "testdata"];

pub(crate) fn run(root: &Path) -> Outcome {
    let packages = workspace::packages(root)?;
    let tool = packages.iter().find(|own| own.name == "gamewire-cli").ok_or("no gamewire-cli")?;
    let (dist, version) = (root.join("target/dist"), tool.version.as_str());
    let _ = fs::remove_dir_all(&dist);
    fs::create_dir_all(&dist).map_err(at(&dist))?;

    part("page and npm package", page(root, &dist))?;
    part("wheel", wheel(root, &dist))?;
    let host = workspace::host(root)?;
    let here = program(root, &host)?;
    archive(root, &dist, version, &host, &here, &here)?;
    for (target, linker) in MORE.into_iter().filter(|_| cfg!(target_os = "linux")) {
        let other = needs(linker, root).and_then(|()| program(root, target));
        if let Some(other) = part(target, other)? {
            archive(root, &dist, version, target, &other, &here)?;
        }
    }
    part("vectors", vectors(root, &dist, version))?;

    let mut sums = String::new();
    for name in files_under(&dist) {
        let bytes = fs::read(dist.join(&name)).map_err(at(&dist))?;
        let digest = Sha256::digest(&bytes);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{digest}  {name}\n");
        println!("{name}: {} bytes", bytes.len());
    }
    fs::write(dist.join("SHA256SUMS"), sums).map_err(at(&dist))?;
    Ok(true)
}

/// What was made, or a word about what was missing.
fn part<T>(what: &str, outcome: Outcome<T>) -> Outcome<Option<T>> {
    match outcome {
        Err(Fault::Missing(why)) => {
            println!("SKIPPED {what}: {why}");
            Ok(None)
        }
        outcome => outcome.map(Some),
    }
}

fn page(root: &Path, dist: &Path) -> Outcome<()> {
    let out = web::build(root)?;
    copy(&out.join("gamewire.html"), &dist.join("gamewire.html"))?;
    needs("npm", root)?;
    done(command("npm", dist).args(["pack", "--silent"]).arg(out.join("package")))
}

fn wheel(root: &Path, dist: &Path) -> Outcome<()> {
    let name = python::wheel(root)?;
    copy(&root.join(python::WHEELS).join(&name), &dist.join(&name))
}

/// Builds the tool, and returns its path.
fn program(root: &Path, target: &str) -> Outcome<String> {
    needs_target(target, root)?;
    let mut build = cargo(root);
    build.args(["build", "--release", "--locked", "-p", "gamewire-cli", "--target", target]);
    done(build.args(["--target-dir", "target/dist-build"]))?;
    let end = if target.contains("windows") { ".exe" } else { "" };
    let program = root.join("target/dist-build").join(target).join("release/gamewire");
    Ok(format!("{}{end}", program.display()))
}

/// A program with its licences, man pages, completions and the page, as one archive. The program of this
/// machine, `here`, says what is the same everywhere.
fn archive(
    root: &Path,
    dist: &Path,
    version: &str,
    target: &str,
    program: &str,
    here: &str,
) -> Outcome<()> {
    let name = format!("gamewire-{version}-{target}");
    let (folder, program) = (dist.join(&name), Path::new(program));
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).map_err(at(&completions))?;
    copy(program, &folder.join(program.file_name().unwrap_or_default()))?;
    for file in FILES {
        copy(&root.join("crates/gamewire-cli").join(file), &folder.join(file))?;
    }
    fs::write(folder.join("THIRD-PARTY.txt"), licences(root, target)?).map_err(at(&folder))?;
    let page = dist.join("gamewire.html");
    if page.exists() {
        copy(&page, &folder.join("gamewire.html"))?;
    }
    done(command(here, root).arg("man").arg(folder.join("man1")))?;
    for (shell, file) in SHELLS {
        let text = output(command(here, root).args(["completions", shell]))?;
        fs::write(completions.join(file), text).map_err(at(&completions))?;
    }
    let is_packed = if program.extension().is_some() {
        let zip = format!("{name}.zip");
        // The tar of Windows and macOS writes zip archives, that of GNU does not.
        succeeds(command("zip", dist).args(["-qr", &zip, &name]))
            || succeeds(command("tar", dist).args(["-acf", &zip, &name]))
    } else {
        succeeds(command("tar", dist).args(["-czf", &format!("{name}.tar.gz"), &name]))
    };
    fs::remove_dir_all(&folder).map_err(at(&folder))?;
    if is_packed { Ok(()) } else { Err(format!("{name}: tar or zip fails").into()) }
}

/// The licences of the packages that are in the tool, with their texts.
fn licences(root: &Path, target: &str) -> Outcome<String> {
    let mut tree = cargo(root);
    tree.args(["tree", "--locked", "--package", "gamewire-cli", "--edges", "normal"]);
    let used = output(tree.args(["--prefix", "none", "--target", target, "--format", "{p}"]))?;
    let used: BTreeSet<&str> = used.lines().collect();
    let mut metadata = cargo(root);
    metadata.args(["metadata", "--locked", "--format-version=1", "--filter-platform", target]);
    let metadata: Value = serde_json::from_str(&output(&mut metadata)?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let mut texts = BTreeMap::<String, String>::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        let name = format!("{} v{}", field("name"), field("version"));
        let is_used = used.iter().any(|line| line.trim_end_matches(" (proc-macro)") == name);
        if package["source"].is_null() || !is_used {
            continue;
        }
        let folder = Path::new(field("manifest_path")).with_file_name("");
        let mut text = String::new();
        for file in files_under(&folder) {
            let upper = file.to_uppercase();
            if ["LICEN", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|own| upper.starts_with(own))
            {
                text +=
                    &String::from_utf8_lossy(&fs::read(folder.join(&file)).map_err(at(&folder))?);
                text += "\n";
            }
        }
        *texts.entry(text).or_default() += &format!("{name}: {}\n", field("license"));
    }
    let line = "-".repeat(80);
    Ok(texts.iter().map(|(text, names)| format!("{names}\n{text}\n{line}\n")).collect())
}

/// The vectors with their notation, and what runs them through other programs.
fn vectors(root: &Path, dist: &Path, version: &str) -> Outcome<()> {
    let name = format!("gamewire-vectors-{version}");
    let mut archive = command("git", root);
    archive.args(["archive", "--format=tar.gz", &format!("--prefix={name}/"), "--output"]);
    done(archive.arg(dist.join(format!("{name}.tar.gz"))).arg("HEAD").args(VECTORS))
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::copy(from, to).map(drop).map_err(at(from))
}
