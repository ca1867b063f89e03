//! `cargo xtask python`: the wheel of `crates/python`, built, installed and tested.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::process::{command, output, run, succeeds};
use crate::workspace::files_under;
use crate::{Outcome, Status};

/// The folder with an environment of Python of its own.
const FOLDER: &str = "target/python";

/// The most bytes that a wheel may have. The goal is 3 000 000, which costs half of the speed.
const MAX_WHEEL: u64 = 3_900_000;

/// The packages of the recipes of docs/how-to/python.md; some have no wheel for some versions of Python.
const ENGINES: [&str; 3] = ["dask[dataframe]", "ray[data]", "pyspark"];

/// Builds the wheel, and tests it.
pub(crate) fn run_all(root: &Path) -> Outcome {
    match prepare(root)? {
        Ok(python) => Ok(pytest(root, &python)?.into()),
        Err(why) => {
            println!("SKIPPED python: {why}");
            Ok(Status::Bad)
        }
    }
}

/// Builds the wheel and installs it; the reason where there is no Python for it.
pub(crate) fn prepare(root: &Path) -> Result<Result<PathBuf, String>, String> {
    let python = python(root);
    if !succeeds(
        command("python3", root)
            .args(["-c", "import sys, venv; assert sys.version_info >= (3, 9)"]),
    ) {
        return Ok(Err("there is no Python of 3.9 or later with venv".to_owned()));
    }
    if !python.exists() && !run(command("python3", root).args(["-m", "venv", FOLDER]))? {
        return Ok(Err("no environment can be made".to_owned()));
    }
    let pip = |arguments: &[&str]| {
        let mut pip = Command::new(&python);
        pip.current_dir(root).args(["-m", "pip", "--disable-pip-version-check", "-q"]);
        pip.args(arguments);
        pip
    };
    if !succeeds(&mut pip(&["install", "maturin>=1.7,<2"])) {
        return Ok(Err("pip cannot install maturin; is there a network?".to_owned()));
    }
    let wheels = root.join(FOLDER).join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let wheel = format!("{FOLDER}/wheels");
    let build = ["wheel", "--no-deps", "-w", &wheel, "./crates/python"];
    let mut build = pip(&build);
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        build.env("CARGO_TARGET_DIR", root.join(FOLDER).join("cargo"));
    }
    if !run(&mut build)? {
        return Err("the wheel cannot be built".to_owned());
    }
    let [name] = &files_under(&wheels)[..] else { return Err("not one wheel".to_owned()) };
    let size = std::fs::metadata(wheels.join(name)).map_err(|error| error.to_string())?.len();
    println!("{name}: {size} bytes");
    if size >= MAX_WHEEL {
        return Err(format!("the wheel has {size} bytes, {MAX_WHEEL} at most"));
    }
    let install = format!("{wheel}/{name}[test]");
    if !run(&mut pip(&["install", "--force-reinstall", &install]))? {
        return Ok(Err("pip cannot install what the tests need".to_owned()));
    }
    for engine in ["pandas", "msgpack", "pymongo", "katsuba"].iter().chain(&ENGINES) {
        if !succeeds(&mut pip(&["install", engine])) {
            println!("SKIPPED {engine}: pip has none for this Python");
        }
    }
    Ok(Ok(python))
}

fn python(root: &Path) -> PathBuf {
    let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    root.join(FOLDER).join(program)
}

/// Runs the tests of an environment in which the wheel is.
fn pytest(root: &Path, python: &Path) -> Result<bool, String> {
    let mut pytest = Command::new(python);
    pytest.current_dir(root.join("crates/python"));
    run(pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]))
}

/// The tests, where a wheel of these sources is present already; the reason where none is.
pub(crate) fn if_built(root: &Path) -> Result<Result<bool, String>, String> {
    let python = python(root);
    let newest = |folder: &Path| {
        let files = files_under(folder).into_iter().filter(|name| !name.contains("target/"));
        let times = files.filter_map(|name| changed(&folder.join(name)));
        times.max()
    };
    let built = newest(&root.join(FOLDER).join("wheels"));
    let Some(built) = built.filter(|_| python.exists()) else {
        return Ok(Err("no wheel is built; cargo xtask python builds and tests it".to_owned()));
    };
    let sources = files_under(&root.join("crates"));
    let is_source = |name: &String| {
        name.contains("/src/") || name.starts_with("python/python/") || name.ends_with(".toml")
    };
    let sources = sources.into_iter().filter(is_source);
    if sources.filter_map(|name| changed(&root.join("crates").join(name))).max() > Some(built) {
        return Ok(Err(
            "the wheel is older than the sources; cargo xtask python builds it".to_owned()
        ));
    }
    if output(Command::new(&python).args(["-c", "import gamewire, pytest"])).is_err() {
        return Ok(Err("the wheel or pytest is not installed".to_owned()));
    }
    pytest(root, &python).map(Ok)
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
