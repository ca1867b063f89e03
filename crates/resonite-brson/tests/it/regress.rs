//! Faults that were there once, each named by what was wrong.

use resonite_brson::value::Document;
use resonite_brson::{CodeWithScope, Value, json};

use crate::plain::{from_slice, to_vec};
use crate::support::{document, hex, only};

/// The path ended in the entry before the key at fault.
#[test]
fn a_bad_key_is_not_blamed_on_the_entry_before_it() {
    let inner = Document::from(vec![("a".into(), 1.into()), ("a".into(), 2.into())]);
    let value: Value = [("x", inner)].into_iter().collect();
    assert_eq!(to_vec(&value).unwrap_err().path().to_string(), "x");
}

/// The mark for "no key yet" was shown as a key.
#[test]
fn a_bad_key_in_the_scope_of_code_has_a_clean_path() {
    let scope = document(&[0x0a, 0xff, 0]);
    let len = i32::try_from(scope.len() + 10).unwrap().to_le_bytes();
    let bytes = only(0x0f, "c", &[&len[..], &hex("02000000 7800"), &scope].concat());
    let error = from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(error.path().to_string(), "c");
}

/// The wrapper of each level counted as a level.
#[test]
fn wrappers_do_not_count_as_levels() {
    let literal = (0..1000).fold(Value::Null, |inner, _| [("$oid", inner)].into_iter().collect());
    let text = json::to_string(&literal, json::Style::Canonical);
    assert!(json::from_str(&text).unwrap() == literal);
    let code = (0..1000).fold(Document::new(), |inner, _| {
        let code = CodeWithScope { code: "f".into(), scope: inner };
        [("c", Value::from(code))].into_iter().collect()
    });
    let value = Value::from(code);
    let text = json::to_string(&value, json::Style::Canonical);
    assert!(
        json::from_str_with(&text, &resonite_brson::Options::new().max_depth(2000)).unwrap()
            == value
    );
}

/// A vector of bytes of no length made an empty span.
#[cfg(feature = "explain")]
#[test]
fn no_bytes_have_no_span() {
    let bytes = only(5, "b", &hex("00000000 00"));
    crate::explain::check_cover(&resonite_brson::explain(&bytes));
}

/// `explain` had nothing against a body that is empty.
#[cfg(all(feature = "explain", feature = "lzma"))]
#[test]
fn an_empty_body_is_no_document() {
    // A header, LZMA's properties, no dictionary and no length, and its stream.
    let file = [&b"FrDT\0\0\0\0\x02\x5d"[..], &[0; 233]].concat();
    let error = resonite_brson::from_slice::<Value>(&file).unwrap_err().to_string();
    let explained = resonite_brson::explain(&file);
    crate::explain::check_cover(&explained);
    assert_eq!(explained.error().map(ToString::to_string), Some(error));
}

/// A damaged entry stood in the way of the asset that has its name.
#[cfg(feature = "package")]
#[test]
fn an_asset_takes_the_place_of_a_damaged_one() {
    use resonite_brson::SavedObject;
    use resonite_brson::package::{Package, hash};

    let object = SavedObject::new("1", "root");
    let record = Package::new("root", &object).unwrap().record().clone();
    let damaged = (format!("Assets/{}", hash(b"new")), b"damaged".to_vec());
    let mut package = Package::from_entries(record, [damaged]).unwrap();
    let added = package.add_asset(b"new".to_vec());
    assert_eq!(package.asset(&added), Some(&b"new"[..]));
    assert_eq!(package.assets().filter(|(hash, _)| *hash == added).count(), 1);
}
