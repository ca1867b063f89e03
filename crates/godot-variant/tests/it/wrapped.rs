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

/// Cut off, changed, with the key or without: every byte of the file and of what is in it has one
/// span, and the file is refused as it is by who opens it.
#[cfg(all(feature = "explain", feature = "gcpf", feature = "gdec"))]
#[test]
fn every_byte_of_a_wrapper_is_explained() {
    use godot_variant::explain::File;
    use godot_variant::wrapped::{Compressed, Compression, Encrypted, Generation, Key};

    let frame = Framing::new().to_vec(&("text", [1, 2, 3])).unwrap();
    let key = Key::from_password("pw");
    let encrypted = Encrypted::new(key.clone());
    let files = [
        Compressed::new(Compression::FastLz).block_size(24).to_vec(&frame).unwrap(),
        Compressed::new(Compression::Deflate).to_vec(&frame).unwrap(),
        Compressed::new(Compression::Gzip).to_vec(&frame).unwrap(),
        encrypted.to_vec(&frame).unwrap(),
        encrypted.of(Generation::Godot3).to_vec(&frame).unwrap(),
    ];
    let opener = Opener::new().key(key);
    for (explain, opener) in [(&opener, opener.clone()), (&Opener::new(), Opener::new())] {
        let explain = File::frames(&Framing::new()).opener(explain.clone());
        for file in &files {
            let broken = (0..file.len()).flat_map(|at| {
                let mut changed = file.clone();
                changed[at] ^= 0x81;
                [file[..at].to_vec(), changed]
            });
            for bytes in broken.filter(|bytes| bytes.len() >= 4).chain([file.clone()]) {
                if !matches!(FileKind::of(&bytes), Some(FileKind::Compressed | FileKind::Encrypted))
                {
                    continue;
                }
                let explained = explain.explain(&bytes);
                for (index, space) in explained.spaces().iter().enumerate() {
                    let end = explained.spans_in(index).iter().fold(0, |at, span| {
                        assert_eq!(span.range().start, at);
                        span.range().end
                    });
                    assert_eq!(end, space.bytes().len());
                }
                let opened = opener
                    .open(&bytes)
                    .and_then(|opened| Framing::new().all_from_slice::<Value>(&opened.plain));
                let told = explained.error().map(|error| (error.kind(), error.offset()));
                assert_eq!(told, opened.err().map(|error| (error.kind(), error.offset())));
            }
        }
    }
}

#[test]
fn what_is_in_no_wrapper_is_not_opened() {
    let error = Opener::new().open(&[28, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Frame);
    let error = Opener::new().open(b"RSCC").unwrap_err();
    assert!(error.to_string().contains("RSCC"), "{error}");
    assert!(Opener::new().open(b"").is_err());
}
