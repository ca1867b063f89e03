//! The files of `testdata/resonite-brson` are those that the example makes.

use std::path::Path;

use resonite_brson::{Container, Options, Value};

#[allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/testdata.rs"]
mod example;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson")
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

/// The documents are compared, because another version of a compressor may write other bytes.
#[test]
fn files_are_what_the_example_makes() {
    let plain = read("lamp.bson");
    for (name, bytes) in example::files().unwrap() {
        if name == example::PACKAGE {
            continue;
        }
        let kept = read(&name);
        let (made, kept) =
            (resonite_brson::open(&bytes).unwrap(), resonite_brson::open(&kept).unwrap());
        assert_eq!(made.container(), kept.container(), "{name}");
        assert!(made.bson() == kept.bson() && kept.bson() == plain, "{name}");
        let (_, container) = example::FILES.into_iter().find(|(own, _)| *own == name).unwrap();
        assert_eq!(kept.container(), container, "{name}");
        let value: Value = kept.read().unwrap();
        assert!(
            Options::new().container(Container::BSON).to_vec(&value).unwrap() == plain,
            "{name}"
        );
    }
}

#[test]
fn the_scene_is_whole() {
    let object: resonite_save::SavedObject =
        resonite_brson::from_slice(&read("lamp.brson")).unwrap();
    let index = object.index();
    assert_eq!((index.dangling(), index.repeated()), (vec![], &[][..]));
    let (_, copy) = object.find_components("ValueCopy<float>").next().unwrap();
    let driven = copy.member("Target").unwrap().target().unwrap();
    let (path, _) = object.find_components("Light").next().unwrap();
    assert_eq!(object.show_component(&path), "Desk Lamp/Bulb:Light");
    let at = index.path(driven).unwrap();
    assert_eq!(at, "Object.Children[1].Components.Data[0].Data.Intensity.ID");
    let mut numbered = object.clone();
    numbered.renumber();
    assert_eq!(numbered, object);
    let mut stripped = object.clone();
    assert_eq!(stripped.strip_unused(), Default::default());
    assert_eq!(Container::for_extension("brson"), Some(Container::BRSON));
}
