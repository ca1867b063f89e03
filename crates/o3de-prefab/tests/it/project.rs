//! Projects: scan folders, the files that documents name, and what is gone.

use std::fs;
use std::path::Path;

use o3de_json::value::Document;
use o3de_prefab::{Asset, Graph, Loader, Project, ReferenceKind, Rule};

use crate::support::{root, value};

fn sample() -> std::path::PathBuf {
    root().join("testdata/o3de-json/project").canonicalize().unwrap()
}

#[test]
fn files_have_a_name_for_each_scan_folder() {
    let folder = sample();
    let lamp = folder.join("Gems/Lamps/Assets/Prefabs/Lamp.prefab");
    // A gem in a project is looked at as the project does.
    assert_eq!(Project::root_around(&lamp).unwrap(), Some(folder.clone()));
    assert_eq!(Project::root_around(&folder).unwrap(), Some(folder.clone()));
    let project = Project::at(&folder);
    assert_eq!(
        project.names(&lamp),
        ["Gems/Lamps/Assets/Prefabs/Lamp.prefab", "Prefabs/Lamp.prefab"]
    );
    assert_eq!(project.find("PREFABS\\lamp.prefab"), Some(lamp.clone()));
    for path in ["Prefabs/Bench.prefab", "../project/project.json", "/etc/passwd", ""] {
        assert_eq!(project.find(path), None, "{path}");
    }
    assert_eq!(project.asset("prefabs/lamp.spawnable"), Asset::Found(lamp.clone()));
    assert_eq!(project.asset("prefabs/lamp.network.spawnable"), Asset::Found(lamp));
    assert_eq!(project.asset("prefabs/bench.spawnable"), Asset::Missing);
    assert_eq!(project.asset("prefabs/lamp.azmodel"), Asset::Missing);
    assert_eq!(project.asset("engine/bench.spawnable"), Asset::Unknown);
    assert_eq!(project.asset("bench.spawnable"), Asset::Unknown);
}

#[test]
fn products_lead_to_what_they_are_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("a");
    fs::create_dir(&inside).unwrap();
    for name in ["Lamp.fbx", "Lamp_Glass.fbx", "Wood.png", "Shade.material"] {
        fs::write(inside.join(name), "").unwrap();
    }
    let project = Project::of([folder.path()]);
    let found = |path: &str| match project.asset(path) {
        Asset::Found(file) => file.file_name().unwrap().to_string_lossy().into_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(found("a/lamp.fbx.azmodel"), "Lamp.fbx");
    assert_eq!(found("a/lamp.azmodel"), "Lamp.fbx");
    // Of a part of a model, the longest name that it begins with.
    assert_eq!(found("a/lamp_glass_1234567.azmaterial"), "Lamp_Glass.fbx");
    assert_eq!(found("a/lamp_foot_1234567.azmaterial"), "Lamp.fbx");
    assert_eq!(found("a/shade.azmaterial"), "Shade.material");
    assert_eq!(found("a/wood.png.streamingimage"), "Wood.png");
    assert_eq!(found("a/wood.streamingimage"), "Wood.png");
    assert_eq!(found("a/wood.azmodel"), "Missing");
}

#[test]
fn files_that_documents_name_are_listed() {
    let document = value(
        r#"{"Instances": {"a": {"Source": "A.prefab"}, "b": {"Source": "A.prefab"}},
            "m": {"$import": {"filename": "base.json", "patch": {}}}, "n": {"$import": "more.json"},
            "asset": {"assetHint": "objects/a.azmodel"}, "none": {"assetHint": ""},
            "textureMap": "Textures/a.png", "Name": "a.png", "url": "https://x/a.png", "text": "png", "pattern": "*.png"}"#,
    );
    let found: Vec<_> = o3de_prefab::references(&document)
        .into_iter()
        .map(|own| (own.kind, own.path, own.count))
        .collect();
    let row = |kind, path: &str, count| (kind, path.to_owned(), count);
    assert_eq!(
        found,
        [
            row(ReferenceKind::Prefab, "A.prefab", 2),
            row(ReferenceKind::Import, "base.json", 1),
            row(ReferenceKind::Import, "more.json", 1),
            row(ReferenceKind::Asset, "objects/a.azmodel", 1),
            row(ReferenceKind::File, "Textures/a.png", 1),
        ]
    );
}

