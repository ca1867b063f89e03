//! The JSON notation.

use resonite_brson::json::{self, Style};
use resonite_brson::{DateTime, Options, Value};

use crate::support::values;

#[track_caller]
fn check(value: impl Into<Value>, canonical: &str, relaxed: &str) {
    let value = value.into();
    assert_eq!(json::to_string(&value, Style::Canonical), canonical);
    assert_eq!(json::to_string(&value, Style::Relaxed), relaxed);
    assert_eq!(json::from_str(canonical).unwrap(), value);
}

/// The examples of the specification of MongoDB Extended JSON v2, and others like them.
#[test]
fn forms() {
    let same = |value: Value, text: &str| check(value, text, text);
    check(42, r#"{"$numberInt":"42"}"#, "42");
    check(-42_i64, r#"{"$numberLong":"-42"}"#, "-42");
    check(42.42, r#"{"$numberDouble":"42.42"}"#, "42.42");
    check(1.0, r#"{"$numberDouble":"1.0"}"#, "1.0");
    check(-0.0, r#"{"$numberDouble":"-0.0"}"#, "-0.0");
    check(1e300, r#"{"$numberDouble":"1e300"}"#, "1e300");
    same(f64::INFINITY.into(), r#"{"$numberDouble":"Infinity"}"#);
    same(f64::NEG_INFINITY.into(), r#"{"$numberDouble":"-Infinity"}"#);
    same(f64::NAN.into(), r#"{"$numberDouble":"NaN"}"#);
    same(
        f64::from_bits(0xfff8_0000_0000_0000).into(),
        r#"{"$numberDouble":"NaN:fff8000000000000"}"#,
    );
    check(
        DateTime(1_351_699_200_001),
        r#"{"$date":{"$numberLong":"1351699200001"}}"#,
        r#"{"$date":"2012-10-31T16:00:00.001Z"}"#,
    );
    same(DateTime(-1).into(), r#"{"$date":{"$numberLong":"-1"}}"#);
    same(true.into(), "true");
    same(Value::Null, "null");
    same("a\"\\\u{1}\u{7f}é😀".into(), r#""a\"\\\u0001\u007fé😀""#);
    same(
        resonite_brson::Binary { subtype: 4, bytes: vec![0xa3, 0x4c, 0x38, 0xf7, 0xc3] }.into(),
        r#"{"$binary":{"base64":"o0w498M=","subType":"04"}}"#,
    );
    same(
        crate::support::other(resonite_brson::Kind::Timestamp, &[1, 0, 0, 0, 42, 0, 0, 0]),
        r#"{"$bson":{"type":"11","base64":"AQAAACoAAAA="}}"#,
    );
    same([("$date", "no")].into_iter().collect(), r#"{"$document":{"$date":"no"}}"#);
    same([("$other", "x")].into_iter().collect(), r#"{"$other":"x"}"#);
}

#[test]
fn other_spellings_are_read() {
    for (text, value) in [
        (r#" { "$date" : "2012-10-31T17:00:00.001+01:00" } "#, DateTime(1_351_699_200_001).into()),
        (r#"{"$date":5}"#, DateTime(5).into()),
        (
            r#"{"$uuid":"73ffd264-44b3-4c69-90e8-e7d1dfc035d4"}"#,
            resonite_brson::Binary {
                subtype: 4,
                bytes: crate::support::hex("73ffd26444b34c6990e8e7d1dfc035d4"),
            }
            .into(),
        ),
        (
            r#"{"$binary":{"subType":"0","base64":"AQ=="}}"#,
            resonite_brson::Binary { subtype: 0, bytes: vec![1] }.into(),
        ),
        ("2147483647", Value::Int32(i32::MAX)),
        ("2147483648", Value::Int64(1 << 31)),
        ("-2147483648", Value::Int32(i32::MIN)),
        ("1e2", Value::Double(100.0)),
        ("-0", Value::Double(-0.0)),
        (r#""\ud83d\ude00\u0041\/\b\f""#, "😀A/\u{8}\u{c}".into()),
        ("[ ]", Value::from(Vec::<Value>::new())),
        ("{ }", Value::Document(Default::default())),
    ] {
        assert_eq!(json::from_str(text).unwrap(), value, "{text}");
    }
}

#[test]
fn every_value_survives() {
    for value in values() {
        for wrapped in
            [value.clone(), vec![value.clone()].into(), [("k", value)].into_iter().collect()]
        {
            for text in [
                json::to_string(&wrapped, Style::Canonical),
                json::to_string_pretty(&wrapped, Style::Canonical),
            ] {
                assert_eq!(json::from_str(&text).unwrap(), wrapped, "{text}");
                // It is JSON to others too.
                serde_json::from_str::<serde_json::Value>(&text).unwrap();
            }
            let text = json::to_string(&wrapped, Style::Relaxed);
            let relaxed = json::from_str(&text).unwrap();
            assert_eq!(json::to_string(&relaxed, Style::Relaxed), text);
        }
    }
}

#[test]
fn pretty() {
    let value: Value = [
        ("a", Value::from(vec![1, 2])),
        ("b", Vec::<i32>::new().into()),
        ("c", DateTime(0).into()),
    ]
    .into_iter()
    .collect();
    assert_eq!(
        json::to_string_pretty(&value, Style::Relaxed),
        "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": [],\n  \"c\": {\"$date\":\"1970-01-01T00:00:00Z\"}\n}"
    );
}

#[test]
fn refused_text() {
    for (text, message) in [
        ("", "expected a value, found the end at byte 0x0"),
        ("[1,]", "expected a value, found \"]\" at byte 0x3, in [1]"),
        ("[1 2]", "expected a comma or ], found \"2\" at byte 0x3, in [1]"),
        ("{\"a\" 1}", "expected a colon after the key, found \"1\" at byte 0x5"),
        ("{a:1}", "expected a key in quotes, found \"a\" at byte 0x1"),
        ("{\"a\":1,}", "expected a key in quotes, found \"}\" at byte 0x7"),
        ("{\"a\":tru}", "expected a value, found \"t\" at byte 0x5, in a"),
        ("[", "expected a value, found the end at byte 0x1, in [0]"),
        ("1 1", "expected the end of the text, found \"1\" at byte 0x2"),
        ("01", "expected a number without leading zeros, found some at byte 0x0"),
        ("1.", "expected a digit, found the end at byte 0x2"),
        ("\"a", "expected the quote that ends this string, found none at byte 0x0"),
        ("\"\\x\"", "expected an escape, found \"x\" at byte 0x2"),
        ("\"\\ud800\"", "expected both halves of a character, found one at byte 0x1"),
        ("\"\\u12\"", "expected four hexadecimal digits, found \"1\" at byte 0x3"),
        ("\"\n\"", "expected control characters as escapes, found 0x0a at byte 0x1"),
        (
            "9223372036854775808",
            "expected a number that fits an int64, found 9223372036854775808 at byte 0x0",
        ),
        ("1e999", "expected a number that fits a double, found 1e999 at byte 0x0"),
        ("{\"a\":1,\"a\":2}", "duplicate key \"a\" at byte 0x7"),
        ("{\"a\\u0000\":1}", "expected a key without NUL, found one at byte 0x1"),
        (
            "{\"$bson\":{\"type\":\"07\",\"base64\":\"AQ==\"}}",
            "expected type and base64 in the notation of $bson, found something else at byte 0x0",
        ),
        (
            "[{\"$numberInt\":\"2147483648\"}]",
            "expected the digits of an int32 in the notation of $numberInt, found something else at byte 0x1, in [0]",
        ),
        (
            "{\"$date\":\"x\"}",
            "expected a time or its milliseconds in the notation of $date, found something else at byte 0x0",
        ),
    ] {
        assert_eq!(json::from_str(text).unwrap_err().to_string(), message, "{text}");
    }
    let allow = Options::new().allow_duplicates(true);
    let twice = json::from_str_with("{\"a\":1,\"a\":2}", &allow).unwrap();
    assert_eq!(twice.as_document().unwrap().len(), 2);
    assert_eq!(json::to_string(&twice, Style::Relaxed), "{\"a\":1,\"a\":2}");
}

#[test]
fn values_in_other_formats() {
    let value: Value = [
        ("n", Value::Int32(5)),
        ("d", 0.5.into()),
        ("t", DateTime(0).into()),
        ("o", [("$date", "no")].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(
        text,
        r#"{"n":5,"d":0.5,"t":{"$date":{"$numberLong":"0"}},"o":{"$document":{"$date":"no"}}}"#
    );
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    for (number, text) in [
        (f64::NAN, r#"{"$numberDouble":"NaN"}"#),
        (f64::NEG_INFINITY, r#"{"$numberDouble":"-Infinity"}"#),
        (5e-324, r#"{"$numberDouble":"5e-324"}"#),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (9e15, "9000000000000000.0"),
    ] {
        assert_eq!(serde_json::to_string(&Value::Double(number)).unwrap(), text);
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), Value::Double(number));
    }
    let error = serde_json::from_str::<Value>(r#"{"$date":{}}"#).unwrap_err();
    assert!(error.to_string().starts_with("expected a time or its milliseconds"), "{error}");
}
