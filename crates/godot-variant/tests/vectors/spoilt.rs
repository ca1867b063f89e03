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

pub(crate) fn a_changed_conversion_fails_the_row() {
    let rows = rows("conversions.jsonl");
    let values = rows.iter().filter_map(|row| changed(row, "value", |own| spoil(own, true)));
    assert_all_fail(&values.collect::<Vec<_>>(), 600);
    // Engines give new objects ids of their own.
    let certain = rows.iter().filter(|row| !row.get("value").is_some_and(tree::has_object));
    let written = certain.filter_map(|row| {
        changed(row, "reencoded", |own| {
            // The last byte, which no conversion leaves to chance.
            let text = own.as_str().unwrap_or_default();
            let (rest, last) = text.split_at(text.len().saturating_sub(2));
            *own = format!("{rest}{:02x}", u8::from_str_radix(last, 16).unwrap_or(0) ^ 1).into();
            true
        })
    });
    assert_all_fail(&written.collect::<Vec<_>>(), 800);
    let used = rows.iter().map(|row| with(row, "used", 4));
    assert_all_fail(&used.collect::<Vec<_>>(), 1000);
    let refused = rows.iter().map(|row| with(row, "ok", false));
    assert_all_fail(&refused.collect::<Vec<_>>(), 1000);
}

pub(crate) fn a_changed_file_or_key_fails_the_row() {
    let rows = rows("wrapped.jsonl");
    let short = |row: &&Row| row.text("hex").is_some_and(|hex| hex.len() < 200);
    // The zeros that fill FastLZ up to 16 bytes say nothing, and neither does the head of a gzip block.
    let says = |row: &Row, byte: usize| match row.text("mode") {
        Some("fastlz") => row.text("plain").is_some_and(|plain| plain.len() >= 32),
        Some("gzip") => !(23..30).contains(&byte),
        // Blocks have reserved bits and no check sum.
        Some("zstd") => byte < 25,
        _ => true,
    };
    let spoilt = rows.iter().filter(short).flat_map(|row| {
        let flips = flipped(row).enumerate();
        flips.filter(|(byte, _)| says(row, *byte)).map(|(_, flip)| flip)
    });
    assert_all_fail(&spoilt.collect::<Vec<_>>(), 500);
    assert_all_fail(&rows.iter().map(|row| with(row, "plain", "00000000")).collect::<Vec<_>>(), 50);
    let spoilt = |field, value| {
        let rows = rows.iter().filter(move |row| row.get(field).is_some());
        rows.map(move |row| with(row, field, value)).collect::<Vec<_>>()
    };
    assert_all_fail(&spoilt("password", "Pw"), 10);
    const OTHER_KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";
    assert_all_fail(&spoilt("key", OTHER_KEY), 5);
    assert_all_fail(&spoilt("mode", "brotli"), 20);
}

pub(crate) fn a_changed_text_fails_the_row() {
    let rows = rows("text.jsonl");
    let short = |row: &&Row| row.text("hex").is_some_and(|hex| (2..120).contains(&hex.len()));
    let flipped = rows.iter().filter(short).flat_map(|row| {
        // The lowest bit of a component may be lost among the digits of the text.
        flipped(row).take(1)
    });
    assert_all_fail(&flipped.collect::<Vec<_>>(), 100);
    let changed = |field| {
        rows.iter().filter_map(move |row| {
            changed(row, field, |own| {
                let text = own.as_str().unwrap_or_default();
                *own = match field {
                    "back" => format!("{text}00000000"),
                    _ => format!("{text} "),
                }
                .into();
                true
            })
        })
    };
    assert_all_fail(&changed("text").collect::<Vec<_>>(), 200);
    assert_all_fail(&changed("back").collect::<Vec<_>>(), 200);
}
