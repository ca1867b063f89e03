//! Annotated examples for the description of O3DE's format, as `explain` prints them.

use gamewire_testkit::docs::assert_examples;

/// What each example shows, and the text.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "A component of a prefab: the id is above `i64::MAX`, the colour is a default",
        "{\"$type\": \"LightComponent\", \"Id\": 10641544592923449938, \"Color\": {}}",
    ),
    ("A comment, and both kinds of numbers", "[1, // one\n1.0]"),
];

#[test]
fn examples_are_what_explain_prints() {
    let explained = EXAMPLES
        .iter()
        .map(|(title, json)| (*title, o3de_json::explain(json.as_bytes()).to_text()));
    assert_examples(env!("CARGO_MANIFEST_DIR"), explained);
}
