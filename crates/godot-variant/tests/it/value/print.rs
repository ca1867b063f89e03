//! `Debug` and the other ways to show a value.

use super::*;

fn sample() -> Value {
    let mut node = Instance::new("Node");
    node.properties.push(("name".into(), "a".into()));
    node.properties.push(("child".into(), Instance::new("Empty").into()));
    [
        (Value::from("empty"), Value::from(Array::new())),
        ("nested".into(), vec![Value::from(vec![1, 2]), Dictionary::new().into()].into()),
        (vec![1].into(), node.into()),
        (Vector2i::new(1, 2).into(), PackedVector2Array(vec![Vector2::new(1.0, -2.5)]).into()),
        ("quote \" and \n".into(), StringName::new("back\\slash").into()),
        ("null".into(), Value::Object(Object::Null)),
    ]
    .into_iter()
    .collect()
}

#[test]
fn debug() {
    assert_eq!(
        format!("{:?}", sample()),
        r#"{"empty": [], "nested": [[1, 2], {}], [1]: Node("name": "a", "child": Empty()), Vector2i(1, 2): PackedVector2Array(1.0, -2.5), "quote \" and \n": &"back\\slash", "null": Object(null)}"#
    );
    assert_snapshot_above!(format!("{:#?}", sample()));
    let Value::Dictionary(entries) = sample() else { panic!("not a dictionary") };
    assert_eq!(format!("{entries:?}"), format!("{:?}", sample()));
    let items = Array::from(vec![Value::from(1), "a".into()]);
    assert_eq!(format!("{items:?}"), r#"[1, "a"]"#);
    assert_eq!(format!("{:#?}", Value::from(Array::new())), "[]");
    let node = Instance { class: "Node".into(), properties: vec![("a".into(), 1.into())] };
    assert_eq!(
        format!("{node:?} {:?}", Object::Instance(Box::new(node.clone()))),
        r#"Node("a": 1) Instance(Node("a": 1))"#
    );
    let typed = TypedArray { element: ElementType::Class("Node".into()), items };
    assert_snapshot_above!(format!("{typed:?}\n{:?}", Value::from(typed.clone())));
}

#[test]
fn width_and_precision_do_not_garble_numbers() {
    assert_eq!(format!("{:5?}", Value::from(1)), "1");
    assert_eq!(format!("{:.1?}", Value::from(Vector2::new(0.25, 1.0))), "Vector2(0.25, 1.0)");
}

#[test]
fn small_types() {
    assert_eq!(NodePath::new("/root/A:b:c").to_string(), "/root/A:b:c");
    assert_eq!(NodePath::new("/").to_string(), "/");
    assert_eq!(NodePath::new("").to_string(), "");
    assert_eq!(NodePath::new(":position:x").to_string(), ":position:x");
    assert_eq!(NodePath::new("../A//B/").to_string(), "../A/B");
    assert!(NodePath::new("").is_empty());
    assert!(!NodePath::new("/").is_empty());
    assert_eq!(Rid(5).to_string(), "RID(5)");
    assert_eq!(ObjectId(5).to_string(), "5");
    assert_eq!(StringName::new("a").to_string(), "a");
    assert_eq!(format!("{:>3}", GString::new("a")), "  a");
    for text in ["", "a", "exactly 22 bytes long.", "more than 22 bytes long.", "éééééééééééé"]
    {
        let own = GString::from(text);
        assert_eq!(own.as_str(), text);
        assert_eq!(own, *text);
        assert_eq!(own, GString::from(text.to_owned()));
        assert_eq!(String::from(own.clone()), text);
        assert_eq!(format!("{own:?}"), format!("{text:?}"));
        assert_eq!(own.cmp(&GString::new("b")), text.cmp("b"));
    }
}

#[test]
fn native_json_of_everything() {
    let mut lines = String::new();
    for value in crate::support::values() {
        let json = serde_json::to_string(&NativeJson(&value)).unwrap();
        let NativeJson(back) = serde_json::from_str::<NativeJson>(&json).unwrap();
        assert_eq!(back, value, "{json}");
        lines.push_str(&json);
        lines.push('\n');
    }
    assert_snapshot_above!(lines);
}

/// The engine reads 18 digits of a number, those in front of the others included.
#[test]
fn native_json_of_small_floats() {
    for (value, text) in [
        (-3.66e-22, "f:-3.66e-22"),
        (1.5e-39, "f:1.5e-39"),
        (f64::from_bits(1), "f:5e-324"),
        (0.012345678901234567, "f:1.2345678901234567e-2"),
        (0.00001, "f:0.00001"),
        (-0.1234567890123456, "f:-0.1234567890123456"),
        (1e20, "f:100000000000000000000.0"),
    ] {
        let json = serde_json::to_value(NativeJson(&Value::Float(value))).unwrap();
        assert_eq!(json, text);
        let NativeJson(back) = serde_json::from_value::<NativeJson>(json).unwrap();
        assert_eq!(back, Value::Float(value));
    }
}

#[test]
fn native_json_extensions() {
    let nan = |bits: u32| f32::from_bits(bits);
    let names = |names: &[&str]| names.iter().map(|name| GString::new(name)).collect();
    let typed = |element| TypedArray { element, items: Array::new() };
    let list: Vec<Value> = vec![
        Vector4::new(f32::INFINITY, f32::NEG_INFINITY, f32::NAN, nan(0x7fc0_0001)).into(),
        Vector2::<f64>::from([f64::NAN, f64::from_bits(0xfff8_0000_0000_0002)]).into(),
        PackedFloat64Array(vec![f64::NAN, -0.0, 1e300, f64::from_bits(1)]).into(),
        Value::Float(f64::from_bits(0x7ff8_0000_0000_0001)),
        f64::INFINITY.into(),
        (-0.0).into(),
        1e300.into(),
        Rid(0).into(),
        Rid(u64::MAX).into(),
        Signal::default().into(),
        Signal { name: "a:b".into(), object: ObjectId(1 << 63) }.into(),
        ObjectId(1 << 63).into(),
        Value::Object(Object::Null),
        NodePath { absolute: true, names: names(&["a/b", ""]), subnames: names(&["c:d"]) }.into(),
        NodePath { absolute: false, names: names(&["a:b"]), subnames: vec![] }.into(),
        typed(ElementType::Class("int".into())).into(),
        typed(ElementType::Class("Object".into())).into(),
        typed(ElementType::Class("class:int".into())).into(),
        typed(ElementType::Class("".into())).into(),
        typed(ElementType::Class("res://x".into())).into(),
        typed(ElementType::Script("res://a.gd".into())).into(),
        typed(ElementType::Script("other".into())).into(),
        typed(ElementType::Builtin(Type::Object)).into(),
        typed(ElementType::Builtin(Type::Aabb)).into(),
        TypedDictionary {
            key: ElementType::Any,
            value: ElementType::Script("res://a.gd".into()),
            entries: Dictionary::new(),
        }
        .into(),
        Instance::new("Vector2").into(),
        Color::new(0.1, 0.2, 0.3, 1.0).into(),
        Value::Real64(Box::new(godot_variant::value::Real64::Color([0.1; 4].into()))),
        Value::from("i:5"),
        StringName::new("").into(),
    ];
    let mut lines = String::new();
    for value in &list {
        let json = serde_json::to_string(&NativeJson(value)).unwrap();
        let NativeJson(back) = serde_json::from_str::<NativeJson>(&json).unwrap();
        assert_eq!(&back, value, "{json}");
        lines.push_str(&json);
        lines.push('\n');
    }
    assert_snapshot_above!(lines);
}

#[test]
fn native_json_is_limited_in_depth() {
    use godot_variant::native_json::NativeJsonSeed;
    use serde::de::DeserializeSeed;

    let deepest = crate::support::nested(128);
    let json = serde_json::to_string(&NativeJson(&deepest)).unwrap();
    let mut reader = serde_json::Deserializer::from_str(&json);
    reader.disable_recursion_limit();
    assert_eq!(NativeJson::deserialize(&mut reader).unwrap().0, deepest);
    let deeper = crate::support::nested(129);
    let error = serde_json::to_string(&NativeJson(&deeper)).unwrap_err();
    assert_eq!(error.to_string(), "nested too deep for JSON");
    let json = serde_json::to_string(&NativeJson(&deeper).write_deep(129)).unwrap();
    let mut reader = serde_json::Deserializer::from_str(&json);
    reader.disable_recursion_limit();
    assert_eq!(NativeJsonSeed::new(129).deserialize(&mut reader).unwrap(), deeper);
    // Reading counts levels of JSON, of which a level of values has up to two.
    let json = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let mut reader = serde_json::Deserializer::from_str(&json);
    reader.disable_recursion_limit();
    let error = NativeJson::deserialize(&mut reader).map(|_: NativeJson| ()).unwrap_err();
    assert!(error.to_string().starts_with("nested too deep"), "{error}");
}
