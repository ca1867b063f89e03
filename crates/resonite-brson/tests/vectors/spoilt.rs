//! Rows that are wrong must fail.

use std::path::{Path, PathBuf};

use gamewire_testkit::vectors::spoilt::{self, with};
use gamewire_testkit::vectors::{Row, all_rows};
use serde_json::{Value as Json, json};

use crate::run;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson/vectors").join(name)
}

/// Another value of the same type, or of another where there is no other.
fn other(value: &Json) -> Json {
    match value {
        Json::Bool(value) => json!(!value),
        Json::Number(number) => json!(number.as_i64().unwrap_or_default() ^ 1),
        Json::String(text) => json!(format!("{text}0")),
        Json::Array(items) => json!(items.len()),
        Json::Object(members) => {
            let mut members = members.clone();
            match members.values_mut().next() {
                Some(first) => *first = other(first),
                None => drop(members.insert("other".to_owned(), json!(1))),
            }
            Json::Object(members)
        }
        Json::Null => json!(1),
    }
}

fn assert_facts_are_checked(name: &str, facts: &[&str], rows: &[Row]) {
    let right: Vec<Json> = rows.iter().map(|row| row.value.clone()).collect();
    let report = spoilt::report(run, &file(name), &right);
    assert_eq!(*report, [format!("{} passed, 0 failed, 0 skipped", right.len())]);
    let mut wrong = Vec::new();
    for row in rows {
        for fact in facts {
            wrong.extend(row.get(fact).map(|value| with(row, fact, other(value))));
        }
        wrong.push(with(row, "no such fact", 1));
    }
    spoilt::assert_all_fail(run, &file(name), &wrong, rows.len());
}

pub(crate) fn another_fact_of_a_page_row_fails() {
    let rows = all_rows(file("page.jsonl"));
    let good: Vec<Row> = rows.iter().filter(|row| row.flag("ok")).cloned().collect();
    let facts = ["ok", "kind", "bson_bytes", "bson_sha256", "json", "int64", "hex"];
    assert_facts_are_checked("page.jsonl", &facts, &good);
}

pub(crate) fn another_fact_of_a_file_fails() {
    let rows = all_rows(file("lamp.jsonl"));
    let facts = [
        "bytes",
        "sha256",
        "is_package",
        "container",
        "bson_bytes",
        "bson_sha256",
        "package",
        "lz4_chunk_count",
        "lzma",
        "bson_types",
        "depth",
        "root_keys",
        "VersionNumber",
        "n_types",
        "slots",
        "components",
        "assets",
        "type_ref_kinds",
        "at_strings",
        "feature_flags",
    ];
    assert_facts_are_checked("lamp.jsonl", &facts, &rows);
}
