//! `cargo xtask dist`: what a release has, in `target/dist`.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::process::{self, cargo, command, output, succeeds};
use crate::workspace::{self, files_under};
use crate::{Outcome, python, web};

/// Targets beside this host, as far as they can be had here.
const MORE: [&str; 2] = ["x86_64-pc-windows-gnu", "x86_64-unknown-linux-musl"];

const SHELLS: [(&str, &str); 4] = [
    ("bash", "gamewire.bash"),
    ("zsh", "_gamewire"),
    ("fish", "gamewire.fish"),
    ("powershell", "gamewire.ps1"),
];

pub(crate) fn run(root: &Path) -> Outcome {
    let packages = workspace::packages(root)?;
    let tool = packages.iter().find(|own| own.name == "gamewire-cli").ok_or("no gamewire-cli")?;
    let (dist, version) = (root.join("target/dist"), tool.version.as_str());
    let _ = fs::remove_dir_all(&dist);
    make(&dist)?;

    let page = match web::build(root)? {
        Ok(out) => {
            copy(&out.join("gamewire.html"), &dist.join("gamewire.html"))?;
            let mut pack = command("npm", &dist);
            succeeded(pack.args(["pack", "--silent"]).arg(out.join("package")))?;
            Some(dist.join("gamewire.html"))
        }
        Err(why) => skipped("page and npm package", &why),
    };
    match python::prepare(root)? {
        Ok(_) => {
            let wheels = root.join("target/python/wheels");
            files_under(&wheels)
                .iter()
                .try_for_each(|own| copy(&wheels.join(own), &dist.join(own)))?;
        }
        Err(why) => {
            skipped::<()>("wheel", &why);
        }
    }
    let about = output(command("rustc", root).arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let mut help = None;
    let more = MORE.into_iter().filter(|own| *own != host);
    for target in [host].into_iter().chain(more) {
        let mut build = cargo(root);
        build.args(["build", "--release", "--locked", "-p", "gamewire-cli", "--target", target]);
        build.args(["--target-dir", "target/dist-build"]);
        let is_there =
            target == host || succeeds(command("rustup", root).args(["target", "add", target]));
        if !is_there || !process::run(&mut build)? {
            if target == host {
                return Err("the tool cannot be built".to_owned());
            }
            skipped::<()>(target, "no target or no linker for it");
            continue;
        }
        let name = if target.contains("windows") { "gamewire.exe" } else { "gamewire" };
        let program = root.join("target/dist-build").join(target).join("release").join(name);
        // Help is the same everywhere, and made where the tool runs.
        let help = help.get_or_insert_with(|| program.clone());
        archive(
            root,
            &dist,
            &format!("gamewire-{version}-{target}"),
            &program,
            help,
            page.as_deref(),
        )?;
    }
    vectors(root, &dist, version)?;

    let mut sums = String::new();
    for name in files_under(&dist) {
        let bytes = fs::read(dist.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        let digest = Sha256::digest(&bytes);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{digest}  {name}\n");
        println!("{name}: {} bytes", bytes.len());
    }
    fs::write(dist.join("SHA256SUMS"), sums).map_err(|error| error.to_string())?;
    Ok(true.into())
}

/// A program with its licences, man pages, completions and the page, as one archive.
fn archive(
    root: &Path,
    dist: &Path,
    name: &str,
    program: &Path,
    help: &Path,
    page: Option<&Path>,
) -> Result<(), String> {
    let folder = dist.join(name);
    make(&folder.join("completions"))?;
    let own = folder.join(program.file_name().unwrap_or_default());
    copy(program, &own)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
        copy(&root.join(file), &folder.join(file))?;
    }
    if let Some(page) = page {
        copy(page, &folder.join("gamewire.html"))?;
    }
    let help = help.display().to_string();
    succeeded(command(&help, root).arg("man").arg(folder.join("man1")))?;
    for (shell, file) in SHELLS {
        let text = output(command(&help, root).args(["completions", shell]))?;
        fs::write(folder.join("completions").join(file), text)
            .map_err(|error| error.to_string())?;
    }
    let packed = if own.extension().is_some() {
        let zip = format!("{name}.zip");
        // The tar of Windows and macOS writes zip archives, that of GNU does not.
        succeeds(command("zip", dist).args(["-qr", &zip, name]))
            || succeeds(command("tar", dist).args(["-acf", &zip, name]))
    } else {
        succeeds(command("tar", dist).args(["-czf", &format!("{name}.tar.gz"), name]))
    };
    let _ = fs::remove_dir_all(&folder);
    if packed { Ok(()) } else { Err(format!("{name}: tar or zip fails")) }
}

/// The vectors with their notation, and what runs them through other programs.
fn vectors(root: &Path, dist: &Path, version: &str) -> Result<(), String> {
    let mut tar = command("tar", root);
    tar.arg("-czf").arg(dist.join(format!("gamewire-vectors-{version}.tar.gz")));
    tar.args(["LICENSE-MIT", "LICENSE-APACHE", "docs/conformance", "docs/formats", "testdata"]);
    succeeded(&mut tar)
}

fn skipped<T>(what: &str, why: &str) -> Option<T> {
    println!("SKIPPED {what}: {why}");
    None
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

fn succeeded(command: &mut std::process::Command) -> Result<(), String> {
    match process::run(command)? {
        true => Ok(()),
        false => Err("a step failed".to_owned()),
    }
}
