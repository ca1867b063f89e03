//! What was wrong once.

use serde::{Deserialize, Serialize};
use zeze_serialize::{Base, ErrorKind, Options, Unknown, from_slice, to_vec};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Inner {
    x: i32,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "dynamic")]
enum Dynamic {
    #[default]
    #[serde(rename = "0")]
    Empty,
    #[serde(rename = "1")]
    Inner(Inner),
}

/// A number was taken for a variant's number, and refused even leniently.
#[test]
fn numbers_are_no_dynamic_beans() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder {
        #[serde(rename = "1:dynamic")]
        dynamic: Dynamic,
        #[serde(rename = "2:list")]
        list: Vec<Dynamic>,
        #[serde(rename = "3:after")]
        after: i32,
    }
    // dynamic: 3, list: [1.0f, 0.0f], after: 7
    let bytes = [0x10, 3, 0x14, 0x21, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0x10, 7, 0];
    let read: Holder = from_slice(&bytes).unwrap();
    assert_eq!(
        read,
        Holder { dynamic: Dynamic::Empty, list: vec![Dynamic::Empty, Dynamic::Empty], after: 7 }
    );
    let error = Options::new().strict(true).from_slice::<Holder>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert_eq!(
        error.to_string(),
        "expected a dynamic bean, found an integer at byte 0x1, in dynamic"
    );
}

/// Half a surrogate pair is one character that is wrong for Java, and three for Rust.
#[test]
fn half_a_surrogate_pair_is_one_replacement() {
    let lossy = Options::new().lossy_text(true);
    let read = |bytes: &[u8]| {
        let mut input = vec![u8::try_from(bytes.len()).unwrap()];
        input.extend(bytes);
        lossy.from_slice::<String>(&input).unwrap()
    };
    assert_eq!(read(&[0xed, 0xa0, 0x80]), "\u{fffd}");
    assert_eq!(read(&[b'a', 0xed, 0xaf, 0xbf, b'b']), "a\u{fffd}b");
    assert_eq!(read(&[0xed, 0xb0, 0x80, 0xed, 0xa0, 0x80]), "\u{fffd}\u{fffd}");
    assert_eq!(read(&[0xed, 0xa0]), "\u{fffd}\u{fffd}");
    assert_eq!(read(&[0xff, 0xc3, 0xa5, 0xe6, 0xb1]), "\u{fffd}å\u{fffd}");
}

/// An optional base was written as a layer, and read as absent.
#[test]
fn a_base_is_not_optional() {
    #[derive(Debug, Serialize)]
    struct Derived {
        y: i32,
        base: Option<Base<Inner>>,
    }
    let error = to_vec(&Derived { y: 1, base: Some(Base(Inner { x: 2 })) }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(to_vec(&Derived { y: 1, base: None }).is_ok());

    #[derive(Debug, Serialize)]
    struct Keeping {
        y: i32,
        unknown: Option<Unknown>,
    }
    assert!(to_vec(&Keeping { y: 1, unknown: Some(Unknown::new()) }).is_err());
}
