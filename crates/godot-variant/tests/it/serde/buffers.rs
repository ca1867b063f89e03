//! Flattened structs, which pass through a buffer inside serde.

use std::collections::{BTreeMap, HashMap};

use godot_variant::value::Object;

use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat<T> {
    id: i64,
    #[serde(flatten)]
    inner: T,
    last: Vector2,
}

fn flat<T>(inner: T) -> Flat<T> {
    Flat { id: 1, inner, last: Vector2::new(1.0, 2.0) }
}

#[test]
fn a_struct_in_a_struct() {
    let bytes = round_trip(&Options::new(), &flat(Natives::sample()));
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(value.as_dictionary().unwrap().len(), 21);
    assert_eq!(value["id"], 1);
    for options in
        [Options::new().precision(Precision::Single), Options::new().precision(Precision::Double)]
    {
        let bytes = options.to_vec(&flat(Natives::sample())).unwrap();
        let read: Flat<Natives> = options.from_slice(&bytes).unwrap();
        assert_eq!(read.inner.vector, Natives::sample().vector);
    }
    for dialect in [Dialect::Godot3, Dialect::Docs] {
        let options = Options::new().dialect(dialect);
        let inner = BTreeMap::from([("a".to_owned(), Vector3::new(1.0, 2.0, 3.0))]);
        round_trip(&options, &flat(inner));
    }
}

#[test]
fn flat_in_flat_in_flat() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Deep {
        color: Color,
        #[serde(flatten)]
        rest: HashMap<String, Value>,
    }
    let rest = HashMap::from([
        ("z".to_owned(), Value::from(Vector3::new(1.0, 2.0, 3.0))),
        ("list".to_owned(), vec![Value::from(Vector2i::new(1, 2)), 5.into()].into()),
    ]);
    let deep = Deep { color: Color::new(1.0, 0.0, 0.0, 1.0), rest };
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Middle {
        name: StringName,
        #[serde(flatten)]
        deep: Deep,
    }
    round_trip(&Options::new(), &flat(Middle { name: "n".into(), deep }));
}

#[test]
fn whatever_else_is_there_is_kept_whole() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Open {
        id: i64,
        #[serde(flatten)]
        rest: HashMap<String, Value>,
    }
    let whole = Options::new().allow_objects(true);
    for value in crate::support::values() {
        // serde shows a buffer no types of containers, and a null object as nil.
        let typed = matches!(value, Value::TypedArray(_) | Value::TypedDictionary(_));
        let rest = HashMap::from([
            ("value".to_owned(), value.clone()),
            ("in a list".to_owned(), vec![value.clone()].into()),
            ("in a dictionary".to_owned(), [("a", value.clone())].into_iter().collect()),
        ]);
        let open = Open { id: 1, rest };
        let bytes = whole.to_vec(&open).unwrap();
        let read: Open = whole.from_slice(&bytes).unwrap();
        if typed {
            let kinds = (read.rest["value"].kind(), value.kind());
            assert_eq!(kinds.0, kinds.1);
            continue;
        }
        // With whole objects on, the engine sends an id inside of an EncodedObjectAsID.
        if !matches!(&value, Value::Object(Object::Id(_))) {
            assert_eq!(read, open, "{value:?}");
        }
        assert_eq!(whole.to_vec(&read.rest["value"]).unwrap(), whole.to_vec(&value).unwrap());
    }
}

#[test]
fn keys_that_are_no_text_are_kept_in_nested_dictionaries() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Open {
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let cells: Value =
        [(Value::from(Vector2i::new(1, 2)), 1), (Value::from(5), 2), (Value::from(true), 3)]
            .into_iter()
            .collect();
    round_trip(&Options::new(), &Open { rest: BTreeMap::from([("cells".to_owned(), cells)]) });
}

