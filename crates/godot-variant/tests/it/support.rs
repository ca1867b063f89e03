//! What several modules need: hexadecimal digits, round trips.

use std::fmt::Debug;

use godot_variant::{Options, Value};
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
