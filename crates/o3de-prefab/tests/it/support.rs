//! Functions that several tests need.

use std::path::{Path, PathBuf};

use o3de_json::Value;
use o3de_json::value::Document;

/// Real files of the engine. They are not a part of this repository.
const REAL: &str = "../shared/realdata/o3de";

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn value(text: &str) -> Value {
    Document::new(text).unwrap_or_else(|error| panic!("{text}: {error}")).into_value()
}

/// The folder of the real files, where it is there.
pub(crate) fn real_folder() -> Option<PathBuf> {
    let folder = root().join(REAL);
    if !folder.is_dir() {
        println!("{REAL} is not here, so real files are not tested");
        return None;
    }
    Some(folder)
}
