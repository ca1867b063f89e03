//! `Value`: lossless, indexed, compared, printed, made from Rust values and back.

mod access;
mod keys;
mod literals;
mod print;
mod properties;
mod typed;

use godot_variant::native_json::NativeJson;
use godot_variant::types::*;
use godot_variant::value::{Array, Dictionary, Instance, Object, TypedArray, TypedDictionary};
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{hex, refused, samples, values};

#[test]
fn equality_is_by_bits() {
    let float = |bits| Value::Float(f64::from_bits(bits));
    assert_eq!(float(0x7ff8_0000_0000_0001), float(0x7ff8_0000_0000_0001));
    assert_ne!(float(0x7ff8_0000_0000_0001), float(0x7ff8_0000_0000_0002));
    assert_ne!(Value::from(0.0), Value::from(-0.0));
    assert_ne!(Value::from(1), Value::from(1.0));
    assert_ne!(Value::from(1), Value::from(true));
    assert_ne!(Value::from("a"), Value::from(StringName::new("a")));
    assert_ne!(Value::from("a"), Value::from(NodePath::new("a")));
    let vector = |x| Value::from(Vector2::new(x, 0.0));
    assert_eq!(vector(f32::NAN), vector(f32::NAN));
    assert_ne!(vector(f32::NAN), vector(f32::from_bits(0x7fc0_0001)));
    assert_ne!(vector(0.0), vector(-0.0));
    assert_ne!(vector(1.0), Value::from(Vector2::<f64>::from([1.0, 0.0])));
    let packed = |x| Value::from(PackedFloat32Array(vec![x]));
    assert_eq!(packed(f32::NAN), packed(f32::NAN));
    assert_ne!(packed(0.0), packed(-0.0));
    // Order counts, and types of containers.
    let pairs = |a: &str, b: &str| -> Value { [(a, 1), (b, 1)].into_iter().collect() };
    assert_ne!(pairs("a", "b"), pairs("b", "a"));
    let list = |element| Value::from(TypedArray { element, items: Array::new() });
    assert_ne!(list(ElementType::Builtin(Type::Int)), list(ElementType::Builtin(Type::Float)));
    assert_ne!(list(ElementType::Builtin(Type::Int)), Value::from(Array::new()));
    assert_ne!(Value::Object(Object::Null), Value::Nil);
    assert_ne!(Value::from(ObjectId(1)), Value::from(ObjectId(2)));
}

#[test]
fn every_sample_is_equal_to_itself_and_to_no_other() {
    let all = values();
    for (n, a) in all.iter().enumerate() {
        for (m, b) in all.iter().enumerate() {
            assert_eq!(a == b, n == m, "{a:?} and {b:?}");
            // Objects are new ones each time they arrive.
            let same = n == m && !matches!(a, Value::Object(_)) && !has_object(a);
            assert_eq!(a.same_key(b), same, "{a:?} and {b:?}");
        }
    }
}

fn has_object(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().any(|item| item.as_object().is_some()))
}

#[test]
fn clones_are_equal_and_written_alike() {
    for sample in samples() {
        let value: Value = sample.options.from_slice(&sample.bytes).unwrap();
        let clone = value.clone();
        assert_eq!(clone, value);
        assert_eq!(format!("{clone:#?}"), format!("{value:#?}"));
        assert_eq!(sample.options.to_vec(&clone).unwrap(), sample.bytes, "{}", sample.name);
        let mut taken = value;
        assert_eq!(taken.take(), clone);
        assert!(taken.is_null());
    }
}

#[test]
fn parts_pass_through_serde_as_whole_values() {
    let options = Options::new();
    for value in values() {
        if let Value::Array(items) = &value {
            assert_eq!(options.to_vec(items).unwrap(), options.to_vec(&value).unwrap());
            let read: Array = from_slice(&options.to_vec(&value).unwrap()).unwrap();
            assert_eq!(&read, items);
        }
        if let Value::Dictionary(entries) = &value {
            assert_eq!(options.to_vec(entries).unwrap(), options.to_vec(&value).unwrap());
            let read: Dictionary = from_slice(&options.to_vec(&value).unwrap()).unwrap();
            assert_eq!(&read, entries);
        }
    }
    let typed = to_vec(&godot_variant::types::TypedArray(vec![1_i64])).unwrap();
    assert_eq!(from_slice::<Array>(&typed).unwrap(), Array::from(vec![Value::from(1)]));
    assert_eq!(
        refused(from_slice::<Array>(&to_vec(&5).unwrap())),
        "expected an array, found int at byte 0x0"
    );
    assert_eq!(
        refused(from_slice::<Dictionary>(&to_vec(&[1]).unwrap())),
        "expected a dictionary, found Array at byte 0x0"
    );
}

