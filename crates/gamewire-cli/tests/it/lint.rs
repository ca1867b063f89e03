//! lint, and resolve of prefabs, on a project with two gems.

use std::fs;
use std::path::Path;

use crate::run::{run_in, session_in, testdata};

/// A copy of the sample project.
fn project() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let (path, name) = (entry.as_ref().unwrap().path(), entry.unwrap().file_name());
            match path.is_dir() {
                true => copy(&path, &to.join(name)),
                false => _ = fs::copy(&path, to.join(name)).unwrap(),
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&testdata("o3de-json/project"), folder.path());
    folder
}

#[test]
fn findings_have_places_and_are_removed_where_nothing_is_lost() {
    let folder = project();
    fs::write(folder.path().join("Levels/Mine.prefab"), "{\n<<<<<<< HEAD\n}\n").unwrap();
    fs::write(folder.path().join("Levels/Half.prefab"), "{\n  \"Entities\": {\n").unwrap();
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "lint .",
            "lint Levels/Start.prefab --json",
            "lint Levels/Start.prefab --fix",
            "lint Levels/Start.prefab",
            "lint Gems",
        ]
    ));
    // Only the lines of what was removed are gone.
    let fixed = fs::read_to_string(folder.path().join("Levels/Start.prefab")).unwrap();
    let before = fs::read_to_string(testdata("o3de-json/project/Levels/Start.prefab")).unwrap();
    let mut lines = before.lines().map(|line| line.trim_end_matches(','));
    let mut left = fixed.lines().map(|line| line.trim_end_matches(','));
    assert!(left.all(|line| lines.any(|own| own == line)), "{fixed}");
}

#[test]
fn instances_are_brought_in_from_the_gems() {
    let folder = project();
    let ran = run_in(folder.path(), "resolve Levels/Start.prefab");
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr);
    let level: serde_json::Value = serde_json::from_str(ran.text()).unwrap();
    let lamp = &level["Instances"]["Instance_[101]"];
    let transform = &lamp["ContainerEntity"]["Components"]["Component_[11]"]["Transform Data"];
    assert_eq!(transform["Translate"], serde_json::json!([0.0, 0.0, 3.5]));
    let fence = &level["Instances"]["Instance_[102]"]["ContainerEntity"];
    assert_eq!(fence["Name"], "North fence");

    let listed = run_in(folder.path(), "resolve Levels/Start.prefab --list");
    let names: Vec<&str> =
        listed.text().lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(names, ["Prefabs/Lamp.prefab", "fence/fence.prefab"]);
    assert!(listed.text().contains("Gems/Fences/Assets/Fence/Fence.prefab"), "{}", listed.text());
}
