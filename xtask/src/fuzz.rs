//! `cargo xtask fuzz`: the targets of `crates/fuzz`, for a while each, under libFuzzer.
//!
//! Any toolchain does, with a compiler for C++. Inputs are made from testdata; what libFuzzer finds
//! worth keeping stays in `crates/fuzz/corpus`, and an input that fails in `crates/fuzz/artifacts`.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Outcome, at, built_one};
use crate::workspace;

/// The flags that libFuzzer needs. There is no unsafe code here for sanitizers to
/// watch, and without them it is twice as fast.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares";

pub(crate) fn run(root: &Path, only: Option<&str>, seconds: u64) -> Outcome {
    let mut build = process::cargo(root);
    build.env("RUSTFLAGS", FLAGS).args(["build", "--release"]);
    // With a target, the flags are not for build scripts.
    build.args(["--target", &workspace::host(root)?, "--manifest-path", "crates/fuzz/Cargo.toml"]);
    let program = built_one(&mut build)?;
    let tool = built_one(process::cargo(root).args(["build", "--package", "gamewire-cli"]))?;

    let names = process::output(&mut Command::new(&program))?;
    let known: Vec<&str> = names.lines().collect();
    if let Some(only) = only.filter(|only| !known.contains(only)) {
        return Err(format!("no target `{only}`; there are: {}", known.join(", ")).into());
    }
    let mut failed = Vec::new();
    for target in known.into_iter().filter(|name| only.is_none_or(|only| only == *name)) {
        let folder = |kind: &str| format!("crates/fuzz/{kind}/{target}");
        for kind in ["corpus", "artifacts"] {
            std::fs::create_dir_all(root.join(folder(kind))).map_err(at(root))?;
        }
        let mut command = process::command(&program, root);
        command.env("FUZZ_TARGET", target).env("FUZZ_SEEDS", folder("corpus/seeds"));
        command.env("GAMEWIRE", &tool);
        command.arg(format!("-max_total_time={seconds}"));
        let limits = "-timeout=20 -rss_limit_mb=2048 -max_len=16384";
        command.args(limits.split(' ')).args(["-verbosity=0", "-print_funcs=0"]);
        command
            .args(["-print_final_stats=1", &format!("-artifact_prefix={}/", folder("artifacts"))]);
        command.args([folder("corpus"), folder("corpus/seeds")]);
        if !process::run(&mut command)? {
            failed.push(target);
        }
    }
    for target in &failed {
        println!("FAILED {target}: the input is in crates/fuzz/artifacts/{target}");
    }
    Ok(failed.is_empty())
}