#[test]
fn a_graph_has_each_file_once() {
    let folder = sample();
    let project = Project::at(&folder);
    let level = folder.join("Levels/Start.prefab");
    let document: Document = fs::read_to_string(&level).unwrap().parse().unwrap();
    let mut graph = Graph::new();
    graph.add(&project, &level, document.value());
    graph.add(&project, Path::new("Levels/Other.prefab"), document.value());
    let names: Vec<_> =
        graph.files().iter().map(|own| (own.name.as_str(), own.path.is_some())).collect();
    assert_eq!(
        names,
        [
            ("Levels/Start.prefab", true),
            ("Gems/Lamps/Assets/Prefabs/Lamp.prefab", true),
            ("Gems/Fences/Assets/Fence/Fence.prefab", true),
            ("Prefabs/Bench.prefab", false),
            ("Levels/Other.prefab", true),
        ]
    );
    assert_eq!(graph.links().len(), 6);
    assert!(graph.to_dot().contains("\"Prefabs/Bench.prefab\" [style=dashed];"));
}

/// The rules and messages of what is wrong with a level whose instances have one entity.
fn findings(level: &str) -> Vec<(Rule, String, String)> {
    let files = |_: &str| {
        Ok(br#"{"ContainerEntity": {"Name": "Lamp"}, "Entities": {"Entity_[1]": {"Components": {"C": {"$type": "T"}}}}}"#.to_vec())
    };
    let level = value(level);
    let mut found = o3de_prefab::lint(&level);
    found.extend(o3de_prefab::lint_instances(&mut Loader::new(files), &level, "Level.prefab"));
    found.into_iter().map(|own| (own.rule, own.pointer, own.message)).collect()
}

#[test]
fn references_to_entities_that_are_gone_are_found() {
    let component = |text: &str| {
        format!(
            r#"{{"Entities": {{"Entity_[7]": {{"Name": "Gate", "Components": {{"C": {{"Target": {text}}}}}}}}},
                "Instances": {{"Instance_[2]": {{"Source": "Lamp.prefab"}}}}}}"#
        )
    };
    for good in [
        "\"Entity_[7]\"",
        "\"ContainerEntity\"",
        "\"Instance_[2]/Entity_[1]\"",
        "\"Instance_[2]/ContainerEntity\"",
        "\"Entity_7\"",
        "\"Entity_[]\"",
        "{\"Name\": \"Entity_[9]\"}",
    ] {
        assert_eq!(findings(&component(good)), [], "{good}");
    }
    for gone in ["Entity_[9]", "Instance_[3]/Entity_[1]", "Instance_[2]/Entity_[9]"] {
        let found = findings(&component(&format!("[\"{gone}\"]")));
        assert_eq!(
            found,
            [(
                Rule::DanglingReference,
                "/Entities/Entity_[7]/Components/C/Target/0".to_owned(),
                format!("`{gone}` in `Target` of \"Gate\" is gone")
            )]
        );
    }
}

