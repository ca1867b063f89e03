//! `Value`: parts, notation, text.

use zeze_serialize::value::{Bean, Dynamic, List, Map};
use zeze_serialize::{
    ErrorKind, Kind, Value, Vector2, Vector2Int, Vector3, bean, from_slice, to_vec,
};

use crate::support::{digits, hex, refused};

fn sample() -> Value {
    let mut inner: Bean = [(1, Value::Int(-5)), (3, "é".into())].into_iter().collect();
    inner.set_base(Some([(2, Value::from(&[0xff_u8][..]))].into_iter().collect()));
    let dynamic = Dynamic { type_id: 9, bean: inner.clone() };
    let map = vec![("k/~".into(), Value::Int(1)), ("b".into(), Value::Int(2))];
    let numbers = vec![(Value::Int(7), Value::Double(0.5))];
    let fields = [
        (1, Value::Int(i64::MIN)),
        (2, Value::Float(0.1)),
        (3, Value::Double(0.1)),
        (4, Value::from(vec![Value::from("a"), "b".into()])),
        (5, Value::from(map)),
        (6, Value::from(inner)),
        (7, Value::from(dynamic)),
        (20, Value::from(Vector2::new(f32::INFINITY, f32::NAN))),
        (21, Value::Vector2Int([1, -2])),
        (22, Value::from(Vector3::new(-0.0, 0.1, 3.0))),
        (23, Value::Vector3Int([1, 2, 3])),
        (24, Value::from(numbers)),
        (25, List::new(Kind::Bean, vec![]).into()),
        (26, Map::new(Kind::Bytes, Kind::Vector3, vec![]).into()),
        (27, Value::Double(f64::NEG_INFINITY)),
        (28, Value::Float(f32::from_bits(0x7fc0_0001))),
    ];
    fields.into_iter().collect::<Bean>().into()
}

#[test]
fn parts() {
    let mut value = sample();
    assert_eq!(value[1].as_i64(), Some(i64::MIN));
    assert_eq!(value[4][1].as_str(), Some("b"));
    assert_eq!(value[24][7].as_f64(), Some(0.5));
    assert_eq!(value.pointer("/4/0").and_then(Value::as_str), Some("a"));
    assert_eq!(value.pointer("/5/k~1~0"), Some(&Value::Int(1)));
    assert_eq!(value.pointer("/24/7"), Some(&Value::Double(0.5)));
    assert_eq!(value.pointer("/7/1"), Some(&Value::Int(-5)));
    assert_eq!(value.pointer("/6/base/2").and_then(Value::as_bytes), Some(&[0xff][..]));
    assert_eq!(value.pointer(""), Some(&value));
    for none in ["/", "/99", "/1/1", "/4/9", "/6/base", "/6/base/base/1", "x", "/5/c"] {
        assert_eq!(value.pointer(none), None, "{none}");
    }
    assert_eq!((value.get(99), value[1].get(0)), (None, None));
    *value.pointer_mut("/6/base/2").unwrap() = Value::from(7);
    assert_eq!(value.pointer("/6/base/2"), Some(&Value::Int(7)));
    value[4][0] = Value::from(7);
    let error = refused(to_vec(&value));
    assert_eq!(
        error,
        "expected a string by the container's wire type, found an integer, in [field 4][0]"
    );
    *value[4].as_list_mut().unwrap().items_mut() = vec![];
    let bean = value.as_bean_mut().unwrap();
    assert_eq!(bean.insert(30, Value::from(true)), None);
    assert_eq!(bean.insert(30, Value::from(false)), Some(Value::Int(1)));
    assert_eq!(bean.remove(1), Some(Value::Int(i64::MIN)));
    assert_eq!((bean.get(1), bean.len()), (None, 16));
    assert_eq!(bean.layers().count(), 1);
    assert_eq!(value[6].as_bean().unwrap().layers().count(), 2);
    assert_eq!(value[30].as_bool(), Some(false));
    assert_eq!(value[7].as_dynamic().unwrap().type_id, 9);
    assert_eq!(value[30].take(), Value::Int(0));
    let zero: Bean = [(0, Value::Int(1))].into_iter().collect();
    assert_eq!(
        refused(to_vec(&Value::from(zero))),
        "expected a field id of 1 to 2147483647, found 0, in [field 0]"
    );
    let large: Bean = [(1 << 31, Value::Int(1))].into_iter().collect();
    refused(to_vec(&Value::from(large)));
}

