//! Files, READMEs, manifests and names of types of the crates.

use std::collections::BTreeMap;
use std::path::Path;

use super::Report;
use crate::workspace::files_under;

/// Files of every format crate, beside those that `cargo xtask package` looks for.
const FORMAT: [&str; 10] = [
    "tests/it/main.rs",
    "tests/vectors.rs",
    "src/error.rs",
    "src/options.rs",
    "src/read.rs",
    "src/write.rs",
    "src/de.rs",
    "src/ser.rs",
    "src/value.rs",
    "src/explain.rs",
];

/// The second-level headings of a format crate's README, in order.
const HEADINGS: [&str; 7] = [
    "Round trip",
    "What maps to what",
    "Features",
    "Limits and safety",
    "Not supported",
    "MSRV",
    "Licence",
];

/// Says of each dependency of a library whether users see its types.
const STABILITY: &str = "docs/stability.md";

/// Has a row for each dependency of a library, and for no other one.
const COMPARE: &str = "docs/compare.md";

/// Names of types that may stand twice in a crate: the same thing at another layer.
const MAX_TWICE: usize = 8;

/// Checks one of the five formats.
pub(super) fn check_format(root: &Path, name: &str, report: &mut Report) {
    let place = format!("crates/{name}");
    let folder = root.join(&place);
    for file in FORMAT {
        report.check(folder.join(file).is_file(), || format!("{place}: no {file}"));
    }
    let page = format!("docs/formats/{name}.md");
    report.check(root.join(&page).is_file(), || format!("{place}: no {page}"));
    let readme = read(&folder.join("README.md"));
    let first = readme.split("\n## ").next().unwrap_or_default();
    report.check(first.contains("\n|"), || format!("{place}/README.md: no table comes first"));
    let headings = headings(&readme);
    report.check(headings == HEADINGS, || {
        let differs = headings.iter().zip(HEADINGS).find(|(found, expected)| *found != expected);
        let what = match differs {
            Some((found, expected)) => format!("`## {found}` where `## {expected}` belongs"),
            None => format!("{} headings, not {}", headings.len(), HEADINGS.len()),
        };
        format!("{place}/README.md: {what}")
    });
}

/// Checks every crate: names of types, and if it is published, its manifest and README.
pub(super) fn check_all(root: &Path, report: &mut Report) {
    let Ok(folders) = std::fs::read_dir(root.join("crates")) else { return };
    let mut names: Vec<String> =
        folders.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    check_libraries(root, &names, report);
    for name in names {
        let place = format!("crates/{name}");
        let folder = root.join(&place);
        let text = read(&folder.join("Cargo.toml"));
        let Ok(table) = text.parse::<toml::Table>() else {
            report.check(false, || format!("{place}/Cargo.toml: is not TOML"));
            continue;
        };
        check_types(&folder, &place, report);
        if table.get("workspace").is_none() {
            check_manifest(root, &place, &table, report);
        }
    }
}

/// The table of libraries names none that no crate uses.
fn check_libraries(root: &Path, crates: &[String], report: &mut Report) {
    let manifests =
        crates.iter().map(|name| read(&root.join("crates").join(name).join("Cargo.toml")));
    let page = read(&root.join("crates/web/page/package.json"));
    let manifests = manifests.collect::<String>() + &page;
    let compare = read(&root.join(COMPARE));
    let (_, libraries) = compare.split_once("\n## Libraries\n").unwrap_or_default();
    for row in libraries.lines().filter_map(|line| line.strip_prefix("| ")) {
        let cell = row.split(" |").next().unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2) {
            let mut words = manifests.split(|c: char| !c.is_alphanumeric() && !"-_".contains(c));
            report.check(words.any(|word| word == name), || {
                format!("{COMPARE}: no crate uses `{name}`")
            });
        }
    }
}

