//! `Document`: what is not changed stays byte for byte.

use o3de_json::value::Document;
use o3de_json::{ErrorKind, Options, Value};
use proptest::prelude::*;

use crate::support::{json_text, real_files, samples};

#[test]
fn files_come_out_as_they_went_in() {
    let mut files = samples();
    files.extend(real_files());
    for (name, bytes) in files {
        let mut document = Document::from_slice(&bytes, &Options::new()).unwrap();
        assert_eq!(document.to_text().unwrap().as_bytes(), bytes, "{name}");
        // Put together from its values.
        document.value_mut();
        assert_eq!(document.to_text().unwrap().as_bytes(), bytes, "{name}");
    }
}

#[test]
fn the_second_of_two_members_of_a_name_changes_its_own_bytes() {
    let text = "{\n  \"a\" : [ 1.50 ],\t\"a\": {\"b\":\"\\u0041\"} }\n";
    let mut document = Document::new(text).unwrap();
    let (_, value) = document.value_mut().as_object_mut().unwrap().iter_mut().nth(1).unwrap();
    *value.get_mut("b").unwrap() = "B".into();
    assert_eq!(document.to_text().unwrap(), text.replace("\"\\u0041\"", "\"B\""));
}

/// What a document becomes when its value is that of another text.
fn changed(text: &str, to: &str) -> String {
    let mut document = Document::new(text).unwrap();
    *document.value_mut() = Document::new(to).unwrap().into_value();
    document.to_text().unwrap()
}

#[test]
fn comments_move_with_their_members_and_go_with_them() {
    let text = "{ // Of all.
  // First.
  \"a\": 1, // After one.
  \"b\" : 2 /* two */,

  \"c\": 3 // After three.
  // At the end.
}
";
    let moved = "{ // Of all.

  \"c\": 3, // After three.
  // First.
  \"a\": 1, // After one.
  \"b\" : 2 /* two */
  // At the end.
}
";
    assert_eq!(changed(text, r#"{"c": 3, "a": 1, "b": 2}"#), moved.replacen("\n\n", "\n", 1));
    let without = "{ // Of all.
  \"b\" : 2 /* two */,

  \"c\": 3 // After three.
  // At the end.
}
";
    assert_eq!(changed(text, r#"{"b": 2, "c": 3}"#), without);
    let more = text.replace("\n  \"b\"", "\n  \"n\": 0,\n  \"b\"");
    assert_eq!(changed(text, r#"{"a": 1, "n": 0, "b": 2, "c": 3}"#), more);
    let nothing = "{ // Of all.\n  // At the end.\n}\n";
    assert_eq!(changed(text, "{}"), nothing);
    // The comment of what was empty.
    assert_eq!(changed("[\n  // None.\n]", "[1]"), "[\n  // None.\n  1\n]");
    let list = "[\n  1, // One.\n  2, // Two.\n  3, // Three.\n  4\n]";
    assert_eq!(changed(list, "[1, 3]"), "[\n  1, // One.\n  3 // Three.\n]");
}

#[test]
fn members_and_elements_are_put_in_and_taken_out() {
    let text = "{\r\n\t\"a\": [1, 2],\t\"b\": {}\r\n}";
    let mut document = Document::new(text).unwrap();
    assert!(document.insert_element("/a", 1, 1.5) && document.insert_element("/a", 9, "x"));
    assert!(document.insert_member("", 1, "n", 0) && document.insert_member("/b", 0, "c", true));
    assert!(!document.insert_element("/b", 0, 1) && !document.insert_member("/a", 0, "n", 1));
    assert!(!document.insert_element("/x", 0, 1));
    let expected =
        "{\r\n\t\"a\": [1, 1.5, 2, \"x\"],\r\n\t\"n\": 0,\t\"b\": {\r\n\t\t\"c\": true\r\n\t}\r\n}";
    assert_eq!(document.to_text().unwrap(), expected);
    let names: Vec<Option<&str>> = document.children("").map(|(name, _)| name).collect();
    assert_eq!(names, [Some("a"), Some("n"), Some("b")]);
    assert_eq!(document.children("/a").count(), 4);
    for pointer in ["/a/3", "/a/1", "/n", "/b/c"] {
        assert!(document.remove(pointer).is_some(), "{pointer}");
    }
    for pointer in ["", "/a/2", "/x", "a", "/b/c"] {
        assert_eq!(document.remove(pointer), None, "{pointer}");
    }
    assert_eq!(document.to_text().unwrap(), text);
    assert_eq!((document.set("/a/0", 7), document.set("/z", 7)), (Some(1.into()), None));
    assert_eq!(document.to_text().unwrap(), text.replace('1', "7"));
}

#[test]
fn trailing_commas_stay_where_they_are_accepted() {
    let options = Options::new().trailing_commas(true);
    let mut document = Document::with_options("[\n  1,\n  2,\n]\n", &options).unwrap();
    document.value_mut().as_array_mut().unwrap().push(Value::from(3));
    let text = document.to_text().unwrap();
    let again = Document::with_options(text.as_str(), &options).unwrap();
    assert_eq!(again.value(), document.value(), "{text}");
    document.value_mut().as_array_mut().unwrap().clear();
    assert_eq!(document.to_text().unwrap(), "[]\n");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let mut document = Document::new("[1]").unwrap();
    *document.value_mut() = Value::from(vec![f64::NAN]);
    assert_eq!(document.to_text().unwrap_err().kind(), ErrorKind::NotFinite);
    let options = Options::new().max_output(10);
    let mut document = Document::with_options("[1]", &options).unwrap();
    *document.value_mut() = Value::from("a text of some length");
    assert_eq!(document.to_text().unwrap_err().kind(), ErrorKind::OutputLimit);
    let error = Document::new("[1,\n 2,,]").unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(2), Some(4)), "{error}");
}

/// Changes something, by the numbers.
fn mutate(value: &mut Value, numbers: &mut dyn Iterator<Item = u8>) {
    let Some(number) = numbers.next() else { return };
    match value {
        Value::Array(items) => {
            let (at, len) = (usize::from(number), items.len());
            match number % 5 {
                0 if len > 0 => drop(items.remove(at % len)),
                1 => items.insert(at % (len + 1), Value::from("new")),
                2 => items.reverse(),
                _ => {}
            }
            items.iter_mut().for_each(|item| mutate(item, numbers));
        }
        Value::Object(object) => {
            let nth = object.keys().nth(usize::from(number) % object.len().max(1)).cloned();
            match (number % 5, nth) {
                (0, Some(name)) => drop(object.remove(&name)),
                (1, _) => object.push("new", vec![1, 2]),
                (2, Some(name)) => object.push(name, Value::Null),
                (3, _) => *object = object.clone().into_vec().into_iter().rev().collect(),
                _ => {}
            }
            object.iter_mut().for_each(|(_, value)| mutate(value, numbers));
        }
        leaf if number % 3 == 0 => *leaf = Value::from(i64::from(number)),
        leaf if number % 7 == 0 => *leaf = Value::from(vec!["a", "b"]),
        _ => {}
    }
}

/// The pointers of all values.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), found));
        }
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            pointers(value, &format!("{at}/{name}"), found);
        }),
        _ => {}
    }
}

