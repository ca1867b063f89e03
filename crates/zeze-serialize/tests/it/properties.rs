//! What holds for all values.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use zeze_serialize::{
    Base, Options, Unknown, Value, Vector3Int, from_slice, from_value, to_value, to_vec, wire,
};

use crate::random;

fn int() -> impl Strategy<Value = i64> {
    // Every length as likely.
    (any::<i64>(), 0..64_u32).prop_map(|(value, shift)| value >> shift)
}

/// Any value that can be written.
fn value() -> impl Strategy<Value = Value> {
    let bytes = prop::collection::vec(any::<u8>(), 0..2000);
    bytes.prop_map(|bytes| {
        let bean = random::bean(&mut arbitrary::Unstructured::new(&bytes), random::DEPTH);
        Value::from(bean.unwrap_or_default())
    })
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[serde(rename = "0")]
    None,
    #[serde(rename = "3")]
    Number(i64),
    #[serde(rename = "4")]
    Text { text: String, more: Option<String> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    #[serde(rename = "2")]
    numbers: Vec<i64>,
    #[serde(rename = "40:text")]
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Parent {
    x: i32,
    y: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Typed {
    a: i8,
    b: u32,
    c: Option<i64>,
    d: Vec<Inner>,
    e: BTreeMap<i16, String>,
    f: (i32, Option<String>, [i64; 3]),
    g: Vec<Shape>,
    h: Option<Shape>,
    i: Vector3Int,
    j: Vec<Vec<bool>>,
    base: Base<Parent>,
}

/// Reads some fields, and keeps the others.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "2")]
    b: u32,
    #[serde(rename = "5")]
    e: BTreeMap<i16, String>,
    unknown: Unknown,
    base: Base<Parent>,
}

type Shapes = Vec<Result<i64, Option<(String, Option<String>)>>>;

fn typed() -> impl Strategy<Value = Typed> {
    let first = any::<(i8, u32, Option<i64>, Vec<(Vec<i64>, String)>, BTreeMap<i16, String>)>();
    let second = any::<((i32, Option<String>, [i64; 3]), Shapes, [i32; 3], Vec<Vec<bool>>)>();
    (first, second, any::<(i32, String)>()).prop_map(|(first, (f, shapes, i, j), (x, y))| {
        let (a, b, c, d, e) = first;
        let d = d.into_iter().map(|(numbers, text)| Inner { numbers, text }).collect();
        let shape = |shape| match shape {
            Ok(number) => Shape::Number(number),
            Err(Some((text, more))) => Shape::Text { text, more },
            Err(None) => Shape::None,
        };
        let g: Vec<Shape> = shapes.into_iter().map(shape).collect();
        let (h, base) = (g.first().cloned(), Base(Parent { x, y }));
        Typed { a, b, c, d, e, f, g, h, i: i.into(), j, base }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn integers_come_back_and_are_as_short_as_can_be(value in int()) {
        let mut out = Vec::new();
        wire::write_int(&mut out, value);
        prop_assert_eq!(wire::read_int(&out).unwrap(), (value, &[][..]));
        let bits = 64 - (value ^ (value >> 63)).leading_zeros();
        prop_assert_eq!(out.len() as u32, ((bits + 7) / 7).min(9));
        for cut in 0..out.len() {
            prop_assert!(wire::read_int(&out[..cut]).is_err());
        }
        // The order of the numbers is the order of the bytes, but for the top bit.
        let next = value.saturating_add(1);
        let mut other = Vec::new();
        wire::write_int(&mut other, next);
        (out[0], other[0]) = (out[0] ^ 0x80, other[0] ^ 0x80);
        prop_assert!(out < other || value == i64::MAX);
    }

    #[test]
    fn unsigned_integers_come_back(value in (any::<u32>(), 0..32_u32).prop_map(|(v, s)| v >> s)) {
        let (mut out, mut long) = (Vec::new(), Vec::new());
        wire::write_uint(&mut out, value);
        wire::write_ulong(&mut long, value.into());
        prop_assert_eq!(&out, &long);
        prop_assert_eq!(wire::read_uint(&out).unwrap(), (value, &[][..]));
        prop_assert_eq!(wire::read_ulong(&out).unwrap(), (value.into(), &[][..]));
    }

    #[test]
    fn values_come_back(value in value()) {
        let bytes = to_vec(&value).unwrap();
        let back: Value = from_slice(&bytes).unwrap();
        prop_assert_eq!(&back, &value);
        prop_assert_eq!(to_vec(&back).unwrap(), bytes.clone());
        prop_assert!(wire::skip(&bytes, zeze_serialize::Kind::Bean).unwrap().is_empty());
        from_slice::<IgnoredAny>(&bytes).unwrap();
        #[cfg(feature = "explain")]
        prop_assert!(zeze_serialize::explain(&bytes).error().is_none());
        let json = serde_json::to_value(&value).unwrap();
        prop_assert_eq!(serde_json::from_value::<Value>(json).unwrap(), value.clone());
        prop_assert_eq!(to_value(&value).unwrap(), value);
    }

    #[test]
    fn skipping_is_as_reading(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let skipped = zeze_serialize::take_from_slice::<IgnoredAny>(&bytes);
        let read = zeze_serialize::take_from_slice::<Value>(&bytes);
        match (skipped, read) {
            (Ok((_, rest)), Ok((value, after))) => {
                prop_assert_eq!(rest, after);
                let again = to_vec(&value).unwrap();
                prop_assert_eq!(from_slice::<Value>(&again).unwrap(), value);
            }
            (Err(skipped), Err(read)) => {
                prop_assert_eq!(skipped.kind(), read.kind());
                prop_assert_eq!(skipped.offset(), read.offset());
            }
            (skipped, read) => prop_assert!(false, "{:?} and {:?}", skipped.is_ok(), read.is_ok()),
        }
    }
}

proptest! {
    // Each has all types in it, and takes long.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn types_come_back(typed in typed()) {
        let bytes = to_vec(&typed).unwrap();
        prop_assert_eq!(&from_slice::<Typed>(&bytes).unwrap(), &typed);
        prop_assert_eq!(&Options::new().strict(true).from_slice::<Typed>(&bytes).unwrap(), &typed);
        let value = to_value(&typed).unwrap();
        prop_assert_eq!(&from_slice::<Value>(&bytes).unwrap(), &value);
        prop_assert_eq!(&from_value::<Typed>(&value).unwrap(), &typed);
        prop_assert_eq!(to_vec(&value).unwrap(), bytes.clone());
        // What another version does not know comes back through it.
        let part: Part = from_slice(&bytes).unwrap();
        prop_assert_eq!(to_vec(&part).unwrap(), bytes);
    }
}
