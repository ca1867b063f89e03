//! What the files of scenes and resources need of the text: references, spellings, edits.

use godot_variant::text::parts::{Part, Parts};
use godot_variant::text::{respelled, value_at, value_from_str, value_to_string};
use godot_variant::types::{
    ElementType, PackedByteArray, PackedInt32Array, Transform3D, Type, Vector3,
};
use godot_variant::value::{Dictionary, Reference};
use godot_variant::{ErrorKind, Options, Spelling, Value, to_vec};

fn files() -> Options {
    Options::new().references(true)
}

fn internal(id: &str) -> Value {
    Reference::Internal(id.into()).into()
}

fn read(text: &str) -> Value {
    value_from_str(text, &files()).unwrap()
}

#[test]
fn references_are_values_keys_and_types() {
    let text = "{\nExtResource(\"1_a\"): [SubResource(\"B_c\"), Resource(\"res://d.png\")]\n}";
    let value = read(text);
    assert_eq!(value_to_string(&value, &files()).unwrap(), text);
    let key = Value::from(Reference::External("1_a".into()));
    assert_eq!(value.as_dictionary().unwrap()[&key][0], internal("B_c"));
    let mut entries: Dictionary = (0..20).map(|at| (Value::from(at), at)).collect();
    entries.insert(key.clone(), 1);
    assert_eq!(entries.insert(key.clone(), 2), Some(1.into()));
    assert_eq!(entries[&key], 2);

    let typed = "Dictionary[StringName, ExtResource(\"1_a\")]({\n&\"x\": null\n})";
    let Value::TypedDictionary(own) = read(typed) else { panic!() };
    assert_eq!(own.value, ElementType::Script("ExtResource(\"1_a\")".into()));
    assert_eq!(value_to_string(&Value::TypedDictionary(own), &files()).unwrap(), typed);
    // Engines 3.x number them.
    assert_eq!(read("SubResource( 3 )"), internal("3"));
    let both = "Resource(\"uid://b\", \"res://a.gd\")";
    assert_eq!(value_to_string(&read(both), &files()).unwrap(), both);
    assert_eq!(read("Resource(\"res://a.gd\", \"uid://b\")"), read(both));
}

#[test]
fn references_are_in_files_alone() {
    let value = read("[SubResource(\"a\")]");
    let error = to_vec(&value).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(
        error.to_string(),
        "expected a value that is whole, found SubResource(\"a\"), in [0]"
    );
    let error = value_from_str("[SubResource(\"a\")]", &Options::new()).unwrap_err();
    let message = "expected a value, found a SubResource, which only the engine loads at byte 0x1";
    assert_eq!(error.to_string(), message);
    assert_eq!(format!("{value:?}"), "[SubResource(\"a\")]");
}

#[test]
fn engines_3_spell_values_in_their_way() {
    let old = files().spelling(Spelling::Format2);
    let same = [
        "[  ]",
        "[ 1, [ 2.5 ] ]",
        "{\n}",
        "{\n\"a\": null\n}",
        "PoolIntArray( 1, -2 )",
        "PoolByteArray(  )",
        "Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3 )",
        "Quat( 0, 0, 0, 1 )",
        "0.333333",
        "1e+06",
        "999999.0",
        "1e-05",
        "0.0001",
        "inf",
        "nan",
        "NodePath(\"A/B:c\")",
        "ExtResource( 1 )",
        "Resource( \"res://a.png\" )",
        "PoolStringArray( \"a\", \"b\" )",
        "true",
    ];
    for text in same {
        assert_eq!(value_to_string(&read(text), &old).unwrap(), text);
    }
    let rounded = [("1e300", "inf"), ("-0.12345678", "-0.123457"), ("1234567.0", "1.23457e+06")];
    for (text, written) in rounded {
        assert_eq!(value_to_string(&read(text), &old).unwrap(), written);
    }
    for text in ["&\"name\"", "Vector2i(1, 2)", "Array[int]([1])", "PackedInt64Array(1)"] {
        let error = value_to_string(&read(text), &old).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{text}");
    }
}

#[test]
fn bytes_are_base64_in_format_4() {
    let new = files().spelling(Spelling::Format4);
    let cases =
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob\u{7f}\0", "Zm9vYn8A")];
    for (bytes, base64) in cases {
        let value = Value::from(PackedByteArray(bytes.as_bytes().to_vec()));
        let text = value_to_string(&value, &new).unwrap();
        assert_eq!(text, format!("PackedByteArray(\"{base64}\")"));
        assert_eq!(read(&text), value);
    }
}

