//! What errors and issues say, and where they point.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use o3de_json::report::*;
use o3de_json::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Level {
    entities: Vec<Entity>,
    by_key: BTreeMap<i32, Entity>,
    shape: Option<Shape>,
    mode: Mode,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Entity {
    #[serde(default)]
    health: u8,
    #[serde(default)]
    color: Color,
    #[serde(default)]
    id: Uuid,
    #[serde(default)]
    corner: [f32; 3],
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "Shape")]
enum Shape {
    Box(Entity),
    Sphere(Entity),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mode {
    #[default]
    Off,
    On,
}

register_enum!(Mode: u8 { "Off" => Mode::Off, "On" => Mode::On });

fn message(text: &str) -> String {
    from_str::<Level>(text).unwrap_err().to_string()
}

#[test]
fn errors_name_the_place() {
    insta::assert_snapshot!(
        message("{\"entities\": [{}, {\n  \"Health\": 256}]}"),
        @"expected an unsigned integer of 8 bits, found 256 at line 2, column 13 (byte 0x20), in /entities/1/Health"
    );
    insta::assert_snapshot!(
        message(r#"{"by_key": [{"Key": 1, "Value": {"health": null}}]}"#),
        @"expected an unsigned integer of 8 bits, found null at line 1, column 44 (byte 0x2b), in /by_key/0/Value/health"
    );
    insta::assert_snapshot!(
        message(r#"{"by_key": {"~a/b": {"health": []}}}"#),
        @r#"expected an integer of 32 bits as the key, found "~a/b" at line 1, column 21 (byte 0x14), in /by_key/~0a~1b"#
    );
    insta::assert_snapshot!(
        message(r#"{"entities": [{"color": [1, 0, 0]}]}"#),
        @"expected an array of three or four numbers with a point for a Color at line 1, column 25 (byte 0x18), in /entities/0/color"
    );
    insta::assert_snapshot!(
        message(r##"{"entities": [{"color": {"HEX": "#12"}}]}"##),
        @r##"expected six hexadecimal digits, found "#12" at line 1, column 33 (byte 0x20), in /entities/0/color/HEX"##
    );
    insta::assert_snapshot!(
        message(r#"{"entities": [{"id": "8651B6DA-9792-407C-A46D-A6E2E39CA900"}]}"#),
        @r#"expected a UUID in braces, found "8651B6DA-9792-407C-A46D-A6E2E39C…" at line 1, column 22 (byte 0x15), in /entities/0/id"#
    );
    insta::assert_snapshot!(
        message(r#"{"entities": [{"corner": [1.0, 2.0]}]}"#),
        @"expected an array of 3 or more elements, found 2 elements at line 1, column 26 (byte 0x19), in /entities/0/corner"
    );
    insta::assert_snapshot!(
        message(r#"{"entities": 5}"#),
        @"expected an array, found 5 at line 1, column 14 (byte 0xd), in /entities"
    );
    insta::assert_snapshot!(
        message(r#"{"mode": "Auto"}"#),
        @r#"expected a value of Mode, one of Off 0, On 1, found "Auto" at line 1, column 10 (byte 0x9), in /mode"#
    );
    insta::assert_snapshot!(
        message(r#"{"mode": 7}"#),
        @"expected a value of Mode, one of Off 0, On 1, found 7 at line 1, column 10 (byte 0x9), in /mode"
    );
    insta::assert_snapshot!(
        message(r#"{"shape": {"health": 1}}"#),
        @"expected `$type` with one of `Box`, `Sphere`, found none at line 1, column 11 (byte 0xa), in /shape"
    );
    insta::assert_snapshot!(
        message(r#"{"shape": {"health": 1, "$type": "Cone"}}"#),
        @r#"unknown type "Cone", expected one of `Box`, `Sphere` at line 1, column 34 (byte 0x21), in /shape/$type"#
    );
    insta::assert_snapshot!(message("[]"), @"expected an object, found an array at line 1, column 1 (byte 0x0)");
}

#[test]
fn errors_of_syntax_name_the_place() {
    insta::assert_snapshot!(
        message("{\"entities\": [{}\n    {}]}"),
        @"expected `,` or `]`, found `{` at line 2, column 5 (byte 0x15), in /entities/0"
    );
    insta::assert_snapshot!(
        message("{\"entities\": [{\"health\": 01}]}"),
        @"expected a number without leading zeros at line 1, column 26 (byte 0x19), in /entities/0/health"
    );
    insta::assert_snapshot!(
        message("{\"unknown\": [\"a\\x\"]}"),
        @"expected an escape that JSON has, found `x` after the backslash at line 1, column 16 (byte 0xf), in /unknown/0"
    );
    insta::assert_snapshot!(
        message("{\"entities\": ["),
        @"expected a value, found the end of the text at line 1, column 15 (byte 0xe), in /entities"
    );
    insta::assert_snapshot!(
        message("{} x"),
        @"expected the end of the text, found `x` at line 1, column 4 (byte 0x3)"
    );
    let error = from_slice::<Level>(b"{\"entities\": \"\xff\"}").unwrap_err();
    insta::assert_snapshot!(error, @"expected UTF-8 text, found the byte 0xff at line 1, column 15 (byte 0xe)");
    let error = from_str::<Level>("{\n\"é\": tru}").unwrap_err();
    assert_eq!((error.line(), error.column(), error.offset()), (Some(2), Some(6), Some(8)));
    assert_eq!(error.kind(), ErrorKind::Syntax);
}

#[test]
fn errors_of_writing_name_the_path() {
    let entity = Entity { corner: [0.0, f32::NAN, 0.0], ..Entity::default() };
    let level =
        Level { entities: vec![entity], by_key: BTreeMap::new(), shape: None, mode: Mode::On };
    for error in [to_string(&level).unwrap_err(), to_string_stripped(&level).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::NotFinite);
        insta::allow_duplicates! {
            insta::assert_snapshot!(
                error,
                @"expected a finite number, found NaN, which JSON cannot spell, in /entities/0/corner/1"
            );
        }
    }
    let error = to_string(&Refused::<i32>::new()).unwrap_err();
    assert_eq!(error.outcome(), Some(Outcome::Invalid));
}

#[test]
fn policies_differ() {
    let text = r#"{"entities": [{"health": 1, "mana": 2, "corner": [1, 2, 3, 4]}]}"#;
    from_str::<Level>(text).unwrap();
    let error = Options::new().strict(true).from_str::<Level>(text).unwrap_err();
    insta::assert_snapshot!(
        error,
        @r#"unknown member "mana" at line 1, column 37 (byte 0x24), in /entities/0/mana"#
    );
    assert_eq!(error.kind(), ErrorKind::Skipped);
    let (_, report) = load::<Level>(text).unwrap();
    insta::assert_snapshot!(report, @r#"
    Completed, PartialDefaults
    Skipped: unknown member "mana" at line 1, column 37, in /entities/0/mana
    Skipped: more elements than the 3 of the array at line 1, column 60, in /entities/0/corner/3
    "#);
    let (level, _): (Level, _) =
        load(r#"{"entities": [{"health": 999}, 5, {"health": 3}]}"#).unwrap();
    assert_eq!(level.entities.iter().map(|entity| entity.health).collect::<Vec<_>>(), [0, 3]);
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
fn an_error_is_one_word() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
}
