//! Rows that are wrong fail.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gamewire_testkit::vectors::spoilt::{self, changed, flipped, lines_of, with};
use gamewire_testkit::vectors::{Row, all_rows, to_hex};
use serde_json::Value as Json;

use crate::run;

fn files() -> Vec<PathBuf> {
    spoilt::files(Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// All rows of all files that are not skipped: what is not followed is skipped whatever a row says.
fn rows() -> Vec<Row> {
    static FOLLOWED: OnceLock<Vec<bool>> = OnceLock::new();
    let rows = every_row();
    let followed = FOLLOWED.get_or_init(|| {
        let json: Vec<Json> = rows.iter().map(|row| row.value.clone()).collect();
        let skipped = lines_of("SKIP", &verdicts(&json));
        (1..=rows.len()).map(|number| !skipped.contains(&number)).collect()
    });
    rows.into_iter().zip(followed).filter(|(_, followed)| **followed).map(|(row, _)| row).collect()
}

fn every_row() -> Vec<Row> {
    let rows: Vec<Row> = files().iter().flat_map(all_rows).collect();
    assert!(rows.len() > 1000);
    rows
}

fn of_kind(kinds: &[&str]) -> impl Iterator<Item = Row> {
    rows().into_iter().filter(move |row| kinds.contains(&row.text("kind").unwrap()))
}

/// What the runner says of rows.
fn verdicts(rows: &[Json]) -> Vec<String> {
    spoilt::report(run, Path::new("rows.jsonl"), rows)
}

fn assert_all_fail(rows: &[Json]) {
    spoilt::assert_all_fail(run, Path::new("rows.jsonl"), rows, 20);
}

/// Changes the first piece of data in a notation; false where there is none.
fn spoil(json: &mut Json) -> bool {
    match json {
        Json::Bool(value) => *value = !*value,
        Json::Number(number) => *json = (i64::from(number.as_i64() == Some(1)) + 1).into(),
        Json::String(text) => {
            let (head, tail) = text.split_once(':').unwrap_or(("", text));
            *text = match head {
                "f32" | "f64" => {
                    // Another exponent, so that it is another number in every width.
                    let digit = if tail.starts_with('3') { '4' } else { '3' };
                    format!("{head}:{digit}{}", tail.get(1..).unwrap_or_default())
                }
                "hex" => format!("hex:61{tail}"),
                _ => format!("{text}x"),
            };
        }
        Json::Array(items) => return items.iter_mut().any(spoil),
        Json::Object(members) => {
            return members
                .iter_mut()
                .any(|(name, value)| !name.starts_with("$bean") && spoil(value));
        }
        Json::Null => return false,
    }
    true
}

pub(crate) fn a_changed_byte_fails_every_row_with_canonical_bytes() {
    let kinds = "int uint32 uint64 float double bytes string tag list_header map_header bean list map \
                 dynamic vector2 vector2int vector3 vector3int vector4 protocol rpc page_frame";
    for kind in kinds.split(' ') {
        let rows: Vec<Row> = of_kind(&[kind])
            .filter(|row| row.get("decoded").is_none() && row.text("hex").unwrap().len() < 200)
            .take(60)
            .collect();
        assert_all_fail(&rows.iter().flat_map(flipped).collect::<Vec<_>>());
    }
}

pub(crate) fn a_changed_value_fails_the_row() {
    for name in ["value", "result", "java_result", "lenient_result"] {
        let spoilt = rows().iter().filter_map(|row| changed(row, name, spoil)).collect::<Vec<_>>();
        assert_all_fail(&spoilt);
    }
}

pub(crate) fn another_length_fails_the_row() {
    for name in ["consumed", "skip_consumed", "lenient_consumed"] {
        let mut spoilt = Vec::new();
        for row in rows() {
            if let Some(length) = row.get(name).and_then(Json::as_u64) {
                spoilt.push(with(&row, name, length + 1));
            }
        }
        assert_all_fail(&spoilt);
    }
}

pub(crate) fn another_outcome_fails_the_row() {
    let mut spoilt = Vec::new();
    for row in of_kind(&["convert", "evolve", "malformed", "int_decode"]) {
        let mut changed = row.value.clone();
        let members = changed.as_object_mut().unwrap();
        let is_error = members.remove("error").is_some() | members.remove("java_error").is_some();
        if is_error {
            // What fails in Java is said to give something.
            let value = match row.text("kind").unwrap() {
                "convert" => ("result", "none".into()),
                "malformed" => ("java_result", Json::Null),
                _ => ("value", Json::Null),
            };
            members.insert(value.0.into(), value.1);
            spoilt.push(changed);
        }
    }
    // Some have what is refused whatever Java gives.
    let out = verdicts(&spoilt);
    assert!(out.last().unwrap().starts_with("0 passed, "), "{:?}", out.last());
    assert!(lines_of("FAIL", &out).len() > spoilt.len() / 10 * 9);
}

pub(crate) fn other_bytes_of_the_unknown_fail_the_row() {
    for name in ["unknown", "reencoded"] {
        let mut spoilt = Vec::new();
        for row in of_kind(&["evolve"]) {
            let Some(digits) = row.text(name).filter(|digits| !digits.is_empty()) else { continue };
            let mut bytes = gamewire_testkit::vectors::from_hex(digits).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            spoilt.push(with(&row, name, to_hex(&bytes)));
        }
        assert_all_fail(&spoilt);
    }
}

pub(crate) fn other_ids_of_frames_and_hashes_fail_the_row() {
    let mut spoilt = Vec::new();
    for row in of_kind(&["protocol", "rpc", "page_frame"]) {
        for name in ["moduleId", "protocolId", "resultCode", "sessionId", "typeId", "familyClass"] {
            if let Some(number) = row.get(name).and_then(Json::as_i64) {
                spoilt.push(with(&row, name, number ^ 1));
            }
        }
    }
    for row in of_kind(&["fixedhash64", "hash_string", "hash_bytes", "hash_long"]) {
        spoilt.push(with(&row, "value", row.get("value").unwrap().as_i64().unwrap() ^ 1));
    }
    assert_all_fail(&spoilt);
}

pub(crate) fn a_spelling_that_is_no_notation_fails_the_row() {
    let mut spoilt = Vec::new();
    for row in of_kind(&["float", "double"]) {
        let text = row.text("value").unwrap();
        let (head, digits) = text.split_once(':').unwrap();
        // A digit too many, one too few, a sign that a parser of numbers takes.
        spoilt.push(with(&row, "value", format!("{head}:0{digits}")));
        spoilt.push(with(&row, "value", format!("{head}:{}", &digits[1..])));
        spoilt.push(with(&row, "value", format!("{head}:+{}", &digits[1..])));
    }
    assert_all_fail(&spoilt);
}

pub(crate) fn a_member_that_the_schema_lacks_fails_the_row() {
    let mut spoilt = Vec::new();
    for row in of_kind(&["bean", "evolve"]) {
        for name in ["value", "decoded", "lenient_result"] {
            spoilt.extend(changed(&row, name, |value| {
                let members = value.as_object_mut();
                members.is_some_and(|own| own.insert("other".to_owned(), 0.into()).is_none())
            }));
        }
    }
    assert_all_fail(&spoilt);
}

/// Gives the first dynamic in a notation another class; false where there is none.
fn rename_bean(json: &mut Json) -> bool {
    match json {
        Json::Array(items) => items.iter_mut().any(rename_bean),
        Json::Object(members) => match members.get_mut("$bean") {
            Some(name) => {
                *name = "Other".into();
                true
            }
            None => members.values_mut().any(rename_bean),
        },
        _ => false,
    }
}

pub(crate) fn another_class_of_a_dynamic_fails_the_row() {
    let spoilt = of_kind(&["bean"]).filter_map(|row| changed(&row, "value", rename_bean));
    assert_all_fail(&spoilt.collect::<Vec<_>>());
}
