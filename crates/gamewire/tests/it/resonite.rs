//! Which files are saves of Resonite.

use std::path::Path;

use gamewire::{Format, detect};

const SAVE: Option<Format> = Some(Format::ResoniteBrson);

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn every_container_is_detected() {
    for name in [
        "lamp.brson",
        "lamp.7zbson",
        "lamp.lz4bson",
        "lamp.bson",
        "lamp.frame.lz4bson",
        "lamp.alone.7zbson",
        "lamp.legacy.7zbson",
        "lamp.legacy.lz4bson",
        "lamp.resonitepackage",
    ] {
        assert_eq!(detect(&sample(name), None), SAVE, "{name}");
    }
    // Brotli without a header has no mark.
    let brotli = sample("lamp.legacy.brson");
    assert_eq!(detect(&brotli, None), None);
    assert_eq!(detect(&brotli, Some(Path::new("a.BRSON"))), SAVE);
}

#[test]
fn what_only_looks_like_one_is_not() {
    let mut document = sample("lamp.bson");
    document[4] = 0x55;
    assert_eq!(detect(&document, None), None);
    let lzma = sample("lamp.legacy.7zbson");
    assert_eq!(detect(&lzma[..lzma.len() / 2], None), None);
    assert_eq!(detect(b"PK\x03\x04 another archive", None), None);
    assert_eq!(detect(b"\x05\0\0\0\0", None), None);
}

/// Its literals work where only this crate is a dependency.
#[test]
fn literals_are_values() {
    use gamewire::resonite_brson::{Value, brson};
    let tree = brson!({ "Object": { "Name": { "Data": "Lamp" }, "Tags": [null, 1 + 1] } });
    assert_eq!(tree.pointer("/Object/Tags/1"), Some(&Value::Int32(2)));
}