#[test]
fn what_is_the_same_keeps_its_spelling() {
    let same = [
        // old, new, result
        ("[1.50, 2,3]", "[1.5, 2, 4]", "[1.50, 2,4]"),
        ("[1.50, 2,3]", "[1.5, 3]", "[1.50, 3]"),
        ("[ 1.50 ]", "[0, 1.5]", "[ 0, 1.50 ]"),
        ("[ 1.50;x\n ]", "[]", "[]"),
        ("[ 1.50;x\n, 2 ]", "[1.5, 3]", "[ 1.50;x\n, 3 ]"),
        ("[]", "[1]", "[1]"),
        ("{ \"a\" :1.50 , \"b\":2 }", "{\"b\": 2}", "{ \"b\":2 }"),
        (
            "{ \"a\" :1.50 , \"b\":2 }",
            "{\"b\": 3, \"c\": 4, \"a\": 1.5}",
            "{ \"a\" :1.50 , \"b\":3 , \"c\": 4 }",
        ),
        ("{ \"a\" :1 }", "{&\"a\": 1}", "{ &\"a\": 1 }"),
        (
            "{\"a\":[{\"b\":PoolIntArray( 1 )}]}",
            "{\"a\": [{\"b\": PackedInt32Array(1), \"c\": 1}]}",
            "{\"a\":[{\"b\":PoolIntArray( 1 ),\n\"c\": 1}]}",
        ),
        ("Array[int]([1,2])", "Array[int]([1, 3])", "Array[int]([1,3])"),
        ("Array[int]([1,2])", "[1, 3]", "[1, 3]"),
        (
            "Object(A,\"x\":1 , \"y\": 2)",
            "Object(A,\"x\":1,\"y\":3)\n",
            "Object(A,\"x\":1 , \"y\": 3)",
        ),
        ("Vector2( 1,2 )", "Vector2(1, 2)", "Vector2( 1,2 )"),
    ];
    for (old, new, wanted) in same {
        let options = files().allow_objects(true);
        let new = value_from_str(new, &options).unwrap();
        let made = respelled(old, &new, &options).unwrap();
        assert_eq!(made, wanted);
        assert_eq!(
            value_from_str(&made, &options).unwrap().as_array().map(|all| all.len()),
            new.as_array().map(|all| all.len())
        );
    }
}

#[test]
fn what_is_no_value_has_no_spelling() {
    for old in ["", "{a:1}", "[1"] {
        assert!(respelled(old, &Value::Nil, &files()).is_err(), "{old}");
    }
}

#[test]
fn tags_have_fields() {
    let text = "; a\n[node name=\"A\" groups=[\"x\",\n\"y\"]]\nposition = Vector2(1, 2) ; b\n";
    let options = files();
    let parts: Vec<Part> = Parts::tags(text, &options).collect::<Result<_, _>>().unwrap();
    let [Part::Head(head), Part::Assignment(own)] = &parts[..] else { panic!("{parts:?}") };
    assert_eq!(&text[head.span.clone()], "[node name=\"A\" groups=[\"x\",\n\"y\"]]");
    assert_eq!(&text[head.fields[1].span.clone()], "groups=[\"x\",\n\"y\"]");
    assert_eq!(&text[own.span.clone()], "position = Vector2(1, 2)");
    let wrong = [
        ("[", "expected the name of a tag, found the end at byte 0x1"),
        (
            "[node a]",
            "expected = after the name of a field, found the character ']' at byte 0x7, in node",
        ),
        (
            "[node =1]",
            "expected the name of a field or ], found the character '=' at byte 0x6, in node",
        ),
        ("[node a=]", "expected a value, found ] at byte 0x8, in node.a"),
    ];
    for (text, message) in wrong {
        let mut parts = Parts::tags(text, &options);
        assert_eq!(parts.next().unwrap().unwrap_err().to_string(), message);
        assert!(parts.is_in_head() && parts.next().is_none());
    }
    let error = Parts::tags("[a]\nü = 1\nb = \n", &options).last().unwrap().unwrap_err();
    assert_eq!(
        error.in_text("[a]\nü = 1\nb = \n").to_string(),
        "expected a value, found the end at line 4, column 1, in b"
    );
    assert_eq!(value_at("x = 5 ;", 3, &options).unwrap(), (5.into(), 4..5));
}

#[test]
fn rows_of_numbers_are_bytes() {
    let basis: Transform3D = Transform3D::default();
    let value = Value::from(basis);
    let (bytes, wide) = value.to_numbers().unwrap();
    assert_eq!((bytes.len(), wide), (48, false));
    assert_eq!(Value::from_numbers(Type::Transform3D, &bytes, false).unwrap(), value);
    let rows = Value::from_numbers(
        Type::Basis,
        &[1, 2, 3, 4, 5, 6, 7, 8, 9].map(|n| (n as f32).to_le_bytes()).concat(),
        false,
    );
    assert_eq!(
        value_to_string(&rows.unwrap(), &files()).unwrap(),
        "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"
    );
    let ints = Value::from(PackedInt32Array(vec![1, -1]));
    assert_eq!(ints.to_numbers().unwrap().0, [1, 0, 0, 0, 255, 255, 255, 255]);
    assert_eq!(Value::from(Vector3::new(1.0, 0.0, 0.0)).to_numbers().unwrap().0.len(), 12);
    assert_eq!(Value::from(1).to_numbers(), None);
    for (kind, len) in
        [(Type::Vector3, 13), (Type::PackedVector3Array, 16), (Type::Int, 8), (Type::String, 0)]
    {
        assert!(Value::from_numbers(kind, &vec![0; len], false).is_err(), "{kind}");
    }
}
