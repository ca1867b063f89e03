//! Hexadecimal digits, and recorded sessions.

use std::path::{Path, PathBuf};

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
