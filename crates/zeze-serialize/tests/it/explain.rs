//! Explanations: each byte has its place, and the error is the reader's own.

use gamewire_testkit::hostile::{bit_flips, mutations, truncations};
use zeze_serialize::explain::Role;
use zeze_serialize::frame::{Frame, Framing};
use zeze_serialize::{Explanation, Options, Value, explain};

use crate::support::{hex, rows};

/// Spans cover the input, each byte once; the error is that of the reader.
#[track_caller]
fn check(bytes: &[u8]) -> Explanation {
    let explained = explain(bytes);
    let mut at = 0;
    for span in explained.spans() {
        assert_eq!(span.offset(), at, "{explained}");
        assert!(span.len() > 0 || span.role() == Role::Error, "{explained}");
        assert_eq!(
            explained.span_at(at).map(|found| found.offset()),
            (span.len() > 0).then_some(at).or(explained.span_at(at).map(|found| found.offset()))
        );
        at += span.len();
    }
    assert_eq!(at, bytes.len(), "{explained}");
    let read = zeze_serialize::from_slice::<Value>(bytes).err();
    let (found, wanted) = (explained.error(), read.as_ref());
    assert_eq!(found.map(ToString::to_string), wanted.map(ToString::to_string), "{explained}");
    assert_eq!(found.map(|error| error.kind()), wanted.map(|error| error.kind()));
    explained
}

#[test]
fn every_byte_is_covered() {
    for file in ["bean.jsonl", "demo_bvalue.jsonl", "evolve.jsonl", "malformed.jsonl"] {
        for (index, row) in rows(file).iter().enumerate() {
            let bytes = row.hex("hex").unwrap();
            check(&bytes);
            if index % 40 == 0 {
                for case in truncations("", &bytes).chain(bit_flips("", &bytes).step_by(3)) {
                    check(&case.bytes);
                }
                mutations("", &bytes, 3, 100).for_each(|case| drop(check(&case.bytes)));
            }
        }
    }
}

const EVERYTHING: &str = "1005 110000c03f 12000000000000f03f 1302c3a9 14 20 05 ff 15 30 01 016b 09 16 1001 01 2002 00 \
    17 05 00 180000803f00000040 1901ff 1a000000000000000000000000 1b010203 1c00000000000000000000000000000000 \
    13 02 ff00 14 16 1007 00 14 17 09 00 00";

#[test]
fn text_of_everything() {
    insta::assert_snapshot!(check(&hex(EVERYTHING)).to_text());
}

#[test]
fn text_of_an_error() {
    let mut bytes = hex(EVERYTHING);
    bytes.truncate(40);
    bytes[31] = 0x0d;
    insta::assert_snapshot!(check(&bytes).to_text());
}

#[test]
fn text_of_frames() {
    let call = Framing::new().to_vec(&Frame::rpc_request(1, 7, 42, (5, "Åsa"))).unwrap();
    let page = hex("01000000 02000000 06000000 22 ff 10 05 00 09");
    insta::assert_snapshot!(Framing::new().explain(&[call, page].concat()).to_text());
}

#[test]
fn other_forms() {
    let explained = check(&hex(EVERYTHING));
    let json: serde_json::Value = serde_json::to_value(&explained).unwrap();
    assert_eq!(json["len"], hex(EVERYTHING).len());
    assert_eq!(json["spans"].as_array().unwrap().len(), explained.spans().len());
    let html = explained.to_html("a <title>");
    assert!(
        html.starts_with("<!doctype html>") && html.contains("a &lt;title&gt;"),
        "{}",
        &html[..300]
    );
    assert!(explained.to_text_colored().contains("\x1b["));
    let long = [vec![0x13, 0x80 | 0x20, 0x00], vec![b'x'; 0x2000], vec![0]].concat();
    let text = check(&long).to_text();
    assert!(text.lines().all(|line| line.chars().count() <= 120));
    let shallow = Options::new().max_depth(1).explain(&hex("16 00 00"));
    assert_eq!(
        shallow.error().unwrap().to_string(),
        "more than 1 level, the limit of max_depth at byte 0x1, in [field 1]"
    );
}

#[test]
fn paths_and_roles() {
    let explained = check(&hex("15 30 01 016b 0900"));
    let all: Vec<(String, Role)> =
        explained.spans().iter().map(|span| (span.path().to_string(), span.role())).collect();
    let all: Vec<(&str, Role)> = all.iter().map(|(path, role)| (path.as_str(), *role)).collect();
    assert_eq!(
        all,
        [
            ("[field 1]", Role::Header),
            ("[field 1]", Role::Count),
            ("[field 1][key 0]", Role::Length),
            ("[field 1][key 0]", Role::Text),
            ("[field 1].k", Role::Data),
            ("", Role::End),
        ]
    );
}
