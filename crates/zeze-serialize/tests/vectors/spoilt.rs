//! Rows that are wrong must fail.

use gamewire_testkit::vectors::spoilt::{self, Change, Silent};
use gamewire_testkit::vectors::{Row, all_rows};

use crate::{run, scalar};

const SILENT: &[Silent] = &[
    ("error java_error lenient_error", |c| c.at.is_some(), "the words are Java's"),
    ("message java_message java_readback producer", |_| true, "how the row was made"),
    ("skipuint_consumed value_utf16", |_| true, "of calls that only Java has"),
    ("lenient_error", |c| c.row.get("java_error").is_some(), "`java_error` says so too"),
    ("lenient_error", |c| c.row.get("error").is_some(), "`error` says so too"),
    ("kind", |c| c.row.file.ends_with("tree.jsonl"), "the type says it"),
    ("hex", |c| ["convert", "malformed", "string_java_only"].contains(&kind(c)), "read alike"),
    ("hex", |c| c.row.get("error").is_some(), "other bytes are refused alike"),
    ("hex", |c| c.row.text("unknown").is_some() || leaves_out(c.row), "unknown fields"),
    ("hex", |c| kind(c) == "uint_decode", "bits above 32 are dropped"),
    ("schema", |c| c.row.get("error").or(c.row.get("java_error")).is_some(), "refused by both"),
    ("to", |c| c.row.text("hex") == Some("140000") || is_dynamic(c.row), "no element has the type"),
    ("unknown", |c| c.row.text("unknown").is_none(), "nothing is said"),
];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
}

fn kind<'a>(change: &Change<'a>) -> &'a str {
    change.row.text("kind").unwrap_or_default()
}

fn leaves_out(row: &Row) -> bool {
    row.text("reencoded").is_some_and(|own| row.text("hex") != Some(own))
}

fn is_dynamic(row: &Row) -> bool {
    row.text("to").is_some_and(|to| to.starts_with("dynamic"))
}

pub(crate) fn a_spelling_that_is_no_notation_fails_the_row() {
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/zeze-serialize/vectors");
    for row in all_rows(format!("{files}/scalar.jsonl")) {
        let Some(kind @ ("float" | "double")) = row.text("kind") else { continue };
        let (head, digits) = row.text("value").unwrap().split_once(':').unwrap();
        // A digit too many, one too few, a sign that a parser of numbers takes.
        for other in [format!("0{digits}"), digits[1..].to_owned(), format!("+{}", &digits[1..])] {
            let mut changed = row.clone();
            changed.value["value"] = format!("{head}:{other}").into();
            assert!(scalar(&changed, kind).is_err(), "{}", changed.value);
        }
    }
}
