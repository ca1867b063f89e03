//! `cargo xtask vectors`: vector files, row by row, through a crate.
//!
//! The runner is the test target `vectors` of the crate, `crates/<crate>/tests/vectors.rs`. It is
//! built here and started in the caller's folder, so that files are named as the caller sees them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Outcome};
use crate::workspace::formats;

pub(crate) fn run(root: &Path, name: &str, files: &[PathBuf], folder: Option<&Path>) -> Outcome {
    if !root.join("crates").join(name).join("tests/vectors.rs").is_file() {
        let known = formats(root).join(", ");
        return Err(format!("no vectors for `{name}`; there are: {known}").into());
    }
    let mut build = process::cargo(root);
    build.args(["test", "--quiet", "--package", name, "--all-features", "--test", "vectors"]);
    let mut command = Command::new(process::built_one(build.arg("--no-run"))?);
    if let Some(folder) = folder {
        command.arg("--files").arg(folder);
    }
    let status = command.arg("--").args(files).status();
    Ok(status.map_err(|error| format!("vectors of {name}: {error}"))?.success())
}

#[test]
fn an_unknown_crate_is_wrong_use() {
    let fault = run(&crate::workspace::root(), "no-such-crate", &[], None).unwrap_err();
    assert!(fault.to_string().starts_with("no vectors for `no-such-crate`; there are: godot"));
}
