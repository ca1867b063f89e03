//! Enums in all four of serde's representations.

use std::collections::BTreeMap;

use godot_variant::value::Dictionary;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum External {
    Unit,
    New(Natives),
    Plain(i64),
    Tuple(i64, Vector3, StringName),
    Struct { natives: Natives, color: Color },
    Empty {},
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    New(Natives),
    Struct { natives: Natives, color: Color, more: Vec<Vector3> },
    Map(BTreeMap<String, Value>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
enum Adjacent {
    Unit,
    New(Natives),
    Tuple(i64, Vector3, StringName),
    Struct { natives: Natives, color: Color },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Struct { natives: Natives, color: Color },
    Cell(Vector3i),
    Vector(Vector3),
    Color(Color),
    Floats(PackedFloat32Array),
    Tuple(i64, Vector3, StringName),
    Bytes(PackedByteArray),
    Path(NodePath),
    Name(StringName),
    Flag(bool),
    Number(i64),
    Float(f64),
    Text(String),
    Any(Value),
}

fn vector() -> Vector3 {
    Vector3::new(1.5, 2.5, 3.5)
}

fn color() -> Color {
    Color::new(1.0, 0.5, 0.25, 1.0)
}

#[test]
fn external() {
    for value in [
        External::Unit,
        External::New(Natives::sample()),
        External::Plain(-5),
        External::Tuple(1 << 40, vector(), "n".into()),
        External::Struct { natives: Natives::sample(), color: color() },
        External::Empty {},
    ] {
        round_trip(&Options::new(), &value);
        round_trip(&Options::new(), &vec![Some(value)]);
    }
    let shown = |value: External| shown(&Options::new(), &to_vec(&value).unwrap());
    assert_eq!(shown(External::Unit), r#""Unit""#);
    assert_eq!(shown(External::Plain(5)), r#"{"Plain": 5}"#);
    assert_eq!(shown(External::Empty {}), r#"{"Empty": {}}"#);
    assert_eq!(
        shown(External::Tuple(1, vector(), "n".into())),
        r#"{"Tuple": [1, Vector3(1.5, 2.5, 3.5), &"n"]}"#
    );
}

#[test]
fn external_from_what_the_engine_has() {
    let mut said = Vec::new();
    let read = |value: Value| from_value::<External>(&value);
    assert_eq!(read(StringName::new("Unit").into()).unwrap(), External::Unit);
    // A dictionary with nil for a unit variant, a StringName for the variant's name.
    assert_eq!(read([("Unit", Value::Nil)].into_iter().collect()).unwrap(), External::Unit);
    let named: Value = [(StringName::new("Plain"), 5)].into_iter().collect();
    assert_eq!(read(named).unwrap(), External::Plain(5));

    let both: Value = [("Unit", 1), ("Plain", 2)].into_iter().collect();
    said.push(refused(read(both)));
    said.push(refused(read(5.into())));
    said.push(refused(read("Other".into())));
    said.push(refused(read([("Plain", "x")].into_iter().collect())));
    said.push(refused(read([("Tuple", vec![1])].into_iter().collect())));
    said.push(refused(read("Plain".into())));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn internal() {
    for value in [
        Internal::Unit,
        Internal::New(Natives::sample()),
        Internal::Struct { natives: Natives::sample(), color: color(), more: vec![vector(); 2] },
        Internal::Map([("at".to_owned(), Value::from(vector()))].into()),
    ] {
        round_trip(&Options::new(), &value);
        round_trip(&Options::new(), &vec![Some(value)]);
    }
    // The tag may stand anywhere.
    let late: Value =
        [("more", Value::from(Vec::<Value>::new())), ("type", "Unit".into())].into_iter().collect();
    assert_eq!(from_value::<Internal>(&late).unwrap(), Internal::Unit);
    assert_eq!(
        refused(from_value::<Internal>(&Value::from(Dictionary::new()))),
        "missing field `type`"
    );
    let unknown: Value = [("type", "Other")].into_iter().collect();
    assert_eq!(
        refused(from_value::<Internal>(&unknown)),
        "unknown variant `Other`, expected one of `Unit`, `New`, `Struct`, `Map`, in type"
    );
}

#[test]
fn adjacent() {
    for value in [
        Adjacent::Unit,
        Adjacent::New(Natives::sample()),
        Adjacent::Tuple(5, vector(), "n".into()),
        Adjacent::Struct { natives: Natives::sample(), color: color() },
    ] {
        let bytes = round_trip(&Options::new(), &value);
        round_trip(&Options::new(), &vec![Some(value.clone())]);
        // With the content first it has to pass through a buffer.
        let Value::Dictionary(entries) = from_slice::<Value>(&bytes).unwrap() else {
            panic!("not a dictionary")
        };
        let turned: Value = entries.into_vec().into_iter().rev().collect();
        assert_eq!(from_value::<Adjacent>(&turned).unwrap(), value);
    }
}

#[test]
fn untagged() {
    for value in [
        Untagged::Struct { natives: Natives::sample(), color: color() },
        Untagged::Vector(vector()),
        Untagged::Cell(Vector3i::new(1, 2, 3)),
        Untagged::Color(color()),
        Untagged::Floats(vec![1.0, 0.1].into()),
        Untagged::Tuple(5, vector(), "n".into()),
        Untagged::Bytes(vec![1, 2, 3].into()),
        Untagged::Path("/root/A:b".into()),
        Untagged::Name("name".into()),
        Untagged::Flag(true),
        Untagged::Number(1 << 40),
        Untagged::Float(0.5),
        Untagged::Any(Quaternion::new(0.0, 0.0, 0.0, 1.0).into()),
    ] {
        round_trip(&Options::new(), &value);
        round_trip(&Options::new(), &vec![Some(value)]);
    }
    // Text fits the first of the types that can be made from text.
    let text = from_slice::<Untagged>(&to_vec("a/b").unwrap()).unwrap();
    assert_eq!(text, Untagged::Path("a/b".into()));
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Picky {
        #[allow(dead_code, reason = "never made from what the test reads")]
        Color(Color),
    }
    assert_eq!(
        refused(from_slice::<Picky>(&to_vec(&vector()).unwrap())),
        "data did not match any variant of untagged enum Picky at byte 0x0"
    );
}

#[test]
fn untagged_takes_the_first_type_that_fits() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum VectorFirst {
        Vector(Vector3),
        Cell(Vector3i),
    }
    // A Vector3 is read from a Vector3i, in a buffer as elsewhere; not the other way round.
    let cell = to_vec(&Vector3i::new(1, 2, 3)).unwrap();
    let expected = VectorFirst::Vector(Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(from_slice::<VectorFirst>(&cell).unwrap(), expected);
    assert_eq!(from_slice::<Untagged>(&cell).unwrap(), Untagged::Cell(Vector3i::new(1, 2, 3)));
}
