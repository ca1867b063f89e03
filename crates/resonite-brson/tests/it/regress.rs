//! Faults that were there once, each named by what was wrong.

use resonite_brson::value::Document;
use resonite_brson::{Kind, Value, json};

use crate::plain::{from_slice, to_vec};
use crate::support::{code_with_scope, document, only, other};

/// The path ended in the entry before the key at fault.
#[test]
fn a_bad_key_is_not_blamed_on_the_entry_before_it() {
    let inner = Document::from(vec![("a".into(), 1.into()), ("a".into(), 2.into())]);
    let value: Value = [("x", inner)].into_iter().collect();
    assert_eq!(to_vec(&value).unwrap_err().path().to_string(), "x");
}

/// Nobody's code is run: what is in its scope is kept as it is, whatever that is.
#[test]
fn the_scope_of_code_is_not_looked_at() {
    let scope = document(&[0x0a, 0xff, 0]);
    let code = code_with_scope("x", &scope);
    let bytes = only(0x0f, "c", &code);
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(value["c"], other(Kind::CodeWithScope, &code));
    assert_eq!(to_vec(&value).unwrap(), bytes);
    // Its parts have to fit together.
    for at in [0, 4, 10] {
        let mut wrong = code.clone();
        wrong[at] += 1;
        from_slice::<Value>(&only(0x0f, "c", &wrong)).unwrap_err();
        resonite_brson::Other::new(Kind::CodeWithScope, wrong).unwrap_err();
    }
}

/// The wrapper of each level counted as a level.
#[test]
fn wrappers_do_not_count_as_levels() {
    let literal = (0..1000).fold(Value::Null, |inner, _| [("$date", inner)].into_iter().collect());
    let text = json::to_string(&literal, json::Style::Canonical);
    assert!(json::from_str(&text).unwrap() == literal);
}

/// A vector of bytes of no length made an empty span.
#[cfg(feature = "explain")]
#[test]
fn no_bytes_have_no_span() {
    let bytes = only(5, "b", &[0; 5]);
    crate::shared::check_cover(&resonite_brson::explain(&bytes));
}

/// `explain` had nothing against a body that is empty.
#[cfg(all(feature = "explain", feature = "lzma"))]
#[test]
fn an_empty_body_is_no_document() {
    // A header, LZMA's properties, no dictionary and no length, and its stream.
    let file = [&b"FrDT\0\0\0\0\x02\x5d"[..], &[0; 233]].concat();
    let error = resonite_brson::from_slice::<Value>(&file).unwrap_err().to_string();
    let explained = resonite_brson::explain(&file);
    crate::shared::check_cover(&explained);
    assert_eq!(explained.error().map(ToString::to_string), Some(error));
}
