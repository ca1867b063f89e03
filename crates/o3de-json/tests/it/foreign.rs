//! Bytes that are not UTF-8 inside of strings, by `Options::invalid_utf8`.

use std::collections::BTreeMap;

use o3de_json::types::*;
use o3de_json::value::Document;
use o3de_json::*;
use proptest::prelude::*;

fn options() -> Options {
    Options::new().invalid_utf8(true)
}

/// A string of all bytes that end no string, and of characters that stand for bytes.
fn text() -> Vec<u8> {
    let plain = (0x20..=0xff).filter(|byte| !matches!(byte, b'"' | b'\\'));
    [&b"{\"\xe9\": [\""[..], &plain.collect::<Vec<u8>>(), "\u{ef80}\u{efff}é".as_bytes(), b"\"]}"]
        .concat()
}

#[test]
fn strings_of_any_bytes_come_back() {
    let text = text();
    let error = from_slice::<Value>(&text).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidUtf8, Some(2)));
    let compact = text.iter().copied().filter(|byte| *byte != b' ').collect::<Vec<_>>();
    let value: Value = options().from_slice(&compact).unwrap();
    assert_eq!(options().to_vec(&value).unwrap(), compact);
    assert_eq!(value.as_object().unwrap().keys().next().unwrap(), "\u{efe9}");
    // The same as Rust types, and back by way of a document.
    type Names = BTreeMap<String, Vec<String>>;
    let names: Names = options().from_slice(&compact).unwrap();
    assert_eq!(options().to_vec(&names).unwrap(), compact);
    assert_eq!(options().load_slice::<Names>(&compact).unwrap().0, names);
    assert_eq!(options().from_value::<Names>(&options().to_value(&names).unwrap()).unwrap(), names);
    let raw: BTreeMap<String, RawValue> = options().from_slice(&compact).unwrap();
    assert_eq!(options().to_vec(&raw).unwrap(), compact);
    // A text cannot hold the bytes.
    assert_eq!(options().to_string(&names).unwrap_err().kind(), ErrorKind::InvalidUtf8);
}

#[test]
fn documents_keep_bytes_around_an_edit() {
    let text = [text(), b" // \xff\n".to_vec()].concat();
    let mut document = Document::from_slice(&text, &options()).unwrap();
    assert_eq!(document.to_vec().unwrap(), text);
    document.value_mut().as_object_mut().unwrap().insert("new", "\u{efab}");
    let edited = document.to_vec().unwrap();
    assert!(edited.ends_with(b"\"], \"new\": \"\xab\"} // \xff\n"), "{}", edited.escape_ascii());
    assert_eq!(Document::from_slice(&edited, &options()).unwrap().value(), document.value());
}

#[test]
fn escapes_and_texts_of_the_range_are_themselves() {
    let text = "[\"\\uEF80\", \"\u{ef80}\"]";
    let value: Value = options().from_str(text).unwrap();
    assert_eq!(value[0], value[1]);
    assert_eq!(options().to_string(&value).unwrap(), "[\"\u{ef80}\",\"\u{ef80}\"]");
    let document = Document::with_options(text, &options()).unwrap();
    assert_eq!(document.to_vec().unwrap(), text.as_bytes());
    // Without the option they are characters like others.
    assert_eq!(to_string(&from_str::<Value>("\"\u{ef80}\"").unwrap()).unwrap(), "\"\u{ef80}\"");
}

#[test]
fn offsets_are_those_of_the_bytes() {
    let text = b"[\"\xff\xfe\", 1e400, 2]";
    let read = [
        options().from_slice::<Value>(text).map(drop),
        options().from_slice::<Vec<Value>>(text).map(drop),
        options().from_slice::<Vec<serde_json::Value>>(text).map(drop),
        Document::from_slice(text, &options()).map(drop),
    ];
    for error in read.map(Result::unwrap_err) {
        assert_eq!((error.offset(), error.column()), (Some(7), Some(8)), "{error}");
    }
    // Only inside of strings and comments.
    for text in [&b"\xff"[..], b"[1,\xff]", b"[1\xff]"] {
        let error = options().from_slice::<Value>(text).unwrap_err();
        assert!(error.is_syntax(), "{error}");
    }
}

#[test]
fn escapes_are_characters_unless_bytes_are() {
    let text = r#""\ueff0""#;
    assert_eq!(from_str::<String>(text).unwrap(), "\u{eff0}");
    assert_eq!(options().from_str::<String>(text).unwrap(), "\u{efee}\u{efbf}\u{efb0}");
}

proptest! {
    #[test]
    fn any_string_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let plain: Vec<u8> =
            bytes.into_iter().filter(|byte| *byte >= 0x20 && !b"\"\\".contains(byte)).collect();
        let text = [b"[\"", &plain[..], b"\", 1]"].concat();
        let value: Value = options().from_slice(&text).unwrap();
        prop_assert_eq!(options().to_vec(&value).unwrap(), [b"[\"", &plain[..], b"\",1]"].concat());
        let document = Document::from_slice(&text, &options()).unwrap();
        prop_assert_eq!(document.to_vec().unwrap(), text.clone());
        let (first, rest): (String, u8) = options().from_slice(&text).unwrap();
        prop_assert_eq!(value[0].as_str(), Some(&*first));
        prop_assert_eq!(rest, 1);
        #[cfg(feature = "explain")]
        prop_assert!(options().explain(&text).error().is_none());
    }
}
