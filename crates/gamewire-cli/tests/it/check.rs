//! check: the four verdicts, folders, exit codes.

use std::fs;
use std::path::Path;

use crate::run::{command, feed, run, run_in, sample};

/// A variant that the engine would write shorter: an int of 64 bits that fits into 32.
const WIDE: &[u8] = b"\x02\0\x01\0\x05\0\0\0\0\0\0\0";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("slots/old")).unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join("project.binary"), sample("project.binary")).unwrap();
    fs::write(root.join("slots/1.save"), sample("savegame.dat")).unwrap();
    fs::write(root.join("slots/old/2.save"), sample("stream.dat")).unwrap();
    fs::write(root.join("slots/wide.save"), WIDE).unwrap();
    fs::write(root.join("slots/cut.binary"), &sample("project.binary")[..100]).unwrap();
    fs::write(root.join("icon.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(root.join(".git/x.save"), sample("stream.dat")).unwrap();
    folder
}

fn check_in(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = command(args).current_dir(folder).output().unwrap();
    assert!(output.stderr.is_empty(), "no progress bar without a terminal");
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn folders_are_walked() {
    let folder = folder();
    let (code, text) = check_in(folder.path(), &["check", "."]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(text);
    let (code, text) =
        check_in(folder.path(), &["check", "--quiet", "slots/old", "project.binary"]);
    assert_eq!(code, 0);
    assert_eq!(text, "2 files: 2 identical, 0 equivalent, 0 differs, 0 refused\n");
}

#[test]
fn named_files_must_be_recognized() {
    let folder = folder();
    let (code, text) = check_in(folder.path(), &["check", "icon.png", "slots/1.save"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(text);
}

#[test]
fn options_of_a_format_do_not_claim_every_file_of_a_folder() {
    let folder = folder();
    fs::remove_file(folder.path().join("slots/cut.binary")).unwrap();
    assert_eq!(check_in(folder.path(), &["check", "-q", ".", "--precision", "keep"]).0, 0);
    assert_eq!(check_in(folder.path(), &["check", "-q", ".", "-f", "godot-variant"]).0, 1);
}

#[test]
fn strict_refuses_what_is_equivalent() {
    let verdict = |args: &[&str]| {
        let ran = feed(&[&["check", "-"], args].concat(), WIDE);
        (ran.code, ran.text().split_whitespace().next().unwrap().to_owned())
    };
    assert_eq!(verdict(&[]), (0, "equivalent".to_owned()));
    assert_eq!(verdict(&["--strict"]), (1, "refused".to_owned()));
}

#[test]
fn missing_files_are_wrong_usage() {
    let ran = run("check no/such");
    assert_eq!(ran.end(), (2, "error: no/such: no such file or directory\n"));
}

/// What cannot be opened is said and counted, and all else is checked.
#[cfg(unix)]
#[test]
fn an_unreadable_folder_does_not_end_the_walk() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let closed = folder.path().join("slots/closed");
    fs::create_dir(&closed).unwrap();
    fs::remove_file(folder.path().join("slots/cut.binary")).unwrap();
    std::os::unix::fs::symlink("1.save", folder.path().join("slots/link.save")).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let ran = crate::files::as_nobody(folder.path(), "check .");
    let detect = crate::files::as_nobody(folder.path(), "detect .");
    assert_eq!((detect.code, detect.text().lines().count()), (1, 4), "{}", detect.text());
    assert_eq!(detect.stderr, "error: ./slots/closed: permission denied\n");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(ran.end(), (1, ""));
    insta::assert_snapshot!(ran.text());
}

/// A folder of broken saves is no folder of other files.
#[test]
fn broken_files_of_known_extensions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lamp = crate::run::samples().join("../resonite-brson/lamp.bson");
    let lamp = fs::read(lamp).unwrap();
    for (name, bytes) in [
        ("a.brson", &b"nonsense"[..]),
        ("b.BINARY", b""),
        ("c.prefab", b"{"),
        ("d.setreg", b"\xff"),
        ("e.resonitepackage", b"PK\x03\x04"),
        ("f.bson", &lamp[..100]),
        ("g.BSON", b""),
        ("whole.bson", &lamp),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let (code, text) = check_in(folder.path(), &["check", "."]);
    assert_eq!(code, 1);
    let summary = "8 files: 1 identical, 0 equivalent, 0 differs, 7 refused\n";
    assert!(text.ends_with(summary), "{text}");
}

/// Of the engine's families, names that others have, too, are told by how the content begins.
#[test]
fn families_of_o3de_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let wrapper = b"{\"Type\": \"JsonSerialization\", \"Version\": 1, \"ClassName\": \"A\", \"ClassData\": {}}";
    let families: [(&str, &[u8]); 11] = [
        ("a.material", b"// c\n{\"materialType\": \"x\"}"),
        ("a.materialtype", b"{\"version\": 3}"),
        ("a.materialgraph", wrapper),
        ("a.shader", b"{\"Source\": \"x.azsl\"}"),
        ("a.shadervariantlist", b"{\"Shader\": \"x\"}"),
        ("a.assetinfo", b"{\"values\": []}"),
        ("a.names", wrapper),
        ("wrapped.json", wrapper),
        ("project.json", b"{\"project_name\": \"x\"}"),
        ("gem.json", b"{\"gem_name\": \"x\"}"),
        ("engine.json", b"{\"engine_name\": \"x\"}"),
    ];
    for (name, bytes) in families {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    for (name, bytes) in [
        ("ogre.material", &b"material Wood {}"[..]),
        ("unity.shader", b"Shader \"Wood\" {}"),
        ("coco.names", b"person\ncar\n"),
        ("old.assetinfo", b"<ObjectStream version=\"3\"/>"),
        ("package.json", b"{\"name\": \"x\"}"),
        ("other.json", b"{"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let (code, text) = check_in(folder.path(), &["check", "."]);
    let summary = "11 files: 11 identical, 0 equivalent, 0 differs, 0 refused; \
                   skipped: 6 of no known format\n";
    assert!(code == 0 && text.ends_with(summary), "{text}");
    let found = run_in(folder.path(), "detect .");
    assert_eq!(found.text().matches(": o3de-json").count(), 11, "{}", found.text());
    // One that is cut off fails the run, whichever it is.
    for (name, bytes) in families {
        fs::write(folder.path().join(name), &bytes[..bytes.len() - 1]).unwrap();
        let (code, text) = check_in(folder.path(), &["check", ".", "--quiet"]);
        assert!(code == 1 && text.starts_with(&format!("refused     ./{name}: ")), "{text}");
        fs::write(folder.path().join(name), bytes).unwrap();
    }
}

#[test]
fn decode_and_encode_lose_nothing() {
    for (path, options) in crate::edit::SAMPLES {
        let sample = crate::edit::Sample::new(path, options);
        let ran = sample.run("check", &["--via-json"]);
        // No two compressors write the same bytes.
        let is_exact = ["godot", "zeze"].iter().any(|format| path.starts_with(format));
        let word = if is_exact { "identical" } else { "" };
        assert!(ran.code == 0 && ran.text().starts_with(word), "{path}: {}", ran.text());
        // It says what the JSON does not have.
        let is_less = ran.text().contains("comments and layout are not carried");
        assert_eq!(
            is_less,
            path.contains("o3de") && ran.text().starts_with("equivalent"),
            "{path}"
        );
    }
}

/// What is named and not there is wrong usage, after the others were checked.
#[test]
fn a_missing_file_does_not_keep_the_others_from_being_checked() {
    let folder = folder();
    let ran = run_in(folder.path(), "check no/such slots/1.save");
    assert_eq!(ran.end(), (2, "error: no/such: no such file or directory\n"));
    let text =
        "identical   slots/1.save\n1 file: 1 identical, 0 equivalent, 0 differs, 0 refused\n";
    assert_eq!(ran.text(), text);
}

#[test]
fn verdicts_and_formats_are_json_too() {
    let folder = folder();
    let ran = run_in(folder.path(), "check --json --quiet . no/such");
    assert_eq!(ran.code, 2);
    let ran = run_in(folder.path(), "check --json slots icon.png");
    assert_eq!(ran.code, 1);
    let all: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 5, "{all}");
    let of = |name: &str| {
        all.as_array().unwrap().iter().find(|own| own["file"] == name).unwrap().clone()
    };
    assert_eq!(of("slots/wide.save")["verdict"], "equivalent");
    assert_eq!(
        of("slots/1.save"),
        serde_json::json!({"file": "slots/1.save", "verdict": "identical", "why": ""})
    );
    assert!(of("slots/cut.binary")["why"].as_str().unwrap().starts_with("expected "));
    let ran = run_in(folder.path(), "detect --json project.binary icon.png");
    let all: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(all[0]["format"], "godot-variant");
    assert_eq!(
        all[1],
        serde_json::json!({"file": "icon.png", "format": null, "about": "not recognized"})
    );
}

/// A save that is cut off is what `check` is for.
#[test]
fn damaged_files_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let save = sample("savegame.dat");
    put("good.dat", &save);
    put("notes.txt", b"not game data at all, only words of a text that somebody wrote down");
    put("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x20\x08\x06\0\0\0");
    let ran = run_in(folder.path(), "check .");
    assert_eq!(ran.code, 0, "{}", ran.text());
    for cut in [1500, 3000, 5000] {
        put(&format!("cut{cut}.dat"), &save[..cut]);
    }
    let ran = run_in(folder.path(), "check . --quiet");
    assert_eq!(
        (ran.code, ran.text()),
        (
            1,
            "damaged     ./cut1500.dat: a part of it is godot-variant; `gamewire salvage` writes that\n\
             damaged     ./cut3000.dat: a part of it is godot-variant; `gamewire salvage` writes that\n\
             damaged     ./cut5000.dat: a part of it is godot-variant; `gamewire salvage` writes that\n\
             4 files: 1 identical, 0 equivalent, 0 differs, 0 refused, 3 damaged; skipped: 2 of no known format\n"
        )
    );
    // `explain` makes the same of it.
    let ran = run_in(folder.path(), "explain cut1500.dat");
    assert!(ran.text().contains("crops") && ran.code == 1, "{}", ran.text());
    assert!(
        ran.stderr.starts_with("note: cut1500.dat: not recognized; read as godot-variant\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_folder_with_nothing_known_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "words").unwrap();
    for path in [".", "empty"] {
        let ran = run_in(folder.path(), &["check", path]);
        let why = format!("error: {path}: there is no file of a known format\n");
        assert_eq!(ran.end(), (1, why.as_str()));
    }
}
