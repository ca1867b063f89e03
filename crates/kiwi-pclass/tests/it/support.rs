//! What the tests share: vectors, type lists, bytes as text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

pub(crate) use gamewire_testkit::vectors::to_hex as digits;
use gamewire_testkit::vectors::{all_rows, from_hex};
use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::{Mode, Options, Schema};
use serde_json::Value as Json;

/// The samples of this crate.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-pclass")
}

/// The vectors of one file.
pub(crate) fn rows(name: &str) -> Vec<Json> {
    let rows = all_rows(testdata().join("vectors").join(name));
    rows.into_iter().map(|mut row| std::mem::take(&mut row.value)).collect()
}

/// The options and the bytes of a vector, by its name.
pub(crate) fn sample(name: &str) -> (Options, Vec<u8>) {
    let rows = rows("vectors.jsonl");
    let row = rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    (options(row), bytes(row))
}

/// A type list of the vectors, read once.
pub(crate) fn schema(name: &str) -> Arc<Schema> {
    static READ: LazyLock<Mutex<HashMap<String, Arc<Schema>>>> = LazyLock::new(Mutex::default);
    let mut read = READ.lock().unwrap();
    let schema = read.entry(name.to_owned()).or_insert_with(|| {
        let bytes = std::fs::read(testdata().join("vectors/types").join(name)).unwrap();
        Arc::new(Schema::from_json(&bytes).unwrap())
    });
    Arc::clone(schema)
}

/// The classes of most vectors.
pub(crate) fn types() -> Arc<Schema> {
    schema("types.json")
}

pub(crate) fn shallow() -> Options {
    Options::new().schema(types())
}

pub(crate) fn deep() -> Options {
    shallow().mode(Mode::Deep)
}

/// For Rust types, whose classes are inferred.
pub(crate) fn inferring() -> Options {
    Options::new().mode(Mode::Deep).flags(SerializerFlags::COMPACT_LENGTHS).any_class(true)
}

/// The options of a row.
pub(crate) fn options(row: &Json) -> Options {
    crate::row_options::of(row).unwrap().schema(schema(row["types"].as_str().unwrap()))
}

/// Bytes from hexadecimal digits; blanks between them are fine.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    from_hex(&digits.split_ascii_whitespace().collect::<String>()).unwrap()
}

/// The bytes of a row.
pub(crate) fn bytes(row: &Json) -> Vec<u8> {
    let key = if row["agrees_with_digest"] == false { "digest_hex" } else { "hex" };
    hex(row[key].as_str().unwrap())
}
