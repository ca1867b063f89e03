//! A tree in which everything holds, and one drift at a time in it.

use std::fs;
use std::path::Path;

use super::*;

const NAME: &str = "godot-variant";

const LIB: &str = "\
#![doc = include_str!(\"../README.md\")]
#![forbid(unsafe_code)]
pub use crate::de::Deserializer;
pub use crate::error::{Error, ErrorKind, Result};
pub use crate::explain::explain;
pub use crate::options::Options;
pub use crate::ser::Serializer;
pub use crate::value::{Value, from_value, to_value};
pub fn from_slice() {}
pub fn from_reader() {}
pub fn to_vec() {}
pub fn to_writer() {}
pub fn take_from_slice() {}
";

const MANIFEST: &str = "\
[package]
name = \"godot-variant\"
description = \"Something.\"
edition.workspace = true
rust-version.workspace = true
license.workspace = true
repository.workspace = true

[lints]
workspace = true
";

const README: &str = "\
# godot-variant

## Round trip
```rust
# hidden();
```
## What maps to what
### Numbers
## Features
## Limits and safety
## Not supported
## MSRV
## Licence
";

fn write(root: &Path, file: &str, text: impl AsRef<[u8]>) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let krate = |file: &str| format!("crates/{NAME}/{file}");
    for module in ["error", "options", "read", "write", "de", "ser", "explain", "value/mod"] {
        write(root, &krate(&format!("src/{module}.rs")), "//! A module.\n");
    }
    for file in
        ["CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "tests/it/main.rs", "tests/vectors.rs"]
    {
        write(root, &krate(file), "text\n");
    }
    write(root, &krate("examples/read.rs"), "fn main() {}\n");
    write(root, &krate("benches/micro.rs"), "fn main() {}\n");
    write(root, &krate("src/lib.rs"), LIB);
    write(root, &krate("Cargo.toml"), MANIFEST);
    write(root, &krate("README.md"), README);
    write(root, &format!("docs/formats/{NAME}.md"), "# The format\n");
    write(root, &format!("testdata/{NAME}/sub/a.bin"), [0u8, 159, 146]);
    let entry = "[[file]]\npath = \"sub/a.bin\"\norigin = \"an engine\"\nshows = \"bytes\"\nsha256 = \"\"\n";
    write(root, &format!("testdata/{NAME}/MANIFEST.toml"), entry);
    assert_eq!(manifest::fix(root, NAME), Ok(1));
    folder
}

fn drifts(root: &Path) -> Vec<String> {
    check(root).unwrap().drifts
}

/// The drifts after one change to the good tree.
fn after(change: impl FnOnce(&Path)) -> Vec<String> {
    let folder = tree();
    change(folder.path());
    drifts(folder.path())
}

fn append(root: &Path, file: &str, text: &str) {
    let old = fs::read_to_string(root.join(file)).unwrap();
    write(root, file, old + text);
}

fn replace(root: &Path, file: &str, from: &str, to: &str) {
    let old = fs::read_to_string(root.join(file)).unwrap();
    assert!(old.contains(from), "{file} has no {from}");
    write(root, file, old.replace(from, to));
}

#[test]
fn the_good_tree_has_no_drift() {
    let folder = tree();
    let report = check(folder.path()).unwrap();
    assert_eq!(report.drifts, [""; 0]);
    assert!(report.checks > 40 && report.warnings.is_empty(), "{report:?}");
}

#[test]
fn a_crate_that_does_not_exist_is_not_checked() {
    let report = after(|root| fs::remove_dir_all(root.join("crates")).unwrap());
    assert_eq!(report, [""; 0]);
}

