//! What goes another way without `std`: values through serde, deep values, keys of large dictionaries. The
//! results are those with `std`.

use godot_variant::types::{ElementType, Type};
use godot_variant::value::{Array, Dictionary, Instance, TypedArray};
use godot_variant::{
    Callable, Dialect, ErrorKind, GString, NodePath, ObjectId, Options, PackedInt64Array,
    PackedStringArray, PackedVector3Array, Rid, Signal, StringName, Value, Vector2, Vector3, array,
    dict, from_slice, from_value, to_value, to_vec, variant,
};
use serde::{Deserialize, Serialize};

/// Everything that this crate writes as a whole, among Rust types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    value: Value,
    list: Vec<Value>,
    array: Array,
    dictionary: Dictionary,
    path: NodePath,
    rid: Rid,
    id: ObjectId,
    callable: Callable,
    signal: Signal,
    strings: PackedStringArray,
    numbers: PackedInt64Array,
    vectors: PackedVector3Array,
    wide: PackedVector3Array<f64>,
    name: StringName,
    position: Vector3,
}

fn everything() -> Everything {
    let typed =
        TypedArray { element: ElementType::Builtin(Type::Int), items: array![1, 1_i64 << 40] };
    let path = NodePath::new("/root/A:position:y");
    Everything {
        value: variant!({
            "typed": typed,
            StringName::new("name"): [null, true, -1, 0.1, { 1: Vector2::new(1.0, f32::NAN) }],
            [1, "key"]: Vector3::<f64>::from([0.1, 0.2, 0.3]),
            "path": path.clone(),
            "vectors": PackedVector3Array(vec![Vector3::new(1.0, 2.0, 3.0)]),
        }),
        list: vec![Value::Nil, variant!({}), variant!([[]]), ObjectId(7).into()],
        array: array![1, "two", array![3.0]],
        dictionary: dict! { 1 => "one", "two" => 2 },
        path,
        rid: Rid(5),
        id: ObjectId(1 << 63 | 9),
        callable: Callable,
        signal: Signal { name: StringName::new("pressed"), object: ObjectId(3) },
        strings: ["a", ""].into_iter().map(GString::from).collect(),
        numbers: PackedInt64Array(vec![i64::MIN, 0, i64::MAX]),
        vectors: PackedVector3Array(vec![Vector3::new(1.0, -0.0, f32::INFINITY)]),
        wide: PackedVector3Array(vec![Vector3::from([0.1, 1e300, -0.0])]),
        name: StringName::new("name"),
        position: Vector3::new(0.5, 0.0, -2.5),
    }
}

#[test]
fn what_is_written_whole_comes_back() {
    let all = everything();
    let bytes = to_vec(&all).unwrap();
    let back: Everything = from_slice(&bytes).unwrap();
    assert_eq!(back, all);
    assert_eq!(to_vec(&back).unwrap(), bytes);
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(to_vec(&value).unwrap(), bytes);
    assert_eq!(to_value(&all).unwrap(), value);
    assert_eq!(from_value::<Everything>(&value).unwrap(), all);
    // By the options of the writer, not of the type.
    let old = Options::new().dialect(Dialect::Godot3);
    assert_eq!(old.to_vec(&variant!([1])).unwrap()[..8], [19, 0, 0, 0, 1, 0, 0, 0]);
    let refused = old.to_vec(&all).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "expected an untyped Array, the only one of Godot 3, found a typed one, in value.typed"
    );
    // Readable in other formats, and from them.
    let text =
        serde_json::to_string(&variant!({ "a": [1, 2.5, null], "b": Vector2::new(1.0, 2.0) }))
            .unwrap();
    assert_eq!(text, r#"{"a":[1,2.5,null],"b":[1.0,2.0]}"#);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json, variant!({ "a": [1, 2.5, null], "b": [1.0, 2.0] }));
}

#[test]
fn values_pass_through_the_buffers_of_serde() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        id: i32,
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        value: Value,
        at: Vector3,
        path: NodePath,
        samples: PackedInt64Array,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Message {
        Say { what: Value },
    }
    let inner = Inner {
        value: variant!([Vector2::new(1.0, 2.0), null, Rid(1)]),
        at: Vector3::new(1.0, 2.0, 3.0),
        path: NodePath::new("a/b:c"),
        samples: PackedInt64Array(vec![1, 2]),
    };
    let outer = Outer { id: 1, inner };
    assert_eq!(from_slice::<Outer>(&to_vec(&outer).unwrap()).unwrap(), outer);
    let say = Message::Say { what: Vector3::new(0.0, 1.0, 2.0).into() };
    assert_eq!(from_slice::<Message>(&to_vec(&say).unwrap()).unwrap(), say);
    // A dictionary of this format cannot pose as one of them: its integers have a sign.
    for settings in [0, 1 << 9, i64::MIN, i64::MAX] {
        let posing =
            variant!({ "kind": "Say", "what": { "$godot_variant": [settings, [0, 0, 0, 0]] } });
        let error = from_slice::<Message>(&to_vec(&posing).unwrap()).unwrap_err();
        assert_eq!(
            error.kind(),
            if settings < 0 { ErrorKind::NumberRange } else { ErrorKind::Data }
        );
    }
}

/// Runs on 2 MiB of stack, the least that a thread of Rust's has.
fn on_small_stack(run: fn()) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn deep_values_need_no_stack() {
    on_small_stack(|| {
        let wraps: [fn(Value) -> Value; 4] = [
            |inner| vec![inner].into(),
            |inner| vec![("k", inner)].into_iter().collect(),
            |inner| vec![(inner, 1)].into_iter().collect(),
            |inner| Instance { class: "A".into(), properties: vec![("p".into(), inner)] }.into(),
        ];
        for wrap in wraps {
            let deep = (0..20_000).fold(Value::from(Array::new()), |inner, _| wrap(inner));
            let clone = deep.clone();
            assert!(clone == deep);
            drop(deep);
            let options = Options::new().allow_objects(true);
            assert_eq!(options.to_vec(&clone).unwrap_err().kind(), ErrorKind::DepthLimit);
            // As deep as the engine goes, through serde, in a Rust type.
            let deepest = (0..1023).fold(Value::from(Array::new()), |inner, _| wrap(inner));
            let bytes = options.to_vec(&(1, &deepest)).unwrap();
            assert_eq!(options.from_slice::<(i32, Value)>(&bytes).unwrap(), (1, deepest));
        }
    });
}

#[test]
fn keys_of_every_kind_are_found_in_large_dictionaries() {
    let texts = |n: i64| Value::from(format!("{:064}", n * 0x1_0000_0000));
    let lists = |n: i64| variant!([[0, 0, 0, 0, 0, 0, 0, 0], [{ "the same": 0 }], n]);
    let kinds: [fn(i64) -> Value; 4] =
        [texts, lists, |n| (n << 32).into(), |n| Vector2::new(0.0, n as f32).into()];
    for kind in kinds {
        let mut entries = Dictionary::new();
        for n in 0..1000 {
            assert_eq!(entries.insert(kind(n * 7 % 1000), n), None);
        }
        assert!((0..1000).all(|n| entries[&kind(n * 7 % 1000)] == n));
        assert_eq!((entries.remove(&kind(7)), entries.len()), (Some(1.into()), 999));
        assert!(entries.get(&kind(7)).is_none() && entries[&kind(14)] == 2);
        let value = Value::from(entries);
        assert_eq!(from_slice::<Value>(&to_vec(&value).unwrap()).unwrap(), value);
    }
}
