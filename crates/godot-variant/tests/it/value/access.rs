//! `as_*`, `Index`, `get`, pointers.

use super::*;

fn world() -> Value {
    let mut node = Instance::new("Node");
    node.properties.push(("hp".into(), 10.into()));
    let typed = TypedDictionary {
        key: ElementType::Builtin(Type::String),
        value: ElementType::Any,
        entries: [("n", 1)].into_iter().collect(),
    };
    let ids = TypedArray {
        element: ElementType::Builtin(Type::Int),
        items: [7, 8].into_iter().collect(),
    };
    [
        (
            Value::from("players"),
            Value::from(vec![[("name", "Bo")].into_iter().collect::<Value>()]),
        ),
        (StringName::new("quoted").into(), "q".into()),
        ("node".into(), node.into()),
        ("typed".into(), typed.into()),
        ("ids".into(), ids.into()),
        ("a/b".into(), [("m~n", 1)].into_iter().collect()),
        ("".into(), "empty".into()),
        (Value::from(5), "number".into()),
        ("0".into(), "zero".into()),
    ]
    .into_iter()
    .collect()
}

#[test]
fn by_key_and_position() {
    let world = world();
    assert_eq!(world["players"][0]["name"], "Bo");
    assert_eq!(world["quoted"], "q", "a StringName is found by its text");
    assert_eq!(world["node"]["hp"], 10);
    assert_eq!(world["typed"]["n"], 1);
    assert_eq!(world["ids"][1], 8);
    assert_eq!(world[String::from("")], "empty");
    // What is not there is nil, whatever was asked.
    assert!(world["none"]["deeper"][3].is_nil());
    assert!(world["players"][9].is_nil());
    assert!(world["players"]["name"].is_nil());
    assert!(world["5"].is_nil(), "the key 5 is no text");
    assert_eq!(world.get("none"), None);
    assert_eq!(world.get("players").and_then(|list| list.get(1)), None);
    assert_eq!(world.as_dictionary().unwrap().get_value(&5.into()), Some(&"number".into()));
    let mut world = world;
    *world.get_mut("node").unwrap().get_mut("hp").unwrap() = 11.into();
    *world.get_mut("ids").unwrap().get_mut(0).unwrap() = 9.into();
    *world.get_mut("quoted").unwrap() = "changed".into();
    assert_eq!(world["node"]["hp"], 11);
    assert_eq!(world["ids"].element_type(), Some(&ElementType::Builtin(Type::Int)));
    assert_eq!(world["ids"][0], 9);
    assert_eq!(world["quoted"], "changed");
    assert!(world.get_mut("none").is_none());
}

#[test]
fn by_pointer() {
    let mut world = world();
    for (pointer, expected) in [
        ("/players/0/name", "\"Bo\""),
        ("/quoted", "\"q\""),
        ("/node/hp", "10"),
        ("/ids/1", "8"),
        ("/a~1b/m~0n", "1"),
        ("/", "\"empty\""),
        ("/0", "\"zero\""),
    ] {
        let found = world.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"));
        assert_eq!(format!("{found:?}"), expected, "{pointer}");
        let found = found.clone();
        assert_eq!(world.pointer_mut(pointer), Some(&mut { found }));
    }
    assert_eq!(world.pointer(""), Some(&world.clone()));
    for wrong in [
        "players",
        "/players/",
        "/players/1",
        "/players/00",
        "/players/+0",
        "/players/-1",
        "/players/name",
        "/none",
        "/5",
        "/players/0/name/x",
        "/a/b",
        "/players/99999999999999999999999",
    ] {
        assert_eq!(world.pointer(wrong), None, "{wrong}");
        assert_eq!(world.pointer_mut(wrong), None, "{wrong}");
    }
    *world.pointer_mut("/players/0/name").unwrap() = 5.into();
    assert_eq!(world["players"][0]["name"], 5);
}

#[test]
fn as_what_they_are() {
    let wide = Value::from(Vector3::<f64>::from([0.1, 0.2, 0.3]));
    assert_eq!(wide.as_vector3(), Some(Vector3::new(0.1, 0.2, 0.3)));
    assert_eq!(
        Value::from(Vector2::<f64>::from([0.1, 0.2])).as_vector2(),
        Some(Vector2::new(0.1, 0.2))
    );
    assert_eq!(wide.as_vector2(), None);
    assert_eq!(Value::from(5).as_f64(), Some(5.0));
    assert_eq!(Value::from((1_i64 << 53) + 1).as_f64(), None);
    assert_eq!(Value::from(i64::MAX).as_f64(), None);
    assert_eq!(Value::from(i64::MIN).as_f64(), Some(i64::MIN as f64));
    assert_eq!(Value::from(5.0).as_i64(), None);
    assert_eq!(Value::from(-1).as_u64(), None);
    assert_eq!(Value::from(1).as_u64(), Some(1));
    assert_eq!(Value::from(true).as_bool(), Some(true));
    assert_eq!(Value::from(1).as_bool(), None);
    assert_eq!(Value::from(StringName::new("a")).as_str(), Some("a"));
    assert_eq!(Value::from(NodePath::new("a")).as_str(), None);
    assert_eq!(Value::from(PackedByteArray(vec![1])).as_bytes(), Some(&[1][..]));
    assert_eq!(Value::from(Color::new(1.0, 0.0, 0.0, 1.0)).as_color().unwrap().r, 1.0);
    assert_eq!(Value::from(PackedInt32Array(vec![1])).as_array(), None);
    assert_eq!(Value::from(Array::new()).element_type(), Some(&ElementType::Any));
    assert_eq!(Value::Nil.element_type(), None);
    let node = Value::from(Instance::new("Node"));
    assert_eq!(node.as_object().unwrap().as_instance().unwrap().class, "Node");
    assert!(node.as_dictionary().is_none());
}

#[test]
fn dictionaries_keep_their_order() {
    let mut entries = Dictionary::new();
    assert!(entries.is_empty());
    assert_eq!(entries.insert("b", 1), None);
    assert_eq!(entries.insert("a", 2), None);
    assert_eq!(entries.insert(StringName::new("b"), 3), Some(1.into()), "the same key");
    assert_eq!(entries.insert(Vector2i::new(0, 0), 4), None);
    assert_eq!(format!("{entries:?}"), r#"{"b": 3, "a": 2, Vector2i(0, 0): 4}"#);
    assert_eq!(entries.len(), 3);
    assert_eq!(entries.remove("b"), Some(3.into()));
    assert_eq!(entries.remove("b"), None);
    *entries.get_mut("a").unwrap() = 5.into();
    entries.values_mut().for_each(|value| *value = vec![value.take()].into());
    assert_eq!(format!("{entries:?}"), r#"{"a": [5], Vector2i(0, 0): [4]}"#);
    let keys: Vec<String> = entries.keys().map(|key| format!("{key:?}")).collect();
    assert_eq!(keys, [r#""a""#, "Vector2i(0, 0)"]);
    assert_eq!(entries.values().count(), (&entries).into_iter().count());
    let pairs = entries.clone().into_vec();
    assert_eq!(Dictionary::from(pairs), entries);
    assert_eq!(entries.clone().into_iter().collect::<Dictionary>(), entries);
}
