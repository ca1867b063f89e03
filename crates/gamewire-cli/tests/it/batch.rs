//! Several files and whole folders with --out-dir.

use std::fs;
use std::path::Path;

use crate::files::names;
use crate::run::{run_in, sample, samples};
use gamewire_testkit::vectors::same_bytes;

/// A folder `in` with saves in folders, a broken one, and files of other kinds.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("in/slots/old")).unwrap();
    fs::create_dir_all(root.join("in/.git")).unwrap();
    fs::write(root.join("in/project.binary"), sample("project.binary")).unwrap();
    fs::write(root.join("in/slots/1.save"), sample("savegame.dat")).unwrap();
    fs::write(root.join("in/slots/old/1.save"), sample("stream.dat")).unwrap();
    fs::write(root.join("in/slots/cut.binary"), &sample("project.binary")[..100]).unwrap();
    fs::write(root.join("in/icon.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(root.join("in/.git/x.save"), sample("stream.dat")).unwrap();
    folder
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn same(folder: &Path, a: &str, b: &str) {
    same_bytes(
        &format!("{a} {b}"),
        &fs::read(folder.join(b)).unwrap(),
        &fs::read(folder.join(a)).unwrap(),
    )
    .unwrap();
}

#[test]
fn a_folder_is_decoded_and_encoded() {
    let folder = folder();
    let root = folder.path();
    let ran = run_in(root, "decode in --out-dir json --wrap");
    assert_eq!(ran.code, 1, "of the broken one");
    let summary = "3 files written, 1 failed; skipped: 1 of no known format, 1 folder of git\n";
    assert_eq!(ran.text(), summary);
    assert!(ran.stderr.starts_with("error: in/slots/cut.binary: expected"), "{}", ran.stderr);
    assert_eq!(names(&root.join("json")), ["project.binary.json", "slots"]);
    assert_eq!(names(&root.join("json/slots")), ["1.save.json", "old"]);

    let encode = ["encode", "json", "-f", "godot-variant", "--out-dir", "back"];
    assert_eq!(text(run_in(root, &encode).good()), "3 files written, 0 failed\n");
    for name in ["project.binary", "slots/1.save", "slots/old/1.save"] {
        same(root, &format!("in/{name}"), &format!("back/{name}"));
    }
    assert_eq!(names(&root.join("back/slots")), ["1.save", "old"]);
}

#[test]
fn folders_are_converted_and_explained() {
    let folder = folder();
    let root = folder.path();
    fs::remove_file(root.join("in/slots/cut.binary")).unwrap();
    let json = ["convert", "in/slots", "in/project.binary", "--out-dir", "json", "--to", "json"];
    assert_eq!(text(run_in(root, &json).good()), "3 files written, 0 failed\n");
    assert_eq!(names(&root.join("json")), ["1.save.json", "old", "project.binary.json"]);
    let bare = ["convert", "in/slots/1.save", "--out-dir", "bare", "--to-framing", "bare"];
    run_in(root, &bare).good();
    same_bytes(
        "the bytes",
        &sample("savegame.dat")[4..],
        &fs::read(root.join("bare/1.save")).unwrap(),
    )
    .unwrap();

    for (args, extension, start) in
        [(&[][..], "txt", "offset "), (&["--json"], "json", "{"), (&["--pages"], "html", "<!")]
    {
        let out = format!("as-{extension}");
        let explain = ["explain", "in", "--out-dir", &out];
        run_in(root, &[&explain[..], args].concat()).good();
        let path = root.join(&out).join(format!("slots/1.save.{extension}"));
        let made = fs::read_to_string(path).unwrap();
        assert!(made.to_lowercase().starts_with(start), "{}", &made[..20]);
        let list = names(&root.join(&out));
        assert_eq!(list, [format!("project.binary.{extension}"), "slots".to_owned()]);
    }
}

#[test]
fn json_that_came_from_convert_goes_back() {
    let folder = folder();
    let root = folder.path();
    for (name, more) in [
        ("in/slots/1.save", ""),
        ("in/slots/old/1.save", ""),
        ("in/project.binary", "--to godot-variant"),
    ] {
        run_in(root, &*format!("convert {name} made.json")).good();
        run_in(root, &*format!("convert made.json made.back {more}")).good();
        same(root, name, "made.back");
        fs::remove_file(root.join("made.back")).unwrap();
    }
    fs::copy(samples().join("../zeze-serialize/frames.bin"), root.join("frames.bin")).unwrap();
    run_in(root, "convert frames.bin made.json").good();
    run_in(root, "convert made.json made.bin").good();
    same(root, "frames.bin", "made.bin");
    // So does one bean, of which only the JSON tells what it is.
    fs::copy(samples().join("../zeze-serialize/bvalue.bean"), root.join("b.bean")).unwrap();
    run_in(root, "convert b.bean made.json -f zeze-serialize").good();
    run_in(root, "convert made.json made.bin").good();
    same(root, "b.bean", "made.bin");
}

#[test]
fn containers_get_their_extensions() {
    let folder = tempfile::tempdir().unwrap();
    let lamps = samples().join("../resonite-brson");
    let args = ["convert", "", "--to-container", "7zbson", "--out-dir", "out"];
    let mut args = args.map(str::to_owned);
    args[1] = lamps.join("lamp.lz4bson").to_str().unwrap().to_owned();
    let args = args.each_ref().map(String::as_str);
    run_in(folder.path(), &args).good();
    assert_eq!(names(&folder.path().join("out")), ["lamp.lz4bson.7zbson"]);
    let made = fs::read(folder.path().join("out/lamp.lz4bson.7zbson")).unwrap();
    assert!(made == fs::read(lamps.join("lamp.7zbson")).unwrap());
}

/// A file that cannot be read costs the others nothing, wherever it stands.
#[test]
fn one_bad_file_costs_nobody_else_anything() {
    let folder = folder();
    let root = folder.path();
    let args = ["decode", "no-such", "in/slots/cut.binary", "in/slots/1.save", "--out-dir", "out"];
    let ran = run_in(root, &args);
    assert_eq!((ran.code, ran.text()), (1, "1 file written, 2 failed\n"));
    assert!(
        ran.stderr.starts_with("error: no-such: no such file or directory\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(names(&root.join("out")), ["1.save.json"]);
}

#[test]
fn outputs_that_collide_are_an_error_before_anything_is_written() {
    let folder = folder();
    let root = folder.path();
    let args =
        ["decode", "in/slots/1.save", "in/project.binary", "in/slots/old", "--out-dir", "out"];
    let ran = run_in(root, &args);
    let text = "error: in/slots/1.save and in/slots/old/1.save would both be written to \
                out/1.save.json; nothing is written\n";
    assert_eq!(ran.end(), (2, text));
    assert!(!root.join("out").exists());

    // One would be a folder of the other.
    fs::create_dir_all(root.join("json/a")).unwrap();
    for name in ["json/a.json", "json/a/b.json"] {
        fs::write(root.join(name), "null").unwrap();
    }
    let ran = run_in(root, "encode json -f godot-variant --out-dir out");
    let text = "error: json/a.json: out/a would be a file and a folder; nothing is written\n";
    assert_eq!(ran.end(), (2, text));
    assert!(!root.join("out").exists());

    // Files that are passed over have no outputs.
    for name in ["one", "two"] {
        fs::create_dir(root.join(name)).unwrap();
        fs::write(root.join(name).join("README"), "text").unwrap();
    }
    fs::write(root.join("two/a.save"), sample("savegame.dat")).unwrap();
    run_in(root, "decode one two --out-dir out").good();
    assert_eq!(names(&root.join("out")), ["a.save.json"]);
}

#[test]
fn files_in_the_folder_stay_unless_forced() {
    let folder = folder();
    let root = folder.path();
    fs::remove_file(root.join("in/slots/cut.binary")).unwrap();
    fs::create_dir_all(root.join("out/slots/old")).unwrap();
    fs::write(root.join("out/slots/old/1.save.json"), "mine").unwrap();
    let args = ["decode", "in", "--out-dir", "out"];
    let ran = run_in(root, &args);
    let text = "error: out/slots/old/1.save.json: exists; --force replaces it\n";
    assert_eq!(ran.end(), (2, text));
    assert_eq!(names(&root.join("out")), ["slots"]);
    assert_eq!(fs::read(root.join("out/slots/old/1.save.json")).unwrap(), b"mine");
    run_in(root, &[&args[..], &["--force"]].concat()).good();
    assert_ne!(fs::read(root.join("out/slots/old/1.save.json")).unwrap(), b"mine");
    // Outputs of before are no inputs.
    run_in(root, "decode in --out-dir in").good();
    run_in(root, "decode in --out-dir in --force").good();
    assert_eq!(names(&root.join("in/slots")), ["1.save", "1.save.json", "old"]);
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_are_not_followed() {
    let folder = folder();
    let root = folder.path();
    fs::create_dir_all(root.join("out")).unwrap();
    fs::create_dir_all(root.join("outside")).unwrap();
    std::os::unix::fs::symlink("../outside", root.join("out/slots")).unwrap();
    let args = ["convert", "in", "--out-dir", "out", "--to", "json"];
    let ran = run_in(root, &args);
    let text = "error: out/slots: is a link, which only --force follows\n";
    assert_eq!(ran.end(), (2, text));
    assert!(names(&root.join("outside")).is_empty());
    assert_eq!(names(&root.join("out")), ["slots"]);
    assert_eq!(run_in(root, &[&args[..], &["--force"]].concat()).code, 1, "of the broken one");
    assert_eq!(names(&root.join("outside")), ["1.save.json", "old"]);
}

/// The list is gone with the first output, and the other files do not need it again.
#[test]
fn type_lists_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let samples = samples().join("../kiwi-pclass");
    fs::create_dir_all(root.join("in")).unwrap();
    fs::create_dir_all(root.join("out")).unwrap();
    for name in 0..8 {
        fs::copy(samples.join("boss.xml"), root.join(format!("in/{name}.xml"))).unwrap();
    }
    fs::copy(samples.join("vectors/types/arena.json"), root.join("out/0.xml.json")).unwrap();
    let args = ["decode", "in", "--types", "out/0.xml.json", "--out-dir", "out", "--force"];
    assert_eq!(text(run_in(root, &args).good()), "8 files written, 0 failed\n");
    for name in 1..8 {
        same(root, "out/0.xml.json", &format!("out/{name}.xml.json"));
    }
}

#[test]
fn several_files_need_a_folder() {
    let folder = folder();
    let root = folder.path();
    for args in [
        &["decode", "in/slots/1.save", "in/project.binary"][..],
        &["explain", "in/slots/1.save", "in/project.binary"],
        &["encode", "-f", "godot-variant", "in/slots/1.save", "in/project.binary"],
    ] {
        let ran = run_in(root, args);
        assert_eq!(ran.end(), (2, "error: several files need --out-dir\n"));
    }
    let ran = run_in(root, "convert in/slots/1.save");
    let text = "error: expected the file to read and the file to write, or --out-dir\n";
    assert_eq!(ran.end(), (2, text));
    let ran = run_in(root, "decode - --out-dir out");
    let text = "error: standard input has no name that its output could have in a folder\n";
    assert_eq!(ran.end(), (2, text));
    let ran = run_in(root, "decode in --out-dir in/project.binary");
    let text = "error: in/project.binary: is no folder\n";
    assert_eq!(ran.end(), (2, text));
    same_bytes(
        "the bytes",
        &sample("project.binary"),
        &fs::read(root.join("in/project.binary")).unwrap(),
    )
    .unwrap();
    for args in [&["-o", "x"][..], &["--out-dir", "a", "-o", "x"], &["--force"]] {
        let ran =
            run_in(root, &[&["decode", "in/slots/1.save", "in/project.binary"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}");
    }
}
