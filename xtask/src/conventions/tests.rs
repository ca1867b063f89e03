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

/// The drifts after a change to the good tree: of a file, one text for another.
fn after(file: &str, from: &str, to: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for file in TREE.split("=== ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        write(root, path, text);
    }
    write(root, &format!("testdata/{NAME}/sub/a.bin"), [0u8, 159, 146]);
    assert_eq!(manifest::fix(root, NAME), Ok(1));
    assert_eq!(api::fix(root), Ok(()));
    let old = fs::read_to_string(root.join(file)).unwrap_or_default();
    assert!(old.contains(from), "{file} has no {from}");
    write(root, file, old.replacen(from, to, 1));
    check(root).unwrap().drifts
}

#[test]
fn public_items_are_listed() {
    let text = "pub enum A {\n    /// One.\n    One(u8),\n    Two {\n        x: u8,\n    },\n}\n\nimpl A {\n\
        \x20   pub const N: [u8; 2] = [1, 2];\n    pub(crate) fn own() {}\n\n    pub fn long(\n        self,\n\
        \x20       n: u8,\n    ) -> u8 {\n        1\n    }\n}\n\npub use b::{C, D};\n#[cfg(test)]\nmod t {\n    pub fn x() {}\n}\n";
    let listed = api::items(text, "a.rs");
    let lines = [
        "a.rs: : pub enum A",
        "a.rs: pub enum A: One(u8)",
        "a.rs: pub enum A: Two",
        "a.rs: impl A: pub const N: [u8; 2]",
        "a.rs: impl A: pub fn long( self, n: u8, ) -> u8",
        "a.rs: : pub use b::{C, D}",
    ];
    assert_eq!(listed.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn features_that_change_a_users_program_are_found() {
    let drifts = |features: &str| {
        let mut report = Report::default();
        let tree = format!(
            "a v1.0.0 preserve_order\nserde_json v1.0.154 {features}\nserde v1.0.229 std\n"
        );
        features::check_tree("gamewire", &tree, &mut report);
        report.drifts
    };
    assert_eq!(drifts("default,raw_value,std"), [""; 0]);
    assert_eq!(drifts("default,raw_value,std (*)"), [""; 0]);
    let drift = "gamewire: switches on the feature `preserve_order` of serde_json for its users";
    assert_eq!(drifts("alloc,indexmap,preserve_order (*)"), [drift]);
}

#[test]
fn each_drift_is_found() {
    assert_eq!(after("docs/more.md", "", "# A b\n[c](#a-b) [d](../docs/more.md#a-b)\n"), [""; 0]);
    let path = ["", "work", "main"].join("/");
    let host = ["index", "crates", "io"].join(".");
    let types = |count: usize| (0..count).map(|n| format!("struct T{n};\nenum T{n} {{}}\n"));
    let types = |count: usize| types(count).collect::<String>();
    for (file, from, to, drift) in [
        ("Cargo.toml", "[lints]\nworkspace = true\n", "", "no `lints.workspace = true`"),
        ("Cargo.toml", "license.workspace = true", "license = \"MIT\"", "no `license.workspace"),
        ("Cargo.toml", "[package]", "[package", "is not TOML"),
        ("Cargo.toml", "docs.rs/godot", "docs.rs/other", "no `documentation = \"https://docs.rs"),
        ("Cargo.toml", "[lints]", "[dependencies]\nx = \"1\"\n[lints]", "whether `x` is public"),
        ("README.md", "# godot-variant", "# Godot", "does not begin with `# godot-variant`"),
        ("README.md", "add godot", "add --all godot", "the first code is not `cargo add"),
        ("README.md", "## Features\n", "", "`## Limits and safety` where `## Features` belongs"),
        ("README.md", "## Licence\n", "", "6 headings, not 7"),
        ("README.md", "### Numbers", "[a](../b.md)", "../b.md leads nowhere"),
        ("README.md", "### Numbers", "[a](#numbers)", "#numbers leads nowhere"),
        ("README.md", "### Numbers", "[`Value`]", "`Value` is a link in rustdoc alone"),
        ("README.md", "### Numbers", "| [`Value`]: a |", "`Value` is a link in rustdoc alone"),
        ("README.md", "| a | b |\n|---|---|", "", "no table comes first"),
        ("README.md", "hidden();", "x\n# y", "a program has hidden lines"),
        ("src/lib.rs", "#![forbid(unsafe_code)]\n", "", "no `#![forbid(unsafe_code)]`"),
        ("src/error.rs", "", &"//\n".repeat(901), "lines, 900 are allowed"),
        ("src/error.rs", "", "pub enum A { B }\n", "godot-variant.txt: the items have changed"),
        ("src/utils.rs", "", "//!\n", "a module named `utils` says nothing"),
        ("src/a/mod.rs", "", "//!\n", "a module is in NAME.rs, not in NAME/mod.rs"),
        ("src/error.rs", "", &types(9), "9 names of types stand twice, 8 may: T0, T1"),
        ("src/error.rs", "", &format!("// {path}\n"), "is a path of one machine"),
        ("src/error.rs", "", &format!("// {host}\n"), "names a registry"),
    ] {
        let found = after(&format!("crates/{NAME}/{file}"), from, to);
        assert!(found.len() == 1 && found[0].contains(drift), "{file}, {drift}: {found:?}");
    }
    assert_eq!(after(&format!("crates/{NAME}/src/error.rs"), "", &types(8)), [""; 0]);
    assert_eq!(
        after("docs/more.md", "", "`Kind::Here` `other::gone` `godot_variant::Kind`"),
        [""; 0]
    );
    assert_eq!(
        after("docs/compare.md", "`edition`", "`y`"),
        ["docs/compare.md: no crate uses `y`"]
    );
    let manifest = format!("crates/{NAME}/Cargo.toml");
    let found = after(&manifest, "[lints]", "[dependencies]\ny = \"1\"\n[lints]");
    assert!(found.iter().any(|line| line.contains("what `y` is for")), "{found:?}");
    for (named, missing) in [
        ("`Kind::{Here, gone}`", "gone"),
        ("`godot_variant::gone()`", "gone"),
        ("`--gone X`", "--gone X"),
        ("```text\ngamewire gone x", "gamewire gone x"),
        ("`docs/gone.md`", "docs/gone.md"),
    ] {
        let found = after("docs/more.md", "", &format!("# A\n{named}\n"));
        let drift = format!("nothing has the name `{missing}`");
        assert!(found.len() == 1 && found[0].ends_with(&drift), "{named}: {found:?}");
    }
    for (file, from, to, drift) in [
        ("b.bin", "", "new", "b.bin is not listed"),
        ("MANIFEST.toml", "sub/a.bin", "gone", "gone is not in the folder, or listed twice"),
        ("MANIFEST.toml", "origin = \"an engine\"", "origin = \"\"", "an entry has no origin"),
        ("MANIFEST.toml", "sha256 = \"", "sha256 = \"0", "sha256 of sub/a.bin is "),
        ("MANIFEST.toml", "[[file]]", "not toml", "MANIFEST.toml: "),
    ] {
        let found = after(&format!("testdata/{NAME}/{file}"), from, to);
        assert!(found.iter().any(|line| line.contains(drift)), "{file}, {drift}: {found:?}");
    }
}
