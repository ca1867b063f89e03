//! `cargo xtask conventions`: files and text that the compiler does not look at.
//!
//! `face!` of the test kit checks that the format crates have the same names and methods.

mod api;
mod crates;
mod features;
mod links;
mod manifest;
mod names;
mod text;

use std::path::Path;

use crate::process::Outcome;
use crate::workspace;

/// The checks made, and those that do not hold.
#[derive(Debug, Default)]
struct Report {
    /// Number of checks made.
    checks: u64,
    /// One line for each check that does not hold.
    drifts: Vec<String>,
}

impl Report {
    /// Counts a check, and notes the drift where it does not hold.
    fn check(&mut self, good: bool, drift: impl FnOnce() -> String) {
        self.checks += 1;
        if !good {
            self.drifts.push(drift());
        }
    }
}

pub(crate) fn run(root: &Path, fix: bool) -> Outcome {
    if fix {
        for name in workspace::formats(root) {
            let rewritten = manifest::fix(root, name)?;
            println!("{}: {rewritten} hashes rewritten", manifest::path_of(name));
        }
        api::fix(root)?;
    }
    let mut report = check(root)?;
    features::check(root, &mut report)?;
    report.drifts.iter().for_each(|drift| println!("DRIFT {drift}"));
    println!("{} conventions checked, {} drifts", report.checks, report.drifts.len());
    Ok(report.drifts.is_empty())
}

/// Checks all that is in files.
fn check(root: &Path) -> Outcome<Report> {
    let mut report = Report::default();
    for name in workspace::formats(root) {
        crates::check_format(root, name, &mut report);
        manifest::check(root, name, &mut report);
    }
    crates::check_all(root, &mut report);
    api::check(root, &mut report);
    text::check(root, &mut report)?;
    links::check(root, &mut report)?;
    names::check(root, &mut report)?;
    Ok(report)
}

#[cfg(test)]
mod tests;
