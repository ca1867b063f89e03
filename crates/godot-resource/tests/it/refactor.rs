//! A node gets another name or place, in all files that know it.

use godot_resource::{Contents, rename_node};

use crate::lint::project;

/// A scene with a body and an arm; `red` inherits it, `level` has two of them, and `walk` is played by both.
fn player() -> Vec<(&'static str, String)> {
    let player = r#"[gd_scene format=3]

[ext_resource type="AnimationLibrary" path="res://walk.tres" id="1"]

[sub_resource type="SceneReplicationConfig" id="R"]
properties/0/path = NodePath("Body/Sprite:frame")

[sub_resource type="AnimationNodeBlend2" id="B"]
filters = ["Body/Sprite:frame", "Arm"]

[node name="Player" type="Node2D" node_paths=PackedStringArray("sprite")]
sprite = NodePath("Body/Sprite")

[node name="Body" type="Node2D" parent="."]

[node name="Sprite" type="Sprite2D" parent="Body" unique_id=7 groups=["seen"]]
unique_name_in_owner = true
metadata/arm = NodePath("../../Arm")
metadata/out = NodePath("../../../Door")

[node name="Hat" type="Sprite2D" parent="Body/Sprite"]
metadata/up = NodePath("..:position")
metadata/body = NodePath("../..")

[node name="Arm" type="Node2D" parent="."]
metadata/paths = {"a": [NodePath("../Body/Sprite/Hat"), NodePath("%Sprite/Hat"), NodePath("../Gone")]}

[node name="Hand" type="Node2D" parent="Arm"]

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": ExtResource("1")
}

[node name="Tree" type="AnimationTree" parent="."]
root_motion_track = NodePath("Body/Sprite:position")
tree_root = SubResource("B")

[node name="Sync" type="MultiplayerSynchronizer" parent="."]
replication_config = SubResource("R")

[connection signal="draw" from="Body/Sprite" to="Body/Sprite/Hat" method="hide"]
"#;
    let walk = r#"[gd_resource type="AnimationLibrary" format=3]

[sub_resource type="Animation" id="A"]
tracks/0/path = NodePath("Body/Sprite:position")
tracks/1/path = NodePath("Arm:position")

[resource]
_data = {
&"walk": SubResource("A")
}
"#;
    let red = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://player.tscn" id="1"]

[node name="Red" instance=ExtResource("1")]

[node name="Sprite" parent="Body" index="0" unique_id=7]
modulate = Color(1, 0, 0, 1) ; red

[node name="Feather" type="Node2D" parent="Body/Sprite/Hat" parent_id_path=PackedInt32Array(7) index="0"]
"#;
    let level = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://red.tscn" id="1"]

[sub_resource type="Animation" id="A"]
tracks/0/path = NodePath("World/One/Body/Sprite/Hat:visible")

[node name="Level" type="Node"]

[node name="World" type="Node" parent="."]

[node name="One" parent="World" instance=ExtResource("1")]

[node name="Two" parent="World" instance=ExtResource("1")]

[node name="Hat" parent="World/Two/Body/Sprite" index="0"]
visible = false

[node name="Mark" type="Node2D" parent="World/Two/Body/Sprite/Hat/Feather"]

[node name="Camera" type="Node2D" parent="." node_paths=PackedStringArray("target")]
target = NodePath("../World/Two/Body/Sprite")
other = NodePath("../World/Two/Body")

[node name="Play" type="AnimationPlayer" parent="."]
libraries = {"": SubResource("A")}

[connection signal="draw" from="World/One/Body/Sprite" to="Camera" method="hide"]

[editable path="World/Two"]
"#;
    let files =
        [("level.tscn", level), ("player.tscn", player), ("red.tscn", red), ("walk.tres", walk)];
    files.map(|(name, text)| (name, text.to_owned())).into()
}

/// The files after the change; those that stay are as they were.
fn renamed(old: &str, new: &str) -> Vec<(&'static str, String)> {
    let mut files = player();
    let done = rename_node(&project(&files), "player.tscn", old, new).unwrap();
    for own in done {
        assert!(!own.changes.is_empty());
        let file = files.iter_mut().find(|(name, _)| *name == own.path).unwrap();
        file.1 = String::from_utf8(own.bytes).unwrap();
    }
    files
}

#[test]
fn a_name_changes_wherever_it_leads_to_the_node() {
    for (old, new) in [("Body/Sprite", "Picture"), ("Player/Body/Sprite", "Player/Body/Picture")] {
        let files = renamed(old, new);
        for ((name, text), (_, before)) in files.iter().zip(player()) {
            let wanted = before
                .replace("name=\"Sprite\"", "name=\"Picture\"")
                .replace("Body/Sprite", "Body/Picture")
                .replace("%Sprite", "%Picture");
            assert_eq!(*text, wanted, "{name}");
        }
    }
}

