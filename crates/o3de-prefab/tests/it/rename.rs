//! Names that change in documents and in overrides, and nothing else does.

use gamewire_testkit::vectors::same_bytes;
use o3de_json::value::{Document, Folder};
use o3de_json::{ErrorKind, Options};
use o3de_prefab::{Changed, Loader, Rename, Renamed, asset_guid};

use crate::support::{real_folder, root};

/// A lamp whose bulb has a collider, by its number, and a light, by its type as newer engines have it.
const LAMP: &str = r#"{
    "ContainerEntity": {"Name": "Lamp", "Components": {}},
    "Entities": {
        "Entity_[1]": {"Name": "Bulb", "Components": {
            "Component_[2]": {"$type": "{0B1F6D3E-7C63-4E1F-8D8A-1D6A3E4C7B11} Collider", "Box": {"Size": 1.0}},
            "Light": {"$type": "Light", "Power": {"Lumen": 5}},
            "Light_2": {"$type": "GenericComponentWrapper", "m_template": {"$type": "Light", "Power": {"Lumen": 6}}}
        }}
    }
}"#;

const LEVEL: &str = r#"{
    // A comment with Light and Lumen in it.
    "Entities": {}, "Instances": {
        "Instance_[1]": {"Source": "Prefabs/Lamp.prefab", "Patches": [
            {"op": "replace", "path": "/Entities/Entity_[1]/Components/Light/Power/Lumen", "value": 7},
            {"op": "replace", "path": "/Entities/Entity_[1]/Components/Light_2/m_template/Power", "value": {"Lumen" :  8}},
            {"op": "replace", "path": "/Entities/Entity_[1]/Components/Component_[2]/Power/Lumen", "value": 9},
            {"op": "add", "path": "/Entities/Entity_[1]/Components/Component_[5]", "value": {"$type": "light", "Power": {"Lumen": 1}}},
            {"op": "replace", "path": "/Entities/Entity_[1]/Components/Component_[5]/Power/Lumen", "value": 2},
            {"op": "remove", "path": "/Entities/Entity_[1]/Components/Light"}
        ]},
        "Instance_[2]": {"Source": "prefabs/gone.prefab", "Patches": [
            {"op": "replace", "path": "/Entities/Entity_[1]/Components/Light/Power/Lumen", "value": 7}
        ]}
    }
}"#;

