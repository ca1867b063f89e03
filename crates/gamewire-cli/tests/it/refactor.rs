//! refactor: names that change in a whole project, in all files or in none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::run::{project, run_in, session_in, testdata};

/// The files below a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(place) = folders.pop() {
        for entry in fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// How often a text is in the files.
fn count(files: &BTreeMap<String, Vec<u8>>, text: &str) -> usize {
    let times =
        |bytes: &Vec<u8>| bytes.windows(text.len()).filter(|own| *own == text.as_bytes()).count();
    files.values().map(times).sum()
}

#[test]
fn names_change_in_files_and_overrides() {
    let folder = project();
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "refactor component EditorColliderComponent Game::ColliderComponent --dry-run",
            "refactor component EditorColliderComponent Game::ColliderComponent",
            "refactor property Game::ColliderComponent /ShapeConfiguration/Box Cuboid --json",
            "refactor path Prefabs/Bench.prefab Prefabs/Seat.prefab --dry-run",
            "refactor prefab Fence/Fence.prefab Fence/Old/Wall.prefab",
            "resolve Levels/Start.prefab -o whole.prefab",
            "refactor component Nothing Else",
            "refactor property Nothing else x",
            "refactor prefab Fence/Gone.prefab Fence/x.prefab",
            "refactor prefab Fence/Old/Wall.prefab Fence/Old/Wall.prefab",
            "refactor prefab Fence/Old/Wall.prefab ../x.prefab",
            "refactor prefab Fence/Old/Wall.prefab x.prefab Levels",
        ]
    ));
    // The source of an instance is found in its new place.
    assert!(folder.path().join("Gems/Fences/Assets/Fence/Old/Wall.prefab").is_file());
    assert!(!folder.path().join("Gems/Fences/Assets/Fence/Fence.prefab").exists());
    let whole = fs::read_to_string(folder.path().join("whole.prefab")).unwrap();
    assert!(whole.contains("North fence"), "{whole}");
}

/// As many places as the text itself has, nothing else, and back to the same bytes.
fn there_and_back(folder: &Path, what: &str, old: &str, new: &str, expected: usize) {
    let before = files(folder);
    let ran = run_in(folder, &["refactor", what, old, new, "--json"]);
    assert_eq!(ran.end(), (0, ""));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(rows.len(), expected, "{old}");
    let there = files(folder);
    for row in &rows {
        // What is said to be there is there, by its line.
        let name = row["file"].as_str().unwrap().trim_start_matches("./");
        let line = usize::try_from(row["line"].as_u64().unwrap()).unwrap() - 1;
        let text = String::from_utf8_lossy(&there[name]).into_owned();
        let text = text.lines().nth(line).unwrap();
        assert!(text.contains(row["new"].as_str().unwrap()), "{row} {text}");
    }
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&before), names(&there));
    let ran = run_in(folder, &["refactor", what, new, old, "--json"]);
    assert_eq!(ran.end(), (0, ""));
    assert!(files(folder) == before, "{old}");
}

