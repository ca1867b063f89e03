//! Fields as Rust types, and as values of a record.

use kiwi_dml::types::{ByteString, Gid, WString};
use kiwi_dml::{Message, RawMessage, Record, Value};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::support::protocols;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Grown {
    depth: i8,
    rows: u8,
    stock: u16,
    balance: i32,
    seeds: u32,
    id: Gid,
    height: f32,
    weight: f64,
    plant: ByteString,
    label: WString,
}

impl Message for Grown {
    const SERVICE_ID: u8 = 61;
    const ORDER: u8 = 3;
    const NAME: &'static str = "MSG_GROWN";
}

fn grown() -> Grown {
    Grown {
        depth: -1,
        rows: 200,
        stock: 4000,
        balance: -5,
        seeds: 6,
        id: Gid(7),
        height: 0.5,
        weight: -0.25,
        plant: ByteString::new(b"caf\xe9"),
        label: WString::new([0x41, 0xd800]),
    }
}

#[test]
fn types_and_records_have_the_same_bytes() {
    let raw = RawMessage::of(&grown()).unwrap();
    assert_eq!(raw.read::<Grown>().unwrap(), grown());
    let record = protocols().read(&raw).unwrap();
    assert_eq!(record["Depth"].as_i64(), Some(-1));
    assert_eq!(record["GlobalID"].as_u64(), Some(7));
    assert_eq!(record["Label"], Value::WString(grown().label));
    assert!(record["Gone"].is_null() && record.get("Gone").is_none());
    assert_eq!(record.to_raw().unwrap(), raw);
    assert_eq!(record.iter().len(), 10);
}

#[test]
fn shapes_of_messages_and_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Newtype(Inner);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        on: bool,
        name: String,
        data: ByteBuf,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Unit;
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pair(i16, Seconds);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Seconds(u32);

    let inner = Inner { on: true, name: "Åsa".into(), data: ByteBuf::from([0, 255]) };
    let bytes = kiwi_dml::to_vec(&Newtype(inner)).unwrap();
    assert_eq!(bytes, b"\x01\x04\0\xc3\x85sa\x02\0\x00\xff");
    assert_eq!(kiwi_dml::from_slice::<Newtype>(&bytes).unwrap().0.name, "Åsa");
    assert_eq!(kiwi_dml::to_vec(&Unit).unwrap(), b"");
    assert_eq!(kiwi_dml::from_slice::<Unit>(b"").unwrap(), Unit);
    let pair = Pair(-2, Seconds(9));
    assert_eq!(kiwi_dml::to_vec(&pair).unwrap(), b"\xfe\xff\x09\0\0\0");
    assert_eq!(kiwi_dml::from_slice::<Pair>(b"\xfe\xff\x09\0\0\0").unwrap(), pair);
    // Borrowed from the body.
    let (text, bytes): (&str, &[u8]) = kiwi_dml::from_slice(b"\x01\0a\x01\0\xff").unwrap();
    assert_eq!((text, bytes), ("a", &[255][..]));
}

