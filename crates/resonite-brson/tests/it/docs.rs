//! Annotated examples for the description of Resonite's saves, as `explain` prints them.

use gamewire_testkit::docs::assert_examples;
use resonite_brson::value::Document;
use resonite_brson::{Codec, Container, Int, Options, Url, Value};

#[test]
fn examples_are_what_explain_prints() {
    let mut numbers = Document::new();
    numbers.insert("Enabled", true);
    numbers.insert("UpdateOrder", Int::I32(0));
    numbers.insert("OrderOffset", Int::I64(-1));
    numbers.insert("Scale", [1.0, 0.5]);
    let mut texts = Document::new();
    texts.insert("Name", "@@home");
    texts.insert("URL", Url::new("packdb:///00ff").unwrap());
    texts.insert("Tag", Value::Null);
    let examples = [
        ("A document alone: both widths of integers, a vector", &numbers, Container::BSON),
        ("Text that begins with `@`, an address, null", &texts, Container::BSON),
        ("The first after a header, in chunks of LZ4", &numbers, Container::LZ4_BSON),
        ("The first as NeosVR has it in a `.7zbson`", &numbers, Container::legacy(Codec::Lzma)),
    ];
    let explained = examples.map(|(title, document, container)| {
        let options = Options::new().container(container);
        let shown = options.explain(&options.to_vec(document).unwrap()).to_text();
        // The document is the same as in the first example.
        (title, shown.split("\ndecompressed body, ").next().unwrap_or_default().to_owned())
    });
    assert_examples(env!("CARGO_MANIFEST_DIR"), explained);
}
