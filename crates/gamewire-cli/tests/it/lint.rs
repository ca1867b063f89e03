//! lint, and resolve of prefabs, on a project with two gems.

use std::fs;

use crate::run::{project, run_in, session_in, testdata};

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

/// A level whose own source is there, in which there is an instance of what no scan folder has.
#[test]
fn nothing_is_removed_below_a_source_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("Prefabs")).unwrap();
    let source = "FromAGemOfWhichThisCloneHasNothing/B.prefab";
    let a = format!(
        r#"{{"Entities": {{}}, "Instances": {{"Instance_[1]": {{"Source": "{source}"}}}}}}"#
    );
    let level = r#"{"Entities": {}, "Instances": {"Instance_[9]": {"Source": "Prefabs/A.prefab", "Patches": [
        {"op": "replace", "path": "/Instances/Instance_[1]/Entities/Entity_[5]/Name", "value": "Mine"},
        {"op": "replace", "path": "/Entities/Entity_[5]/Name", "value": "Gone"}]}}}"#;
    fs::write(at.join("project.json"), r#"{"project_name": "p"}"#).unwrap();
    fs::write(at.join("Prefabs/A.prefab"), a).unwrap();
    fs::write(at.join("Level.prefab"), level).unwrap();
    let ran = run_in(at, "lint --fix .");
    let lines: Vec<&str> = ran.text().lines().collect();
    let expected = format!(
        "./Level.prefab:1:48: cannot read `{source}`: no scan folder has it, in `Instance_[9]` of `Prefabs/A.prefab`; \
         1 override hangs on it [missing-source]"
    );
    assert_eq!(lines[0], expected);
    assert!(
        lines[1].ends_with(" has no target in `Prefabs/A.prefab` [stale-override], removed"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("./Prefabs/A.prefab:") && lines[2].contains(source),
        "{}",
        lines[2]
    );
    assert_eq!((ran.code, lines[3]), (1, "3 files: 3 findings, 1 removed"));
    let fixed = fs::read_to_string(at.join("Level.prefab")).unwrap();
    assert!(fixed.contains("\"Mine\"") && !fixed.contains("\"Gone\""), "{fixed}");
    let again = run_in(at, "lint Level.prefab --json");
    let rows: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert!(rows[0]["message"].as_str().unwrap().contains(source), "{rows}");
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
}

/// A project beside its engine and its gems, found by what is registered and by what is given.
#[test]
fn sources_are_found_where_the_engine_finds_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    let write = |path: &str, text: &str| {
        let file = at.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("eng/engine.json", r#"{"engine_name": "o3de"}"#);
    write("eng/Assets/Editor/Prefabs/Sky.prefab", r#"{"Entities": {}}"#);
    write("gems/Lamps/gem.json", r#"{"gem_name": "Lamps"}"#);
    write("gems/Lamps/Assets/Lamp.prefab", r#"{"Entities": {}}"#);
    write(
        "game/project.json",
        r#"{"project_name": "g", "engine": "o3de", "gem_names": ["Lamps"]}"#,
    );
    let level = r#"{"Entities": {}, "Instances": {"I1": {"Source": "Prefabs/Sky.prefab"}, "I2": {"Source": "Lamp.prefab"}}}"#;
    write("game/Level.prefab", level);
    let lint = |line: &str| run_in(&at, line);
    let ran = lint("lint game");
    assert_eq!(ran.text().matches("[missing-source]").count(), 2, "{}", ran.text());
    let note = "note: projects name what is not found; --engine and --gem say where it is: ";
    assert_eq!(ran.end(), (1, format!("{note}the engine `o3de`, the gem `Lamps`\n").as_str()));
    let ran = lint("lint game --scan-folder gems/Lamps/Assets --engine eng");
    assert_eq!(ran.end(), (0, ""), "{}", ran.text());
    for line in
        ["lint game", "resolve game/Level.prefab", "tree game/Level.prefab --expand", "graph game"]
    {
        let ran = lint(&format!("{line} --engine eng --gem gems/Lamps"));
        assert_eq!(ran.end(), (0, ""), "{line}");
        assert!(
            !ran.text().contains("not found") || ran.text().contains("0 not found"),
            "{}",
            ran.text()
        );
    }
    let manifest = format!(
        r#"{{"engines": ["{0}/eng"], "external_subdirectories": ["{0}/gems/Lamps"]}}"#,
        at.display()
    );
    write("home/.o3de/o3de_manifest.json", &manifest);
    let mut registered = crate::run::command("lint game");
    let ran = registered.current_dir(&at).env("HOME", at.join("home")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    // Outside of a project, what is given is all there is.
    write("alone/Level.prefab", level);
    assert_eq!(lint("lint alone --engine eng --gem gems").code, 0);
    let ran = lint("refactor property Light /Power Watt alone --engine eng --dry-run");
    assert_eq!(ran.end(), (1, ""), "{}", ran.text());
}

/// A prefab with one entity of these components, and these instances.
fn level(components: &str, instances: &str) -> String {
    format!(
        "{{\n  \"ContainerEntity\": {{\"Id\": \"ContainerEntity\", \"Name\": \"Level\", \"Components\": {{\
         \"P\": {{\"$type\": \"EditorPrefabComponent\"}}}}}},\n  \
         \"Entities\": {{\"Entity_[7]\": {{\"Id\": \"Entity_[7]\", \"Name\": \"Gate\", \"Components\": {{\n\
         {components}\n  }}}}}},\n  \"Instances\": {{\n{instances}\n  }}\n}}\n"
    )
}

/// A container entity with what every prefab has.
const CONTAINER: &str = r#""ContainerEntity": {"Name": "Level", "Components": {"P": {"$type": "EditorPrefabComponent"}}}"#;

/// Each thing that lint knows, with its place, which a mark shows; and next to it what is well.
#[test]
fn each_rule_has_its_place() {
    let lamp = |patches: &str| {
        level(
            "",
            &format!(
                r#""Instance_[1]": {{"Source": "Prefabs/Lamp.prefab", "Patches": [{patches}]}}"#
            ),
        )
    };
    let patch = |operation: &str, path: &str, value: &str| {
        format!(r#"{{"op": "{operation}", "path": "{path}", "value": {value}}}"#)
    };
    let collider = "/Entities/Entity_[21]/Components/Component_[31]/Tag";
    let gone = "/Entities/Entity_[21]/Components/Component_[39]/Tag";
    let parent = "/ContainerEntity/Components/Component_[11]/Parent Entity";
    let component = |inside: &str| level(&format!(r#""Component_[1]": {{{inside}}}"#), "");
    // The gate below a parent, in the orders of another entity and of the parent.
    let child = |parent: &str, other: &str, own: &str, mark: &str| {
        let sort = |own: &str| {
            format!(r#"{{"$type": "EditorEntitySortComponent", "Child Entity Order": [{own}]}}"#)
        };
        let gate = format!(
            r#"{{"Name": "Gate", "Components": {{"T": {{"$type": "TransformComponent", "Parent Entity": {mark}"{parent}"}}}}}}"#
        );
        format!(
            r#"{{{}, "Entities": {{"Entity_[7]": {gate}, "Entity_[9]": {{"Components": {{"S": {}}}}}}}}}"#,
            CONTAINER.replace("{\"P\"", &format!("{{\"S\": {}, \"P\"", sort(own))),
            sort(other)
        )
    };
    let bulb = r#""Instance_[1]": {"Source": "Prefabs/Lamp.prefab"}"#;
    let rows = [
        ("stale-override", lamp(&format!("\n  §{}", patch("replace", gone, "1")))),
        ("", lamp(&patch("replace", collider, "1"))),
        ("unknown-operation", lamp(&format!("§{}", patch("set", collider, "1")))),
        ("missing-source", level("", r#""Instance_[1]": §{"Source": "Prefabs/Gone.prefab"}"#)),
        ("dangling-parent", component(r#""Id": 1, "Parent Entity": §"Entity_[8]""#)),
        ("", component(r#""Id": 1, "Parent Entity": "ContainerEntity""#)),
        ("dangling-parent", lamp(&patch("replace", parent, "§\"../Entity_[8]\""))),
        ("", lamp(&patch("replace", parent, "\"../Entity_[7]\""))),
        ("dangling-reference", component(r#""Id": 1, "Target": {"a": [§"Entity_[8]"]}"#)),
        ("", component(r#""Id": 1, "Target": {"a": ["Entity_[7]"]}"#)),
        ("dangling-reference", level(r#""C": {"Target": §"Instance_[1]/Entity_[22]"}"#, bulb)),
        ("", level(r#""C": {"Target": "Instance_[1]/Entity_[21]"}"#, bulb)),
        ("duplicate-id", level(r#""Component_[1]": {"Id": 1}, "Light": {"Id": §1}"#, "")),
        ("other-id", component("\"Id\": §2")),
        (
            "stale-order",
            component(
                r#""Id": 1, "ComponentOrderEntryArray": [{"ComponentId": 1}, §{"ComponentId": 3}]"#,
            ),
        ),
        (
            "stale-order",
            component(r#""Id": 1, "Child Entity Order": ["Entity_[7]", §"Entity_[8]"]"#),
        ),
        ("missing-asset", component(r#""Id": 1, "a": {"assetHint": §"prefabs/gone.azmodel"}"#)),
        ("", component(r#""Id": 1, "a": {"assetHint": "prefabs/lamp.spawnable"}"#)),
        // Nobody here has its folder: it may be the engine's.
        ("", component(r#""Id": 1, "a": {"assetHint": "engine/gone.azmodel"}"#)),
        ("no-entities", format!("§{{{CONTAINER}}}")),
        (
            "no-prefab-component",
            r#"{"ContainerEntity": §{"Name": "x"}, "Entities": {}}"#.to_owned(),
        ),
        (
            "parent-cycle",
            component(r#""$type": "TransformComponent", "Id": 1, "Parent Entity": §"Entity_[7]""#),
        ),
        ("unordered-child", child("ContainerEntity", "", "", "§")),
        ("ordered-twice", child("ContainerEntity", "§\"Entity_[7]\"", "\"Entity_[7]\"", "")),
        ("other-parent", child("ContainerEntity", "§\"Entity_[7]\"", "", "")),
        ("", child("ContainerEntity", "", "\"Entity_[7]\"", "")),
        (
            "restated-override",
            lamp(&format!("§{}", patch("replace", "/ContainerEntity/Name", "\"Lamp\""))),
        ),
        ("", lamp(&patch("replace", "/ContainerEntity/Name", "\"Torch\""))),
        (
            "no-parent",
            format!(
                r#"{{{}, "Entities": {{}}, "Instances": {{"Instance_[1]": §{{"Source": "Prefabs/Lamp.prefab"}}}}}}"#,
                CONTAINER.replace("{\"P\"", "{\"T\": {\"$type\": \"TransformComponent\"}, \"P\"")
            ),
        ),
        ("conflict-marker", "{\n§<<<<<<< HEAD\n}\n".to_owned()),
        ("not-json", "{\"Entities\": {},§}".to_owned()),
    ];
    for (rule, text) in rows {
        let folder = project();
        fs::write(folder.path().join("Levels/One.prefab"), text.replace('§', "")).unwrap();
        // Without an engine, an asset that is not there may be the engine's.
        fs::create_dir(folder.path().join("o3de")).unwrap();
        let ran = run_in(folder.path(), "lint Levels/One.prefab --engine o3de");
        let lines: Vec<&str> = ran.text().lines().collect();
        let Some(at) = text.find('§') else {
            assert_eq!((ran.code, lines.as_slice()), (0, &["1 file: 0 findings"][..]), "{text}");
            continue;
        };
        let (line, column) = (
            text[..at].matches('\n').count() + 1,
            at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1,
        );
        assert_eq!((ran.code, lines.len()), (1, 2), "{text}{}", ran.text());
        let place = format!("Levels/One.prefab:{line}:{column}: ");
        assert!(lines[0].starts_with(&place), "{place} {}", ran.text());
        assert!(lines[0].ends_with(&format!(" [{rule}]")), "{}", ran.text());
    }
}

/// What is looked for, for a build that is to fail for some of it.
#[test]
fn rules_are_chosen() {
    let folder = project();
    let at = folder.path();
    fs::write(at.join("Mark.setreg"), b"\xef\xbb\xbf{\"a\": 1}").unwrap();
    insta::assert_snapshot!(session_in(
        at,
        &[
            "lint . --only byte-order-mark --only dangling-parent",
            "lint . --ignore stale-order --ignore dangling-parent --ignore stale-override --ignore byte-order-mark",
            "lint Levels --only stale-override --fix",
            "lint Levels --only stale-override",
            "lint Levels --only dangling-parent --ignore dangling-parent --json",
            "lint Levels --only nothing",
        ]
    ));
}

/// Files whose names others have, too, are those of O3DE where they are JSON.
#[test]
fn only_files_of_the_engine_are_looked_at() {
    let folder = project();
    for (name, text) in [
        ("ogre.material", "material Wood\n{\n}\n"),
        ("unity.shader", "Shader \"Wood\" {\n}\n"),
        ("package.json", "{\"name\": \"x\",}"),
        ("cut.material", "{\"materialType\": "),
        ("merged.shader", "<<<<<<< HEAD\n"),
    ] {
        fs::write(folder.path().join("Levels").join(name), text).unwrap();
    }
    let ran = run_in(folder.path(), "lint Levels");
    let rules: Vec<&str> =
        ran.text().lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    let count = |rule: &str| rules.iter().filter(|own| **own == rule).count();
    assert_eq!((count("[not-json]"), count("[conflict-marker]")), (1, 1), "{}", ran.text());
    assert!(ran.text().contains("3 files: "), "{}", ran.text());
}

/// The engine leaves them out (JsonMerger.cpp), so that the lists are those of the source.
#[test]
fn overrides_past_the_end_of_a_list_are_left_out_and_said() {
    let at = testdata("o3de-json/overrides");
    for level in ["T0", "T1", "T2", "T7"] {
        let file = format!("Levels/{level}.prefab");
        let ran = run_in(&at, format!("resolve {file}").as_str());
        let place = format!("note: {file}:17:17: Invalid: ");
        assert!(ran.code == 1 && ran.stderr.starts_with(&place), "{}", ran.stderr);
        let whole: serde_json::Value = serde_json::from_str(ran.text()).unwrap();
        let source = &whole["Instances"]["Instance_[7]"];
        let order = &source["ContainerEntity"]["Components"]["EditorEntitySortComponent"];
        assert_eq!(order["Child Entity Order"], serde_json::json!(["Entity_[1]", "Entity_[2]"]));
        let tags = &source["Entities"]["Entity_[1]"]["Components"]["EditorTagComponent"]["Tags"];
        assert_eq!(*tags, serde_json::json!(["red"]));
        let drawn = run_in(&at, format!("tree {file} --expand").as_str());
        let why = "note: 1 override left out; `gamewire resolve` says why\n";
        assert_eq!(drawn.end(), (0, why));
        let ran = run_in(&at, format!("lint {file}").as_str());
        let lines: Vec<&str> = ran.text().lines().collect();
        assert!(lines[0].ends_with("[stale-override]"), "{}", ran.text());
        assert_eq!((ran.code, lines[1]), (1, "1 file: 1 finding"));
    }
}

#[test]
fn what_lost_its_parent_is_found_and_drawn_apart() {
    let at = testdata("o3de-json/overrides");
    insta::assert_snapshot!(session_in(
        &at,
        &["lint Levels/Lost.prefab", "tree Levels/Lost.prefab", "tree Levels/Lost.prefab --json"]
    ));
}

/// In a fresh clone nothing says which assets are the engine's.
#[test]
fn assets_are_not_missing_while_the_engine_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("game/materials")).unwrap();
    fs::create_dir_all(at.join("eng/Assets/Engine")).unwrap();
    fs::create_dir_all(at.join("Wheels")).unwrap();
    fs::write(at.join("Wheels/gem.json"), r#"{"gem_name": "Wheels"}"#).unwrap();
    fs::write(
        at.join("game/a.prefab"),
        r#"{"Entities": {"E": {"Components": {"C": {"assetHint": "materials/a.azmaterial"}}}}}"#,
    )
    .unwrap();
    let project = |text: &str| fs::write(at.join("game/project.json"), text).unwrap();
    let ran = |line: &str| {
        let ran = run_in(at, line);
        (ran.code, ran.text().to_owned(), ran.stderr)
    };
    let clean = "2 files: 0 findings\n".to_owned();
    let left = "1 asset may be there, and so not checked\n";
    project(r#"{"project_name": "g"}"#);
    let note = format!("note: no engine is found; --engine says where it is; {left}");
    assert_eq!(ran("lint game"), (0, clean.clone(), note));
    assert_eq!(ran("lint game --ignore missing-asset"), (0, clean.clone(), String::new()));
    project(r#"{"project_name": "g", "engine": "o3de", "gem_names": ["Wheels"]}"#);
    let why = "projects name what is not found; --engine and --gem say where it is";
    let note = format!("note: {why}: the engine `o3de`, the gem `Wheels`; {left}");
    assert_eq!(ran("lint game"), (0, clean.clone(), note));
    let note = format!("note: {why}: the gem `Wheels`; {left}");
    assert_eq!(ran("lint game --engine eng"), (0, clean, note));
    let (code, text, stderr) = ran("lint game --engine eng --gem Wheels");
    assert_eq!((code, text.contains("[missing-asset]"), stderr.as_str()), (1, true, ""), "{text}");
}

/// A model that was dragged into a level.
#[test]
fn a_project_with_procedural_prefabs_is_clean() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("objects")).unwrap();
    fs::create_dir(at.join("engine")).unwrap();
    fs::write(at.join("objects/robot.fbx"), "").unwrap();
    fs::write(at.join("project.json"), r#"{"project_name": "p"}"#).unwrap();
    let patch = |path: &str, value: &str| {
        format!(r#"{{"op": "replace", "path": "{path}", "value": {value}}}"#)
    };
    let hint = "\"objects/default_robot_95b5e7c8_4232_529c_95d3_7f7d7981eac0_.azmodel\"";
    let level = format!(
        r#"{{{CONTAINER}, "Entities": {{"Entity_[1]": {{"Components": {{"M": {{"assetHint": {hint}}}}}}}}},
            "Instances": {{"Instance_[1]": {{"Source": "objects/robot_fbx.procprefab", "Patches": [{}, {}]}}}}}}"#,
        patch("/ContainerEntity/Components/T/Parent Entity", "\"../ContainerEntity\""),
        patch("/Entities/Entity_[9]/Components/Gone/List/7", "1")
    );
    fs::write(at.join("Level.prefab"), &level).unwrap();
    let ran = run_in(at, "lint . --engine engine");
    assert_eq!((ran.text(), ran.end()), ("2 files: 0 findings\n", (0, "")));
    let ran = run_in(at, "graph Level.prefab");
    assert!(ran.text().contains("prefab  objects/robot.fbx"), "{}", ran.text());
    // What is in it is not known.
    let ran = run_in(at, "resolve Level.prefab");
    let why =
        "`objects/robot_fbx.procprefab` is made of `objects/robot.fbx` by the Asset Processor";
    assert!(ran.code == 1 && ran.stderr.contains(why), "{}", ran.stderr);
    fs::remove_file(at.join("objects/robot.fbx")).unwrap();
    let ran = run_in(at, "lint . --engine engine");
    assert!(ran.text().contains("[missing-source]") && ran.code == 1, "{}", ran.text());
}

/// For files of other formats it says which command reads them.
#[test]
fn files_of_others_are_sent_to_their_command() {
    let folder = project();
    let at = folder.path();
    fs::copy(testdata("resonite-brson/lamp.resonitepackage"), at.join("lamp.resonitepackage"))
        .unwrap();
    fs::copy(testdata("resonite-brson/lamp.brson"), at.join("lamp.brson")).unwrap();
    fs::write(at.join("Lamp.material"), r#"{"materialType": "a", "propertyValues": {}}"#).unwrap();
    let xml = "<ObjectStream version=\"3\">\n\t<Class name=\"InputEventBindingsAsset\"/>\n</ObjectStream>\n";
    for name in
        ["a.inputbindings", "a.azasset", "a.scriptcanvas", "a.physxmaterial", "a.fbx.assetinfo"]
    {
        fs::write(at.join(name), format!("\u{feff}<?xml version=\"1.0\"?>\n{xml}")).unwrap();
        for command in ["lint", "decode", "check", "detect", "tree"] {
            let ran = run_in(at, format!("{command} {name}").as_str());
            let said = format!("{}{}", ran.text(), ran.stderr);
            assert!(
                said.contains("ObjectStream XML, which this does not read"),
                "{command} {name}: {said}"
            );
            assert_eq!(ran.code, 1, "{command} {name}");
        }
    }
    insta::assert_snapshot!(session_in(
        at,
        &[
            "lint lamp.resonitepackage",
            "lint lamp.brson Levels --only dangling-parent",
            "rows Lamp.material",
            "rows lamp.brson",
            "rows a.azasset",
            "decode a.azasset -f o3de-json",
        ]
    ));
    // In folders they are passed over.
    assert_eq!(run_in(at, "lint . --only not-json").code, 0);
}
