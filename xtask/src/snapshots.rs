//! `cargo xtask snapshots`: shows what insta snapshots would become, or takes it. All are files: a
//! convention refuses those in the source.

use std::path::Path;

use crate::{Outcome, Status, process, test, workspace};

pub(crate) fn run(root: &Path, accept: bool) -> Outcome {
    // Files of an earlier run may be out of date.
    for file in pending(root) {
        std::fs::remove_file(root.join(&file)).map_err(|error| format!("{file}: {error}"))?;
    }
    let mut command = process::cargo(root);
    // `new` keeps what differs in files beside the snapshots, `always` writes over the snapshots.
    command.env("INSTA_UPDATE", if accept { "always" } else { "new" });
    command.env("INSTA_FORCE_PASS", "1").args(["test", "--workspace", "--all-features"]);
    test::exclude_bench(&mut command, &workspace::packages(root)?);
    if !process::run(&mut command)? {
        return Ok(Status::Bad);
    }
    let pending = pending(root);
    if pending.is_empty() {
        println!(
            "{}",
            if accept { "all snapshots are as the tests make them" } else { "no snapshot differs" }
        );
        return Ok(Status::Good);
    }
    for file in &pending {
        show(root, file)?;
    }
    let what = if accept { "could not be accepted" } else { "differ" };
    println!("{} snapshots {what}", pending.len());
    Ok(Status::Bad)
}

const NEW: &str = ".snap.new";

/// The files in which insta keeps what differs.
fn pending(root: &Path) -> Vec<String> {
    ["crates", "xtask"]
        .into_iter()
        .flat_map(|folder| {
            let files = workspace::files_under(&root.join(folder));
            files.into_iter().map(move |file| format!("{folder}/{file}"))
        })
        .filter(|file| file.ends_with(NEW))
        .filter(|file| !file.split('/').any(|part| part == "target"))
        .collect()
}

/// The difference between a snapshot and what it would become.
fn show(root: &Path, file: &str) -> Result<(), String> {
    println!("{file}");
    let stem = file.trim_end_matches(".new");
    let old = if root.join(stem).exists() { stem } else { "/dev/null" };
    let mut diff = process::command("git", root);
    diff.args(["--no-pager", "diff", "--no-index", "--", old, file]);
    // The exit status of a difference is 1.
    diff.status().map(drop).map_err(|error| format!("git diff: {error}"))
}
