//! What errors and issues say, and where they point.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use o3de_json::registry::*;
use o3de_json::report::*;
use o3de_json::types::*;
use o3de_json::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Level {
    pub(crate) entities: Vec<Entity>,
    pub(crate) by_key: BTreeMap<i32, Entity>,
    pub(crate) shape: Option<Shape>,
    pub(crate) mode: Mode,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Entity {
    pub(crate) health: u8,
    pub(crate) color: Color,
    pub(crate) id: Uuid,
    pub(crate) corner: [f32; 3],
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "Shape")]
pub(crate) enum Shape {
    Box(Entity),
    Sphere(Entity),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Mode {
    #[default]
    Off,
    On,
}

register_enum!(Mode: u8 { "Off" => Mode::Off, "On" => Mode::On });

#[test]
fn errors_of_writing_name_the_path() {
    let entity = Entity { corner: [0.0, f32::NAN, 0.0], ..Entity::default() };
    let level =
        Level { entities: vec![entity], by_key: BTreeMap::new(), shape: None, mode: Mode::On };
    for error in [to_string(&level).unwrap_err(), Options::new().store(&level).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::NotFinite);
        assert_eq!(
            error.to_string(),
            "expected a finite number, found NaN, which JSON cannot spell, in /entities/0/corner/1"
        );
    }
    let error = to_string(&Refused::<i32>::new()).unwrap_err();
    assert_eq!(error.outcome(), Some(Outcome::Invalid));
}

#[test]
fn a_callback_rewrites_and_refuses() {
    let text = r#"{"entities": [{"health": "x"}], "later": 1}"#;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let options = Options::new().on_issue(move |issue| {
        kept.lock().unwrap().push((issue.pointer.clone(), issue.outcome));
        match issue.outcome {
            Outcome::Unsupported => Action::Replace(Outcome::PartialSkip),
            _ => Action::Keep,
        }
    });
    let (level, report) = options.load::<Level>(text).unwrap();
    assert_eq!(level.entities.len(), 1);
    assert_eq!(report.processing(), Processing::Completed);
    let expected = [
        ("/entities/0/health".to_owned(), Outcome::Unsupported),
        ("/later".to_owned(), Outcome::Skipped),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
    let refuse = Options::new().on_issue(|issue| match issue.outcome {
        Outcome::Skipped => Action::Refuse,
        _ => Action::Keep,
    });
    let error = refuse.load::<Level>(text).unwrap_err();
    assert_eq!((error.kind(), error.pointer()), (ErrorKind::Skipped, "/later".to_owned()));
    // What is no issue any more is no error either.
    assert!(options.from_str::<Level>(text).is_ok());
}

#[test]
fn types_of_the_engine_are_known_by_a_registry() {
    let mut types = TypeRegistry::new();
    types.add(TypeInfo::new("Shape").is_abstract(true));
    types.add(TypeInfo::new("AZ::Box").base("Shape"));
    types.add(
        TypeInfo::new("Sphere")
            .base("Shape")
            .uuid("{0B1F6D3E-7C63-4E1F-8D8A-1D6A3E4C7B11}".parse().unwrap()),
    );
    types.add(TypeInfo::new("int"));
    let options = Options::new().types(Arc::new(types));
    let outcome = |text: &str| options.load::<Option<Shape>>(text).unwrap().1.outcome();
    assert_eq!(outcome(r#"{"$type": "Shape"}"#), Outcome::Catastrophic);
    assert_eq!(outcome(r#"{"$type": "int"}"#), Outcome::TypeMismatch);
    assert_eq!(outcome(r#"{"$type": "Cone"}"#), Outcome::Unknown);
    assert_eq!(outcome(r#"{"$type": 5}"#), Outcome::Unknown);
    let sphere = r#"{"$type": "x {0B1F6D3E7C634E1F8D8A1D6A3E4C7B11}", "health": 2}"#;
    let (shape, _) = options.load::<Option<Shape>>(sphere).unwrap();
    assert!(matches!(shape, Some(Shape::Sphere(Entity { health: 2, .. }))), "{shape:?}");
}

#[test]
fn long_exponents_are_taken_whole() {
    for (text, expected) in
        [("1e0000001", 10.0), ("1e-1048577", 0.0), ("1e00000000000000000000", 1.0)]
    {
        assert_eq!(from_str::<f64>(text).unwrap(), expected, "{text}");
        assert_eq!(from_str::<Value>(text).unwrap().as_f64(), Some(expected), "{text}");
    }
    for text in ["1e1048577", "1e18446744073709551617", "[1e1048576]"] {
        assert_eq!(from_str::<Value>(text).unwrap_err().kind(), ErrorKind::InvalidNumber, "{text}");
        assert!(from_str::<serde::de::IgnoredAny>(text).is_err(), "{text}");
    }
}

#[test]
fn members_of_structs_have_commas_between_them() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Two {
        a: i32,
        b: i32,
    }
    assert_eq!(from_str::<Two>(r#"{"a":1,"b":2}"#).unwrap(), Two { a: 1, b: 2 });
    for between in [";", "}", ":", " ", "]", "", ",,"] {
        let text = format!(r#"{{"a":1{between}"b":2}}"#);
        assert!(from_str::<Two>(&text).is_err(), "{text}");
    }
}

#[test]
fn an_object_with_members_is_not_called_empty() {
    let error = Options::new().strict(true).from_str::<bool>(r#"{"a": 1}"#).unwrap_err();
    assert!(error.to_string().contains("found an object"), "{error}");
}

/// What a plain enum of Rust lacks for numbers.
#[test]
fn an_enum_by_number_names_what_adds_numbers() {
    #[derive(Debug, Deserialize)]
    enum Form {
        Box,
        Sphere,
    }
    let error = from_str::<Vec<Form>>("[\"box\", 2]").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected one of `Box`, `Sphere` (`register_enum!` adds numbers), found 2 at line 1, \
         column 9 (byte 0x8), in /1"
    );
    assert_eq!(
        format!("{:?}", from_str::<[Form; 2]>("[\"box\", \"Sphere\"]").unwrap()),
        "[Box, Sphere]"
    );
}
