//! The types of users: how each kind is written, and what it is read from.

mod attributes;
mod borrowed;
mod buffers;
mod enums;
mod json;
mod keys;
mod native;
mod numbers;
mod objects;

use godot_variant::types::*;
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{refused, round_trip, shown, words};

/// One field of every kind of native type that passes through serde in its own way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Natives {
    vector: Vector3,
    wide: Vector3<f64>,
    color: Color,
    cell: Vector2i,
    basis: Basis,
    floats: PackedFloat32Array,
    points: PackedVector3Array,
    bytes: PackedByteArray,
    names: PackedStringArray,
    name: StringName,
    path: NodePath,
    rid: Rid,
    object: ObjectId,
    callable: Callable,
    signal: Signal,
    ids: TypedArray<i64>,
    counts: TypedDictionary<String, i64>,
    any: Value,
    maybe: Option<Vector2>,
}

impl Natives {
    fn sample() -> Self {
        Natives {
            vector: Vector3::new(1.0, 2.0, 3.0),
            wide: [0.1, 0.2, 0.3].into(),
            color: Color::new(0.1, 0.2, 0.3, 1.0),
            cell: Vector2i::new(-1, 2),
            basis: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].into(),
            floats: vec![0.1, -0.0].into(),
            points: vec![Vector3::new(0.5, 1.5, 2.5)].into(),
            bytes: vec![0, 255].into(),
            names: ["a", ""].into_iter().collect(),
            name: "name".into(),
            path: "/root/A:b".into(),
            rid: Rid(7),
            object: ObjectId(1 << 63 | 5),
            callable: Callable,
            signal: Signal { name: "hit".into(), object: ObjectId(9) },
            ids: vec![1, 1 << 40].into(),
            counts: vec![("b".to_owned(), 2), ("a".to_owned(), 1)].into(),
            any: vec![Value::from(Vector2::new(1.0, 2.0)), "text".into()].into(),
            maybe: Some(Vector2::new(0.0, -1.0)),
        }
    }
}

#[test]
fn structs_are_dictionaries_in_the_order_of_their_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Player {
        name: String,
        hp: i32,
        pos: Vector2,
    }
    let player = Player { name: "Bo".to_owned(), hp: 5, pos: Vector2::new(1.0, 2.0) };
    let bytes = round_trip(&Options::new(), &player);
    assert_eq!(
        words(&bytes),
        "1b000000 03000000 04000000 04000000 6e616d65 04000000 02000000 426f0000 04000000 02000000 68700000 02000000 05000000 04000000 03000000 706f7300 05000000 0000803f 00000040"
    );
    assert_eq!(
        shown(&Options::new(), &bytes),
        r#"{"name": "Bo", "hp": 5, "pos": Vector2(1.0, 2.0)}"#
    );
}

#[test]
fn tuples_are_arrays() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pair(i32, String);
    let bytes = round_trip(&Options::new(), &Pair(1, "a".to_owned()));
    assert_eq!(shown(&Options::new(), &bytes), r#"[1, "a"]"#);
    assert_eq!(bytes, round_trip(&Options::new(), &(1, "a".to_owned())));
    round_trip(&Options::new(), &[[1, 2], [3, 4]]);
    assert_eq!(
        refused(from_slice::<(i32, String, i32)>(&bytes)),
        "expected a tuple of size 3, found 2 elements at byte 0x0"
    );
    assert_eq!(refused(from_slice::<(i32,)>(&bytes)), "expected 1 element, found 2 at byte 0x0");
}

#[test]
fn newtypes_are_what_is_inside() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Metres(f32);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Place(Vector3);
    assert_eq!(round_trip(&Options::new(), &Metres(1.5)), to_vec(&1.5).unwrap());
    let vector = Vector3::new(1.0, 2.0, 3.0);
    assert_eq!(round_trip(&Options::new(), &Place(vector)), to_vec(&vector).unwrap());
}

#[test]
fn units_and_none_are_nil() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Unit;
    for bytes in [
        round_trip(&Options::new(), &()),
        round_trip(&Options::new(), &Unit),
        round_trip(&Options::new(), &None::<i32>),
    ] {
        assert_eq!(words(&bytes), "00000000");
    }
    assert_eq!(round_trip(&Options::new(), &Some(5)), to_vec(&5).unwrap());
    // A null object is no value either.
    let null = crate::support::hex("18000100 00000000 00000000");
    assert_eq!(from_slice::<Option<ObjectId>>(&null).unwrap(), None);
    from_slice::<()>(&null).unwrap();
    assert_eq!(
        refused(from_slice::<()>(&to_vec(&5).unwrap())),
        "expected unit, found integer 5 at byte 0x0"
    );
}

