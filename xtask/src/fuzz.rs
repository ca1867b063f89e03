//! `cargo xtask fuzz`: the targets of `crates/fuzz`, for a while each, under libFuzzer.
//!
//! Any toolchain does, with a compiler for C++. Inputs are made from testdata, and `testdata/fuzz` has those that
//! were worth keeping; what libFuzzer finds more stays in `crates/fuzz/corpus`, and an input that fails in
//! `crates/fuzz/artifacts`.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Fault, Outcome, at, built_one, needs, succeeds};
use crate::workspace;

/// The flags that libFuzzer needs. There is no unsafe code here for sanitizers to
/// watch, and without them it is twice as fast.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares";

/// How long an input of 16 KiB may take: what is quadratic takes more. The tool is started anew for each, unoptimized.
fn limits(target: &str) -> [&'static str; 3] {
    let timeout = if target == "tool" { "-timeout=5" } else { "-timeout=1" };
    [timeout, "-rss_limit_mb=2048", "-max_len=16384"]
}

/// Each target for a moment, as a part of other checks: the same inputs each time, and nothing is built where it
/// cannot be.
pub(crate) fn smoke(root: &Path) -> Outcome {
    let has = |name: &str| needs(name, root).is_ok();
    if !has("c++") && !has("clang++") {
        return Err(Fault::Missing("a compiler for C++ is not installed".to_owned()));
    }
    let fetch = ["fetch", "--locked", "--manifest-path", "crates/fuzz/Cargo.toml"];
    if !succeeds(process::cargo(root).args(fetch)) {
        return Err(Fault::Missing("the packages of crates/fuzz cannot be had".to_owned()));
    }
    run_targets(root, None, 300, &["-max_total_time=1", "-seed=1", "-timeout=20"])
}

pub(crate) fn run(root: &Path, only: Option<&str>, seconds: u64) -> Outcome {
    run_targets(root, only, usize::MAX, &[&format!("-max_total_time={seconds}")])
}

/// Runs the targets, from at most so many seeds, with these flags of libFuzzer, which come after those for all.
fn run_targets(root: &Path, only: Option<&str>, most: usize, flags: &[&str]) -> Outcome {
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
        // All seeds are read before the time is looked at, and the tool takes 50 ms for each.
        let most = if target == "tool" { 100 } else { most };
        _ = std::fs::remove_dir_all(root.join(folder("corpus/seeds")));
        let mut command = process::command(&program, root);
        command.env("FUZZ_TARGET", target).env("FUZZ_SEEDS", folder("corpus/seeds"));
        command.env("FUZZ_MOST", most.to_string());
        command.env("GAMEWIRE", &tool);
        command.args(limits(target)).args(["-verbosity=0", "-print_funcs=0"]).args(flags);
        command
            .args(["-print_final_stats=1", &format!("-artifact_prefix={}/", folder("artifacts"))]);
        let kept = format!("testdata/fuzz/{target}");
        let kept = Some(kept).filter(|own| root.join(own).is_dir());
        command.args([folder("corpus"), folder("corpus/seeds")].into_iter().chain(kept));
        if !process::run(&mut command)? {
            failed.push(target);
        }
    }
    for target in &failed {
        println!("FAILED {target}: the input is in crates/fuzz/artifacts/{target}");
    }
    Ok(failed.is_empty())
}
