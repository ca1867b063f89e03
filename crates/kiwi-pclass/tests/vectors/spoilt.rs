//! Rows that are wrong must fail.

use gamewire_testkit::vectors::spoilt::{self, Silent};
use serde_json::json;

use crate::run;
use crate::vectors::tree;

const SILENT: &[Silent] = &[
    ("agrees_with_digest crosscheck katsuba", |_| true, "what other programs say"),
    ("core_types manual_compression", |_| true, "how the row was made"),
    ("encode_exact", |_| true, "without it less is checked"),
    ("mask flags", |_| true, "no property has the flag"),
    ("error", |c| c.at.is_some(), "the category is advisory"),
    ("hex", |c| c.row.get("error").is_some(), "other bytes are refused alike"),
    ("hex xml", |c| !c.row.flag("encode_exact"), "several spellings of one value"),
];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
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
