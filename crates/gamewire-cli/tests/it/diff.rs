//! diff: what is found, and in what time.

use std::path::Path;

use crate::run::{Ran, feed, run, testdata};

fn write(folder: &Path, name: &str, json: &str) -> String {
    let path = folder.join(name).to_str().unwrap().to_owned();
    feed(&["encode", "-", "-f", "godot-variant", "--objects", "-o", &path], json.as_bytes()).good();
    path
}

fn diff(old: &str, new: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (write(folder.path(), "old", old), write(folder.path(), "new", new));
    run(&["diff", &old, &new, "--objects"])
}

#[test]
fn the_same_data_has_no_differences() {
    let ran = run("diff savegame.dat savegame.dat");
    assert_eq!((ran.code, ran.text()), (0, ""));
    // The framing is not data.
    let json = run("decode savegame.dat").good();
    let bare = feed("encode - -f godot-variant", &json).good();
    assert_eq!(feed("diff savegame.dat -", &bare).code, 0);
}

#[test]
fn differences_have_paths() {
    let json = String::from_utf8(run("decode savegame.dat --compact").good()).unwrap();
    let changed = json
        .replace("\"s:version\",\"i:3\"", "\"s:version\",\"i:4\"")
        .replace("\"f:97.5\"", "\"s:full\"")
        .replace("\"sn:seed\",\"i:12\",", "")
        .replace("\"sn:hoe\"", "\"sn:axe\"")
        .replace("\"elem_type\":\"Dictionary\",", "")
        .replace("[\"s:find_well\",", "[\"s:prologue\",\"s:find_well\",")
        .replace("\"args\":[1,0,1,1,0,1,0]", "\"args\":[1,0,1,0,0,1]")
        .replace("np:Player/Camera:zoom", "np:Player/Camera:offset")
        .replace("i:1099511627776", "i:1099511627777");
    let bytes = feed("encode - -f godot-variant", changed.as_bytes()).good();
    let ran = feed("diff savegame.dat -", &bytes);
    assert_eq!(ran.end(), (1, ""));
    insta::assert_snapshot!(ran.text());
}

#[test]
fn settings_and_streams_have_paths() {
    let json = String::from_utf8(run("decode project.binary --compact").good()).unwrap();
    let changed = json.replace("s:Star Harvest", "s:Star Harvest 2").replace("f:0.5", "f:0.25");
    let bytes = feed("encode - -f godot-variant", changed.as_bytes()).good();
    insta::assert_snapshot!(feed("diff project.binary -", &bytes).text());

    let json = String::from_utf8(run("decode stream.dat --compact").good()).unwrap();
    let changed = json.replace("[\"i:1\",", "[\"i:0\",\"i:1\",").replace("[8,9]", "[8,10]");
    let bytes = feed("encode - -f godot-variant", changed.as_bytes()).good();
    insta::assert_snapshot!(feed("diff stream.dat -", &bytes).text());
}

#[test]
fn kinds_of_differences() {
    let node = |name: &str, class: &str| {
        format!("{{\"type\":\"{class}\",\"props\":[\"a\",\"i:1\",\"a\",\"i:{name}\"]}}")
    };
    let pairs = [
        ("\"i:1\"", "\"f:1.0\""),
        ("[\"i:1\"]", "{\"type\":\"Dictionary\",\"args\":[]}"),
        (
            "{\"type\":\"Dictionary\",\"args\":[\"s:a b\",null,{\"type\":\"Vector2i\",\"args\":[1,2]},null]}",
            "{\"type\":\"Dictionary\",\"args\":[{\"type\":\"Vector2i\",\"args\":[1,2]},true,\"s:a b\",false]}",
        ),
        ("[\"i:1\",\"i:2\",\"i:3\",\"i:4\"]", "[\"i:1\",\"i:4\"]"),
        ("[[],[],[]]", "[[],[[]],[\"i:1\"],[]]"),
        (&node("2", "Node"), &node("3", "Node2D")),
        (
            "{\"type\":\"PackedFloat32Array\",\"args\":[0.1]}",
            "{\"type\":\"PackedFloat32Array\",\"args\":[0.2,0.3]}",
        ),
        (
            "{\"type\":\"PackedVector2Array\",\"args\":[1,2,3,4]}",
            "{\"type\":\"PackedVector2Array\",\"precision\":\"double\",\"args\":[1,2,3,5]}",
        ),
        (
            "[{\"type\":\"Vector2\",\"args\":[1,2]}]",
            "[{\"type\":\"Vector2\",\"precision\":\"double\",\"args\":[1,2]}]",
        ),
        ("\"s:\\u001b[31m\\n\"", "null"),
    ];
    let text: String = pairs
        .iter()
        .map(|(old, new)| format!("{old} → {new}\n{}\n", diff(old, new).text()))
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn long_values_are_cut_unless_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let old = write(folder.path(), "old", "[\"s:short\"]");
    let new = write(folder.path(), "new", &format!("[\"s:{}\"]", "long ".repeat(100)));
    let text = |args: &[&str]| run(&[&["diff", &old, &new], args].concat()).text().to_owned();
    assert!(text(&[]).contains('…') && text(&[]).chars().count() < 200);
    assert!(text(&["--full"]).contains(&"long ".repeat(100)));
}

