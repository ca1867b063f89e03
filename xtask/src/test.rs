//! `cargo xtask test`: everything a change must pass.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Fault, Outcome};
use crate::workspace::{self, BENCH, Package, files_under};
use crate::{conventions, python};

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
    if let Err(fault) = &good {
        eprintln!("error: {fault}");
    }
    println!("{} passed, {} failed", count.passed, count.failed);
    Ok(good == Ok(true))
}

/// The steps in order, up to the first that fails.
fn steps(root: &Path, count: &mut Count) -> Outcome {
    let packages = workspace::packages(root)?;
    // `--tests` are all targets with separate tests; examples are left to the step that runs them.
    if !(cargo_test(root, &["--tests"], count)? && cargo_test(root, &["--doc"], count)?) {
        return Ok(false);
    }
    for manifest in files_under(&root.join("outside")) {
        let is_tested = manifest.ends_with("/Cargo.toml") && manifest != MATRIX;
        if is_tested && !run_counted(&mut outside(root, &manifest), count)? {
            return Ok(false);
        }
    }
    let wheel = || match python::test_built(root) {
        Err(Fault::Missing(why)) => {
            println!("SKIPPED python: {why}\n");
            Ok(true)
        }
        outcome => outcome,
    };
    // Conventions are no tests: they have a line of their own and are not counted.
    Ok(run_examples(root, &packages, count)? && wheel()? && conventions::run(root, false)?)
}

/// Unit, integration, snapshot, vector or doc tests of all packages but the benchmarks.
pub(crate) fn cargo_test(root: &Path, targets: &[&str], count: &mut Count) -> Outcome {
    let mut command = workspace_test(root);
    // Snapshots that differ fail the test, and leave no files.
    run_counted(command.env("INSTA_UPDATE", "no").args(targets), count)
}

/// Tests all packages but the benchmarks: they need the peers, which take long to build.
pub(crate) fn workspace_test(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--workspace", "--all-features", "--exclude", BENCH]);
    command
}

/// Runs tests, and adds what they count.
fn run_counted(command: &mut Command, count: &mut Count) -> Outcome {
    process::run_lines(command, |line| {
        if let Some(found) = parse_result(line) {
            count.passed += found.passed;
            count.failed += found.failed;
        }
    })
}

/// The crate of docs/compat.md: it takes minutes to build, so that only `cargo xtask ci` tests it.
pub(crate) const MATRIX: &str = "matrix/Cargo.toml";

/// Tests one of the crates in the folder `outside`, a workspace of their own. Each has of a format crate and of
/// serde_json what a user's crate has, and not what another crate switches on.
pub(crate) fn outside(root: &Path, manifest: &str) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--locked", "--target-dir", "target/outside", "--manifest-path"]);
    command.arg(format!("outside/{manifest}"));
    command
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

/// The examples, which run without arguments on testdata, each as a separate process.
///
/// They are built as test targets without a harness: with the features of the tests, and each under a
/// name of its own. As examples, those of the same name in two packages would be one file.
pub(crate) fn run_examples(root: &Path, packages: &[Package], count: &mut Count) -> Outcome {
    let mut build = workspace_test(root);
    let mut programs = process::built(build.args(["--quiet", "--examples", "--no-run"]))?;
    programs.retain(|(kind, _)| kind == "example");
    let tested = packages.iter().filter(|package| package.name != BENCH);
    let expected: usize = tested.map(|package| package.examples).sum();
    if programs.len() != expected {
        return Err(format!("{expected} examples, of which {} were built", programs.len()).into());
    }
    for (_, program) in programs {
        if !process::run(&mut process::command(&program, root))? {
            count.failed += 1;
            return Ok(false);
        }
        count.passed += 1;
    }
    Ok(true)
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
}
