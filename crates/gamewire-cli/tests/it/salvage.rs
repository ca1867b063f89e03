//! What is made of damaged files: something valid, with what is lost said.

use std::fs;
use std::path::Path;

use crate::run::{run_in, testdata};
use gamewire_testkit::vectors::same_bytes;

/// Cuts a sample at many places: what is made of each part is valid, and later cuts keep no less.
fn cuts(path: &str, format: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(testdata(path)).unwrap();
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    let (mut made, mut most) = (0, 0);
    for part in 1..12 {
        let end = bytes.len() * part / 12;
        fs::write(folder.path().join(name), &bytes[..end]).unwrap();
        let ran = run_in(folder.path(), &["salvage", name, "-f", format, "-o", "out"]);
        assert!(!ran.stderr.contains("a fault of gamewire"), "{path} to {end}: {}", ran.stderr);
        if !folder.path().join("out").exists() {
            assert!(ran.stderr.starts_with("error: "), "{path} to {end}: {}", ran.stderr);
            continue;
        }
        // Frames may end where the file is cut.
        let said = if ran.code == 1 { "lost: " } else { "nothing is lost" };
        assert!(ran.stderr.contains(said), "{path} to {end}: {}", ran.stderr);
        let check = run_in(folder.path(), &["check", "out", "-f", format]);
        assert_eq!(check.code, 0, "{path} to {end}: {}", check.text());
        // Little is left of a short part: it may be of either engine.
        let dialect: &[&str] =
            if format == "godot-variant" { &["--dialect", "godot4"] } else { &[] };
        let decode = [&["decode", "out", "-f", format], dialect].concat();
        let lines = run_in(folder.path(), &decode).good().len();
        assert!(lines >= most, "{path} to {end}: {lines} after {most}");
        most = lines;
        made += 1;
        fs::remove_file(folder.path().join("out")).unwrap();
    }
    made
}

#[test]
fn files_that_are_cut_off() {
    assert!(cuts("godot-variant/savegame.dat", "godot-variant") >= 10);
    assert!(cuts("godot-variant/project.binary", "godot-variant") >= 9);
    assert!(cuts("godot-variant/stream.dat", "godot-variant") >= 10);
    assert!(cuts("zeze-serialize/bvalue.bean", "zeze-serialize") >= 10);
    assert!(cuts("zeze-serialize/frames.bin", "zeze-serialize") >= 8);
    assert!(cuts("resonite-brson/lamp.bson", "resonite-brson") >= 10);
    for (name, least) in [
        ("lamp.brson", 10),
        ("lamp.legacy.brson", 10),
        ("lamp.lz4bson", 10),
        ("lamp.legacy.lz4bson", 10),
        ("lamp.7zbson", 5),
        ("lamp.legacy.7zbson", 5),
    ] {
        let made = cuts(&format!("resonite-brson/{name}"), "resonite-brson");
        assert!(made >= least, "{name}: {made}");
    }
    assert!(cuts("o3de-json/samples/Yard.prefab", "o3de-json") >= 11);
    assert!(cuts("o3de-json/samples/Base.setreg", "o3de-json") >= 8);
}

#[test]
fn what_is_whole_is_kept_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    for path in
        ["godot-variant/savegame.dat", "resonite-brson/lamp.bson", "o3de-json/samples/Lamp.prefab"]
    {
        let bytes = fs::read(testdata(path)).unwrap();
        let name = Path::new(path).file_name().unwrap().to_str().unwrap();
        fs::write(folder.path().join(name), &bytes).unwrap();
        let ran = run_in(folder.path(), &["salvage", name, "-o", "out"]);
        assert_eq!(ran.end(), (0, format!("note: {name}: nothing is lost\n").as_str()));
        same_bytes(path, &bytes, &fs::read(folder.path().join("out")).unwrap()).unwrap();
    }
}

/// What was missing was filled up with entries whose key is null, the last of which won.
#[test]
fn an_entry_whose_key_is_null_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| run_in(folder.path(), words);
    let text = r#"{null:"real","a":[1,null],"b":2,"c":3,"d":4}"#;
    fs::write(folder.path().join("a.txt"), text).unwrap();
    run("convert a.txt a.bin --framing text --to-framing bare").good();
    let bytes = fs::read(folder.path().join("a.bin")).unwrap();
    for (missing, kept) in [(20, ",\n\"b\": 2,\n\"c\": 3"), (40, ",\n\"b\": 2"), (60, "")] {
        fs::write(folder.path().join("cut.bin"), &bytes[..bytes.len() - missing]).unwrap();
        let ran = run("salvage cut.bin -o out.bin -f godot-variant --framing bare");
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        run("convert out.bin out.txt --framing bare --to-framing text").good();
        let made = fs::read_to_string(folder.path().join("out.txt")).unwrap();
        assert_eq!(made, format!("{{\nnull: \"real\",\n\"a\": [1, null]{kept}\n}}"));
    }
}

/// A save that is cut off is not recognized any more, but what it was can be told.
#[test]
fn the_format_need_not_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(testdata("godot-variant/savegame.dat")).unwrap();
    fs::write(folder.path().join("cut.dat"), &bytes[..3000]).unwrap();
    let ran = run_in(folder.path(), "salvage cut.dat -o out.dat");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    insta::assert_snapshot!(ran.stderr);
    let got = run_in(folder.path(), "get out.dat player.hp crops[0].kind");
    assert_eq!(got.text(), "player.hp=97.5\ncrops[0].kind=pumpkin\n");
    fs::write(folder.path().join("noise.dat"), [0xfe; 500]).unwrap();
    let ran = run_in(folder.path(), "salvage noise.dat -o none.dat");
    assert_eq!(ran.code, 1);
    assert!(!folder.path().join("none.dat").exists());
}

/// A save without a header is known by its name alone, and what is left of it is as much as with one.
#[test]
fn saves_without_a_header_are_salvaged_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let slots = |name: &str, end: fn(usize) -> usize| {
        let bytes = fs::read(testdata("resonite-brson").join(name)).unwrap();
        let head = if name.contains("legacy") { 0 } else { 9 };
        let cut = head + end(bytes.len() - head);
        fs::write(folder.path().join(name), &bytes[..cut]).unwrap();
        let check = run_in(folder.path(), &["check", name]);
        let said = format!("{}{}", check.text(), check.stderr);
        assert_eq!(check.code, 1, "{said}");
        let ran = run_in(folder.path(), &["salvage", name, "-o", "out.bson"]);
        assert!(ran.code == 1 && ran.stderr.contains("lost: "), "{name}: {}", ran.stderr);
        (said, run_in(folder.path(), "slot ls out.bson").text().lines().count())
    };
    for (with, without) in
        [("lamp.brson", "lamp.legacy.brson"), ("lamp.lz4bson", "lamp.legacy.lz4bson")]
    {
        for end in [|len| len / 2, |len| len * 3 / 4, |len| len - 1] as [fn(usize) -> usize; 3] {
            let ((_, expected), (said, found)) = (slots(with, end), slots(without, end));
            assert!(found == expected && found > 0, "{without}: {found}, {expected}");
            assert!(said.contains("it is cut or damaged, or no save"), "{said}");
        }
    }
}
