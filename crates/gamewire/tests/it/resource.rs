//! Godot's scenes and resources: values by their names, edits that touch their value alone, merges that load.

use std::path::{Path, PathBuf};

use gamewire::document::{
    self, ConflictKind, Edit, Layout, Merge, Side, Target, TreeOptions, Verdict,
};
use gamewire::godot_resource::{Contents, Options};
use gamewire::{Document, Format, Settings};

const SCENE: &str = "[gd_scene load_steps=3 format=3 uid=\"uid://c1aaaaaaaaaa1\"]

[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1_a\"]

[sub_resource type=\"AtlasTexture\" id=\"Atlas_x\"]
atlas = ExtResource(\"1_a\")
region = Rect2(0, 0, 8, 8)

[node name=\"Root\" type=\"Node2D\"]

; The hero.
[node name=\"Player\" type=\"Sprite2D\" parent=\".\" groups=[\"heroes\"]]
position = Vector2( 1,2 ) ; by hand
texture = SubResource(\"Atlas_x\")

[node name=\"Ground\" type=\"TileMapLayer\" parent=\".\"]
tile_map_data = PackedByteArray(0, 0, 3, 0, 255, 255, 1, 0, 2, 0, 3, 0, 0, 0)

[connection signal=\"ready\" from=\"Player\" to=\".\" method=\"_on_ready\"]
";

const PROJECT: &str = "; Engine configuration file.
config_version=5

[application]

config/name=\"A\"

[input]

jump={
\"deadzone\": 0.5,
\"events\": [Object(InputEventKey,\"resource_local_to_scene\":false,\"keycode\":32)
]
}
";

fn open(bytes: impl Into<Vec<u8>>) -> Document {
    Document::open(bytes.into(), &Settings::default()).unwrap()
}

fn project(text: &str) -> Document {
    let settings = Settings { name: Some("project.godot".into()), ..Settings::default() };
    Document::open(text, &settings).unwrap()
}

fn shown(document: &Document, path: &str) -> String {
    document.get(path).unwrap()[0].text().unwrap()
}

fn text(document: &Document) -> &str {
    std::str::from_utf8(document.as_bytes()).unwrap()
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-resource")
}

#[test]
fn values_are_found_by_nodes_and_resources() {
    let scene = open(SCENE);
    assert_eq!(scene.format(), Format::GodotResource);
    assert_eq!(scene.describe(), "text, PackedScene, format 3");
    for (path, value) in [
        ("Root/Player:position.x", "1.0"),
        ("Root/Player.groups[0]", "heroes"),
        ("Root/Player:texture", "SubResource(\"Atlas_x\")"),
        ("Root/Player:texture.region.size.x", "8.0"),
        ("SubResource(\"Atlas_x\"):region.size.x", "8.0"),
        ("Root/Player:texture.atlas", "ExtResource(\"1_a\")"),
        ("ExtResource(\"1_a\").path", "res://a.png"),
        ("gd_scene.uid", "uid://c1aaaaaaaaaa1"),
        ("Root/Ground:tile_map_data[Vector2i(3, -1)].x", "1"),
    ] {
        assert_eq!(shown(&scene, path), value, "{path}");
    }
    assert_eq!(scene.get("Root/*:position").unwrap().len(), 1);
    assert!(scene.get("Root/Enemy").is_err());
    let drawn = scene
        .tree(TreeOptions { columns: None, most: 100, is_json: false, see_more: "" })
        .unwrap()
        .text;
    assert!(drawn.contains("Player (Sprite2D)"), "{drawn}");
    assert!(drawn.ends_with("\n3 nodes, 1 resource, 1 file\n"), "{drawn}");
}

#[test]
fn an_edit_touches_its_value_alone() {
    for (edit, old, new) in [
        (("Root/Player:position.x", "7"), "Vector2( 1,2 )", "Vector2(7, 2)"),
        (("Root/Player:texture.region", "Rect2(1, 0, 8, 8)"), "Rect2(0, 0", "Rect2(1, 0"),
        (
            ("Root/Player:texture", "ExtResource(\"1_a\")"),
            "texture = SubResource(\"Atlas_x\")",
            "texture = ExtResource(\"1_a\")",
        ),
        (("Root/Player.groups[0]", "villains"), "[\"heroes\"]", "[\"villains\"]"),
        (
            ("Root/Ground:tile_map_data[Vector2i(3, -1)].y", "5"),
            "255, 1, 0, 2, 0,",
            "255, 1, 0, 5, 0,",
        ),
        (("gd_scene.uid", "uid://b"), "uid://c1aaaaaaaaaa1", "uid://b"),
    ] {
        let mut scene = open(SCENE);
        scene.set(edit.0, edit.1).unwrap();
        assert_eq!(text(&scene), SCENE.replacen(old, new, 1));
    }
    let mut crlf = open(SCENE.replace('\n', "\r\n"));
    crlf.set("Root/Player:position.x", "7").unwrap();
    assert_eq!(text(&crlf), SCENE.replace("( 1,2 )", "(7, 2)").replace('\n', "\r\n"));
    let mut own = project(PROJECT);
    own.set("application/config/name", "B").unwrap();
    own.set("input/jump.deadzone", "0.25").unwrap();
    let expected = PROJECT.replace("\"A\"", "\"B\"").replace("0.5", "0.25");
    assert_eq!(text(&own), expected);
}

#[test]
fn what_is_new_stands_where_the_engine_writes_it() {
    let mut scene = open(SCENE);
    scene.insert("Root/Player:modulate", "Color(1, 0, 0, 1)").unwrap();
    let line = "texture = SubResource(\"Atlas_x\")\n";
    let expected = SCENE.replace(line, &format!("{line}modulate = Color(1, 0, 0, 1)\n"));
    assert_eq!(text(&scene), expected);

    let mut scene = open(SCENE);
    scene.insert("Root/Player/Child", "Node2D").unwrap();
    let node = "[node name=\"Child\" type=\"Node2D\" parent=\"Player\"]\n\n";
    assert_eq!(
        text(&scene),
        SCENE.replace("[node name=\"Ground\"", &format!("{node}[node name=\"Ground\""))
    );

    // With all that belongs to it.
    scene.edit(&[Edit::Remove { path: "Root/Player" }]).unwrap();
    assert!(!text(&scene).contains("Player"), "{}", text(&scene));
    assert!(Contents::open(scene.as_bytes()).is_ok());

    let mut scene = open(SCENE);
    let why = scene.remove("SubResource(\"Atlas_x\")").unwrap_err();
    assert_eq!(
        why.message(),
        "Root/Player: it refers to SubResource(\"Atlas_x\"), which is not there"
    );
    assert_eq!(text(&scene), SCENE);

    let mut own = project(PROJECT);
    own.insert("application/run/main_scene", "res://main.tscn").unwrap();
    own.insert("display/window/size", "Vector2i(640, 480)").unwrap();
    let name = "config/name=\"A\"\n";
    let expected = PROJECT.replace(name, &format!("{name}run/main_scene=\"res://main.tscn\"\n"));
    assert_eq!(text(&own), expected + "\n[display]\n\nwindow/size=Vector2i(640, 480)\n");
}

#[test]
fn binary_files_are_edited_and_converted() {
    let settings = Settings::default();
    let mut count = 0;
    for file in std::fs::read_dir(testdata().join("pairs")).unwrap() {
        let path = file.unwrap().path();
        if !path.extension().is_some_and(|own| own == "res" || own == "scn") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(document::check(&bytes, &settings).unwrap(), Verdict::Identical);
        let mut opened = open(bytes.clone());
        let before = Contents::open(&bytes).unwrap();
        let name = match &before.scene {
            Some(scene) => format!("{}:metadata/new", scene.nodes[0].name),
            None => "metadata/new".to_owned(),
        };
        opened.insert(&name, "0.1").unwrap();
        let mut after = Contents::open(opened.as_bytes()).unwrap();
        let properties = match &mut after.scene {
            Some(scene) => &mut scene.nodes[0].properties,
            None => &mut after.properties,
        };
        let new = properties.iter().position(|(name, _)| name == "metadata/new").unwrap();
        assert_eq!(properties.remove(new).1, 0.1_f64);
        // Text leaves out what is nothing.
        let said =
            |contents: &Contents| contents.to_text(&Options::new().exact(true)).unwrap().file;
        assert_eq!(said(&after), said(&before), "{}", path.display());

        let mut target = Target::default();
        target.name_output(Path::new("a.tscn"));
        let converted = opened.convert(&target).unwrap();
        assert!(converted.starts_with(b"[gd_"));
        count += 1;
    }
    assert!(count > 100);
}

#[test]
fn the_notation_makes_the_file_again() {
    for bytes in
        [SCENE.as_bytes().to_vec(), std::fs::read(testdata().join("pairs/as03.scn")).unwrap()]
    {
        let opened = open(bytes);
        let mut json = Vec::new();
        opened.write_json(&mut json, Layout::Lines, true).unwrap();
        let settings = Settings { format: Some(Format::GodotResource), ..Settings::default() };
        let again = Document::from_json(&json, &settings).unwrap();
        assert_eq!(opened.diff(&again, 80).unwrap(), []);
    }
}

#[test]
fn resources_are_compared_by_what_they_are() {
    let old = open(SCENE);
    let renamed = SCENE.replace("1_a", "9_zz").replace("Atlas_x", "Atlas_y");
    assert_eq!(old.diff(&open(renamed.clone()), 80).unwrap(), []);
    let changes = old.diff(&open(renamed.replace("0, 8, 8)", "0, 9, 8)")), 80).unwrap();
    let shown: Vec<_> = changes.iter().map(|own| &*own.path).collect();
    assert_eq!(shown, ["SubResource(\"Atlas_x\"):region"]);
    let painted = SCENE.replace("255, 1, 0, 2, 0,", "255, 1, 0, 5, 0,");
    let changes = old.diff(&open(painted), 80).unwrap();
    assert_eq!(changes[0].path, "Root/Ground:tile_map_data[Vector2i(3, -1)]");
}

/// Merges three files: the result for OURS, and where there are conflicts.
fn merge(base: &str, ours: &str, theirs: &str) -> (String, Vec<(String, ConflictKind)>) {
    let [base, ours, theirs] = [base, ours, theirs].map(open);
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    let conflicts = merge.conflicts().iter().map(|own| (own.path.clone(), own.kind));
    (text(&merge.resolve(Side::Ours).unwrap()).to_owned(), conflicts.collect())
}

#[test]
fn made_merges_are_as_wanted() {
    for folder in std::fs::read_dir(testdata().join("merges")).unwrap() {
        let folder = folder.unwrap().path();
        let extension = if folder.join("base.tscn").exists() { "tscn" } else { "tres" };
        let file = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.{extension}")));
        let [base, ours, theirs] = ["base", "ours", "theirs"].map(|name| file(name).unwrap());
        let (merged, conflicts) = merge(&base, &ours, &theirs);
        match file("want") {
            Ok(want) => {
                assert_eq!(conflicts, [], "{}", folder.display());
                let want = want.replace("NEW", "Resource_x_2");
                let sorted = |text: &str| {
                    let lines = |own: &str| {
                        let mut lines: Vec<&str> = own.trim().lines().collect();
                        lines.sort_unstable();
                        lines.join("\n")
                    };
                    let mut parts: Vec<String> = text.split("\n\n").map(lines).collect();
                    parts.sort();
                    parts
                };
                assert_eq!(sorted(&merged), sorted(&want), "{}", folder.display());
            }
            Err(_) => assert!(!conflicts.is_empty(), "{}", folder.display()),
        }
        let opened = Contents::open(merged.as_bytes());
        assert!(opened.is_ok(), "{}: {opened:?}", folder.display());
    }
}

/// A file merges with itself and with an older version to what is newer, to the byte.
#[test]
fn what_one_side_changed_is_that_side() {
    let ours = SCENE
        .replace("( 1,2 )", "(3, 4)")
        .replace("\n\n[connection", "\nz_index = 1\n\n[connection");
    // A resource of another type is another one, whose id stays.
    let retyped = SCENE.replace("\"AtlasTexture\"", "\"ImageTexture\"");
    for (base, ours, theirs, expected) in [
        (SCENE, SCENE, &*ours, &*ours),
        (SCENE, &ours, SCENE, &ours),
        (SCENE, &ours, &ours, &ours),
        (SCENE, SCENE, &retyped, &retyped),
    ] {
        assert_eq!(merge(base, ours, theirs), (expected.to_owned(), vec![]));
    }
}

#[test]
fn conflicts_are_those_of_people() {
    let moved = |x: &str| SCENE.replace("( 1,2 )", &format!("({x}, 2)"));
    let (merged, conflicts) = merge(SCENE, &moved("3"), &moved("4"));
    assert_eq!(conflicts, [("Root/Player:position".to_owned(), ConflictKind::Value)]);
    assert_eq!(merged, moved("3"));
    // Cells that both painted, and those that one did.
    let painted = |tile: u8, more: &str| {
        SCENE.replace("1, 0, 2, 0, 3, 0, 0, 0)", &format!("1, 0, {tile}, 0, 3, 0, 0, 0{more})"))
    };
    let (own, other) =
        (", 9, 0, 9, 0, 1, 0, 1, 0, 1, 0, 0, 0", ", 8, 0, 8, 0, 1, 0, 1, 0, 1, 0, 0, 0");
    let (merged, conflicts) = merge(SCENE, &painted(2, own), &painted(2, other));
    assert_eq!(conflicts, []);
    assert!(merged.contains(&format!("{own}{other})")), "{merged}");
    let (_, conflicts) = merge(SCENE, &painted(5, ""), &painted(6, ""));
    let place = "Root/Ground:tile_map_data[Vector2i(3, -1)]".to_owned();
    assert_eq!(conflicts, [(place, ConflictKind::Value)]);
    // A node that one side removed gets a child, or another property, from the other.
    let hero = SCENE.find("; The hero.").unwrap()..SCENE.find("[node name=\"Ground\"").unwrap();
    let mut gone = SCENE.to_owned();
    gone.replace_range(hero, "");
    let gone = gone.replace(
        "[connection signal=\"ready\" from=\"Player\" to=\".\" method=\"_on_ready\"]\n",
        "",
    );
    let child = SCENE.replace(
        "[node name=\"Ground\"",
        "[node name=\"Hat\" type=\"Node2D\" parent=\"Player\"]\n\n[node name=\"Ground\"",
    );
    let (_, conflicts) = merge(SCENE, &gone, &child);
    assert_eq!(conflicts, [("Root/Player/Hat".to_owned(), ConflictKind::Meaning)]);
    let tinted = SCENE.replace("; by hand", "\nz_index = 3");
    let (_, conflicts) = merge(SCENE, &gone, &tinted);
    assert_eq!(conflicts, [("Root/Player".to_owned(), ConflictKind::Meaning)]);
}

#[test]
fn new_resources_of_both_sides_are_two() {
    let file = |path: &str, id: &str| {
        let node = format!(
            "\n[node name=\"{path}\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"{id}\")\n"
        );
        let line = format!(
            "[ext_resource type=\"Texture2D\" path=\"res://{path}.png\" id=\"{id}\"]\n\n[sub_resource"
        );
        SCENE
            .replace("\n[sub_resource", &line)
            .replace("\n[connection", &format!("{node}\n[connection"))
    };
    // One id for two files, and two ids for one.
    let (merged, conflicts) = merge(SCENE, &file("b", "2_b"), &file("c", "2_b"));
    assert_eq!(conflicts, []);
    assert!(merged.contains("path=\"res://c.png\" id=\"2_b_2\"]"), "{merged}");
    assert!(
        merged.contains(
            "[node name=\"c\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"2_b_2\")"
        ),
        "{merged}"
    );
    assert!(merged.contains("load_steps=5"), "{merged}");
    let (merged, conflicts) = merge(SCENE, &file("b", "2_b"), &file("b", "2_q"));
    assert_eq!((merged, conflicts), (file("b", "2_b"), vec![]));
}

#[test]
fn settings_merge_by_their_names_and_keep_their_spelling() {
    let ours = PROJECT.replace("\"A\"", "\"B\"").replace("0.5", "0.20");
    let theirs = PROJECT.replace("32)\n]", "32)\n, Object(InputEventKey,\"keycode\":44)\n]");
    let [base, own, other] = [PROJECT, &ours, &theirs].map(project);
    let merge = Merge::new(Some(&base), &own, &other).unwrap();
    assert_eq!(merge.conflicts(), []);
    let merged = merge.resolve(Side::Ours).unwrap();
    assert!(text(&merged).starts_with(ours.split("0.20").next().unwrap()), "{}", text(&merged));
    assert!(text(&merged).contains("\"deadzone\": 0.20,"), "{}", text(&merged));
    assert!(text(&merged).contains("\"keycode\":44"), "{}", text(&merged));
}

/// An exported game has a file that leads to the scene in its place.
#[test]
fn a_remap_says_where_it_leads() {
    let remap = Document::open(
        "[remap]\n\npath=\"res://.godot/exported/1/main.scn\"\n",
        &Settings { format: Some(Format::GodotResource), ..Settings::default() },
    );
    let why = remap.unwrap().get("Root:position").unwrap_err();
    assert_eq!(
        why.to_string(),
        "Root:position: there is only remap/path in (root); the file leads to res://.godot/exported/1/main.scn"
    );
}

#[test]
fn broken_files_have_places() {
    let settings = Settings::default();
    let broken = SCENE.replace("Vector2( 1,2 )", "Vector2( 1,");
    let why = Document::open(broken, &settings).unwrap_err();
    assert!(why.message().contains(" at line 1"), "{}", why.message());
    for bytes in [&b"RSRC\0\0\0\0"[..], b"[gd_scene format=9]\n", b"[gd_scene", b"RSCC"] {
        assert!(Document::open(bytes, &settings).is_err());
    }
}

/// Most of a file is the same in all versions, and stays where it is.
#[test]
fn changes_far_from_one_another_merge_to_both() {
    let resource = |at: usize| {
        format!(
            "[sub_resource type=\"RectangleShape2D\" id=\"R_{at}\"]\nsize = Vector2({at}, 1)\n\n"
        )
    };
    let node = |at: usize| {
        format!(
            "[node name=\"N{at}\" type=\"CollisionShape2D\" parent=\".\"]\nshape = SubResource(\"R_{at}\")\n\n"
        )
    };
    let all = |make: &dyn Fn(usize) -> String| (0..60).map(make).collect::<String>();
    let base = format!(
        "[gd_scene load_steps=61 format=3]\n\n{}[node name=\"Root\" type=\"Node2D\"]\n\n{}",
        all(&resource),
        all(&node)
    );
    let changed = |text: &str| text.replace("Vector2(5, 1)", "Vector2(50, 1)");
    let moved = |text: &str| text.replace(&node(50), "");
    let added = |text: &str| {
        let text = text.replace(&resource(20), &format!("{}{}", resource(20), resource(99)));
        let text = text.replace(&node(40), &format!("{}{}", node(40), node(99)));
        text.replace("load_steps=61", "load_steps=62")
    };
    let (ours, theirs) = (moved(&changed(&base)), added(&base));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        assert_eq!(merge(&base, ours, theirs), (added(&moved(&changed(&base))), Vec::new()));
    }
}

/// Merges of any three versions end, and what is merged can be read.
#[test]
fn any_three_versions_merge() {
    let all: Vec<String> = ["merges", "scenes46"]
        .iter()
        .flat_map(|folder| walk(&testdata().join(folder)))
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter(|text| Document::open(text.as_str(), &Settings::default()).is_ok())
        .collect();
    assert!(all.len() > 30);
    for (at, ours) in all.iter().enumerate() {
        let theirs = &all[(at * 7 + 3) % all.len()];
        let base = &all[(at * 5 + 1) % all.len()];
        let kind = |text: &str| text.starts_with("[gd_scene");
        if kind(ours) == kind(theirs) && kind(ours) == kind(base) {
            merge(base, ours, theirs);
        }
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