#[test]
fn missing_files_are_drifts() {
    for file in [
        "README.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "Cargo.toml",
        "tests/it/main.rs",
        "tests/vectors.rs",
    ] {
        let found =
            after(|root| fs::remove_file(root.join("crates").join(NAME).join(file)).unwrap());
        assert_eq!(found, [format!("crates/{NAME}: no {file}")]);
    }
    for module in ["lib", "error", "options", "read", "write", "de", "ser", "explain"] {
        let file = format!("crates/{NAME}/src/{module}.rs");
        let found = after(|root| fs::remove_file(root.join(file)).unwrap());
        assert_eq!(found, [format!("crates/{NAME}: no src/{module}.rs")]);
    }
    let found =
        after(|root| fs::remove_dir_all(root.join("crates").join(NAME).join("src/value")).unwrap());
    assert_eq!(found, [format!("crates/{NAME}: no src/value.rs")]);
    for folder in ["examples", "benches"] {
        let found =
            after(|root| fs::remove_dir_all(root.join("crates").join(NAME).join(folder)).unwrap());
        assert_eq!(found, [format!("crates/{NAME}: no {folder}/*.rs")]);
    }
    let found = after(|root| fs::remove_dir_all(root.join("docs")).unwrap());
    assert_eq!(found, [format!("crates/{NAME}: no docs/formats/{NAME}.md")]);
}

#[test]
fn the_cargo_manifest_is_checked() {
    let file = format!("crates/{NAME}/Cargo.toml");
    for (from, to, drift) in [
        ("description = \"Something.\"\n", "", "no description"),
        ("\"Something.\"", "\" \"", "no description"),
        ("[lints]\nworkspace = true\n", "", "no `lints.workspace = true`"),
        ("license.workspace = true", "license = \"MIT\"", "no `license.workspace = true`"),
        (
            "name = \"godot-variant\"",
            "name = \"variant\"",
            "the package is not named godot-variant",
        ),
    ] {
        let found = after(|root| replace(root, &file, from, to));
        assert_eq!(found, [format!("{file}: {drift}")]);
    }
    assert_eq!(after(|root| write(root, &file, "[package")).len(), 1);
}

#[test]
fn the_readme_headings_are_checked() {
    let file = format!("crates/{NAME}/README.md");
    for (from, to, drift) in [
        ("# godot-variant", "# Godot", "does not begin with `# godot-variant`"),
        ("## Features\n", "", "`## Limits and safety` where `## Features` belongs"),
        ("## Licence\n", "", "no `## Licence` after the others"),
        ("## Licence\n", "## Licence\n## More\n", "`## More` is not one of the headings"),
        ("## MSRV\n", "## Msrv\n", "`## Msrv` where `## MSRV` belongs"),
    ] {
        let found = after(|root| replace(root, &file, from, to));
        assert_eq!(found, [format!("{file}: {drift}")]);
    }
}

#[test]
fn the_library_root_is_checked() {
    let file = format!("crates/{NAME}/src/lib.rs");
    let found = after(|root| replace(root, &file, "#![forbid(unsafe_code)]\n", ""));
    assert_eq!(found, [format!("{file}: no `#![forbid(unsafe_code)]`")]);
    let found = after(|root| replace(root, &file, "pub fn to_vec() {}\n", "fn to_vec() {}\n"));
    assert_eq!(found, [format!("{file}: `to_vec` is not at the root")]);
    let found = after(|root| replace(root, &file, "pub use crate::explain", "use crate::explain"));
    assert_eq!(found, [format!("{file}: `explain` is not at the root")]);
    let found = after(|root| append(root, &file, "pub fn to_string() {}\n"));
    assert_eq!(found, [format!("{file}: `to_string` is for formats of text")]);
    assert_eq!(after(|root| append(root, &file, &"// a comment\n\n".repeat(300))), [""; 0]);
    let found = after(|root| append(root, &file, &"use a::b;\n".repeat(138)));
    assert_eq!(found, [format!("{file}: 151 lines of code, 150 are allowed")]);
}

#[test]
fn a_format_of_text_needs_the_text_functions() {
    let found = after(|root| {
        fs::rename(root.join("crates").join(NAME), root.join("crates/o3de-json")).unwrap();
    });
    assert!(
        found.contains(&"crates/o3de-json/src/lib.rs: `from_str` is not at the root".to_owned())
    );
    assert!(
        found.contains(&"crates/o3de-json/README.md: does not begin with `# o3de-json`".to_owned())
    );
}