#[test]
fn a_node_moves_with_what_leads_to_it_and_from_it() {
    let files = renamed("Body/Sprite", "Arm/Hand/Picture");
    let all: Vec<String> = files.iter().map(|(name, text)| format!("=== {name}\n{text}")).collect();
    insta::assert_snapshot!(all.join(""));
    // And back again, but for the order of the nodes and `index`.
    let back =
        rename_node(&project(&files), "player.tscn", "Arm/Hand/Picture", "Body/Sprite").unwrap();
    for own in back {
        let before = player().into_iter().find(|(name, _)| *name == own.path).unwrap().1;
        let sorted = |text: &str| {
            let mut lines: Vec<String> =
                text.lines().map(|own| own.replace(" index=\"0\"", "")).collect();
            lines.sort();
            lines.retain(|line| !line.is_empty());
            lines
        };
        assert_eq!(sorted(&String::from_utf8_lossy(&own.bytes)), sorted(&before), "{}", own.path);
    }
}

#[test]
fn the_root_has_a_name_alone() {
    let files = renamed(".", "Hero");
    for ((name, text), (_, before)) in files.iter().zip(player()) {
        let wanted = match *name {
            "player.tscn" => {
                before.replace("name=\"Player\" type=\"Node2D\"", "name=\"Hero\" type=\"Node2D\"")
            }
            _ => before,
        };
        assert_eq!(*text, wanted, "{name}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let refused = |files: &[(&str, String)], scene: &str, old: &str, new: &str| {
        rename_node(&project(files), scene, old, new).unwrap_err().to_string()
    };
    let files = player();
    let rows = [
        ("player.tscn", "Gone", "X", "the scene has no node `Gone`"),
        ("player.tscn", "Body/Sprite", "Sprite.2", "no node can have the name `Sprite.2`"),
        ("player.tscn", "Arm", "Body", "the scene has a node `Body`"),
        ("player.tscn", "Body", "Body/Sprite/Body", "`Body` cannot be moved below itself"),
        ("player.tscn", "Arm", "Leg/Arm", "the scene has no node `Leg`, in which `Arm` would be"),
        (
            "red.tscn",
            "Body/Sprite",
            "X",
            "`Body/Sprite` is a node of player.tscn: there it can be renamed",
        ),
        ("walk.tres", "A", "B", "walk.tres is no scene"),
        ("gone.tscn", "A", "B", "gone.tscn is no scene"),
    ];
    for (scene, old, new, why) in rows {
        assert_eq!(refused(&files, scene, old, new), why);
    }
    // Another scene has a node there already.
    let mut taken = player();
    taken[2].1 += "\n[node name=\"Leg\" type=\"Node2D\" parent=\".\"]\n";
    assert_eq!(
        refused(&taken, "player.tscn", "Arm", "Leg"),
        "red.tscn: the scene has a node `Leg` of its own"
    );
    // A file that cannot be read may have the node in it.
    let mut broken = player();
    broken[0].1 += "<<<<<<< HEAD\n";
    assert_eq!(
        refused(&broken, "player.tscn", "Arm", "Leg"),
        "level.tscn: line 31 is a mark of a conflict"
    );
    let files = player();
    let names = files.iter().map(|(name, _)| (*name).to_owned()).chain(["locked.tscn".to_owned()]);
    let read = |path: &str| {
        files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.clone().into_bytes())
    };
    let locked = godot_resource::Project::new(names, read);
    let error = rename_node(&locked, "player.tscn", "Arm", "Leg").unwrap_err();
    assert_eq!(error.to_string(), "locked.tscn cannot be read");
    // An animation that another scene plays, too, in which its path leads to another node.
    let mut shared = player();
    let other =
        shared[1].1.replace("name=\"Player\" type=\"Node2D\"", "name=\"Other\" type=\"Node2D\"");
    shared.push(("other.tscn", other));
    assert_eq!(
        refused(&shared, "player.tscn", "Body/Sprite", "Picture"),
        "walk.tres: `Body/Sprite:position` would have to be two paths, as scenes play it from different nodes, in [\"tracks/0/path\"]"
    );
}

/// The same in the binary form, whose tables are made anew.
#[test]
fn binary_scenes_change_as_those_of_text() {
    let mut files = player();
    let binary = |text: &str| {
        Contents::open(text.as_bytes()).unwrap().to_binary(&Default::default()).unwrap().file
    };
    let text = files.remove(2).1;
    let scene = binary(&text);
    let names = files.iter().map(|(name, _)| (*name).to_owned()).chain(["red.scn".to_owned()]);
    let read = |path: &str| match path {
        "red.scn" => Some(scene.clone()),
        path => {
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.clone().into_bytes())
        }
    };
    let project = godot_resource::Project::new(names, read);
    let done = rename_node(&project, "player.tscn", "Body/Sprite", "Arm/Picture").unwrap();
    let red = done.iter().find(|own| own.path == "red.scn").unwrap();
    assert_eq!((&*red.changes[0].place, red.changes.len()), ("Body/Sprite:name", 4));
    let found = Contents::open(&red.bytes).unwrap().scene.unwrap();
    let paths: Vec<String> = found.nodes.iter().map(|own| own.path().to_string()).collect();
    assert_eq!(paths, [".", "Arm/Picture", "Arm/Picture/Hat/Feather"]);
    assert_eq!(found.nodes[1].index, None);
}
