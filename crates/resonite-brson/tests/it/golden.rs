//! Bytes written by hand for every type, as the BSON specification has them.

use resonite_brson::{
    Binary, CodeWithScope, DateTime, DbPointer, Kind, ObjectId, Regex, Timestamp, Value, json,
};

use crate::plain::{from_slice, to_vec};
use crate::support::{document, element, everything, hex, only};

/// Type byte, payload, value, `Debug`.
#[track_caller]
fn check(kind: u8, payload: &str, value: impl Into<Value>, debug: &str) {
    let value = value.into();
    let bytes = only(kind, "k", &hex(payload));
    let read: Value = from_slice(&bytes).unwrap();
    assert_eq!(read["k"], value, "{debug}");
    assert_eq!(format!("{:?}", read["k"]), debug);
    assert_eq!(read["k"].kind().byte(), kind);
    assert_eq!(Kind::from_byte(kind), Some(read["k"].kind()));
    assert_eq!(to_vec(&read).unwrap(), bytes, "{debug}");
    // The other implementation takes the same bytes.
    let theirs = bson::Document::from_reader(&bytes[..]).unwrap();
    assert_eq!(theirs.to_vec().unwrap(), bytes, "{debug}");
}

#[test]
fn every_type() {
    check(0x01, "000000000000f83f", 1.5, "1.5");
    check(0x02, "05000000 c3857361 00", "Åsa", "\"Åsa\"");
    check(0x02, "03000000 6100 00", "a\0", r#""a\0""#);
    check(0x03, "05000000 00", Value::Document(Default::default()), "{}");
    check(0x04, "05000000 00", Value::Array(Default::default()), "[]");
    check(0x04, "0c000000 0a3000 083100 01 00", vec![Value::Null, true.into()], "[null, true]");
    check(
        0x05,
        "02000000 80 0102",
        Binary { subtype: 128, bytes: vec![1, 2] },
        "Binary(128, 0102)",
    );
    check(
        0x05,
        "06000000 02 02000000 0102",
        Binary { subtype: 2, bytes: vec![1, 2] },
        "Binary(2, 0102)",
    );
    check(0x06, "", Value::Undefined, "undefined");
    check(
        0x07,
        "0102030405060708090a0b0c",
        ObjectId([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        "ObjectId(0102030405060708090a0b0c)",
    );
    check(0x08, "00", false, "false");
    check(0x08, "01", true, "true");
    check(0x09, "ffffffffffffffff", DateTime(-1), "DateTime(1969-12-31T23:59:59.999Z)");
    check(0x0a, "", Value::Null, "null");
    check(
        0x0b,
        "612e6200 696d00",
        Regex { pattern: "a.b".into(), options: "im".into() },
        "Regex(\"a.b\", \"im\")",
    );
    check(
        0x0c,
        "02000000 6200 0102030405060708090a0b0c",
        DbPointer { namespace: "b".into(), id: ObjectId([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) },
        "DbPointer(\"b\", 0102030405060708090a0b0c)",
    );
    check(0x0d, "02000000 7800", Value::Code("x".into()), "Code(\"x\")");
    check(0x0e, "02000000 7800", Value::Symbol("x".into()), "Symbol(\"x\")");
    check(
        0x0f,
        "16000000 02000000 7800 0c000000 107900 01000000 00",
        CodeWithScope { code: "x".into(), scope: [("y", 1)].into_iter().collect() },
        "Code(\"x\") with {\"y\": 1}",
    );
    check(0x10, "fbffffff", -5, "-5");
    check(0x11, "01000000 02000000", Timestamp { time: 2, increment: 1 }, "Timestamp(2, 1)");
    check(0x12, "fbffffffffffffff", -5_i64, "-5i64");
    check(
        0x13,
        "0f000000000000000000000000003e30",
        resonite_brson::Decimal128::parse("1.5").unwrap(),
        "Decimal128(1.5)",
    );
    check(0xff, "", Value::MinKey, "MinKey");
    check(0x7f, "", Value::MaxKey, "MaxKey");
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
    let bytes = to_vec(&value).unwrap();
    let floats = document(
        &[element(1, "0", &hex("000000a09999b93f")), element(1, "1", &hex("000000000000f03f"))]
            .concat(),
    );
    let expected = document(
        &[
            element(2, "VersionNumber", &hex("0b000000 323032362e312e312e31 00")),
            element(4, "Position", &floats),
            element(0x10, "Flag", &hex("00000000")),
            element(0x10, "Uint", &hex("ffffffff")),
        ]
        .concat(),
    );
    assert_eq!(bytes, expected);
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

#[test]
fn everything_survives() {
    let value = everything();
    let bytes = to_vec(&value).unwrap();
    let read: Value = from_slice(&bytes).unwrap();
    assert_eq!(read, value);
    assert_eq!(read.clone(), value);
    assert_eq!(to_vec(&read).unwrap(), bytes);
    let text = json::to_string(&value, json::Style::Canonical);
    assert_eq!(json::from_str(&text).unwrap(), value, "{text}");
    let pretty = json::to_string_pretty(&value, json::Style::Canonical);
    assert_eq!(json::from_str(&pretty).unwrap(), value, "{pretty}");
}

#[test]
fn what_the_engine_passes_over() {
    // Keys of arrays are not looked at, and any bool but 0 is true.
    let array = document(&[element(8, "7", &[1]), element(8, "", &[200])].concat());
    let bytes = only(4, "a", &array);
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(value["a"], Value::from(vec![true, true]));
    let strict = crate::plain::Options::new().0.strict(true);
    let error = strict.from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "not as the engine writes it: the key of element 0 is not its index at byte 0xc, in a[0]"
    );
    let error = strict.from_slice::<Value>(&only(8, "a", &[2])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "not as the engine writes it: a bool is neither 0 nor 1 at byte 0x7, in a"
    );
    // Empty keys and keys of any length are fine.
    let bytes = document(&[element(10, "", &[]), element(10, &"k".repeat(1000), &[])].concat());
    assert_eq!(to_vec(&strict.from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
}
