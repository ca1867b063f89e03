//! This crate's own types.

use super::*;

#[test]
fn vectors() {
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct All {
        v2: Vector2,
        v2i: Vector2Int,
        v3: Vector3,
        v3i: Vector3Int,
        v4: Vector4,
        q: Quaternion,
        list: Vec<Vector2Int>,
        map: BTreeMap<Vector3Int, Vector2>,
    }
    assert_eq!(round_trip(&All::default()), "00");
    let all = All {
        v2: Vector2::new(1.0, 0.0),
        v2i: Vector2Int::new(0, -1),
        v3: [0.0, 0.0, 1.0].into(),
        v3i: Vector3Int::new(1, 2, 300),
        v4: Vector4::new(0.0, 1.0, 0.0, 0.0),
        q: Quaternion::new(0.0, 0.0, 0.0, 1.0),
        list: vec![Vector2Int::default()],
        map: [(Vector3Int::default(), Vector2::default())].into(),
    };
    assert_eq!(
        round_trip(&all),
        "180000803f00000000 1900ff 1a00000000000000000000803f 1b0102412c \
         1c000000000000803f0000000000000000 1c0000000000000000000000000000803f 14190000 \
         15b8010000000000000000000000 00"
            .replace(' ', "")
    );
    // In other formats they are arrays.
    let json = serde_json::to_string(&all.v3i).unwrap();
    assert_eq!(json, "[1,2,300]");
    assert_eq!(serde_json::from_str::<Vector3Int>(&json).unwrap(), all.v3i);
    assert_eq!(serde_json::from_str::<Vector2>("[1.5,2]").unwrap(), Vector2::new(1.5, 2.0));
    serde_json::from_str::<Vector2>("[1.5]").unwrap_err();
    serde_json::from_str::<Vector2>("[1.5,2,3]").unwrap_err();
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Base0 {
    id: i64,
    name: String,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Mid {
    mx: i32,
    base: Base<Base0>,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Leaf {
    #[serde(rename = "1:lx")]
    lx: i32,
    #[serde(rename = "5:list")]
    list: Vec<Mid>,
    parent: Base<Mid>,
}

#[test]
fn bases() {
    let leaf = Leaf {
        lx: 1,
        list: vec![Mid::default()],
        parent: Base(Mid { mx: 2, base: Base(Base0 { id: 3, name: "n".into() }) }),
    };
    assert_eq!(round_trip(&leaf), "10014416010001100201100313016e00");
    assert_eq!(leaf.parent.mx, 2);
    // A bean with a base is never left out.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Hold {
        mid: Mid,
    }
    assert_eq!(round_trip(&Hold { mid: Mid::default() }), "16010000");
    // Without the layer the base is zero; ids of the own layer that are not known are skipped.
    assert_eq!(from_slice::<Leaf>(&hex("1005 00")).unwrap(), Leaf { lx: 5, ..Leaf::default() });
    let read: Leaf = from_slice(&hex("1005 1009 60 07 01 1006 2001 00")).unwrap();
    assert_eq!((read.lx, read.parent.mx), (5, 6));
    // A newer peer has a field at the base's position.
    let read: Mid = from_slice(&hex("1005 1301 61 1001 01 1007 00")).unwrap();
    assert_eq!((read.mx, read.base.id), (5, 7));
    // Read without the base, its layers are passed over.
    let bytes = to_vec(&leaf).unwrap();
    assert_eq!(from_slice::<(i32,)>(&bytes).unwrap(), (1,));
    // In other formats a base is what is in it.
    let json = serde_json::to_string(&Mid::default()).unwrap();
    assert_eq!(json, r#"{"mx":0,"base":{"id":0,"name":""}}"#);
    assert_eq!(serde_json::from_str::<Mid>(&json).unwrap(), Mid::default());
}

#[test]
fn bases_elsewhere_are_refused() {
    #[derive(Debug, Serialize, Deserialize)]
    struct First {
        base: Base<Base0>,
        x: i32,
    }
    let first = First { base: Base::default(), x: 1 };
    assert_eq!(refused(to_vec(&first)), "the field of type `Base` has to be the last one");
    let error = refused(from_slice::<First>(&hex("1005 00")));
    assert!(error.contains("has to be the last one"), "{error}");
    refused(to_vec(&Base(Base0::default())));
    refused(to_vec(&vec![Base(Base0::default())]));
    refused(from_slice::<Base<Base0>>(&[0]));
    refused(from_slice::<Vec<Base<Base0>>>(&hex("1600")));
    #[derive(Debug, Serialize)]
    struct Int {
        base: Base<i32>,
    }
    let error = refused(to_vec(&Int { base: Base(5) }));
    assert_eq!(error, "expected a struct as the base of a bean, found an integer, in base");
}

#[test]
fn unknown_fields_are_kept() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct New {
        a: i32,
        b: String,
        c: Vec<i32>,
        d: Mid,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Old {
        unknown: Unknown,
        #[serde(rename = "2:b")]
        b: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct OldPosition {
        a: i32,
        unknown: Unknown,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Derived {
        #[serde(rename = "3")]
        c: Vec<i32>,
        rest: Unknown,
        base: Base<OldPosition>,
    }
    let new = New { a: 1, b: "b".into(), c: vec![3], d: Mid { mx: 4, base: Base::default() } };
    let bytes = to_vec(&new).unwrap();
    let mut old: Old = from_slice(&bytes).unwrap();
    assert_eq!(format!("{:?}", old.unknown), "Unknown({1: 1, 3: [3], 4: {1: 4, base: {}}})");
    assert_eq!(digits(&to_vec(&old).unwrap()), digits(&bytes));
    old.b.clear();
    let without = New { b: String::new(), ..from_slice(&bytes).unwrap() };
    assert_eq!(digits(&to_vec(&old).unwrap()), digits(&to_vec(&without).unwrap()));
    let old: OldPosition = from_slice(&bytes).unwrap();
    assert_eq!(digits(&to_vec(&old).unwrap()), digits(&bytes));
    // Each layer keeps its own.
    let layers = hex("1001 1001 01 1005 1009 00");
    let derived: Derived = from_slice(&layers).unwrap();
    assert_eq!(digits(&to_vec(&derived).unwrap()), digits(&layers));
    assert_eq!(derived.base.a, 5);
    // Nothing kept is nothing written.
    assert_eq!(round_trip(&Old { unknown: Unknown::new(), b: "b".into() }), "23016200");
    assert!(from_slice::<Old>(&hex("23016200")).unwrap().unknown.is_empty());
    // An unknown field may not be a known one.
    let clash = OldPosition { a: 5, unknown: from_slice::<Old>(&bytes).unwrap().unknown };
    let error = refused(to_vec(&clash));
    assert_eq!(error, "the id 1 is that of a field and of one in `Unknown`");
    // In JSON it is the notation of a value.
    let json = serde_json::to_string(&from_slice::<Old>(&bytes).unwrap()).unwrap();
    assert!(json.starts_with(r#"{"unknown":{"1:int":1,"3:list":"#), "{json}");
    let back: Old = serde_json::from_str(&json).unwrap();
    assert_eq!(digits(&to_vec(&back).unwrap()), digits(&bytes));
}

#[test]
fn unknown_needs_ids_or_the_last_place() {
    #[derive(Debug, Serialize, Deserialize)]
    struct First {
        unknown: Unknown,
        a: i32,
    }
    let error = refused(to_vec(&First { unknown: Unknown::new(), a: 1 }));
    assert!(error.starts_with("the field of type `Unknown` has to be the last one"), "{error}");
    let error = refused(from_slice::<First>(&[0]));
    assert!(error.starts_with("the field of type `Unknown` has to be the last one"), "{error}");
    refused(to_vec(&Unknown::new()));
    refused(to_vec(&vec![Unknown::new()]));
    refused(from_slice::<Vec<Unknown>>(&hex("1600")));
}

#[test]
fn values_and_raw_beans_as_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder {
        value: Value,
        option: Option<Value>,
        list: Vec<Value>,
        raw: RawBean<'static>,
        after: i32,
    }
    let holder = Holder {
        value: Value::from(vec![Value::from("a")]),
        option: Some(Value::default()),
        list: vec![Value::Int(1), Value::Int(0)],
        raw: RawBean::from_slice(&[0x10, 0x05, 0x00]).unwrap(),
        after: 9,
    };
    assert_eq!(round_trip(&holder), "14130161 1000 14200100 16100500 1009 00".replace(' ', ""));
    let zero = Holder {
        value: Value::default(),
        option: None,
        list: vec![],
        raw: RawBean::default(),
        after: 0,
    };
    assert_eq!(round_trip(&zero), "00");
    // Only the integer 0 is left out: an empty list is not what an absent value is.
    let empty = Holder { value: Value::from(Vec::<Value>::new()), ..zero };
    assert_eq!(round_trip(&empty), "140000");
    let error = refused(to_vec(&vec![Value::Int(1), Value::from("a")]));
    assert!(error.contains("found a string"), "{error}");
    RawBean::from_slice(&[0x10]).unwrap_err();
    RawBean::from_slice(&[0, 0]).unwrap_err();
    RawBean::from_serialize(&5).unwrap_err();
    let json = serde_json::to_string(&empty).unwrap();
    assert_eq!(serde_json::from_str::<Holder>(&json).unwrap(), empty);
}

#[test]
fn reserved_names() {
    #[derive(Debug, Serialize, Deserialize)]
    #[serde(rename = "$zeze_serialize::Vector9")]
    struct Newtype(i32);
    let text = "names of types that start with `$zeze_serialize` are reserved";
    assert_eq!(refused(to_vec(&Newtype(5))), text);
    assert!(refused(from_slice::<Newtype>(&[0])).starts_with(text));
    #[derive(Debug, Serialize)]
    #[serde(rename = "$zeze_serialize::Vector2")]
    struct Two(f32, i32);
    refused(to_vec(&Two(1.0, 2)));
    #[derive(Debug, Serialize)]
    #[serde(rename = "$zeze_serialize::Vector2")]
    struct Three(f32, f32, f32);
    refused(to_vec(&Three(1.0, 2.0, 3.0)));
    #[derive(Debug, Serialize)]
    #[serde(rename = "$zeze_serialize::Value")]
    struct Any(i32);
    refused(to_vec(&Any(1)));
}

#[test]
fn unknown_fields_are_kept_with_a_base() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Root {
        #[serde(rename = "2:name")]
        name: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Middle {
        #[serde(rename = "1:x")]
        x: i32,
        #[serde(rename = "5:y")]
        y: i32,
        base: Base<Root>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Leaf {
        #[serde(rename = "1:a")]
        a: i32,
        #[serde(rename = "3:b")]
        b: i32,
        base: Base<Middle>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Old {
        #[serde(rename = "3:b")]
        b: i32,
        unknown: Unknown,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct ByPosition {
        a: i32,
        unknown: Unknown,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct OldMiddle {
        #[serde(rename = "5:y")]
        y: i32,
        unknown: Unknown,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct WithBase {
        #[serde(rename = "1:a")]
        a: i32,
        unknown: Unknown,
        base: Base<OldMiddle>,
    }
    let leaf = |name: &str| Leaf {
        a: 1,
        b: 2,
        base: Base(Middle { x: 3, y: 4, base: Base(Root { name: name.into() }) }),
    };
    for leaf in [leaf("root"), leaf("")] {
        let bytes = to_vec(&leaf).unwrap();
        let mut old: Old = from_slice(&bytes).unwrap();
        assert!(!old.unknown.is_empty());
        assert_eq!(to_vec(&old).unwrap(), bytes);
        assert_eq!(to_vec(&from_slice::<ByPosition>(&bytes).unwrap()).unwrap(), bytes);
        assert_eq!(to_vec(&from_slice::<WithBase>(&bytes).unwrap()).unwrap(), bytes);
        let lists = to_vec(&vec![&leaf, &leaf]).unwrap();
        assert_eq!(to_vec(&from_slice::<Vec<Old>>(&lists).unwrap()).unwrap(), lists);
        old.b = 9;
        let back: Leaf = from_slice(&to_vec(&old).unwrap()).unwrap();
        assert_eq!(back, Leaf { b: 9, ..leaf });
        // As text, too.
        let text = serde_json::to_string(&old).unwrap();
        assert_eq!(serde_json::from_str::<Old>(&text).unwrap(), old);
    }
    // Two bases are none.
    let unknown = from_slice::<Old>(&to_vec(&leaf("x")).unwrap()).unwrap().unknown;
    let base = Base(OldMiddle { y: 0, unknown: Unknown::new() });
    let error = refused(to_vec(&WithBase { a: 0, unknown, base }));
    assert!(error.starts_with("a base is in `Unknown`"), "{error}");
}
