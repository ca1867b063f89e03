//! What several modules need: hexadecimal digits, vector files, round trips.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use zeze_serialize::{Options, Value};

/// Bytes from hexadecimal digits; white space between them is for the reader of the test.
#[track_caller]
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    gamewire_testkit::vectors::from_hex(&digits).unwrap()
}

/// Hexadecimal digits.
pub(crate) fn digits(bytes: &[u8]) -> String {
    gamewire_testkit::vectors::to_hex(bytes)
}

/// A file of `testdata/zeze-serialize`.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/zeze-serialize").join(name)
}

/// The rows of a vector file.
pub(crate) fn rows(name: &str) -> Vec<gamewire_testkit::vectors::Row> {
    let rows = gamewire_testkit::vectors::Rows::open(testdata("vectors").join(name)).unwrap();
    let rows: Vec<_> = rows.map(|row| row.unwrap()).collect();
    assert!(!rows.is_empty(), "{name} is empty");
    rows
}

/// Writes, reads back, compares; gives the bytes in hexadecimal digits.
#[track_caller]
pub(crate) fn round_trip<T>(value: &T) -> String
where
    T: Serialize + DeserializeOwned + Debug + PartialEq,
{
    round_trip_with(&Options::new(), value)
}

/// The same with options.
#[track_caller]
pub(crate) fn round_trip_with<T>(options: &Options, value: &T) -> String
where
    T: Serialize + DeserializeOwned + Debug + PartialEq,
{
    let bytes = options.to_vec(value).unwrap();
    match options.from_slice::<T>(&bytes) {
        Ok(back) => assert_eq!(&back, value, "from {}", digits(&bytes)),
        Err(error) => panic!("{error}, from {}: {:?}", digits(&bytes), shown(&bytes)),
    }
    digits(&bytes)
}

/// The `Debug` of an encoded bean.
pub(crate) fn shown(bytes: &[u8]) -> String {
    match zeze_serialize::from_slice::<Value>(bytes) {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{error:?}"),
    }
}

/// The sentence of an error that must be there.
#[track_caller]
pub(crate) fn refused<T: Debug>(result: zeze_serialize::Result<T>) -> String {
    result.unwrap_err().to_string()
}
