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
            "resolve Server.setreg --list",
            "resolve Server.setreg",
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

/// SettingsRegistryImpl.cpp, `MergeSettingsJsonDocument`: the registry resolves in order.
#[test]
fn settings_are_resolved_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |name: &str, text: &str| fs::write(at.join(name), text).unwrap();
    write("b.setreg", r#"{"N": 2, "M": 3}"#);
    write("c.setregpatch", r#"[{"op": "add", "path": "/Off/-", "value": "z"}]"#);
    write("a.setreg", r#"{"Tools": {"Off": ["x"], "N": 1, "$import": "b.setreg"}}"#);
    write("p.SETREG", r#"{"Tools": {"Off": ["x"], "$import": "c.setregpatch"}}"#);
    let value = |line: &str| -> serde_json::Value {
        serde_json::from_slice(&run_in(at, line).good()).unwrap()
    };
    let whole = serde_json::json!({"Tools": {"Off": ["x"], "N": 2, "M": 3}});
    assert_eq!(value("resolve a.setreg"), whole);
    assert_eq!(value("resolve p.SETREG"), serde_json::json!({"Tools": {"Off": ["x", "z"]}}));
    // Other files have the directive's object replaced.
    fs::copy(at.join("a.setreg"), at.join("a.json")).unwrap();
    assert_eq!(value("resolve a.json"), serde_json::json!({"Tools": {"N": 2, "M": 3}}));
    assert_eq!(value("resolve a.json --in-order"), whole);
}

/// Six files: of the engine, a gem, the project with a specialization and a platform, and the user.
#[test]
fn a_whole_registry_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (path, text) in [
        (
            "eng/engine.json",
            r#"{"engine_name": "o3de", "external_subdirectories": ["Gems/Lamps"]}"#,
        ),
        ("eng/Gems/Lamps/gem.json", r#"{"gem_name": "Lamps"}"#),
        ("game/project.json", r#"{"project_name": "g", "engine": "o3de", "gem_names": ["Lamps"]}"#),
        (
            "eng/Registry/tools.setreg",
            r#"{"Tools": {"Off": ["terrain", "lamp"], "Limit": 1, "Level": "engine"}}"#,
        ),
        (
            "eng/Gems/Lamps/Registry/lamps.setregpatch",
            r#"[{"op": "remove", "path": "/Tools/Off/1"}]"#,
        ),
        ("game/Registry/game.setreg", r#"{"Tools": {"Limit": 2, "Level": "project"}}"#),
        ("game/Registry/game.editor.setreg", r#"{"Tools": {"Limit": 3}} // for one program"#),
        ("game/Registry/Platform/Linux/game.setreg", r#"{"Tools": {"Level": "platform"}}"#),
        ("game/user/Registry/mine.setreg", r#"{"Tools": {"Mine": true}}"#),
    ] {
        let file = at.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let tags = "--specialization editor --platform linux";
    insta::assert_snapshot!(session_in(
        at,
        &[
            &format!("resolve --registry game --engine eng {tags}"),
            &format!("resolve --registry game --engine eng {tags} --list"),
            &format!("resolve --registry game --engine eng {tags} --why /Tools/Limit"),
            "resolve --registry game --engine eng --why /Tools/Limit",
            &format!("resolve --registry game/Registry --engine eng {tags} --why /Tools"),
            "resolve --registry game --engine eng --why /Tools/None",
            "resolve --registry game --why /Tools/Level",
            "resolve --registry .",
            "resolve game/Registry/game.setreg --why /Tools",
            "resolve --registry game game/Registry/game.setreg",
        ],
    ));
    fs::write(at.join("game/Registry/bad.setreg"), "{").unwrap();
    let ran = run_in(at, "resolve --registry game --engine eng --list");
    assert!(ran.code == 1 && ran.stderr.contains("bad.setreg"), "{}", ran.stderr);
}
