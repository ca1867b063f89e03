//! Real files beside the workspace, where they are there.

use std::path::{Path, PathBuf};

use resonite_brson::Value;

/// The folder of real files; `None` with a word about it where there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/realdata/resonite");
    if !folder.is_dir() {
        println!("no real files at {}", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn a_raw_tree_is_written_back_the_same() {
    let Some(folder) = folder() else { return };
    for file in ["colin_DataTree.bson", "synthetic/kitchen_sink.bson"] {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let value: Value = crate::plain::from_slice(&bytes).unwrap();
        assert!(crate::plain::to_vec(&value).unwrap() == bytes, "{file}");
    }
}
