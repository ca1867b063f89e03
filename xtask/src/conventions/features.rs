//! What a library asks of a dependency, it asks for the whole program of its user: features of serde_json
//! that change what its user gets are no library's to switch on.

use std::path::Path;

use super::Report;
use crate::process::{self, Outcome};
use crate::workspace;

/// Features that change the order, numbers or depth of all that the program reads by serde_json.
const CHANGING: [&str; 4] =
    ["arbitrary_precision", "float_roundtrip", "preserve_order", "unbounded_depth"];

/// The published package that is a program alone.
const PROGRAM: &str = "gamewire-cli";

pub(super) fn check(root: &Path, report: &mut Report) -> Outcome<()> {
    let packages = workspace::packages(root)?;
    let libraries = packages.iter().filter(|own| own.is_published && own.name != PROGRAM);
    for package in libraries {
        let mut tree = process::cargo(root);
        tree.args(["tree", "--all-features", "--edges=normal", "--prefix=none"]);
        tree.args(["--format={p} {f}", "--package", &package.name]);
        let tree = process::output(&mut tree)?;
        check_tree(&package.name, &tree, report);
    }
    Ok(())
}

/// Checks the lines of `cargo tree`: a package, its version and its features.
pub(super) fn check_tree(name: &str, tree: &str, report: &mut Report) {
    let features = tree.lines().filter_map(|line| line.strip_prefix("serde_json "));
    let features = features.flat_map(|line| line.split([' ', ','])).collect::<Vec<_>>();
    let switched = CHANGING.into_iter().find(|own| features.contains(own));
    report.check(switched.is_none(), || {
        let feature = switched.unwrap_or_default();
        format!("{name}: switches on the feature `{feature}` of serde_json for its users")
    });
}
