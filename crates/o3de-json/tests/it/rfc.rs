//! What is JSON and what is not: RFC 8259, by a table and beside serde_json.

use o3de_json::*;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::support::{json_tree, lines};

fn plain() -> Options {
    Options::new().comments(false)
}

#[test]
fn what_is_json_is_taken() {
    for text in &lines("accepted.lines") {
        plain().from_str::<Value>(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        plain()
            .from_str::<serde::de::IgnoredAny>(text)
            .unwrap_or_else(|error| panic!("{text:?}: {error}"));
        let json: Json = plain().from_str(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        // One exception: the engine's document has no negative zero among its integers.
        let expected: Json = serde_json::from_str(text).unwrap();
        if text != "-0" {
            assert_eq!(json, expected, "{text}");
        }
    }
}

#[test]
fn what_is_not_json_is_refused() {
    for text in &lines("refused.lines") {
        assert!(serde_json::from_str::<Json>(text).is_err(), "{text:?} is JSON");
        for error in [
            plain().from_str::<Value>(text).err(),
            plain().from_str::<Json>(text).err(),
            plain().from_str::<serde::de::IgnoredAny>(text).err(),
        ] {
            let error = error.unwrap_or_else(|| panic!("{text:?} was taken"));
            assert!(error.offset().is_some() && error.line().is_some(), "{text:?}: {error}");
            assert!(error.is_syntax() || error.is_eof(), "{text:?}: {error:?}");
        }
    }
}

#[test]
fn comments_and_trailing_commas_are_options() {
    let comments = "// one\n{ /* two */ \"a\" /**/ : // three\n [1 /*,*/ , 2] } // end";
    assert_eq!(from_str::<Json>(comments).unwrap(), serde_json::json!({"a": [1, 2]}));
    for text in ["/* open", "/", "1 /", "/ 1", "/*/ 1", "[1, // x"] {
        assert!(from_str::<Json>(text).is_err(), "{text}");
    }
    let options = Options::new().trailing_commas(true);
    assert_eq!(
        options.from_str::<Json>("[1,{\"a\":2,},]").unwrap(),
        serde_json::json!([1, {"a": 2}])
    );
    for text in ["[,]", "[1,,]", "{,}"] {
        assert!(options.from_str::<Json>(text).is_err(), "{text}");
    }
    // The registry stops after the first value.
    let (value, rest): (Json, _) = take_from_slice(b"{} trailing").unwrap();
    assert_eq!((value, rest), (serde_json::json!({}), &b" trailing"[..]));
}

/// JSON without comments and without negative zero, in any layout.
fn document() -> impl Strategy<Value = String> {
    let words = ["null", "true", "false", "{}", "[]", "0", "1e3", "0.1", "-7"].map(str::to_owned);
    let string = || any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
    let leaf = prop_oneof![
        prop::sample::select(words.to_vec()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| format!("{number:e}")),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,24})?([eE][+-]?[0-9]{1,2})?"
            .prop_filter("an integer", |text: &String| text.as_str() != "-0"),
        string(),
    ];
    let space = prop::sample::select(vec!["", "", " ", "\n        ", "\t", "\r\n"]);
    json_tree(space.boxed(), leaf.boxed(), string().boxed())
}

