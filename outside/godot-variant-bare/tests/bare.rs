//! Without `std`: Rust types of numbers, text and math types, and a `Value` at the root. The results are
//! those with `std`.

use godot_variant::types::{
    ElementType, NodePath, PackedInt64Array, PackedVector3Array, Rid, StringName, Type, Vector2,
    Vector3,
};
use godot_variant::value::{Array, Dictionary, Instance, TypedArray};
use godot_variant::{
    Dialect, ErrorKind, Options, Value, array, from_slice, from_value, to_value, to_vec, variant,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Player {
    name: StringName,
    title: String,
    position: Vector3,
    wide: Vector2<f64>,
    scores: Vec<i64>,
}

fn player() -> Player {
    Player {
        name: StringName::new("name"),
        title: "Åsa".into(),
        position: Vector3::new(0.5, 0.0, -2.5),
        wide: Vector2::from([0.1, 1e300]),
        scores: vec![i64::MIN, 0, i64::MAX],
    }
}

fn everything() -> Value {
    let typed =
        TypedArray { element: ElementType::Builtin(Type::Int), items: array![1, 1_i64 << 40] };
    variant!({
        "typed": typed,
        StringName::new("name"): [null, true, -1, 0.1, { 1: Vector2::new(1.0, f32::NAN) }],
        [1, "key"]: Vector3::<f64>::from([0.1, 0.2, 0.3]),
        "path": NodePath::new("/root/A:position:y"),
        "id": Rid(5),
        "vectors": PackedVector3Array(vec![Vector3::new(1.0, 2.0, 3.0)]),
    })
}

#[test]
fn rust_types_come_back() {
    let bytes = to_vec(&player()).unwrap();
    assert_eq!(from_slice::<Player>(&bytes).unwrap(), player());
    let value = to_value(&player()).unwrap();
    assert_eq!(value, Options::new().value_from_slice(&bytes).unwrap());
    assert_eq!(from_value::<Player>(&value).unwrap(), player());
    // Packed arrays are read from where they are.
    let numbers = PackedInt64Array(vec![i64::MIN, 0, i64::MAX]);
    let bytes = Options::new().value_to_vec(&numbers.clone().into()).unwrap();
    assert_eq!(from_slice::<PackedInt64Array>(&bytes).unwrap(), numbers);
}

#[test]
fn a_value_at_the_root_comes_back() {
    let options = Options::new();
    let bytes = options.value_to_vec(&everything()).unwrap();
    assert_eq!(options.value_from_slice(&bytes).unwrap(), everything());
    let old = Options::new().dialect(Dialect::Godot3);
    assert_eq!(
        old.value_to_vec(&everything()).unwrap_err().to_string(),
        "expected an untyped Array, the only one of Godot 3, found a typed one, in typed"
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
fn a_value_inside_of_a_rust_type_is_refused() {
    let sentence = "a value inside of a Rust type needs the feature `std`";
    assert!(to_vec(&[everything()]).unwrap_err().to_string().starts_with(sentence));
    let error = from_slice::<Vec<Value>>(&to_vec(&[1]).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with(sentence), "{error}");
}

#[test]
fn math_types_pass_through_the_buffers_of_serde() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        id: i32,
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        at: Vector3,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "kind")]
    enum Message {
        Say { what: Value },
    }
    let outer = Outer { id: 1, inner: Inner { at: Vector3::new(1.0, 2.0, 3.0) } };
    assert_eq!(from_slice::<Outer>(&to_vec(&outer).unwrap()).unwrap(), outer);
    // A dictionary of this format cannot pose as one of them: its integers have a sign.
    for settings in [0, 1 << 9, i64::MIN, i64::MAX] {
        let posing =
            variant!({ "kind": "Say", "what": { "$godot_variant": [settings, [0, 0, 0, 0]] } });
        let bytes = Options::new().value_to_vec(&posing).unwrap();
        let error = from_slice::<Message>(&bytes).unwrap_err();
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
fn values_as_deep_as_the_engine_goes() {
    on_small_stack(|| {
        let wraps: [fn(Value) -> Value; 4] = [
            |inner| vec![inner].into(),
            |inner| vec![("k", inner)].into_iter().collect(),
            |inner| vec![(inner, 1)].into_iter().collect(),
            |inner| Instance { class: "A".into(), properties: vec![("p".into(), inner)] }.into(),
        ];
        for wrap in wraps {
            let options = Options::new().allow_objects(true);
            let deepest = (0..1024).fold(Value::from(Array::new()), |inner, _| wrap(inner));
            assert!(deepest.clone() == deepest);
            let bytes = options.value_to_vec(&deepest).unwrap();
            assert_eq!(options.value_from_slice(&bytes).unwrap(), deepest);
            let deeper = wrap(deepest);
            let error = options.value_to_vec(&deeper).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
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
        let bytes = Options::new().value_to_vec(&value).unwrap();
        assert_eq!(Options::new().value_from_slice(&bytes).unwrap(), value);
    }
}
