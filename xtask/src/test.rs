//! `cargo xtask test`: everything a change must pass.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::workspace::{self, BENCH, Package, files_under};
use crate::{Outcome, conventions, process, python};

/// The tests that ran so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

pub(crate) fn run(root: &Path) -> Outcome {
    let mut count = Count::default();
    let good = steps(root, &mut count);
    // A step may fail before it counts anything, such as one that does not compile.
    if good != Ok(true) && count.failed == 0 {
        count.failed = 1;
    }
    if let Err(message) = &good {
        eprintln!("error: {message}");
    }
    println!("{} passed, {} failed", count.passed, count.failed);
    Ok((good == Ok(true)).into())
}

/// The steps in order, up to the first that fails.
fn steps(root: &Path, count: &mut Count) -> Result<bool, String> {
    let packages = workspace::packages(root)?;
    // `--tests` are all targets with separate tests; examples are left to the step that runs them.
    Ok(cargo_test(root, &packages, &["--tests"], count)?
        && cargo_test(root, &packages, &["--doc"], count)?
        && outside(root, count)?
        && run_examples(root, &packages, count)?
        && wheel(root)?
        && conventions_hold(root)?)
}

/// The tests of the wheel, which only `cargo xtask python` builds.
fn wheel(root: &Path) -> Result<bool, String> {
    python::if_built(root).map(|tests| {
        tests.unwrap_or_else(|why| {
            println!("SKIPPED python: {why}\n");
            true
        })
    })
}

/// Unit, integration, snapshot, vector or doc tests of all packages but the benchmarks.
pub(crate) fn cargo_test(
    root: &Path,
    packages: &[Package],
    targets: &[&str],
    count: &mut Count,
) -> Result<bool, String> {
    let mut command = process::cargo(root);
    // Snapshots that differ fail the test, and leave no files.
    command.env("INSTA_UPDATE", "no").args(["test", "--workspace", "--all-features"]).args(targets);
    exclude_bench(&mut command, packages);
    run_counted(&mut command, count)
}

/// Runs tests, and adds what they count.
fn run_counted(command: &mut Command, count: &mut Count) -> Result<bool, String> {
    process::run_lines(command, |line| {
        if let Some(found) = parse_result(line) {
            count.passed += found.passed;
            count.failed += found.failed;
        }
    })
}

/// The crate of docs/compat.md: it takes minutes to build, so that only `cargo xtask ci` tests it.
pub(crate) const MATRIX: &str = "matrix/Cargo.toml";

/// The crates in the folder `outside`, a workspace of their own, one at a time: they have of a format
/// crate and of serde_json what a user's crate has, and not what another crate switches on.
fn outside(root: &Path, count: &mut Count) -> Result<bool, String> {
    for manifest in files_under(&root.join("outside")) {
        let is_tested = manifest.ends_with("/Cargo.toml") && manifest != MATRIX;
        if is_tested && !run_counted(&mut outside_test(root, &manifest), count)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tests one of the crates in the folder `outside`.
pub(crate) fn outside_test(root: &Path, manifest: &str) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--locked", "--target-dir", "target/outside", "--manifest-path"]);
    command.arg(format!("outside/{manifest}"));
    command
}

/// Leaves the benchmarks out: they need the peers, which take long to build.
pub(crate) fn exclude_bench(command: &mut Command, packages: &[Package]) {
    if packages.iter().any(|package| package.name == BENCH) {
        command.args(["--exclude", BENCH]);
    }
}

/// The numbers of a line such as `test result: ok. 5 passed; 0 failed; 0 ignored; ...`, or of the
/// last one of vector files, `5 passed, 0 failed, 0 skipped`.
fn parse_result(line: &str) -> Option<Count> {
    let (numbers, between) = match line.strip_prefix("test result: ") {
        Some(rest) => (rest.split_once(". ")?.1, "; "),
        None if line.ends_with(" skipped") => (line, ", "),
        None => return None,
    };
    let number = |word: &str| {
        let part = numbers.split(between).find_map(|part| part.strip_suffix(word))?;
        part.trim().parse().ok()
    };
    Some(Count { passed: number("passed")?, failed: number("failed")? })
}

/// Conventions are no tests: they have a line of their own and are not counted.
fn conventions_hold(root: &Path) -> Result<bool, String> {
    println!("$ cargo xtask conventions");
    let report = conventions::check(root)?;
    report.print();
    println!();
    Ok(report.drifts.is_empty())
}

/// The examples, which run without arguments on testdata, each as a separate process.
///
/// They are built as test targets without a harness: with the features of the tests, and each under a
/// name of its own. As examples, those of the same name in two packages would be one file.
pub(crate) fn run_examples(
    root: &Path,
    packages: &[Package],
    count: &mut Count,
) -> Result<bool, String> {
    let mut command = process::cargo(root);
    command.args(["test", "--quiet", "--workspace", "--all-features", "--examples", "--no-run"]);
    exclude_bench(&mut command, packages);
    let messages = process::output(command.arg("--message-format=json"))?;
    let programs: Vec<String> = messages.lines().filter_map(example).collect();
    let expected: usize = packages
        .iter()
        .filter(|package| package.name != BENCH)
        .map(|package| package.examples.len())
        .sum();
    if programs.len() != expected {
        return Err(format!("{expected} examples, of which {} were built", programs.len()));
    }
    for program in programs {
        if !process::run(&mut process::command(&program, root))? {
            count.failed += 1;
            return Ok(false);
        }
        count.passed += 1;
    }
    Ok(true)
}

/// The program in a message of cargo about an example.
fn example(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let kinds = message["target"]["kind"].as_array()?;
    let is_example = kinds.iter().any(|kind| kind == "example");
    message["executable"].as_str().filter(|_| is_example).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.11s";
        assert_eq!(parse_result(line), Some(Count { passed: 12, failed: 0 }));
        let line = "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        assert_eq!(parse_result(line), Some(Count { passed: 4, failed: 2 }));
        let line = "30 passed, 1 failed, 2 skipped";
        assert_eq!(parse_result(line), Some(Count { passed: 30, failed: 1 }));
        assert_eq!(parse_result("SKIP a.jsonl:1 b: it is skipped"), None);
        assert_eq!(parse_result("running 3 tests"), None);
        assert_eq!(parse_result("test result: ok. many passed; 0 failed"), None);
    }

    #[test]
    fn examples_are_found() {
        let message = |kind: &str| {
            serde_json::json!({
                "reason": "compiler-artifact",
                "target": { "kind": [kind], "name": "read" },
                "executable": "/x/target/debug/examples/read-1",
            })
            .to_string()
        };
        assert_eq!(
            example(&message("example")).as_deref(),
            Some("/x/target/debug/examples/read-1")
        );
        assert_eq!(example(&message("test")), None);
        assert_eq!(example("{\"reason\":\"build-finished\"}"), None);
    }
}
