//! The words of errors.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zeze_serialize::{Error, ErrorKind, Options, Segment, Value, from_slice, to_vec};

use crate::support::hex;

#[derive(Debug, Default, Serialize, Deserialize)]
#[allow(dead_code)]
struct Player {
    #[serde(rename = "1:name")]
    name: String,
    #[serde(rename = "2:items")]
    items: Vec<Item>,
    #[serde(rename = "3:scores")]
    scores: BTreeMap<String, u8>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[allow(dead_code)]
struct Item {
    #[serde(rename = "3:count")]
    count: u8,
    #[serde(rename = "4")]
    weight: f64,
}

#[test]
fn of_malformed_input() {
    let mut lines = String::new();
    for bytes in [
        "",
        "10",
        "1300",
        "13 05 6162",
        "13 02 c328 00",
        "13 f1 00000000 00",
        "f0",
        "f0 f0ffffffff 00",
        "1d",
        "2f 00",
        "02 00",
        "14",
        "14 1d 00",
        "14 f0 f07fffffff",
        "24 16 20",
        "24 16 12 0000",
        "35 30",
        "35 30 02 0161 01",
        "35 30 01 0161",
        "35 30 01 0161 412c 00",
        "24 26 00 30412c 00 00",
        "24 16 42 0000 00",
        "00 00",
        "17",
        "17 7f",
        "20 c0",
        "11 0000",
        "2a 00000000",
    ] {
        let error = from_slice::<Player>(&hex(bytes)).unwrap_err();
        lines.push_str(&format!("{bytes:24} {:?}: {error}\n", error.kind()));
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn of_strict_reading() {
    let mut lines = String::new();
    for bytes in [
        "10 05 00",
        "14 10 05 00",
        "23 0161 00",
        "24 13 0161 00",
        "24 16 43 00 00",
        "35 00 01 05 06 00",
    ] {
        let error = Options::new().strict(true).from_slice::<Player>(&hex(bytes)).unwrap_err();
        lines.push_str(&format!("{bytes:24} {:?}: {error}\n", error.kind()));
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn parts_of_an_error() {
    let error = from_slice::<Player>(&hex("24 26 00 30412c 00 00")).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::NumberRange, Some(4)));
    let segments: Vec<_> = error.path().segments().cloned().collect();
    assert_eq!(segments, [Segment::field("items"), Segment::Index(1), Segment::field("count")]);
    assert!(error.is_data() && !error.is_eof() && !error.is_io() && !error.is_syntax());
    assert_eq!(format!("{error:?}"), format!("Error(NumberRange: {error})"));
    let error = from_slice::<Value>(&[]).unwrap_err();
    assert!(error.is_eof() && !error.is_data());
    let error = from_slice::<Value>(&[2]).unwrap_err();
    assert!(error.is_syntax());
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    let error = to_vec(&BTreeMap::from([("k", u64::MAX)])).unwrap_err();
    assert_eq!(error.offset(), None);
    assert!(error.to_string().ends_with(", in k"), "{error}");
}

#[test]
fn no_field_is_after_the_last_one() {
    #[derive(Debug, Deserialize)]
    struct Edge {
        #[serde(rename = "2147483646", default)]
        before: i8,
        #[serde(rename = "2147483647:last", default)]
        last: i8,
    }

    // The step of 15 and more from 0 to the last but one; then a step of one byte.
    let before = hex("f0 f07fffffef 02");
    let bytes = |step: u8| [&before[..], &[step, 4, 0]].concat();
    let edge: Edge = from_slice(&bytes(0x10)).unwrap();
    assert_eq!((edge.before, edge.last), (2, 4));
    for step in [0x20, 0xe0] {
        for error in
            [from_slice::<Edge>(&bytes(step)).err(), from_slice::<Value>(&bytes(step)).err()]
        {
            let error = error.unwrap();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidId, Some(7)), "{error}");
        }
    }
}

/// Of a bean with a value of each kind, frames and all.
#[test]
fn a_cut_document_is_one_kind_of_error() {
    use zeze_serialize::frame::{Expected, Frame, Framing};

    let bean = zeze_serialize::bean! { 1: 300, 2: "text", 3: 0.5, 4: [1, 300], 5: ["a", "b"],
    20: zeze_serialize::bean! { 1: [zeze_serialize::bean! { 1: "x" }] } };
    let map = std::collections::BTreeMap::from([(1, "one"), (300, "many")]);
    let floats = vec![0.5_f32; 20];
    let typed = zeze_serialize::to_vec(&(map.clone(), &floats, "text", 300, Some(0))).unwrap();
    type Typed = (std::collections::BTreeMap<i32, String>, Vec<f32>, String, i32, Option<i32>);
    let untyped = zeze_serialize::to_vec(&bean).unwrap();
    let is_eof = |error: zeze_serialize::Error, len: usize| {
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{len}: {error}");
    };
    for len in 0..typed.len() {
        is_eof(zeze_serialize::from_slice::<Typed>(&typed[..len]).unwrap_err(), len);
        is_eof(
            zeze_serialize::from_slice::<zeze_serialize::Value>(&typed[..len]).unwrap_err(),
            len,
        );
    }
    for len in 0..untyped.len() {
        is_eof(
            zeze_serialize::from_slice::<zeze_serialize::Value>(&untyped[..len]).unwrap_err(),
            len,
        );
        is_eof(
            zeze_serialize::from_slice::<serde::de::IgnoredAny>(&untyped[..len]).unwrap_err(),
            len,
        );
    }
    let frame = Framing::new().to_vec(&Frame::rpc_request(1, 2, 300, (map, floats))).unwrap();
    type Map = (std::collections::BTreeMap<i32, String>, Vec<f32>);
    for len in 0..frame.len() {
        let expected = Expected::message(1, 2);
        is_eof(Framing::new().from_slice::<Map>(&frame[..len], expected).unwrap_err(), len);
    }
}