fn renamed(rename: &Rename, text: &str) -> o3de_json::Result<Renamed> {
    let files = |path: &str| match path {
        "Prefabs/Lamp.prefab" => Ok(LAMP.as_bytes().to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    rename.apply(&text.parse::<Document>()?, "Levels/Level.prefab", &mut Loader::new(files))
}

/// What has become of a text, and the places.
fn text(rename: &Rename, source: &str) -> (String, Vec<(String, Changed)>) {
    let renamed = renamed(rename, source).unwrap();
    let changes = renamed.changes.into_iter().map(|own| (own.pointer, own.place)).collect();
    (String::from_utf8(renamed.bytes).unwrap(), changes)
}

#[test]
fn types_are_renamed_with_their_keys() {
    let rename = Rename::component("Light", "My::Glow");
    let (lamp, changes) = text(&rename, LAMP);
    let expected =
        LAMP.replace("\"Light\"", "\"My::Glow\"").replace("\"Light_2\"", "\"My::Glow_2\"");
    assert_eq!(lamp, expected);
    assert_eq!(changes.len(), 4, "{changes:?}");
    let (level, changes) = text(&rename, LEVEL);
    let expected = LEVEL
        .replace("Components/Light", "Components/My::Glow")
        .replace("\"light\"", "\"My::Glow\"");
    assert_eq!(level, expected);
    let paths = changes.iter().filter(|own| own.1 == Changed::OverridePath).count();
    assert_eq!((changes.len(), paths), (5, 4));
    // A UUID stays, and so does what only begins so.
    let (lamp, _) = text(&Rename::component("collider", "Trigger"), LAMP);
    assert_eq!(lamp, LAMP.replace("} Collider", "} Trigger"));
    assert_eq!(text(&Rename::component("Lig", "x"), LAMP).1, []);
    // A whole list, and a type alone, as values of overrides.
    let level = r#"[{"op": "add", "path": "/Entities/E/Components", "value": {"Light": {}, "Other": {}}},
        {"path": "/Entities/E/Components/C/$type", "value": "Light"}, {"path": "/x", "value": {"Light": "Light"}}]"#;
    let (now, _) = text(&rename, level);
    let expected = level
        .replacen("{\"Light\"", "{\"My::Glow\"", 1)
        .replace("\"value\": \"Light\"", "\"value\": \"My::Glow\"");
    assert_eq!(now, expected);
}

#[test]
fn properties_are_renamed_where_the_type_has_them() {
    let rename = Rename::property("Light", "/Power/Lumen", "Brightness").unwrap();
    let (lamp, changes) = text(&rename, LAMP);
    assert_eq!(lamp, LAMP.replace("Lumen", "Brightness"));
    assert!(changes.iter().all(|own| own.1 == Changed::Member) && changes.len() == 2);
    let whole = renamed(&rename, LEVEL).unwrap();
    // All but the comment, the collider's, and that of the source that is gone.
    let now = String::from_utf8(whole.bytes).unwrap();
    let expected: String = LEVEL
        .split_inclusive('\n')
        .enumerate()
        .map(|(line, text)| match line {
            1 | 6 | 12 => text.to_owned(),
            _ => text.replace("Lumen", "Brightness"),
        })
        .collect();
    assert_eq!(now, expected);
    let undecided: Vec<_> =
        whole.undecided.iter().map(|own| (own.pointer.as_str(), own.source.as_str())).collect();
    assert_eq!(undecided, [("/Instances/Instance_[2]/Patches/0/path", "prefabs/gone.prefab")]);
    // A property with others in it, in paths that go further.
    let rename = Rename::property("light", "/Power", "a/b").unwrap();
    let (level, changes) = text(&rename, LEVEL);
    assert!(
        level.contains("/Light/a~1b/Lumen\"") && level.contains("m_template/a~1b\""),
        "{level}"
    );
    assert_eq!(changes.len(), 4, "{changes:?}");
    assert_eq!(Rename::property("Light", "Power", "x").unwrap_err().kind(), ErrorKind::Invalid);
}

/// The instance's own source reads, and one inside of it does not.
#[test]
fn overrides_below_an_unread_source_are_undecided() {
    let row = r#"{"Entities": {}, "Instances": {"Instance_[1]": {"Source": "Gone.prefab"}}}"#;
    let files = |path: &str| match path {
        "Row.prefab" => Ok(row.as_bytes().to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let level: Document = r#"{"Entities": {}, "Instances": {"Instance_[9]": {"Source": "Row.prefab", "Patches": [
        {"op": "replace", "path": "/Instances/Instance_[1]/Entities/E/Components/C/Power/Lumen", "value": 1},
        {"op": "replace", "path": "/Instances/Instance_[1]/Entities/E/Components/C/Power", "value": {"Lumen": 1}},
        {"op": "replace", "path": "/Instances/Instance_[1]/Entities/E/Components/C/Power", "value": {"Watt": 1}},
        {"op": "replace", "path": "/Instances/Instance_[1]/Entities/E/Name", "value": "Lumen"},
        {"op": "replace", "path": "/Instances/Instance_[1]/Source", "value": "Power/Lumen"}
    ]}}}"#.parse().unwrap();
    let rename = Rename::property("Light", "/Power/Lumen", "Brightness").unwrap();
    let mut loader = Loader::new(files);
    for _ in 0..2 {
        let renamed = rename.apply(&level, "Level.prefab", &mut loader).unwrap();
        let places: Vec<_> =
            renamed.undecided.iter().map(|own| own.pointer.split('/').nth(4).unwrap()).collect();
        assert_eq!(places, ["0", "1"]);
        assert!(renamed.undecided.iter().all(|own| own.source == "Gone.prefab"));
        assert_eq!(
            loader.fault("Gone.prefab"),
            Some("cannot read `Gone.prefab`: entity not found")
        );
        assert_eq!(loader.fault("Row.prefab"), None);
    }
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let double =
        r#"{"Components": {"Light": {"$type": "Light", "Power": 1, "Lumen": 2}, "Glow": {}}}"#;
    let error = renamed(&Rename::component("Light", "Glow"), double).unwrap_err();
    assert_eq!(error.to_string(), "`Glow` is there already, in /Components");
    let rename = Rename::property("Light", "/Power", "Lumen").unwrap();
    assert_eq!(renamed(&rename, double).unwrap_err().kind(), ErrorKind::Invalid);
    // One that was there twice is twice there.
    let twice = r#"{"$type": "Light", "Power": 1, "Power": 2}"#;
    let rename = Rename::property("Light", "/Power", "Lumen").unwrap();
    assert_eq!(text(&rename, twice).0, r#"{"$type": "Light", "Lumen": 1, "Lumen": 2}"#);
}

