//! Types that people use, written and read by the five formats and their peers, and the page about it.
//!
//! The test compares docs/compat.md with what it finds. With `MATRIX=write` it writes the page; with
//! `MATRIX=NAME` it prints the errors of the rows whose names begin with `NAME`.

mod attributes;
mod crates;
mod standard;
mod table;

use table::{Outcome, Table};

/// The rows in which one of the five formats may read a value as another, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("f32", "zeze-serialize writes no zero, and with it no sign of it"),
    ("f64", "zeze-serialize writes no zero, and with it no sign of it"),
    ("String", "godot-variant reads no byte order mark at the beginning"),
    ("Option<Vec<u8>>", "kiwi-pclass in files reads what is empty as absent"),
    ("Option<Option<u32>>", "`Some(None)` is `None` in formats that have one null, as in JSON"),
    ("Option<()>", "`Some(())` is `None` in formats that have one null, as in JSON"),
    ("BTreeMap<String, String>", "godot-variant reads no byte order mark at the beginning"),
    ("untagged", "zeze-serialize has one wire type for bool and integers"),
    ("internal tag on a struct", "zeze-serialize reads the tag as a field"),
    ("internal tag on a struct at the root", "zeze-serialize reads the tag as a field"),
    ("internal tag, bytes", "o3de-json reads bytes in serde's buffer as text"),
    ("internal tag, bytes at the root", "o3de-json reads bytes in serde's buffer as text"),
    ("flatten bytes", "o3de-json reads bytes in serde's buffer as text"),
    ("flatten bytes at the root", "o3de-json reads bytes in serde's buffer as text"),
    ("skip_serializing_if zero", "kiwi-pclass reads the next field in its place"),
    ("skip_serializing_if zero at the root", "kiwi-pclass reads the next field in its place"),
];

#[test]
fn the_page_says_what_the_crates_do() {
    let mut table = Table::new();
    standard::rows(&mut table);
    crates::rows(&mut table);
    attributes::rows(&mut table);

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
