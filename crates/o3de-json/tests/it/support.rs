//! What several tests need.

use std::path::{Path, PathBuf};

use o3de_json::Value;
use o3de_json::value::Document;
use proptest::prelude::*;

/// Real files of the engine. They are not a part of this repository.
const REAL: &str = "../shared/realdata/o3de";

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn value(text: &str) -> Value {
    Document::new(text).unwrap_or_else(|error| panic!("{text}: {error}")).into_value()
}

/// The project's own samples, by name.
pub(crate) fn samples() -> Vec<(String, Vec<u8>)> {
    files(&root().join("testdata/o3de-json/samples"))
}

/// The folder of the real files, where it is there.
pub(crate) fn real_folder() -> Option<PathBuf> {
    let folder = root().join(REAL);
    if !folder.is_dir() {
        println!("{REAL} is not here, so real files are not tested");
        return None;
    }
    Some(folder)
}

/// The real files, by name; none where they are absent.
pub(crate) fn real_files() -> Vec<(String, Vec<u8>)> {
    let found = real_folder().map(|folder| files(&folder)).unwrap_or_default();
    found.into_iter().filter(|(name, _)| !name.ends_with(".md")).collect()
}

/// The texts of a `.lines` file of the cases.
pub(crate) fn lines(name: &str) -> Vec<String> {
    let path = root().join("testdata/o3de-json/cases").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let pictures =
        [("␊", "\n"), ("␉", "\t"), ("␍", "\r"), ("␀", "\0"), ("␟", "\x1f"), ("␌", "\x0c")];
    let whole = |line: &str| {
        pictures.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to))
    };
    text.lines().filter(|line| !line.starts_with("# ")).map(whole).collect()
}

/// The bytes of a `.hex` file of the cases.
#[cfg(feature = "explain")]
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.lines().filter(|line| !line.starts_with('#')).collect();
    gamewire_testkit::vectors::from_hex(&digits.replace(' ', "")).unwrap()
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

/// Space and comments, as people put them.
fn gap() -> impl Strategy<Value = &'static str> {
    let gaps = ["", "", "", " ", "\n", "\n    ", "\r\n\t", " /* a, b */ ", "// c, {\n", "/**/"];
    prop::sample::select(gaps.to_vec())
}

fn string() -> impl Strategy<Value = String> {
    let parts =
        vec!["a", "b", "é", "\\n", "\\u0041", "\\ud83d\\ude00", "/", "~", "//", "{", ",", "\\\""];
    prop::collection::vec(prop::sample::select(parts), 0..4)
        .prop_map(|parts| format!("\"{}\"", parts.concat()))
}

/// JSON text with comments, any layout, names that are there twice.
pub(crate) fn json_text() -> impl Strategy<Value = String> {
    let leaves = vec![
        "null",
        "true",
        "false",
        "{}",
        "[]",
        "0",
        "-0",
        "1",
        "-1.50",
        "1e3",
        "2.5E-7",
        "0.1",
        "18446744073709551615",
        "-9223372036854775808",
        "123456789012345678901234567890",
    ];
    let leaf = prop_oneof![prop::sample::select(leaves).prop_map(str::to_owned), string()];
    json_tree(gap().boxed(), leaf.boxed(), string().boxed())
}

/// JSON text of some leaves and names, with space between them.
pub(crate) fn json_tree(
    gap: BoxedStrategy<&'static str>,
    leaf: BoxedStrategy<String>,
    name: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let spaced = |value: BoxedStrategy<String>, gap: &BoxedStrategy<&'static str>| {
        (gap.clone(), value, gap.clone())
            .prop_map(|(before, value, after)| format!("{before}{value}{after}"))
            .boxed()
    };
    let between = gap.clone();
    let tree = leaf.prop_recursive(4, 40, 6, move |inner| {
        let element = spaced(inner, &between);
        let member = (spaced(name.clone(), &between), element.clone())
            .prop_map(|(name, value)| format!("{name}:{value}"));
        prop_oneof![
            prop::collection::vec(element, 0..6).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member, 0..6)
                .prop_map(|items| format!("{{{}}}", items.join(","))),
        ]
    });
    spaced(tree.boxed(), &gap)
}