#[test]
fn what_changes_is_what_the_text_has() {
    let folder = project();
    let at = folder.path();
    let all = files(at);
    there_and_back(
        at,
        "component",
        "EditorColliderComponent",
        "X",
        count(&all, "\"EditorColliderComponent\""),
    );
    there_and_back(
        at,
        "component",
        "TransformComponent",
        "X::Place",
        count(&all, " TransformComponent\""),
    );
    there_and_back(
        at,
        "path",
        "Prefabs/Lamp.prefab",
        "Lights/Torch.prefab",
        count(&all, "\"Prefabs/Lamp.prefab\""),
    );
    // It is written in lower case where it stands.
    there_and_back(
        at,
        "path",
        "Fence/Fence.prefab",
        "Fence/Wall.prefab",
        count(&all, "\"fence/fence.prefab\""),
    );
    let translate = "/Transform Data/Translate";
    let expected = count(&all, "/Component_[11]/Transform Data/Translate/");
    let paths = ["TransformComponent", translate];
    let before = files(at);
    let ran = run_in(at, &["refactor", "property", paths[0], paths[1], "Moved", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(rows.len(), expected);
    run_in(at, &["refactor", "property", paths[0], "/Transform Data/Moved", "Translate"]).good();
    assert!(files(at) == before);
}

/// A name that changes in some overrides and not in others is worse than one that stays.
#[test]
fn properties_stay_where_sources_are_missing() {
    let folder = project();
    let at = folder.path();
    let level = fs::read_to_string(at.join("Levels/Start.prefab")).unwrap();
    let translate =
        r#"{"op": "replace", "path": "/E/Components/C/Transform Data/Translate/0", "value": 1}"#;
    let bench = r#""Source": "Prefabs/Bench.prefab""#;
    let level = level.replace(bench, &format!(r#"{bench}, "Patches": [{translate}, {translate}]"#));
    fs::write(at.join("Levels/Start.prefab"), level).unwrap();
    let before = files(at);
    let line = ["refactor", "property", "TransformComponent", "/Transform Data/Translate", "Moved"];
    let ran = run_in(at, &line);
    let note = "note: cannot read `Prefabs/Bench.prefab`: no scan folder has it: 2 overrides cannot be decided \
                and would stay as they are\n";
    let refused = "error: nothing has changed: 2 overrides may have the name, and 1 source cannot be read; --engine, \
                   --gem and --scan-folder say where sources are, --partial leaves these overrides as they are\n";
    assert_eq!(ran.end(), (1, format!("{note}{refused}").as_str()));
    assert!(files(at) == before);
    let dry = run_in(at, &[line.as_slice(), &["--dry-run"]].concat());
    assert_eq!(dry.end(), (1, note));
    assert!(files(at) == before);
    let ran = run_in(at, &[line.as_slice(), &["--partial"]].concat());
    assert_eq!(ran.end(), (0, note));
    let now = files(at);
    assert_eq!(
        count(&now, "/Transform Data/Moved/"),
        count(&before, "Component_[11]/Transform Data/Translate/")
    );
    assert_eq!(count(&now, "/E/Components/C/Transform Data/Translate/"), 2);
}

/// A migration as data: in all prefabs of a project, or in none.
#[test]
fn recipes_run_in_all_files() {
    let folder = project();
    let at = folder.path();
    fs::write(
        at.join("recipe.json"),
        r#"{
    "about": "The collider has a controller.",
    "migrations": [{
        "component": "EditorColliderComponent",
        "steps": [{"op": "wrap", "path": "/Controller/Configuration"}, {"op": "rename", "to": "Game::Collider"}]
    }]
}"#,
    )
    .unwrap();
    // Nothing but prefabs has components.
    fs::write(at.join("broken.setreg"), "{").unwrap();
    let before = files(at);
    let session = session_in(
        at,
        &[
            "refactor run recipe.json --dry-run",
            "refactor run recipe.json --json Levels",
            "refactor run recipe.json --partial Gems",
            "refactor run recipe.json",
            "refactor run gone.json",
            "refactor run broken.setreg",
        ],
    );
    insta::assert_snapshot!(session);
    let now = files(at);
    let path = "/Components/Component_[31]/Controller/Configuration/ShapeConfiguration/Box/Scale/0";
    assert_eq!(count(&now, path), 1);
    let types = |name: &str, files| count(files, &format!("\"$type\": \"{name}\""));
    assert_eq!(types("Game::Collider", &now), types("EditorColliderComponent", &before));
}

#[test]
fn folders_that_are_empty_then_go() {
    let folder = project();
    let at = folder.path();
    run_in(at, "refactor prefab Fence/Fence.prefab Fence/Old/Older/Wall.prefab").good();
    run_in(at, "refactor prefab Fence/Old/Older/Wall.prefab Fence/Fence.prefab").good();
    assert!(!at.join("Gems/Fences/Assets/Fence/Old").exists());
    assert!(at.join("Gems/Fences/Assets/Fence/Fence.prefab").is_file());
}

/// With the levels of real projects, where they are beside this one.
#[test]
fn real_levels_change_and_change_back() {
    let real = testdata("../../shared/realdata/o3de");
    if !real.is_dir() {
        return println!("{} is not here, so real files are not tested", real.display());
    }
    let folder = tempfile::tempdir().unwrap();
    for path in [
        "o3de-multiplayersample/Levels/NewStarbase/NewStarbase.prefab",
        "o3de-multiplayersample/Levels/GameplayTest/GameplayTest.prefab",
        "o3de-extras/Gems/WarehouseAssets/Assets/Prefabs/WarehouseScene_small.prefab",
    ] {
        let name = Path::new(path).file_name().unwrap();
        fs::copy(real.join(path), folder.path().join(name)).unwrap();
    }
    let at = folder.path();
    let all = files(at);
    for name in
        ["AZ::Render::EditorMeshComponent", "EditorMaterialComponent", "EditorColliderComponent"]
    {
        let as_type = count(&all, &format!("\"$type\": \"{name}\""));
        let as_key = count(&all, &format!("\"{name}\": {{"));
        let in_path = count(&all, &format!("/Components/{name}/"));
        let numbered: usize = (2..9)
            .map(|at| {
                count(&all, &format!("\"{name}_{at}\": {{"))
                    + count(&all, &format!("/Components/{name}_{at}/"))
            })
            .sum();
        there_and_back(at, "component", name, "My::Part", as_type + as_key + in_path + numbered);
    }
    let name = "Prefabs/Red_Gem_Spawn_Point.prefab";
    let expected = count(&all, &format!("\"{name}\""));
    assert!(expected > 10);
    there_and_back(at, "path", name, "Prefabs/Sub/Red.prefab", expected);
}

/// A file that is broken, or has the name already, or cannot be written: nothing has changed then.
#[test]
fn all_files_change_or_none() {
    let folder = project();
    let at = folder.path();
    let line = "refactor component TransformComponent Place";
    fs::write(at.join("Levels/Zero.prefab"), "{\"Entities\": ").unwrap();
    let before = files(at);
    let ran = run_in(at, line);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("Zero.prefab: expected "), "{}", ran.stderr);
    assert!(files(at) == before);

    let taken =
        "{\"Entities\": {\"E\": {\"Components\": {\"TransformComponent\": {}, \"Place\": {}}}}}";
    fs::write(at.join("Levels/Zero.prefab"), taken).unwrap();
    let before = files(at);
    let ran = run_in(at, line);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("Zero.prefab: `Place` is there already"), "{}", ran.stderr);
    assert!(files(at) == before);
    assert_eq!(run_in(at, [line, "--dry-run"].join(" ").as_str()).code, 1);
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::files::as_nobody;
    use crate::run::TOOL;

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// The last of the files does not fit on what there is to write to.
    #[test]
    fn a_full_disk_changes_nothing() {
        let folder = project();
        let at = folder.path();
        let level = at.join("Levels/Start.prefab");
        let mut text = fs::read_to_string(&level).unwrap();
        text.push_str(&" ".repeat(1 << 20));
        fs::write(level, text).unwrap();
        let before = files(at);
        let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
        let mut shell = Command::new("sh");
        let args = ["refactor", "component", "TransformComponent", "Place"];
        shell.args(["-c", script, TOOL]).args(args).current_dir(at).stdin(Stdio::null());
        let output = shell.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("Start.prefab"), "{said}");
        assert!(files(at) == before);
    }

    /// All can be written, and one cannot get its name: the others get back what they were.
    #[test]
    fn what_was_done_is_undone() {
        let folder = project();
        let at = folder.path();
        let everybody = |path: &Path| {
            let mut around: Vec<_> = vec![path.to_owned()];
            while let Some(path) = around.pop() {
                chmod(&path, if path.is_dir() { 0o777 } else { 0o666 });
                if path.is_dir() {
                    around.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                }
            }
        };
        everybody(at);
        // In which only the owner of a file may take its name away.
        chmod(&at.join("Levels"), 0o1777);
        let before = files(at);
        let ran = as_nobody(at, "refactor component TransformComponent Place");
        if ran.code == 0 {
            return println!("the files belong to whoever runs this, so that nothing is refused");
        }
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("Levels/Start.prefab: "), "{}", ran.stderr);
        assert!(files(at) == before);
        let ran = as_nobody(at, "refactor prefab Fence/Fence.prefab Fence/New/Wall.prefab");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(files(at) == before && !at.join("Gems/Fences/Assets/Fence/New").exists());
    }
}
