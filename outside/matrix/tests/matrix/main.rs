//! Types that people use, written and read by the five formats and their peers, and the page about it.
//!
//! The test compares docs/compat.md with what it finds. With `MATRIX=write` it writes the page; with
//! `MATRIX=NAME` it prints the errors of the rows whose names begin with `NAME`.

mod attributes;
mod crates;
mod parts;
mod standard;
mod table;

use table::{Outcome, Table};

/// The rows in which one of the five formats may read a value as another, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("f32", "zeze-serialize writes no zero, so the sign of one is lost"),
    ("f64", "zeze-serialize writes no zero, so the sign of one is lost"),
    ("Option<Option<u32>>", "`Some(None)` is `None` in formats with one null, as in JSON"),
    ("Option<()>", "`Some(())` is `None` in formats with one null, as in JSON"),
    (
        "serde_with::rust::double_option",
        "zeze-serialize, and kiwi-pclass in files, cannot tell an absent field from `None`",
    ),
    ("serde_with::rust::unwrap_or_skip", "zeze-serialize reads an absent field as zero or `None`"),
    ("serde_json::Value", "in a `Value`, kiwi-pclass has one null for no object and no list"),
    ("untagged", "zeze-serialize has one wire type for bool and integers"),
    ("untagged at the root", "zeze-serialize has one wire type for bool and integers"),
    ("any, empty map", "in a `Value`, kiwi-pclass has one null for no object and no list"),
    (
        "unit variant in untagged",
        "zeze-serialize, and kiwi-pclass in a `Value`, have one type for such variants and integers",
    ),
    (
        "skipped where it is the default",
        "zeze-serialize, and kiwi-pclass in files, read an absent `Option` as `None`",
    ),
    (
        "skipped where it is the default at the root",
        "zeze-serialize, and kiwi-pclass in files, read an absent `Option` as `None`",
    ),
];

#[test]
fn the_page_says_what_the_crates_do() {
    let mut table = Table::new();
    standard::rows(&mut table);
    crates::rows(&mut table);
    attributes::rows(&mut table);
    parts::rows(&mut table);

    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compat.md");
    let page = table.page(DIFFERENT);
    if std::env::var("MATRIX").is_ok_and(|set| set == "write") {
        std::fs::write(&root, &page).unwrap();
    }
    let different: Vec<&str> = table.ours(Outcome::Different).collect();
    let listed: Vec<&str> = DIFFERENT.iter().map(|(row, _)| *row).collect();
    assert_eq!(different, listed, "the rows that differ are those with a reason");
    let stale = std::fs::read_to_string(&root).unwrap_or_default();
    let first = stale.lines().zip(page.lines()).find(|(stale, page)| stale != page);
    assert!(stale == page, "docs/compat.md is stale (MATRIX=write writes it): {first:#?}");
}
