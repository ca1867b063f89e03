//! Binary files.

use godot_resource::Binary;

use crate::support::{files, testdata};

/// Every value is read, encoded and written again, with all tables.
#[test]
fn every_sample_is_written_as_it_was_read() {
    let all = files(&testdata(), &[".res", ".scn"]);
    assert!(all.len() > 200);
    for file in all {
        let bytes = std::fs::read(&file).unwrap();
        let mut read =
            Binary::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(read.to_vec().unwrap(), bytes, "{}", file.display());
        for resource in 0..read.resources().len() {
            let values: Vec<_> =
                read.values(resource).map(|(name, value)| (name.to_owned(), value)).collect();
            for (name, value) in values {
                read.set(resource, &name, &value).unwrap();
            }
        }
        if read.is_packed() {
            // Another Zstandard packs other blocks; what is in them is the same.
            let again = Binary::parse(&read.to_vec().unwrap()).unwrap();
            assert_eq!(format!("{:?}", again.resources()), format!("{:?}", again_of(&bytes)));
        } else {
            assert_eq!(read.to_vec().unwrap(), bytes, "{}", file.display());
        }
    }
}

fn again_of(bytes: &[u8]) -> Vec<godot_resource::BinaryResource> {
    Binary::parse(bytes).unwrap().resources().to_vec()
}

#[test]
fn a_new_property_moves_what_follows() {
    let bytes = std::fs::read(testdata().join("pairs/ar02.res")).unwrap();
    let mut file = Binary::parse(&bytes).unwrap();
    file.set(0, "metadata/new", &"text".into()).unwrap();
    let written = file.to_vec().unwrap();
    let mut again = Binary::parse(&written).unwrap();
    assert_eq!(again.get(0, "metadata/new"), Some("text".into()));
    assert!(again.remove(0, "metadata/new") && !again.remove(0, "metadata/new"));
    let main = again.resources().len() - 1;
    let names = |file: &Binary| {
        file.values(main).map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    assert_eq!(names(&again), names(&Binary::parse(&bytes).unwrap()));
}

/// Engines before 3.0 have import data behind the resources, and its offset in the head.
#[test]
fn import_data_moves_with_what_stands_before_it() {
    let bytes = std::fs::read(testdata().join("pairs/ar03.res")).unwrap();
    let at = 0x2d;
    let (mut bytes, tail) = (bytes.clone(), bytes.len() - 4);
    bytes[at..at + 8].copy_from_slice(&(tail as u64).to_le_bytes());
    let mut file = Binary::parse(&bytes).unwrap();
    file.set(0, "metadata/m2", &"a longer value than there was".into()).unwrap();
    let written = file.to_vec().unwrap();
    let offset = u64::from_le_bytes(written[at..at + 8].try_into().unwrap());
    assert_eq!(&written[offset as usize..], b"RSRC");
}
