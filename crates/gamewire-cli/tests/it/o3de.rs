//! JSON of O3DE: all commands on the samples.

use std::fs;

use crate::run::{run_in, session_in, testdata};

/// A copy of the samples.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(testdata("o3de-json/samples")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn files_are_told_and_come_out_as_they_went_in() {
    insta::assert_snapshot!(session_in(
        folder().path(),
        &[
            "detect Base.setreg Lamp.azasset Lamp.material Lamp.prefab Yard.prefab",
            "check .",
            "tree Yard.prefab",
            "tree Lamp.material",
            "explain Ports.setregpatch",
            "decode Base.setreg",
            "decode Base.setreg --compact",
            "decode Server.setreg --strict",
        ],
    ));
}

#[test]
fn edits_keep_comments() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("merge.setreg"), "{\"Network\": {\"Port\": null}, \"New\": [1]}").unwrap();
    fs::write(path.join("bad.json"), "[{\"op\": \"remove\", \"path\": \"/gone\"}]").unwrap();
    insta::assert_snapshot!(session_in(
        path,
        &[
            "patch Base.setreg Ports.setregpatch -o new.setreg",
            "decode new.setreg --compact -f o3de-json",
            "diff Base.setreg new.setreg",
            "patch --create Base.setreg new.setreg",
            "merge Base.setreg merge.setreg",
            "merge --create Base.setreg new.setreg",
            "patch Base.setreg bad.json",
            "patch Base.setreg bad.json --lenient",
            "patch - -",
        ],
    ));
    assert!(fs::read_to_string(path.join("new.setreg")).unwrap().contains("// Shared by"));
}

#[test]
fn imports_are_resolved_below_their_root() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("sub")).unwrap();
    fs::write(path.join("sub/up.setreg"), "{\"a\": {\"$import\": \"../Base.setreg\"}}").unwrap();
    insta::assert_snapshot!(session_in(
        path,
        &[
            "resolve Server.setreg --in-order --list",
            "resolve Server.setreg --in-order",
            "resolve sub/up.setreg",
            "resolve sub/up.setreg --root . --list",
            "resolve Base.setreg --root sub",
            "resolve Server.setreg --alias x=y",
        ],
    ));
}

#[test]
fn documents_are_laid_out_as_the_engine_does() {
    let folder = folder();
    let path = folder.path();
    let ran = run_in(path, "convert Base.setreg -");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = ran.text().to_owned();
    assert!(text.starts_with("{\n    \"Network\": {\n        \"Port\": 33450,\n"), "{text}");
    let ran = run_in(path, "convert Lamp.prefab - --to-compact");
    assert_eq!(ran.text().lines().count(), 1);
    fs::write(path.join("compact.prefab"), ran.stdout).unwrap();
    assert_eq!(run_in(path, "diff Lamp.prefab compact.prefab").code, 0);
    let again = run_in(path, "encode compact.prefab -f o3de-json").good();
    assert_eq!(again, fs::read(path.join("Lamp.prefab")).unwrap());
    let page = path.join("page.html");
    run_in(path, &["explain", "Lamp.prefab", "--html", page.to_str().unwrap()]).good();
    assert!(fs::read_to_string(page).unwrap().contains("Lamp.prefab"));
    let json = run_in(path, "explain Base.setreg --json").good();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&json).unwrap()["error"],
        serde_json::Value::Null
    );
}

#[test]
fn bad_data_is_shown_with_its_line() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.prefab"), "{\n    \"Entities\": {\n        \"a\": [1,, 2]\n}}\n")
        .unwrap();
    fs::write(path.join("comma.azasset"), "{\"a\": 1,}").unwrap();
    insta::assert_snapshot!(session_in(
        path,
        &[
            "decode bad.prefab",
            "check bad.prefab comma.azasset",
            "check comma.azasset --trailing-commas",
        ],
    ));
}

/// Files that ship with the engine have letters in them that are not UTF-8.
#[test]
fn bytes_that_are_not_utf8_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let text = b"{\n    \"ContainerEntity\": {\n        \"Name\": \"caf\xe9 \xee\xbe\x80\"\n    },\n    \"Entities\": {}\n}\n";
    fs::write(path.join("a.prefab"), text).unwrap();
    let ran = run_in(path, &["check", "a.prefab"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.text().contains("identical"), "{}", ran.text());
    fs::write(path.join("patch.json"), r#"[{"op": "add", "path": "/Entities/x", "value": 1}]"#)
        .unwrap();
    let ran = run_in(path, &["patch", "a.prefab", "patch.json", "-o", "b.prefab"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let edited = fs::read(path.join("b.prefab")).unwrap();
    assert!(
        edited.windows(8).any(|part| part == b"caf\xe9 \xee\xbe\x80"),
        "{}",
        edited.escape_ascii()
    );
    // The notation is UTF-8, and back it is bytes.
    assert_eq!(run_in(path, &["decode", "a.prefab", "-o", "a.json"]).code, 0);
    let json = fs::read_to_string(path.join("a.json")).unwrap();
    assert!(json.contains("caf\u{efe9}"), "{json}");
    let ran = run_in(path, &["encode", "a.json", "-f", "o3de-json", "-o", "c.prefab"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(fs::read(path.join("c.prefab")).unwrap(), text.trim_ascii_end());
    let ran = run_in(path, &["check", "a.prefab", "--strict"]);
    assert!(ran.code != 0 && format!("{}{}", ran.stderr, ran.text()).contains("UTF-8"));
}

/// A value is no option, though it begins as one does; options are ones behind it.
#[test]
fn negative_numbers_are_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.setreg"), "{\"b\": 1.0}").unwrap();
    run_in(path, "set a.setreg /b -1.5 -o c.setreg").good();
    assert_eq!(fs::read_to_string(path.join("c.setreg")).unwrap(), "{\"b\": -1.5}");
    run_in(path, "ins a.setreg /c -2").good();
    let ran = run_in(path, "set a.setreg /b -x");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}
