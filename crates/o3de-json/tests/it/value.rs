//! `Value`: access, equality, order, depth, other formats.

use gamewire_testkit::on_small_stack;
use o3de_json::value::{Array, Document, Number, Object, Text};
use o3de_json::{Options, Value, json};
use proptest::prelude::*;

use crate::support::{json_text, value};

#[test]
fn numbers_know_their_kind() {
    let kinds = |text: &str| {
        let value = value(text);
        let number = value.as_number().unwrap();
        (number.as_i64(), number.as_u64(), number.as_f64(), number.is_integer())
    };
    assert_eq!(kinds("1"), (Some(1), Some(1), 1.0, true));
    assert_eq!(kinds("1.0"), (None, None, 1.0, false));
    assert_eq!(kinds("-1"), (Some(-1), None, -1.0, true));
    assert_eq!(kinds("18446744073709551615"), (None, Some(u64::MAX), u64::MAX as f64, true));
    assert_eq!(kinds("18446744073709551616"), (None, None, 18446744073709551616.0, false));
    assert_eq!(kinds("-9223372036854775808"), (Some(i64::MIN), None, i64::MIN as f64, true));
    assert_eq!(kinds("-9223372036854775809"), (None, None, -9223372036854775809.0, false));
}

/// Digits that wrap in 64 bits would look like a small number.
#[test]
fn doubles_of_many_digits_are_the_nearest() {
    let all = [
        "-9223372036854775809",
        "-9999999999999999999",
        "1844674407370955161.7",
        "18446744073709551617.0",
        "18446744073709551617e0",
        "-184467440737095516.17e-1",
    ];
    for text in all {
        let right: f64 = text.parse().unwrap();
        assert_eq!(o3de_json::from_str::<f64>(text).unwrap(), right, "{text}");
        assert_eq!(value(text).as_f64(), Some(right), "{text}");
    }
}

#[test]
fn equality_is_of_characters_and_sameness_of_meaning() {
    let pairs = [
        ("1", "1.0", false, true),
        ("1.5", "1.50", false, true),
        ("9007199254740993", "9007199254740992", false, false),
        ("18446744073709551615", "18446744073709551614", false, false),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, false, true),
        (r#"{"a":1}"#, r#"{"a":1,"a":1}"#, false, false),
        ("[1,2]", "[2,1]", false, false),
        ("[]", "{}", false, false),
        ("\"a\"", "\"\\u0061\"", true, true),
        ("null", "false", false, false),
    ];
    for (a, b, equal, same) in pairs {
        let (left, right) = (value(a), value(b));
        assert_eq!(left == right, equal, "{a} == {b}");
        assert_eq!(left.same(&right), same, "{a} same {b}");
        assert_eq!(right.same(&left), same, "{b} same {a}");
    }
    assert_eq!(Value::from(1), value("1"));
    assert_eq!(Value::from(1.0), value("1.0"));
    assert_ne!(Value::from(1.0), value("1"));
}

#[test]
fn pointers_follow_the_engine() {
    let mut value = value(r#"{"a/b":[{"~":1},2],"":3,"0":4}"#);
    assert_eq!(value.pointer("/a~1b/0/~0").unwrap(), &Value::from(1));
    assert_eq!(value.pointer("/").unwrap(), &Value::from(3));
    assert_eq!(value.pointer("/0").unwrap(), &Value::from(4));
    assert_eq!(value.pointer("").unwrap(), &value);
    for wrong in ["a", "/a~1b/01", "/a~1b/-", "/a~1b/2", "/a~1b/+1", "/~", "/~2", "/0/0", "#/0/0"] {
        assert_eq!(value.pointer(wrong), None, "{wrong}");
    }
    *value.pointer_mut("/a~1b/1").unwrap() = "x".into();
    assert_eq!(value["a/b"][1], "x");
}

#[test]
fn objects_and_arrays_are_changed() {
    let mut object = Object::new();
    assert_eq!(object.insert("a", 1), None);
    object.push("b", true);
    object.push("a", 3);
    assert_eq!(object.insert("a", 2), Some(Value::from(1)));
    assert_eq!(object.remove("a"), Some(Value::from(2)));
    assert_eq!(object.get("a"), Some(&Value::from(3)));
    assert_eq!(object.keys().map(Text::as_str).collect::<Vec<_>>(), ["b", "a"]);
    object.iter_mut().for_each(|(_, value)| *value = value.take());
    let array: Array = vec![Value::from(object), Value::from(())].into();
    assert_eq!(format!("{:?}", Value::from(array)), r#"[{"b": true, "a": 3}, null]"#);
    let value: Value = [("x", vec![0.5]), ("y", vec![])].into_iter().collect();
    assert_eq!(format!("{value:#?}"), "{\n    \"x\": [\n        0.5\n    ],\n    \"y\": []\n}");
}

#[test]
fn text_can_leave_its_document() {
    let value = value(r#"{"name":"a long text"}"#);
    let text = match &value["name"] {
        Value::String(text) => text.detach(),
        other => panic!("{other:?}"),
    };
    drop(value);
    assert_eq!(text, "a long text");
    assert_eq!(String::from(text), "a long text");
}

#[test]
fn what_json_cannot_say_is_refused() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = o3de_json::to_string(&Value::from(number)).unwrap_err();
        assert_eq!(error.kind(), o3de_json::ErrorKind::NotFinite, "{error}");
    }
    assert_eq!(Number::from(f64::NAN).text(), "NaN");
}

#[test]
fn other_formats_see_plain_data() {
    let text = r#"{"a":[1,-2,18446744073709551615,1.5,"x",true,null,{}]}"#;
    let json = serde_json::to_value(value(text)).unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(text).unwrap());
    assert_eq!(serde_json::from_value::<Value>(json).unwrap(), value(text));
}

