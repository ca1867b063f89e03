//! What errors say.

use std::fmt::Write;

use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::*;

use crate::classes::{Leaf, Prims};
use crate::support::{deep, digits, hex, sample, shallow};

/// What only a Rust type refuses; what a value refuses is in the cases.
#[test]
fn sentences() {
    let mut text = String::new();
    let mut say = |name: &str, error: Error| {
        writeln!(text, "{name}\n    {:?}: {error}", error.kind()).unwrap();
    };
    let no_text = hex("7e031427 01000000 0200 41ff 01");
    say("a string that is no UTF-8", shallow().from_slice::<Leaf>(&no_text).unwrap_err());
    let prims = sample("prims/shallow/f0").1;
    for len in [0, 4, 5, 6, 30, 73] {
        let cut = &prims[..len];
        say(&format!("cut after {len} bytes"), shallow().from_slice::<Prims>(cut).unwrap_err());
    }
    let other = hex("85f5ae41");
    say("another class", shallow().from_slice::<Prims>(&other).unwrap_err());
    say(
        "a number too large",
        from_value::<Small>(&to_value(&Large { m_id: 300 }).unwrap()).unwrap_err(),
    );
    say("no schema", Options::new().to_vec(&[1u8][..]).unwrap_err());
    insta::assert_snapshot!(text);
}

#[derive(::serde::Serialize)]
#[serde(rename = "class TvLeaf")]
struct Large {
    m_id: u32,
}

#[derive(Debug, ::serde::Deserialize)]
#[serde(rename = "class TvLeaf")]
#[allow(dead_code)]
struct Small {
    m_id: u8,
}

#[test]
fn bits_and_bytes() {
    // The bool before the enum ends inside of a byte.
    let error = shallow().from_slice::<Value>(&hex("db57d512 01")).unwrap_err();
    assert_eq!((error.offset(), error.bit_offset()), (Some(5), Some(40)));
    assert_eq!(error.path().to_string(), "m_color");
    let mut cut = sample("strings/shallow/f0").1;
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

#[test]
fn a_new_user_is_told_which_name_is_wrong() {
    use ::serde::{Deserialize, Serialize};

    #[derive(Serialize)]
    #[serde(rename = "class Sloop")]
    struct Written {
        m_id: u32,
        m_guns: i32,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Sloop {
        m_id: u32,
        m_guns: i32,
    }
    #[derive(Debug, Deserialize)]
    #[serde(rename = "class Sloop")]
    #[allow(dead_code)]
    struct Misspelled {
        m_id: u32,
        m_gun: i32,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    enum Ship {
        Sloop(Sloop),
        Raft(u8),
    }
    let written = Written { m_id: 1, m_guns: 2 };
    let says = |error: Error, text: &str| assert_eq!(error.to_string(), text);
    let file = Options::file();
    let bytes = file.to_vec(&written).unwrap();
    let hash =
        "found the hash 1001316177 (0x3baedf51) of `class Sloop`: the type needs the whole name";
    says(
        file.from_slice::<Sloop>(&bytes).unwrap_err(),
        &format!("expected an object of `Sloop`, {hash} at byte 0x8"),
    );
    says(
        file.from_slice::<Ship>(&bytes).unwrap_err(),
        &format!("expected a class of the schema, {hash} at byte 0x8"),
    );
    let pirate = file.clone().game(hash::Game::Pirate101);
    let error = file.from_slice::<Misspelled>(&pirate.to_vec(&written).unwrap()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(") of `class Sloop` in Pirate101: see Options::game at byte"), "{text}");

    let schema = Schema::infer::<Misspelled>().unwrap();
    let error = file.clone().schema(schema).from_slice::<Misspelled>(&bytes).unwrap_err();
    says(error, "missing field `m_gun` of `class Sloop` at byte 0x8");
    const SLOOP: schema::ClassDef = schema::ClassDef::new(
        "class Sloop",
        &[],
        &[
            schema::PropertyDef::new("m_id", "unsigned int", 0x1f),
            schema::PropertyDef::new("m_guns", "int", 0x1f),
        ],
    );
    let schema = Schema::builder().class(&SLOOP).unwrap().build().unwrap();
    let shallow = Options::new().schema(schema);
    let error = shallow.from_slice::<Misspelled>(&shallow.to_vec(&written).unwrap()).unwrap_err();
    says(error, "missing field `m_gun` of `class Sloop` with the property `m_guns` at byte 0x0");
}
