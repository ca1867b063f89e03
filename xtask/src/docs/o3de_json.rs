//! Annotated examples for the description of O3DE's format, as `explain` prints them.

use std::fmt::Write as _;

/// What each example shows, and the text.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "A component of a prefab: the id is above `i64::MAX`, the colour is a default",
        "{\"$type\": \"LightComponent\", \"Id\": 10641544592923449938, \"Color\": {}}",
    ),
    ("A comment, and both kinds of numbers", "[1, // one\n1.0]"),
    ("A name that is there twice", "{\"a\": 1, \"a\": 2}"),
    ("A comma that only the settings registry accepts", "[1,]"),
];

pub(super) fn examples() -> String {
    let mut text = String::new();
    for (title, json) in EXAMPLES {
        let shown = o3de_json::explain(json.as_bytes()).to_text();
        let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
        let _ = write!(text, "{title}:\n\n```text\n{}\n```\n\n", lines.join("\n"));
    }
    text.trim_end().to_owned()
}
