//! `cargo xtask vectors`: vector files, row by row, through a format crate.
//!
//! The runner is the test target `vectors` of the crate, `crates/<crate>/tests/vectors.rs`. It is
//! built here and started in the caller's folder, so that files are named as the caller sees them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Outcome, Status, process, workspace};

pub(crate) fn run(root: &Path, name: &str, files: &[PathBuf], folder: Option<&Path>) -> Outcome {
    let known = workspace::formats(root);
    let has_runner = root.join("crates").join(name).join("tests/vectors.rs").is_file();
    if !known.contains(&name) && !has_runner {
        eprintln!("error: no vectors for `{name}`; there are: {}", known.join(", "));
        return Ok(Status::Usage);
    }
    let mut build = process::cargo(root);
    build.args(["test", "--quiet", "--package", name, "--all-features", "--test", "vectors"]);
    let mut command = Command::new(built(build.args(["--no-run", "--message-format=json"]))?);
    if let Some(folder) = folder {
        command.arg("--files").arg(folder);
    }
    command.arg("--").args(files);
    let status = command.status().map_err(|error| format!("vectors of {name}: {error}"))?;
    Ok(match status.code() {
        Some(0) => Status::Good,
        Some(2) => Status::Usage,
        _ => Status::Bad,
    })
}

/// Builds one program, and returns its path.
pub(crate) fn built(build: &mut Command) -> Result<String, String> {
    let messages = process::output(build)?;
    let found = messages.lines().rev().find_map(executable);
    found.ok_or_else(|| "cargo has built no program".to_owned())
}

/// The program in a message of cargo.
fn executable(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    message["executable"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_crate_is_wrong_use() {
        let root = workspace::root().unwrap();
        assert_eq!(run(&root, "no-such-crate", &[], None), Ok(Status::Usage));
    }

    #[test]
    fn the_program_is_in_a_message_of_cargo() {
        let message = r#"{"reason":"compiler-artifact","executable":"/x/vectors-1"}"#;
        assert_eq!(executable(message).as_deref(), Some("/x/vectors-1"));
        assert_eq!(executable(r#"{"reason":"compiler-artifact","executable":null}"#), None);
        assert_eq!(executable("{\"reason\":\"build-finished\"}"), None);
    }
}
