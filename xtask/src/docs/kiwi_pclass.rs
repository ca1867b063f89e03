//! Annotated examples for the description of KingsIsle's format, as `explain` prints them.

use std::fmt::Write as _;
use std::path::Path;

use kiwi_pclass::{Mode, Options, PropertyFlags, Schema, SerializerFlags, Unknown};

/// The folder of the vectors, whose type lists the examples use.
const FOLDER: &str = "testdata/kiwi-pclass/vectors";

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

pub(super) fn examples(root: &Path) -> Result<String, String> {
    let folder = root.join(FOLDER);
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let schema = Schema::from_json(read("types/types.json")?.as_bytes());
    let schema = std::sync::Arc::new(schema.map_err(|error| error.to_string())?);
    let rows = read("vectors.jsonl")?;
    let mut text = String::new();
    for (title, row) in EXAMPLES {
        let options = Options::new().schema(schema.clone()).unknown(Unknown::Keep);
        let (options, bytes) = match *row {
            "example:shallow" => (options, hex("7e0314273905000004005465737401")?),
            "example:deep" => (
                options.mode(Mode::Deep),
                hex("7e03142731010000600000003a8f358939050000700000009cd45c6604005465737441\
                     00000050adc17c01")?,
            ),
            "example:delta" => (options, hex("7a0b203e0a000000010700000002010078000900")?),
            "example:null" => (options, hex("7e1d1c040700000000")?),
            "example:stale" => (options, hex("db57d5126d010000000f")?),
            "example:cut" => (options, hex("7e031427390500000400546573")?),
            name => of_row(&rows, name, options)?,
        };
        let explained = options.explain(&bytes).to_text();
        let lines: Vec<&str> = explained.lines().map(str::trim_end).collect();
        let _ = write!(text, "{title}:\n\n```text\n{}\n```\n\n", lines.join("\n"));
    }
    Ok(text.trim_end().to_owned())
}

fn hex(digits: &str) -> Result<Vec<u8>, String> {
    gamewire_testkit::vectors::from_hex(digits)
}

/// Bytes and settings of a row.
fn of_row(rows: &str, name: &str, options: Options) -> Result<(Options, Vec<u8>), String> {
    let rows = rows.lines().filter_map(|row| serde_json::from_str::<serde_json::Value>(row).ok());
    let row = rows.into_iter().find(|row| row["name"] == name);
    let row = row.ok_or_else(|| format!("there is no row {name}"))?;
    let number = |key: &str| row[key].as_u64().and_then(|number| u32::try_from(number).ok());
    let mode = if row["mode"] == "deep" { Mode::Deep } else { Mode::Shallow };
    let options = options
        .mode(mode)
        .flags(SerializerFlags(number("flags").unwrap_or(0)))
        .mask(PropertyFlags(number("mask").unwrap_or(0)));
    Ok((options, hex(row["hex"].as_str().unwrap_or_default())?))
}