#[test]
fn enums_in_flat_structs() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { center: Vector2, radius: f64 },
        Polygon { points: PackedVector2Array },
    }
    round_trip(
        &Options::new(),
        &flat(Shape::Circle { center: Vector2::new(1.0, 2.0), radius: 0.5 }),
    );
    round_trip(
        &Options::new(),
        &flat(Shape::Polygon { points: vec![Vector2::new(1.0, 2.0)].into() }),
    );
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum External {
        At(Vector2),
        Named { name: StringName },
    }
    round_trip(&Options::new(), &flat(External::At(Vector2::new(1.0, 2.0))));
    round_trip(&Options::new(), &flat(External::Named { name: "a".into() }));
}

#[test]
fn plain_buffering_shows_sequences() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Plain {
        floats: Vec<f32>,
        points: Vec<[f32; 3]>,
        vector: (f32, f64, f32),
        bytes: serde_bytes::ByteBuf,
        names: Vec<String>,
        name: String,
        path: String,
        rid: u64,
        basis: Vec<f64>,
        callable: (),
    }
    let bytes = to_vec(&flat(Natives::sample())).unwrap();
    let mut value: Value = from_slice(&bytes).unwrap();
    *value.get_mut("signal").unwrap() = Value::Nil;
    *value.get_mut("object").unwrap() = ObjectId(9).into();
    let bytes = to_vec(&value).unwrap();
    let plain = Options::new().plain_buffering(true);
    let read: Flat<Plain> = plain.from_slice(&bytes).unwrap();
    assert_eq!(
        format!("{:?}", read.inner),
        r#"Plain { floats: [0.1, -0.0], points: [[0.5, 1.5, 2.5]], vector: (1.0, 2.0, 3.0), bytes: [0, 255], names: ["a", ""], name: "name", path: "/root/A:b", rid: 7, basis: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], callable: () }"#
    );
    // The native types are read from sequences too, but `Value` cannot tell which one it was.
    let natives: Flat<BTreeMap<String, Value>> = plain.from_slice(&bytes).unwrap();
    assert_eq!(natives.inner["vector"], Value::from(vec![1.0, 2.0, 3.0]));
    // By default it is the other way round.
    assert_eq!(
        from_slice::<Flat<BTreeMap<String, Value>>>(&bytes).unwrap().inner["vector"].kind(),
        Type::Vector3
    );
    refused(from_slice::<Flat<Plain>>(&bytes));
    // Types without a plain form.
    let signal = to_vec(&flat(BTreeMap::from([("s", Natives::sample().signal)]))).unwrap();
    assert_eq!(
        refused(plain.from_slice::<Flat<BTreeMap<String, Value>>>(&signal)),
        "expected any value, found Signal at byte 0x28, in s"
    );
}

#[test]
fn errors_in_buffers_have_the_place_of_the_buffer() {
    let bytes = to_vec(&BTreeMap::from([("a", flat(BTreeMap::from([("x", "text")])))])).unwrap();
    let error =
        from_slice::<BTreeMap<String, Flat<BTreeMap<String, Vector3>>>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), r#"expected Vector3, found string "text" at byte 0x14, in a"#);
}

/// A flattened map may have the name of a field. The engine would keep the last.
#[test]
fn keys_that_are_the_same_are_refused() {
    #[derive(Serialize)]
    struct Twice {
        id: u32,
        #[serde(flatten)]
        rest: std::collections::BTreeMap<String, u32>,
    }
    let twice = Twice { id: 1, rest: [("id".to_owned(), 2)].into() };
    for error in [to_vec(&twice).unwrap_err(), to_value(&twice).unwrap_err()] {
        assert_eq!(
            error.to_string(),
            "expected keys that are not the same, found one twice, in id"
        );
    }
    let once = Twice { id: 1, rest: [("name".to_owned(), 2)].into() };
    assert_eq!(to_value(&once).unwrap()["name"], 2);
    to_vec(&once).unwrap();
    // What is not flattened is refused as a value.
    let pairs = TypedDictionary(vec![("a", 1), ("a", 2)]);
    assert!(to_value(&pairs).unwrap_err().to_string().contains("found one twice"));
}
