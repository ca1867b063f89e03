//! lint and refactor of Godot's scenes, in a project.

use std::fs;
use std::path::Path;

use crate::run::{run_in, session_in, testdata};

/// A lamp, a scene that inherits it, one that has it twice, a script, and folders that are not the project's.
fn lamps() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("project.godot", "config_version=5\n");
    write(
        "props/lamp.tscn",
        "[gd_scene format=3 uid=\"uid://b8a3m0607cq6k\"]\n\n\
         [ext_resource type=\"Script\" path=\"res://props/lamp.gd\" id=\"1\"]\n\n\
         [node name=\"Lamp\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n\
         [node name=\"Bulb\" type=\"Sprite2D\" parent=\".\"]\n",
    );
    write("props/lamp.gd", "extends Node2D\n@onready var bulb = $Bulb\n");
    write(
        "props/red.tscn",
        "[gd_scene format=3 uid=\"uid://c1a3m0607cq6k\"]\n\n\
         [ext_resource type=\"PackedScene\" uid=\"uid://b8a3m0607cq6k\" path=\"res://props/lamp.tscn\" id=\"1\"]\n\n\
         [node name=\"Red\" instance=ExtResource(\"1\")]\n\n\
         [node name=\"Bulb\" parent=\".\"]\nmodulate = Color(1, 0, 0, 1)\n",
    );
    write(
        "level.tscn",
        "[gd_scene format=3]\n\n\
         [ext_resource type=\"PackedScene\" path=\"res://props/red.tscn\" id=\"1\"]\n\n\
         [node name=\"Level\" type=\"Node2D\"]\n\n\
         [node name=\"One\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
         [node name=\"Two\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
         [node name=\"Bulb\" parent=\"Two\"]\nvisible = false\n\n\
         [connection signal=\"draw\" from=\"One/Bulb\" to=\".\" method=\"hide\"]\n\n[editable path=\"Two\"]\n",
    );
    let broken = "[gd_scene format=3]\n\n[node name=\"X\" parent=\"Y\"]\n";
    write(".godot/x.tscn", broken);
    write("old/.gdignore", "");
    write("old/x.tscn", broken);
    write("demo/project.godot", "config_version=5\n");
    write("demo/y.tscn", "[gd_scene format=3]\n\n[node name=\"Y\" type=\"Node\"]\n");
    folder
}

fn text(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn scenes_are_looked_at_in_their_project() {
    let folder = lamps();
    let at = folder.path();
    fs::copy(at.join("props/red.tscn"), at.join("props/red2.tscn")).unwrap();
    let late = "[gd_scene format=3]\r\n\r\n[node name=\"A\" type=\"Node\"]\r\nx = 1\r\nx = 2\r\n\r\n\
        [node name=\"C\" type=\"Node\" parent=\"B\"]\r\n\r\n[node name=\"B\" type=\"Node\" parent=\".\"]\r\n";
    fs::write(at.join("late.tscn"), late).unwrap();
    fs::write(at.join("marked.tres"), "[gd_resource type=\"Curve\" format=3]\n<<<<<<< HEAD\n")
        .unwrap();
    let old = text(at, "props/lamp.tscn");
    fs::write(at.join("props/lamp.tscn"), old.replace("\"Bulb\"", "\"Light\"")).unwrap();
    insta::assert_snapshot!(session_in(
        at,
        &[
            "lint .",
            "lint props/red.tscn --json",
            "lint . --only stale-override --only stale-connection",
            "lint . --fix --ignore stale-override --ignore stale-connection",
            "lint . --ignore stale-override --ignore stale-connection",
        ]
    ));
    assert_eq!(
        text(at, "late.tscn"),
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = 2\n\n\
         [node name=\"B\" type=\"Node\" parent=\".\"]\n\n[node name=\"C\" type=\"Node\" parent=\"B\"]\n"
    );
}

/// Where `res://` starts is not known then.
#[test]
fn files_outside_of_a_project_are_not_called_missing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["child.tscn", "load_editlost.tscn"] {
        fs::copy(testdata("godot-resource/scenes46").join(name), folder.path().join(name)).unwrap();
    }
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\n";
    fs::write(folder.path().join("a.tscn"), scene).unwrap();
    insta::assert_snapshot!(session_in(folder.path(), &["lint .", "lint a.tscn"]));
}

#[test]
fn a_node_gets_another_name_in_all_scenes() {
    let folder = lamps();
    let at = folder.path();
    insta::assert_snapshot!(session_in(
        at,
        &[
            "refactor node props/lamp.tscn Bulb Light --dry-run",
            "refactor node props/lamp.tscn Lamp/Bulb Light --json",
            "lint .",
            "refactor node props/red.tscn Light Bulb",
            "refactor node props/lamp.tscn Bulb Light",
            "refactor node level.tscn One Lamps/One",
            "refactor node level.tscn Two One/Pair",
        ]
    ));
    for path in ["props/lamp.tscn", "props/red.tscn", "level.tscn"] {
        let text = text(at, path);
        assert!(!text.contains("Bulb") && text.contains("Light"), "{text}");
    }
}

#[test]
fn all_scenes_change_or_none() {
    let folder = lamps();
    let at = folder.path();
    fs::write(at.join("zoo.tscn"), "[gd_scene format=3]\n<<<<<<< HEAD\n").unwrap();
    let before = text(at, "props/lamp.tscn");
    let ran = run_in(at, "refactor node props/lamp.tscn Bulb Light");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("zoo.tscn"), "{}", ran.stderr);
    assert_eq!(text(at, "props/lamp.tscn"), before);
}
