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
    insta::assert_snapshot!(format!("{:?}", sample()), @r#"{"empty": [], "nested": [[1, 2], {}], [1]: Node("name": "a", "child": Empty()), Vector2i(1, 2): PackedVector2Array(1.0, -2.5), "quote \" and \n": &"back\\slash", "null": Object(null)}"#);
    insta::assert_snapshot!(format!("{:#?}", sample()), @r#"
    {
        "empty": [],
        "nested": [
            [
                1,
                2
            ],
            {}
        ],
        [
            1
        ]: Node(
            "name": "a",
            "child": Empty()
        ),
        Vector2i(1, 2): PackedVector2Array(1.0, -2.5),
        "quote \" and \n": &"back\\slash",
        "null": Object(null)
    }
    "#);
    let Value::Dictionary(entries) = sample() else { panic!("not a dictionary") };
    assert_eq!(format!("{entries:?}"), format!("{:?}", sample()));
    let items = Array::from(vec![Value::from(1), "a".into()]);
    assert_eq!(format!("{items:?}"), r#"[1, "a"]"#);
    assert_eq!(format!("{:#?}", Value::from(Array::new())), "[]");
    let node = Instance { class: "Node".into(), properties: vec![("a".into(), 1.into())] };
    insta::assert_snapshot!(format!("{node:?} {:?}", Object::Instance(Box::new(node.clone()))), @r#"Node("a": 1) Instance(Node("a": 1))"#);
    let typed = TypedArray { element: ElementType::Class("Node".into()), items };
    insta::assert_snapshot!(format!("{typed:?}\n{:?}", Value::from(typed.clone())), @r#"
    TypedArray { element: Class("Node"), items: [1, "a"] }
    Array[Node][1, "a"]
    "#);
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
    insta::assert_snapshot!(lines, @r#"
    null
    true
    false
    "i:7"
    "i:-1"
    "i:9223372036854775807"
    "i:-2147483648"
    "f:0.15625"
    "f:0.1"
    "f:nan"
    "f:-0.0"
    "s:"
    "s:Ås"
    "s:four"
    {"type":"Vector2","args":[1.0,-2.5]}
    {"type":"Vector2i","args":[1,-2]}
    {"type":"Rect2","args":[1.0,2.0,3.0,4.0]}
    {"type":"Rect2i","args":[1,2,3,4]}
    {"type":"Vector3","args":[1.0,2.0,3.0]}
    {"type":"Vector3i","args":[1,2,3]}
    {"type":"Transform2D","args":[1.0,2.0,3.0,4.0,5.0,6.0]}
    {"type":"Vector4","args":[1.0,2.0,3.0,4.0]}
    {"type":"Vector4i","args":[1,2,3,4]}
    {"type":"Plane","args":[0.0,1.0,0.0,5.0]}
    {"type":"Quaternion","args":[0.0,0.0,0.0,1.0]}
    {"type":"AABB","args":[1.0,2.0,3.0,4.0,5.0,6.0]}
    {"type":"Basis","args":[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0]}
    {"type":"Transform3D","args":[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0]}
    {"type":"Projection","args":[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0]}
    {"type":"Vector3","precision":"double","args":[0.1,0.2,0.3]}
    {"type":"Color","args":[0.25,0.5,0.75,1.0]}
    "sn:name"
    "np:/root/A:b"
    "np:"
    {"type":"RID","args":["i:7"]}
    {"type":"Object","args":["i:-9223372036854775799"]}
    {"type":"Node","props":["name","sn:a","script","s:res://a.gd"]}
    {"type":"Callable"}
    {"type":"Signal","args":["s:hit","i:9"]}
    {"type":"Dictionary","args":[]}
    {"type":"Dictionary","args":["s:a","i:1","s:b",["f:2.5"]]}
    {"type":"Dictionary","key_type":"String","value_type":"int","args":["s:a","i:1"]}
    []
    ["i:1","s:a",null]
    {"type":"Array","elem_type":"int","args":["i:1","i:1099511627776"]}
    {"type":"Array","elem_type":"EncodedObjectAsID","args":[{"type":"Object","args":["i:3"]}]}
    {"type":"PackedByteArray","args":[1,2,3]}
    {"type":"PackedByteArray","args":[1,2,3,4]}
    {"type":"PackedInt32Array","args":[1,-1]}
    {"type":"PackedInt64Array","args":[1099511627776]}
    {"type":"PackedFloat32Array","args":[0.5,-0.0]}
    {"type":"PackedFloat64Array","args":[0.1]}
    {"type":"PackedStringArray","args":["a","","four"]}
    {"type":"PackedVector2Array","args":[1.0,2.0]}
    {"type":"PackedVector3Array","args":[1.0,2.0,3.0]}
    {"type":"PackedColorArray","args":[1.0,0.5,0.0,1.0]}
    {"type":"PackedVector4Array","args":[1.0,2.0,3.0,4.0]}
    "#);
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
    insta::assert_snapshot!(lines, @r#"
    {"type":"Vector4","args":["inf","-inf",null,"nan:7fc00001"]}
    {"type":"Vector2","precision":"double","args":[null,"nan:fff8000000000002"]}
    {"type":"PackedFloat64Array","args":[null,-0.0,1e+300,5e-324]}
    "f:nan:7ff8000000000001"
    "f:inf"
    "f:-0.0"
    "f:1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160.0"
    {"type":"RID"}
    {"type":"RID","args":["i:-1"]}
    {"type":"Signal"}
    {"type":"Signal","args":["s:a:b","i:-9223372036854775808"]}
    {"type":"Object","args":["i:-9223372036854775808"]}
    {"type":"Object"}
    {"type":"NodePath","args":[true,["a/b",""],["c:d"]]}
    {"type":"NodePath","args":[false,["a:b"],[]]}
    {"type":"Array","elem_type":"class:int","args":[]}
    {"type":"Array","elem_type":"Object","args":[]}
    {"type":"Array","elem_type":"class:class:int","args":[]}
    {"type":"Array","elem_type":"","args":[]}
    {"type":"Array","elem_type":"class:res://x","args":[]}
    {"type":"Array","elem_type":"res://a.gd","args":[]}
    {"type":"Array","elem_type":"script:other","args":[]}
    {"type":"Array","elem_type":"builtin:Object","args":[]}
    {"type":"Array","elem_type":"AABB","args":[]}
    {"type":"Dictionary","value_type":"res://a.gd","args":[]}
    {"type":"Vector2","props":[]}
    {"type":"Color","args":[0.10000000149011612,0.20000000298023224,0.30000001192092896,1.0]}
    {"type":"Color","precision":"double","args":[0.1,0.1,0.1,0.1]}
    "s:i:5"
    "sn:"
    "#);
}

#[test]
fn native_json_that_is_wrong() {
    let mut lines = String::new();
    for json in [
        "5",
        "0.5",
        r#""text""#,
        r#""x:1""#,
        r#""i:""#,
        r#""i:1.5""#,
        r#""i:9223372036854775808""#,
        r#""f:x""#,
        r#""f:nan:zz""#,
        "{}",
        r#"{"type":5}"#,
        r#"{"type":"Vector2"}"#,
        r#"{"type":"Vector2","args":[1]}"#,
        r#"{"type":"Vector2","args":[1,2,3]}"#,
        r#"{"type":"Vector2","args":[1,true]}"#,
        r#"{"type":"Vector2i","args":[1,1.5]}"#,
        r#"{"type":"Vector2i","args":[1,2147483648]}"#,
        r#"{"type":"PackedByteArray","args":[256]}"#,
        r#"{"type":"PackedVector2Array","args":[1,2,3]}"#,
        r#"{"type":"Vector2","args":5}"#,
        r#"{"type":"Vector2","args":[1,2],"more":1}"#,
        r#"{"type":"Other","args":[]}"#,
        r#"{"type":"int","args":[]}"#,
        r#"{"type":"bool"}"#,
        r#"{"type":"Dictionary","args":["i:1"]}"#,
        r#"{"type":"Node","props":["a"]}"#,
        r#"{"type":"Node","props":[1,2]}"#,
        r#"{"type":"int","precision":"double","args":[1]}"#,
        r#"{"type":"Vector2","precision":"half","args":[1,2]}"#,
        r#"{"type":"RID","args":[5]}"#,
        r#"{"type":"RID","args":[]}"#,
        r#"{"type":"Signal","args":["s:a"]}"#,
        r#"{"type":"Signal","args":["i:1","i:1"]}"#,
        r#"{"type":"NodePath","args":[1,[],[]]}"#,
        r#"{"type":"NodePath","args":[]}"#,
    ] {
        let error = serde_json::from_str::<NativeJson>(json).map(|_| ()).unwrap_err();
        lines.push_str(&format!("{json}\n    {error}\n"));
    }
    insta::assert_snapshot!(lines, @r#"
    5
        expected "i:5" or "f:5", found the number 5
    0.5
        expected "f:0.5", found the number 0.5
    "text"
        expected text that starts with i:, f:, s:, sn: or np:, found "text"
    "x:1"
        expected text that starts with i:, f:, s:, sn: or np:, found "x:1"
    "i:"
        expected a 64-bit integer, found ""
    "i:1.5"
        expected a 64-bit integer, found "1.5"
    "i:9223372036854775808"
        expected a 64-bit integer, found "9223372036854775808"
    "f:x"
        expected a float, found "x"
    "f:nan:zz"
        expected the bits of a NaN, found "zz"
    {}
        member "type" is missing
    {"type":5}
        expected text, found a number
    {"type":"Vector2"}
        member "args" is missing
    {"type":"Vector2","args":[1]}
        expected 2 numbers in "args", found 1
    {"type":"Vector2","args":[1,2,3]}
        expected 2 numbers in "args", found 3
    {"type":"Vector2","args":[1,true]}
        expected a number, found a bool
    {"type":"Vector2i","args":[1,1.5]}
        expected a whole number, found 1.5
    {"type":"Vector2i","args":[1,2147483648]}
        2147483648 is out of range
    {"type":"PackedByteArray","args":[256]}
        256 is out of range
    {"type":"PackedVector2Array","args":[1,2,3]}
        expected a multiple of 2 numbers, found 3
    {"type":"Vector2","args":5}
        expected a list, found a number
    {"type":"Vector2","args":[1,2],"more":1}
        member "more" is not known here
    {"type":"Other","args":[]}
        unknown type "Other"
    {"type":"int","args":[]}
        type int is written as text with a prefix
    {"type":"bool"}
        type bool is written as plain JSON
    {"type":"Dictionary","args":["i:1"]}
        expected keys and values in "args", found an odd number
    {"type":"Node","props":["a"]}
        expected names and values in "props", found an odd number
    {"type":"Node","props":[1,2]}
        expected text, found a number
    {"type":"int","precision":"double","args":[1]}
        type int has no 64-bit components
    {"type":"Vector2","precision":"half","args":[1,2]}
        expected "double", found "half"
    {"type":"RID","args":[5]}
        expected "i:5" or "f:5", found the number 5
    {"type":"RID","args":[]}
        expected one id in "args"
    {"type":"Signal","args":["s:a"]}
        expected a name and an id in "args"
    {"type":"Signal","args":["i:1","i:1"]}
        expected a name, found int
    {"type":"NodePath","args":[1,[],[]]}
        expected a bool
    {"type":"NodePath","args":[]}
        expected a bool and two lists of names in "args"
    "#);
    // Members in any order, whole numbers in either spelling.
    let NativeJson(value) = serde_json::from_str(r#"{"args":[1.0,2],"type":"Vector2i"}"#).unwrap();
    assert_eq!(value, Value::from(Vector2i::new(1, 2)));
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
