//! Versions of a file, laid out alike, and files made of entries.

use godot_resource::{Text, align};
use godot_variant::Value;

use crate::support::{files, testdata};

/// A text for as long as a test runs, as what is laid out alike borrows it.
fn text(text: &str) -> &'static Text {
    Box::leak(Box::new(Text::parse(text).unwrap()))
}

const SCENE: &str = "[gd_scene format=3]

[sub_resource type=\"Animation\" id=\"Animation_a\"]
tracks/0/type = \"value\"
tracks/0/path = NodePath(\"Hero:position\")
tracks/0/keys = {
\"times\": PackedFloat32Array(0)
}

[sub_resource type=\"AnimationLibrary\" id=\"Library_a\"]
_data = {
&\"walk\": SubResource(\"Animation_a\")
}

[node name=\"Root\" type=\"Node2D\" unique_id=1]

[node name=\"Hero\" type=\"Node2D\" parent=\".\" unique_id=2]
unique_name_in_owner = true

[node name=\"Hat\" type=\"Node2D\" parent=\"Hero\" unique_id=3]
target = NodePath(\"../../Player:libraries\")

[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\" unique_id=4]
libraries = {
&\"\": SubResource(\"Library_a\")
}
hero = NodePath(\"%Hero/Hat\")
";

/// Entries that did not change change nothing, in every file.
#[test]
fn the_same_entries_make_the_same_file() {
    for file in files(&testdata(), &[".tscn", ".tres"]) {
        let bytes = std::fs::read_to_string(&file).unwrap();
        let Ok(read) = Text::parse(&bytes) else { continue };
        let entries: Vec<_> = read.entries().map(|(name, value)| (name, Some(value))).collect();
        let again = read.with_entries(None, &entries).unwrap().to_string();
        // What engines do not load is put in order.
        let is_whole = read.faults().is_empty() && !file.to_string_lossy().contains("load_");
        assert!(again == bytes || !is_whole, "{}: {again}", file.display());
        let aligned = align(&read, &read, Some(&read)).unwrap();
        for own in [Some(aligned.ours), Some(aligned.theirs), aligned.base] {
            assert_eq!(own.unwrap().to_string(), bytes, "{}", file.display());
        }
        assert_eq!(aligned.clashes, []);
    }
}

#[test]
fn renamed_nodes_have_their_new_names_in_all_versions() {
    let base = text(SCENE);
    let theirs = text(&SCENE.replace("target", "z_index = 1\ntarget"));
    let renamed = SCENE
        .replace("name=\"Hero\"", "name=\"Knight\"")
        .replace("parent=\"Hero\"", "parent=\"Knight\"");
    let renamed = renamed.replace("(\"Hero:", "(\"Knight:").replace("%Hero", "%Knight");
    let aligned = align(text(&renamed), theirs, Some(base)).unwrap();
    assert_eq!(aligned.base.unwrap().to_string(), renamed);
    assert_eq!(aligned.theirs.to_string(), renamed.replace("target", "z_index = 1\ntarget"));
    // And what THEIRS has renamed is renamed in OURS.
    let aligned = align(theirs, text(&renamed), Some(base)).unwrap();
    assert_eq!(aligned.ours.to_string(), renamed.replace("target", "z_index = 1\ntarget"));
    // A node that moves takes its paths along.
    let moved =
        SCENE.replace("parent=\"Hero\"", "parent=\".\"").replace("../../Player", "../Player");
    let aligned = align(text(&moved), theirs, Some(base)).unwrap();
    assert_eq!(aligned.theirs.to_string(), moved.replace("target", "z_index = 1\ntarget"));
}

#[test]
fn what_cannot_be_one_is_said() {
    let renamed = |name: &str| text(&SCENE.replace("name=\"Hat\"", &format!("name=\"{name}\"")));
    let aligned = align(renamed("Cap"), renamed("Hood"), Some(text(SCENE))).unwrap();
    let clash =
        ("Root/Hero/Cap".to_owned(), "the other side renamed or moved it, to \"Hood\"".to_owned());
    assert_eq!(aligned.clashes, [clash]);
    // Each below the other.
    let two = SCENE.replace("parent=\"Hero\"", "parent=\".\"");
    let ours = two.replace(
        "name=\"Hat\" type=\"Node2D\" parent=\".\"",
        "name=\"Hat\" type=\"Node2D\" parent=\"Hero\"",
    );
    let (hero, hat) = (
        "[node name=\"Hero\" type=\"Node2D\" parent=\".\" unique_id=2]",
        "[node name=\"Hat\" type=\"Node2D\" parent=\".\" unique_id=3]",
    );
    let theirs = two
        .replace(hat, "X")
        .replace(hero, hat)
        .replace('X', &hero.replace("parent=\".\"", "parent=\"Hat\""));
    let aligned = align(text(&ours), text(&theirs), Some(text(&two))).unwrap();
    assert_eq!(aligned.clashes.len(), 1, "{:?}", aligned.clashes);
}

#[test]
fn tracks_are_known_by_what_they_animate() {
    let track = |at: usize, path: &str| {
        format!("tracks/{at}/type = \"value\"\ntracks/{at}/path = NodePath(\"{path}\")\n")
    };
    // OURS has a track before it, THEIRS another one.
    let with = |path: &str| {
        let moved = SCENE.replace("tracks/0", "tracks/1");
        moved.replace("tracks/1/type", &format!("{}tracks/1/type", track(0, path)))
    };
    let (ours, theirs) = (with("Hero:scale"), with("Hero:rotation"));
    let aligned = align(text(&ours), text(&theirs), Some(text(SCENE))).unwrap();
    let mut entries: Vec<(String, Option<Value>)> =
        aligned.ours.entries().map(|(name, _)| (name, None)).collect();
    let known: Vec<String> = entries.iter().map(|(name, _)| name.clone()).collect();
    let new = aligned.theirs.entries().filter(|(name, _)| !known.contains(name));
    entries.extend(new.map(|(name, value)| (name, Some(value))));
    let merged = aligned.ours.with_entries(Some(&aligned.theirs), &entries).unwrap().to_string();
    for (at, path) in [(0, "Hero:scale"), (1, "Hero:position"), (2, "Hero:rotation")] {
        assert!(merged.contains(&format!("tracks/{at}/path = NodePath(\"{path}\")")), "{merged}");
    }
}

/// Floats of text with all digits are those of the binary file.
#[test]
fn text_with_all_digits_says_what_binary_does() {
    let options = godot_resource::Options::new();
    for file in files(&testdata().join("pairs"), &[".res", ".scn"]) {
        let bytes = std::fs::read(&file).unwrap();
        let read = options.open(&bytes).unwrap();
        let exact = options.clone().exact(true);
        let again = exact.open(read.to_text(&exact).unwrap().file.as_bytes()).unwrap();
        let numbers = |contents: &godot_resource::Contents| {
            let shown = format!("{contents:?}");
            let all = shown.split(|c: char| !(c.is_ascii_digit() || "-.e".contains(c)));
            let is_float =
                |own: &&str| own.contains('.') && own.contains(|c: char| c.is_ascii_digit());
            let mut all: Vec<String> = all.filter(is_float).map(str::to_owned).collect();
            // Text has resources in the order of names.
            all.sort();
            all
        };
        assert_eq!(numbers(&again), numbers(&read), "{}", file.display());
    }
}
