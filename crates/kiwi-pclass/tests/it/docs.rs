//! Annotated examples for the description of KingsIsle's format, as `explain` prints them.

use std::path::Path;
use std::sync::Arc;

use gamewire_testkit::docs::assert_examples;
use gamewire_testkit::vectors::{Row, all_rows, from_hex};
use kiwi_pclass::{Mode, Options, PropertyFlags, Schema, SerializerFlags, Unknown};

/// What each example shows, and the row whose bytes it has.
const EXAMPLES: &[(&str, &str)] = &[
    ("A leaf in shallow mode: a `u32`, a string, a `bool`", "example:shallow"),
    ("The same in deep mode: sizes count bits", "example:deep"),
    ("Bits beside one another, and padding before what is whole bytes", "bits_small/shallow/f0"),
    ("Delta properties in shallow mode: a bit before each", "example:delta"),
    ("An enum and bit flags by name, with compact lengths", "enums_zero/shallow/f6"),
    ("A null pointer is four zeros", "example:null"),
    ("Stale bits in the padding, which readers ignore", "example:stale"),
    ("An object that is cut off", "example:cut"),
];

#[test]
fn examples_are_what_explain_prints() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = package.join("../../testdata/kiwi-pclass/vectors");
    let schema = std::fs::read(folder.join("types/types.json")).unwrap();
    let schema = Arc::new(Schema::from_json(&schema).unwrap());
    let rows = all_rows(folder.join("vectors.jsonl"));
    let explained = EXAMPLES.iter().map(|(title, row)| {
        let options = Options::new().schema(schema.clone()).unknown(Unknown::Keep);
        let (options, digits) = match *row {
            "example:shallow" => (options, "7e0314273905000004005465737401"),
            "example:deep" => (
                options.mode(Mode::Deep),
                "7e03142731010000600000003a8f358939050000700000009cd45c6604005465737441\
                 00000050adc17c01",
            ),
            "example:delta" => (options, "7a0b203e0a000000010700000002010078000900"),
            "example:null" => (options, "7e1d1c040700000000"),
            "example:stale" => (options, "db57d5126d010000000f"),
            "example:cut" => (options, "7e031427390500000400546573"),
            name => of_row(rows.iter().find(|row| row.name() == name).unwrap(), options),
        };
        (*title, options.explain(&from_hex(digits).unwrap()).to_text())
    });
    assert_examples(package, explained);
}

/// Settings and bytes of a row.
fn of_row(row: &Row, options: Options) -> (Options, &str) {
    let number = |key| u32::try_from(row.get(key).and_then(|v| v.as_u64()).unwrap_or(0)).unwrap();
    let mode = if row.text("mode") == Some("deep") { Mode::Deep } else { Mode::Shallow };
    let options = options
        .mode(mode)
        .flags(SerializerFlags(number("flags")))
        .mask(PropertyFlags(number("mask")));
    (options, row.text("hex").unwrap())
}
