//! `explain`: every byte in one span, and the error of the reader.

use gamewire_testkit::hostile::{SplitMix64, mutate};
use o3de_json::explain::{Explanation, Role};
use o3de_json::{Options, Value};
use proptest::prelude::*;

use crate::support::{json_text, real_files, samples};

fn check(bytes: &[u8], options: &Options) -> Explanation {
    let explanation = options.explain(bytes);
    let mut at = 0;
    for span in explanation.spans() {
        assert_eq!(span.offset(), at, "{explanation}");
        assert!(span.len() > 0 || span.role() == Role::Error, "{explanation}");
        at += span.len();
    }
    assert_eq!(at, bytes.len(), "{explanation}");
    let read = options.from_slice::<Value>(bytes);
    let said = |error: &o3de_json::Error| (error.kind(), error.offset(), error.line());
    assert_eq!(explanation.error().map(said), read.err().as_ref().map(said), "{explanation}");
    explanation
}

#[test]
fn json_and_page_hold_the_same_spans() {
    let explanation = check(b"{\"a/b\": [1, </script>]}", &Options::new());
    let json = serde_json::to_value(&explanation).unwrap();
    assert_eq!(json["spans"].as_array().unwrap().len(), explanation.spans().len());
    assert_eq!(json["error"]["offset"], 12);
    assert_eq!(json["spans"][4]["path"], "/a~1b/0");
    let page = explanation.to_html("a <title>");
    assert!(page.contains("a &lt;title&gt;") && !page.contains("[1, </script>"), "{page}");
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn samples_are_explained_as_they_are_read() {
    for (_, bytes) in samples() {
        check(&bytes, &Options::new());
        for end in (0..bytes.len()).step_by(7) {
            check(&bytes[..end], &Options::new());
        }
        check(&bytes, &Options::new().comments(false));
        check(&bytes, &Options::new().max_depth(2));
        let mut random = SplitMix64::new(7);
        for _ in 0..200 {
            check(&mutate(&mut random, &bytes), &Options::new().trailing_commas(true));
        }
    }
    for (_, bytes) in real_files().into_iter().filter(|(_, bytes)| bytes.len() < 300_000) {
        let explanation = check(&bytes, &Options::new());
        assert!(explanation.error().is_none());
    }
}

#[test]
fn hostile_text_cannot_reach_the_terminal() {
    let explanation = check("[\"\u{202e}\u{7f}\", // \u{9b}31m\n1]".as_bytes(), &Options::new());
    assert!(!explanation.to_text().chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn a_comment_needs_two_stars_to_end() {
    let explanation = check(b"[1, /*/ two */ 3]", &Options::new());
    assert_eq!(explanation.span_at(4).unwrap().value(), "/*/ two */");
}

proptest! {
    #[test]
    fn any_text_is_covered(text in json_text(), cut in any::<prop::sample::Index>()) {
        check(text.as_bytes(), &Options::new());
        check(&text.as_bytes()[..cut.index(text.len() + 1)], &Options::new());
    }
}
