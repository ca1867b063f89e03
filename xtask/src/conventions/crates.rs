//! What every format crate has: files, root names, README headings, attributes.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Report, face};
use crate::workspace::{TEXT_FORMATS, files_under};

/// Files that a format crate has, from its folder.
const FILES: [&str; 7] = [
    "Cargo.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "tests/it/main.rs",
    "tests/vectors.rs",
];

/// Modules that a format crate has, as `src/NAME.rs`.
const MODULES: [&str; 11] = [
    "error",
    "options",
    "read",
    "write",
    "de",
    "ser",
    "value",
    "value/decode",
    "value/build",
    "value/encode",
    "explain",
];

/// Folders with at least one Rust file in them.
const FOLDERS: [&str; 2] = ["examples", "benches"];

/// Names at the root of every format crate.
const ROOT_NAMES: [&str; 15] = [
    "from_slice",
    "from_reader",
    "to_vec",
    "to_writer",
    "take_from_slice",
    "Serializer",
    "Deserializer",
    "Value",
    "to_value",
    "from_value",
    "Options",
    "Error",
    "ErrorKind",
    "Result",
    "explain",
];

/// The package of the crate beneath the format crates.
const CORE: &str = "gamewire-core";

/// Files that it has.
const CORE_FILES: [&str; 9] = [
    "Cargo.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "src/lib.rs",
    "src/path.rs",
    "src/explain.rs",
    "tests/it/main.rs",
];

const FORBID: &str = "#![forbid(unsafe_code)]";

/// Names at the root where the format is text, and nowhere else.
const TEXT_NAMES: [&str; 3] = ["from_str", "to_string", "to_string_pretty"];

/// The second-level headings of a README, in order. The first-level one is the crate's name.
const HEADINGS: [&str; 7] = [
    "Round trip",
    "What maps to what",
    "Features",
    "Limits and safety",
    "Not supported",
    "MSRV",
    "Licence",
];

/// Where it stands which dependencies are public.
const STABILITY: &str = "docs/stability.md";

/// Lines of code that `src/lib.rs` may have.
const MAX_IN_LIB: usize = 150;

pub(super) fn check(root: &Path, name: &str, report: &mut Report) {
    let place = format!("crates/{name}");
    let folder = root.join(&place);
    for file in FILES {
        report.check(folder.join(file).is_file(), || format!("{place}: no {file}"));
    }
    for module in MODULES {
        report.check(folder.join(format!("src/{module}.rs")).is_file(), || {
            format!("{place}: no src/{module}.rs")
        });
    }
    for sub in FOLDERS {
        let found = files_under(&folder.join(sub)).iter().any(|file| file.ends_with(".rs"));
        report.check(found, || format!("{place}: no {sub}/*.rs"));
    }
    let page = format!("docs/formats/{name}.md");
    report.check(root.join(&page).is_file(), || format!("{place}: no {page}"));

    let read = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
    if let Some(manifest) = read("Cargo.toml") {
        check_manifest(&place, name, &manifest, report);
        check_targets(&folder, &place, &manifest, report);
        check_dependencies(root, &place, &manifest.parse().unwrap_or_default(), report);
    }
    if let Some(readme) = read("README.md") {
        check_readme(&place, name, &readme, report);
    }
    match read("src/lib.rs") {
        Some(lib) => check_lib(&place, name, &lib, report),
        None => report.check(false, || format!("{place}: no src/lib.rs")),
    }
    face::check(&folder, &place, TEXT_FORMATS.contains(&name), report);
}