#[test]
fn bytes_are_appended_or_nothing_is() {
    let mut document = Document::with_options("[1, 2]\n", &Options::new().max_output(9)).unwrap();
    let mut out = b"before ".to_vec();
    document.append_to_vec(&mut out).unwrap();
    assert_eq!(out, b"before [1, 2]\n");
    assert_eq!(document.pointer_mut("/2"), None);
    *document.pointer_mut("/0").unwrap() = 123.into();
    document.append_to_vec(&mut out).unwrap();
    assert_eq!(out, b"before [1, 2]\n[123, 2]\n");
    *document.pointer_mut("/1").unwrap() = 45.into();
    assert_eq!(document.append_to_vec(&mut out).unwrap_err().kind(), ErrorKind::OutputLimit);
    assert_eq!(out, b"before [1, 2]\n[123, 2]\n");
}

proptest! {
    #[test]
    fn edits_at_pointers_are_edits(
        text in json_text(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 1..8)), 0..6),
    ) {
        let mut noted = Document::new(text.as_str()).unwrap();
        let mut compared = noted.clone();
        for (which, numbers) in edits {
            let mut found = Vec::new();
            pointers(noted.value(), "", &mut found);
            let pointer = which.get(&found);
            let changed = noted.pointer_mut(pointer);
            let other = compared.value_mut().pointer_mut(pointer);
            prop_assert_eq!(&changed, &other);
            for value in [changed, other].into_iter().flatten() {
                mutate(value, &mut numbers.iter().copied());
            }
        }
        prop_assert_eq!(noted.to_text().unwrap(), compared.to_text().unwrap());
        prop_assert_eq!(noted.to_vec().unwrap(), compared.to_vec().unwrap());
    }

    #[test]
    fn any_edit_reads_back(text in json_text(), numbers in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut document = Document::new(text.as_str()).unwrap();
        mutate(document.value_mut(), &mut numbers.iter().copied());
        let written = document.to_text().unwrap();
        let again = Document::new(written.as_str());
        let again = again.map_err(|error| TestCaseError::fail(format!("{error}\n{text}\n{written}")))?;
        prop_assert_eq!(again.value(), document.value(), "{}\n{}", text, written);
    }

    #[test]
    fn without_an_edit_nothing_changes(text in json_text()) {
        let mut document = Document::new(text.as_str()).unwrap();
        document.value_mut();
        prop_assert_eq!(document.to_text().unwrap(), text);
    }
}