#[test]
fn bytes_json_and_text() {
    let value = sample();
    let bytes = to_vec(&value).unwrap();
    assert_eq!(from_slice::<Value>(&bytes).unwrap(), value);
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(
        json,
        r#"{"1:int":-9223372036854775808,"2:float":0.1,"3:double":0.1,"4:list":{"string":["a","b"]},"5:map":{"string:int":[["k/~",1],["b",2]]},"6:bean":{"1:int":-5,"3:string":"é","base":{"2:string":{"hex":"ff"}}},"7:dynamic":{"type":9,"bean":{"1:int":-5,"3:string":"é","base":{"2:string":{"hex":"ff"}}}},"20:vector2":["inf","NaN"],"21:vector2int":[1,-2],"22:vector3":[-0.0,0.1,3.0],"23:vector3int":[1,2,3],"24:map":{"int:double":[[7,0.5]]},"25:list":{"bean":[]},"26:map":{"string:vector3":[]},"27:double":"-inf","28:float":"nan:7fc00001"}"#
    );
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    assert_eq!(
        serde_json::from_value::<Value>(serde_json::to_value(&value).unwrap()).unwrap(),
        value
    );
    let text = r#"{1: -9223372036854775808, 2: 0.1f, 3: 0.1, 4: ["a", "b"], 5: map {"k/~": 1, "b": 2}, 6: {1: -5, 3: "é", base: {2: x"ff"}}, 7: dynamic 9 {1: -5, 3: "é", base: {2: x"ff"}}, 20: Vector2 { x: inf, y: NaN }, 21: Vector2Int { x: 1, y: -2 }, 22: Vector3 { x: -0.0, y: 0.1, z: 3.0 }, 23: Vector3Int { x: 1, y: 2, z: 3 }, 24: map {7: 0.5}, 25: [], 26: map {}, 27: -inf, 28: NaNf}"#;
    assert_eq!(format!("{value:?}"), text);
    // Values that are no beans.
    for value in [Value::Int(5), "a".into(), vec![Value::Int(1)].into(), Dynamic::default().into()]
    {
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value, "{json}");
        assert_eq!(zeze_serialize::to_value(&value).unwrap(), value);
        assert_eq!(zeze_serialize::from_value::<Value>(&value).unwrap(), value);
    }
}

