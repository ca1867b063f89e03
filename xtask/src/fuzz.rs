//! `cargo xtask fuzz`: every target of `crates/fuzz`, for a while.
//!
//! With cargo-fuzz and a nightly toolchain, libFuzzer runs the targets. Without them, the program
//! `loop` of that package runs their bodies on mutated test data.

use std::path::Path;

use crate::{Outcome, Status, process, workspace};

const FOLDER: &str = "crates/fuzz";

pub(crate) fn run(root: &Path, seconds: u64) -> Outcome {
    if !process::succeeds(process::command("cargo", root).args(["+nightly", "fuzz", "--version"])) {
        println!("cargo-fuzz or the nightly toolchain is not installed: running the bodies of the");
        println!("targets on mutated test data instead");
        let mut command = process::cargo(root);
        command.args(["run", "--manifest-path", &format!("{FOLDER}/Cargo.toml")]);
        command.args(["--no-default-features", "--features", "loop", "--bin", "loop", "--"]);
        return Ok(process::run(command.arg(seconds.to_string()))?.into());
    }
    let targets = targets(root);
    for target in &targets {
        let mut command = process::command("cargo", root);
        command.args(["+nightly", "fuzz", "run", "--fuzz-dir", FOLDER, target, "--"]);
        command.arg(format!("-max_total_time={seconds}"));
        if !process::run(&mut command)? {
            return Ok(Status::Bad);
        }
    }
    Ok((!targets.is_empty()).into())
}

/// The names of the targets, sorted.
fn targets(root: &Path) -> Vec<String> {
    workspace::files_under(&root.join(FOLDER).join("fuzz_targets"))
        .iter()
        .filter_map(|file| file.strip_suffix(".rs"))
        .map(str::to_owned)
        .collect()
}
