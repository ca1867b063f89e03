//! Every row of the vector files: what the engine writes is read and written back the same.

use gamewire_testkit::vectors::{Row, Rows};

use serde::de::IgnoredAny;

use super::*;
use crate::support::testdata;

fn rows() -> impl Iterator<Item = Row> {
    ["godot4", "godot4_double", "godot3", "docs", "native_json"].into_iter().flat_map(|name| {
        let path = testdata(&format!("vectors/{name}.jsonl"));
        Rows::open(path).unwrap().map(|row| row.unwrap())
    })
}

/// The settings with which a row was made.
fn options(row: &Row) -> Options {
    let dialect = match row.text("dialect") {
        Some("docs") => Dialect::Docs,
        _ if row.need_text("engine").unwrap().starts_with('3') => Dialect::Godot3,
        _ => Dialect::Godot4,
    };
    let precision = match row.text("precision") {
        Some("double") => Precision::Double,
        _ => Precision::Single,
    };
    let objects = row.flag("full_objects")
        || row.flag("allow_objects")
        || row.text("kind") == Some("native_json");
    Options::new().dialect(dialect).precision(precision).allow_objects(objects)
}

/// Rows whose text starts with a byte order mark, which every reader strips.
fn has_bom(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|window| window == b"\xef\xbb\xbf")
}

#[test]
fn what_an_engine_writes_is_written_back_the_same() {
    let mut count = 0;
    for row in rows() {
        let kind = row.text("kind").unwrap();
        if !matches!(kind, "encode" | "native_json") || row.get("error").is_some() {
            continue;
        }
        let bytes = row.hex("hex").unwrap();
        if has_bom(&bytes) {
            continue;
        }
        // The rows of one engine, read with its precision and with the width as it comes.
        for options in [options(&row), options(&row).precision(Precision::Keep)] {
            if row.text("dialect") == Some("docs") && row.text("precision") == Some("double") {
                continue;
            }
            let value: Value = options.from_slice(&bytes).unwrap_or_else(|error| {
                panic!("{}: {error}", row.name());
            });
            assert_eq!(options.to_vec(&value).unwrap(), bytes, "{}", row.name());
            let (IgnoredAny, rest) = options.take_from_slice(&bytes).unwrap();
            assert!(rest.is_empty(), "{}", row.name());
            count += 1;
        }
    }
    assert!(count > 1500, "{count} rows");
}

#[test]
fn what_an_engine_reads_is_read() {
    let mut count = [0, 0];
    for row in rows().filter(|row| row.text("kind") == Some("decode")) {
        let options = options(&row);
        let bytes = row.hex("hex").unwrap();
        let read = options.take_from_slice::<Value>(&bytes);
        let skipped = options.take_from_slice::<IgnoredAny>(&bytes);
        // What depends on the classes of a project is left to tests/vectors.rs.
        if row.flag("ok") {
            let (value, rest) = read.unwrap_or_else(|error| panic!("{}: {error}", row.name()));
            assert_eq!(skipped.unwrap().1, rest, "{}", row.name());
            let written = options.to_vec(&value).unwrap();
            let again: Value = options.from_slice(&written).unwrap();
            assert_eq!(options.to_vec(&again).unwrap(), written, "{}", row.name());
            count[0] += 1;
        } else if let Err(error) = read {
            let skipped = skipped.unwrap_err();
            assert_eq!(skipped.kind(), error.kind(), "{}", row.name());
            assert_eq!(skipped.offset(), error.offset(), "{}", row.name());
            if let Some(code) = row.text("error").filter(|_| options_are_real(&row)) {
                assert_eq!(error.engine_code(), Some(code), "{}: {error}", row.name());
            }
            count[1] += 1;
        }
    }
    assert!(count[0] > 350 && count[1] > 450, "{count:?} rows");
}

fn options_are_real(row: &Row) -> bool {
    row.get("engine").is_some()
}
