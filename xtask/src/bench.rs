//! `cargo xtask bench`: docs/benchmarks.md, made by one command from one run.
//!
//! The package `gamewire-bench` measures, and makes the page of what several runs of it measured. It
//! cannot find out its own profile, so the variable `GAMEWIRE_BENCH_PROFILE` tells it.

use std::path::Path;
use std::process::Command;

use crate::workspace::BENCH;
use crate::{Outcome, Status, parts, process, workspace};

const FILE: &str = "docs/benchmarks.md";

/// The groups that can be measured alone, as in `crates/bench/src/groups`.
const GROUPS: [&str; 11] = [
    "peers", "value", "borrowed", "godot", "calls", "o3de", "pclass", "zeze", "brson", "growth",
    "build",
];

/// The package of the program `gamewire`.
const TOOL: &str = "gamewire-cli";

/// The sizes of a release build, and of one with link-time optimization in one codegen unit.
const PROFILES: [&str; 2] = ["plain", "bench"];

/// How often each program runs: figures that differ between the runs are called noisy.
const RUNS: usize = 2;

/// Short enough that all runs take less than eight minutes, when the programs are built.
const PLAN: [&str; 6] = ["--runs", "3", "--seconds", "0.03", "--rounds", "3"];

const HEAD: &str = "\
# Benchmarks

The format crates beside their peers, on the same data in the same run, and the program `gamewire` on
files of many sizes. `cargo xtask bench` makes this page from one run of it; `cargo xtask bench build`
makes the last section, which takes long and does not change with speed. Nothing here is written by hand.

A ratio is our time over that of the fastest peer, so less is faster. It is the median of three rounds in each
of two runs, in which ours and the peers take turns; `~` marks a figure that differs by 8 % and more
between the two runs. Each set is measured with its types in a module for themselves, and with the types
of all sets in one module, where compilers inline less: the worse of both stands here. Profile `plain` is
what `cargo build --release` makes; profile `bench` has thin LTO and one codegen unit.
";

pub(crate) fn run(root: &Path, name: Option<&str>) -> Outcome {
    if name.is_some_and(|name| !GROUPS.contains(&name)) {
        eprintln!("error: no such group; there are: {}", GROUPS.join(", "));
        return Ok(Status::Usage);
    }
    if !workspace::packages(root)?.iter().any(|package| package.name == BENCH) {
        return Err(format!("the workspace has no package {BENCH}"));
    }
    match name {
        None => {
            let folder =
                std::env::temp_dir().join(format!("gamewire-bench-{}", std::process::id()));
            std::fs::create_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            let result = all(root, &folder);
            let _ = std::fs::remove_dir_all(&folder);
            result?;
        }
        Some("build") => {
            let tables = process::output(bench(root)?.args(["build", "--markdown"]))?;
            rewrite(root, "build", &tables.replacen("### ", "## ", 1))?;
        }
        Some("growth") => {
            let tool = built(root, TOOL, "plain")?;
            good(bench(root)?.args(["growth", "--tool", &tool]))?;
        }
        Some(name) => good(bench(root)?.arg(name).args(PLAN))?,
    }
    Ok(Status::Good)
}

/// Measures everything, and rewrites the page but for its last section.
fn all(root: &Path, folder: &Path) -> Result<(), String> {
    let tool = built(root, TOOL, "plain")?;
    let mut programs = Vec::new();
    for profile in PROFILES {
        programs.push((profile, built(root, BENCH, profile)?));
    }
    let mut page = bench(root)?;
    page.arg("--page");
    for run in 0..RUNS {
        for (profile, program) in &programs {
            let figures = folder.join(format!("{profile}-{run}.json"));
            let mut command = process::command(program, root);
            command
                .env("GAMEWIRE_BENCH_PROFILE", profile)
                .args(PLAN)
                .arg("--figures")
                .arg(&figures);
            // Once is enough for what has no goal, or takes long.
            match page.get_args().count() {
                1 => command.args(["--tool", &tool]),
                _ => command.arg("--brief"),
            };
            good(&mut command)?;
            page.arg(figures);
        }
    }
    rewrite(root, "figures", &process::output(&mut page)?)
}

/// The program that measures, as users would build it.
fn bench(root: &Path) -> Result<Command, String> {
    Ok(process::command(&built(root, BENCH, "plain")?, root))
}

/// Builds the program of a package, and gives its path. The program itself is run, because the system counts
/// the memory of a cargo that runs it as its own.
fn built(root: &Path, package: &str, profile: &str) -> Result<String, String> {
    let arguments = ["build", "--quiet", "--profile", profile, "--package", package];
    good(process::cargo(root).args(arguments))?;
    // This program is in the folder of another profile.
    let here = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let folder = if profile == "bench" { "release" } else { profile };
    let name = package.trim_end_matches("-cli");
    let target = here.ancestors().nth(2).unwrap_or(root);
    Ok(target.join(folder).join(name).to_string_lossy().into_owned())
}

fn good(command: &mut Command) -> Result<(), String> {
    match process::run(command)? {
        true => Ok(()),
        false => Err("the benchmark failed".to_owned()),
    }
}

/// Replaces a part of the page.
fn rewrite(root: &Path, part: &str, text: &str) -> Result<(), String> {
    let path = root.join(FILE);
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    let page = if page.starts_with(HEAD) { page } else { HEAD.to_owned() };
    std::fs::write(&path, parts::replaced_or_added(&page, part, text))
        .map_err(|error| format!("{FILE}: {error}"))?;
    println!("{FILE}: rewrote the {part}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_group_is_wrong_use() {
        assert_eq!(run(Path::new("."), Some("none")), Ok(Status::Usage));
    }
}