fn check_manifest(root: &Path, place: &str, table: &toml::Table, report: &mut Report) {
    let package = table.get("package");
    let field = |key: &str| package.and_then(|package| package.get(key));
    if field("publish").and_then(toml::Value::as_bool) == Some(false) {
        return;
    }
    let is_inherited = |value: Option<&toml::Value>| {
        value.and_then(|value| value.get("workspace")).and_then(toml::Value::as_bool) == Some(true)
    };
    let keys = ["edition", "rust-version", "license", "repository", "homepage"];
    let keys = keys.map(|key| (key, field(key))).into_iter().chain([("lints", table.get("lints"))]);
    for (key, value) in keys {
        report.check(is_inherited(value), || {
            format!("{place}/Cargo.toml: no `{key}.workspace = true`")
        });
    }
    let name = field("name").and_then(toml::Value::as_str).unwrap_or_default();
    let folder = root.join(place);
    let readme = read(&folder.join("README.md"));
    let lib = read(&folder.join("src/lib.rs"));
    if lib.is_empty() {
        return;
    }
    let page = format!("https://docs.rs/{name}");
    report.check(field("documentation").and_then(toml::Value::as_str) == Some(&page), || {
        format!("{place}/Cargo.toml: no `documentation = \"{page}\"`")
    });
    report.check(readme.starts_with(&format!("# {name}\n")), || {
        format!("{place}/README.md: does not begin with `# {name}`")
    });
    let line = format!("```sh\ncargo add {name}");
    report.check(readme.find("```").is_some_and(|at| readme[at..].starts_with(&line)), || {
        format!("{place}/README.md: the first code is not `cargo add {name}`")
    });
    report.check(lib.contains("#![forbid(unsafe_code)]"), || {
        format!("{place}/src/lib.rs: no `#![forbid(unsafe_code)]`")
    });
    let (stability, compare) = (read(&root.join(STABILITY)), read(&root.join(COMPARE)));
    let beneath = table.get("dependencies").and_then(toml::Value::as_table);
    for name in beneath.into_iter().flat_map(toml::Table::keys) {
        report.check(stability.contains(&format!("`{name}`")), || {
            format!("{place}/Cargo.toml: {STABILITY} does not say whether `{name}` is public")
        });
        let is_own = name == "gamewire-core" || root.join("crates").join(name).is_dir();
        report.check(is_own || compare.contains(&format!("`{name}`")), || {
            format!("{place}/Cargo.toml: {COMPARE} does not say what `{name}` is for")
        });
    }
}

/// One name, one thing: few types of a crate have the name of another one.
fn check_types(folder: &Path, place: &str, report: &mut Report) {
    let source = folder.join("src");
    let mut names = BTreeMap::<String, usize>::new();
    for file in files_under(&source).iter().filter(|file| file.ends_with(".rs")) {
        for name in type_names(&read(&source.join(file))) {
            *names.entry(name.to_owned()).or_default() += 1;
        }
    }
    let twice: Vec<&str> =
        names.iter().filter(|(_, count)| **count > 1).map(|(name, _)| &**name).collect();
    report.check(twice.len() <= MAX_TWICE, || {
        let (count, list) = (twice.len(), twice.join(", "));
        format!("{place}: {count} names of types stand twice, {MAX_TWICE} may: {list}")
    });
}

/// The types and traits that a file declares, but for those of macros and unit tests.
pub(super) fn type_names(text: &str) -> impl Iterator<Item = &str> {
    let mut in_macro = false;
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().filter_map(move |line| {
        in_macro = (in_macro || line.contains("macro_rules! ")) && line != "}";
        let mut words = line.split_whitespace().filter(|word| !word.starts_with("pub"));
        let is_type = matches!(words.next()?, "struct" | "enum" | "union" | "trait") && !in_macro;
        let name = words.next().filter(|_| is_type)?;
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    })
}

/// The second-level headings of Markdown, code blocks apart.
fn headings(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let outside = |line: &&str| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code
    };
    text.lines().filter(outside).filter_map(|line| line.strip_prefix("## ")).collect()
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}
