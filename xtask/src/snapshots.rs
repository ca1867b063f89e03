//! `cargo xtask snapshots`: writes the insta snapshots as the tests make them, and shows what git finds changed.
//! All are files: a convention refuses those in the source.

use std::path::Path;

use crate::process::{self, Outcome};
use crate::test;

pub(crate) fn run(root: &Path) -> Outcome {
    let mut command = test::workspace_test(root);
    process::done(command.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1"))?;
    let git = |arguments: &[&str]| {
        let mut git = process::command("git", root);
        process::run(git.args(arguments).args(["--", "*.snap"]))
    };
    Ok(git(&["--no-pager", "diff"])? && git(&["status", "--short"])?)
}
