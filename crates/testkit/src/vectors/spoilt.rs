//! Rows made wrong on purpose: a runner that lets one pass checks nothing.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Row, Runner, run_text, to_hex};

/// The vector files of a crate in testdata, sorted; `package` is its `CARGO_MANIFEST_DIR`.
pub fn files(package: &Path) -> Vec<PathBuf> {
    let name = package.file_name().unwrap_or_default();
    let mut found = Vec::new();
    super::suite::collect(&package.join("../../testdata").join(name), &mut found);
    found
}

/// The report of a runner on rows; files that they name are looked for beside `file`.
pub fn report(runner: Runner, file: &Path, rows: &[Value]) -> Vec<String> {
    let text: Vec<String> = rows.iter().map(Value::to_string).collect();
    let mut out = Vec::new();
    run_text(runner, &file.with_file_name("spoilt.jsonl"), &text.join("\n"), &mut out);
    String::from_utf8_lossy(&out).lines().map(str::to_owned).collect()
}

/// The numbers of the lines of which a report says this word: `FAIL` or `SKIP`.
pub fn lines_of(word: &str, report: &[String]) -> HashSet<usize> {
    let number = |line: &String| {
        let (_, rest) = line.strip_prefix(word)?.split_once(".jsonl:")?;
        rest.split(' ').next()?.parse().ok()
    };
    report.iter().filter_map(number).collect()
}

/// Stops with the first row that passes or is skipped, and where there are fewer than `least` rows.
///
/// # Panics
/// As a test does.
pub fn assert_all_fail(runner: Runner, file: &Path, rows: &[Value], least: usize) {
    assert!(rows.len() >= least, "{} rows are too few to say anything", rows.len());
    let failed = lines_of("FAIL", &report(runner, file, rows));
    if let Some(number) = (1..=rows.len()).find(|number| !failed.contains(number)) {
        panic!("passes or is skipped: {}", rows[number - 1]);
    }
}

/// The row with one bit of its bytes changed, for each byte of `hex`.
pub fn flipped(row: &Row) -> impl Iterator<Item = Value> + '_ {
    let bytes = row.hex("hex").unwrap_or_else(|error| panic!("{}: {error}", row.place()));
    (0..bytes.len()).map(move |at| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        with(row, "hex", to_hex(&bytes))
    })
}

/// The row with another value of one field.
pub fn with(row: &Row, field: &str, value: impl Into<Value>) -> Value {
    let mut changed = row.value.clone();
    changed[field] = value.into();
    changed
}

/// The row with one field changed by `change`; `None` where the row has no such field, or `change`
/// found nothing to change.
pub fn changed(row: &Row, field: &str, change: impl FnOnce(&mut Value) -> bool) -> Option<Value> {
    let mut changed = row.value.clone();
    changed.get_mut(field).is_some_and(change).then_some(changed)
}
