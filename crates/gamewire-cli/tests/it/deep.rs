//! Values that nest as deep as the engine lets them, and deeper.

use crate::run::feed;

/// Dictionaries in one another, each the value of a key.
fn nested(levels: usize) -> Vec<u8> {
    let mut bytes = b"\x1b\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0".repeat(levels - 1);
    bytes.extend(b"\x1b\0\0\0\0\0\0\0");
    bytes
}

#[test]
fn as_deep_as_the_engine() {
    let bytes = nested(1025);
    for layout in [&["decode", "-"][..], &["decode", "-", "--compact"], &["decode", "-", "--wrap"]]
    {
        let json = feed(layout, &bytes).good();
        assert_eq!(feed("encode - -f godot-variant", &json).good(), bytes);
    }
    assert!(feed("check -", &bytes).text().starts_with("identical"));
    assert_eq!(feed("explain -", &bytes).code, 0);
}

#[test]
fn one_level_more_is_refused() {
    for command in ["decode", "explain"] {
        let ran = feed(&[command, "-"], &nested(1026));
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains("nested deeper than max_depth"), "{}", ran.stderr);
    }
    let json = feed("decode - --max-depth 1025", &nested(1026)).good();
    let ran = feed("encode - -f godot-variant", &json);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("nested deeper than max_depth"), "{}", ran.stderr);
}

/// The stack of the working thread suffices for the most that `--max-depth` takes.
#[test]
fn as_deep_as_the_tool() {
    let bytes = nested(1_026);
    let most = ["--max-depth", "1025"];
    let json = feed(&[&["decode", "-", "--compact"], &most[..]].concat(), &bytes).good();
    let encode = [&["encode", "-", "-f", "godot-variant"], &most[..]].concat();
    assert_eq!(feed(&encode, &json).good(), bytes);

    let broken = String::from_utf8(json).unwrap().replace("\"args\":[]", "\"args\":[\"s:\"]");
    let ran = feed(&encode, broken.as_bytes());
    assert!(ran.stderr.contains("found an odd number, in …"), "{}", ran.stderr);

    let mut other = bytes.clone();
    let end = other.len() - 8;
    other[end] = 2;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    std::fs::write(&path, other).unwrap();
    let ran = feed(&[&["diff", "-", path.to_str().unwrap()], &most[..]].concat(), &bytes);
    assert_eq!(ran.end(), (1, ""));
    assert!(ran.text().ends_with("[1][1]: {} → 0\n"), "{}", ran.text());
}

/// Text that nests without end is refused by every format, whatever the stack is.
#[test]
fn endless_nesting_is_an_error_in_every_format() {
    let formats = ["godot-variant", "o3de-json", "kiwi-pclass", "resonite-brson", "zeze-serialize"];
    let openings: [&[u8]; 6] = [
        b"[",
        b"{\"a\":",
        b"[{\"a\":",
        b"{\"1:bean\":",
        b"{\"1:list\":{\"list\":\"list\",\"items\":[",
        b"{\"type\":\"Array\",\"args\":[",
    ];
    for opening in openings {
        let json = opening.repeat(100_000);
        for format in formats {
            let most = ["--max-depth", "1025"];
            for limit in [&[][..], &most[..]] {
                let ran = feed(&[&["encode", "-", "-f", format], limit].concat(), &json);
                assert_eq!((ran.code, ran.stdout.len()), (1, 0), "{format}: {}", ran.stderr);
                assert!(ran.stderr.starts_with("error: standard input: "), "{}", ran.stderr);
                assert!(!ran.stderr.contains("a fault of gamewire"), "{}", ran.stderr);
            }
        }
    }
    let ran = feed("encode - -f godot-variant", &b"\n[".repeat(100_000));
    let text = "more than 3091 nested arrays and objects at line 3093 column 1";
    assert!(ran.stderr.contains(text), "{}", ran.stderr);
}

/// The stack of the working thread suffices for the deepest text that is read, whole or broken.
#[test]
fn the_deepest_text_that_is_read() {
    let levels = 3_091;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"type\":\"Array\",\"args\":[", "]}")] {
        let brackets = open.matches(['[', '{']).count();
        let text =
            [open.repeat(levels / brackets), "0".to_owned(), close.repeat(levels / brackets)];
        for format in ["godot-variant", "kiwi-pclass", "zeze-serialize"] {
            let ran = feed(&["encode", "-", "-f", format], text.concat().as_bytes());
            assert_eq!(ran.code, 1, "{format}: {}", ran.stderr);
            assert!(!ran.stderr.contains("nested arrays and objects"), "{}", ran.stderr);
        }
    }
}
