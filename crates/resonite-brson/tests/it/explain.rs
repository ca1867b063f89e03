//! Every byte has one meaning, and what is refused is refused alike.

use resonite_brson::explain::{Explanation, Role};
use resonite_brson::{Options, Value};

use crate::plain;
use crate::support::{everything, hex, only, values};

/// The spans take each byte once, in order.
pub(crate) fn check_cover(explanation: &Explanation) {
    let mut at = 0;
    for span in explanation.spans() {
        assert_eq!(span.offset(), at, "{span:?}");
        assert!(span.len() > 0 || span.role() == Role::Error, "{span:?}");
        at += span.len();
    }
    assert_eq!(at, explanation.bytes().len());
    if let Some(body) = explanation.body() {
        check_cover(body);
    }
}

fn options() -> Options {
    plain::Options::new().0
}

#[test]
fn a_table() {
    let value: Value = [
        ("Name", Value::from("Åsa")),
        ("Position", vec![0.5, 1.0].into()),
        ("Order", Value::Int64(-1)),
    ]
    .into_iter()
    .collect();
    let bytes = plain::to_vec(&value).unwrap();
    insta::assert_snapshot!(options().explain(&bytes).to_text());
}

#[test]
fn every_type() {
    let bytes = plain::to_vec(&everything()).unwrap();
    let explanation = options().explain(&bytes);
    assert!(explanation.error().is_none());
    check_cover(&explanation);
    assert!(explanation.spans().iter().all(|span| span.meaning() != "more of the value"));
    assert!(explanation.to_text().lines().all(|line| line.chars().count() <= 122));
    let once: Value =
        values().into_iter().enumerate().map(|(n, v)| (format!("key {n}"), v)).collect();
    insta::assert_snapshot!(options().explain(&plain::to_vec(&once).unwrap()).to_text());
}

#[test]
fn every_container() {
    let value = everything();
    for container in crate::support::containers() {
        let file = Options::new().container(container).to_vec(&value).unwrap();
        let explanation = resonite_brson::explain(&file);
        assert!(explanation.error().is_none(), "{container:?}: {:?}", explanation.error());
        check_cover(&explanation);
        let compressed = container.codec() != resonite_brson::Codec::None;
        assert_eq!(explanation.body().is_some(), compressed);
        let html = explanation.to_html("a <title>");
        assert!(html.contains("a &lt;title&gt;") && html.contains("\"spans\":["));
        let json = serde_json::to_value(&explanation).unwrap();
        assert_eq!(json["body"].is_object(), compressed);
        assert_eq!(explanation.to_text().contains("decompressed,"), compressed);
        assert!(explanation.to_text_colored().contains("\x1b["));
    }
}

#[test]
fn what_is_wrong_is_shown() {
    let bytes = only(3, "a", &only(2, "b", &hex("05000000 6100")));
    insta::assert_snapshot!(options().explain(&bytes).to_text());
}

#[test]
fn refusals_are_those_of_the_reader() {
    let sample = plain::to_vec(&everything()).unwrap();
    let cut = gamewire_testkit::hostile::truncations("cut", &sample);
    let changed = gamewire_testkit::hostile::mutations("changed", &sample, 11, 1500);
    let random = gamewire_testkit::hostile::random_bytes(12, 500, 60);
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
    assert!(refused > 1000, "{refused}");
}
