//! Rows that are wrong must fail.

use gamewire_testkit::vectors::Row;
use serde_json::Value as Json;

use crate::vectors::types::{self, Type};

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

pub(crate) fn any_composed_type_is_a_type() {
    for name in [
        "vector<int32>",
        "fixed_vector<vector<string>,16>",
        "map<string,vector<map<int32,shared_ptr<BaseClass>>>>",
        "array<tuple<int32,double*>,3>",
        "tuple<bool,int8,uint16,unordered_set<name>>",
        "unordered_multimap<enum(ExampleEnum),TemplatedClass<int32>>",
        "variant<int32,float>",
    ] {
        assert!(Type::parse(name, false).is_ok(), "{name}");
    }
    for name in [
        "",
        "vector",
        "vector<>",
        "vector<int32",
        "vector<int32,float>",
        "map<int32>",
        "int128",
        "array<int32>",
        "array<int32,int32>",
        "array<int32,2,2>",
        "fixed_vector<int32>",
        "int32>",
        "pair<int32>",
        "vector<int32>,float",
        "shared_ptr<int32,int32>",
        "int32<float>",
        "std map<int32,int32>",
    ] {
        assert!(Type::parse(name, false).is_err(), "{name}");
    }
}

pub(crate) fn composed_types_are_checked_all_the_way_down() {
    let row = |name: &str, input: Json, expect: Json| {
        serde_json::json!({
            "type": name, "op": "load", "input": input, "expect": expect, "outcome": "Success",
        })
    };
    let rows = [
        row(
            "map<string,vector<int32*>>",
            serde_json::json!({"a": [1, null], "b": []}),
            serde_json::json!([["a", [1, null]], ["b", []]]),
        ),
        row(
            "unordered_map<string,fixed_vector<pair<uint64,bool>,4>>",
            serde_json::json!({"k": [[u64::MAX, true]]}),
            serde_json::json!([["k", [[u64::MAX, true]]]]),
        ),
        row(
            "vector<array<tuple<int32,double,string>,2>>",
            serde_json::json!([[[1, 0.5, "x"], [2, 1.5, "y"]]]),
            serde_json::json!([[[1, 0.5, "x"], [2, 1.5, "y"]]]),
        ),
    ];
    for row in rows {
        assert_eq!(types::dispatch(&row_of(row.clone())), Ok(()), "{row}");
        for (old, new) in
            [("1,null", "2,null"), ("true", "false"), ("\"y\"", "\"z\""), ("1.5,", "2.5,")]
        {
            let expect = row["expect"].to_string();
            if expect.contains(old) {
                let mut changed = row.clone();
                changed["expect"] = serde_json::from_str(&expect.replacen(old, new, 1)).unwrap();
                assert!(types::dispatch(&row_of(changed.clone())).is_err(), "{changed}");
            }
        }
    }
}

pub(crate) fn parts_that_a_type_lacks_fail_the_row() {
    let row = |name: &str, expect: Json| {
        serde_json::json!({
            "type": name, "op": "store", "input": expect, "expect": [], "outcome": "Success",
        })
    };
    for (name, input, message) in [
        ("pair<int32,int32>", serde_json::json!([1, 2, 3]), "a tuple of this length"),
        ("SimpleClass", serde_json::json!({"var3": 1}), "no field `var3`"),
        ("any", serde_json::json!({"$type": "int", "value": 1, "more": 1}), "no field `more`"),
    ] {
        let error = types::dispatch(&row_of(row(name, input))).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert!(types::close(&serde_json::json!([1]), &serde_json::json!([1]), 0.5));
    assert!(!types::close(&serde_json::json!(1), &serde_json::json!(1.0), 0.5));
    let neighbours = [9_007_199_254_740_992_u64, 9_007_199_254_740_993];
    assert!(!types::close(&neighbours[0].into(), &neighbours[1].into(), 0.0));
}