/// The deepest that `max_depth` allows.
const MAX_DEPTH: usize = 1025;

fn tower(levels: usize) -> Value {
    (0..levels).fold(Value::Null, |inner, level| match level % 2 {
        0 => Value::from(Array::from(vec![inner])),
        _ => Object::from_iter([("k", inner)]).into(),
    })
}

#[test]
fn depth_needs_no_stack() {
    on_small_stack(|| {
        let deep = tower(MAX_DEPTH);
        let copy = deep.clone();
        assert!(copy == deep);
        assert!(copy.same(&deep));
        assert!(copy.compare(&deep).is_eq());
        assert!(format!("{copy:?}").len() > MAX_DEPTH);
        let error = o3de_json::to_string(&deep).unwrap_err();
        assert_eq!(error.kind(), o3de_json::ErrorKind::DepthLimit, "{error}");
        let options = Options::new().max_depth(MAX_DEPTH);
        let text = options.to_string(&deep).unwrap();
        assert!(options.from_str::<Value>(&text).unwrap() == deep);
        assert!(options.to_string(&tower(MAX_DEPTH + 1)).is_err());
        // Patches go no deeper than 512 levels.
        let (_, code) = objects(MAX_DEPTH).create_patch(&objects(MAX_DEPTH));
        assert_eq!(code.outcome(), o3de_json::report::Outcome::Catastrophic);
        let (patch, code) = Value::Null.create_merge_patch(&objects(MAX_DEPTH));
        assert_eq!(
            (patch.is_none(), code.outcome()),
            (true, o3de_json::report::Outcome::Catastrophic)
        );
        let code = Value::Null.apply_merge_patch(&objects(MAX_DEPTH));
        assert_eq!(code.outcome(), o3de_json::report::Outcome::Catastrophic);
    })
    .unwrap();
}

#[test]
fn clones_and_debug_fit_a_mebibyte() {
    let show = || {
        let deep = tower(MAX_DEPTH);
        format!("{:?}", deep.clone()).len()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(show).unwrap();
    assert!(thread.join().unwrap() > MAX_DEPTH);
}

fn objects(levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |inner, _| Object::from_iter([("k", inner)]).into())
}

proptest! {
    #[test]
    fn text_goes_through_a_value(text in json_text()) {
        let value = value(&text);
        let compact = o3de_json::to_string(&value).unwrap();
        prop_assert_eq!(&o3de_json::from_str::<Value>(&compact).unwrap(), &value);
        let pretty = o3de_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(&o3de_json::from_str::<Value>(&pretty).unwrap(), &value);
        prop_assert_eq!(&Document::new(pretty.as_str()).unwrap().into_value(), &value);
        prop_assert!(value.same(&value));
        prop_assert!(value.compare(&value).is_eq());
    }
}

#[test]
fn literals_are_values() {
    let (name, list, negative) = ("x", vec![1, 2], 5_i64);
    let made = json!({
        "null": null,
        name: [true, false, "text", name],
        "list": list,
        (format!("{name}{name}")): {},
        "none": None::<u8>,
        "numbers": [
            1.50, -1.50, 1e5, 0.10, 1E-3, 0, -0.0, 1_000, 0x10, 1.5_f32, 7_u8, -negative, -(1.25), 2 + 3, 1.,
        ],
        "x": -2.50,
        "inner": { "deep": [[[-1], []], {}], "sum": 1 + 2, },
        "id": 10641544592923449938_u64,
    });
    let expected = r#"{"null":null,"x":[true,false,"text","x"],"list":[1,2],"xx":{},"none":null,
        "numbers":[1.50,-1.50,1e5,0.10,1E-3,0,-0.0,1000,16,1.5,7,-5,-1.25,5,1.0],"x":-2.50,
        "inner":{"deep":[[[-1],[]],{}],"sum":3},"id":10641544592923449938}"#;
    assert_eq!(made, value(expected));
    assert_eq!([json!(-1.50), json!(-negative + 6)], [value("-1.50"), value("1")]);
    assert_eq!(
        [json!("-1"), json!(null), json!([])],
        [value("\"-1\""), value("null"), value("[]")]
    );
    // Without a step of recursion for each element.
    let long = json!([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    ]);
    assert_eq!(long.as_array().unwrap().len(), 140);
}

/// What is coerced from a text is coerced from a value, and a borrowed text may have had escapes.
#[test]
fn a_value_is_a_deserializer() {
    use serde::Deserialize;
    #[derive(Debug, PartialEq, Deserialize)]
    struct Lamp<'a> {
        name: &'a str,
        #[serde(rename = "Height")]
        height: f32,
        lit: bool,
    }
    let value = value(r#"{"name": "a\"b\n", "height": "1.5", "lit": 1}"#);
    let lamp = Lamp::deserialize(&value).unwrap();
    assert_eq!(lamp, Lamp { name: "a\"b\n", height: 1.5, lit: true });
    assert_eq!(value["name"].as_str().map(str::as_ptr), Some(lamp.name.as_ptr()));
    assert_eq!(<Vec<u8>>::deserialize(json!([1, "2"])).unwrap(), [1, 2]);
    assert_eq!(json!({"a": [1, null]}).to_string(), r#"{"a": [1, null]}"#);
    let options = || Options::new().on_issue(|_| o3de_json::report::Action::Keep);
    assert!(options() != options() && options() != Options::new());
    let own = options();
    assert!(own.clone() == own);
}