/// The crate beneath all five: published, and with nothing but the traits of serde under it.
pub(super) fn check_core(root: &Path, report: &mut Report) {
    let place = "crates/core";
    let folder = root.join(place);
    if !folder.is_dir() {
        return;
    }
    for file in CORE_FILES {
        report.check(folder.join(file).is_file(), || format!("{place}: no {file}"));
    }
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    let manifest = read("Cargo.toml");
    check_manifest(place, CORE, &manifest, report);
    let table: toml::Table = manifest.parse().unwrap_or_default();
    let beneath = table.get("dependencies").and_then(toml::Value::as_table);
    let beneath: Vec<&str> =
        beneath.into_iter().flat_map(|table| table.keys().map(String::as_str)).collect();
    report.check(beneath == ["serde_core"], || {
        format!("{place}/Cargo.toml: depends on {}, not on serde_core alone", beneath.join(", "))
    });
    report.check(table.get("features").is_some_and(|own| own.get("explain").is_some()), || {
        format!("{place}/Cargo.toml: no feature `explain`")
    });
    check_dependencies(root, place, &table, report);
    check_first_line(place, CORE, &read("README.md"), report);
    let lib = read("src/lib.rs");
    report.check(lib.contains(FORBID), || format!("{place}/src/lib.rs: no `{FORBID}`"));
    let names = public_names(&lib);
    for expected in ["Path", "Segment"] {
        report.check(names.contains(expected), || {
            format!("{place}/src/lib.rs: `{expected}` is not at the root")
        });
    }
}

/// Examples and vector files are programs of their own, which Cargo.toml says.
fn check_targets(folder: &Path, place: &str, text: &str, report: &mut Report) {
    // What is no TOML is noted already.
    let Ok(table) = text.parse::<toml::Table>() else { return };
    let is_program = |kind: &str, name: &str| {
        let targets = table.get(kind).and_then(toml::Value::as_array);
        targets.into_iter().flatten().any(|target| {
            target.get("name").and_then(toml::Value::as_str) == Some(name)
                && target.get("harness").and_then(toml::Value::as_bool) == Some(false)
        })
    };
    report.check(is_program("test", "vectors"), || {
        format!("{place}/Cargo.toml: the test `vectors` has no `harness = false`")
    });
    for file in files_under(&folder.join("examples")) {
        let Some(name) = file.strip_suffix(".rs").filter(|name| !name.contains('/')) else {
            continue;
        };
        report.check(is_program("example", name), || {
            format!("{place}/Cargo.toml: the example `{name}` has no `harness = false`")
        });
    }
}

fn check_manifest(place: &str, name: &str, text: &str, report: &mut Report) {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            let reason = error.to_string().lines().next().unwrap_or_default().to_owned();
            report.check(false, || format!("{place}/Cargo.toml: {reason}"));
            return;
        }
    };
    let package = table.get("package");
    let text_of = |key: &str| package?.get(key)?.as_str();
    report.check(text_of("name") == Some(name), || {
        format!("{place}/Cargo.toml: the package is not named {name}")
    });
    report.check(text_of("description").is_some_and(|text| !text.trim().is_empty()), || {
        format!("{place}/Cargo.toml: no description")
    });
    let inherits = |value: Option<&toml::Value>| {
        value.and_then(|value| value.get("workspace")).and_then(toml::Value::as_bool) == Some(true)
    };
    report.check(inherits(table.get("lints")), || {
        format!("{place}/Cargo.toml: no `lints.workspace = true`")
    });
    for key in ["edition", "rust-version", "license", "repository"] {
        report.check(inherits(package.and_then(|package| package.get(key))), || {
            format!("{place}/Cargo.toml: no `{key}.workspace = true`")
        });
    }
}

fn check_readme(place: &str, name: &str, text: &str, report: &mut Report) {
    let headings = headings(text);
    let first = format!("# {name}");
    report.check(headings.first().is_some_and(|heading| *heading == first), || {
        format!("{place}/README.md: does not begin with `{first}`")
    });
    check_first_line(place, name, text, report);
    let found: Vec<&str> =
        headings.iter().filter_map(|heading| heading.strip_prefix("## ")).collect();
    report.check(found == HEADINGS, || {
        let differs = HEADINGS.iter().zip(&found).find(|(expected, found)| expected != found);
        let what = match differs {
            Some((expected, found)) => format!("`## {found}` where `## {expected}` belongs"),
            None if found.len() < HEADINGS.len() => {
                format!("no `## {}` after the others", HEADINGS[found.len()])
            }
            None => format!("`## {}` is not one of the headings", found[HEADINGS.len()]),
        };
        format!("{place}/README.md: {what}")
    });
}

