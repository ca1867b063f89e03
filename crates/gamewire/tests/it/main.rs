//! What is detected, and what is not.

#![cfg(feature = "all")]
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

#[cfg(feature = "document")]
mod document;
#[cfg(feature = "document")]
mod editor;
#[cfg(feature = "document")]
mod foreign;
#[cfg(feature = "document")]
mod godot;
#[cfg(feature = "document")]
mod hints;
#[cfg(feature = "document")]
mod merge;
mod ranges;
mod resonite;
#[cfg(feature = "document")]
mod resource;
#[cfg(feature = "document")]
mod saves;
#[cfg(feature = "document")]
mod unpacked;

use std::path::Path;

use gamewire::godot_variant::frame::Framing;
use gamewire::godot_variant::{Dialect, Options, Value};
use gamewire::{Format, detect};

const GODOT: Option<Format> = Some(Format::GodotVariant);

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-variant");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn files_of_the_engine_are_detected() {
    for name in ["project.binary", "savegame.dat", "stream.dat"] {
        assert_eq!(detect(&sample(name), None), GODOT, "{name}");
    }
    // The variant of the frame alone.
    assert_eq!(detect(&sample("savegame.dat")[4..], None), GODOT);
}

#[test]
fn other_dialects_and_framings_are_detected() {
    let value = vec![("name", "Åsa"), ("weapon", "halberd")];
    for dialect in [Dialect::Godot4, Dialect::Godot3] {
        let options = Options::new().dialect(dialect);
        assert_eq!(detect(&options.to_vec(&value).unwrap(), None), GODOT);
        for big_endian in [false, true] {
            let framing = Framing::new().big_endian(big_endian).options(options.clone());
            let mut stream = framing.to_vec(&value).unwrap();
            stream.extend(framing.to_vec(&7).unwrap());
            stream.extend(framing.to_vec(&Value::Nil).unwrap());
            assert_eq!(detect(&stream, None), GODOT, "{dialect:?} {big_endian}");
        }
    }
}

#[test]
fn other_files_are_not() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1f\xf3\xffa";
    let ico = b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x16\0\0\0\0\0";
    let utf16: Vec<u8> = "\r\n\"key\": 1;\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let others: [&[u8]; 10] = [
        b"",
        &[0; 4],
        &[0; 4096],
        &[0xff; 64],
        b"{\"type\": \"Dictionary\"}  ",
        b"just a line of text, which is long enough\n",
        png,
        ico,
        &utf16,
        &sample("savegame.native.json"),
    ];
    for bytes in others {
        assert_eq!(detect(bytes, None), None, "{bytes:?}");
        assert_eq!(detect(bytes, Some(Path::new("a/file.dat"))), None, "{bytes:?}");
    }
}

#[test]
fn frames_of_zeze_are_detected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/zeze-serialize");
    for name in ["frames.bin", "page_frames.bin"] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        assert_eq!(detect(&bytes, None), Some(Format::ZezeSerialize), "{name}");
        // Cut off anywhere but between frames, it is nothing.
        let whole = (1..bytes.len()).filter(|len| detect(&bytes[..*len], None).is_some());
        assert!(whole.count() < 6, "{name}");
    }
    // A bean alone could be anything.
    let bean = std::fs::read(folder.join("bvalue.bean")).unwrap();
    assert_eq!(detect(&bean, None), None);
}

#[test]
fn noise_is_not() {
    // xorshift64
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..20_000_u32 {
        let words = usize::try_from(round % 64).unwrap();
        let noise: Vec<u8> = (0..words).flat_map(|_| next().to_le_bytes()).collect();
        assert_eq!(detect(&noise, None), None, "round {round}");
    }
}

#[test]
fn cut_off_files_are_detected_by_name_or_magic_only() {
    let save = sample("savegame.dat");
    for len in 0..save.len() {
        assert_eq!(detect(&save[..len], None), None, "{len} bytes");
    }
    assert_eq!(detect(&sample("project.binary")[..100], None), GODOT);
    assert_eq!(detect(b"ECF", Some(Path::new("PROJECT.BINARY"))), GODOT);
}

