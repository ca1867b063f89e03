//! Explanations: every bit once, the reader's own errors, and what they look like.

use gamewire_testkit::hostile::mutations;
use kiwi_pclass::explain::Role;
use kiwi_pclass::*;

use crate::support::{bytes, hex, options, row, rows, shallow};

/// Spans follow each other without gaps, and cover the input and the inflated data.
fn covers(explanation: &Explanation, name: &str) {
    for inflated in [false, true] {
        let len = match inflated {
            false => explanation.bytes().len(),
            true => explanation.inflated().map_or(0, <[u8]>::len),
        };
        let mut at = 0;
        for span in explanation.spans().iter().filter(|span| span.is_inflated() == inflated) {
            assert_eq!(span.bit_offset(), at, "{name}: {span:?}");
            assert!(span.len() > 0 || span.role() == Role::Error, "{name}: {span:?}");
            at += span.len();
        }
        assert_eq!(at, len * 8, "{name}, inflated: {inflated}\n{explanation}");
    }
}

#[test]
fn every_bit_once() {
    for row in rows("vectors.jsonl").iter().chain(&rows("page.jsonl")) {
        if row["form"] == "xml" {
            continue;
        }
        let name = row["name"].as_str().unwrap();
        let (options, bytes) = (options(row), bytes(row));
        let explanation = options.explain(&bytes);
        covers(&explanation, name);
        let read = options.from_slice::<Value>(&bytes).err().map(|error| error.to_string());
        assert_eq!(explanation.error().map(ToString::to_string), read, "{name}");
        let text = explanation.to_text();
        let mut lines = text.lines().filter(|line| !line.starts_with("error: "));
        assert!(lines.all(|line| line.chars().count() <= 122), "{name}");
        assert!(explanation.to_html("a <b> & c").contains("a &lt;b&gt; &amp; c"));
        serde_json::to_value(&explanation).unwrap();
    }
}

#[test]
fn broken_input_is_explained_as_far_as_it_goes() {
    for name in ["lists/deep/f2", "delta_present/shallow/f2", "zlib_compressed/deep/f9", "bind_f7"]
    {
        let row = row("vectors.jsonl", name);
        let (options, bytes) = (options(&row), bytes(&row));
        let cut = (0..bytes.len()).map(|len| bytes[..len].to_vec());
        let mutated = mutations(name, &bytes, 1, 300).map(|case| case.bytes);
        for bytes in cut.chain(mutated) {
            let explanation = options.explain(&bytes);
            covers(&explanation, name);
            let read = options.from_slice::<Value>(&bytes).err().map(|error| error.to_string());
            assert_eq!(explanation.error().map(ToString::to_string), read, "{name}");
        }
    }
}

#[test]
fn texts() {
    let mut text = String::new();
    for name in [
        "strings/shallow/f1",
        "delta_partial/shallow/f0",
        "bit_tail_sizes/deep/f2",
        "enums/deep/f7",
        "garbage_padding",
        "zlib_stored/deep/f9",
        "zlib_compressed/shallow/f9",
        "core_object/shallow/f0",
        "err_property_size",
    ] {
        let row = row("vectors.jsonl", name);
        text += &format!("{name}\n{}\n", options(&row).explain(&bytes(&row)));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn roles_and_paths() {
    let bytes = hex("db57d512 ff 02000000 01");
    let explanation = shallow().explain(&bytes);
    let roles: Vec<_> = explanation.spans().iter().map(|span| span.role()).collect();
    use Role::*;
    assert_eq!(roles, [Header, Data, Padding, Data, Data, Padding]);
    assert_eq!(explanation.spans()[2].meaning(), "padding · not zero");
    assert_eq!(explanation.spans()[3].path().to_string(), "m_color");
    assert_eq!(explanation.spans()[3].value(), "2 (BLUE)");
    let without = kiwi_pclass::explain(&bytes);
    assert_eq!(without.error().unwrap().kind(), ErrorKind::Schema);
    covers(&without, "no schema");
}
