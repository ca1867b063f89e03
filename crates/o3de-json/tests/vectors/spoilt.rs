//! Rows that are wrong must fail.

use gamewire_testkit::vectors::Row;
use serde_json::Value as Json;

use crate::vectors::types;

fn row_of(json: Json) -> Row {
    Row { file: "v.jsonl".to_owned(), line: 1, value: json }
}

/// Every row of `composed.jsonl` holds, and none with another leaf in its `expect`.
pub(crate) fn a_row_that_is_wrong_fails() {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/o3de-json/vectors/composed.jsonl");
    for row in gamewire_testkit::vectors::all_rows(file) {
        assert_eq!(types::dispatch(&row), Ok(()), "{}", row.value);
        for expect in spoilt(row.need("expect").unwrap()) {
            let mut changed = row.value.clone();
            changed["expect"] = expect;
            assert!(types::dispatch(&row_of(changed.clone())).is_err(), "{changed}");
        }
    }
    let row = serde_json::json!({
        "type": "vector<int32>", "op": "load", "input": [1, "x", "0x10"],
        "initial": [7], "expect": [7, 1, 16], "outcome": "Unsupported",
    });
    assert_eq!(types::dispatch(&row_of(row.clone())), Ok(()));
    let changes = [
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
}

/// The same with each of its leaves, in turn, another one.
fn spoilt(json: &Json) -> Vec<Json> {
    match json {
        Json::Array(items) => {
            let inside = |at: usize| spoilt(&items[at]).into_iter().map(move |leaf| (at, leaf));
            let changed = (0..items.len()).flat_map(inside).map(|(at, leaf)| {
                let mut items = items.clone();
                items[at] = leaf;
                items.into()
            });
            changed.chain([items.iter().cloned().chain([Json::Null]).collect()]).collect()
        }
        Json::Bool(value) => vec![(!value).into()],
        Json::Number(number) if number.is_u64() => vec![(number.as_u64().unwrap() ^ 1).into()],
        Json::Number(number) => vec![(number.as_f64().unwrap() + 1.0).into()],
        Json::String(text) => vec![format!("{text}x").into()],
        _ => vec![7.into()],
    }
}

pub(crate) fn any_composed_type_is_a_type() {
    let types = "vector<int32> fixed_vector<vector<string>,16> array<tuple<int32,double*>,3> \
        map<string,vector<map<int32,shared_ptr<BaseClass>>>> variant<int32,float> \
        tuple<bool,int8,uint16,unordered_set<name>> vector<BaseClass*> \
        unordered_multimap<enum(ExampleEnum),TemplatedClass<int32>>";
    for name in types.split(' ') {
        assert!(types::parse(name, false).is_ok(), "{name}");
    }
    let none = "; vector; vector<>; vector<int32; vector<int32,float>; map<int32>; int128; \
        array<int32>; array<int32,int32>; array<int32,2,2>; fixed_vector<int32>; int32>; \
        pair<int32>; vector<int32>,float; shared_ptr<int32,int32>; int32<float>; \
        std map<int32,int32>; array of 2<int32>; optional";
    for name in none.split("; ") {
        assert!(types::parse(name, false).is_err(), "{name}");
    }
    assert_eq!(types::parse("BaseClass*", false), types::parse("shared_ptr<BaseClass>", false));
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