#[test]
fn names_are_read_back() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(*format));
    }
    let error = "godot".parse::<Format>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected the name of a format: godot-resource, godot-variant, o3de-json, kiwi-pclass, \
         resonite-brson, zeze-serialize"
    );
}

const O3DE: Option<Format> = Some(Format::O3deJson);

fn o3de(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/o3de-json/samples");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn json_of_o3de_is_detected() {
    for name in ["Lamp.prefab", "Yard.prefab", "Lamp.material", "Lamp.azasset"] {
        assert_eq!(detect(&o3de(name), None), O3DE, "{name}");
    }
    // Settings could be any JSON.
    for name in ["Server.setreg", "Base.setreg", "Ports.setregpatch"] {
        assert_eq!(detect(&o3de(name), None), None, "{name}");
        assert_eq!(detect(&o3de(name), Some(Path::new(name))), O3DE, "{name}");
    }
    assert_eq!(detect(b"// c\n{\"type\": 1}", None), None);
    assert_eq!(detect(b"{\"ContainerEntity\": {}, \"Entities\": {}} x", None), None);
    assert_eq!(detect(b"{\"Type\": \"jsonserialization\", \"ClassName\": \"A\"}", None), O3DE);
    assert_eq!(detect(b"{\"ContainerEntity\": {}, \"Entities\":", None), None);
}

/// Names that others have, too: the beginning says whose they are.
#[test]
fn families_of_o3de_are_detected_by_name_and_beginning() {
    for (name, text) in [
        ("a.Material", "{"),
        ("a.shader", "\u{feff}// c\n/* d */ {\"Source\""),
        ("a.pass", " {"),
        ("a.assetinfo", "{}"),
        ("a.names", "{"),
        ("a.materialgraph", ""),
        ("a.materialpipeline", ""),
        ("Depth.Shader.Template", "{"),
        ("a.shadervariantlist", ""),
        ("Gem.json", "{\"gem_name\": "),
        ("any.json", "{ \"Type\": \"JsonSerialization\","),
    ] {
        assert_eq!(detect(text.as_bytes(), Some(Path::new(name))), O3DE, "{name}");
    }
    for (name, text) in [
        ("a.material", "material A {}"),
        ("a.shader", "// {"),
        ("a.template", "{"),
        ("a.shader.template", "<"),
        ("a.shader", "/* {"),
        ("a.names", ""),
        ("gem.json", "{\"name\": 1"),
        ("any.json", "{\"Type\": \"x\"}"),
        ("any.txt", "{\"Type\": \"JsonSerialization\","),
    ] {
        assert_eq!(detect(text.as_bytes(), Some(Path::new(name))), None, "{name} {text}");
    }
}

#[test]
fn pclass_files_are_detected() {
    const KIWI: Option<Format> = Some(Format::KiwiPclass);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-pclass");
    for name in ["boss.xml", "match.xml", "server.xml"] {
        assert_eq!(detect(&std::fs::read(folder.join(name)).unwrap(), None), KIWI, "{name}");
    }
    // Network blobs have no mark.
    assert_eq!(detect(&std::fs::read(folder.join("boss.blob")).unwrap(), None), None);
    for text in [
        "<Objects><Class Name=\"class X\"/></Objects>",
        "\u{feff}<?xml version=\"1.0\"?>\n<!-- c -->\n<Objects>\n  <!-- d -->\n  <Class\n Name='x'>",
    ] {
        assert_eq!(detect(text.as_bytes(), None), KIWI, "{text}");
    }
    for text in
        ["<Objects></Objects>", "<Object><Class Name=\"x\"/>", "<Objects><ClassName=", "<!--"]
    {
        assert_eq!(detect(text.as_bytes(), None), None, "{text}");
    }
}
