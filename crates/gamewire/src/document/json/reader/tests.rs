//! The reader beside serde_json.

use std::collections::HashMap;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::*;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    name: String,
    size: Option<u8>,
    at: (f32, i64),
    #[serde(default)]
    side: Hand,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
enum Hand {
    #[default]
    Left,
    Right(bool),
}

fn both<T: DeserializeOwned + PartialEq + fmt::Debug>(text: &str) {
    let own = read(text.as_bytes(), PhantomData::<T>).map_err(|error| error.message);
    let other = serde_json::from_str(text).map_err(|error| error.to_string());
    assert_eq!(own, other, "{text}");
}

#[test]
fn errors_and_values_are_those_of_serde_json() {
    let whole = r#"{"name":"a\n\u00e4","size":null,"at":[0.1, -7],"side":{"Right":true}}"#;
    let texts = [
        whole,
        r#"{"name":"a","at":[1,2],"side":"Left"} x"#,
        r#"{"name":5,"at":[1,2]}"#,
        r#"{"name":[],"at":[1,2]}"#,
        "{\n \"name\":\"a\",\n \"at\":{}}",
        r#"{"name":"a","at":[1]}"#,
        r#"{"name":"a","at":[1,2,3]}"#,
        r#"{"name":"a","at":[1.5,2.5]}"#,
        r#"{"name":"a","size":256,"at":[1,2]}"#,
        r#"{"name":"a","more":1}"#,
        r#"{"name":"\ud800","at":[1,2]}"#,
        r#"{"name":"\x","at":[1,2]}"#,
        r#"{"name":"a","name":"a"}"#,
        r#"{"side":"Middle"}"#,
        r#"{"side":true}"#,
        r#"{"at":[1e999, 2]}"#,
        r#"{"at":[01, 2]}"#,
        r#"{"at":[1 2]}"#,
        r#"{"at":[1,]}"#,
        r#"{"at" 1}"#,
        r#"{at: 1}"#,
        "[1, tru]",
        "nul",
        "",
    ];
    for text in texts {
        both::<Sample>(text);
        both::<serde_json::Value>(text);
        both::<HashMap<String, serde_json::Value>>(text);
        both::<Vec<i32>>(text);
        both::<String>(text);
        let own = read_json(text.as_bytes());
        let own = own.map(|own| own.to_string()).map_err(|error| error.message);
        let other = serde_json::from_str::<serde_json::Value>(text);
        let other = other.map(|own| own.to_string()).map_err(|error| error.to_string());
        assert_eq!(own, other, "{text}");
    }
    for (end, _) in whole.char_indices() {
        let (own, other) = (&whole[..end], serde_json::from_str::<Sample>(&whole[..end]));
        assert_eq!(read(own.as_bytes(), PhantomData::<Sample>).ok(), other.ok(), "{own}");
    }
}

#[test]
fn numbers_are_exact() {
    let texts = ["123456789.12345679e-300", "0.1", "-0", "18446744073709551616", "5e-324"];
    for text in texts {
        let json = read_json(text.as_bytes()).unwrap();
        let own = json.as_f64().unwrap();
        assert_eq!(own.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
    }
    for text in ["18446744073709551615", "-9223372036854775808", "0"] {
        let json = read_json(text.as_bytes()).unwrap();
        assert_eq!(json.to_string(), text);
    }
}

/// As deep as nesting may be, with the stack of a thread.
#[test]
fn a_thousand_levels_take_a_small_stack() {
    let text = format!("{}{}", "[{\"a\":".repeat(500) + "1", "}]".repeat(500));
    let json = read_json(text.as_bytes()).unwrap();
    assert_eq!(json.to_string(), text);
    let raw = read(text.as_bytes(), PhantomData::<RawText<'_>>).unwrap();
    assert_eq!(raw.0, text);
}
