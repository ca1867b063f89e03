//! `cargo xtask bench`: docs/benchmarks.md, made by one command from one run.
//!
//! The package `gamewire-bench` measures, and makes the page of what several runs of it measured. It
//! cannot find out its own profile, so the variable `GAMEWIRE_BENCH_PROFILE` tells it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{self, Outcome, at, done};
use crate::workspace::BENCH;
use crate::{python, web};

const FILE: &str = "docs/benchmarks.md";

/// The groups that can be measured alone, as in `crates/bench/src/groups`, and what is made for others than cargo.
pub(crate) const GROUPS: [&str; 11] = [
    "peers", "value", "borrowed", "godot", "o3de", "pclass", "zeze", "brson", "growth", "build",
    "packages",
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

The format crates beside their peers, and the program `gamewire` on files of many sizes. `cargo xtask bench` measures and
writes this page; `bench growth`, `bench build`, `bench packages` and `cargo xtask soak` write their sections. `bench NAME`
prints all figures of a group: `peers`, `value`, `borrowed`, `godot`, `o3de`, `pclass`, `zeze`, `brson`.

- A ratio is our time over that of the fastest peer: less is faster. It is the median of three rounds in each of two runs,
  in which ours and the peers take turns.
- The worst of four builds counts: profile `plain` (`cargo build --release`) or `bench` (thin LTO, one codegen unit), the
  types of each set in a module of its own or all in one.
- Other work: 200 000 zeze beans, 40 000 shallow kiwi items, an O3DE level of 3 MB, 11 MB of a Resonite tree, 100 000 Godot
  dictionaries.
- `~`: the two runs differ by 8 % or more. **Bold**: the goal is missed.
";

pub(crate) fn run(root: &Path, name: Option<&str>) -> Outcome {
    match name {
        None => {
            let folder =
                std::env::temp_dir().join(format!("gamewire-bench-{}", std::process::id()));
            fs::create_dir_all(&folder).map_err(at(&folder))?;
            let result = all(root, &folder);
            let _ = fs::remove_dir_all(&folder);
            result?;
        }
        Some("build") => {
            let tables = process::output(bench(root)?.args(["build", "--markdown"]))?;
            rewrite(root, "build", &tables.replacen("### ", "## ", 1))?;
        }
        Some("packages") => {
            let mut sizes = fs::read_to_string(web::build(root)?.join("sizes.md"))
                .map_err(|error| format!("sizes.md: {error}"))?;
            let (wheel, speed) = python::measured(root)?;
            sizes += &format!("| the wheel | {wheel} | | {} |\n", python::MAX_WHEEL);
            let title = "## The wheel, and the modules for browsers";
            let head = "| file | bytes | as brotli | goal |\n|---|--:|--:|--:|";
            rewrite(root, "packages", &format!("{title}\n\n{head}\n{sizes}\n{speed}"))?;
        }
        Some("growth") => growth(root)?,
        Some(name) => done(bench(root)?.arg(name).args(PLAN))?,
    }
    Ok(true)
}

/// Measures everything, and rewrites the page but for its last section.
fn all(root: &Path, folder: &Path) -> Outcome<()> {
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
            // Once is enough for what has no goal.
            if page.get_args().count() > 1 {
                command.arg("--brief");
            }
            done(&mut command)?;
            page.arg(figures);
        }
    }
    rewrite(root, "figures", &process::output(&mut page)?)?;
    growth(root)
}

/// The reasons where a goal of these is missed.
const MISSED: &str = "\
- Encode of O3DE: the JSON is 2.2 times the file, twice in memory.
- LZ4: the packed file is in memory beside its document, and `get` counts against the packed bytes of a small file.
- BSON: elements of lists have keys, so that all behind a removed one change; keys of a map are kept to find those that are there twice.
- Merges of long lists of numbers: every element between two far changes is compared.";

/// Measures the program on files of many sizes.
fn growth(root: &Path) -> Outcome<()> {
    let tool = built(root, TOOL, "plain")?;
    let tables = process::output(bench(root)?.args(["growth", "--markdown", "--tool", &tool]))?;
    rewrite(root, "growth", &format!("## The program\n\n{}\n\n{MISSED}", tables.trim_end()))
}

/// The program that measures, as users would build it.
fn bench(root: &Path) -> Outcome<Command> {
    Ok(process::command(&built(root, BENCH, "plain")?, root))
}

/// Builds the program of a package, and gives its path. The program itself is run, because the system counts
/// the memory of a cargo that runs it as its own.
fn built(root: &Path, package: &str, profile: &str) -> Outcome<String> {
    let arguments = ["build", "--quiet", "--profile", profile, "--package", package];
    done(process::cargo(root).args(arguments))?;
    // This program is in the folder of another profile.
    let here = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let folder = if profile == "bench" { "release" } else { profile };
    let name = package.trim_end_matches("-cli");
    let target = here.ancestors().nth(2).unwrap_or(root);
    Ok(target.join(folder).join(name).to_string_lossy().into_owned())
}

/// Replaces a part of the page: all between `<!-- begin PART -->` and `<!-- end PART -->`.
pub(crate) fn rewrite(root: &Path, part: &str, text: &str) -> Outcome<()> {
    let path = root.join(FILE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let page = if page.starts_with(HEAD) { page } else { HEAD.to_owned() };
    fs::write(&path, replaced(&page, part, text)).map_err(at(&path))?;
    println!("{FILE}: rewrote the {part}");
    Ok(())
}

/// The page with a part replaced, or added at the end where the page has none of that name.
fn replaced(page: &str, part: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- begin {part} -->"), format!("<!-- end {part} -->"));
    let text = format!("{begin}\n{}\n{end}", text.trim_matches('\n'));
    let old =
        page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    match old {
        Some((before, after)) => format!("{before}{text}{after}"),
        None => format!("{}\n\n{text}\n", page.trim_end()),
    }
}

#[test]
fn parts_are_replaced_or_added() {
    let page = "# T\n\n<!-- begin a -->\nold\n<!-- end a -->\nrest\n";
    let new = replaced(page, "a", "new\n");
    assert_eq!(new, "# T\n\n<!-- begin a -->\nnew\n<!-- end a -->\nrest\n");
    assert_eq!(replaced(&new, "a", "new"), new);
    let added = replaced(page, "b", "second");
    assert!(added.ends_with("rest\n\n<!-- begin b -->\nsecond\n<!-- end b -->\n"));
    assert_eq!(replaced(&added, "b", "second"), added);
}
