//! What the tests share: vectors, type lists, bytes as text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use kiwi_pclass::{CoreTypes, Mode, Options, PropertyFlags, Schema, SerializerFlags, Unknown};
use serde_json::Value as Json;

/// The samples of this crate.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-pclass")
}

/// The vectors of one file.
pub(crate) fn rows(name: &str) -> Vec<Json> {
    let path = testdata().join("vectors").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|line| !line.is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// One row by name.
pub(crate) fn row(file: &str, name: &str) -> Json {
    rows(file).into_iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}"))
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

/// The options of a row.
pub(crate) fn options(row: &Json) -> Options {
    let number = |key: &str| u32::try_from(row[key].as_u64().unwrap()).unwrap();
    let flag = |key: &str| row[key].as_bool().unwrap_or(false);
    let mode = if row["mode"] == "deep" { Mode::Deep } else { Mode::Shallow };
    let mut options = Options::new()
        .mode(mode)
        .bind(flag("bind"))
        .flags(SerializerFlags(number("flags")))
        .mask(PropertyFlags(number("mask")))
        .manual_compression(flag("manual_compression"))
        .unknown(if flag("skip_unknown_types") { Unknown::Skip } else { Unknown::Refuse })
        .schema(schema(row["types"].as_str().unwrap()));
    if let Some(types) = row["core_types"].as_object() {
        let types = types.iter().fold(CoreTypes::new(), |types, (number, class)| {
            types.with(number.parse().unwrap(), class.as_str().unwrap())
        });
        options = options.core_types(types);
    }
    options
}

/// Bytes from hexadecimal digits; blanks between them are fine.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Hexadecimal digits of bytes.
pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a row.
pub(crate) fn bytes(row: &Json) -> Vec<u8> {
    let key = if row["agrees_with_digest"] == false { "digest_hex" } else { "hex" };
    hex(row[key].as_str().unwrap())
}
