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

#[test]
fn long_lines_and_depth() {
    let long = [vec![0x13, 0x80 | 0x20, 0x00], vec![b'x'; 0x2000], vec![0]].concat();
    let text = check(&long).to_text();
    assert!(text.lines().all(|line| line.chars().count() <= 120));
    let shallow = Options::new().max_depth(1).explain(&hex("16 00 00"));
    assert_eq!(
        shallow.error().unwrap().to_string(),
        "more than 1 level, the limit of max_depth at byte 0x1, in [field 1]"
    );
}

/// The error is that of the reader, whose place may be long before the end of the bytes.
#[test]
fn what_is_cut_is_explained_as_far_as_it_goes() {
    let whole = hex("1301 61 14 56 1001 00 1002 00 1003 00 1004 00 1005 00 00");
    assert!(check(&whole).error().is_none());
    let all = explain(&whole);
    for cut in 0..whole.len() {
        let explained = check(&whole[..cut]);
        let is_read = |span: &&zeze_serialize::explain::Span| {
            !matches!(span.role(), Role::Error | Role::NotReached)
        };
        let read = explained.spans().iter().rfind(is_read).map_or(0, |span| span.range().end);
        // At most the value that is cut is missing.
        let value = all.span_at(cut.saturating_sub(1)).map_or(0, |span| span.offset());
        assert!(read >= value, "{cut}: {explained}");
    }
    let frame = Framing::new().to_vec(&Frame::protocol(1, 2, (5, "Åsa", vec![1, 2, 3]))).unwrap();
    for cut in 13..frame.len() {
        let explained = Framing::new().explain(&frame[..cut]);
        let error = Framing::new().split(&frame[..cut]).unwrap_err();
        let found = explained.error().unwrap();
        assert_eq!(found.to_string(), format!("{error}, in [0]"));
        let bean = explained.spans().iter().filter(|span| span.offset() >= 13 && span.len() > 0);
        assert_eq!(bean.count() > 0, cut > 13, "{explained}");
    }
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
