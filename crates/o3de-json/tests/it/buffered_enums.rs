//! Enums with data that serde's buffers keep: what is written is read again.

use std::collections::BTreeMap;
use std::fmt::Debug;

use o3de_json::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Inner {
    Unit,
    Newtype(u8),
    List(Vec<i16>),
    Text(String),
    Tuple(u8, String),
    Struct {
        f: u8,
    },
    Empty {},
    Open {
        value: u8,
    },
    Pascal {
        #[serde(rename = "Value")]
        own: u8,
    },
    Class(Class),
    Nothing(()),
    Marker(Marker),
    Maybe(Option<u8>),
    Map(BTreeMap<String, u8>),
    Nested(Box<Inner>),
    Deep {
        inner: Box<Inner>,
        list: Vec<Inner>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Class {
    x: i32,
    y: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Marker;

fn inner() -> Vec<Inner> {
    let deep = |list| Inner::Deep { inner: Box::new(Inner::Struct { f: 2 }), list };
    vec![
        Inner::Unit,
        Inner::Newtype(1),
        Inner::List(vec![1, -2]),
        Inner::Text("a".into()),
        Inner::Tuple(1, "b".into()),
        Inner::Struct { f: 1 },
        Inner::Empty {},
        Inner::Open { value: 3 },
        Inner::Pascal { own: 3 },
        Inner::Class(Class { x: -1, y: None }),
        Inner::Class(Class { x: 2, y: Some("y".into()) }),
        Inner::Nothing(()),
        Inner::Marker(Marker),
        Inner::Maybe(None),
        Inner::Maybe(Some(7)),
        Inner::Map(BTreeMap::from([("k".to_owned(), 1)])),
        Inner::Map(BTreeMap::new()),
        Inner::Nested(Box::new(Inner::Tuple(2, "c".into()))),
        deep(Vec::new()),
        deep(vec![Inner::Newtype(4), deep(vec![Inner::Nothing(()), Inner::Unit])]),
    ]
}

#[track_caller]
fn returns<T: Serialize + DeserializeOwned + PartialEq + Debug>(own: T) {
    for text in [to_string(&own).unwrap(), to_string_pretty(&own).unwrap()] {
        match from_str::<T>(&text) {
            Ok(read) => assert_eq!(read, own, "{text}"),
            Err(error) => panic!("{error}: {text}"),
        }
        let (read, report) = load::<T>(&text).unwrap();
        assert!(read == own && report.is_clean(), "{report} {text}");
    }
    let copy: T = from_value(&to_value(&own).unwrap()).unwrap();
    let mut target = Target { own: copy };
    load_into(&mut target, "{}").unwrap();
    assert_eq!(target.own, own);
}

/// What is loaded onto: `{}` leaves it as it is.
#[derive(Serialize, Deserialize)]
struct Target<T> {
    own: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u64),
    Point(Point),
    Inner(Inner),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    z: i32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Inside {
    Field { inner: Inner },
    Own(Inner),
    List { list: Vec<Inner>, after: Option<Inner> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "own")]
enum Beside {
    Own(Inner),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Partly {
    Known {
        a: u8,
    },
    One(u8),
    #[serde(untagged)]
    Inner(Inner),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    id: u32,
    #[serde(flatten)]
    own: Own,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Own {
    first: Inner,
    second: Vec<Inner>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Rest {
    id: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, Inner>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Holder {
    a: Untagged,
    b: Option<Untagged>,
    c: Vec<Untagged>,
    d: BTreeMap<String, Untagged>,
    e: (u8, Untagged),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Around {
    Own(Untagged),
    Named { own: Untagged },
}

#[test]
fn each_variant_returns_from_each_buffer() {
    for one in inner() {
        let copy = || one.clone();
        returns(Untagged::Inner(copy()));
        returns(Inside::Field { inner: copy() });
        returns(Inside::List { list: vec![copy(), copy()], after: Some(copy()) });
        returns(Beside::Own(copy()));
        returns(Partly::Inner(copy()));
        returns(Flat { id: 1, own: Own { first: copy(), second: vec![copy()] } });
        returns(Rest { id: 1, rest: BTreeMap::from([("a".into(), copy()), ("b".into(), copy())]) });
        returns(Around::Own(Untagged::Inner(copy())));
        returns(Around::Named { own: Untagged::Inner(copy()) });
    }
    returns(Partly::Known { a: 1 });
    returns(Partly::One(1));
    returns(Around::Own(Untagged::Number(5)));
    returns(Around::Own(Untagged::Point(Point { z: 1 })));
    returns(vec![Partly::One(1), Partly::Known { a: 2 }, Partly::Inner(Inner::Newtype(3))]);
}

#[test]
fn lists_of_them_return() {
    let all = || inner().into_iter().map(Untagged::Inner);
    returns(all().collect::<Vec<_>>());
    let many: Vec<_> = (0..200).flat_map(|_| all()).chain([Untagged::Number(1)]).collect();
    returns(many);
    returns(Holder {
        a: Untagged::Inner(Inner::Struct { f: 1 }),
        b: Some(Untagged::Inner(Inner::Newtype(2))),
        c: all().chain([Untagged::Point(Point { z: 1 })]).collect(),
        d: all().enumerate().map(|(index, one)| (index.to_string(), one)).collect(),
        e: (1, Untagged::Inner(Inner::Tuple(1, "x".into()))),
    });
}

/// What takes anything takes what no variant before it takes, as it stands in the text.
#[test]
fn a_variant_for_anything_else_gets_the_rest() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Open<T> {
        Inner(Inner),
        Else(T),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Known {
        Struct {
            f: u8,
        },
        #[serde(untagged)]
        Else(serde_json::Value),
    }
    fn open<T: DeserializeOwned + PartialEq + Debug>(text: &str, known: &[bool]) -> Vec<Open<T>> {
        let read = from_str::<Vec<Open<T>>>(text).unwrap();
        let found: Vec<_> = read.iter().map(|one| matches!(one, Open::Inner(_))).collect();
        assert_eq!(found, known, "{read:?}");
        read
    }
    let own = r#"{"$type": "Struct", "f": 1}"#;
    let old = r#"{"$type": "Struct", "f": "one"}"#;
    let other = r#"{"$type": "Torus", "rings": [1, {"$type": "Struct", "f": 1}]}"#;
    let plain = r#"{"f": 1, "g": 2}"#;
    let text = format!("[{other}, {own}, {old}, {plain}, {own}, {other}]");
    let known = [false, true, false, false, true, false];
    let json = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
    for (one, text) in open::<serde_json::Value>(&text, &known).iter().zip([other, own, old]) {
        let Open::Else(value) = one else { continue };
        assert_eq!(*value, json(text));
    }
    for (one, text) in open::<Value>(&text, &known).iter().zip([other, own, old]) {
        let Open::Else(value) = one else { continue };
        assert_eq!(*value, from_str::<Value>(text).unwrap());
    }
    open::<BTreeMap<String, Value>>(&text, &known);
    let read = from_str::<Vec<Known>>(&text).unwrap();
    assert_eq!(read[1], Known::Struct { f: 1 });
    assert_eq!(read[2], Known::Else(json(old)));
    assert_eq!(read[5], Known::Else(json(other)));
    // Each is written as it was.
    assert_eq!(from_str::<Vec<Known>>(&to_string(&read).unwrap()).unwrap(), read);
}

/// Everything but an enum sees `$type`, also beside enums of the same classes.
#[test]
fn what_is_no_enum_has_its_type() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "$type")]
    enum Tagged {
        Struct { f: u8 },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Tagged(Tagged),
        Number(u8),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Lax {
        #[serde(rename = "$type", default)]
        class: String,
        #[serde(default)]
        f: u8,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct All {
        either: Vec<Either>,
        own: Vec<Untagged>,
        #[serde(flatten)]
        rest: BTreeMap<String, serde_json::Value>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Laxly {
        own: Vec<Untagged>,
        #[serde(flatten)]
        rest: BTreeMap<String, Lax>,
    }
    let json = serde_json::json!({"$type": "Struct", "f": 3});
    returns(All {
        either: vec![Either::Tagged(Tagged::Struct { f: 1 }), Either::Number(2)],
        own: inner().into_iter().map(Untagged::Inner).collect(),
        rest: BTreeMap::from([("x".to_owned(), json)]),
    });
    let lax = Lax { class: "Struct".into(), f: 9 };
    returns(Laxly {
        own: vec![Untagged::Inner(Inner::Struct { f: 1 })],
        rest: BTreeMap::from([("x".to_owned(), lax)]),
    });
}

/// The engine's spellings of a class, as far as the names of the variants say them.
#[test]
fn classes_have_the_engines_spellings() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Shape {
        #[serde(rename = "{0B1F6D3E-7C63-4E1F-8D8A-1D6A3E4C7B11} Sphere")]
        Sphere {
            radius: f32,
        },
        Box {
            size: f32,
        },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Shape(Shape),
    }
    returns(vec![
        Either::Shape(Shape::Sphere { radius: 1.0 }),
        Either::Shape(Shape::Box { size: 2.0 }),
    ]);
    let text = r#"[{"$type": "sphere", "radius": 1.0}, {"$type": " BOX ", "size": 2.0},
        {"$type": "{0B1F6D3E-7C63-4E1F-8D8A-1D6A3E4C7B11} Ball", "radius": 3.0}]"#;
    let read = from_str::<Vec<Either>>(text).unwrap();
    let sphere = |radius| Either::Shape(Shape::Sphere { radius });
    assert_eq!(read, [sphere(1.0), Either::Shape(Shape::Box { size: 2.0 }), sphere(3.0)]);
}

#[test]
fn what_fits_no_variant_is_refused_with_its_place() {
    let wrong = |text: &str| from_str::<Vec<Untagged>>(text).unwrap_err().to_string();
    for own in [r#"{"$type": "Struct", "f": "x"}"#, r#"{"$type": "Torus"}"#, r#"{"a": 1, "b": 2}"#]
    {
        assert_eq!(
            wrong(&format!("[{{\"$type\": \"Newtype\", \"Value\": 1}},\n {own}]")),
            "data did not match any variant of untagged enum Untagged at line 2, column 2 \
             (byte 0x24), in /1"
        );
    }
    // A reader that reads once cannot begin again.
    let text = to_string(&Untagged::Inner(Inner::Struct { f: 1 })).unwrap();
    assert!(Untagged::deserialize(&mut Deserializer::from_str(&text)).is_err());
    assert!(from_str::<Untagged>(&text).is_ok());
}

/// A value of any type as the content of a variant: each save put another object around it.
#[test]
fn values_return_as_the_content_of_a_variant() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Holds<T> {
        Own(T),
        #[serde(rename = "$unknown")]
        Else(T),
    }
    for text in
        ["5", "[1]", "null", "{}", r#"{"a":1}"#, r#"{"Value":1}"#, r#"{"$type":"Own","b":1}"#]
    {
        let value = from_str::<Value>(text).unwrap();
        returns(Holds::Own(value.clone()));
        let raw = Holds::Own(o3de_json::types::RawValue::new(text).unwrap());
        assert_eq!(from_str::<Holds<_>>(&to_string(&raw).unwrap()).unwrap(), raw);
        let json = serde_json::from_str::<serde_json::Value>(text).unwrap();
        // A unit has no `Value`.
        if !json.is_null() {
            returns(Holds::Own(json));
        }
    }
    let other = r#"{"$type":"Torus","Value":1}"#;
    let unknown = Holds::Else(from_str::<Value>(other).unwrap());
    assert_eq!(from_str::<Holds<Value>>(&to_string(&unknown).unwrap()).unwrap(), unknown);
    let unknown = Holds::Else(serde_json::from_str::<serde_json::Value>(other).unwrap());
    assert_eq!(from_str::<Holds<_>>(&to_string(&unknown).unwrap()).unwrap(), unknown);
}
