//! Rows that are wrong must fail.

use gamewire_testkit::vectors::Row;
use serde_json::Value as Json;

use crate::vectors::types;

fn row_of(json: Json) -> Row {
    Row { file: "v.jsonl".to_owned(), line: 1, value: json }
}

pub(crate) fn a_row_that_is_wrong_fails() {
    let row = serde_json::json!({
        "type": "vector<int32>", "op": "load", "input": [1, "x", "0x10"],
        "initial": [7], "expect": [7, 1, 16], "outcome": "Unsupported",
    });
    assert_eq!(types::dispatch(&row_of(row.clone())), Ok(()));
    let changes = [
        ("expect", serde_json::json!([7, 1, 17])),
        ("outcome", "Success".into()),
        ("processing", "Halted".into()),
        ("input", serde_json::json!([1, 16])),
        ("initial", serde_json::json!([])),
        ("type", "vector<bool>".into()),
        ("type", "vector<int128>".into()),
    ];
    for (name, value) in changes {
        let mut changed = row.clone();
        changed[name] = value;
        assert!(types::dispatch(&row_of(changed.clone())).is_err(), "{changed}");
    }
    let row = serde_json::json!({
        "type": "int64", "op": "store", "input": i64::MAX, "default": 0,
        "expect": i64::MAX, "outcome": "Success",
    });
    assert_eq!(types::dispatch(&row_of(row.clone())), Ok(()));
    let mut changed = row;
    changed["expect"] = (i64::MAX - 1).into();
    assert!(types::dispatch(&row_of(changed)).is_err());
}
