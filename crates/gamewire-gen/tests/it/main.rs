//! The generators: schema in, Rust out.

// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

mod dml;
mod pclass;
mod zeze;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file or folder of the test data, by its path from `testdata`.
fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path)
}

/// Compares generated source with the file that holds it; with the variable `GAMEWIRE_GENERATED` set
/// to `write`, writes it again.
fn must_be_fresh(file: &Path, source: &str) {
    if std::env::var_os("GAMEWIRE_GENERATED").is_some_and(|value| value == "write") {
        std::fs::write(file, source).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == source, "{} is stale", file.display());
}

/// Whether rustfmt would leave a file as it is, with its defaults and not with what stands beside
/// this workspace; as if where there is no rustfmt.
fn must_be_formatted(file: &Path, edition: &str) {
    let config = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", edition, "--config-path"]).arg(config.path()).arg(file);
    let Ok(output) = rustfmt.output() else { return println!("rustfmt is not installed") };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