#[test]
fn overrides_refer_from_inside_of_their_instance() {
    let with = |path: &str, value: &str| {
        format!(
            r#"{{"Entities": {{"Entity_[7]": {{}}}}, "Instances": {{"Instance_[2]": {{"Source": "Lamp.prefab",
                "Patches": [{{"op": "add", "path": "{path}", "value": {value}}}]}}}}}}"#
        )
    };
    let path = "/Entities/Entity_[1]/Components/C/Target";
    for good in ["Entity_[1]", "ContainerEntity", "../Entity_[7]", "../Instance_[2]/Entity_[1]"] {
        assert_eq!(findings(&with(path, &format!("\"{good}\""))), [], "{good}");
    }
    let at = "/Instances/Instance_[2]/Patches/0/value";
    for gone in ["Entity_[7]", "../Entity_[1]", "../Instance_[3]/Entity_[1]"] {
        let found = findings(&with(path, &format!("\"{gone}\"")));
        let message = format!("`{gone}` in `Target` of `Instance_[2]` is gone");
        assert_eq!(found, [(Rule::DanglingReference, at.to_owned(), message)]);
    }
    let parent = "/ContainerEntity/Components/C/Parent Entity";
    let patches = with(parent, "\"../Entity_[8]\"");
    let found = findings(&patches);
    assert_eq!(found[0].0, Rule::DanglingParent);
    assert_eq!(found[0].2, "the parent `../Entity_[8]` of `Instance_[2]` is gone");
}