proptest! {
    /// The same texts are accepted, with the same values.
    #[test]
    fn agrees_with_serde_json(text in document()) {
        let theirs = serde_json::from_str::<Json>(&text);
        let ours = plain().from_str::<Json>(&text);
        match (theirs, ours) {
            (Ok(theirs), Ok(ours)) => prop_assert_eq!(theirs, ours),
            (Err(_), Err(_)) => {}
            (theirs, ours) => prop_assert!(false, "{:?} beside {:?}", theirs, ours),
        }
    }

    /// So are texts with a byte changed.
    #[test]
    fn agrees_with_serde_json_when_broken(text in document(), at in any::<prop::sample::Index>(), byte in 0x20_u8..0x7f) {
        let mut bytes = text.into_bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let theirs = serde_json::from_slice::<Json>(&bytes);
        let ours = plain().from_slice::<Json>(&bytes);
        prop_assert_eq!(theirs.is_ok(), ours.is_ok(), "{:?} beside {:?}", theirs, ours);
    }

    #[test]
    fn doubles_are_read_correctly_and_come_back(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        let shortest = format!("{value:e}");
        prop_assert_eq!(from_str::<f64>(&shortest).unwrap().to_bits(), bits);
        let text = to_string(&value).unwrap();
        prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), bits, "{}", text);
        prop_assert_eq!(from_str::<f64>(&text).unwrap().to_bits(), bits, "{}", text);
    }

    #[test]
    fn floats_come_back(bits in any::<u32>()) {
        let value = f32::from_bits(bits);
        prop_assume!(value.is_finite());
        for options in [Options::new(), Options::new().floats(Floats::Shortest)] {
            let text = options.to_string(&value).unwrap();
            prop_assert_eq!(from_str::<f32>(&text).unwrap().to_bits(), bits, "{}", text);
        }
    }
}

#[test]
fn a_byte_order_mark_is_passed_over_and_kept() {
    let text = "\u{feff}{\"a\": 1}\n";
    let map: std::collections::BTreeMap<String, u8> =
        o3de_json::from_slice(text.as_bytes()).unwrap();
    assert_eq!(map["a"], 1);
    assert_eq!(o3de_json::from_str::<Value>(text).unwrap()["a"].as_u64(), Some(1));
    assert_eq!(o3de_json::Options::new().load::<Value>(text).unwrap().0["a"].as_u64(), Some(1));
    let mut document: o3de_json::value::Document = text.parse().unwrap();
    *document.value_mut().pointer_mut("/a").unwrap() = Value::from(2);
    assert_eq!(document.to_text().unwrap(), "\u{feff}{\"a\": 2}\n");
    // Only at the beginning, and once.
    for wrong in ["\u{feff}\u{feff}1", " \u{feff}1", "[\u{feff}1]", "1\u{feff}", "\u{feff}"] {
        assert!(o3de_json::from_str::<Value>(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_number_beyond_a_double_is_refused_everywhere() {
    let long = format!("1{}", "0".repeat(400));
    for wrong in ["1e400", "-1e999", "1e309", "1e99999999999999999999", &long] {
        let kinds = [
            o3de_json::from_str::<Value>(wrong).map(drop),
            o3de_json::from_str::<f64>(wrong).map(drop),
            o3de_json::from_str::<serde_json::Value>(wrong).map(drop),
            o3de_json::from_str::<serde::de::IgnoredAny>(wrong).map(drop),
            o3de_json::value::Document::new(format!("[{wrong}]")).map(drop),
            o3de_json::from_str::<o3de_json::types::RawValue>(wrong).map(drop),
        ]
        .map(|read| read.err().map(|error| error.kind()));
        assert_eq!(kinds, [Some(o3de_json::ErrorKind::InvalidNumber); 6], "{wrong}");
    }
    let fits = format!("{}e99", "9".repeat(200));
    for right in ["1e308", "0e400", "1e-400", "-1.7976931348623157e308", &fits] {
        let value: Value = o3de_json::from_str(right).unwrap();
        assert_eq!(o3de_json::to_string(&value).unwrap(), right);
    }
}

#[test]
fn trailing_commas_are_on_for_files_of_the_settings_registry() {
    let taken = |name: &str| Options::new().for_path(name).from_str::<Value>("[1,]").is_ok();
    for name in ["a.setreg", "folder/b.SetReg", "c.setregpatch"] {
        assert!(taken(name), "{name}");
    }
    for name in ["a.prefab", "setreg", "a.setreg.json", ""] {
        assert!(!taken(name), "{name}");
    }
    let on = Options::new().trailing_commas(true).for_path("a.prefab");
    assert!(on.from_str::<Value>("[1,]").is_ok());
}
