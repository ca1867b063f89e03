//! What serde keeps in a buffer: `flatten`, and enums with a tag inside or without one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use o3de_json::registry::*;
use o3de_json::types::*;
use o3de_json::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::errors::Mode;

#[derive(Debug, Deserialize)]
struct Flat<T> {
    #[serde(flatten)]
    _own: T,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind")]
enum Inside<T> {
    Own(T),
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", content = "own")]
enum Beside<T> {
    Own(T),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Own(T),
}

/// A member, as it is and with the marker.
macro_rules! member {
    ($plain:ident, $coerced:ident, $type:ty) => {
        #[derive(Debug, Deserialize)]
        struct $plain {
            #[serde(rename = "member")]
            _member: $type,
        }

        #[derive(Debug, Deserialize)]
        struct $coerced {
            #[serde(rename = "member", with = "coerce")]
            _member: $type,
        }
    };
}

#[derive(Debug, Deserialize)]
enum Side {
    Left,
    Right,
}

#[derive(Debug, Deserialize)]
enum Shape {
    Wall {
        #[serde(rename = "height")]
        _height: u32,
    },
}

member!(Int, CoercedInt, u32);
member!(Float, CoercedFloat, f32);
member!(Text, CoercedText, String);
member!(Row, CoercedRow, Vector3);
member!(Tint, CoercedTint, Color);
member!(Id, CoercedId, Uuid);
member!(Names, CoercedNames, Side);
member!(Numbered, CoercedNumbered, Mode);
member!(Pointer, CoercedPointer, Shape);
member!(Keys, CoercedKeys, BTreeMap<u8, bool>);
member!(Nested, CoercedNested, Simple);

#[derive(Debug, Deserialize)]
struct Simple {
    #[serde(rename = "height")]
    _height: f32,
}

/// One member in each kind of buffer, beginning at the second line.
fn in_each<T: DeserializeOwned + std::fmt::Debug>(member: &str, out: &mut String) -> usize {
    let own = format!("{{{member}}}");
    let tagged = |rest: &str| format!("{{\"kind\": \"Own\", {rest}}}");
    let mut good = 0;
    let mut tell = |kind: &str, error: Option<Error>| {
        good += usize::from(error.is_none());
        let said = error.map_or("read".to_owned(), |error| error.to_string());
        writeln!(out, "    {kind:14} {said}").unwrap();
    };
    let line = |text: &str| format!("\n {text}");
    tell("flatten", from_str::<Flat<T>>(&line(&own)).err());
    tell("tag inside", from_str::<Inside<T>>(&line(&tagged(member))).err());
    tell("tag, content", from_str::<Beside<T>>(&line(&tagged(&format!("\"own\": {own}")))).err());
    let after = format!("{{\"own\": {own}, \"kind\": \"Own\"}}");
    tell("content, tag", from_str::<Beside<T>>(&line(&after)).err());
    tell("untagged", from_str::<Untagged<T>>(&line(&own)).err());
    good
}

/// What the table in docs/formats/o3de-json.md says, and that the marker brings it all back.
#[test]
fn coercions_in_buffers() {
    let mut out = String::new();
    macro_rules! case {
        ($what:literal, $member:literal, $plain:ident, $coerced:ident) => {
            writeln!(out, "{}: {}", $what, $member).unwrap();
            from_str::<$plain>(&format!("{{{}}}", $member)).unwrap();
            in_each::<$plain>($member, &mut out);
            let mut marked = String::new();
            assert_eq!(in_each::<$coerced>($member, &mut marked), 5, "{}\n{marked}", $member);
        };
    }
    case!("text for a number", r#""member": "0x10""#, Int, CoercedInt);
    case!("a bool for a number", r#""member": true"#, Int, CoercedInt);
    case!("a fraction for an integer", r#""member": 2.9"#, Int, CoercedInt);
    case!("an integer for a float", r#""member": 2"#, Float, CoercedFloat);
    case!("a default for a number", r#""member": {}"#, Int, CoercedInt);
    case!("a number for text", r#""member": 5"#, Text, CoercedText);
    case!("a default vector", r#""member": {}"#, Row, CoercedRow);
    case!("a vector by names", r#""member": {"X": "1"}"#, Row, CoercedRow);
    case!("text in a vector", r#""member": [1, 2, "3"]"#, Row, CoercedRow);
    case!("a colour by name", r#""member": {"HEX": "FF8000"}"#, Tint, CoercedTint);
    case!("a default UUID", r#""member": {}"#, Id, CoercedId);
    case!("a name of an enum", r#""member": "Left""#, Names, CoercedNames);
    case!("a name of an enum in another case", r#""member": "RIGHT""#, Names, CoercedNames);
    case!("a name of a registered enum", r#""member": "oN""#, Numbered, CoercedNumbered);
    case!("a number of a registered enum", r#""member": 1"#, Numbered, CoercedNumbered);
    case!("a number of it as text", r#""member": "0x1""#, Numbered, CoercedNumbered);
    case!(
        "a class by `$type`",
        r#""member": {"$type": "Wall", "height": 1}"#,
        Pointer,
        CoercedPointer
    );
    case!("a map as an array", r#""member": [{"Key": 1, "Value": true}]"#, Keys, CoercedKeys);
    case!("a key as text", r#""member": {"0x1": true}"#, Keys, CoercedKeys);
    case!("letter case inside", r#""member": {"HEIGHT": 1}"#, Nested, CoercedNested);
    case!(
        "a name that repeats inside",
        r#""member": {"height": 1, "height": 2}"#,
        Nested,
        CoercedNested
    );

    // The name of the member itself, which no marker on it can help.
    writeln!(out, "letter case of the member: \"MEMBER\": 1").unwrap();
    in_each::<Int>(r#""MEMBER": 1"#, &mut out);
    writeln!(out, "an absent member").unwrap();
    in_each::<Int>(r#""other": 1"#, &mut out);
    insta::assert_snapshot!(out);
}

/// A marker around the flattened or tagged type takes in the names of its members too.
#[test]
fn a_marker_around_the_whole_helps_its_names() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Marked {
        Own(#[serde(with = "coerce")] Int),
    }
    let Marked::Own(own) = from_str(r#"{"MEMBER": "5"}"#).unwrap();
    assert_eq!(own._member, 5);
}

#[test]
fn members_beside_flatten_are_read_as_elsewhere() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Own {
        id: u64,
        place: Vector3,
        #[serde(flatten)]
        rest: BTreeMap<String, serde_json::Value>,
    }
    let own: Own = from_str(r#"{"id": "0x10", "place": {"z": 1}, "more": "5"}"#).unwrap();
    let rest = BTreeMap::from([("more".to_owned(), serde_json::json!("5"))]);
    assert_eq!(own, Own { id: 16, place: Vector3::new(0.0, 0.0, 1.0), rest });
    let error = from_str::<Own>("{\n\"id\": \"x\"}").unwrap_err();
    let said = "expected an unsigned integer of 64 bits, found \"x\" at line 2, column 7 (byte 0x8), in /id";
    assert_eq!(error.to_string(), said);
}

#[test]
fn errors_in_buffers_have_the_place_of_the_buffer() {
    let wrong = |text: &str| from_str::<Vec<Inside<Int>>>(text).unwrap_err().to_string();
    let own = r#"{"kind": "Own", "member": 1}"#;
    assert_eq!(
        wrong(&format!("[{own},\n  {{\"kind\": \"Own\", \"member\": \"x\"}}]")),
        "expected u32, found string \"x\" at line 2, column 3 (byte 0x21), in /1"
    );
    // A reader that reads once says the same.
    let text = format!("[{own},\n  {{\"kind\": \"Own\", \"member\": \"x\"}}]");
    let once = Vec::<Inside<Int>>::deserialize(&mut Deserializer::from_str(&text)).unwrap_err();
    assert_eq!(once.to_string(), wrong(&text));
    let marked =
        from_str::<Vec<Inside<CoercedRow>>>("[\n {\"kind\": \"Own\", \"member\": [1, 2, \"x\"]}]");
    assert_eq!(
        marked.unwrap_err().to_string(),
        "expected a float, found \"x\", in /2 at line 2, column 2 (byte 0x3), in /0"
    );
    // What is left out and reported is what was buffered.
    let text = format!("[{own}, {{\"kind\": \"Own\", \"member\": \"x\"}}]");
    let (read, report) = load::<Vec<Inside<Int>>>(&text).unwrap();
    assert_eq!((read.len(), report.issues()[0].pointer.as_str()), (1, "/1"));
}

#[test]
fn a_marker_is_its_content_elsewhere() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sized {
        #[serde(with = "coerce")]
        side: f32,
        #[serde(with = "coerce")]
        all: [u8; 2],
    }
    let sized = Sized { side: 1.5, all: [1, 2] };
    let text = to_string(&sized).unwrap();
    assert_eq!(text, r#"{"side":1.5,"all":[1,2]}"#);
    assert_eq!(from_str::<Sized>(&text).unwrap(), sized);
    assert_eq!(from_str::<Sized>(r#"{"SIDE": "1.5", "all": [1, "2"]}"#).unwrap(), sized);
    assert_eq!(serde_json::from_str::<Sized>(&text).unwrap(), sized);
    // Other text is read by the same rules.
    let text = r#"{"side": "0x10", "all": [true, 2.9]}"#;
    assert_eq!(serde_json::from_str::<Sized>(text).unwrap(), Sized { side: 16.0, all: [1, 2] });
    assert_eq!(
        serde_json::from_str::<Vector3>(r#"{"y": 2.0}"#).unwrap().to_array(),
        [0.0, 2.0, 0.0]
    );
}

#[test]
fn enums_have_names_in_any_case_and_the_numbers_that_are_known() {
    let names = |options: &Options, text: &str| {
        let sides = options.from_str::<Vec<Side>>(text);
        sides.map(|sides| sides.iter().map(|side| matches!(side, Side::Right)).collect::<Vec<_>>())
    };
    assert_eq!(names(&Options::new(), r#"["left", "RIGHT"]"#).unwrap(), [false, true]);
    assert!(names(&Options::new(), "[1]").is_err());
    let mut types = TypeRegistry::new();
    types.add_enum(EnumInfo {
        name: "AZ::Side",
        underlying: Underlying::I8,
        values: &[("Left", 3), ("Right", u64::MAX)],
    });
    let options = Options::new().types(std::sync::Arc::new(types));
    let read = names(&options, r#"[-1, 3, "0x3", "-1", "left"]"#).unwrap();
    assert_eq!(read, [true, false, false, true, false]);
    for wrong in ["[2]", "[3.0]", "[300]", "[\"4\"]"] {
        let error = names(&options, wrong).unwrap_err();
        assert!(error.to_string().starts_with("expected one of `Left`, `Right`, found"), "{error}");
    }
}

#[test]
fn rows_of_the_table_that_are_no_error() {
    #[derive(Debug, Deserialize)]
    struct Members {
        tint: Color,
        path: AssetPath,
        raw: RawValue,
        set: Set<u8>,
    }
    #[derive(Debug, Deserialize)]
    struct Marked {
        #[serde(with = "coerce")]
        tint: Color,
    }
    #[derive(Debug, Deserialize)]
    struct Same {
        #[serde(with = "coerce")]
        path: AssetPath,
        #[serde(with = "coerce")]
        raw: RawValue,
        #[serde(with = "coerce")]
        set: Set<u8>,
    }
    let text = r#"{"tint": [1, 0, 0, 1], "path": "a/./b", "raw": "[1]", "set": [1, 1]}"#;
    let Flat { _own: own } = from_str::<Flat<Members>>(text).unwrap();
    assert_eq!((own.tint, &*own.path), (Color::new(1.0, 0.0, 0.0, 1.0), "a/./b"));
    assert_eq!((own.raw.get(), own.set.0.as_slice()), ("[1]", [1, 1].as_slice()));
    let marked = from_str::<Flat<Marked>>(text).map(|marked| marked._own.tint);
    assert_eq!(marked.unwrap_err().kind(), ErrorKind::Data);
    let error = from_str::<Flat<Same>>(text).unwrap_err();
    assert!(error.to_string().starts_with("the set has this element already"), "{error}");
    let Flat { _own: own } = from_str::<Flat<Same>>(&text.replace("1, 1", "1, 2")).unwrap();
    assert_eq!((&*own.path, own.raw.get(), own.set.len()), ("a/b", "\"[1]\"", 2));
}
