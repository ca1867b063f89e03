//! Annotated examples for the description of KingsIsle's format, as `explain` prints them.

use std::path::Path;

use gamewire_testkit::docs::assert_examples;
use kiwi_pclass::{Mode, Unknown};

use crate::support::{hex, rows, shallow};

/// What each example shows, and the row whose bytes it has.
const EXAMPLES: &[(&str, &str)] = &[
    ("A leaf in shallow mode: a `u32`, a string, a `bool`", "example:shallow"),
    ("The same in deep mode: sizes count bits", "example:deep"),
    ("Bits beside one another, and padding before what is whole bytes", "bits_small/shallow/f0"),
    ("Delta properties in shallow mode: a bit before each", "example:delta"),
    ("An enum and bit flags by name, with compact lengths", "enums_zero/shallow/f6"),
    ("A null pointer is four zeros", "example:null"),
];

#[test]
fn examples_are_what_explain_prints() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rows = rows("vectors.jsonl");
    let explained = EXAMPLES.iter().map(|(title, row)| {
        let options = shallow();
        let (options, digits) = match *row {
            "example:shallow" => (options, "7e0314273905000004005465737401"),
            "example:deep" => (
                options.mode(Mode::Deep),
                "7e03142731010000600000003a8f358939050000700000009cd45c6604005465737441\
                 00000050adc17c01",
            ),
            "example:delta" => (options, "7a0b203e0a000000010700000002010078000900"),
            "example:null" => (options, "7e1d1c040700000000"),
            name => {
                let row = rows.iter().find(|row| row["name"] == name).unwrap();
                (crate::support::options(row), row["hex"].as_str().unwrap())
            }
        };
        (*title, options.unknown(Unknown::Keep).explain(&hex(digits)).to_text())
    });
    assert_examples(package, explained);
}
