//! Data that is read without a copy.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::*;

fn points_into<T>(bytes: &[u8], part: &[T]) -> bool {
    bytes.as_ptr_range().contains(&part.as_ptr().cast())
}

#[test]
fn text_and_bytes() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Packet<'a> {
        name: &'a str,
        #[serde(borrow)]
        title: Cow<'a, str>,
        raw: &'a [u8],
        #[serde(borrow)]
        packed: PackedByteSlice<'a>,
        maybe: Option<&'a str>,
        list: Vec<&'a str>,
        map: BTreeMap<&'a str, &'a str>,
    }
    let packet = Packet {
        name: "a name",
        title: "a title".into(),
        raw: &[],
        packed: PackedByteSlice(&[1, 2, 3]),
        maybe: Some("maybe"),
        list: vec!["one", "two"],
        map: BTreeMap::from([("k", "v")]),
    };
    let bytes = to_vec(&packet).unwrap();
    // `&[u8]` itself is written as an array by serde; bytes are read from a PackedByteArray.
    let mut value: Value = from_slice(&bytes).unwrap();
    *value.get_mut("raw").unwrap() = PackedByteArray(vec![9, 8]).into();
    let bytes = to_vec(&value).unwrap();
    let read: Packet<'_> = from_slice(&bytes).unwrap();
    assert_eq!(read, Packet { raw: &[9, 8], ..packet });
    assert!(points_into(&bytes, read.name.as_bytes()));
    assert!(points_into(&bytes, read.raw));
    assert!(points_into(&bytes, read.packed.0));
    assert!(points_into(&bytes, read.map["k"].as_bytes()));
    assert!(matches!(read.title, Cow::Borrowed(text) if points_into(&bytes, text.as_bytes())));
}

#[test]
fn packed_bytes_in_every_form() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Forms<'a> {
        #[serde(with = "serde_bytes")]
        owned: Vec<u8>,
        #[serde(with = "serde_bytes")]
        borrowed: &'a [u8],
        buffer: serde_bytes::ByteBuf,
        packed: PackedByteArray,
        #[serde(borrow)]
        slice: PackedByteSlice<'a>,
        plain: Vec<u8>,
    }
    let forms = Forms {
        owned: vec![1],
        borrowed: &[2, 3],
        buffer: vec![4, 5, 6].into(),
        packed: vec![7, 8, 9, 10].into(),
        slice: PackedByteSlice(&[11]),
        plain: vec![12],
    };
    let bytes = to_vec(&forms).unwrap();
    assert_eq!(from_slice::<Forms<'_>>(&bytes).unwrap(), forms);
    assert_eq!(
        shown(&Options::new(), &bytes),
        r#"{"owned": PackedByteArray(1), "borrowed": PackedByteArray(2, 3), "buffer": PackedByteArray(4, 5, 6), "packed": PackedByteArray(7, 8, 9, 10), "slice": PackedByteArray(11), "plain": [12]}"#
    );
    // An array of numbers can be bytes as well, but not without a copy.
    let numbers = to_vec(&[1, 2]).unwrap();
    assert_eq!(from_slice::<serde_bytes::ByteBuf>(&numbers).unwrap(), vec![1_u8, 2]);
    assert_eq!(
        refused(from_slice::<PackedByteSlice<'_>>(&numbers)),
        "expected a borrowed byte array, found an array at byte 0x0"
    );
    assert_eq!(
        refused(from_slice::<&str>(&to_vec(&5).unwrap())),
        "expected a borrowed string, found integer 5 at byte 0x0"
    );
}

#[test]
fn through_buffers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner<'a> {
        name: &'a str,
        #[serde(borrow)]
        bytes: PackedByteSlice<'a>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer<'a> {
        #[serde(flatten, borrow)]
        inner: Inner<'a>,
    }
    let outer = Outer { inner: Inner { name: "n", bytes: PackedByteSlice(&[1, 2, 3]) } };
    let bytes = to_vec(&outer).unwrap();
    let read: Outer<'_> = from_slice(&bytes).unwrap();
    assert_eq!(read, outer);
    assert!(points_into(&bytes, read.inner.name.as_bytes()));
    assert!(points_into(&bytes, read.inner.bytes.0));
}

#[test]
fn text_that_the_engine_reads_otherwise_is_borrowed_too() {
    // A byte order mark is stripped, a NUL ends the text.
    let bytes = crate::support::hex("04000000 08000000 efbbbf61 62006300");
    let text: &str = from_slice(&bytes).unwrap();
    assert_eq!(text, "ab");
    assert!(points_into(&bytes, text.as_bytes()));
}
