//! The vectors: bytes, values, and the way back.

use kiwi_pclass::{Value, hash, json};

use crate::support::{bytes, digits, options, rows};

/// Every binary row, through the value and through its notation.
fn all(file: &str) -> (usize, usize) {
    let (mut good, mut refused) = (0, 0);
    for row in rows(file) {
        if row["form"] == "xml" {
            continue;
        }
        let name = row["name"].as_str().unwrap();
        let (options, bytes) = (options(&row), bytes(&row));
        let read = options.from_slice::<Value>(&bytes);
        if !row["error"].is_null() {
            assert!(read.is_err(), "{name} is accepted as {read:?}");
            assert!(options.explain(&bytes).error().is_some(), "{name} is explained");
            refused += 1;
            continue;
        }
        let value = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = options.to_vec(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(options.from_slice::<Value>(&again).unwrap(), value, "{name}");
        if row["skip_unknown_types"] != true {
            let made = json::from_str(&row["value"].to_string(), &options);
            let made = made.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(made, value, "{name}");
            let written = options.to_vec(&made).unwrap();
            if row["encode_exact"] == true {
                assert_eq!(digits(&written), digits(&bytes), "{name}");
            }
        }
        if row["encode_exact"] == true {
            assert_eq!(digits(&again), digits(&bytes), "{name}");
        }
        good += 1;
    }
    (good, refused)
}

#[test]
fn vectors() {
    assert_eq!(all("vectors.jsonl"), (210, 13));
}

#[test]
fn page() {
    assert_eq!(all("page.jsonl"), (51, 0));
}

#[test]
fn arena() {
    let (good, refused) = all("arena.jsonl");
    assert!(good > 20 && refused == 0, "{good} {refused}");
}

#[test]
fn hashes() {
    let mut found = 0;
    for row in rows("hashes.jsonl") {
        if let Some(text) = row["string"].as_str() {
            assert_eq!(row["string_id"], hash::string_id(text.as_bytes()), "{text}");
            assert_eq!(row["djb2"], hash::djb2(text.as_bytes()), "{text}");
            found += 1;
        } else {
            let (kind, name) = (row["type"].as_str().unwrap(), row["name"].as_str().unwrap());
            let property = kiwi_pclass::Game::Wizard101.property_hash(kind, name);
            assert_eq!(row["property_hash"], property, "{kind} {name}");
            found += 1;
        }
    }
    assert!(found > 40, "{found}");
}
