//! `cargo xtask docs`: the generated parts of the documentation.
//!
//! The test `docs` of each format crate holds the examples in `docs/formats/<crate>.md`; with the
//! variable `UPDATE_DOCS=1` it rewrites them.

use std::path::Path;

use crate::process::{self, Outcome};
use crate::workspace::FORMATS;

pub(crate) fn run(root: &Path, check: bool) -> Outcome {
    let mut command = process::cargo(root);
    if !check {
        command.env("UPDATE_DOCS", "1");
    }
    command.args(["test", "--quiet", "--all-features"]);
    for name in FORMATS {
        command.args(["--package", name]);
    }
    process::run(command.args(["--test", "it", "--", "docs::"]))
}
