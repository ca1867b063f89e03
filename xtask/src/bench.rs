//! `cargo xtask bench`: the side-by-side tables of docs/benchmarks.md.
//!
//! The package `gamewire-bench` measures: `gamewire-bench GROUP --markdown FILE` adds the tables of
//! one group to a file, under a heading that says what they were measured with. It cannot find out
//! its own profile, so the variable `GAMEWIRE_BENCH_PROFILE` tells it.

use std::path::Path;

use crate::workspace::BENCH;
use crate::{Outcome, Status, parts, process, workspace};

const FILE: &str = "docs/benchmarks.md";

/// The groups that a run without a name measures, as in `crates/bench/src/groups`.
const GROUPS: [&str; 9] =
    ["peers", "value", "borrowed", "godot", "calls", "o3de", "pclass", "zeze", "brson"];

/// The profiles with and without LTO.
const PROFILES: [&str; 2] = ["bench", "plain"];

const HEAD: &str = "\
# Benchmarks

The format crates beside their peers, on the same data in the same run. `cargo xtask bench` rewrites
this page, `cargo xtask bench NAME` the tables of one group. Figures under one heading compare with
each other; those of different runs do not. Profile `bench` has LTO and one codegen unit, profile
`plain` has neither and is what a user gets from a release build.
";

pub(crate) fn run(root: &Path, name: Option<&str>) -> Outcome {
    if name.is_some_and(|name| !GROUPS.contains(&name)) {
        eprintln!("error: no such group; there are: {}", GROUPS.join(", "));
        return Ok(Status::Usage);
    }
    if !workspace::packages(root)?.iter().any(|package| package.name == BENCH) {
        return Err(format!("the workspace has no package {BENCH}"));
    }
    let path = root.join(FILE);
    for group in GROUPS.into_iter().filter(|group| name.is_none_or(|name| name == *group)) {
        let mut tables = String::new();
        for profile in PROFILES {
            tables += &measure(root, group, profile)?;
        }
        // After each group, so that a failure in a later one loses nothing.
        let page = std::fs::read_to_string(&path).unwrap_or_else(|_| HEAD.to_owned());
        let page = parts::replaced_or_added(&page, &format!("group {group}"), &tables);
        std::fs::write(&path, page).map_err(|error| format!("{FILE}: {error}"))?;
        println!("{FILE}: rewrote the tables of {group}\n");
    }
    Ok(Status::Good)
}

/// The tables of a group, as the benchmark writes them.
fn measure(root: &Path, group: &str, profile: &str) -> Result<String, String> {
    let file = std::env::temp_dir().join(format!("gamewire-bench-{}.md", std::process::id()));
    let mut command = process::cargo(root);
    command.env("GAMEWIRE_BENCH_PROFILE", profile);
    command.args(["run", "--profile", profile, "--package", BENCH, "--all-features", "--", group]);
    command.arg("--markdown").arg(&file);
    let good = process::run(&mut command)?;
    let tables = std::fs::read_to_string(&file);
    let _ = std::fs::remove_file(&file);
    match tables {
        Ok(tables) if good && !tables.trim().is_empty() => Ok(tables),
        _ => Err(format!("the benchmark {group} failed or wrote nothing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_group_is_wrong_use() {
        assert_eq!(run(Path::new("."), Some("none")), Ok(Status::Usage));
    }
}