#[test]
fn long_files_are_drifts_and_nearly_long_ones_warnings() {
    let file = format!("crates/{NAME}/src/de.rs");
    let found = after(|root| write(root, &file, "//\n".repeat(901)));
    assert_eq!(found, [format!("{file}: 901 lines, 900 are allowed")]);
    let folder = tree();
    write(folder.path(), &file, "//\n".repeat(801));
    let report = check(folder.path()).unwrap();
    assert_eq!(report.drifts, [""; 0]);
    assert_eq!(report.warnings, [format!("{file}: 801 lines, 900 are allowed")]);
    assert_eq!(after(|root| write(root, "docs/long.md", "line\n".repeat(2000))), [""; 0]);
}

#[test]
fn empty_module_names_are_drifts() {
    let found = after(|root| write(root, &format!("crates/{NAME}/src/utils.rs"), ""));
    assert_eq!(found, [format!("crates/{NAME}/src/utils.rs: a module named `utils` says nothing")]);
    let found = after(|root| write(root, &format!("crates/{NAME}/src/common/mod.rs"), ""));
    assert_eq!(found.len(), 1);
    let found =
        after(|root| append(root, &format!("crates/{NAME}/src/de.rs"), "mod prelude {\n}\n"));
    assert_eq!(
        found,
        [format!("crates/{NAME}/src/de.rs:2: a module named `prelude` says nothing")]
    );
}

#[test]
fn the_test_data_manifest_is_checked() {
    let place = format!("testdata/{NAME}/MANIFEST.toml");
    let found = after(|root| fs::remove_file(root.join(&place)).unwrap());
    assert_eq!(found, [format!("{place}: no such file")]);
    let found = after(|root| write(root, &format!("testdata/{NAME}/b.bin"), "new"));
    assert_eq!(found, [format!("{place}: b.bin is not listed")]);
    let found =
        after(|root| fs::remove_file(root.join(format!("testdata/{NAME}/sub/a.bin"))).unwrap());
    assert_eq!(found, [format!("{place}: sub/a.bin is not in the folder, or listed twice")]);
    let found = after(|root| replace(root, &place, "origin = \"an engine\"", "origin = \"\""));
    assert_eq!(found, [format!("{place}: an entry has no origin (path `sub/a.bin`)")]);
    let found = after(|root| write(root, &format!("testdata/{NAME}/sub/a.bin"), "changed"));
    assert!(found.len() == 1 && found[0].starts_with(&format!("{place}: sha256 of sub/a.bin is ")));
    // And the hash is what --fix writes.
    let folder = tree();
    write(folder.path(), &format!("testdata/{NAME}/sub/a.bin"), "changed");
    assert_eq!(manifest::fix(folder.path(), NAME), Ok(1));
    assert_eq!(drifts(folder.path()), [""; 0]);
    assert_eq!(manifest::fix(folder.path(), NAME), Ok(0));
    assert_eq!(after(|root| write(root, &place, "not toml")).len(), 1);
}

#[test]
fn traces_and_wording_are_drifts_in_any_file() {
    let path = ["", "work", "main"].join("/");
    let found =
        after(|root| append(root, "docs/formats/godot-variant.md", &format!("in {path}\n")));
    assert_eq!(
        found,
        [format!("docs/formats/godot-variant.md:2: `{path}` is a path of one machine")]
    );
    let host = ["index", "crates", "io"].join(".");
    let found = after(|root| write(root, "README.md", format!("from {host}\n")));
    assert_eq!(found, [format!("README.md:1: `{host}` names a registry")]);
    let marker = ["TO", "DO"].concat();
    let found =
        after(|root| append(root, "crates/godot-variant/src/de.rs", &format!("// {marker}\n")));
    assert_eq!(
        found,
        [format!("crates/godot-variant/src/de.rs:2: `{marker}` is not plain wording")]
    );
    // Test data may spell anything, but holds no machine paths either.
    let data = |text: String| {
        after(|root| {
            write(root, &format!("testdata/{NAME}/sub/a.bin"), text);
            manifest::fix(root, NAME).unwrap();
        })
    };
    assert_eq!(data(marker), [""; 0]);
    assert_eq!(data(path).len(), 1);
}
