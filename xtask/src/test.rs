//! `cargo xtask test`: everything a change must pass.

use std::path::Path;
use std::process::Command;

use crate::workspace::{self, BENCH, Package};
use crate::{Outcome, conventions, process};

/// What has been run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    passed: u64,
    failed: u64,
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
    // Examples are left to the last step, which runs them.
    Ok(cargo_test(root, &packages, &["--lib", "--bins", "--tests"], count)?
        && cargo_test(root, &packages, &["--doc"], count)?
        && conventions_hold(root)?
        && run_examples(root, &packages, count)?)
}

/// Unit, integration, snapshot, vector or doc tests of all packages but the benchmarks.
fn cargo_test(
    root: &Path,
    packages: &[Package],
    targets: &[&str],
    count: &mut Count,
) -> Result<bool, String> {
    let mut command = process::cargo(root);
    // Snapshots that differ fail the test, and leave no files.
    command.env("INSTA_UPDATE", "no").args(["test", "--workspace", "--all-features"]).args(targets);
    exclude_bench(&mut command, packages);
    process::run_lines(&mut command, |line| {
        if let Some(found) = parse_result(line) {
            count.passed += found.passed;
            count.failed += found.failed;
        }
    })
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

/// The examples, which run without arguments on testdata. Those of different packages may have the
/// same name and so the same place in the target folder, so that each is built and run by itself.
fn run_examples(root: &Path, packages: &[Package], count: &mut Count) -> Result<bool, String> {
    for package in packages.iter().filter(|package| package.name != BENCH) {
        for example in &package.examples {
            let mut command = process::cargo(root);
            command.args(["run", "--quiet", "--all-features", "--package", &package.name]);
            if !process::run(command.args(["--example", example]))? {
                count.failed += 1;
                return Ok(false);
            }
            count.passed += 1;
        }
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
