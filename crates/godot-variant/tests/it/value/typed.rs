//! Typed containers hold what they say.

use godot_variant::types::*;
use godot_variant::value::{Array, Dictionary, TypedArray, TypedDictionary};
use godot_variant::*;
use serde::Serialize;

use crate::support::refused;

fn array(kind: Type, items: Vec<Value>) -> Value {
    let element = ElementType::Builtin(kind);
    TypedArray { element, items: Array::from(items) }.into()
}

fn dictionary(key: Type, value: Type, entries: Vec<(Value, Value)>) -> Value {
    let (key, value) = (ElementType::Builtin(key), ElementType::Builtin(value));
    TypedDictionary { key, value, entries: Dictionary::from(entries) }.into()
}

#[test]
fn what_the_engine_converts_when_it_assigns_is_converted() {
    let floats = array(Type::Float, vec![1.into(), 2.5.into(), (1_i64 << 40).into()]);
    let names = array(Type::StringName, vec!["a".into(), StringName::new("b").into()]);
    let texts =
        dictionary(Type::String, Type::Float, vec![(StringName::new("k").into(), 3.into())]);
    let objects = array(Type::Object, vec![Value::Nil, ObjectId(5).into()]);
    for strict in [false, true] {
        let options = Options::new().strict(strict);
        let written = |value: &Value| -> Value {
            options.from_slice(&options.to_vec(value).unwrap()).unwrap()
        };
        let expected = [1.0, 2.5, (1_u64 << 40) as f64].map(Value::from);
        assert_eq!(written(&floats), array(Type::Float, expected.to_vec()));
        let expected = ["a", "b"].map(|name| Value::from(StringName::new(name)));
        assert_eq!(written(&names), array(Type::StringName, expected.to_vec()));
        let expected = vec![("k".into(), 3.0.into())];
        assert_eq!(written(&texts), dictionary(Type::String, Type::Float, expected));
        assert_eq!(written(&objects).as_array().unwrap().len(), 2);
    }
}

#[test]
fn what_the_engine_does_not_assign_is_refused() {
    let pair = |value: Value| vec![("a".into(), value)];
    for (value, said) in [
        (
            array(Type::Int, vec![1.into(), "x".into()]),
            "expected int, the type of the container, found String, in [1]",
        ),
        (
            array(Type::Int, vec![2.5.into()]),
            "expected int, the type of the container, found float, in [0]",
        ),
        (
            array(Type::Bool, vec![1.into()]),
            "expected bool, the type of the container, found int, in [0]",
        ),
        (
            array(Type::String, vec![Value::Nil]),
            "expected String, the type of the container, found Nil, in [0]",
        ),
        (
            array(Type::Object, vec![1.into()]),
            "expected Object, the type of the container, found int, in [0]",
        ),
        (
            array(Type::Float, vec![i64::MAX.into()]),
            "expected a number that a float holds exactly, found 9223372036854775807, in [0]",
        ),
        (
            dictionary(Type::String, Type::Int, pair("text".into())),
            "expected int, the type of the container, found String, in a",
        ),
        (
            dictionary(Type::Int, Type::Int, pair(1.into())),
            "expected int, the type of the container, found String, in a",
        ),
        (
            dictionary(Type::Float, Type::Int, vec![(1.0.into(), 1.into()), (1.into(), 2.into())]),
            "expected keys that are not the same as floats, found 1 twice",
        ),
    ] {
        for strict in [false, true] {
            let options = Options::new().strict(strict);
            assert_eq!(options.to_vec(&value).unwrap_err().to_string(), said);
            assert_eq!(options.value_to_vec(&value).unwrap_err().to_string(), said);
            let deep = [Value::Nil, value.clone()];
            assert!(refused(options.to_vec(&deep)).contains("in [1]"), "{value:?}");
            options.unchecked_types(true).to_vec(&value).unwrap();
        }
    }
}

/// A type says itself what it is written as, and may be wrong.
#[test]
fn types_of_rust_are_held_to_what_they_say() {
    #[derive(Serialize)]
    struct Wrong {
        id: i64,
    }
    impl Element for Wrong {
        const TYPE: Option<Type> = Some(Type::String);
    }
    let said = refused(to_vec(&(TypedArray(vec![Wrong { id: 1 }]),)));
    assert_eq!(said, "expected String, the type of the container, found Dictionary, in [0][0]");
    let said = refused(to_vec(&TypedDictionary(vec![("a", Wrong { id: 1 })])));
    assert_eq!(said, "expected String, the type of the container, found Dictionary, in a");
    to_vec(&TypedDictionary(vec![("a", 1)])).unwrap();
}

#[test]
fn strict_reading_says_what_the_engine_does() {
    let loose = Options::new().unchecked_types(true);
    let strict = Options::new().strict(true);
    for (value, said) in [
        (
            array(Type::Int, vec![2.5.into()]),
            "found float (the engine converts it) at byte 0xc, in [0]",
        ),
        (
            array(Type::Int, vec!["".into()]),
            "found String (the engine drops it) at byte 0xc, in [0]",
        ),
        (
            dictionary(Type::String, Type::Int, vec![("a".into(), 0.5.into())]),
            "found float (the engine keeps it) at byte 0x1c, in a",
        ),
    ] {
        let bytes = loose.to_vec(&value).unwrap();
        let error = strict.from_slice::<Value>(&bytes).unwrap_err().to_string();
        assert_eq!(error, format!("expected int, the type of the container, {said}"));
    }
}