/// Errors of a kind, each in a line.
fn said<T>(results: impl IntoIterator<Item = (&'static str, kiwi_dml::Result<T>)>) -> String {
    let line = |(what, result): (&str, kiwi_dml::Result<T>)| match result {
        Ok(_) => panic!("{what} is accepted"),
        Err(error) => format!("{what}: {error}\n"),
    };
    results.into_iter().map(line).collect()
}

#[test]
fn what_no_message_can_say_is_refused_when_written() {
    #[derive(Serialize)]
    struct One<T> {
        field: T,
    }
    #[derive(Serialize)]
    struct Skips {
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<u8>,
        next: u8,
    }
    #[derive(Serialize)]
    struct Flat {
        #[serde(flatten)]
        inner: std::collections::BTreeMap<String, u8>,
    }
    #[derive(Serialize)]
    enum Kind {
        A,
        B(u8),
        C { x: u8 },
    }
    macro_rules! fields {
        ($($what:literal: $value:expr,)+) => {
            [$(($what, kiwi_dml::to_vec(&One { field: $value }))),+]
        };
    }
    let fields = fields! {
        "an Option": Some(1u8),
        "None": None::<u8>,
        "a list": vec![1u8],
        "a tuple": (1u8, 2u8),
        "a struct": One { field: 1u8 },
        "a map": std::collections::BTreeMap::from([(1u8, 2u8)]),
        "a unit variant": Kind::A,
        "a newtype variant": Kind::B(1),
        "a struct variant": Kind::C { x: 1 },
        "i64": 1i64,
        "u128": 1u128,
        "char": 'a',
        "unit": (),
        "a long text": "x".repeat(65_536),
        "long code units": WString::new(vec![0; 65_536]),
    };
    let messages = [
        ("a number", kiwi_dml::to_vec(&1u8)),
        ("a text", kiwi_dml::to_vec("text")),
        ("a list as a message", kiwi_dml::to_vec(&vec![1u8])),
        ("an Option as a message", kiwi_dml::to_vec(&Some(One { field: 1u8 }))),
        ("an enum as a message", kiwi_dml::to_vec(&Kind::C { x: 1 })),
        ("a field left out", kiwi_dml::to_vec(&Skips { left: None, next: 1 })),
        ("flatten", kiwi_dml::to_vec(&Flat { inner: [("a".into(), 1)].into() })),
        ("two long texts", kiwi_dml::to_vec(&("x".repeat(40_000), "y".repeat(40_000)))),
    ];
    insta::assert_snapshot!(said(fields) + &said(messages));
}

#[test]
fn what_does_not_fit_is_refused_when_read() {
    let grown = RawMessage::of(&grown()).unwrap();
    let cut = RawMessage::new(61, 3, &grown.body()[..30]).unwrap();
    let long = RawMessage::new(61, 3, [grown.body(), &[0, 0]].concat()).unwrap();
    let other = RawMessage::new(61, 4, vec![]).unwrap();
    let types = [
        ("cut", cut.read::<Grown>().map(drop)),
        ("too long", long.read().map(|_: Grown| ())),
        ("another message", other.read::<Grown>().map(drop)),
        ("no text", kiwi_dml::from_slice::<(u8, String)>(b"\x01\x01\0\xff").map(drop)),
        ("no bool", kiwi_dml::from_slice::<(bool,)>(b"\x02").map(drop)),
        ("an Option", kiwi_dml::from_slice::<(Option<u8>,)>(b"\x02").map(drop)),
        ("a list", kiwi_dml::from_slice::<Vec<u8>>(b"\x02").map(drop)),
        ("any", kiwi_dml::from_slice::<serde_json::Value>(b"\x02").map(drop)),
        ("a struct in a field", kiwi_dml::from_slice::<((u8,),)>(b"\x02").map(drop)),
        ("a number as a message", kiwi_dml::from_slice::<u8>(b"\x02").map(drop)),
        ("a text as a message", kiwi_dml::from_slice::<&str>(b"\x02").map(drop)),
    ];
    let protocols = protocols();
    let unknown = |service, order| RawMessage::new(service, order, vec![]).unwrap();
    let records = [
        ("a record that is cut", protocols.read(&cut)),
        ("a record that is too long", protocols.read(&long)),
        ("an unknown message", protocols.read(&unknown(61, 9))),
        ("an unknown service", protocols.read(&unknown(9, 1))),
    ];
    insta::assert_snapshot!(said(types) + &said(records));
}

#[test]
fn a_record_holds_what_its_fields_can_hold() {
    let protocols = protocols();
    let mut record = Record::new(protocols.find("MSG_GROWN").unwrap());
    let zero = record.to_raw().unwrap();
    assert_eq!(zero.body(), [0; 36]);
    record.set("Depth", -128).unwrap();
    record.set("Rows", true).unwrap();
    record.set("Stock", 65_535i64).unwrap();
    record.set("GlobalID", u64::MAX).unwrap();
    record.set("Height", 0.1).unwrap();
    record.set("Weight", 3u8).unwrap();
    record.set("Plant", WString::from("rose")).unwrap();
    record.set("Label", "Größe").unwrap();
    let raw = record.to_raw().unwrap();
    assert_eq!(protocols.read(&raw).unwrap(), record);
    assert_eq!(record["Height"], Value::Float(0.1));
    assert_eq!(record["Weight"], Value::Double(3.0));
    assert_eq!(
        serde_json::to_string(&record).unwrap(),
        r#"{"Depth":-128,"Rows":1,"Stock":65535,"Balance":0,"Seeds":0,"GlobalID":18446744073709551615,"Height":0.1,"Weight":3.0,"Plant":"rose","Label":"Größe"}"#
    );
    let mut set = |name: &'static str, value: Value| (name, record.set(name, value));
    let refused = [
        set("Depth", 128.into()),
        set("Rows", (-1).into()),
        set("Seeds", u64::MAX.into()),
        set("GlobalID", (-1).into()),
        set("Height", 1e300.into()),
        set("Height", "tall".into()),
        set("Balance", 0.5.into()),
        set("Plant", Value::WString(WString::new([0xd800]))),
        set("Label", Value::String(ByteString::new(b"\xff"))),
        set("Plant", Value::Null),
        set("Gone", 1.into()),
    ];
    insta::assert_snapshot!(said(refused));
    record.set("Plant", "x".repeat(65_536)).unwrap();
    let error = record.to_raw().unwrap_err().to_string();
    assert!(error.contains("65536, in MSG_GROWN.Plant"), "{error}");
}

/// Offsets are those of the byte that is wrong, and one byte is one.
#[test]
fn errors_say_where_the_byte_is() {
    let error = kiwi_dml::from_slice::<(u8, String)>(b"\x07\x03\0ab\xff").unwrap_err();
    assert_eq!(error.to_string(), "expected UTF-8 text, found the byte 0xff at byte 0x5, in [1]");
    let error = kiwi_dml::from_slice::<(u8, u8)>(b"\x07").unwrap_err();
    assert_eq!(error.to_string(), "expected 1 byte of UBYT, found 0 at byte 0x1, in [1]");
    let error = kiwi_dml::from_slice::<(u8,)>(b"\x07\x08").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected the end after the last field, found 1 more byte at byte 0x1"
    );
}