/// The first code of a README is the line that brings the crate in.
fn check_first_line(place: &str, name: &str, readme: &str, report: &mut Report) {
    let line = format!("```sh\ncargo add {name}\n```");
    let first = readme.split_once("```").map(|(before, _)| before.len());
    report.check(first.is_some() && first == readme.find(&line), || {
        format!("{place}/README.md: the first code is not `cargo add {name}`")
    });
}

/// Every dependency is in the page that says whether users see its types.
fn check_dependencies(root: &Path, place: &str, manifest: &toml::Table, report: &mut Report) {
    let page = std::fs::read_to_string(root.join(STABILITY)).unwrap_or_default();
    let beneath = manifest.get("dependencies").and_then(toml::Value::as_table);
    for name in beneath.into_iter().flat_map(toml::Table::keys) {
        report.check(page.contains(&format!("`{name}`")), || {
            format!("{place}/Cargo.toml: {STABILITY} does not say whether `{name}` is public")
        });
    }
}

/// The headings of Markdown, code blocks apart.
fn headings(text: &str) -> Vec<&str> {
    let mut in_code = false;
    text.lines()
        .filter(|line| {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            }
            !in_code && line.starts_with('#')
        })
        .map(str::trim_end)
        .collect()
}

fn check_lib(place: &str, name: &str, text: &str, report: &mut Report) {
    report.check(text.contains(FORBID), || format!("{place}/src/lib.rs: no `{FORBID}`"));
    let lines = text.lines().map(str::trim);
    let count = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    report.check(count <= MAX_IN_LIB, || {
        format!("{place}/src/lib.rs: {count} lines of code, {MAX_IN_LIB} are allowed")
    });
    let names = public_names(text);
    for expected in ROOT_NAMES {
        report.check(names.contains(expected), || {
            format!("{place}/src/lib.rs: `{expected}` is not at the root")
        });
    }
    let is_text = TEXT_FORMATS.contains(&name);
    for expected in TEXT_NAMES {
        report.check(names.contains(expected) == is_text, || {
            let not = if is_text { "is not at the root" } else { "is for formats of text" };
            format!("{place}/src/lib.rs: `{expected}` {not}")
        });
    }
}

/// The names in `pub use` and `pub fn`, `pub struct` and so on at the root of a module.
fn public_names(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut in_use = false;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let mut words =
            code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        if code.starts_with("pub use ") {
            in_use = true;
        }
        if in_use {
            names.extend(words);
            in_use = !code.contains(';');
        } else if code.starts_with("pub ") {
            let item = words.find(|word| ["fn", "struct", "enum", "type", "trait"].contains(word));
            names.extend(item.and(words.next()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_names_are_found() {
        let text = "\
pub use crate::error::{Error, ErrorKind}; // and Result
pub use crate::options::{
    Dialect,
    Options as Settings,
};
use crate::hidden::Hidden;
pub const fn shout() {}
pub fn from_slice<'de, T>() {
    pub use x::Inner;
}
mod private { pub fn inside() {} }
pub type Result<T> = ();
";
        let names = public_names(text);
        for name in ["Error", "ErrorKind", "Dialect", "Settings", "shout", "from_slice", "Result"] {
            assert!(names.contains(name), "{name}");
        }
        for name in ["Hidden", "inside", "T", "Inner"] {
            assert!(!names.contains(name), "{name}");
        }
    }

    #[test]
    fn headings_in_code_are_none() {
        assert_eq!(headings("# a\n```rust\n# let x = 1;\n```\n## b \ntext\n"), ["# a", "## b"]);
    }
}
