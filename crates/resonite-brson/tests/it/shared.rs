//! What the tests of resonite-save need too.

use std::path::{Path, PathBuf};

#[cfg(feature = "explain")]
use resonite_brson::explain::{Explanation, Role};
use resonite_brson::{Codec, Container};

/// Bytes from hexadecimal digits; white space between them is for the reader of the test.
#[track_caller]
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    gamewire_testkit::vectors::from_hex(&digits).unwrap()
}

/// The bytes of a file of hexadecimal digits, and its lines of comments.
pub(crate) fn hex_file(path: &std::path::Path) -> (Vec<u8>, String) {
    let text = std::fs::read_to_string(path).unwrap();
    let (comments, data): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with('#'));
    (hex(&data.concat()), comments.join("\n"))
}

/// The spans of each space take each byte once, in order.
#[cfg(feature = "explain")]
pub(crate) fn check_cover(explanation: &Explanation) {
    for (index, space) in explanation.spaces().iter().enumerate() {
        let mut at = 0;
        for span in explanation.spans_in(index) {
            assert_eq!(span.offset(), at, "{span:?}");
            assert!(span.len() > 0 || span.role() == Role::Error, "{span:?}");
            at += span.len();
        }
        assert_eq!(at, space.bytes().len(), "{}", space.name());
    }
    assert_eq!(explanation.unlisted(), 0);
}

/// The folder of real files; `None` with a word about it where there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/realdata/resonite");
    if !folder.is_dir() {
        println!("no real files at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Every file of a tree, the synthetic ones too.
pub(crate) fn trees() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut files = Vec::new();
    for folder in [folder.clone(), folder.join("synthetic")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let container = Container::for_extension(name.rsplit('.').next().unwrap_or_default());
            let tree = container.is_some_and(|container| container.codec().is_available());
            if tree && !name.starts_with("bad_") {
                files.push((name, std::fs::read(path).unwrap()));
            }
        }
    }
    assert!(files.len() >= 15 || !Codec::Brotli.is_available(), "{} files", files.len());
    files
}
