//! `cargo xtask python`: the wheel of `crates/python`, built, installed and tested.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::process::{self, Fault, Outcome, at, command, done, succeeds};
use crate::workspace::files_under;

/// The folder with a separate environment of Python.
const FOLDER: &str = "target/python";
pub(crate) const WHEELS: &str = "target/python/wheels";

/// The most bytes that a wheel may have.
pub(crate) const MAX_WHEEL: u64 = 3_700_000;

/// Packages that tests compare with, and those of the recipes of docs/how-to/python.md; some have no wheel for
/// some versions of Python.
const BESIDE: [&str; 8] = [
    "pandas",
    "msgpack",
    "pymongo",
    "katsuba",
    "basedpyright",
    "dask[dataframe]",
    "ray[data]",
    "pyspark",
];

/// Builds the wheel, installs it with all that the tests need, and tests it.
pub(crate) fn run(root: &Path) -> Outcome {
    install(root)?;
    pytest(root)
}

/// Builds the wheel, and installs it with what the tests need; returns its size.
fn install(root: &Path) -> Outcome<u64> {
    let name = wheel(root)?;
    let install = ["install", "--force-reinstall", &format!("{WHEELS}/{name}[test]")];
    if !process::run(&mut pip(root, &install))? {
        return Err(Fault::Missing("pip cannot install what the tests need".to_owned()));
    }
    for package in BESIDE {
        if !succeeds(&mut pip(root, &["install", package])) {
            println!("SKIPPED {package}: pip has none for this Python");
        }
    }
    let wheel = root.join(WHEELS).join(name);
    Ok(std::fs::metadata(&wheel).map_err(at(&wheel))?.len())
}

/// The size of the wheel, and the tables of its speed.
pub(crate) fn measured(root: &Path) -> Outcome<(u64, String)> {
    let size = install(root)?;
    let mut bench = Command::new(python(root));
    Ok((size, process::output(bench.current_dir(root).arg("crates/python/bench.py"))?))
}

/// Builds the wheel, and returns its name in [`WHEELS`].
pub(crate) fn wheel(root: &Path) -> Outcome<String> {
    let missing = |why: &str| Err(Fault::Missing(why.to_owned()));
    let version = "import sys, venv; assert sys.version_info >= (3, 9)";
    if !succeeds(command("python3", root).args(["-c", version])) {
        return missing("there is no Python of 3.9 or later with venv");
    }
    let venv = ["-m", "venv", FOLDER];
    if !python(root).exists() && !process::run(command("python3", root).args(venv))? {
        return missing("no environment of Python can be made");
    }
    if !succeeds(&mut pip(root, &["install", "maturin>=1.7,<2"])) {
        return missing("pip cannot install maturin; is there a network?");
    }
    let wheels = root.join(WHEELS);
    let _ = std::fs::remove_dir_all(&wheels);
    let tight = "maturin.build-args=--compression-level=9 --profile dist";
    let wheel = ["wheel", "--no-deps", "-w", WHEELS, "--config-settings", tight, "./crates/python"];
    let mut build = pip(root, &wheel);
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        build.env("CARGO_TARGET_DIR", root.join(FOLDER).join("cargo"));
    }
    done(&mut build)?;
    let [name] = &files_under(&wheels)[..] else { return Err("not one wheel".into()) };
    let size = std::fs::metadata(wheels.join(name)).map_err(at(&wheels))?.len();
    println!("{name}: {size} bytes");
    if size >= MAX_WHEEL {
        return Err(format!("the wheel has {size} bytes, {MAX_WHEEL} at most").into());
    }
    Ok(name.clone())
}

/// The tests, where a wheel of these sources is installed.
pub(crate) fn test_built(root: &Path) -> Outcome {
    let newest = |folder: &Path, is_source: fn(&String) -> bool| {
        let files = files_under(folder).into_iter().filter(is_source);
        files.filter_map(|name| changed(&folder.join(name))).max()
    };
    let source = newest(&root.join("crates"), |name| {
        name.contains("/src/") || name.starts_with("python/python/") || name.ends_with(".toml")
    });
    let why = match newest(&root.join(WHEELS), |_| true) {
        Some(built) if source <= Some(built) => None,
        Some(_) => Some("the wheel is older than the sources; cargo xtask python builds it"),
        None => Some("no wheel is built; cargo xtask python builds and tests it"),
    };
    let is_installed =
        || succeeds(Command::new(python(root)).args(["-c", "import gamewire_files, pytest"]));
    match why.or_else(|| (!is_installed()).then_some("the wheel or pytest is not installed")) {
        Some(why) => Err(Fault::Missing(why.to_owned())),
        None => pytest(root),
    }
}

/// Runs the tests of the wheel that is installed.
fn pytest(root: &Path) -> Outcome {
    let mut pytest = Command::new(python(root));
    pytest.current_dir(root.join("crates/python"));
    process::run(pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]))
}

fn pip(root: &Path, arguments: &[&str]) -> Command {
    let mut pip = Command::new(python(root));
    pip.current_dir(root).args(["-m", "pip", "--disable-pip-version-check", "-q"]).args(arguments);
    pip
}

fn python(root: &Path) -> PathBuf {
    root.join(FOLDER).join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
