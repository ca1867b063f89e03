//! `brson!`: what a literal becomes.

use resonite_brson::value::{Array, Document};
use resonite_brson::{Binary, DateTime, Int, Kind, Other, Text, TimeSpan, Url, Value, brson};

use crate::support::other;

/// Entries as `Document::insert` makes them.
fn document<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Document(Document::from_iter(entries))
}

fn array<const N: usize>(items: [Value; N]) -> Value {
    Value::Array(Array::from(Vec::from(items)))
}

#[test]
fn kinds_are_those_of_the_types() {
    let wide = 7_i64;
    for (made, expected) in [
        (brson!(null), Value::Null),
        (brson!(()), Value::Null),
        (brson!(None::<i32>), Value::Null),
        (brson!(Some(1)), Value::Int32(1)),
        (brson!(true), Value::Bool(true)),
        (brson!(-1), Value::Int32(-1)),
        (brson!(7_u8), Value::Int32(7)),
        (brson!(u32::MAX), Value::Int32(-1)),
        (brson!(7_i64), Value::Int64(7)),
        (brson!(wide * 2), Value::Int64(14)),
        (brson!(Int::I64(1)), Value::Int64(1)),
        (brson!(1.0), Value::Double(1.0)),
        (brson!(-0.0), Value::Double(-0.0)),
        (brson!(0.5_f32), Value::Double(0.5)),
        (brson!(f64::NAN), Value::Double(f64::NAN)),
        (brson!("Åsa"), Value::String("Åsa".into())),
        (brson!(String::from("a")), Value::String("a".into())),
        (brson!(Text::from("@a")), Value::String("@@a".into())),
        (brson!(Url::new("resdb:///a").unwrap()), Value::String("@resdb:///a".into())),
        (brson!(DateTime(-1)), Value::DateTime(DateTime(-1))),
        (brson!(TimeSpan(5)), Value::Int64(5)),
        (brson!(Other::new(Kind::ObjectId, [1; 12]).unwrap()), other(Kind::ObjectId, &[1; 12])),
        (
            brson!(Binary { subtype: 4, bytes: vec![1] }),
            Value::Binary(Box::new(Binary { subtype: 4, bytes: vec![1] })),
        ),
        (brson!(vec![1, 2]), array([1.into(), 2.into()])),
        (brson!([1, 2][1]), Value::Int32(2)),
        (brson!(if wide > 0 { 1 } else { 2 }), Value::Int32(1)),
    ] {
        assert_eq!(made, expected);
    }
}

#[test]
fn arrays_take_anything() {
    assert_eq!(brson!([]), Value::Array(Array::new()));
    let (one, two) = (array([1.into()]), array([1.into(), 2.into()]));
    assert_eq!(brson!([1]), one);
    assert_eq!(brson!([1,]), one);
    assert_eq!(brson!([1, 2]), two);
    assert_eq!(brson!([1, 2,]), two);
    // With more than one token in an element.
    assert_eq!(brson!([1, 1 + 1]), two);
    assert_eq!(brson!([2 - 1, 1 + 1,]), two);
    let items = [1, 2];
    let mixed = brson!([
        null,
        -1,
        [null, [items.len() as i32, -2.0], {}],
        { "a": null, "b": -1 },
        items[1],
        [1, 2][0],
        if items.len() > 2 { 1 } else { 2 },
        max(1, 2),
        Some("x").map(|text| text.len() as i64),
        [-1],
        {},
        null,
    ]);
    let expected = array([
        Value::Null,
        Value::Int32(-1),
        array([
            Value::Null,
            array([2.into(), Value::Double(-2.0)]),
            Value::Document(Document::new()),
        ]),
        document([("a", Value::Null), ("b", Value::Int32(-1))]),
        2.into(),
        1.into(),
        2.into(),
        2.into(),
        Value::Int64(1),
        array([Value::Int32(-1)]),
        Value::Document(Document::new()),
        Value::Null,
    ]);
    assert_eq!(mixed, expected);
}

fn max(a: i32, b: i32) -> i32 {
    a.max(b)
}

#[test]
fn documents_keep_their_order() {
    assert_eq!(brson!({}), Value::Document(Document::new()));
    let flat = document([("b", 1.into()), ("a", "x".into()), ("", Value::Null)]);
    assert_eq!(brson!({ "b": 1, "a": "x", "": null }), flat);
    assert_eq!(brson!({ "b": 1, "a": "x", "": null, }), flat);
    assert_eq!(brson!({ "b": 2 - 1, "a": "x", "": null }), flat);
    assert_eq!(brson!({ "b": 2 - 1, "a": "x", "": null, }), flat);

    const TAG: &str = "Tag";
    let name = String::from("Name");
    let keys = brson!({
        TAG: -1,
        (name.clone()): { "Data": [-1, null] },
        (format!("{name}-ID")): [[], {}],
        "null": null,
    });
    let expected = document([
        ("Tag", Value::Int32(-1)),
        ("Name", document([("Data", array([Value::Int32(-1), Value::Null]))])),
        ("Name-ID", array([Value::Array(Array::new()), Value::Document(Document::new())])),
        ("null", Value::Null),
    ]);
    assert_eq!(keys, expected);
    // In the form in which no element has more than one token, too.
    assert_eq!(
        brson!({ TAG: 1, (name): null }),
        document([("Tag", 1.into()), ("Name", Value::Null)])
    );

    let twice = brson!({ "a": 1, "a": 2 });
    assert_eq!(twice.as_document().unwrap().len(), 2);
    assert!(crate::plain::to_vec(&twice).is_err());
}

/// A literal of one token for each element needs no recursion of the macro for each of them.
#[test]
fn long_literals_compile() {
    macro_rules! many {
        ($($byte:literal)*) => { brson!([$($byte, $byte, $byte, $byte, $byte, $byte),*]) };
    }
    let long = many!(0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9);
    assert_eq!(long.as_array().unwrap().len(), 180);
    // So do as many levels as people write.
    let deep = brson!([[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{ "a": [[[[[[[[-1]]]]]]]] }]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]);
    assert_eq!(format!("{deep:?}").matches('[').count(), 38);
}

#[test]
fn literals_go_where_values_go() {
    let tree = brson!({ "Object": { "Name": { "Data": "Lamp" } } });
    let bytes = crate::plain::to_vec(&tree).unwrap();
    assert_eq!(crate::plain::from_slice::<Value>(&bytes).unwrap(), tree);
}
