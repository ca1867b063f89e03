//! A tree in which everything holds, and one drift at a time in it.

use std::fs;
use std::path::Path;

use super::*;

const NAME: &str = "godot-variant";

/// The files of the good tree, each under a line with its path.
const TREE: &str = include_str!("tests/good_tree.txt");

fn write(root: &Path, file: &str, text: impl AsRef<[u8]>) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for file in TREE.split("=== ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        write(root, path, text);
    }
    write(root, &format!("testdata/{NAME}/sub/a.bin"), [0u8, 159, 146]);
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
    for module in [
        "lib",
        "error",
        "options",
        "read",
        "write",
        "de",
        "ser",
        "explain",
        "value",
        "value/decode",
        "value/build",
        "value/encode",
    ] {
        let file = format!("crates/{NAME}/src/{module}.rs");
        let found = after(|root| fs::remove_file(root.join(file)).unwrap());
        assert!(found.contains(&format!("crates/{NAME}: no src/{module}.rs")), "{found:?}");
    }
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
    let needs = "\n[dependencies]\nserde_core.workspace = true\n";
    let found = after(|root| append(root, &file, needs));
    let drift = "docs/stability.md does not say whether `serde_core` is public";
    assert_eq!(found, [format!("{file}: {drift}")]);
    let found = after(|root| {
        append(root, &file, needs);
        write(root, "docs/stability.md", "| `serde_core` | all |\n");
    });
    assert_eq!(found, [""; 0]);
}

