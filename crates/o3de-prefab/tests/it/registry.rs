//! The settings registry of a project, and where each setting comes from.

use std::fs;
use std::path::PathBuf;

use o3de_json::{Options, Value};
use o3de_prefab::{Project, Registry, Search};

/// Files below a folder that goes with the test, in which the engine is `eng` and the project `game`.
struct Place(tempfile::TempDir);

impl Place {
    fn of(files: &[(&str, &str)]) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        let engine =
            r#"{"engine_name": "o3de", "external_subdirectories": ["Gems/Aa", "Gems/Zz"]}"#;
        // By name the first, and merged after the one that it needs.
        let project = r#"{"project_name": "game", "engine": "o3de", "gem_names": ["Aa"]}"#;
        let manifests = [
            ("eng/engine.json", engine),
            ("eng/Gems/Aa/gem.json", r#"{"gem_name": "Aa", "dependencies": ["Zz"]}"#),
            ("eng/Gems/Zz/gem.json", r#"{"gem_name": "Zz"}"#),
            ("game/project.json", project),
            ("home/.o3de/o3de_manifest.json", "{}"),
        ];
        for (path, text) in manifests.iter().chain(files) {
            let file = place.at(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn project(&self) -> Project {
        let search = Search::new().manifest(Some(self.at("home/.o3de/o3de_manifest.json")));
        search.engine(self.at("eng")).at(&self.at("game"))
    }

    fn registry(&self, tags: &[&str]) -> Registry {
        Registry::of(&self.project(), tags, Some("linux"), &Options::new())
    }

    /// The files, from the place.
    fn files(&self, registry: &Registry) -> Vec<String> {
        let root = self.at("");
        let name = |own: &PathBuf| own.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        registry.files().iter().map(name).collect()
    }

    /// Pointers, values, files and imports.
    fn why(&self, registry: &Registry, pointer: &str) -> Vec<(String, String, String)> {
        let root = self.at("");
        let row = |own: o3de_prefab::Origin<'_>| {
            let file = own.file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            (own.pointer, text(own.value), file)
        };
        registry.origins(pointer).into_iter().map(row).collect()
    }
}

fn text(value: &Value) -> String {
    o3de_json::to_string(value).unwrap()
}

fn row(pointer: &str, value: &str, file: &str) -> (String, String, String) {
    (pointer.to_owned(), value.to_owned(), file.to_owned())
}

/// SettingsRegistryMergeUtils.cpp, ComponentApplication.cpp: the folders; SettingsRegistryImpl.cpp, `IsLessThan`: the
/// files of each.
#[test]
fn files_are_merged_in_the_order_of_the_engine() {
    let set = |value: u8| format!(r#"{{"Order": {{"Last": {value}, "By{value}": {value},}}}}"#);
    let texts: Vec<String> = (0..=12).map(set).collect();
    let files = [
        ("eng/Registry/a.setreg", 0),
        ("eng/Registry/Platform/Linux/a.setreg", 1),
        ("eng/Registry/a.editor.setreg", 2),
        ("eng/Registry/b.setreg", 3),
        ("eng/Gems/Zz/Registry/z.setreg", 4),
        ("eng/Gems/Aa/Registry/a.setreg", 5),
        ("game/Registry/p.setreg", 6),
        ("game/Registry/p.profile.setreg", 7),
        ("game/Registry/P.Editor.setreg", 8),
        ("game/Registry/p.editor.profile.setreg", 9),
        ("home/.o3de/Registry/user.setreg", 10),
        ("game/user/Registry/mine.setreg", 11),
        ("game/Registry/p.server.setreg", 12),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, at)| (*path, texts[*at].as_str())).collect();
    let place = Place::of(&files);
    let registry = place.registry(&["profile", "editor"]);
    assert_eq!(registry.faults(), [""; 0]);
    let expected: Vec<&str> = files[..12].iter().map(|(path, _)| *path).collect();
    assert_eq!(place.files(&registry), expected);
    assert_eq!(registry.value().pointer("/Order/Last"), Some(&Value::from(11)));
    assert_eq!(registry.value().pointer("/Order/By12"), None);
    let last = row("/Order/Last", "11", "game/user/Registry/mine.setreg");
    assert_eq!(place.why(&registry, "/Order/Last"), [last]);
    assert_eq!(place.why(&registry, "/Order").len(), 13);
    // Without them, other files count.
    let registry = place.registry(&[]);
    let names = place.files(&registry).concat();
    assert!(!names.contains("editor") && !names.contains("profile"), "{names}");
    let none = Registry::of(&place.project(), &["Editor"], None, &Options::new());
    let names = place.files(&none).concat();
    assert!(names.contains("P.Editor.setreg") && !names.contains("Platform"), "{names}");
}

#[test]
fn each_setting_knows_the_file_that_it_comes_from() {
    let place = Place::of(&[
        (
            "eng/Registry/base.setreg",
            r#"{"Tools": {"Off": ["a", "b", "c"], "Limit": 1, "Old": {"x": 1}, "Gone": 1}, "Again": 1}"#,
        ),
        (
            "eng/Gems/Zz/Registry/patch.setregpatch",
            r#"[{"op": "add", "path": "/Tools/Off/0", "value": "first"}, {"op": "add", "path": "/Tools/Off/-", "value": "last"}]"#,
        ),
        (
            "eng/Gems/Aa/Registry/patch.setregpatch",
            r#"[{"op": "remove", "path": "/Tools/Off/1"}, {"op": "replace", "path": "/Tools/Limit", "value": 2},
                {"op": "move", "from": "/Tools/Off/3", "path": "/Tools/Off/0"}]"#,
        ),
        (
            "game/Registry/game.setreg",
            r#"{"Again": 1, "Tools": {"Gone": null, "Empty": [], "$import": "../Shared/more.setreg", "Limit": 3, "Own": 1}}"#,
        ),
        ("game/Shared/more.setreg", r#"{"Limit": 9, "More": {"a": 1}, "Own": 9}"#),
    ]);
    let registry = place.registry(&[]);
    assert_eq!(registry.faults(), [""; 0]);
    let [base, aa, game] = [
        "eng/Registry/base.setreg",
        "eng/Gems/Aa/Registry/patch.setregpatch",
        "game/Registry/game.setreg",
    ];
    assert_eq!(
        place.why(&registry, "/Tools"),
        [
            row("/Tools/Off", r#"["last","first","b","c"]"#, aa),
            row("/Tools/Limit", "3", game),
            row("/Tools/Old/x", "1", base),
            row("/Tools/Empty", "[]", game),
            row("/Tools/More/a", "1", game),
            row("/Tools/Own", "1", game),
        ]
    );
    assert_eq!(place.why(&registry, "/Tools/Off/1"), [row("/Tools/Off/1", "\"first\"", aa)]);
    for none in ["/Tools/Gone", "/Tools/Never", "no pointer"] {
        assert_eq!(place.why(&registry, none), [], "{none}");
    }
    // A value that is set again comes from the file that set it last.
    assert_eq!(place.why(&registry, "/Again"), [row("/Again", "1", game)]);
    assert_eq!(place.why(&registry, "").len(), 7);
}

/// What the engine leaves out is said, and the rest counts.
#[test]
fn what_the_engine_leaves_out_is_said() {
    let place = Place::of(&[
        ("eng/Registry/bad.setreg", r#"{"a": tru}"#),
        ("eng/Registry/list.setreg", "[1]"),
        ("eng/Registry/mark.setreg", "\u{feff}{\"a\": 1}"),
        ("eng/Registry/one.setregpatch", r#"{"a": 1}"#),
        ("eng/Registry/import.setreg", r#"{"$import": "gone.setreg"}"#),
        ("eng/Registry/out.setreg", r#"{"$import": "../../secret.setreg"}"#),
        ("eng/Registry/twice.editor.editor.setreg", r#"{"twice": 1}"#),
        ("eng/Registry/trailing.setreg", r#"{"read": 1} and no more"#),
        ("secret.setreg", r#"{"secret": 1}"#),
        (
            "eng/Gems/Zz/Registry/half.setregpatch",
            r#"[{"op": "add", "path": "/half", "value": 1}, {"op": "remove", "path": "/none"}, {"op": "add", "path": "/rest", "value": 1}]"#,
        ),
        ("eng/Gems/Aa/Registry/same.setreg", r#"{"same": 1}"#),
        ("eng/Gems/Aa/Registry/same.setregpatch", "[]"),
        ("eng/Gems/Aa/Registry/other.setreg", r#"{"other": 1}"#),
    ]);
    let registry = place.registry(&["editor"]);
    assert_eq!(text(registry.value()), r#"{"read":1,"half":1}"#);
    let root = place.at("").to_str().unwrap().trim_end_matches('/').to_owned();
    let faults: Vec<String> =
        registry.faults().iter().map(|fault| fault.replace(&root, "")).collect();
    insta::assert_snapshot!(faults.join("\n"));
    assert_eq!(
        place.files(&registry),
        ["eng/Registry/trailing.setreg", "eng/Gems/Zz/Registry/half.setregpatch"]
    );
}
