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
    // A value that is not there is nil, whatever was asked.
    assert!(world["none"]["deeper"][3].is_null());
    assert!(world["players"][9].is_null());
    assert!(world["players"]["name"].is_null());
    assert!(world["5"].is_null(), "the key 5 is no text");
    assert_eq!(world.get("none"), None);
    assert_eq!(world.get("players").and_then(|list| list.get(1)), None);
    assert_eq!(world.as_dictionary().unwrap().get(&5), Some(&"number".into()));
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

#[test]
fn dictionaries_find_any_key_however_many_there_are() {
    let mut entries = Dictionary::new();
    let keys = |n: i64| -> [Value; 4] {
        let vector = Vector2::new(n as f32, f32::NAN);
        let list = array![n, "in a list", dict! { n => 0 }];
        [n.into(), (n as f64 / 2.0).into(), Value::from(vector), list.into()]
    };
    for n in 0..500 {
        keys(n).into_iter().for_each(|key| assert_eq!(entries.insert(key, n), None));
        assert_eq!(entries.insert(format!("key {n}"), n), None);
    }
    entries.insert(f64::NAN, "nan");
    assert_eq!(entries.len(), 2501);
    for n in 0..500 {
        keys(n).iter().for_each(|key| assert_eq!(entries[key], n));
        assert_eq!(entries[&format!("key {n}")], n);
        assert_eq!(
            entries.get(&Value::from(StringName::new(&format!("key {n}")))),
            Some(&n.into())
        );
    }
    assert_eq!(
        (entries.get(&-0.0), entries.get(&-f64::NAN)),
        (Some(&0.into()), Some(&"nan".into()))
    );
    assert!(entries.contains(&3) && !entries.contains(&500) && !entries.contains(&true));
    // Those that are left stay where they were, and are found.
    for n in (0..500).step_by(2) {
        keys(n).iter().for_each(|key| assert_eq!(entries.remove(key), Some(n.into())));
        assert_eq!(entries.remove(&keys(n)[3]), None);
    }
    assert_eq!(entries.len(), 1501);
    let left: Vec<Value> = entries.keys().filter(|key| key.as_str().is_none()).cloned().collect();
    let expected = (1..500).step_by(2).flat_map(keys);
    assert!(left.into_iter().eq(expected.chain([f64::NAN.into()])));
    for n in 0..500 {
        let own = keys(n).map(|key| entries.get(&key).cloned());
        assert_eq!(own, [(); 4].map(|()| (n % 2 == 1).then(|| n.into())));
        entries[&n] = "again".into();
    }
    assert_eq!(entries.clone(), entries);
    assert_eq!(entries.values().filter(|value| **value == "again").count(), 500);
}

#[test]
fn dictionaries_take_the_same_time_for_each_entry() {
    let mut hostile = gamewire_testkit::hostile::Hostile::new(|bytes| {
        let mut entries = Dictionary::new();
        for n in 0..bytes.len() as i64 {
            entries.insert(n, Value::Nil);
        }
        let found = (0..bytes.len() as i64).filter(|n| entries.contains(n)).count();
        if found == bytes.len() { Ok(()) } else { Err("an entry is not found") }
    })
    .limits(gamewire_testkit::hostile::Limits { per_byte: 512, ..Default::default() });
    hostile.linear("entries", 1000, |n| vec![0; n]);
    hostile.finish();
}

#[test]
fn values_are_changed_by_index() {
    let mut value = Value::Nil;
    value["list"] = array![1, 2].into();
    value["list"][1] = "two".into();
    value[5] = true.into();
    value[&Value::from(Vector2i::new(0, 1))]["deeper"] = 1.5.into();
    assert_eq!(
        format!("{value:?}"),
        r#"{"list": [1, "two"], 5: true, Vector2i(0, 1): {"deeper": 1.5}}"#
    );
    assert_eq!((&value[5], &value[&Value::from(5)]), (&true.into(), &true.into()));
    assert_eq!(value[Value::from("list")][&Value::from(0)], 1);
    let missing = std::panic::catch_unwind(move || value["list"][2] = 5.into());
    assert!(missing.is_err());
    // Only values that fit.
    assert_eq!(Value::try_from(5_usize).unwrap(), 5);
    assert_eq!(Value::try_from(i64::MAX as u64).unwrap(), i64::MAX);
    assert_eq!(Value::try_from(u64::MAX).unwrap_err().kind(), ErrorKind::NumberRange);
    assert!(size_of::<Value>() <= 32, "a dictionary is no larger than an array");
}