#[test]
fn the_readme_headings_are_checked() {
    let file = format!("crates/{NAME}/README.md");
    for (from, to, drift) in [
        ("# godot-variant", "# Godot", "does not begin with `# godot-variant`"),
        ("add godot", "add --all godot", "the first code is not `cargo add godot-variant`"),
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
    let file = format!("crates/{NAME}/src/error.rs");
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
    let found = after(|root| write(root, &format!("crates/{NAME}/src/common/a.rs"), ""));
    assert_eq!(found.len(), 1);
    let file = format!("crates/{NAME}/src/a/mod.rs");
    let found = after(|root| write(root, &file, ""));
    assert_eq!(found, [format!("{file}: a module is in NAME.rs, not in NAME/mod.rs")]);
    let found =
        after(|root| append(root, &format!("crates/{NAME}/src/error.rs"), "mod prelude {\n}\n"));
    assert_eq!(
        found,
        [format!("crates/{NAME}/src/error.rs:2: a module named `prelude` says nothing")]
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
fn traces_are_drifts_in_any_file() {
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
    // Test data holds none either.
    let data = |text: String| {
        after(|root| {
            write(root, &format!("testdata/{NAME}/sub/a.bin"), text);
            manifest::fix(root, NAME).unwrap();
        })
    };
    assert_eq!(data(path).len(), 1);
}

#[test]
fn the_face_is_checked() {
    let place = format!("crates/{NAME}");
    let drift = |file: &str, from: &str, to: &str| {
        after(|root| replace(root, &format!("{place}/src/{file}.rs"), from, to))
    };
    for (file, from, to, what) in [
        ("de", "pub fn rest", "fn rest", "no `Deserializer::rest`"),
        ("de", "pub fn rest", "pub(crate) fn rest", "no `Deserializer::rest`"),
        ("de", "pub struct Iter", "pub struct Values", "no `Iter` for `Deserializer::into_iter`"),
        ("value", "pub fn is_null", "pub fn is_nil", "no `Value::is_null`"),
        ("ser", "pub fn append_to_vec", "pub fn append", "no `Options::append_to_vec`"),
        (
            "value/decode",
            "trait Listener",
            "trait Sink",
            "no `trait Listener` in src/value/decode.rs",
        ),
        (
            "ser",
            "out: Vec<u8>, options: Options",
            "options: Options",
            "`Serializer::new` does not take two things, the second `options`",
        ),
        (
            "lib",
            "/// # Example\npub fn to_vec",
            "pub fn to_vec",
            "the documentation of `to_vec` has no example",
        ),
    ] {
        assert_eq!(drift(file, from, to), [format!("{place}: {what}")]);
    }
    let found = drift("options", "impl Options {", "use crate::de::load;\nimpl Options {");
    assert_eq!(found, [format!("{place}/src/options.rs: settings know nothing of `crate::de`")]);
    let found = after(|root| {
        let moved = "    pub fn to_vec(&self) {}\n";
        replace(root, &format!("{place}/src/ser.rs"), moved, "");
        append(root, &format!("{place}/src/explain.rs"), &format!("impl Options {{\n{moved}}}\n"));
    });
    assert_eq!(
        found,
        [format!("{place}: `Options::to_vec` is in src/explain.rs, not in src/ser.rs")]
    );
}

#[test]
fn programs_have_no_harness() {
    let file = format!("crates/{NAME}/Cargo.toml");
    let found =
        after(|root| replace(root, &file, "name = \"read\"\nharness = false", "name = \"read\""));
    assert_eq!(found, [format!("{file}: the example `read` has no `harness = false`")]);
    let found = after(|root| replace(root, &file, "\"vectors\"\nharness = false", "\"vectors\""));
    assert_eq!(found, [format!("{file}: the test `vectors` has no `harness = false`")]);
}

#[test]
fn old_spellings_are_drifts() {
    let file = format!("crates/{NAME}/src/error.rs");
    let limit = ["MOST", "_BYTES"].concat();
    let found = after(|root| append(root, &file, &format!("const {limit}: u8 = 1;\n")));
    assert_eq!(found, [format!("{file}:2: a limit is `MAX_…`, not `{limit}`")]);
    let outside = ["spec", " §"].concat();
    let found = after(|root| append(root, &file, &format!("// {outside}3\n")));
    assert_eq!(found, [format!("{file}:2: `{outside}` is a page outside of the repository")]);
    let snapshot = |value: &str| {
        let text = format!("fn f() {{\n    insta::assert_snapshot!(text{value});\n}}\n");
        after(|root| write(root, &format!("crates/{NAME}/tests/it/main.rs"), text))
    };
    assert_eq!(snapshot(""), [""; 0]);
    assert_eq!(snapshot([", ", "@", "\"one\""].concat().as_str()).len(), 1);
    assert_eq!(snapshot([",\n        ", "@", "r#\"one\"#"].concat().as_str()).len(), 1);
}

#[test]
fn the_crate_beneath_is_checked() {
    let core = |change: &dyn Fn(&Path)| {
        after(|root| {
            for file in [
                "README.md",
                "CHANGELOG.md",
                "LICENSE-MIT",
                "LICENSE-APACHE",
                "src/path.rs",
                "src/explain.rs",
                "tests/it/main.rs",
            ] {
                write(root, &format!("crates/core/{file}"), "text\n");
            }
            write(root, "crates/core/README.md", "```sh\ncargo add gamewire-core\n```\n");
            write(root, "docs/stability.md", "`serde_core` and `serde_json`\n");
            let lib = "#![forbid(unsafe_code)]\npub use path::{Path, Segment};\n";
            write(root, "crates/core/src/lib.rs", lib);
            let more = "[features]\nexplain = []\n[dependencies]\nserde_core.workspace = true\n";
            let manifest = fs::read_to_string(root.join("crates").join(NAME).join("Cargo.toml"));
            let manifest = manifest.unwrap().replace(NAME, "gamewire-core") + more;
            write(root, "crates/core/Cargo.toml", manifest);
            change(root);
        })
    };
    assert_eq!(core(&|_| ()), [""; 0]);
    let manifest = "crates/core/Cargo.toml";
    let found = core(&|root| append(root, manifest, "serde_json = \"1\"\n"));
    assert_eq!(
        found,
        [format!("{manifest}: depends on serde_core, serde_json, not on serde_core alone")]
    );
    let found = core(&|root| replace(root, manifest, "explain = []", ""));
    assert_eq!(found, [format!("{manifest}: no feature `explain`")]);
    let found = core(&|root| replace(root, "crates/core/src/lib.rs", "Path, ", ""));
    assert_eq!(found, ["crates/core/src/lib.rs: `Path` is not at the root"]);
    let found = core(&|root| fs::remove_file(root.join("crates/core/CHANGELOG.md")).unwrap());
    assert_eq!(found, ["crates/core: no CHANGELOG.md"]);
}