/// Quadratic time would be minutes.
#[test]
fn big_containers_take_linear_time() {
    let count = 30_000;
    let entries = |order: &mut dyn Iterator<Item = i32>| {
        let entries: Vec<String> = order.map(|n| format!("\"s:key {n}\",[\"i:{n}\"]")).collect();
        format!("{{\"type\":\"Dictionary\",\"args\":[{}]}}", entries.join(","))
    };
    let ran = diff(&entries(&mut (0..count)), &entries(&mut (1..=count).rev()));
    assert_eq!(
        ran.text(),
        format!(
            "- [\"key 0\"]: [0]\n+ [\"key {count}\"]: [{count}]\n(root): the keys in another order\n"
        )
    );
    let items = |from: i32| {
        let items: Vec<String> = (from..count).map(|n| format!("[\"i:{n}\"]")).collect();
        format!("[{}]", items.join(","))
    };
    assert_eq!(diff(&items(0), &items(1)).text(), "- [0]: [0]\n");
}

#[test]
fn a_file_that_is_not_recognized_is_named() {
    let ran = feed("diff savegame.dat -", b"junk");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.starts_with("error: standard input: not recognized"), "{}", ran.stderr);
}

#[test]
fn differences_are_json_too() {
    let folder = tempfile::tempdir().unwrap();
    let dictionary = |entries: &str| format!("{{\"type\":\"Dictionary\",\"args\":[{entries}]}}");
    let old = dictionary("\"s:a\",\"i:1\",\"s:b\",[\"i:2\",\"i:3\"],\"s:c\",null");
    let new = dictionary("\"s:a\",\"i:5\",\"s:x\",[\"i:2\",\"i:3\"],\"s:d\",true");
    let (old, new) = (write(folder.path(), "old", &old), write(folder.path(), "new", &new));
    let ran = run(&["diff", "--json", &old, &new]);
    assert_eq!(ran.code, 1);
    let found: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let expected = serde_json::json!([
        {"path": "a", "change": "changed", "old": "1", "new": "5"},
        {"path": "b", "change": "renamed", "new": "x"},
        {"path": "c", "change": "removed", "old": "null"},
        {"path": "d", "change": "added", "new": "true"},
    ]);
    assert_eq!(found, expected);
    assert_eq!(run(&["diff", "--json", &old, &old]).good(), b"[]\n");
    assert_eq!(run(&["diff", &old, &new, &new]).code, 2, "neither two files nor git's seven");
}

#[test]
fn differences_are_a_page_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let level =
        String::from_utf8(std::fs::read(testdata("o3de-json/samples/Lamp.prefab")).unwrap())
            .unwrap();
    let long = "<b>&\u{202e}".repeat(60);
    std::fs::write(file("old.prefab"), &level).unwrap();
    std::fs::write(file("new.prefab"), level.replace("50.0", "75.0").replace("models/post", &long))
        .unwrap();
    let ran = run(&["diff", "--html", &file("out.html"), &file("old.prefab"), &file("new.prefab")]);
    assert_eq!((ran.code, ran.text()), (1, ""));
    let page = std::fs::read_to_string(file("out.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<del>50.0</del> → <ins>75.0</ins>"), "{page}");
    // Entities and components are the headings; long values are folded, and nothing in them is markup.
    assert!(page.contains("<h2>Bulb, EditorPointLightComponent</h2>"), "{page}");
    assert!(page.contains("<details>") && !page.contains("<b>") && !page.contains('\u{202e}'));
    assert!(!page.contains("http"));
}
