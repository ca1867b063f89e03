//! Where the samples are, and bytes in words.

use std::path::{Path, PathBuf};

/// A file of testdata.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Four-byte words in hexadecimal digits, as the format has them.
pub(crate) fn words(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.chunks(4).map(gamewire_testkit::vectors::to_hex).collect();
    words.join(" ")
}
