//! What every byte of a binary file means.

use gamewire_core::explain::Role;

use crate::support::{files, testdata};

#[test]
fn every_byte_of_every_sample_has_a_meaning() {
    for file in files(&testdata(), &[".res", ".scn"]) {
        let bytes = std::fs::read(&file).unwrap();
        let explanation = godot_resource::explain(&bytes);
        assert!(explanation.error().is_none(), "{}: {:?}", file.display(), explanation.error());
        let odd = explanation.spans().iter().find(|span| {
            matches!(span.role(), Role::NotReached | Role::Error | Role::Unused)
                || span.meaning().is_empty()
        });
        assert!(odd.is_none(), "{}: {odd:?}", file.display());
    }
}

#[test]
fn a_small_file_is_shown() {
    let bytes = std::fs::read(testdata().join("pairs/ar03.res")).unwrap();
    insta::assert_snapshot!(godot_resource::explain(&bytes));
}

#[test]
fn a_file_that_is_cut_off_is_explained_as_far_as_it_goes() {
    let bytes = std::fs::read(testdata().join("pairs/ar03.res")).unwrap();
    let explanation = godot_resource::explain(&bytes[..bytes.len() - 10]);
    let error = explanation.error().unwrap();
    assert_eq!(
        error.to_string(),
        "expected 4 bytes of the type of a value, found 2 at byte 0x190, in [0][\"metadata/m2\"]"
    );
    assert_eq!(explanation.spans().last().unwrap().role(), Role::Error);
    for file in ["pairs/as01.scn", "pairs/as04.scn", "pairs/or00.res"] {
        let bytes = std::fs::read(testdata().join(file)).unwrap();
        for end in 0..bytes.len() {
            let error = godot_resource::explain(&bytes[..end]).error().map(ToString::to_string);
            let refused = godot_resource::Binary::parse(&bytes[..end]).err();
            // The letters at the end are the last thing, and no engine looks at them.
            assert_eq!(error, refused.map(|error| error.to_string()), "{file}: {end}");
        }
    }
}
