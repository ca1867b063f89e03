//! Projects beside their engine and gems, as the engine's users have them.

use std::fs;
use std::path::{Path, PathBuf};

use o3de_prefab::{Asset, Project, Search};

/// Files below a folder that goes with the test.
struct Place(tempfile::TempDir);

impl Place {
    fn of(files: &[(&str, &str)]) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, text)| place.write(path, text));
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    /// Writes a file, in which `%` stands for the folder.
    fn write(&self, path: &str, text: &str) {
        let file = self.at(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text.replace('%', self.at("").to_str().unwrap().trim_end_matches('/')))
            .unwrap();
    }

    /// With what is registered in `home/.o3de`.
    fn search(&self) -> Search {
        Search::new().manifest(Some(self.at("home/.o3de/o3de_manifest.json")))
    }

    /// The scan folders, from the place.
    fn folders(&self, project: &Project) -> Vec<String> {
        let root = self.at("");
        let name = |own: &PathBuf| own.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        project.folders().iter().map(name).collect()
    }
}

/// An engine, a project and gems in folders of their own, and a manifest that has the engine and the gems.
fn registered() -> Place {
    Place::of(&[
        (
            "home/.o3de/o3de_manifest.json",
            r#"{"engines": [{"path": "%/eng"}], "external_subdirectories": ["%/gems/Far"]}"#,
        ),
        (
            "eng/engine.json",
            r#"{"engine_name": "o3de", "version": "4.2.0", "gem_names": ["Basic"],
                "external_subdirectories": ["Gems/Basic", "Gems/Unused", "Gems/Needed"]}"#,
        ),
        ("eng/Assets/Editor/Prefabs/Default_Level.prefab", "{}"),
        ("eng/Assets/Engine/e.txt", ""),
        ("eng/Gems/Basic/gem.json", r#"{"gem_name": "Basic"}"#),
        ("eng/Gems/Basic/Assets/b.txt", ""),
        ("eng/Gems/Unused/gem.json", r#"{"gem_name": "Unused"}"#),
        ("eng/Gems/Unused/Assets/u.txt", ""),
        ("eng/Gems/Needed/gem.json", r#"{"gem_name": "Needed", "version": "1.0.0"}"#),
        ("eng/Gems/Needed/Assets/n.txt", ""),
        // Gems in a gem, which bring others along and need others.
        (
            "gems/Far/gem.json",
            r#"{"gem_name": "Far", "external_subdirectories": ["Inner", "NoGem"]}"#,
        ),
        ("gems/Far/Inner/gem.json", r#"{"gem_name": "Within", "dependencies": ["Needed>=1.0"]}"#),
        ("gems/Far/Inner/Assets/Prefabs/P.prefab", "{}"),
        ("gems/Far/NoGem/Assets/x.txt", ""),
        (
            "proj/project.json",
            r#"{"project_name": "p", "engine": "o3de>=4.0.0,<5", "external_subdirectories": ["Gem"],
                "gem_names": ["Within", {"name": "Maybe", "optional": true}, "Nowhere==2.0"]}"#,
        ),
        ("proj/Gem/gem.json", r#"{"gem_name": "Own"}"#),
        ("proj/Gem/Assets/o.txt", ""),
        ("proj/Assets/Prefabs/X.prefab", "{}"),
    ])
}

#[test]
fn engines_and_gems_are_found_by_name() {
    let place = registered();
    let project = place.search().at(&place.at("proj"));
    assert_eq!(project.engine(), Some(place.at("eng").as_path()));
    assert_eq!(project.absent(), ["the gem `Nowhere`"]);
    assert_eq!(
        place.folders(&project),
        [
            "proj",
            "eng/Gems/Basic/Assets",
            "eng/Gems/Needed/Assets",
            "proj/Gem/Assets",
            "gems/Far/Inner/Assets",
            "eng/Assets/Engine",
            "eng/Assets/Editor"
        ]
    );
    // By the engine's scan folders, and no others.
    let level = place.at("eng/Assets/Editor/Prefabs/Default_Level.prefab");
    assert_eq!(project.find("Prefabs/Default_Level.prefab"), Some(level));
    for path in ["Editor/Prefabs/Default_Level.prefab", "Prefabs/X.prefab", "u.txt"] {
        assert_eq!(project.find(path), None, "{path}");
    }
    assert!(
        project.find("Assets/Prefabs/X.prefab").is_some()
            && project.find("prefabs/p.prefab").is_some()
    );
    // Of a file, the same.
    let around = place.search().around(&place.at("proj/Assets/Prefabs/X.prefab")).unwrap().unwrap();
    assert_eq!(around.folders(), project.folders());
}

/// As on a computer that builds.
#[test]
fn engines_and_gems_are_given() {
    let place = registered();
    let nothing = Search::new().manifest(None);
    let project = nothing.at(&place.at("proj"));
    assert_eq!(project.absent(), ["the engine `o3de`", "the gem `Within`", "the gem `Nowhere`"]);
    assert_eq!(place.folders(&project), ["proj", "proj/Gem/Assets"]);
    let nothing = nothing.engine(place.at("eng"));
    let one = nothing.clone().gem(place.at("gems/Far")).at(&place.at("proj"));
    assert_eq!(place.folders(&one).iter().filter(|own| own.starts_with("gems/")).count(), 1);
    // A folder of gems, and a folder of files that comes first.
    let several = nothing.gem(place.at("eng/Gems")).scan_folder(place.at("gems/Far/NoGem/Assets"));
    let several = several.at(&place.at("proj"));
    let folders = place.folders(&several);
    assert_eq!(folders[..2], ["gems/Far/NoGem/Assets", "proj"]);
    assert!(folders.contains(&"eng/Gems/Unused/Assets".to_owned()), "{folders:?}");
    // Without a project, what is given is there all the same.
    let none = Search::new().manifest(None).engine(place.at("eng")).at(&place.at("gems"));
    assert!(none.find("Prefabs/Default_Level.prefab").is_some());
}

#[test]
fn the_newest_engine_that_fits_is_taken() {
    let engines = [
        ("one", "o3de", "1.2.0"),
        ("two", "o3de", "2.0.3"),
        ("ten", "o3de", "10.0.0"),
        ("sdk", "sdk", "3.0.0"),
    ];
    let place = Place::of(&[("proj/project.json", "{}"), ("proj/user/none.json", "")]);
    let mut list = Vec::new();
    for (folder, name, version) in engines {
        let json = format!(r#"{{"engine_name": "{name}", "version": "{version}"}}"#);
        place.write(&format!("{folder}/engine.json"), &json);
        list.push(format!("\"%/{folder}\""));
    }
    let manifest = "home/.o3de/o3de_manifest.json";
    place.write(manifest, &format!("{{\"engines\": [\"%/gone\", {}]}}", list.join(",")));
    let engine = || {
        let project = place.search().at(&place.at("proj"));
        let name =
            project.engine().map(|own| own.file_name().unwrap().to_str().unwrap().to_owned());
        name.unwrap_or_else(|| project.absent().concat())
    };
    for (wanted, expected) in [
        ("o3de", "ten"),
        ("o3de==1.2", "one"),
        ("o3de===1.2.0", "one"),
        ("o3de<10", "two"),
        ("o3de >= 1.0, < 2.0.3", "one"),
        ("o3de<=2.0.3", "two"),
        ("o3de>1.2.0,!=10.0.0", "two"),
        ("o3de~=2.0", "two"),
        ("o3de~=1.1.0", "the engine `o3de`"),
        ("sdk", "sdk"),
        ("other", "the engine `other`"),
        // Of several, none is more likely.
        ("", ""),
    ] {
        place.write("proj/project.json", &format!(r#"{{"engine": "{wanted}"}}"#));
        assert_eq!(engine(), expected, "{wanted}");
    }
    place.write(manifest, r#"{"engines": ["%/one"]}"#);
    assert_eq!(engine(), "one");
    place.write("proj/user/project.json", r#"{"engine_path": "../two"}"#);
    assert_eq!(engine(), "two");
    // One around the project.
    place.write("sdk/proj/project.json", r#"{"engine": "other"}"#);
    assert_eq!(place.search().at(&place.at("sdk/proj")).engine(), Some(place.at("sdk").as_path()));
}

#[test]
fn the_registry_says_which_folders_are_scanned() {
    let place = registered();
    let settings = |inside: &str| {
        format!(r#"{{"Amazon": {{"AssetProcessor": {{"Settings": {{{inside}}}}}}}}}"#)
    };
    place.write("proj/more/m.txt", "");
    place.write("proj/flat/f.txt", "");
    place.write("gems/Far/Inner/Data/d.txt", "");
    let project = |file: &str, inside: &str| place.write(file, &settings(inside));
    project(
        "eng/Registry/AssetProcessorPlatformConfig.setreg",
        r#"// As the engine has it.
        "ScanFolder Project/Assets": {"watch": "@PROJECTROOT@", "recursive": 1, "order": 0},
        "ScanFolder Root": {"watch": "@ROOT@", "recursive": 0, "order": 10000},
        "ScanFolder Assets/Tools": {"watch": "@ENGINEROOT@/Assets/Editor", "recursive": 1, "order": 30000},
        "GemScanFolderStartingPriorityOrder": 100,"#,
    );
    let folders = || place.folders(&place.search().at(&place.at("proj")));
    let gems = [
        "eng/Gems/Basic/Assets",
        "eng/Gems/Needed/Assets",
        "proj/Gem/Assets",
        "gems/Far/Inner/Assets",
    ];
    let own = |before: &[&'static str], after: &[&'static str]| [before, &gems, after].concat();
    assert_eq!(folders(), own(&["proj"], &["eng/Assets/Editor"]));
    project(
        "proj/Registry/mine.setreg",
        r#""ScanFolder More": {"watch": "@PROJECTROOT@/more", "recursive": 1, "order": -4},
            "ScanFolder Data": {"watch": "@GEMROOT:Within@/Data", "recursive": 1, "order": 7},
            "ScanFolder Gone": {"watch": "@GEMROOT:Unused@/Assets", "recursive": 1, "order": 8},
            "ScanFolder Flat": {"watch": "@PROJECTROOT@/flat", "order": 9},
            "ScanFolder Assets/Tools": null"#,
    );
    assert_eq!(folders(), own(&["proj/more", "proj", "gems/Far/Inner/Data"], &[]));
    // For other programs; then as the last, in order of what is read.
    project("proj/Registry/a.game.setreg", r#""ScanFolder More": null"#);
    project(
        "home/.o3de/Registry/user.setreg",
        r#""ScanFolder Data": null, "ProjectRelativeGemsScanFolderPriority": "higher""#,
    );
    assert_eq!(folders(), ["proj/Gem/Assets", "proj/more", "proj", gems[0], gems[1], gems[3]]);
    project("proj/user/Registry/a.setreg", r#""ProjectRelativeGemsScanFolderPriority": "lower""#);
    assert_eq!(folders(), ["proj/more", "proj", "proj/Gem/Assets", gems[0], gems[1], gems[3]]);
    project("proj/AssetProcessorGamePlatformConfig.setreg", r#""ScanFolder More": null"#);
    assert_eq!(folders(), ["proj", "proj/Gem/Assets", gems[0], gems[1], gems[3]]);
    let patch = r#"[{"op": "remove", "path": "/Amazon/AssetProcessor/Settings/gone"},
        {"op": "add", "path": "/Amazon/AssetProcessor/Settings/GemScanFolderStartingPriorityOrder", "value": -9},
        {"op": "replace", "path": "/Amazon/AssetProcessor/Settings/ScanFolder Project~1Assets/order", "value": 1}]"#;
    fs::write(place.at("proj/Registry/z.assetprocessor.setregpatch"), patch).unwrap();
    assert_eq!(folders(), [gems[0], gems[1], gems[3], "proj", "proj/Gem/Assets"]);
}

#[test]
fn older_projects_list_their_gems_for_cmake() {
    let place = registered();
    place.write("proj/project.json", r#"{"engine": "o3de"}"#);
    place.write(
        "proj/Gem/Code/enabled_gems.cmake",
        "# Gems\nset(ENABLED_GEMS\n    Unused # Inner\n    \"Within\" )\nset(OTHER Lost)\n",
    );
    place.write("proj/Gems/Lost/gem.json", "{}");
    let project = place.search().at(&place.at("proj"));
    assert_eq!(project.absent(), [""; 0]);
    let names = place.folders(&project).concat();
    assert!(names.contains("Unused/Assets") && names.contains("Far/Inner/Assets"), "{names}");
}

#[test]
fn of_a_gem_alone_the_assets_are_scanned() {
    let place = registered();
    let gem = place.search().at(&place.at("gems/Far/Inner"));
    assert_eq!(
        gem.find("Prefabs/P.prefab"),
        Some(place.at("gems/Far/Inner/Assets/Prefabs/P.prefab"))
    );
    assert_eq!(gem.find("Assets/Prefabs/P.prefab"), None);
    // Names that bring one another along, and manifests that are none, end.
    place.write("gems/Far/Inner/gem.json", r#"{"gem_name": "Within", "dependencies": ["Within", "Far"], "external_subdirectories": ["..", "."]}"#);
    place.write("home/.o3de/o3de_manifest.json", "{");
    assert_eq!(
        place.folders(&place.search().at(&place.at("gems/Far/Inner"))),
        ["gems/Far/Inner/Assets"]
    );
}

#[test]
fn materials_of_physics_are_made_of_their_sources() {
    let place = Place::of(&[("Physics/Ice.physxmaterial", "")]);
    let project = Project::of([place.at("")]);
    assert_eq!(
        project.asset("physics/ice.physicsmaterial"),
        Asset::Found(place.at("Physics/Ice.physxmaterial"))
    );
    assert_eq!(project.asset("physics/mud.physicsmaterial"), Asset::Missing);
    assert_eq!(
        Search::default().at(Path::new("/nowhere/at/all")).folders(),
        [""; 0].map(PathBuf::from)
    );
}
