//! How a save of Resonite or NeosVR is distinguished from other files.

use std::collections::BTreeMap;

use resonite_brson::{Options, container};
use serde_core::de::IgnoredAny;

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "Resonite save",
    crate_name: "resonite-brson",
    // Documents alone are `.bson`, which is MongoDB's too.
    extensions: &["brson", "7zbson", "lz4bson", "resonitepackage"],
    magic: &[&container::MAGIC],
    is_sure,
    is_named: |_, _| false,
};

/// The most that a file without a mark is decompressed to, to see whether it is one.
const MAX_DECOMPRESSED: usize = 64 << 20;

/// Files of NeosVR have no header: they are detected by a document that accounts for every byte, decompressed.
fn is_sure(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"PK\x03\x04") {
        // The name stands in the directory at the end.
        return bytes.windows(RECORD.len()).any(|window| window == RECORD);
    }
    if !matches!(container::detect(bytes), Ok(Some(_))) {
        return false;
    }
    // A document without entries could be any five bytes.
    let options = Options::new().max_output(MAX_DECOMPRESSED).max_typed_depth(usize::MAX);
    // The entries of the root are looked at; what is inside them is skipped by its length.
    bytes.len() > 5 && options.from_slice::<BTreeMap<String, IgnoredAny>>(bytes).is_ok()
}

const RECORD: &[u8] = b"R-Main.record";
