//! Every byte has one meaning, and what is refused is refused alike.

use resonite_brson::explain::{Explanation, Role};
use resonite_brson::{Codec, Container, Options, Value};

use crate::plain::{options, to_vec};
use crate::shared::check_cover;
use crate::support::{element, everything, hex, values};

fn names(explanation: &Explanation) -> Vec<&str> {
    explanation.spaces().iter().map(|space| space.name()).collect()
}

#[test]
fn every_container() {
    let value = everything();
    for container in crate::support::containers() {
        let file = Options::new().container(container).to_vec(&value).unwrap();
        let explanation = resonite_brson::explain(&file);
        assert!(explanation.error().is_none(), "{container:?}: {:?}", explanation.error());
        check_cover(&explanation);
        let compressed = container.codec() != Codec::None;
        let expected = if compressed { vec!["input", "decompressed body"] } else { vec!["input"] };
        assert_eq!(names(&explanation), expected);
        let last = explanation.spaces().last().unwrap();
        assert_eq!(last.bytes(), to_vec(&value).unwrap());
        if compressed {
            let (space, at) = last.origin().unwrap();
            let from = explanation.span_in(space, at).unwrap();
            assert_eq!(from.role(), Role::Compressed, "{container:?}: {from:?}");
        }
    }
}

#[test]
fn refusals_are_those_of_the_reader() {
    let sample = to_vec(&everything()).unwrap();
    let cut = gamewire_testkit::hostile::truncations("cut", &sample);
    let changed = gamewire_testkit::hostile::mutations("changed", &sample, 11, 500);
    let random = gamewire_testkit::hostile::random_bytes(12, 300, 60);
    let mut refused = 0;
    for case in cut.step_by(7).chain(changed).chain(random) {
        let explanation = options().explain(&case.bytes);
        check_cover(&explanation);
        let read = options().from_slice::<Value>(&case.bytes);
        let read = read.err().map(|error| error.to_string());
        assert_eq!(explanation.error().map(ToString::to_string), read, "{}", case.name);
        refused += usize::from(read.is_some());
        assert!(explanation.to_text().len() < 1 << 20);
    }
    assert!(refused > 500, "{refused}");
}

/// The number of bytes of a space that are neither wrong nor not reached.
fn understood(explanation: &Explanation, space: usize) -> usize {
    let spans = explanation.spans_in(space).iter();
    spans
        .take_while(|span| !matches!(span.role(), Role::Error | Role::NotReached))
        .map(|span| span.len())
        .sum()
}

#[test]
fn what_is_cut_is_explained_as_far_as_it_goes() {
    let value: Value =
        values().into_iter().enumerate().map(|(n, v)| (format!("key {n}"), v)).collect();
    let nested: Value = [("a", Value::from(vec![value.clone(), value]))].into_iter().collect();
    let bytes = to_vec(&nested).unwrap();
    let whole = options().explain(&bytes);
    for len in 4..bytes.len() {
        let explanation = options().explain(&bytes[..len]);
        check_cover(&explanation);
        let read = options().from_slice::<Value>(&bytes[..len]).unwrap_err();
        assert_eq!(explanation.error().unwrap().to_string(), read.to_string());
        // At most one part is cut, that with the last byte; the parts of a payload are one there.
        let good = understood(&explanation, 0);
        let last = whole.span_at(len).unwrap();
        let element = whole.spans().iter().rev().find(|span| {
            span.offset() <= last.offset()
                && matches!(span.role(), Role::Header | Role::End | Role::Key)
        });
        assert!(good >= element.unwrap().offset(), "{len}: {good}, {last:?}");
    }
}

#[test]
fn what_is_cut_is_explained_if_it_fits_what_is_around_it() {
    let number = element(0x10, "n", &hex("01000000"));
    // In a document of 50 bytes: a document at byte 7 that claims as many.
    let document = |len: i32| [&hex("32000000 03 6100")[..], &len.to_le_bytes(), &number].concat();
    for (bytes, fits) in [(document(42), true), (document(44), false)] {
        let explanation = options().explain(&bytes);
        check_cover(&explanation);
        let explained = explanation.spans().iter().any(|span| span.path().to_string() == "a.n");
        assert_eq!(explained, fits, "{explanation}");
    }
}

#[test]
fn what_a_codec_still_gives_is_explained() {
    let value: Value = (0..5_000).map(|n: i64| (format!("key {n}"), n * n * n)).collect();
    for container in crate::support::containers() {
        let file = Options::new().container(container).to_vec(&value).unwrap();
        let cut = &file[..file.len() - 20];
        let explanation = resonite_brson::explain(cut);
        check_cover(&explanation);
        assert!(explanation.error().is_some(), "{container:?}");
        // Blocks of LZ4 are decompressed whole or not at all; Brotli needs its header.
        let codec = container.codec();
        if codec == Codec::None {
            assert!(understood(&explanation, 0) > cut.len() - 30);
        } else if !matches!(codec, Codec::Lz4 | Codec::Lz4Frame)
            && container != Container::legacy(Codec::Brotli)
        {
            assert_eq!(names(&explanation), ["input", "decompressed body"], "{container:?}");
            let body = explanation.spaces()[1].bytes().len();
            assert!(body > 80_000, "{container:?}: {body}");
            assert!(understood(&explanation, 1) > body - 30, "{container:?}");
        }
    }
}