#[test]
fn values_from_rust_and_back() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Player {
        name: String,
        pos: Vector3,
        tags: Vec<StringName>,
        best: Option<f64>,
    }
    let player = Player {
        name: "Bo".to_owned(),
        pos: Vector3::new(1.0, 2.0, 3.0),
        tags: vec!["a".into()],
        best: None,
    };
    let value = to_value(&player).unwrap();
    assert_eq!(value["pos"], Value::from(player.pos));
    assert_eq!(value["tags"][0], Value::from(StringName::new("a")));
    assert_eq!(from_value::<Player>(&value).unwrap(), player);
    for value in values() {
        assert_eq!(from_value::<Value>(&value).unwrap().kind(), value.kind());
        if !matches!(value, Value::Object(Object::Id(_))) && !has_object(&value) {
            assert_eq!(to_value(&value).unwrap(), value);
            assert_eq!(from_value::<Value>(&value).unwrap(), value);
        }
    }
    // The options apply, but for the dialect: nothing leaves the program.
    let godot3 = Options::new().dialect(Dialect::Godot3);
    let name = Value::from(StringName::new("a"));
    assert_eq!(godot3.to_value(&StringName::new("a")).unwrap(), name);
    assert_eq!(godot3.from_value::<StringName>(&name).unwrap(), StringName::new("a"));
    let wide = Value::from(Vector2::<f64>::from([0.1, 0.2]));
    let narrow = Value::from(Vector2::new(0.1, 0.2));
    let single = Options::new().precision(Precision::Single);
    assert_eq!(single.to_value(&wide).unwrap(), narrow);
    let error = Options::new().max_typed_depth(1).to_value(&[[1]]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::DepthLimit, None));
    assert_eq!(
        refused(from_value::<Player>(&Value::from(5))),
        "expected struct Player, found integer 5"
    );
}

#[test]
fn conversions_from_rust() {
    assert_eq!(Value::from(()), Value::Nil);
    assert_eq!(Value::from(None::<i64>), Value::Nil);
    assert_eq!(Value::from(Some("a")), Value::from("a".to_owned()));
    assert_eq!(Value::from(0.1_f32), Value::Float(0.1_f32.into()));
    assert_eq!(Value::from(u32::MAX), Value::Int(u32::MAX.into()));
    assert_eq!(Value::from(vec![1, 2]), [1, 2].into_iter().collect::<Value>());
    assert_eq!(Value::from(ObjectId(0)), Value::Object(Object::Null));
    assert_eq!(
        [("a", 1), ("b", 2), ("a", 3)].into_iter().collect::<Value>(),
        [("a", 3), ("b", 2)].into_iter().collect::<Value>()
    );
    assert_eq!(Value::default(), Value::Nil);
    assert!(matches!(Value::from(Basis::<f64>::default()), Value::Real64(_)));
    assert_eq!(Value::from("a"), "a");
    assert_eq!(Value::from(StringName::new("a")), *"a");
    assert_eq!(Value::from(5), 5);
    assert_ne!(Value::from(5.0), 5);
    assert_eq!(Value::from(5.0), 5.0);
    assert_ne!(Value::from(5), 5.0);
    assert_eq!(Value::from(true), true);
}

#[test]
fn kinds_are_those_of_the_engine() {
    for value in values() {
        let bytes = Options::new().allow_objects(true).to_vec(&value).unwrap();
        assert_eq!(bytes[0], value.kind() as u8, "{value:?}");
        assert_eq!(value.kind().id(Dialect::Godot4), Some(bytes[0]));
    }
    for kind in Type::ALL {
        assert_eq!(Type::from_name(kind.name()), Some(kind));
        for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Docs] {
            if let Some(id) = kind.id(dialect) {
                assert_eq!(Type::from_id(id.into(), dialect), Some(kind));
            }
        }
        assert!(values().iter().any(|value| value.kind() == kind), "no sample of {kind}");
    }
    assert_eq!(Type::from_id(39, Dialect::Godot4), None);
    assert_eq!(Type::from_id(27, Dialect::Godot3), None);
    assert_eq!(Type::from_id(29, Dialect::Docs), None);
}

/// Native types, values, enums and borrowed bytes come out of a value as out of its bytes.
#[test]
fn a_value_is_a_deserializer() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any<'a> {
        Number(i64),
        Text(&'a str),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Native<'a> {
        path: NodePath,
        at: Vector2<f32>,
        #[serde(borrow, with = "serde_bytes")]
        data: &'a [u8],
        rest: Value,
        kinds: Vec<Result<i32, f64>>,
        any: Vec<Any<'a>>,
    }
    let native = Native {
        path: "a/b:c".into(),
        at: Vector2::new(1.0, -2.0),
        data: b"\0\xff",
        rest: Value::from(vec![Value::from(Vector2::new(0.5_f32, 0.25)), "x".into()]),
        kinds: vec![Ok(1), Err(0.5)],
        any: vec![Any::Number(5), Any::Text("five")],
    };
    let value = to_value(&native).unwrap();
    assert_eq!(Native::deserialize(&value).unwrap(), native);
    let own = PackedByteArray::deserialize(&value["data"]).unwrap();
    assert_eq!(AsRef::<[u8]>::as_ref(&own), native.data);
    let error = <Vec<u8>>::deserialize(&value["rest"]).unwrap_err();
    assert_eq!(error.path().to_string(), "[0]");
    assert_eq!(value["rest"].to_string(), r#"[Vector2(0.5, 0.25), "x"]"#);
}
