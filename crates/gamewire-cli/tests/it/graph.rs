//! graph, tree and diff of prefabs, on a project with two gems.

use std::fs;

use crate::run::{project, run_in, session_in};

#[test]
fn files_are_linked_with_what_they_need() {
    let folder = project();
    let lamp = folder.path().join("Gems/Lamps/Assets/Prefabs");
    fs::write(lamp.join("Bulb.fbx"), "").unwrap();
    fs::write(
        lamp.join("Glass.material"),
        "{\"materialType\": \"../Types/Glass.materialtype\", \"a\": {\"assetHint\": \"prefabs/bulb.azmodel\"},\n \
         \"b\": {\"assetHint\": \"prefabs/bulb.fbx.azmodel\"}, \"c\": {\"$import\": \"Half.json\"}}\n",
    )
    .unwrap();
    let lines = ["graph .", "graph Levels --json", "graph Levels/Start.prefab --dot", "graph gone"];
    let place = folder.path().canonicalize().unwrap().display().to_string();
    insta::assert_snapshot!(session_in(folder.path(), &lines).replace(&place, "PROJECT"));
    // What is found is there.
    let ran = run_in(folder.path(), "graph . --json");
    let graph: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    for file in graph["files"].as_array().unwrap() {
        let is_found = file["path"].as_str().is_some_and(|path| fs::metadata(path).is_ok());
        assert_eq!(file["found"], is_found, "{file}");
    }
    fs::write(folder.path().join("Levels/Half.prefab"), "{").unwrap();
    let ran = run_in(folder.path(), "graph .");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.starts_with("error: ./Levels/Half.prefab: expected "), "{}", ran.stderr);
}

#[test]
fn trees_show_names() {
    let folder = project();
    let path = folder.path().join("Levels/Start.prefab");
    let level = fs::read_to_string(&path).unwrap();
    // More components than a line takes, below two entities.
    let many: String = (0..12)
        .map(|at| format!(",\"K{at}\": {{\"$type\": \"Game::LongComponent{at}\"}}"))
        .collect();
    let level = level
        .replace("\"Parent Entity\": \"Entity_[405]\"\n                }", &format!("\"Parent Entity\": \"\"\n                }}{many}"))
        .replace(
            "\"path\": \"/ContainerEntity/Name\"",
            "\"path\": \"/ContainerEntity/Components/Component_[12]/Parent Entity\", \"value\": \"../Entity_[41]\"}, {\"op\": \"replace\", \"path\": \"/ContainerEntity/Name\"",
        );
    fs::write(&path, level).unwrap();
    let session = session_in(
        folder.path(),
        &[
            "tree Levels/Start.prefab",
            "tree Levels/Start.prefab --expand",
            "tree Levels/Start.prefab --all",
            "tree Levels/Start.prefab --expand --json",
            "tree project.json --expand",
        ],
    );
    insta::assert_snapshot!(session);
    let text = session.split("$ gamewire tree Levels/Start.prefab --expand --json").next().unwrap();
    let mut drawn = text.lines().filter(|line| !line.starts_with("note: "));
    assert!(drawn.all(|line| line.chars().count() <= 80), "{text}");
    let other = run_in(&crate::run::samples(), "tree savegame.dat --expand");
    assert_eq!(other.end(), (2, "error: savegame.dat: is not a prefab; --expand needs one\n"));
}

#[test]
fn differences_of_levels_have_names() {
    let folder = project();
    let path = folder.path().join("Levels/Start.prefab");
    let level = fs::read_to_string(&path).unwrap();
    let other = level
        .replace("Entity_[405]", "")
        .replace("3.5", "4.5")
        .replace("\"Id\": 51,", "\"Id\": 51, \"IsStatic\": true,")
        .replace("\"Name\": \"Gate\",", "")
        .replace("\"North fence\"", "\"South fence\"");
    fs::write(folder.path().join("Levels/Other.prefab"), other).unwrap();
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "diff Levels/Start.prefab Levels/Other.prefab",
            "diff Levels/Start.prefab Levels/Other.prefab --json"
        ]
    ));
}
