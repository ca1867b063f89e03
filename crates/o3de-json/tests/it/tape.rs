//! Documents that are only looked at.

use o3de_json::value::{Tape, ValueRef};
use o3de_json::{ErrorKind, Options, Value, from_str};

use crate::support::{real_files, samples};

/// That both have the same data.
fn same(one: ValueRef<'_>, other: &Value) {
    let mut open = vec![(one, other)];
    while let Some((one, other)) = open.pop() {
        assert_eq!(one.is_null(), other.is_null());
        assert_eq!(one.as_bool(), other.as_bool());
        assert_eq!(one.as_i64(), other.as_i64());
        assert_eq!(one.as_u64(), other.as_u64());
        assert_eq!(one.as_f64(), other.as_f64());
        assert_eq!(one.as_str().as_deref(), other.as_str());
        assert_eq!(
            (one.is_array(), one.is_object()),
            (other.as_array().is_some(), other.as_object().is_some())
        );
        let members = other.as_object().into_iter().flatten();
        assert!(one.entries().map(|(name, _)| name).eq(members.map(|(name, _)| name.as_str())));
        let elements = other.as_array().into_iter().flatten();
        assert_eq!(one.items().count(), elements.clone().count());
        open.extend(one.items().zip(elements));
        let members = other.as_object().into_iter().flatten();
        open.extend(one.entries().zip(members).map(|((_, one), (_, other))| (one, other)));
    }
}

#[test]
fn a_tape_has_what_a_value_has() {
    let mut count = 0;
    for (name, bytes) in real_files().into_iter().chain(samples()) {
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let (tape, value) =
            (Tape::new(text, &Options::new()), Options::new().from_str::<Value>(text));
        assert_eq!(tape.is_ok(), value.is_ok(), "{name}");
        let (Ok(tape), Ok(value)) = (tape, value) else { continue };
        same(tape.root(), &value);
        assert_eq!(tape.root().to_value().unwrap(), value, "{name}");
        count += 1;
    }
    assert!(count > 3, "{count}");
}

#[test]
fn values_are_found_by_name_and_place() {
    let text = r#"{"a\\u0062": [1, {"c/d": "x\\ny", "c/d": 2}, -5, 1.50, 18446744073709551615], "a\\\\u0062": null, "": true}"#
        .replace("\\\\", "\\");
    let tape = Tape::new(&text, &Options::new()).unwrap();
    let root = tape.root();
    let value: Value = from_str(&text).unwrap();
    same(root, &value);
    assert_eq!(root.get("ab").map(ValueRef::len), Some(5));
    assert!(root.get(r"a\u0062").is_some_and(ValueRef::is_null));
    assert_eq!(root.pointer("/ab/1/c~1d").and_then(ValueRef::as_str).as_deref(), Some("x\ny"));
    assert_eq!(root.pointer("/ab/3").map(ValueRef::text), Some("1.50"));
    assert_eq!(root.pointer("/ab/4").and_then(ValueRef::as_u64), Some(u64::MAX));
    assert_eq!(root.get("ab").and_then(|own| own.get(2)).and_then(ValueRef::as_i64), Some(-5));
    assert_eq!(root.pointer("/").and_then(ValueRef::as_bool), Some(true));
    assert!(
        root.pointer("/ab/9").is_none() && root.pointer("/x").is_none() && root.get(0).is_none()
    );
    assert_eq!(root.get("ab").and_then(ValueRef::key).as_deref(), Some("ab"));
    assert_eq!((root.key(), tape.len(), tape.is_empty()), (None, 16, false));
}

#[test]
fn a_tape_refuses_what_a_value_refuses() {
    for text in ["", "[1,", "[1] 2", "{\"a\":01}", "[\"\\x\"]", "[1e999]", "[1 2]", "// only"] {
        let (tape, value) =
            (Tape::new(text, &Options::new()).unwrap_err(), from_str::<Value>(text).unwrap_err());
        assert_eq!(tape.to_string(), value.to_string(), "{text}");
    }
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(Tape::new(&deep, &Options::new()).unwrap_err().kind(), ErrorKind::DepthLimit);
    assert!(Tape::new(&deep, &Options::new().max_depth(200)).is_ok());
    let many = format!("[{}1]", "1,".repeat(1000));
    let little = Options::new().max_memory(1 << 10);
    assert_eq!(Tape::new(&many, &little).unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn characters_that_stand_for_bytes_are_as_in_a_value() {
    // U+EFF0 would be written as one byte, so that its own three bytes stand there as three.
    let text = "{\"\u{eff0}\": \"\u{eff0}\", \"\\ueff0 \": [\"\\ueff0\"]}";
    for options in [Options::new(), Options::new().invalid_utf8(true)] {
        let value = options.from_str::<Value>(text).unwrap();
        let tape = Tape::new(text, &options).unwrap();
        assert_eq!(tape.root().to_value().unwrap(), value);
        for ((name, own), (key, member)) in tape.root().entries().zip(value.as_object().unwrap()) {
            assert_eq!(name, **key);
            assert_eq!(own.as_str().as_deref(), member.as_str());
            let found = tape.root().get(&**key).unwrap().to_value().unwrap();
            assert_eq!(found, *member);
        }
        let written = options.to_vec(&tape.root().to_value().unwrap()).unwrap();
        assert_eq!(options.from_slice::<Value>(&written).unwrap(), value);
    }
    let options = Options::new().invalid_utf8(true);
    let tape = Tape::new(text, &options).unwrap();
    assert!(tape.root().get("\u{eff0}").is_none());
    assert!(tape.root().get("\u{efee}\u{efbf}\u{efb0}").is_some());
}
