//! Rows that are wrong must fail.

use std::path::{Path, PathBuf};

use gamewire_testkit::vectors::spoilt::{self, changed, flipped, with};
use gamewire_testkit::vectors::{Row, all_rows};
use serde_json::Value as Json;

use crate::run;
use crate::vectors::tree;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-variant/vectors").join(name)
}

fn rows(name: &str) -> Vec<Row> {
    all_rows(file(name))
}

fn assert_all_fail(rows: &[Json], least: usize) {
    spoilt::assert_all_fail(run, &file("spoilt.jsonl"), rows, least);
}

const ENCODED: [&str; 4] = ["godot4.jsonl", "godot4_double.jsonl", "godot3.jsonl", "docs.jsonl"];

/// Changes the first piece of data in a tree: a number, a bool, or text other than a type.
fn spoil(tree: &mut Json, first: bool) -> bool {
    match tree {
        Json::Bool(value) => *value = !*value,
        Json::Number(_) => *tree = 987.into(),
        Json::String(text) if !first => {
            *text = match text.strip_prefix("i:") {
                Some(_) => "i:987654".into(),
                None if text.is_empty() => "61".into(),
                None if text.is_ascii() => format!("{}{text}", &text[..text.len().min(2)]),
                None => format!("x{text}"),
            };
        }
        Json::Array(items) => {
            return items.iter_mut().enumerate().any(|(at, item)| spoil(item, at == 0));
        }
        Json::Object(members) => {
            return members.get_mut("args").is_some_and(|args| spoil(args, false));
        }
        _ => return false,
    }
    true
}

pub(crate) fn a_changed_byte_fails_every_row_of_encoding() {
    for file in ENCODED {
        let rows = rows(file);
        let rows = rows.iter().filter(|row| {
            row.text("kind") == Some("encode")
                && row.get("error").is_none()
                && row.text("hex").is_some_and(|hex| (2..160).contains(&hex.len()))
        });
        assert_all_fail(&rows.flat_map(flipped).collect::<Vec<_>>(), 1000);
    }
}

pub(crate) fn a_changed_byte_fails_frames_and_notation() {
    for (file, kind) in [("godot4.jsonl", "frame"), ("native_json.jsonl", "native_json")] {
        let rows = rows(file);
        let rows = rows.iter().filter(|row| {
            row.text("kind") == Some(kind)
                && row.text("hex").is_some_and(|hex| hex.len() < 160)
                && !row.name().starts_with("gcpf")
                && !row.name().starts_with("pba_encode_var")
        });
        assert_all_fail(&rows.flat_map(flipped).collect::<Vec<_>>(), 100);
    }
}

pub(crate) fn a_changed_value_fails_the_row() {
    for file in ENCODED {
        let rows = rows(file);
        let spoilt = rows.iter().filter_map(|row| changed(row, "value", |own| spoil(own, true)));
        assert_all_fail(&spoilt.collect::<Vec<_>>(), 50);
    }
}

pub(crate) fn a_changed_notation_fails_the_row() {
    let rows = rows("native_json.jsonl");
    let spoilt = rows.iter().filter_map(|row| changed(row, "json", |own| spoil(own, false)));
    assert_all_fail(&spoilt.collect::<Vec<_>>(), 100);
}

pub(crate) fn another_error_or_length_fails_the_row() {
    let mut spoilt = Vec::new();
    for row in rows("godot4.jsonl") {
        if row.text("error").is_some() && row.text("kind") == Some("decode") {
            spoilt.push(with(&row, "error", "ERR_BUG"));
        } else if let Some(used) = row.get("used").and_then(Json::as_u64) {
            spoilt.push(with(&row, "used", used + 4));
        }
    }
    assert_all_fail(&spoilt, 100);
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

pub(crate) fn a_length_that_is_no_number_fails_the_row() {
    let rows = rows("godot4.jsonl");
    let rows = rows.iter().filter(|row| row.get("used").is_some());
    assert_all_fail(&rows.map(|row| with(row, "used", "all")).collect::<Vec<_>>(), 50);
}
