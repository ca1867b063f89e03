//! The sentences of errors, their offsets and paths, and their kinds.

use resonite_brson::{ErrorKind, Value};
use serde::{Deserialize, Serialize};

use crate::plain::{from_slice, options, to_vec};
use crate::support::{document, element, hex, only};

#[test]
fn what_the_engine_passes_over() {
    // Keys of arrays are not looked at, and any bool but 0 is true.
    let array = document(&[element(8, "7", &[1]), element(8, "", &[200])].concat());
    let bytes = only(4, "a", &array);
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(value["a"], Value::from(vec![true, true]));
    let strict = options().strict(true);
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

#[test]
fn repeated_keys() {
    let twice = document(
        &[element(0x10, "a", &hex("01000000")), element(0x10, "a", &hex("02000000"))].concat(),
    );
    let allow = options().allow_duplicates(true);
    let value: Value = allow.from_slice(&twice).unwrap();
    assert_eq!(value["a"], 1);
    assert_eq!(allow.to_vec(&value).unwrap(), twice);
    assert_eq!(to_vec(&value).unwrap_err().to_string(), "duplicate key \"a\"");
    let map: std::collections::BTreeMap<String, i32> = allow.from_slice(&twice).unwrap();
    assert_eq!(map["a"], 2);
    let error = from_slice::<std::collections::BTreeMap<String, i32>>(&twice).unwrap_err();
    assert_eq!(error.to_string(), "duplicate key \"a\" at byte 0xc");
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct A {
        a: i32,
    }
    let error = from_slice::<A>(&twice).unwrap_err();
    assert_eq!(error.to_string(), "duplicate field `a` at byte 0x0");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    // Many keys are told apart by a set.
    for count in [30, 31, 32, 33, 34, 500] {
        let mut elements: Vec<u8> =
            (0..count).flat_map(|n| element(10, &format!("key {n}"), &[])).collect();
        from_slice::<Value>(&document(&elements)).unwrap();
        elements.extend(element(10, "key 7", &[]));
        let error = from_slice::<Value>(&document(&elements)).unwrap_err();
        let inner = only(3, "key 7", &document(&elements));
        let found = [&inner, &document(&elements)].map(|own| options().validate(own).unwrap_err());
        assert_eq!(found[1].to_string(), error.to_string());
        assert!(found[0].to_string().ends_with(", in [\"key 7\"]"), "{}", found[0]);
        assert!(allow.validate(&inner).is_ok());
        assert_eq!(error.kind(), ErrorKind::DuplicateKey, "{count}");
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[allow(dead_code)]
struct Slot {
    name: String,
    order: u8,
    position: [f64; 3],
    children: Vec<Slot>,
}

#[track_caller]
fn typed(json: &str, message: &str) {
    let value = resonite_brson::json::from_str(json).unwrap();
    let bytes = to_vec(&value).unwrap();
    let error = from_slice::<Slot>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert!(error.offset().is_some_and(|at| at < bytes.len()));
    let error = resonite_brson::from_value::<Slot>(&value).unwrap_err();
    assert_eq!(error.offset(), None);
}

#[test]
fn data_that_does_not_fit() {
    typed(r#"{"name":5}"#, "expected a string, found integer 5 at byte 0xa, in name");
    typed(r#"{"name":"a","order":300}"#, "expected u8, found integer 300 at byte 0x17, in order");
    typed(r#"{"name":"a","order":2.5}"#, "expected u8, found float 2.5 at byte 0x17, in order");
    typed(r#"{"name":"a","order":null}"#, "expected u8, found null at byte 0x17, in order");
    typed(r#"{"name":"a"}"#, "missing field `order` at byte 0x0");
    typed(
        r#"{"name":"a","order":1,"position":[1,2]}"#,
        "expected an array of length 3, found 2 elements at byte 0x25, in position",
    );
    typed(
        r#"{"name":"a","order":1,"position":[1,2,3,4]}"#,
        "expected 3 elements, found 4 at byte 0x3e, in position",
    );
    typed(
        r#"{"name":"a","order":1,"position":[1,2,3],"children":[{"name":{"$date":"1970-01-01"}}]}"#,
        "expected a string, found a document at byte 0x5a, in children[0].name",
    );
    typed(
        r#"{"name":"a","order":1,"position":[1,9007199254740993,3]}"#,
        "expected f64, found integer 9007199254740993, which it cannot hold at byte 0x33, in position[1]",
    );
    typed(r#"{"name":[]}"#, "expected a string, found an array at byte 0xa, in name");
}

/// A value in the place of a key.
#[derive(PartialEq, Eq, Serialize)]
struct ValueKey(Value);

impl PartialOrd for ValueKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ValueKey {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

#[test]
fn what_cannot_be_written() {
    fn refused<T: Serialize>(value: &T) -> String {
        to_vec(value).unwrap_err().to_string()
    }
    use std::collections::BTreeMap;
    assert_eq!(refused(&5), "expected a document at the root of a file, found an int32");
    assert_eq!(refused(&vec![1]), "expected a document at the root of a file, found an array");
    assert_eq!(refused(&"x"), "expected a document at the root of a file, found a string");
    assert_eq!(refused(&Value::Null), "expected a document at the root of a file, found null");
    assert_eq!(refused(&()), "expected a document at the root of a file, found null");
    assert_eq!(
        refused(&BTreeMap::from([("a\0b", 1)])),
        r#"expected a key without NUL, found "a\0b""#
    );
    let value: Value = [("x", [("a\0", 1)].into_iter().collect::<Value>())].into_iter().collect();
    assert_eq!(refused(&value), r#"expected a key without NUL, found "a\0", in x"#);
    #[derive(Serialize)]
    struct Renamed {
        #[serde(rename = "a\0")]
        a: i32,
    }
    assert_eq!(refused(&Renamed { a: 1 }), r#"expected a key without NUL, found "a\0""#);
    assert_eq!(
        refused(&BTreeMap::from([("a", [u64::MAX])])),
        "expected an integer that fits an int64, found 18446744073709551615, in a[0]"
    );
    assert_eq!(
        refused(&BTreeMap::from([(ValueKey(Value::from("a")), 1)])),
        "expected a key that is text, found a value of any type"
    );
    let regex = resonite_brson::Other::new(resonite_brson::Kind::Regex, *b"a\0b");
    assert_eq!(
        regex.unwrap_err().to_string(),
        "expected the 0 that ends a key in the document's last 1 byte, found none at byte 0x2"
    );
}

#[cfg(all(feature = "brotli", feature = "lz4"))]
#[test]
fn offsets_in_a_decompressed_body_say_so() {
    let value: Value = [("a", 5)].into_iter().collect();
    for container in [resonite_brson::Container::BRSON, resonite_brson::Container::LZ4_BSON] {
        let file = resonite_brson::Options::new().container(container).to_vec(&value).unwrap();
        let error = resonite_brson::from_slice::<std::collections::BTreeMap<String, bool>>(&file);
        let error = error.unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a boolean, found integer 5 at byte 0x7 of the decompressed body, in a"
        );
        assert_eq!(error.space(), Some("decompressed body"));
    }
}

#[test]
fn classes() {
    let error = from_slice::<Value>(b"").unwrap_err();
    assert!(error.is_eof() && !error.is_syntax() && !error.is_data() && !error.is_io());
    let error = from_slice::<Value>(&hex("05000000 01")).unwrap_err();
    assert!(error.is_syntax() && !error.is_eof());
    let error = from_slice::<Slot>(&hex("05000000 00")).unwrap_err();
    assert!(error.is_data() && !error.is_syntax());
    let error = options()
        .from_reader::<_, Value>(gamewire_testkit::conformance::Failing { after: 0, byte: 0 });
    assert!(error.unwrap_err().is_io());
}

#[test]
fn documents_say_what_is_wrong_with_their_length() {
    let inner = |digits: &str| only(3, "a", &hex(digits));
    for (bytes, kind, message) in [
        (
            hex("04000000 00"),
            ErrorKind::DocumentLength,
            "expected a document's length of at least 5, found 4 at byte 0x0",
        ),
        (
            hex("ffffffff 00"),
            ErrorKind::DocumentLength,
            "expected a document's length of at least 5, found -1 at byte 0x0",
        ),
        (
            hex("05000000"),
            ErrorKind::UnexpectedEof,
            "expected a document of 5 bytes, found 4 at byte 0x0",
        ),
        (
            hex("05000000 01"),
            ErrorKind::DocumentLength,
            "expected the 0 that ends a document, found 0x01 at byte 0x4",
        ),
        (
            hex("06000000 0002 00"),
            ErrorKind::DocumentLength,
            "expected the 0 that ends a document, found 0x02 at byte 0x5",
        ),
        (
            inner("04000000 00"),
            ErrorKind::DocumentLength,
            "expected a document's length of at least 5, found 4 at byte 0x7, in a",
        ),
        (
            inner("05000000 01"),
            ErrorKind::DocumentLength,
            "expected the 0 that ends a document, found 0x01 at byte 0xb, in a",
        ),
        (
            inner("06000000 00"),
            ErrorKind::DocumentLength,
            "expected a document of 6 bytes, found 5 at byte 0x7, in a",
        ),
    ] {
        let error = from_slice::<Value>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }
}

/// What is packed has to be unpacked before it is read or borrowed from.
#[cfg(feature = "brotli")]
#[test]
fn packed_files() {
    let file = resonite_brson::to_vec(&std::collections::BTreeMap::from([("a", "b")])).unwrap();
    let mut deserializer = resonite_brson::Deserializer::from_slice(&file);
    let error = Value::deserialize(&mut deserializer).unwrap_err();
    let text =
        "expected a document, found a packed file (FrDT), which `from_slice` and `open` unpack";
    assert_eq!(error.to_string(), format!("{text} at byte 0x0"));
    let error = resonite_brson::from_slice::<std::collections::BTreeMap<String, &str>>(&file);
    assert_eq!(
        error.unwrap_err().to_string(),
        "expected data to borrow, found a packed file, from which `open` and `Body::read` borrow at \
         byte 0x7 of the decompressed body, in a"
    );
}
