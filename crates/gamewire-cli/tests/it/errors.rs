//! What is said when something is wrong, and the exit codes.

use crate::run::{broken_files_end_in_a_sentence, run, run_in, sample, session, testdata};

#[test]
fn bad_data() {
    let save = sample("savegame.dat");
    let project = sample("project.binary");
    let mut bad_type = save.clone();
    bad_type[0x1c] = 0x63;
    let object = b"\x18\0\0\0\x04\0\0\0Node\0\0\0\0";
    insta::assert_snapshot!(session(&[
        ("decode -", b"plain text"),
        ("decode - -f godot-variant", b"plain text"),
        ("decode - -f godot-variant", b""),
        ("decode - -f godot-variant", &save[..1000]),
        ("decode - -f godot-variant", &bad_type),
        ("decode -", &project[..281]),
        ("decode -", object),
        ("decode - --framing base64", b"GwAA*AAB"),
        ("decode - --framing base64", b"GwAAAAEAAABjAAAA"),
        ("decode - --framing project", &save),
        ("decode - --strict", b"\x01\0\0\0\x02\0\0\0"),
        ("decode - --max-depth 1", b"\x1c\0\0\0\x01\0\0\0\x1c\0\0\0\x01\0\0\0\x1c\0\0\0\0\0\0\0"),
        ("convert savegame.dat - --to-dialect godot3", b""),
        ("convert stream.dat - --to-framing bare", b""),
        ("convert project.binary - --to-framing store-var", b""),
        ("convert savegame.dat - --to-framing project", b""),
    ]));
}

#[test]
fn bad_json() {
    let long = format!("[{} \"i:1\" nonsense, {}]", "\"i:1\",".repeat(30), "\"i:1\",".repeat(30));
    insta::assert_snapshot!(session(&[
        ("encode - -f godot-variant", b""),
        ("encode - -f godot-variant", b"["),
        ("encode - -f godot-variant", b"[\"i:1\",\n  nonsense]\n"),
        ("encode - -f godot-variant", b"{\"type\": \"Vector2\"\n"),
        ("encode - -f godot-variant", long.as_bytes()),
        ("encode - -f godot-variant", "[\"s:\u{c5}sa\", \u{c5}]".as_bytes()),
        ("encode - -f godot-variant", b"\"i:1\" \"i:2\""),
        ("encode - -f godot-variant", b"5"),
        ("encode - -f godot-variant", b"[null, [\"i:x\"]]"),
        (
            "encode - -f godot-variant",
            b"{\"type\":\"Dictionary\",\"args\":[\"s:a\",{\"type\":\"Vector2\",\"args\":[1]}]}"
        ),
        ("encode - -f godot-variant", b"{\"type\":\"Node\",\"props\":[\"a\",[null,\"q:1\"]]}"),
        ("encode - -f godot-variant", b"{\"framing\":\"store_var\",\"values\":[null,\"x\"]}"),
        (
            "encode - -f godot-variant",
            b"{\"framing\":\"project\",\"settings\":{\"a/b\":null,\"c/d\":\"x\"}}"
        ),
        ("encode - -f godot-variant", b"{\"framing\":\"store_vax\",\"values\":[]}"),
        ("encode - -f godot-variant", b"{\"framing\":\"bare\",\"values\":[null,null]}"),
        ("encode - -f godot-variant", b"{\"framing\":\"project\",\"values\":[null]}"),
        ("encode - -f godot-variant", b"{\"framing\":\"bare\",\"settings\":{}}"),
        ("encode - -f godot-variant", b"{\"framing\":\"bare\"}"),
        ("encode - -f godot-variant", b"{\"framing\":\"bare\",\"more\":1}"),
        ("encode - -f godot-variant --dialect godot3", b"[{\"type\":\"Vector2i\",\"args\":[1,2]}]"),
    ]));
}

#[test]
fn wrong_usage() {
    insta::assert_snapshot!(session(&[
        ("decode no/such.dat", b""),
        ("decode savegame.dat -f o3de", b""),
        ("decode savegame.dat --dialect godot5", b""),
        ("decode savegame.dat --max-depth 1000000", b""),
        ("decode savegame.dat -o no/such/folder.json", b""),
        ("encode savegame.native.json", b""),
        ("explain savegame.dat --json --html x.html", b""),
        ("diff - -", b""),
        ("frobnicate", b""),
        ("check", b""),
    ]));
    assert_eq!(run("").code, 2);
}

#[test]
fn broken_files_of_all_kinds_end_in_a_sentence() {
    broken_files_end_in_a_sentence("godot-variant", &sample("savegame.dat"), 97);
    for name in ["bvalue.bean", "frames.bin", "page_frames.bin"] {
        let file = std::fs::read(testdata("zeze-serialize").join(name)).unwrap();
        broken_files_end_in_a_sentence("zeze-serialize", &file, 61);
    }
    let lamp = std::fs::read(testdata("resonite-brson/lamp.lz4bson")).unwrap();
    broken_files_end_in_a_sentence("resonite-brson", &lamp, 97);
    let prefab = std::fs::read(testdata("o3de-json/samples/Lamp.prefab")).unwrap();
    broken_files_end_in_a_sentence("o3de-json", &prefab, 211);
}

/// The same budget for all formats, in all commands that read them.
#[test]
fn memory_is_bounded() {
    for (path, options) in [
        ("godot-variant/savegame.dat", ""),
        ("zeze-serialize/bvalue.bean", "-f zeze-serialize"),
        ("o3de-json/samples/Yard.prefab", ""),
        ("kiwi-pclass/boss.xml", "--types vectors/types/arena.json"),
        ("resonite-brson/lamp.brson", ""),
    ] {
        let path = testdata(path);
        let folder = path.parent().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        // Beans are checked, and values found in them, without being held.
        let is_held = |own: &&str| !(name.ends_with(".bean") && ["check", "get"].contains(own));
        for command in ["decode", "check", "get", "convert"].into_iter().filter(is_held) {
            let more = match command {
                "get" => "x",
                "convert" => "-",
                _ => "",
            };
            let line = format!("{command} {name} {more} {options} --max-memory 64");
            let ran = run_in(folder, line.as_str());
            let said = format!("{}{}", ran.text(), ran.stderr);
            assert!(
                ran.code == 1 && said.contains("--max-memory BYTES allows more"),
                "{line}: {said}"
            );
        }
    }
}