#[test]
fn paths_are_renamed_as_they_are_written() {
    let rename = Rename::path("Prefabs/Lamp.prefab", "Prefabs/Old/Torch.prefab")
        .or_path("Assets/Prefabs/Lamp.prefab", "Assets/Prefabs/Old/Torch.prefab");
    let rows = [
        (r#"{"Source": "Prefabs/Lamp.prefab"}"#, r#"{"Source": "Prefabs/Old/Torch.prefab"}"#),
        (r#"["prefabs\\lamp.prefab"]"#, r#"["prefabs/old/torch.prefab"]"#),
        (r#"["Assets/Prefabs/Lamp.prefab"]"#, r#"["Assets/Prefabs/Old/Torch.prefab"]"#),
        (
            r#"{"assetHint": "prefabs/lamp.spawnable"}"#,
            r#"{"assetHint": "prefabs/old/torch.spawnable"}"#,
        ),
        (
            r#"{"assetHint": "prefabs/lamp.network.spawnable"}"#,
            r#"{"assetHint": "prefabs/old/torch.network.spawnable"}"#,
        ),
        (r#"["../Prefabs/Lamp.prefab"]"#, r#"["../Prefabs/Old/Torch.prefab"]"#),
    ];
    for (before, after) in rows {
        assert_eq!(text(&rename, before).0, after);
    }
    for other in [
        r#"{"Name": "Prefabs/Lamp.prefab"}"#,
        r#"{"Prefabs/Lamp.prefab": "x/Prefabs/Lamp.prefab"}"#,
        r#"{"assetHint": "prefabs/lamp.azmodel", "other": "prefabs/lamp.spawnable"}"#,
        r#"["./Prefabs/Lamp.prefab", "prefabs/lamp"]"#,
    ] {
        assert_eq!(text(&rename, other).1, [], "{other}");
    }
    let image = Rename::path("Textures/Wood.png", "Textures/Oak.png");
    let hint = r#"{"assetHint": "textures/wood.png.streamingimage"}"#;
    assert_eq!(text(&image, hint).0, hint.replace("wood", "oak"));
    let beside = Rename::path("Levels/Wood.png", "Levels/Sub/Oak.png");
    assert_eq!(text(&beside, r#"["./Wood.png"]"#).0, r#"["./Sub/Oak.png"]"#);
}

/// Bytes that are not UTF-8, a byte order mark and line ends stay.
#[test]
fn other_bytes_stay() {
    let bytes = b"\xef\xbb\xbf{\r\n\t\"$type\" : \"Light\", \"x\": \"caf\xe9 \\u00e9 \\/\"}\r\n";
    let options = Options::new().invalid_utf8(true);
    let document = Document::from_slice(bytes, &options).unwrap();
    let mut nothing = Loader::new(|_: &str| Err(std::io::ErrorKind::NotFound.into()));
    let renamed = Rename::component("Light", "Glow").apply(&document, "", &mut nothing).unwrap();
    let expected = b"\xef\xbb\xbf{\r\n\t\"$type\" : \"Glow\", \"x\": \"caf\xe9 \\u00e9 \\/\"}\r\n";
    assert_eq!(renamed.bytes, expected);
}

/// Depth costs no stack, and long names no memory.
#[test]
fn deep_documents_are_looked_at() {
    const DEPTH: usize = 1_000;
    let name = "n".repeat(1 << 20);
    let text = format!(
        "{{\"Entities\": {{\"E\": {{\"Components\": {{\"{name}\": {}{{\"$type\": \"Light\", \"T\": \"Entity_[1]\", \
         \"F\": \"a.png\"}}{}}}}}}}}}",
        "[".repeat(DEPTH),
        "]".repeat(DEPTH)
    );
    let look = move || {
        let options = Options::new().max_depth(DEPTH + 9).max_memory(usize::MAX);
        let document = Document::from_slice(text.as_bytes(), &options).unwrap();
        let mut nothing = Loader::new(|_: &str| Err(std::io::ErrorKind::NotFound.into()));
        for rename in [
            Rename::component("Light", "Glow"),
            Rename::property("Light", "/T", "U").unwrap(),
            Rename::path("a.png", "b.png"),
        ] {
            let renamed = rename.apply(&document, "", &mut nothing).unwrap();
            assert_eq!(renamed.changes.len(), 1);
        }
        assert_eq!(o3de_prefab::references(document.value()).len(), 1);
        assert_eq!(o3de_prefab::lint(document.value()).len(), 1);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(look).unwrap().join().unwrap();
}

/// There and back again, and as many places as the text itself has.
#[test]
fn real_levels_are_renamed_and_back() {
    let Some(folder) = real_folder() else { return };
    let path = "o3de-multiplayersample/Levels/NewStarbase/NewStarbase.prefab";
    let bytes = std::fs::read(folder.join(path)).unwrap();
    let source = String::from_utf8(bytes.clone()).unwrap();
    let mut loader = Loader::new(Folder::new(root()));
    let mut apply = |rename: Rename, bytes: &[u8]| {
        let document = Document::from_slice(bytes, &Options::new()).unwrap();
        rename.apply(&document, path, &mut loader).unwrap()
    };
    let there = apply(Rename::component("EditorPendingCompositionComponent", "D"), &bytes);
    assert_eq!(there.changes.len(), source.matches("EditorPendingCompositionComponent").count());
    assert!(there.changes.len() > 100);
    let back = apply(Rename::component("D", "EditorPendingCompositionComponent"), &there.bytes);
    same_bytes("the bytes", &bytes, &back.bytes).unwrap();
    let name = "Prefabs/Red_Gem_Spawn_Point.prefab";
    let there = apply(Rename::path(name, "x.prefab"), &bytes);
    assert_eq!(there.changes.len(), source.matches(name).count());
    same_bytes("the bytes", &bytes, &apply(Rename::path("x.prefab", name), &there.bytes).bytes)
        .unwrap();
}

#[test]
fn ids_of_assets_change_with_their_path_where_that_is_asked_for() {
    // Ids of the Asset Processor, from public levels.
    for (path, id) in [
        ("Assets/Prefabs/Bush.prefab", "{EE51E73C-D753-54AC-A1C0-4F29844FB6C3}"),
        (
            "assets\\warehouse\\models\\warehouse_ceiling_short.fbx",
            "{A5700AB1-930F-5720-A205-B20F7F53E9D6}",
        ),
        (
            "assets/warehouse/floor_markings/tire_traces_circle.material",
            "{1CB13800-517D-5CF8-B335-BE50BA250515}",
        ),
    ] {
        assert_eq!(asset_guid(path).to_string(), id);
    }
    let [old, new] = ["Old.prefab", "New.prefab"].map(|path| asset_guid(path).to_string());
    let level = |id: &str| {
        let lower = id.to_lowercase();
        format!(
            r#"{{"guid": "{id}", "list": ["{lower}", "{id} x", "{{{}}}"], "{id}": 1}}"#,
            "0".repeat(32)
        )
    };
    let rename = Rename::path("Old.prefab", "New.prefab");
    assert_eq!(text(&rename, &level(&old)).1, []);
    let (there, changes) = text(&rename.clone().guids(true), &level(&old));
    let pointers: Vec<&str> = changes.iter().map(|own| own.0.as_str()).collect();
    assert_eq!(pointers, ["/guid", "/list/0"]);
    let expected = level(&old).replacen(&old, &new, 1);
    assert_eq!(there, expected.replacen(&old.to_lowercase(), &new.to_lowercase(), 1));
}
