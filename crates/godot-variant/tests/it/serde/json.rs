//! The same types in another serde format: readable arrays, numbers and text.

use std::collections::BTreeMap;

use super::*;

#[test]
fn native_types_are_readable_in_json() {
    let mut natives = Natives::sample();
    natives.any = vec![Value::from(1.5), "text".into(), Value::Nil].into();
    let json = serde_json::to_string_pretty(&natives).unwrap();
    assert_snapshot_above!(json);
    assert_eq!(serde_json::from_str::<Natives>(&json).unwrap(), natives);
    let value = serde_json::to_value(&natives).unwrap();
    assert_eq!(serde_json::from_value::<Natives>(value).unwrap(), natives);
}

#[test]
fn native_types_pass_through_the_buffers_of_json() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Natives(Natives),
        Moved { to: Vector3 },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Log {
        id: i64,
        #[serde(flatten)]
        event: Event,
    }
    let natives = Natives { any: Value::from(5), ..Natives::sample() };
    for event in [Event::Natives(natives), Event::Moved { to: Vector3::new(1.0, 2.0, 3.0) }] {
        let log = Log { id: 1, event };
        let json = serde_json::to_string(&log).unwrap();
        assert_eq!(serde_json::from_str::<Log>(&json).unwrap(), log, "{json}");
        // From JSON to Godot and back.
        assert_eq!(from_slice::<Log>(&to_vec(&log).unwrap()).unwrap(), log);
    }
}

#[test]
fn keys_of_maps_in_json() {
    let names = BTreeMap::from([(StringName::new("a"), 1)]);
    let json = serde_json::to_string(&names).unwrap();
    assert_eq!(json, r#"{"a":1}"#);
    assert_eq!(serde_json::from_str::<BTreeMap<StringName, i64>>(&json).unwrap(), names);
    let paths = BTreeMap::from([(NodePath::new("a/b:c"), 1)]);
    let json = serde_json::to_string(&paths).unwrap();
    assert_eq!(json, r#"{"a/b:c":1}"#);
    assert_eq!(serde_json::from_str::<BTreeMap<NodePath, i64>>(&json).unwrap(), paths);
}

#[test]
fn a_value_in_json() {
    let value: Value = [
        ("nil", Value::Nil),
        ("int", 5.into()),
        ("float", 0.5.into()),
        ("text", "a".into()),
        ("list", vec![1, 2].into()),
        ("vector", Vector2::new(1.0, 2.0).into()),
        ("bytes", PackedByteArray(vec![1, 2]).into()),
        ("name", StringName::new("n").into()),
        ("object", ObjectId(5).into()),
    ]
    .into_iter()
    .collect();
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(
        json,
        r#"{"nil":null,"int":5,"float":0.5,"text":"a","list":[1,2],"vector":[1.0,2.0],"bytes":[1,2],"name":"n","object":5}"#
    );
    let back: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        format!("{back:?}"),
        r#"{"nil": null, "int": 5, "float": 0.5, "text": "a", "list": [1, 2], "vector": [1.0, 2.0], "bytes": [1, 2], "name": "n", "object": 5}"#
    );
    // JSON has no keys but text.
    let keys: Value = [(Value::from(5), 1), (Value::from(true), 2)].into_iter().collect();
    assert_eq!(serde_json::to_string(&keys).unwrap(), r#"{"5":1,"true":2}"#);
    let cells: Value = [(Vector2i::new(1, 2), 1)].into_iter().collect();
    assert_eq!(serde_json::to_string(&cells).unwrap_err().to_string(), "key must be a string");
    // Deep values are refused before the stack ends.
    let deep = crate::support::nested(200);
    assert_eq!(
        serde_json::to_string(&deep).unwrap_err().to_string(),
        "nested deeper than 128 levels"
    );
}

#[test]
fn errors_of_other_formats_say_what_was_expected() {
    fn error<T: serde::de::DeserializeOwned + std::fmt::Debug>(json: &str) -> String {
        serde_json::from_str::<T>(json).unwrap_err().to_string()
    }
    let vectors = ["[1, 2]", "[1, 2, 3, 4]", "5", r#"{"x": 1}"#, r#"[1, "x", 3]"#];
    let mut said: Vec<String> = vectors.into_iter().map(error::<Vector3>).collect();
    said.push(error::<PackedByteArray>("[256]"));
    said.push(error::<Value>("18446744073709551615"));
    said.push(error::<Rid>(r#""5""#));
    said.push(error::<NodePath>("5"));
    said.push(error::<Signal>(r#"{"nam": "x"}"#));
    assert_snapshot_above!(said.join("\n"));
}
