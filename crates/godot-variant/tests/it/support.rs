//! Helpers of several modules: hexadecimal digits, round trips.

use std::fmt::Debug;

use godot_variant::types::StringName;
use godot_variant::value::{Array, Instance, Object};
use godot_variant::{Dialect, Options, Precision, Value, from_slice};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes from hexadecimal digits; white space between them is for the reader of the test.
#[track_caller]
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    gamewire_testkit::vectors::from_hex(&digits).unwrap()
}

/// Four-byte words in hexadecimal digits, as the format has them.
pub(crate) fn words(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.chunks(4).map(gamewire_testkit::vectors::to_hex).collect();
    words.join(" ")
}

/// Writes, reads back, compares; gives the bytes.
#[track_caller]
pub(crate) fn round_trip<T>(options: &Options, value: &T) -> Vec<u8>
where
    T: Serialize + DeserializeOwned + Debug + PartialEq,
{
    let bytes = options.to_vec(value).unwrap();
    match options.from_slice::<T>(&bytes) {
        Ok(back) => assert_eq!(&back, value, "from {}", words(&bytes)),
        Err(error) => panic!("{error}, from {}: {:?}", words(&bytes), shown(options, &bytes)),
    }
    bytes
}

/// The `Debug` of encoded bytes as a value.
pub(crate) fn shown(options: &Options, bytes: &[u8]) -> String {
    match options.from_slice::<Value>(bytes) {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{error:?}"),
    }
}

/// The sentence of an error that must be there.
#[track_caller]
pub(crate) fn refused<T: Debug>(result: godot_variant::Result<T>) -> String {
    result.unwrap_err().to_string()
}

/// Encoded bytes that are as the dialect writes them.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) options: Options,
    pub(crate) bytes: Vec<u8>,
}

/// One sample of every type, in every dialect and precision that has it, and what stands beside the
/// types: every width of numbers, lengths with and without padding, typed containers, objects.
pub(crate) fn samples() -> Vec<Sample> {
    let plain = Options::new();
    let mut samples = Vec::new();
    for (options, dialect) in [
        (plain.clone(), "4"),
        (plain.clone().precision(Precision::Double), "4 double"),
        (plain.clone().dialect(Dialect::Godot3), "3"),
        (plain.clone().dialect(Dialect::Docs), "docs"),
        (plain.clone().dialect(Dialect::Docs).precision(Precision::Double), "docs double"),
    ] {
        for value in values() {
            let whole = matches!(value, Value::Object(Object::Instance(_)));
            let options = options.clone().allow_objects(whole);
            // A value that a dialect cannot represent is no sample of it.
            if let Ok(bytes) = options.to_vec(&value) {
                let name = format!("{value:?} in {dialect}");
                samples.push(Sample { name, options, bytes });
            }
        }
    }
    samples
}

/// Values of every type.
pub(crate) fn values() -> Vec<Value> {
    let mut values: Vec<Value> =
        from_slice(&crate::cases::Case::load("every-type.hex").bytes).unwrap();
    let mut instance = Instance::new("Node");
    instance.properties.push(("name".into(), StringName::new("a").into()));
    instance.properties.push(("script".into(), "res://a.gd".into()));
    values.push(instance.into());
    values
}

/// Arrays inside of one another.
pub(crate) fn nested(levels: usize) -> Value {
    let mut value = Value::from(Array::new());
    for _ in 1..levels {
        value = vec![value].into();
    }
    value
}

/// A file of `testdata/godot-variant`.
pub(crate) fn testdata(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-variant").join(name)
}