#[test]
fn json_that_is_no_value() {
    for (json, words) in [
        (r#"5"#, "expected a bean with keys such as `1:int`"),
        (r#"{"x":5}"#, "expected a key of id and wire type such as `1:int`, found `x`"),
        (r#"{"1:int":5,"1:int":6}"#, "duplicate field 1"),
        (r#"{"1:int":"a"}"#, "invalid type: string"),
        (r#"{"1:list":{}}"#, "expected a wire type, found nothing"),
        (r#"{"1:list":{"int":[],"more":1}}"#, "expected nothing more, found `more`"),
        (r#"{"1:list":{"word":[]}}"#, "expected the name of a wire type, found `word`"),
        (r#"{"1:map":{"int":[]}}"#, "expected the name of a wire type, found ``"),
        (r#"{"1:dynamic":{}}"#, "expected `type` and `bean`, found nothing"),
        (r#"{"1:dynamic":{"type":5}}"#, "expected `bean` beside `type`"),
        (r#"{"1:dynamic":{"bean":{}}}"#, "expected `type` beside `bean`"),
        (r#"{"1:dynamic":{"type":5,"type":5}}"#, "expected `type` and `bean`, each once"),
        (r#"{"1:string":{"hex":"f"}}"#, "expected pairs of hexadecimal digits"),
        (r#"{"1:string":{"hex":"fx"}}"#, "expected pairs of hexadecimal digits"),
        (r#"{"1:float":"nan:7f800000"}"#, "expected a number"),
        (r#"{"1:vector2":[1]}"#, "expected 2 components"),
        (r#"{"int":5,"float":1}"#, "a value and `float` beside it"),
    ] {
        let error = serde_json::from_str::<Value>(json).unwrap_err().to_string();
        assert!(error.contains(words), "{json}: {error}");
    }
    // An empty container of a type that does not exist keeps it.
    let bytes = hex("14 0d 15 f0 00 00");
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(value[1].as_list().unwrap().element(), None);
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, r#"{"1:list":{"13":[]},"2:map":{"15:int":[]}}"#);
    let back: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(digits(&to_vec(&back).unwrap()), digits(&bytes));
}

#[test]
fn debug_in_lines() {
    let value = Value::from(vec![
        Value::from(Bean::new()),
        [(1, 5.into()), (2, vec![Value::Float(0.5)].into())].into_iter().collect::<Bean>().into(),
    ]);
    assert_eq!(format!("{value:?}"), "[{}, {1: 5, 2: [0.5f]}]");
    let lines = [
        "[",
        "    {},",
        "    {",
        "        1: 5,",
        "        2: [",
        "            0.5f,",
        "        ],",
        "    },",
        "]",
    ];
    assert_eq!(format!("{value:#?}"), lines.join("\n"));
    assert_eq!(format!("{:#?}", value.as_list().unwrap()), lines.join("\n"));
}

/// What the macro makes is what `{:?}` shows, and each Rust type is one wire type.
#[test]
fn beans_are_written_by_hand() {
    const ID: u32 = 3;
    let (text, list) = (String::from("Bo"), vec![Value::Int(1)]);
    let value = bean! {
        1: text,
        (ID - 1): -7,
        3: [1, -2, 3,],
        4: { 1: true, 9: 0.5_f32, 10: 0.5 },
        5: map { "gold": 10 + 5, "wood": 3 },
        6: dynamic 77 { 1: "sword" },
        7: Vector2Int::new(1, -1),
        8: 5_000_000_000_i64,
        9: &b"\xff"[..],
        10: list,
        11: [{ 1: 1 }, {}, { 1: [0.5, 1.5] }],
        12: map { { 1: 3 }: [1, 2], {}: [], (Value::from(Bean::new())): [9] },
        13: [[], ["a", text_of(2)], [text_of(-3)]],
        14: map { -1: { 1: dynamic 0 {} }, 2: {}, },
        15: [map {}, map { 1: 2 }],
        16: [dynamic 1 {}, dynamic (i64::MIN) { 1: 1, base: {} }],
        17: [true, false],
        18: [ID].len() as i64 + 1,
        19: [-i64::from(ID), 3],
        base: { 1: 42, base: { 1: "deep" } },
    };
    fn text_of(number: i32) -> String {
        number.to_string()
    }
    assert_eq!(
        format!("{value:?}"),
        concat!(
            r#"{1: "Bo", 2: -7, 3: [1, -2, 3], 4: {1: 1, 9: 0.5f, 10: 0.5}, "#,
            r#"5: map {"gold": 15, "wood": 3}, 6: dynamic 77 {1: "sword"}, "#,
            r#"7: Vector2Int { x: 1, y: -1 }, 8: 5000000000, 9: x"ff", 10: [1], "#,
            r#"11: [{1: 1}, {}, {1: [0.5, 1.5]}], 12: map {{1: 3}: [1, 2], {}: [], {}: [9]}, "#,
            r#"13: [[], ["a", "2"], ["-3"]], 14: map {-1: {1: dynamic 0 {}}, 2: {}}, 15: [map {}, map {1: 2}], "#,
            r#"16: [dynamic 1 {}, dynamic -9223372036854775808 {1: 1, base: {}}], 17: [1, 0], 18: 2, 19: [-3, 3], "#,
            r#"base: {1: 42, base: {1: "deep"}}}"#,
        )
    );
    let bytes = to_vec(&value).unwrap();
    assert_eq!(from_slice::<Value>(&bytes).unwrap(), value);
    assert_eq!(bean! {}, Value::Bean(Bean::new()));
    assert_eq!(bean! { 2: 1, 1: 2, 2: 3 }, bean! { 1: 2, 2: 3 });
    let mixed = to_vec(&bean! { 1: [1, "a"] }).unwrap_err();
    assert_eq!(mixed.kind(), ErrorKind::MixedTypes, "{mixed}");
}

/// A value is read by its wire type, with the conversions of its bytes; `None` is what an absent field is.
#[test]
fn a_value_is_a_deserializer() {
    use serde::{Deserialize, Serialize};
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Native<'a> {
        at: Vector3,
        kinds: Vec<Result<i32, f64>>,
        name: &'a str,
        rest: Value,
    }
    let rest = sample();
    let native =
        Native { at: Vector3::new(1.0, 2.0, 3.0), kinds: vec![Ok(1), Err(0.5)], name: "é", rest };
    let value = zeze_serialize::to_value(&native).unwrap();
    assert_eq!(Native::deserialize(&value).unwrap(), native);
    assert_eq!(<Vec<String>>::deserialize(&value[4][4]).unwrap(), ["a", "b"]);
    assert_eq!(u8::deserialize(Value::from(Some(7))).unwrap(), 7);
    assert_eq!((Value::from(None::<i64>), Value::from(Some("a"))), (Value::default(), "a".into()));
    assert_eq!(value[2].to_string(), format!("{:?}", value[2]));
}