/// What is below a source that cannot be read may be there: no override into it is removable.
#[test]
fn below_an_unread_source_nothing_is_known() {
    let long = format!("{}/B.prefab", "KB3D_HighTechStreets".repeat(4));
    let a = format!(
        r#"{{"Entities": {{}}, "Instances": {{"Instance_[1]": {{"Source": "{long}"}}, "Instance_[2]": {{"Source": "C.prefab"}}}}}}"#
    );
    let files = |path: &str| match path {
        "A.prefab" => Ok(a.clone().into_bytes()),
        "C.prefab" => Ok(br#"{"ContainerEntity": {"Name": "C"}}"#.to_vec()),
        // As git has a file whose content is elsewhere.
        "Pointer.prefab" => Ok(b"version https://git-lfs.github.com/spec/v1".to_vec()),
        _ => Err(std::io::Error::new(std::io::ErrorKind::NotFound, "no scan folder has it")),
    };
    let patch = |path: &str| format!(r#"{{"op": "replace", "path": "{path}", "value": "Mine"}}"#);
    let mine = [
        patch("/Instances/Instance_[1]/Entities/Entity_[5]/Name"),
        patch("/Instances/Instance_[1]/Instances/Instance_[7]/Entities/Entity_[5]/Name"),
        patch("/Instances/Instance_[2]/Entities/Entity_[5]/Name"),
        patch("/Instances/Instance_[3]/Entities/Entity_[5]/Name"),
    ];
    let link = |source: &str, patches: &str| {
        format!(r#"{{"Source": "{source}", "Patches": [{patches}]}}"#)
    };
    let mut level = value(&format!(
        r#"{{"Entities": {{}}, "Instances": {{"I1": {}, "I2": {}, "I3": {}, "I4": {}}}}}"#,
        link("A.prefab", &mine.join(",")),
        link("Pointer.prefab", &mine[0]),
        link("Pointer.prefab", ""),
        link("Pointer.prefab", &mine[1])
    ));
    let mut loader = Loader::new(files);
    for again in [false, true] {
        let found = o3de_prefab::lint_instances(&mut loader, &level, "Level.prefab");
        let row = |own: &o3de_prefab::Finding| (own.rule, own.pointer.clone(), own.is_removable);
        let rows: Vec<_> = found.iter().map(row).collect();
        let stale = |at| (Rule::StaleOverride, format!("/Instances/I1/Patches/{at}"), true);
        let missing = |at: &str| (Rule::MissingSource, format!("/Instances/{at}"), false);
        // The second time, those that were proven gone are gone.
        let gone = if again { vec![] } else { vec![stale(2), stale(3)] };
        assert_eq!(rows, [gone, vec![missing("I1"), missing("I2")]].concat());
        let messages: Vec<_> = found.iter().rev().take(2).map(|own| own.message.as_str()).collect();
        assert_eq!(
            messages[1],
            format!(
                "cannot read `{long}`: no scan folder has it, in `I1` of `A.prefab`; 2 overrides hang on it"
            )
        );
        assert!(
            messages[0].starts_with("cannot read `Pointer.prefab`: expected "),
            "{}",
            messages[0]
        );
        assert!(
            messages[0].ends_with(", in `I2` and 2 other instances; 2 overrides hang on it"),
            "{}",
            messages[0]
        );
        assert_eq!(o3de_prefab::remove(&mut level, &found), if again { 0 } else { 2 });
    }
}

/// Members of an entity that files leave out have their defaults, and what a component has by default is not
/// known of every class.
#[test]
fn overrides_of_what_files_leave_out_are_not_gone() {
    let lamp = r#"{"ContainerEntity": {}, "Entities": {"E": {"Components": {"C": {"Id": 1, "Size": 2}}}}}"#;
    let mut loader = Loader::new(|_: &str| Ok(lamp.as_bytes().to_vec()));
    let patch = |operation: &str, path: &str| {
        format!(r#"{{"op": "{operation}", "path": "{path}", "value": false}}"#)
    };
    let rows = [
        patch("replace", "/Entities/E/IsRuntimeActive"),
        patch("remove", "/ContainerEntity/IsRuntimeActive"),
        patch("replace", "/Entities/E/Components/C/Size/Width"),
        patch("replace", "/Entities/E/Components/D/Size"),
        patch("replace", "/Entities/F/IsRuntimeActive"),
        patch("test", "/Entities/F/IsRuntimeActive"),
    ];
    let level = value(&format!(
        r#"{{"Entities": {{}}, "Instances": {{"I": {{"Source": "Lamp.prefab", "Patches": [{}]}}}}}}"#,
        rows.join(", ")
    ));
    let found = o3de_prefab::lint_instances(&mut loader, &level, "Level.prefab");
    let found: Vec<_> = found
        .iter()
        .map(|own| (own.pointer.rsplit('/').next().unwrap(), own.rule, own.is_removable))
        .collect();
    let stale = |at, is_removable| (at, Rule::StaleOverride, is_removable);
    assert_eq!(found, [stale("2", false), stale("3", true), stale("4", true), stale("5", false)]);
    let whole = loader.resolve(level, "Level.prefab").value;
    let lamp = whole.pointer("/Instances/I").unwrap();
    assert_eq!(
        lamp.pointer("/Entities/E/IsRuntimeActive").and_then(|own| own.as_bool()),
        Some(false)
    );
    assert_eq!(lamp.pointer("/ContainerEntity/IsRuntimeActive"), None);
}

/// The editor moves components that are disabled, or lack others, into components of its own.
#[test]
fn disabled_components_are_not_gone() {
    let level = value(
        r#"{"Entities": {"E": {"Components": {
            "A": {"Id": 1, "DisabledComponents": [{"$type": "T", "Id": 2}]},
            "B": {"Id": 3, "PendingComponents": {"Component_[4]": {"Id": 4}}},
            "C": {"Id": 5, "ComponentOrderEntryArray": [
                {"ComponentId": 2}, {"ComponentId": 4}, {"ComponentId": 6}]}}}}}"#,
    );
    let pointers: Vec<_> = o3de_prefab::lint(&level).into_iter().map(|own| own.pointer).collect();
    assert_eq!(pointers, ["/Entities/E/Components/C/ComponentOrderEntryArray/2"]);
}

#[test]
fn captions_name_what_is_changed() {
    let level = value(
        r#"{"ContainerEntity": {"Name": "Start"}, "Entities": {"E": {"Components": {"C": {"$type": "AZ::Light"}}}},
            "Instances": {"I": {"Source": "Lamp.prefab", "Patches": [
                {"op": "replace", "path": "/ContainerEntity/Name", "value": "Left lamp"},
                {"op": "remove", "path": "/Entities/x"}]}}}"#,
    );
    let caption = |pointer: &str| o3de_prefab::caption(&level, pointer);
    assert_eq!(caption("/ContainerEntity/Name").as_deref(), Some("Start"));
    assert_eq!(caption("/Entities/E/Components/C/Power").as_deref(), Some("Light"));
    assert_eq!(caption("/Instances/I/Patches/1").as_deref(), Some("Left lamp, /Entities/x"));
    assert_eq!(caption("/Instances/I").as_deref(), Some("Left lamp"));
    for nowhere in ["", "/Source", "/Entities", "/Entities/gone", "/Instances/I/Patches/9", "x"] {
        assert_eq!(caption(nowhere), None, "{nowhere}");
    }
}

