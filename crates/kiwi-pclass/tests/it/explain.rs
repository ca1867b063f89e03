//! Explanations: every bit once, the reader's own errors, and what they look like.

use gamewire_testkit::hostile::mutations;
use kiwi_pclass::explain::Role;
use kiwi_pclass::*;

use crate::support::{bytes, hex, options, rows, sample, shallow};

/// Spans follow each other without gaps, and cover every space.
fn covers(explanation: &Explanation, name: &str) {
    for (index, space) in explanation.spaces().iter().enumerate() {
        let mut at = 0;
        for span in explanation.spans_in(index) {
            let bits = span.bit_range();
            assert_eq!(bits.start, at, "{name}: {span:?}");
            assert!(!bits.is_empty() || span.role() == Role::Error, "{name}: {span:?}");
            at = bits.end;
        }
        let len = space.bytes().len() as u64 * 8;
        assert_eq!(at, len, "{name}, {}\n{explanation}", space.name());
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
        let (options, bytes) = sample(name);
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
fn roles_and_paths() {
    let bytes = hex("db57d512 ff 02000000 01");
    let explanation = shallow().explain(&bytes);
    let roles: Vec<_> = explanation.spans().iter().map(|span| span.role()).collect();
    use Role::*;
    assert_eq!(roles, [Header, Data, Padding, Data, Data, Padding]);
    assert_eq!(explanation.spans()[2].notes(), "not zero");
    assert_eq!(explanation.spans()[3].path().to_string(), "m_color");
    assert_eq!(explanation.spans()[3].value(), "2 (BLUE)");
    let without = kiwi_pclass::explain(&bytes);
    assert_eq!(without.error().unwrap().kind(), ErrorKind::Schema);
    covers(&without, "no schema");
}

/// What the reader refuses at once is explained as far as there are bits.
#[test]
fn cut_objects_and_damaged_compression_are_explained_to_their_end() {
    let (options, bytes) = sample("pointers/deep/f0");
    let whole = options.explain(&bytes);
    for len in 12..bytes.len() {
        let explanation = options.explain(&bytes[..len]);
        covers(&explanation, "cut");
        let error = explanation.error().unwrap();
        assert_eq!(
            error.to_string(),
            options.from_slice::<Value>(&bytes[..len]).unwrap_err().to_string()
        );
        // All but what reaches over the end is as in the whole.
        let kept = whole.spans().iter().take_while(|span| span.range().end <= len);
        for (a, b) in explanation.spans().iter().zip(kept) {
            let same = (a.role(), a.bit_range()) == (b.role(), b.bit_range());
            assert!(same || a.role() == Role::Error, "{len}: {a:?} {b:?}");
            if a.role() == Role::Error {
                break;
            }
        }
        let listed = explanation.spans().iter().filter(|span| span.role() != Role::Error).count();
        let most = whole.spans().iter().filter(|span| span.range().end <= len).count();
        assert!(listed + 1 >= most, "{len}: {listed} of {most}\n{explanation}");
    }

    let (options, bytes) = sample("zlib_compressed/deep/f9");
    let mut damaged = bytes.clone();
    let at = bytes.len() - 3;
    damaged[at] ^= 0x55;
    for damaged in [&damaged[..], &bytes[..bytes.len() - 10]] {
        let explanation = options.explain(damaged);
        covers(&explanation, "damaged");
        let read = options.from_slice::<Value>(damaged).unwrap_err();
        assert_eq!(explanation.error().unwrap().to_string(), read.to_string());
        assert_eq!(explanation.spaces()[1].name(), "inflated objects");
        assert!(explanation.spans_in(1).len() > 10, "{explanation}");
        assert!(explanation.spans_in(0).last().unwrap().notes().contains("damaged"));
    }
}
