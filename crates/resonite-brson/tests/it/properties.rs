//! Properties of all values, and agreement with the `bson` crate.

use proptest::prelude::*;
use resonite_brson::value::{Array, Document};
use resonite_brson::{Binary, Container, DateTime, Kind, Options, Value, json};

use crate::plain::{from_slice, to_vec};
use crate::support::{code_with_scope, only, other};

fn leaf() -> impl Strategy<Value = Value> {
    let text = || "\\PC{0,45}".prop_map(|text: String| text);
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(Value::Int32),
        any::<i64>().prop_map(Value::Int64),
        any::<u64>().prop_map(|bits| Value::Double(f64::from_bits(bits))),
        any::<f64>().prop_map(Value::Double),
        text().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(|millis| DateTime(millis).into()),
        (any::<u8>(), any::<Vec<u8>>())
            .prop_map(|(subtype, bytes)| Binary { subtype, bytes }.into()),
        any::<[u8; 12]>().prop_map(|id| other(Kind::ObjectId, &id)),
        any::<[u8; 16]>().prop_map(|bits| other(Kind::Decimal128, &bits)),
        any::<[u8; 8]>().prop_map(|stamp| other(Kind::Timestamp, &stamp)),
        // The other implementation sorts the options.
        (text(), "i?m?s?x?")
            .prop_map(|(a, b)| other(Kind::Regex, format!("{a}\0{b}\0").as_bytes())),
        (text(), any::<[u8; 12]>())
            .prop_map(|(text, id)| other(Kind::DbPointer, &[&string(&text), &id[..]].concat())),
        text().prop_map(|text| other(Kind::Code, &string(&text))),
        text().prop_map(|text| other(Kind::Symbol, &string(&text))),
        "[a-z]{0,5}".prop_map(|code| {
            let scope = only(0x10, "a", &[1, 0, 0, 0]);
            other(Kind::CodeWithScope, &code_with_scope(&code, &scope))
        }),
        Just(other(Kind::Undefined, &[])),
        Just(other(Kind::MinKey, &[])),
        Just(other(Kind::MaxKey, &[])),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z]{0,20}", "\\PC{0,10}", "\\$(oid|code|bson|date|document|numberInt|binary)",]
}

/// A string on the wire.
fn string(text: &str) -> Vec<u8> {
    let len = i32::try_from(text.len() + 1).unwrap();
    [&len.to_le_bytes(), text.as_bytes(), &[0]].concat()
}

fn document(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Document> {
    prop::collection::vec((key(), value), 0..8).prop_map(|entries| {
        let mut document = Document::new();
        for (key, value) in entries {
            document.insert(key, value);
        }
        document
    })
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12)
                .prop_map(|items| Value::Array(Array::from(items))),
            document(inner).prop_map(Value::Document),
        ]
    })
}

fn root() -> impl Strategy<Value = Value> {
    document(value()).prop_map(Value::Document)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..Default::default() })]

    #[test]
    fn bytes_and_back(value in root()) {
        let bytes = to_vec(&value).unwrap();
        let read: Value = from_slice(&bytes).unwrap();
        prop_assert_eq!(&read, &value);
        prop_assert_eq!(&read.clone(), &value);
        prop_assert_eq!(to_vec(&read).unwrap(), bytes);
    }

    #[test]
    fn a_value_has_the_bytes_of_its_element(value in value()) {
        let options = Options::new();
        let bytes = value.to_vec(&options).unwrap();
        let document: Value = [("a", value.clone())].into_iter().collect();
        prop_assert_eq!(only(value.kind().byte(), "a", &bytes), to_vec(&document).unwrap());
        let longer = [bytes.as_slice(), &[7]].concat();
        prop_assert_eq!(value.kind().len_in(&longer), Some(bytes.len()));
        let (read, rest) = Value::take_from_slice(&longer, value.kind(), &options).unwrap();
        prop_assert_eq!((read, rest), (value, &[7][..]));
    }

    /// What is checked alone has the errors of what is read.
    #[test]
    fn a_document_is_valid_if_it_can_be_read(
        value in root(), at: prop::sample::Index, byte: u8, is_strict: bool,
    ) {
        let options = Options::new().strict(is_strict).input(Container::BSON);
        let mut bytes = to_vec(&value).unwrap();
        prop_assert!(options.validate(&bytes).is_ok());
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let read = options.from_slice::<Value>(&bytes);
        let text = |error: resonite_brson::Error| error.to_string();
        prop_assert_eq!(options.validate(&bytes).map_err(text), read.map(drop).map_err(text));
    }

    #[test]
    fn canonical_json_and_back(value in value()) {
        let text = json::to_string(&value, json::Style::Canonical);
        prop_assert_eq!(&json::from_str(&text).unwrap(), &value, "{}", text);
        let pretty = json::to_string_pretty(&value, json::Style::Canonical);
        prop_assert_eq!(&json::from_str(&pretty).unwrap(), &value);
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }

    #[test]
    fn other_formats_and_back(value in value()) {
        // Text does not say how wide an integer is; apart from that nothing is lost, as long as
        // floats are finite.
        let relaxed = json::to_string(&value, json::Style::Relaxed);
        let read = json::from_str(&relaxed).unwrap();
        prop_assert_eq!(json::to_string(&read, json::Style::Relaxed), relaxed);
    }

    #[test]
    fn the_bson_crate_reads_and_writes_the_same_bytes(value in root()) {
        let bytes = to_vec(&value).unwrap();
        let theirs = bson::Document::from_reader(&bytes[..]).unwrap();
        prop_assert_eq!(theirs.to_vec().unwrap(), bytes);
    }

    #[cfg(feature = "explain")]
    #[test]
    fn explain_covers_every_byte(value in root()) {
        let bytes = to_vec(&value).unwrap();
        crate::shared::check_cover(&resonite_brson::explain(&bytes));
    }
}
