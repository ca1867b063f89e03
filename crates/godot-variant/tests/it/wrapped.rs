//! Files in wrappers, and their neighbours.

use godot_variant::frame::Framing;
use godot_variant::project::ProjectSettings;
use godot_variant::wrapped::{FileKind, Opener};
use godot_variant::*;

#[cfg(feature = "gcpf")]
mod gcpf;
#[cfg(feature = "gdec")]
mod gdec;

#[test]
fn files_of_the_engine_are_told_by_their_first_bytes() {
    let kinds: [(&[u8], _); 13] = [
        (b"GCPF\0\0", Some(FileKind::Compressed)),
        (b"GDEC\x01\0", Some(FileKind::Encrypted)),
        (b"ECFG", Some(FileKind::ProjectSettings)),
        (b"RSRC\0\0\0\0", Some(FileKind::Resource)),
        (b"RSCC\x02", Some(FileKind::CompressedResource)),
        (b"GDPC\x03", Some(FileKind::Pack)),
        (b"[gd_resource type=\"Theme\" format=3]\n", Some(FileKind::TextResource)),
        (b"\xef\xbb\xbf[gd_scene load_steps=2]\n", Some(FileKind::TextScene)),
        (b"; comment\r\n\r\n[player]\r\nhp=5\r\n", Some(FileKind::ConfigText)),
        (b"[\"a\", 1]", None),
        (b"[null]", None),
        (&[28, 0, 0, 0, 0, 0, 0, 0], None),
        (b"GDS", None),
    ];
    for (bytes, kind) in kinds {
        assert_eq!(FileKind::of(bytes), kind, "{}", bytes.escape_ascii());
    }
}

#[test]
fn errors_name_what_the_bytes_are() {
    let error = from_slice::<Value>(b"RSRC\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a variant, found a Godot resource (binary, RSRC), which ResourceLoader opens at byte 0x0"
    );
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    let error = Framing::new().all_from_slice::<Value>(b"GDPC\x03\0\0\0").unwrap_err();
    assert!(error.to_string().contains("found a Godot pack of files"), "{error}");
    let error = ProjectSettings::from_slice(b"[application]\n").unwrap_err();
    assert!(error.to_string().contains("found a Godot configuration (text, .cfg)"), "{error}");
    // Inside of data the same bytes are a type that there is not.
    let inside = [&[28, 0, 0, 0, 1, 0, 0, 0][..], b"RSRC"].concat();
    let error = from_slice::<Value>(&inside).unwrap_err();
    assert!(error.to_string().contains("found type 82"), "{error}");
}

#[test]
fn what_is_in_no_wrapper_is_not_opened() {
    let error = Opener::new().open(&[28, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Frame);
    let error = Opener::new().open(b"RSCC").unwrap_err();
    assert!(error.to_string().contains("RSCC"), "{error}");
    assert!(Opener::new().open(b"").is_err());
}
