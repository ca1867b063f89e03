//! What errors say.

use std::fmt::Write;

use kiwi_pclass::*;

use crate::serde::{Leaf, Prims};
use crate::support::{bytes, deep, digits, hex, options, rows, shallow};

/// Every vector that is refused, and more, with the sentence of its error.
#[test]
fn sentences() {
    let mut text = String::new();
    let mut say = |name: &str, error: Error| {
        writeln!(text, "{name}\n    {:?}: {error}", error.kind()).unwrap();
    };
    for row in rows("vectors.jsonl").iter().filter(|row| !row["error"].is_null()) {
        let error = options(row).from_slice::<Value>(&bytes(row)).unwrap_err();
        say(row["name"].as_str().unwrap(), error);
    }
    let leaf = hex("7e031427 60000000");
    for (name, entry) in [
        ("a property that ends after its object", "ff000000 3a8f3589 01000000"),
        ("a property that is shorter than its head", "20000000 3a8f3589 01000000"),
        ("a property that is too short", "40000000 3a8f3589"),
        ("an unknown property", "60000000 01020304 01000000"),
    ] {
        let mut bytes = [&leaf[..], &hex(entry)].concat();
        let size = u32::try_from(bytes.len() * 8 - 32).unwrap();
        bytes[4..8].copy_from_slice(&size.to_le_bytes());
        say(name, deep().from_slice::<Value>(&bytes).unwrap_err());
    }
    for (name, bytes) in [
        ("an object of size 0", "7e031427 00000000"),
        ("an object that ends after the input", "7e031427 21000000"),
        ("a string that is no UTF-8", "7e031427 01000000 0200 41ff 01"),
        ("more bytes", "85f5ae41 00 00"),
    ] {
        let error = match name.split(' ').next().unwrap() {
            "an" => deep().from_slice::<Value>(&hex(bytes)).unwrap_err(),
            "more" => shallow().from_slice::<Value>(&hex(bytes)).unwrap_err(),
            _ => shallow().from_slice::<Leaf>(&hex(bytes)).unwrap_err(),
        };
        say(name, error);
    }
    say("no magic", Options::file().schema(crate::support::types()).header(b"<xml").unwrap_err());
    let prims =
        rows("vectors.jsonl").into_iter().find(|r| r["name"] == "prims/shallow/f0").unwrap();
    for len in [0, 4, 5, 6, 30, 73] {
        let cut = &bytes(&prims)[..len];
        say(&format!("cut after {len} bytes"), shallow().from_slice::<Prims>(cut).unwrap_err());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn bits_and_bytes() {
    // The bool before the enum ends inside of a byte.
    let error = shallow().from_slice::<Value>(&hex("db57d512 01")).unwrap_err();
    assert_eq!((error.offset(), error.bit_offset()), (Some(5), Some(40)));
    assert_eq!(error.path().to_string(), "m_color");
    let holder =
        rows("vectors.jsonl").into_iter().find(|r| r["name"] == "strings/shallow/f0").unwrap();
    let mut cut = bytes(&holder);
    let len = cut.len();
    cut.truncate(len - 1);
    let error = shallow().from_slice::<Value>(&cut).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    assert!(error.offset().unwrap() <= cut.len());
    assert_eq!(size_of::<Error>(), size_of::<usize>());
}

#[test]
fn offsets_in_inflated_data_say_so() {
    let plain = [&hex("7e031427 60000000 60000000 01020304 01000000")[..], &[0; 200]].concat();
    let mut compressed = vec![1];
    compressed.extend(u32::try_from(plain.len()).unwrap().to_le_bytes());
    let mut body = Vec::new();
    let mut zlib = envelope::wrap(&plain, true).unwrap();
    body.append(&mut zlib.split_off(4));
    compressed.extend(body);
    let options = deep().flags(SerializerFlags::COMPRESS);
    let error = options.from_slice::<Value>(&compressed).unwrap_err();
    assert!(error.is_inflated(), "{error}");
    assert!(error.to_string().contains("of the inflated data"), "{error}");
    assert_eq!(options.explain(&compressed).error().unwrap().to_string(), error.to_string());
    let _ = digits(&compressed);
}
