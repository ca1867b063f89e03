//! Rows that are wrong must fail.

use std::path::{Path, PathBuf};

use gamewire_testkit::vectors::spoilt::{self, flipped, with};
use gamewire_testkit::vectors::{Row, all_rows};
use serde_json::{Value as Json, json};

use crate::run;
use crate::vectors::tree;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-pclass/vectors").join(name)
}

fn assert_all_fail(rows: &[Json], least: usize) {
    spoilt::assert_all_fail(run, &file("spoilt.jsonl"), rows, least);
}

/// Rows whose bytes are the only ones for their value.
fn exact() -> Vec<Row> {
    let rows = all_rows(file("vectors.jsonl")).into_iter();
    rows.filter(|row| row.flag("encode_exact") && row.get("error").is_none()).collect()
}

pub(crate) fn a_changed_byte_fails_the_row() {
    let rows = exact();
    let rows = rows.iter().filter(|row| row.text("hex").is_some_and(|hex| hex.len() < 100));
    assert_all_fail(&rows.flat_map(flipped).collect::<Vec<_>>(), 1000);
}

pub(crate) fn another_value_fails_the_row() {
    let mut spoilt = Vec::new();
    for row in exact() {
        let members = row.get("value").and_then(Json::as_object).unwrap();
        for (name, value) in members {
            let other = match value {
                Json::Number(number) if number.is_f64() => {
                    json!(f64::from_bits(number.as_f64().unwrap().to_bits() ^ 1))
                }
                Json::Number(_) => json!(f64::MAX),
                Json::String(text) => json!(format!("{text}x")),
                Json::Bool(value) => json!(!value),
                _ => continue,
            };
            let mut changed = row.value.clone();
            changed["value"][name] = other;
            spoilt.push(changed);
        }
        let mut changed = row.value.clone();
        changed["value"]["no such property"] = json!(0);
        spoilt.push(changed);
    }
    assert_all_fail(&spoilt, 100);
}

pub(crate) fn other_hashes_and_payloads_fail_the_row() {
    let mut spoilt = Vec::new();
    for (name, fields) in [
        ("hashes.jsonl", ["string_id", "djb2", "property_hash"]),
        ("envelope.jsonl", ["payload", "", ""]),
    ] {
        for row in all_rows(file(name)) {
            for field in fields {
                match row.get(field) {
                    Some(Json::Number(number)) => {
                        spoilt.push(with(&row, field, number.as_u64().unwrap() ^ 1));
                    }
                    Some(Json::String(digits)) if row.get("error").is_none() => {
                        spoilt.push(with(&row, field, format!("{digits}00")));
                    }
                    _ => {}
                }
            }
        }
    }
    assert_all_fail(&spoilt, 50);
}

pub(crate) fn integers_are_not_compared_as_floats() {
    let large = |number: u64| json!({ "a": [number] });
    // Both are 2^53 as a float.
    assert!(tree::same(&large(9_007_199_254_740_993), &large(9_007_199_254_740_992)).is_err());
    assert_eq!(tree::same(&large(u64::MAX), &large(u64::MAX)), Ok(()));
    assert!(
        tree::same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992.0)).is_err()
    );
    assert!(tree::same(&json!(1), &json!(1.0)).is_err());
    assert!(tree::same(&json!(0.0), &json!(-0.0)).is_err());
}
