//! `Value`: access, comparison, printing; deep ones.

use gamewire_testkit::on_small_stack;
use resonite_brson::value::{Array, Document};
use resonite_brson::{DateTime, Int, Kind, Url, Value};

use crate::plain::{from_slice, to_vec};
use crate::support::{document, element, everything, hex_file, only, values};

fn sample() -> Value {
    let slot: Document =
        [("Name", Value::from("Åsa")), ("Order", Value::Int64(5))].into_iter().collect();
    [
        ("Object", Value::from(vec![Value::from(slot), Value::Null])),
        ("a/b~c", true.into()),
        ("Url", Url::new("resdb:///x").unwrap().into()),
    ]
    .into_iter()
    .collect()
}

#[test]
fn access() {
    let mut value = sample();
    assert_eq!(value["Object"][0]["Name"], "Åsa");
    assert_eq!(value["Object"][0]["Order"], 5);
    assert!(value["nothing"][7]["there"].is_null());
    assert_eq!(value.pointer("/Object/0/Name").and_then(Value::as_str), Some("Åsa"));
    assert_eq!(value.pointer("/a~1b~0c"), Some(&Value::Bool(true)));
    assert_eq!(value.pointer(""), Some(&value));
    assert_eq!(value.pointer("Object"), None);
    assert_eq!(value.pointer("/Object/01"), None);
    assert_eq!(value["Url"].as_url(), Some("resdb:///x"));
    *value.pointer_mut("/Object/0/Order").unwrap() = 6.into();
    assert_eq!(value["Object"][0]["Order"].as_int(), Some(Int::I32(6)));
    assert_eq!(value["Object"][0]["Order"].as_f64(), Some(6.0));
    assert_eq!(value["Object"][0]["Order"].as_u64(), Some(6));
    let taken = value.get_mut("Object").unwrap().take();
    assert_eq!(taken.as_array().unwrap().len(), 2);
    assert!(value["Object"].is_null());
    let document = value.as_document_mut().unwrap();
    assert_eq!(document.insert("Object", 1), Some(Value::Null));
    assert_eq!(document.insert("new", 2), None);
    assert_eq!(document.keys().collect::<Vec<_>>(), ["Object", "a/b~c", "Url", "new"]);
    assert_eq!(document.shift_remove("a/b~c"), Some(true.into()));
    assert!(document.contains_key("new") && !document.contains_key("a/b~c"));
    assert_eq!(Value::from(DateTime(1)).as_datetime(), Some(DateTime(1)));
    assert_eq!(Int::I32(1).with(5).unwrap(), Int::I32(5));
    assert!(Int::I32(1).with(1 << 40).is_err());
}

#[test]
fn equality_is_that_of_the_bytes() {
    let values = values();
    for (m, a) in values.iter().enumerate() {
        for (n, b) in values.iter().enumerate() {
            let bytes = |value: &Value| {
                crate::plain::to_vec(&Value::from(
                    [("k", value.clone())].into_iter().collect::<Document>(),
                ))
                .unwrap()
            };
            assert_eq!(a == b, bytes(a) == bytes(b), "{a:?}, {b:?}");
            assert_eq!(a == b, m == n, "{a:?}, {b:?}");
        }
    }
    let ab: Value = [("a", 1), ("b", 2)].into_iter().collect();
    let ba: Value = [("b", 2), ("a", 1)].into_iter().collect();
    assert_ne!(ab, ba);
}

#[test]
fn printing() {
    assert_eq!(
        format!("{:?}", sample()),
        r#"{"Object": [{"Name": "Åsa", "Order": 5i64}, null], "a/b~c": true, "Url": "@resdb:///x"}"#
    );
    assert_eq!(
        format!("{:#?}", sample()["Object"]),
        "[\n    {\n        \"Name\": \"Åsa\",\n        \"Order\": 5i64\n    },\n    null\n]"
    );
    assert_eq!(format!("{:#?}", Value::from(Array::new())), "[]");
    assert!(format!("{:?}", everything()).len() > 1000);
    assert_eq!(Kind::Int32.to_string(), "Int32");
}

#[test]
fn a_value_is_small() {
    assert_eq!(size_of::<Value>(), 40);
    assert_eq!(size_of::<(resonite_brson::value::Key, Value)>(), 64);
}

/// A value of `levels` levels, an empty container innermost.
fn deep(levels: usize, wrap: fn(Value) -> Value) -> Value {
    (1..levels).fold(wrap(Value::Null), |inner, _| wrap(inner))
}

