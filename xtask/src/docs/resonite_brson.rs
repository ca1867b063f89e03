//! Annotated examples for the description of Resonite's saves, as `explain` prints them.

use std::fmt::Write as _;

use resonite_brson::value::Document;
use resonite_brson::{Codec, Container, Int, Options, Url, Value};

pub(super) fn examples() -> Result<String, String> {
    let mut numbers = Document::new();
    numbers.insert("Enabled", true);
    numbers.insert("UpdateOrder", Int::I32(0));
    numbers.insert("OrderOffset", Int::I64(-1));
    numbers.insert("Scale", [1.0, 0.5]);
    let mut texts = Document::new();
    texts.insert("Name", "@@home");
    texts.insert("URL", Url::new("packdb:///00ff").map_err(|error| error.to_string())?);
    texts.insert("Tag", Value::Null);
    let examples = [
        ("A document alone: both widths of integers, a vector", &numbers, Container::BSON),
        ("Text that begins with `@`, an address, null", &texts, Container::BSON),
        ("The first behind a header, in chunks of LZ4", &numbers, Container::LZ4_BSON),
        ("The first as NeosVR has it in a `.7zbson`", &numbers, Container::legacy(Codec::Lzma)),
    ];
    let mut text = String::new();
    for (title, document, container) in examples {
        let options = Options::new().container(container);
        let bytes = options.to_vec(document).map_err(|error| format!("{title}: {error}"))?;
        let shown = options.explain(&bytes).to_text();
        // The document is the same as in the first example.
        let own = shown.split("\ndecompressed, ").next().unwrap_or_default();
        let lines: Vec<&str> = own.trim_end().lines().map(str::trim_end).collect();
        let _ = write!(text, "{title}:\n\n```text\n{}\n```\n\n", lines.join("\n"));
    }
    Ok(text.trim_end().to_owned())
}
