//! `cargo xtask bench`: the side-by-side tables of docs/benchmarks.md.
//!
//! The package `gamewire-bench` measures: `gamewire-bench GROUP... --markdown FOLDER` writes the
//! tables of each group to a file, under a heading that says what they were measured with. It cannot
//! find out its own profile, so the variable `GAMEWIRE_BENCH_PROFILE` tells it.

use std::path::Path;

use crate::workspace::BENCH;
use crate::{Outcome, Status, parts, process, workspace};

const FILE: &str = "docs/benchmarks.md";

/// The groups that can be measured alone, as in `crates/bench/src/groups`.
const GROUPS: [&str; 9] =
    ["peers", "value", "borrowed", "godot", "calls", "o3de", "pclass", "zeze", "brson"];

/// Written by a run of all groups as well: the figures beside their goals.
const GOALS: &str = "goals";

/// The profiles with and without LTO.
const PROFILES: [&str; 2] = ["bench", "plain"];

/// Short enough that both profiles with their builds take less than 20 minutes on two cores.
const PLAN: [&str; 6] = ["--runs", "5", "--seconds", "0.15", "--rounds", "2"];

const HEAD: &str = "\
# Benchmarks

The format crates beside their peers, on the same data in the same run. `cargo xtask bench` rewrites
this page, `cargo xtask bench NAME` the tables of one group. Figures under one heading compare with
each other; those of different runs do not. Profile `bench` has thin LTO, profile `plain` has none
and is what a user gets from a release build.
";

pub(crate) fn run(root: &Path, name: Option<&str>) -> Outcome {
    if name.is_some_and(|name| !GROUPS.contains(&name)) {
        eprintln!("error: no such group; there are: {}", GROUPS.join(", "));
        return Ok(Status::Usage);
    }
    if !workspace::packages(root)?.iter().any(|package| package.name == BENCH) {
        return Err(format!("the workspace has no package {BENCH}"));
    }
    let folder = std::env::temp_dir().join(format!("gamewire-bench-{}", std::process::id()));
    let result = measure_all(root, name, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    result.map(|()| Status::Good)
}

fn measure_all(root: &Path, name: Option<&str>, folder: &Path) -> Result<(), String> {
    for profile in PROFILES {
        measure(root, name, profile, &folder.join(profile))?;
    }
    let path = root.join(FILE);
    let mut page = match name {
        None => HEAD.to_owned(),
        Some(_) => std::fs::read_to_string(&path).unwrap_or_else(|_| HEAD.to_owned()),
    };
    for part in [GOALS].into_iter().chain(GROUPS) {
        let tables = PROFILES.iter().map(|profile| {
            std::fs::read_to_string(folder.join(profile).join(part).with_extension("md"))
        });
        if let Ok(tables) = tables.collect::<Result<Vec<_>, _>>() {
            page = parts::replaced_or_added(&page, &format!("group {part}"), &tables.join("\n"));
            println!("{FILE}: rewrote the tables of {part}");
        }
    }
    std::fs::write(&path, page).map_err(|error| format!("{FILE}: {error}"))
}

/// Writes the tables of one group or of all to a folder.
fn measure(root: &Path, name: Option<&str>, profile: &str, folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = process::cargo(root);
    command.env("GAMEWIRE_BENCH_PROFILE", profile);
    command.args(["run", "--profile", profile, "--package", BENCH, "--all-features", "--"]);
    command.args(name).args(PLAN).arg("--markdown").arg(folder);
    match process::run(&mut command)? {
        true => Ok(()),
        false => Err("the benchmark failed".to_owned()),
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