#[test]
fn nested_structs_keep_their_native_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct World {
        natives: Natives,
        more: Vec<Natives>,
        maybe: Option<Box<World>>,
        last: (Natives, [Vector2; 2]),
    }
    let world = |maybe| World {
        natives: Natives::sample(),
        more: vec![Natives::sample(); 2],
        maybe,
        last: (Natives::sample(), [Vector2::new(1.0, 2.0); 2]),
    };
    let bytes = round_trip(&Options::new(), &world(Some(Box::new(world(None)))));
    // The same through Value.
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(to_vec(&value).unwrap(), bytes);
    assert_eq!(from_value::<World>(&value).unwrap(), world(Some(Box::new(world(None)))));
}

#[test]
fn native_types_are_written_as_such() {
    let bytes = round_trip(&Options::new(), &Natives::sample());
    let value: Value = from_slice(&bytes).unwrap();
    insta::assert_snapshot!(format!("{value:#?}"));
    assert!(matches!(&value["wide"], Value::Real64(_)), "{:?}", value["wide"]);
}

#[test]
fn chars_are_strings() {
    for c in ['a', 'é', '\u{10ffff}'] {
        assert_eq!(round_trip(&Options::new(), &c), to_vec(&c.to_string()).unwrap());
    }
    refused(from_slice::<char>(&to_vec("ab").unwrap()));
    refused(from_slice::<char>(&to_vec("").unwrap()));
}

#[test]
fn values_one_after_another() {
    let bytes = [to_vec(&1).unwrap(), to_vec("two").unwrap(), to_vec(&vec![3]).unwrap()].concat();
    let all: Result<Vec<Value>> = Deserializer::from_slice(&bytes).into_iter().collect();
    assert_eq!(format!("{:?}", all.unwrap()), r#"[1, "two", [3]]"#);
    let mut numbers = Deserializer::from_slice(&bytes).into_iter::<i64>();
    assert_eq!(numbers.next().unwrap().unwrap(), 1);
    assert_eq!(numbers.next().unwrap().unwrap_err().offset(), Some(8));
    // After an error it is over: where the next value starts is not known.
    assert!(numbers.next().is_none());
    assert!(Deserializer::from_slice(&[]).into_iter::<i64>().next().is_none());
    let cut = Deserializer::from_slice(&bytes[..10]).into_iter::<i64>().last();
    assert_eq!(cut.unwrap().unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn a_value_and_the_rest() {
    let bytes = [to_vec("one").unwrap(), to_vec(&2).unwrap()].concat();
    let mut deserializer = Deserializer::new(&bytes, Options::new());
    let one = <&str>::deserialize(&mut deserializer).unwrap();
    assert_eq!((one, deserializer.byte_offset()), ("one", 12));
    assert_eq!(deserializer.end().unwrap_err().kind(), ErrorKind::TrailingBytes);
    assert_eq!(i64::deserialize(&mut deserializer).unwrap(), 2);
    deserializer.end().unwrap();
    // The engine counts padding that a last PackedByteArray lacks.
    let bytes = crate::support::hex("1d000000 01000000 ff");
    let mut deserializer = Deserializer::from_slice(&bytes);
    assert_eq!(PackedByteArray::deserialize(&mut deserializer).unwrap().0, [255]);
    assert_eq!((deserializer.byte_offset(), deserializer.rest()), (12, &[][..]));
}

#[test]
fn a_serializer_appends() {
    let mut serializer = Serializer::new(vec![9], Options::new());
    1.serialize(&mut serializer).unwrap();
    "a".serialize(&mut serializer).unwrap();
    assert_eq!(
        words(&serializer.into_inner().unwrap()[1..]),
        "02000000 01000000 04000000 01000000 61000000"
    );
    let mut out = vec![1, 2, 3];
    Options::new().append_to_vec(&mut out, &1).unwrap();
    assert_eq!(out.len(), 11);
    Options::new().append_to_vec(&mut out, &u64::MAX).unwrap_err();
    assert_eq!(out.len(), 11, "what failed is taken back");
    let limited = Options::new().max_output(8);
    limited.append_to_vec(&mut out, &1).unwrap();
    assert_eq!(limited.append_to_vec(&mut out, &[1]).unwrap_err().kind(), ErrorKind::OutputLimit);
    assert_eq!(out.len(), 19);
}
