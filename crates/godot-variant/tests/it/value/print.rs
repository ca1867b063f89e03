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
    assert_eq!(NodePath::new("a:b:").to_string(), "a:b");
    assert_eq!(NodePath::new("a::b").to_string(), "");
    assert_eq!(NodePath::new("::").to_string(), "");
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