#[test]
fn a_container_says_what_it_takes() {
    let accept =
        |container: Value, value: Value| container.accept(value).map_err(|error| error.to_string());
    let bytes = || PackedByteArray(vec![1]).into();
    assert_eq!(accept(bytes(), 255.into()), Ok(255.into()));
    assert_eq!(
        accept(bytes(), 256.into()).unwrap_err(),
        "expected a number in the range of PackedByteArray, found 256"
    );
    let floats = || PackedFloat32Array(vec![]).into();
    assert_eq!(accept(floats(), 1.into()), Ok(1.0.into()));
    assert!(accept(floats(), 1e39.into()).is_err());
    assert_eq!(accept(floats(), f64::INFINITY.into()), Ok(f64::INFINITY.into()));
    assert_eq!(
        accept(PackedStringArray(vec![]).into(), StringName::new("a").into()),
        Ok("a".into())
    );
    let vectors = || PackedVector3Array::<f32>(vec![]).into();
    assert_eq!(
        accept(vectors(), Vector3::<f32>::default().into()),
        Ok(Vector3::<f32>::default().into())
    );
    assert_eq!(
        accept(vectors(), 1.into()).unwrap_err(),
        "expected Vector3, the type of the container, found int"
    );
    assert_eq!(accept(Value::Array(Array::new()), 1.into()), Ok(1.into()));
    assert_eq!(accept(5.into(), 1.into()).unwrap_err(), "expected a container, found int");
    let typed = dictionary(Type::StringName, Type::Float, vec![]);
    assert_eq!(typed.accept_key("a".into()).unwrap(), Value::from(StringName::new("a")));
    assert_eq!(typed.accept(3.into()).unwrap(), 3.0);
    assert!(typed.accept_key(3.into()).is_err() && Value::Nil.accept_key(3.into()).is_err());
}

/// The engine's `str()`, which an element of a `PackedStringArray` becomes.
#[test]
#[cfg(feature = "text")]
fn other_kinds_become_texts_as_the_engine_shows_them() {
    let given = text::from_str::<Value>(
        r#"[PackedInt64Array(1, 2), PackedFloat32Array(0.1, 3), PackedColorArray(1, 0.5, 0.12345, 1),
        PackedStringArray("a\"b"), PackedVector2Array(1, 2.5), [null, "a", &"b", NodePath("c/d"), [1.5]],
        {"k": [true], 2: &"n"}, {}, [], Rect2i(1, 2, 3, 4), RID(), 1234570.5, Callable(), Signal(),
        Plane(0, 1, 0, 2), 5000000000000000000000.0, PackedByteArray()]"#,
    )
    .unwrap();
    let list = array(Type::PackedStringArray, vec![given]);
    let bytes = Options::new().unchecked_types(true).to_vec(&list).unwrap();
    let read: Value = from_slice(&bytes).unwrap();
    let shown: Vec<String> = from_value(&read[0]).unwrap();
    let expected = [
        "[1, 2]",
        "[0.10000000149012, 3.0]",
        "[(1.0, 0.5, 0.1235, 1.0)]",
        r#"["a\"b"]"#,
        "[(1.0, 2.5)]",
        r#"[<null>, "a", &"b", ^"c/d", [1.5]]"#,
        r#"{ "k": [true], 2: &"n" }"#,
        "{  }",
        "[]",
        "[P: (1, 2), S: (3, 4)]",
        "RID(0)",
        "1234570.5",
        "null::null",
        "null::[signal]",
        "[N: (0.0, 1.0, 0.0), D: 2.0]",
        "5000000000000000000000.0",
        "[]",
    ];
    assert_eq!(shown, expected);
}

/// The engine keeps values of a typed dictionary that are of another type, and writes them.
#[test]
fn foreign_values_that_were_read_are_written_again() {
    let wrong =
        dictionary(Type::String, Type::Int, vec![("a".into(), "x".into()), ("b".into(), 1.into())]);
    assert!(to_vec(&wrong).is_err());
    let bytes = Options::new().unchecked_types(true).to_vec(&wrong).unwrap();
    let read: Value = from_slice(&bytes).unwrap();
    assert_eq!(read, wrong);
    for own in [read.clone(), Value::from(vec![read.clone()])[0].clone()] {
        assert_eq!(to_vec(&own).unwrap(), bytes);
        assert_eq!(Options::new().value_to_vec(&own).unwrap(), bytes);
    }
    let named = Options::new().misfits(&bytes, 8);
    assert_eq!(named.len(), 1);
    assert!(named[0].to_string().ends_with("found String (the engine keeps it), in a"));
    // What is new is held to the type.
    let mut changed = read;
    changed["b"] = "y".into();
    assert!(to_vec(&changed).is_err());
}