#[test]
fn deep_values_need_little_stack() {
    let wraps: [fn(Value) -> Value; 2] = [
        |inner| vec![inner].into(),
        |inner| [("k", inner), ("l", Value::Null)].into_iter().collect(),
    ];
    for wrap in wraps {
        on_small_stack(|| {
            let value = deep(1025, wrap);
            let clone = value.clone();
            assert!(clone == value);
            assert!(deep(1024, wrap) != value);
            assert!(format!("{value:?}").len() > 1025);
            // Indented text grows with the square of the depth.
            assert!(format!("{:#?}", deep(600, wrap)).len() > 600);
            assert!(
                resonite_brson::json::to_string(&value, resonite_brson::json::Style::Canonical)
                    .len()
                    > 1025
            );
            let options = crate::plain::options();
            let root = Document::from_iter([("root", value)]);
            let error = options.to_vec(&root).unwrap_err();
            assert_eq!(error.kind(), resonite_brson::ErrorKind::DepthLimit);
            let most = options.max_depth(usize::MAX);
            let bytes = most.to_vec(&root).unwrap();
            let read: Value = most.from_slice(&bytes).unwrap();
            assert!(read.as_document() == Some(&root));
            let text =
                resonite_brson::json::to_string(&read, resonite_brson::json::Style::Canonical);
            assert!(resonite_brson::json::from_str_with(&text, &most).unwrap() == read);
        })
        .unwrap();
    }
}

#[test]
fn the_engine_dialect() {
    let value: Value = [
        ("VersionNumber", Value::from("2026.1.1.1")),
        ("Position", vec![0.1_f32, 1.0].into()),
        ("Flag", 0_u32.into()),
        ("Uint", u32::MAX.into()),
    ]
    .into_iter()
    .collect();
    let case = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/resonite-brson/cases/engine_dialect.hex"
    );
    assert_eq!(to_vec(&value).unwrap(), hex_file(case.as_ref()).0);
}

#[test]
fn long_arrays_have_decimal_keys() {
    for count in [0, 1, 9, 10, 11, 99, 100, 101, 1000, 12_345] {
        let items: Vec<i32> = (0..count).collect();
        let bytes = to_vec(&std::collections::BTreeMap::from([("a", &items)])).unwrap();
        let elements: Vec<u8> =
            items.iter().flat_map(|n| element(0x10, &n.to_string(), &n.to_le_bytes())).collect();
        assert_eq!(bytes, only(4, "a", &document(&elements)), "{count}");
        let value: Value = from_slice(&bytes).unwrap();
        assert_eq!(to_vec(&value).unwrap(), bytes);
    }
}

/// The two things that a value does not keep, and the option that tells.
#[test]
fn what_is_not_kept_is_told() {
    use resonite_brson::{Container, ErrorKind, Options};

    use crate::support::{document, element, only};

    let plain = Options::new().container(Container::BSON);
    let array = |key: &str| only(4, "a", &document(&element(8, key, &[1])));
    let bools = (0..=255).map(|byte| (only(8, "a", &[byte]), byte < 2));
    let keys = ["0", "1", "00", "", "x", "-0"].map(|key| (array(key), key == "0"));
    for (bytes, is_kept) in bools.chain(keys) {
        let value: Value = resonite_brson::from_slice(&bytes).unwrap();
        assert_eq!(plain.to_vec(&value).unwrap() == bytes, is_kept, "{bytes:02x?}");
        match plain.strict(true).from_slice::<Value>(&bytes) {
            Ok(strict) => assert!(is_kept && strict == value, "{bytes:02x?}"),
            Err(error) => assert!(!is_kept && error.kind() == ErrorKind::NotCanonical, "{error}"),
        }
    }
}

/// Equal values have equal hashes, however deep they are.
#[test]
fn hashes() {
    use std::collections::HashSet;
    let mut deep = Value::from(f64::NAN);
    for _ in 0..1024 {
        deep = [("a", deep)].into_iter().collect();
    }
    let values = [deep, Value::from(0.0), Value::from(-0.0), Value::Int32(0), Value::Int64(0)];
    let set: HashSet<Value> = values.iter().cloned().chain(values.iter().cloned()).collect();
    assert_eq!(set.len(), values.len());
    assert!(values.iter().all(|value| set.contains(value)));
}

/// Any value is a deserializer, not only a document, and lends its bytes.
#[test]
fn a_value_is_a_deserializer() {
    use resonite_brson::{Binary, Text};
    use serde::{Deserialize, Serialize};
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Native<'a> {
        at: DateTime,
        url: Url,
        #[serde(borrow, with = "serde_bytes")]
        data: &'a [u8],
        kinds: Vec<Result<i32, f64>>,
        rest: Value,
    }
    let native = Native {
        at: std::time::UNIX_EPOCH.into(),
        url: "resdb:///a".parse().unwrap(),
        data: b"\0\xff",
        kinds: vec![Ok(1), Err(0.5)],
        rest: Value::from(vec![Value::Int64(1), Value::Int32(1)]),
    };
    let value = resonite_brson::to_value(&native).unwrap();
    assert_eq!(Native::deserialize(&value).unwrap(), native);
    assert_eq!(<[u8; 2]>::deserialize(&value["rest"]).unwrap(), [1, 1]);
    assert_eq!(value["data"], Value::from(Binary::from(vec![0, 255])));
    assert!(Url::try_from("@x".to_owned()).is_err());
    assert_eq!(Text::from("@x").as_ref(), "@x");
    assert_eq!(value["rest"].to_string(), "[1i64, 1]");
}