/// Gems/Prefab/PrefabBuilder/PrefabGroup: DefaultProceduralPrefab.cpp names the prefab and its models.
#[test]
fn procedural_prefabs_are_products_of_their_models() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    let write = |path: &str, text: &str| {
        let file = at.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write("objects/Robot.v2.fbx", "");
    write("objects/wagon-Wheel.fbx", "");
    write(
        "inner.prefab",
        r#"{"ContainerEntity": {}, "Entities": {}, "Instances": {"i": {"Source": "objects/Robot_v2_fbx.procprefab"}}}"#,
    );
    let project = Project::of([&at]);
    let uuid = "95b5e7c8_4232_529c_95d3_7f7d7981eac0";
    for (hint, source) in [
        (format!("objects/default_wagon_wheel_{uuid}_.azmodel"), Some("objects/wagon-Wheel.fbx")),
        (
            format!("objects/default_wagon_wheel_{uuid}_.fbx.azmodel"),
            Some("objects/wagon-Wheel.fbx"),
        ),
        (format!("objects/default_robot_v2_{uuid}_.azmodel"), Some("objects/Robot.v2.fbx")),
        (format!("objects/default_rob_{uuid}_.azmodel"), None),
        ("objects/default_wagon_wheel_01.azmodel".to_owned(), None),
    ] {
        let expected = source.map_or(Asset::Missing, |source| Asset::Found(at.join(source)));
        assert_eq!(project.asset(&hint), expected, "{hint}");
    }
    let instance = |name: &str, source: &str, path: &str| {
        format!(
            r#""{name}": {{"Source": "{source}", "Patches": [{{"op": "replace", "path": "{path}", "value": 1}}]}}"#
        )
    };
    let name = "/ContainerEntity/Gone/Name";
    let level = value(&format!(
        r#"{{"ContainerEntity": {{}}, "Entities": {{}}, "Instances": {{{}, {}, {}, {}}}}}"#,
        instance("a", "objects/Robot_v2_fbx.procprefab", name),
        instance("b", "objects/wagon-wheel_fbx.procprefab", name),
        instance("c", "inner.prefab", &format!("/Instances/i{name}")),
        instance("d", "objects/robot_fbx.procprefab", name),
    ));
    let mut loader = Loader::new(project.clone());
    let found = o3de_prefab::lint_instances(&mut loader, &level, "level.prefab");
    let found: Vec<(Rule, &str)> =
        found.iter().map(|own| (own.rule, own.pointer.as_str())).collect();
    assert_eq!(found, [(Rule::MissingSource, "/Instances/d")]);
    let resolved = loader.resolve(level.clone(), "level.prefab");
    let said = &resolved.report.issues()[0];
    assert_eq!(said.outcome, o3de_json::report::Outcome::Unavailable);
    assert_eq!(
        said.message,
        "`objects/Robot_v2_fbx.procprefab` is made of `objects/Robot.v2.fbx` by the Asset Processor"
    );
    let mut graph = Graph::new();
    graph.add(&project, &at.join("level.prefab"), &level);
    let names: Vec<&str> = graph.files().iter().map(|own| own.name.as_str()).collect();
    let models = ["objects/Robot.v2.fbx", "objects/wagon-Wheel.fbx"];
    assert_eq!(
        names,
        ["level.prefab", models[0], models[1], "inner.prefab", "objects/robot_fbx.procprefab"]
    );
}
