//! Functions that several modules need.

pub(crate) use crate::shared::{hex, hex_file};
use resonite_brson::value::{Array, Document};
use resonite_brson::{Binary, Codec, Container, DateTime, Kind, Other, Value};

/// A document around elements.
pub(crate) fn document(elements: &[u8]) -> Vec<u8> {
    let len = i32::try_from(elements.len() + 5).unwrap();
    [&len.to_le_bytes()[..], elements, &[0]].concat()
}

/// An element with its type byte.
pub(crate) fn element(kind: u8, key: &str, payload: &[u8]) -> Vec<u8> {
    [&[kind][..], key.as_bytes(), &[0], payload].concat()
}

/// One element in a document.
pub(crate) fn only(kind: u8, key: &str, payload: &[u8]) -> Vec<u8> {
    document(&element(kind, key, payload))
}

/// `levels` documents (key "a") or arrays inside of one another; the outermost is a document.
pub(crate) fn nested(levels: usize, kind: u8) -> Vec<u8> {
    let key = if kind == 3 { "a" } else { "0" };
    let mut head = Vec::new();
    // From the inside out, the lengths are known.
    let mut len = 5_usize;
    let mut heads = Vec::new();
    for level in 1..levels {
        let key = if level == levels - 1 { "a" } else { key };
        heads.push((len, key));
        len += 5 + 1 + key.len() + 1;
    }
    head.extend_from_slice(&i32::try_from(len).unwrap().to_le_bytes());
    for (len, key) in heads.into_iter().rev() {
        head.push(kind);
        head.extend_from_slice(key.as_bytes());
        head.push(0);
        head.extend_from_slice(&i32::try_from(len).unwrap().to_le_bytes());
    }
    head.extend(std::iter::repeat_n(0, levels));
    head
}

/// A value of a type that no engine writes.
#[track_caller]
pub(crate) fn other(kind: Kind, bytes: &[u8]) -> Value {
    Other::new(kind, bytes).unwrap().into()
}

/// The bytes of code with a document of its variables.
pub(crate) fn code_with_scope(code: &str, scope: &[u8]) -> Vec<u8> {
    let len = i32::try_from(code.len() + scope.len() + 9).unwrap();
    let code_len = i32::try_from(code.len() + 1).unwrap();
    [&len.to_le_bytes(), &code_len.to_le_bytes(), code.as_bytes(), &[0], scope].concat()
}

/// A value of every type.
pub(crate) fn values() -> Vec<Value> {
    vec![
        Value::Null,
        true.into(),
        false.into(),
        Value::Int32(-7),
        Value::Int64(-7),
        Value::Int64(i64::MAX),
        Value::Double(0.1),
        Value::Double(1.0),
        Value::Double(-0.0),
        Value::Double(1e300),
        Value::Double(f64::INFINITY),
        Value::Double(f64::NAN),
        Value::Double(f64::from_bits(0xfff8_0000_0000_0000)),
        "".into(),
        "Åsa\0\"\\\u{7f}\n".into(),
        "00000002-0000-0000-0000-000000000000".into(),
        "x".repeat(100).into(),
        Document::new().into(),
        Array::new().into(),
        [("b", Value::Int32(1)), ("a", Value::from(vec![Value::Null, 2.5.into()]))]
            .into_iter()
            .collect(),
        // Documents that look like wrappers of the JSON notation.
        [("$date", Value::from("no"))].into_iter().collect(),
        [("$document", Value::from(Document::new()))].into_iter().collect(),
        [("$bson", Value::from("x")), ("type", Value::from(1))].into_iter().collect(),
        [("$unknown", Value::from(1))].into_iter().collect(),
        DateTime(1_234_567_890_123).into(),
        DateTime(-1).into(),
        DateTime(i64::MIN).into(),
        Binary { subtype: 0, bytes: vec![1, 2, 3, 4] }.into(),
        Binary { subtype: 2, bytes: vec![255] }.into(),
        Binary { subtype: 128, bytes: vec![] }.into(),
        other(Kind::ObjectId, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]),
        other(Kind::Regex, b"a.b\0im\0"),
        other(Kind::DbPointer, b"\x05\0\0\0db.c\0\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07"),
        other(Kind::Code, b"\x04\0\0\0x()\0"),
        other(Kind::Symbol, b"\x04\0\0\0sym\0"),
        other(Kind::CodeWithScope, &code_with_scope("f", &only(0x10, "$oid", &[1, 0, 0, 0]))),
        other(Kind::Timestamp, &[0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0]),
        other(Kind::Decimal128, &[7; 16]),
        other(Kind::Decimal128, &[0xff; 16]),
        other(Kind::Undefined, &[]),
        other(Kind::MinKey, &[]),
        other(Kind::MaxKey, &[]),
    ]
}

/// All of them in one document, and again in arrays.
pub(crate) fn everything() -> Value {
    let mut document: Document = values()
        .into_iter()
        .enumerate()
        .map(|(index, value)| (format!("key {index}"), value))
        .collect();
    document.insert("list", Array::from(values()));
    document.insert("nested", Value::from(vec![Value::from(vec![Value::from(values())])]));
    document.into()
}

/// Every container that can be written and told by its content.
#[cfg_attr(not(feature = "lz4"), allow(dead_code, reason = "what only some features need"))]
pub(crate) fn containers() -> Vec<Container> {
    let codecs = Codec::ALL.into_iter().filter(|codec| codec.is_available());
    let all = codecs.flat_map(|codec| [Container::new(codec), Container::legacy(codec)]);
    all.filter(|container| *container != Container::new(Codec::None)).collect()
}
