//! Rows that are wrong must fail.

use gamewire_testkit::vectors::Row;
use gamewire_testkit::vectors::spoilt::{self, Change, Silent};

use crate::run;
use crate::vectors::tree;

const SILENT: &[Silent] = &[
    ("engine engine_messages expr reading reencoded_same", |_| true, "how the row was made"),
    ("nondeterministic padding_garbage hex_raw", |_| true, "about bytes left to chance"),
    ("full_objects allow_objects", |_| true, "most values have no objects"),
    ("precision", |c| kind(c) == "frame", "frames without floats"),
    ("hex", |c| kind(c) == "decode", "other bytes are refused or read alike"),
    ("hex", |c| kind(c) == "text" && c.at > Some(1), "low bits are lost in the text"),
    ("hex", |c| kind(c) == "encode" && !is_told(c.row), "the row does not tell the value"),
    ("hex", |c| c.row.name().starts_with("pba_encode_var"), "bytes in front of the value"),
    ("text", |c| kind(c) == "config" && is_passed_over(c.row), "comments, and what engines drop"),
    ("back values", |c| kind(c) == "config" && !c.row.flag("ok"), "the text is refused"),
    ("hex", is_padding, "fills a block, or is reserved in it"),
    ("value", |c| c.row.value["value"].to_string().contains("(x"), "names of columns are told"),
    ("reencoded", |c| tree::has_object(&c.row.value["value"]), "engines choose ids of objects"),
];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
}

fn kind<'a>(change: &Change<'a>) -> &'a str {
    change.row.text("kind").unwrap_or_default()
}

fn is_told(row: &Row) -> bool {
    let is_short = row.text("hex").is_some_and(|digits| (2..160).contains(&digits.len()));
    is_short || row.get("value").is_some_and(|value| !tree::has_object(value))
}

/// Rows by hand have no values, or comments; typed containers with an element of another type are empty.
fn is_passed_over(row: &Row) -> bool {
    let text = row.text("text").unwrap_or_default();
    row.name().starts_with('q') || text.contains("Dictionary[int, int]")
}

fn is_padding(change: &Change<'_>) -> bool {
    let byte = change.at.unwrap_or_default() / 2;
    match change.row.text("mode") {
        Some("fastlz") => change.row.text("plain").is_some_and(|plain| plain.len() < 32),
        Some("zstd") => byte >= 25,
        Some("gzip") => (23..30).contains(&byte),
        // The size of a block that the file does not fill, and the head of gzip.
        _ => change.row.name().starts_with("gcpf") && matches!(byte, 8..12 | 23..30),
    }
}

pub(crate) fn a_neighbour_of_a_large_integer_fails_the_row() {
    // Both are 2^53 as a float.
    let expected = serde_json::json!([9_007_199_254_740_993_u64]);
    let found = serde_json::json!([9_007_199_254_740_992_u64]);
    assert!(tree::same_json(&expected, &found).is_err());
    assert_eq!(tree::same_json(&expected, &expected), Ok(()));
    assert!(tree::same_json(&serde_json::json!(1), &serde_json::json!(1.0)).is_err());
    assert_eq!(tree::same_json(&serde_json::json!(-0.0), &serde_json::json!(0.0)), Ok(()));
}
