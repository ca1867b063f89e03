//! `Document`: what is not changed stays byte for byte.

use o3de_json::value::Document;
use o3de_json::{ErrorKind, Options, Value};
use proptest::prelude::*;

use crate::support::{json_text, real_files, samples};

fn edited(text: &str, edit: impl Fn(&mut Value)) -> String {
    let mut document = Document::new(text).unwrap();
    edit(document.value_mut());
    let written = document.to_text().unwrap();
    let again = Document::new(written.as_str()).unwrap();
    assert_eq!(again.value(), document.value(), "{written}");
    written
}

fn insert(name: &'static str, value: impl Into<Value> + Clone) -> impl Fn(&mut Value) {
    move |target| drop(target.as_object_mut().unwrap().insert(name, value.clone()))
}

fn remove(name: &'static str) -> impl Fn(&mut Value) {
    move |target| drop(target.as_object_mut().unwrap().remove(name))
}

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
fn a_changed_value_changes_its_own_bytes() {
    let text = "{\n  // c\n  \"a\" : [ 1.50 , 2e0 ],\t\"a\": {\"b\":\"\\u0041\"} }\n";
    let change = |pointer: &'static str, value: Value| {
        edited(text, |root| *root.pointer_mut(pointer).unwrap() = value.clone())
    };
    assert_eq!(change("/a/0", 7.into()), text.replace("1.50", "7"));
    assert_eq!(change("/a/1", "x\n".into()), text.replace("2e0", "\"x\\n\""));
    // The same value in another spelling is no change, unless it is set.
    assert_eq!(edited(text, |_| {}), text);
    assert_eq!(change("/a/0", 1.5.into()), text.replace("1.50", "1.5"));
    let second = edited(text, |root| {
        let (_, value) = root.as_object_mut().unwrap().iter_mut().nth(1).unwrap();
        *value.get_mut("b").unwrap() = "B".into();
    });
    assert_eq!(second, text.replace("\"\\u0041\"", "\"B\""));
    assert_eq!(change("", 5.into()), "5\n");
}

#[test]
fn elements_come_and_go() {
    let array = |edit: fn(&mut Vec<Value>)| {
        move |text: &str| edited(text, |root| edit(root.as_array_mut().unwrap()))
    };
    let remove_first = array(|items| drop(items.remove(0)));
    let remove_last = array(|items| drop(items.pop()));
    let clear = array(Vec::clear);
    let insert_first = array(|items| items.insert(0, Value::from(0)));
    let insert_second = array(|items| items.insert(1, Value::from(0)));
    let push = array(|items| items.push(Value::from(vec![9])));
    for (edit, spaced, dense) in [
        (&remove_first as &dyn Fn(&str) -> String, "[2, 3]", "[2,3]"),
        (&remove_last, "[1, 2]", "[1,2]"),
        (&clear, "[]", "[]"),
        (&insert_first, "[0, 1, 2, 3]", "[0,1,2,3]"),
        (&insert_second, "[1, 0, 2, 3]", "[1,0,2,3]"),
        (&push, "[1, 2, 3, [9]]", "[1,2,3,[9]]"),
    ] {
        assert_eq!(edit("[1, 2, 3]"), spaced);
        assert_eq!(edit("[1,2,3]"), dense);
    }
    assert_eq!(push("[\n]\n"), "[\n    [\n        9\n    ]\n]\n");
    assert_eq!(push("[]"), "[[9]]");
    assert_eq!(remove_first("[1 /*a,b*/, // c, d\n 2]"), "[ /*a,b*/ // c, d\n 2]");
}

#[test]
fn members_come_and_go() {
    let text = "{\n    \"a\": 1, // one\n    \"b\": 2 // two, too\n}\n";
    assert_eq!(
        edited(text, insert("c", 3)),
        "{\n    \"a\": 1, // one\n    \"b\": 2, // two, too\n    \"c\": 3\n}\n"
    );
    assert_eq!(edited(text, remove("b")), "{\n    \"a\": 1 // two, too\n}\n");
    assert_eq!(edited(text, remove("a")), "{ // one\n    \"b\": 2 // two, too\n}\n");
    let both = |root: &mut Value| {
        remove("a")(root);
        remove("b")(root);
    };
    assert_eq!(edited(text, both), "{}\n");
    assert_eq!(edited("{ }", insert("a", 1)), "{\"a\": 1}");
    let tabs = "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}";
    assert_eq!(
        edited(tabs, |root| insert("c", vec![1])(root.get_mut("a").unwrap())),
        "{\r\n\t\"a\": {\r\n\t\t\"b\": 1,\r\n\t\t\"c\": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}"
    );
    // Members in another order are written anew.
    let reversed = edited("{\n  \"a\": 1,\n  \"b\": 2\n}", |root| {
        let value = root.as_object_mut().unwrap().remove("a").unwrap();
        insert("a", value)(root);
    });
    assert_eq!(reversed, "{\n  \"b\": 2,\n  \"a\": 1\n}");
}

#[test]
fn comments_swallow_nothing() {
    // A comment to the end of the line before what closes the object.
    let text = "{\"a\":1// c, {\n}";
    assert_eq!(edited(text, insert("b", 2)), "{\"a\":1, \"b\": 2// c, {\n}");
    // A comma on the line after a comment.
    let text = "{\"a\":1// c, {\n,\"b\":2}";
    assert_eq!(edited(text, insert("c", 3)), "{\"a\":1// c, {\n,\"b\":2, \"c\": 3}");
    assert_eq!(edited(text, remove("a")), "{// c, {\n\"b\":2}");
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

proptest! {
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
