//! Rows that are wrong must fail.

use gamewire_testkit::vectors::Row;
use gamewire_testkit::vectors::spoilt::{self, Silent};
use serde_json::Value as Json;

use crate::run;
use crate::vectors::types;

const SILENT: &[Silent] = &[
    ("input initial type", |c| !is_composed(c.row), "many give the same"),
    ("default keep_defaults default_string string_type", |_| true, "the default is often the same"),
    ("conformance derived example", |_| true, "how the row was made"),
    ("tolerance", |_| true, "most numbers are exact"),
    ("enum base registered files restores_to_input", |_| true, "more than the row needs"),
    ("outcome", |c| c.row.text("outcome").is_some_and(|own| own.contains('|')), "one of them"),
    ("processing", |c| c.row.text("op") == Some("store"), "of loading"),
    ("expect", |c| c.row.value["expect"].get("$absent").is_some(), "other members"),
    ("expect", |c| c.row.get("tolerance").is_some(), "digits within the tolerance"),
    ("expect", |c| c.row.text("type") == Some("float"), "digits that a float has not"),
    ("expect", |c| c.row.value["expect"].is_null(), "nothing is said"),
    ("expect", |c| has_class(c.row), "defaults"),
    ("expect", |c| c.row.text("op") == Some("read_json"), "the words of an error"),
];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
}

fn is_composed(row: &Row) -> bool {
    row.file.ends_with("composed.jsonl")
}

fn has_class(row: &Row) -> bool {
    !is_composed(row) && row.text("type").is_some_and(|name| name.contains("Class"))
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

fn row_of(json: Json) -> Row {
    Row { file: "v.jsonl".to_owned(), line: 1, value: json }
}
