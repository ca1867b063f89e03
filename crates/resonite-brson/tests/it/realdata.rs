//! Real files beside the workspace, where they are there.

use std::path::{Path, PathBuf};

use resonite_brson::{Codec, Container, Value, json};

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

#[test]
fn bson_is_written_back_the_same() {
    for (name, file) in trees() {
        let body = resonite_brson::open(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let value: Value = body.read().unwrap();
        assert!(crate::plain::to_vec(&value).unwrap() == body.bson(), "{name}");
        // Its kind is written in more bytes than it needs.
        let strict = resonite_brson::Options::new().strict(!name.starts_with("longvarint"));
        assert!(strict.from_slice::<Value>(&file).unwrap() == value, "{name}");
        let text = json::to_string(&value, json::Style::Canonical);
        assert!(json::from_str(&text).unwrap() == value, "{name}");
        let relaxed = json::to_string(&value, json::Style::Relaxed);
        serde_json::from_str::<serde_json::Value>(&relaxed).unwrap();
        // The other implementation agrees about every value.
        let theirs = bson::Document::from_reader(body.bson()).unwrap();
        assert!(theirs.to_vec().unwrap() == body.bson(), "{name}");
        #[cfg(feature = "explain")]
        {
            let explanation = resonite_brson::explain(&file);
            assert!(explanation.error().is_none(), "{name}");
            crate::explain::check_cover(&explanation);
        }
    }
}
