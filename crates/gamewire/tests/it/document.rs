//! Any file, opened: the same calls for every format.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gamewire::document::{
    self, Change, DecodedFile, Edit, Entries, EntryChangeKind, Error, Framing, Layout, Merge, Side,
    Target, TreeOptions, Verdict,
};
use gamewire::godot_variant::types::TypedArray;
use gamewire::godot_variant::{self, Value, variant};
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::archive::{Archive, Builder};
use gamewire::resonite_brson;
use gamewire::resonite_save::package::Package;
use gamewire::{Document, Format, Settings};
use gamewire::{o3de_json, zeze_serialize};

/// A file of each format, and two values in it that are something else afterwards.
const SAMPLES: [(&str, [(&str, &str); 2]); 6] = [
    ("godot-variant/savegame.dat", [("player.hp", "12.5"), ("crops[0].watered", "true")]),
    (
        "o3de-json/samples/Server.setreg",
        [
            ("/Amazon/AzCore/Streamer/Priority", "0.75"),
            ("/Amazon/AzCore/Streamer/SplitSize", "other"),
        ],
    ),
    ("kiwi-pclass/boss.xml", [("m_health", "7"), ("m_level", "8")]),
    (
        "resonite-brson/lamp.brson",
        [("Object.Bulb.Light.Range", "8.25"), ("Object.Bulb.Light.Intensity", "3.5")],
    ),
    (
        "resonite-brson/lamp.resonitepackage",
        [("Object.Bulb.Light.Range", "8.25"), ("Object.Bulb.Light.Intensity", "3.5")],
    ),
    ("zeze-serialize/frames.bin", [("[0][field 2]", "8"), ("[0].protocol", "9")]),
];

fn testdata(path: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    std::fs::read(folder.join(path)).unwrap()
}

fn settings(path: &str) -> Settings {
    let mut settings = Settings { name: Some(path.into()), ..Settings::default() };
    let types = testdata("kiwi-pclass/vectors/types/arena.json");
    let schema = Schema::builder().json(&types).unwrap().build().unwrap();
    settings.pclass.schema = Some(Arc::new(schema));
    settings
}

fn open(path: &str) -> Document {
    Document::open(testdata(path), &settings(path)).unwrap()
}

/// Two paths of leaves of a sample, and other values for them.
fn leaves(path: &str, named: &[(&str, &str); 2]) -> Vec<(String, String)> {
    let document = open(path);
    if document.format() != Format::KiwiPclass {
        return named.iter().map(|(path, new)| ((*path).to_owned(), (*new).to_owned())).collect();
    }
    let all = document.root().children();
    let numbers =
        all.into_iter().filter(|node| node.kind() == "integer" && node.text().unwrap() != "7");
    numbers.take(2).map(|node| (node.path(), "7".to_owned())).collect()
}

#[test]
fn a_value_is_got_and_set_in_every_format() {
    for (path, named) in SAMPLES {
        let before = open(path);
        let mut after = open(path);
        assert!(!before.describe().is_empty(), "{path}");
        for (place, new) in leaves(path, &named) {
            after.set(&place, &new).unwrap();
            assert_eq!(after.get(&place).unwrap()[0].text().unwrap(), new, "{path} {place}");
            let changes = before.diff(&after, 80).unwrap();
            assert!(
                changes.iter().any(|change| change.path.ends_with(last(&place))),
                "{changes:?}"
            );
        }
        assert_ne!(after.as_bytes(), before.as_bytes(), "{path}");
        let again = Document::open(after.as_bytes(), &settings(path)).unwrap();
        assert_eq!(after.diff(&again, 80).unwrap(), [], "{path}");
    }
}

/// The end of a path, which differences by name have too.
fn last(path: &str) -> &str {
    path.rsplit(['.', '/']).next().unwrap()
}

#[test]
fn files_are_checked_explained_and_made_of_their_json_again() {
    for (path, _) in SAMPLES {
        let (bytes, settings) = (testdata(path), settings(path));
        let verdict = document::check(&bytes, &settings).unwrap();
        assert!(!matches!(verdict, Verdict::Differs(_)), "{path}: {verdict:?}");
        assert!(document::explain(&bytes, &settings).unwrap().error().is_none(), "{path}");
        let document = open(path);
        let mut json = Vec::new();
        document.write_json(&mut json, Layout::Compact, true).unwrap();
        let settings = Settings { format: Some(document.format()), ..settings };
        let again = Document::from_json(&json, &settings).unwrap();
        assert_eq!(document.diff(&again, 80).unwrap(), [], "{path}");
        assert!(document.to_plain_json().unwrap().is_object() || path.contains("frames"));
    }
}

#[test]
fn what_two_branches_changed_is_merged_in_the_container_of_ours() {
    for (path, named) in SAMPLES {
        let leaves = leaves(path, &named);
        let (base, mut ours, mut theirs) = (open(path), open(path), open(path));
        ours.set(&leaves[0].0, &leaves[0].1).unwrap();
        theirs.set(&leaves[1].0, &leaves[1].1).unwrap();
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        assert!(merge.is_clean(), "{path}: {:?}", merge.conflicts());
        let merged = merge.resolve(Side::Ours).unwrap();
        for (place, new) in leaves {
            assert_eq!(merged.get(&place).unwrap()[0].text().unwrap(), new, "{path} {place}");
        }
        assert_eq!(merged.describe(), ours.describe());
    }
}

#[test]
fn a_merged_package_has_all_its_entries() {
    let path = "resonite-brson/lamp.resonitepackage";
    let (base, mut ours) = (open(path), open(path));
    let mut theirs = open(path);
    theirs.set("Object.Bulb.Light.Range", "8.25").unwrap();
    ours.set("Object.Bulb.Light.Intensity", "3.5").unwrap();
    let merged = Merge::new(Some(&base), &ours, &theirs).unwrap().resolve(Side::Ours).unwrap();
    let entries = |bytes: &[u8]| -> Vec<(String, Vec<u8>)> {
        let package = Package::from_slice(bytes).unwrap();
        let main = format!("Assets/{}", package.main_hash().unwrap());
        let others = package.entries().filter(|(name, _)| *name != main);
        others.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect()
    };
    let before = entries(base.as_bytes());
    assert!(!before.is_empty());
    assert_eq!(entries(merged.as_bytes()), before);
}

#[test]
fn conflicts_have_the_paths_of_everything_else() {
    let path = "godot-variant/savegame.dat";
    let (base, mut ours, mut theirs) = (open(path), open(path), open(path));
    ours.set("player.hp", "1").unwrap();
    theirs.set("player.hp", "2").unwrap();
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    let conflicts = merge.conflicts();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].path, "player.hp");
    let taken = merge.resolve(Side::Theirs).unwrap();
    assert_eq!(taken.get("player.hp").unwrap()[0].text().unwrap(), "2.0");
}

#[test]
fn wrong_edits_change_nothing() {
    let mut document = open("godot-variant/savegame.dat");
    let before = document.as_bytes().to_vec();
    let wrong = document.set("player.mana", "1").unwrap_err();
    assert!(wrong.message().starts_with("player.mana: there is only"), "{wrong}");
    let wrong = document.set("player.hp", "many").unwrap_err();
    assert!(wrong.message().starts_with("player.hp: expected a number"), "{wrong}");
    let edits = [
        Edit::Set { path: "player.hp", value: "1".into(), kind: None },
        Edit::Remove { path: "player.mana" },
    ];
    assert!(document.edit(&edits).is_err());
    assert_eq!(document.as_bytes(), before);
    document.insert("player.mana", "5").unwrap();
    assert_eq!(document.get("player.mana").unwrap()[0].kind(), "int");
    document.remove("player.mana").unwrap();
    assert_eq!(document.as_bytes(), before);
}

#[test]
fn files_are_converted_and_saved_from_damage() {
    let document = open("godot-variant/savegame.dat");
    let mut target = Target::default();
    target.godot.framing = Some(Framing::Bare);
    assert_eq!(document.convert(&target).unwrap(), document.as_bytes()[4..]);

    let bytes = testdata("o3de-json/samples/Lamp.prefab");
    let name = settings("o3de-json/samples/Lamp.prefab");
    let made = document::salvage(&bytes[..bytes.len() / 2], &name).unwrap();
    assert!(!made.lost.is_empty() && Document::open(made.bytes, &name).is_ok());
    assert!(
        open("o3de-json/samples/Lamp.prefab")
            .tree(TreeOptions {
                columns: None,
                most: TreeOptions::SCREEN,
                see_more: "",
                is_json: false
            })
            .unwrap()
            .text
            .contains("Lamp")
    );
}

#[test]
fn what_is_no_game_data_is_an_error() {
    let wrong = Document::open(&b"plain text"[..], &Settings::default()).unwrap_err();
    assert!(wrong.message().starts_with("not recognized"), "{wrong}");
    let of = |format| Settings { format: Some(format), ..Settings::default() };
    for format in Format::ALL {
        assert!(Document::open(&b"\xff\xfe plain"[..], &of(*format)).is_err(), "{format}");
    }
    // Limits are those of every way in.
    let mut tight = Settings::default();
    tight.limits.max_depth = Some(1);
    assert!(Document::open(testdata("godot-variant/savegame.dat"), &tight).is_err());
}

#[test]
fn references_are_compared_by_what_they_point_to() {
    let before = open("resonite-brson/lamp.brson");
    let mut after = open("resonite-brson/lamp.brson");
    after.set("Object.Bulb.Name", "Lantern").unwrap();
    let changes = before.diff(&after, 80).unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!(matches!(changes[0].what, document::ChangeKind::Renamed(_)), "{changes:?}");
}

#[test]
fn a_name_means_all_of_that_name() {
    let mut lamp = open("resonite-brson/lamp.brson");
    let all = |lamp: &Document, path: &str| lamp.get(path).map(|found| found.len());
    let numbered: Vec<String> = lamp.get("**").unwrap().iter().map(document::Node::path).collect();
    // Two slots of one name, of which a number means one.
    lamp.set("Object.Bulb.Name", "Part").unwrap();
    let others: Vec<&String> = numbered
        .iter()
        .filter(|path| {
            path.starts_with("Object.") && path.ends_with(".Name") && path.matches('.').count() == 2
        })
        .collect();
    assert!(!others.is_empty(), "{numbered:?}");
    for path in others.iter().filter(|path| !path.contains("Bulb")) {
        lamp.set(path, "Part").unwrap();
    }
    assert!(all(&lamp, "Object.Part[0].Name").unwrap() == 1);
    let count = all(&lamp, "*.Part.Name").unwrap();
    assert!(count > 1, "{count}");
    let why = lamp.get("Object.Part.Name").unwrap_err();
    assert!(why.message().contains(&format!("there are {count}, ")), "{why}");
    assert!(lamp.set("Object.Part.Name", "x").is_err());
    lamp.set("*.Part.Name", "Whole").unwrap();
    assert_eq!(all(&lamp, "*.Whole.Name").unwrap(), count);
}

/// Each container around a save: what is merged is what both changes in a row make.
#[test]
fn containers_are_merged_as_both_changes() {
    let mut files = Vec::new();
    for name in [
        "brson",
        "7zbson",
        "lz4bson",
        "bson",
        "frame.lz4bson",
        "alone.7zbson",
        "legacy.7zbson",
        "legacy.brson",
        "legacy.lz4bson",
        "resonitepackage",
    ] {
        let path = format!("resonite-brson/lamp.{name}");
        files.push((name, testdata(&path), settings(&path), SAMPLES[3].1));
    }
    let save = open("godot-variant/savegame.dat");
    let mut settings = Settings::default();
    settings.godot.secret = Some(document::Secret::Password("sesame".to_owned()));
    settings.format = Some(Format::GodotVariant);
    let save = Document::open(save.as_bytes(), &settings).unwrap();
    for (name, _, wrapping) in document::WRAPPINGS {
        let mut target = Target::default();
        target.godot.wrapping = Some(*wrapping);
        files.push((name, save.convert(&target).unwrap(), settings.clone(), SAMPLES[0].1));
    }
    for (name, _, framing) in document::FRAMINGS {
        // Those that take one value of these kinds.
        if matches!(*name, "bare" | "store-var-be" | "base64" | "mixed" | "json") {
            let mut target = Target::default();
            target.godot.framing = *framing;
            let mut settings = settings.clone();
            settings.godot.framing = *framing;
            files.push((name, save.convert(&target).unwrap(), settings, SAMPLES[0].1));
        }
    }
    assert!(files.len() >= 18, "{}", files.len());
    for (name, bytes, settings, [first, second]) in files {
        let open = || Document::open(bytes.clone(), &settings).unwrap();
        let (base, mut ours, mut theirs, mut both) = (open(), open(), open(), open());
        ours.set(first.0, first.1).unwrap();
        theirs.set(second.0, second.1).unwrap();
        both.set(first.0, first.1).unwrap();
        both.set(second.0, second.1).unwrap();
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        let merged = merge.resolve(Side::Ours).unwrap();
        assert_eq!(both.diff(&merged, 40).unwrap(), [], "{name}");
        assert_eq!(merged.describe(), base.describe(), "{name}");
        // No two encryptions of Godot 4 are the same.
        let is_encrypted = *name == *"encrypted";
        assert_eq!(merged.as_bytes() == both.as_bytes(), !is_encrypted, "{name}");
    }
}

/// The archive or package that a file is.
fn entries(bytes: Vec<u8>) -> Entries {
    let settings = settings("a.wad");
    let settings = Settings { name: None, ..settings };
    Entries::open(std::io::Cursor::new(bytes), &settings).unwrap().unwrap()
}

fn written(entries: &Entries) -> Vec<u8> {
    let mut made = Vec::new();
    entries.write(&mut made).unwrap();
    made
}

#[test]
fn an_entry_is_changed_and_the_others_keep_their_bytes() {
    let bytes = testdata("kiwi-pclass/arena.wad");
    let mut all = entries(bytes.clone());
    assert!(written(&all) == bytes);
    let at = all.find("ObjectData/Arena/Boss.xml").unwrap();
    assert_eq!(all.find("objectdata/arena/boss.XML"), Some(at));
    assert_eq!(all.find("ObjectData"), None);
    let mut boss = all.document(at).unwrap();
    assert_eq!(boss.root().type_name(), "class ArenaBoss");
    boss.set("m_level", "9").unwrap();
    all.put(at, boss.as_bytes().to_vec()).unwrap();
    assert_eq!(all.read(at).unwrap(), boss.as_bytes());
    let made = written(&all);
    let (old, new) = (Archive::from_slice(&bytes).unwrap(), Archive::from_slice(&made).unwrap());
    assert!(old.file_names().eq(new.file_names()));
    for (old, new) in old.entries().zip(new.entries()).filter(|(old, _)| old.index() != at) {
        assert_eq!(old.stored().unwrap(), new.stored().unwrap(), "{}", old.name());
        assert_eq!((old.size(), old.crc32()), (new.size(), new.crc32()), "{}", old.name());
    }
    assert_eq!(entries(made).document(at).unwrap().get("m_level").unwrap()[0].text().unwrap(), "9");
    assert!(Entries::open(std::io::Cursor::new(b"text"), &Settings::default()).unwrap().is_none());

    // The same calls on a package: its save is one of the assets, and the record names it.
    let bytes = testdata("resonite-brson/lamp.resonitepackage");
    let mut all = entries(bytes.clone());
    let names: Vec<String> = all.names().map(str::to_owned).collect();
    let package = Package::from_slice(&bytes).unwrap();
    let main = format!("Assets/{}", package.main_hash().unwrap());
    let at = all.find(&main).unwrap();
    let mut save = all.document(at).unwrap();
    save.set("Object.Bulb.Light.Range", "8.25").unwrap();
    all.put(at, save.as_bytes().to_vec()).unwrap();
    let made = Package::from_slice(&written(&all)).unwrap();
    assert_eq!(made.main().unwrap(), save.as_bytes());
    assert_ne!(made.main_hash(), package.main_hash());
    for (name, content) in package.entries().filter(|(name, _)| *name != main) {
        assert!(made.entries().any(|own| own == (name, content)), "{name}");
    }
    assert_eq!(all.names().count(), names.len());
    let odd = names.iter().position(|name| name.starts_with("Metadata/"));
    assert!(odd.is_none_or(|at| all.put(at, Vec::new()).is_err()));
}

#[test]
fn entries_come_and_go() {
    let bytes = testdata("kiwi-pclass/arena.wad");
    let mut all = entries(bytes.clone());
    let before: Vec<String> = all.names().map(str::to_owned).collect();
    all.insert("GUI/New.txt", b"new".to_vec()).unwrap();
    let new = all.find("GUI/New.txt").unwrap();
    all.put(new, b"newer".to_vec()).unwrap();
    all.insert("GUI/Readme.txt", b"read".to_vec()).unwrap();
    all.remove(all.find("Empty.txt").unwrap()).unwrap();
    assert!(all.remove(before.len() + 1).is_err() && all.insert("a\0b", Vec::new()).is_err());
    let made = written(&all);
    let (old, new) = (Archive::from_slice(&bytes).unwrap(), Archive::from_slice(&made).unwrap());
    let mut expected: Vec<&str> =
        before.iter().map(String::as_str).filter(|name| *name != "Empty.txt").collect();
    expected.push("GUI/New.txt");
    expected.sort_unstable();
    let mut names: Vec<&str> = new.file_names().collect();
    names.sort_unstable();
    assert_eq!(names, expected);
    for own in new.entries() {
        match own.name() {
            "GUI/New.txt" => assert_eq!(*own.read().unwrap(), *b"newer"),
            "GUI/Readme.txt" => assert_eq!(*own.read().unwrap(), *b"read"),
            name => {
                let old = old.by_name(name).unwrap();
                assert_eq!(own.stored().unwrap(), old.stored().unwrap(), "{name}");
            }
        }
    }
    // What came is gone again: the bytes are those of before.
    let mut all = entries(bytes.clone());
    all.insert("Z.txt", b"z".to_vec()).unwrap();
    all.remove(all.find("Z.txt").unwrap()).unwrap();
    assert!(written(&all) == bytes);

    let bytes = testdata("resonite-brson/lamp.resonitepackage");
    let mut all = entries(bytes.clone());
    let asset = b"asset".to_vec();
    let name = format!("Assets/{}", gamewire::resonite_save::package::hash(&asset));
    let error = all.insert("Assets/asset", asset.clone()).unwrap_err();
    assert!(error.message().contains(&name), "{error}");
    all.insert(&name, asset.clone()).unwrap();
    let package = Package::from_slice(&written(&all)).unwrap();
    assert!(package.entries().any(|own| own == (&name, &asset)));
    assert!(package.verify().iter().all(|problem| !problem.is_error()));
    let main = all.find(&format!("Assets/{}", package.main_hash().unwrap())).unwrap();
    assert!(all.remove(0).is_err() && all.remove(main).is_err());
    all.remove(all.find(&name).unwrap()).unwrap();
    assert!(all.find(&name).is_none());
    assert!(all.insert("Metadata/a", Vec::new()).is_err());
}

#[test]
fn settings_have_names() {
    let mut settings = Settings::default();
    for (name, value) in [
        ("format", "\"godot-variant\""),
        ("strict", "true"),
        ("max_depth", "5000"),
        ("framing", "\"store-var\""),
        ("trailing_commas", "true"),
        ("core_types", "{\"2\": \"class Other\"}"),
        ("container", "\"7zbson\""),
        ("frames", "\"auto\""),
        ("bean", "null"),
    ] {
        assert!(settings.set(name, &value.parse().unwrap()).unwrap(), "{name}");
    }
    assert_eq!(settings.format, Some(Format::GodotVariant));
    assert_eq!(settings.limits.max_depth, Some(document::MAX_DEPTH));
    assert_eq!(settings.godot.framing, Some(Framing::StoreVar));
    assert!(settings.limits.strict && settings.o3de.trailing_commas);
    assert!(settings.pclass.core_types.is_some() && settings.resonite.container.is_some());
    assert!(settings.zeze.frames.is_none() && settings.zeze.bean.is_none());
    assert!(!settings.set("other", &1.into()).unwrap());
    for (name, value, expected) in [
        ("framing", "\"other\"", "framing: expected one of auto, bare, "),
        ("max_depth", "-1", "max_depth: expected a number, found -1"),
        ("core_types", "{\"a\": \"b\"}", "core_types: expected true, or classes by numbers"),
    ] {
        let error = settings.set(name, &value.parse().unwrap()).unwrap_err();
        assert!(error.message().starts_with(expected), "{error}");
    }
}

#[test]
fn archives_are_compared_entry_by_entry() {
    let bytes = testdata("kiwi-pclass/arena.wad");
    let old = entries(bytes.clone());
    assert_eq!(old.diff(&entries(bytes.clone()), 40), []);
    let archive = Archive::from_slice(&bytes).unwrap();
    let mut builder = archive.to_builder();
    let read = |name: &str| archive.by_name(name).unwrap().read().unwrap().into_owned();
    // The same content, in other bytes of the archive and in another place of it.
    let again = gamewire::kiwi_pclass::archive::Content::stored(read("GUI/Readme.txt")).unwrap();
    builder.insert_content("GUI/Readme.txt", again).unwrap();
    builder.insert("New.txt", b"new").unwrap();
    assert!(builder.remove("Empty.txt") && builder.remove("Music/Theme.mp3"));
    builder.insert("Music/Renamed.mp3", &read("Music/Theme.mp3")).unwrap();
    let mut boss = Document::open(read("ObjectData/Arena/Boss.xml"), &settings("b.xml")).unwrap();
    boss.set("m_level", "9").unwrap();
    builder.insert("ObjectData/Arena/Boss.xml", boss.as_bytes()).unwrap();
    builder.insert("ObjectData/Arena/Match.xml", b"BINd and no more").unwrap();
    let new = entries(builder.to_vec().unwrap());
    let shown: Vec<String> = old
        .diff(&new, 40)
        .iter()
        .map(|change| match &change.what {
            EntryChangeKind::Values(all) => format!("{}: {} {all:?}", change.name, all.len()),
            other => format!("{}: {other:?}", change.name),
        })
        .collect();
    insta::assert_debug_snapshot!(shown);
    // Two entries of a name are those before and after one another.
    let twice = |second: &[u8]| {
        let mut builder = Builder::new();
        builder.insert("a.txt", b"first").unwrap();
        builder.insert("b.txt", second).unwrap();
        let mut bytes = builder.to_vec().unwrap();
        let at = bytes.windows(5).position(|own| own == b"b.txt").unwrap();
        bytes[at] = b'a';
        entries(bytes)
    };
    let changes = twice(b"one").diff(&twice(b"another"), 40);
    assert_eq!(changes.len(), 1);
    assert!(matches!(&changes[0].what, EntryChangeKind::Bytes { old: 3, new: 7, why: None }));
    assert!(twice(b"one").put(1, Vec::new()).is_err(), "the second of a name");
}

/// Files that the games have without a mark are told by their names, if they can be it.
#[test]
fn names_say_what_bytes_do_not() {
    let boss = testdata("kiwi-pclass/boss.xml");
    let target = |flags| {
        let mut target = Target::default();
        target.pclass.form = Some(gamewire::document::Form::Bare);
        target.pclass.flags = Some(gamewire::kiwi_pclass::types::SerializerFlags(flags));
        target
    };
    let bare = Document::open(boss, &settings("b.xml")).unwrap().convert(&target(0)).unwrap();
    for (name, found) in [
        ("zone/gamedata.bin", Some(Format::KiwiPclass)),
        ("PathNodeData.BIN", Some(Format::KiwiPclass)),
        ("other.bin", None),
    ] {
        assert_eq!(gamewire::detect(&bare, Some(Path::new(name))), found, "{name}");
    }
    assert_eq!(gamewire::detect(b"another game's", Some(Path::new("gamedata.bin"))), None);
    let mut zone = Document::open(bare.clone(), &settings("gamedata.bin")).unwrap();
    assert!(document::check(&bare, &settings("gamedata.bin")).unwrap() == Verdict::Identical);
    zone.set("m_level", "9").unwrap();
    assert_eq!(zone.as_bytes().len(), bare.len());
    let named = Settings { format: Some(Format::KiwiPclass), ..settings("other.bin") };
    let error = Document::open(bare, &named).unwrap_err();
    assert_eq!(error.hint(), Some(&document::Hint::Layout), "{error}");
}

/// What is found at a path, or why nothing is.
fn found(nodes: Result<Vec<document::Node<'_>>, document::Error>) -> Vec<String> {
    match nodes {
        Ok(nodes) => nodes
            .iter()
            .map(|node| format!("{node:?} {} {}", node.kind(), node.to_plain_json().unwrap()))
            .collect(),
        Err(why) => vec![why.to_string()],
    }
}

/// Does something with each of many files, and with paths in it and beside it.
fn with_paths(then: impl Fn(&str, &Document, &Settings, &[String])) {
    const ALONE: [&str; 6] = [
        "zeze-serialize/bvalue.bean",
        "godot-variant/stream.dat",
        "godot-variant/project.binary",
        "o3de-json/samples/Yard.prefab",
        "kiwi-pclass/match.xml",
        "resonite-brson/lamp.legacy.brson",
    ];
    for path in SAMPLES.iter().map(|(path, _)| *path).chain(ALONE) {
        let zeze = path.ends_with(".bean").then_some(Format::ZezeSerialize);
        let settings = Settings { format: zeze, ..settings(path) };
        let whole = Document::open(testdata(path), &settings).unwrap();
        let mut paths = vec!["nowhere.at[7].all".to_owned(), "**.Name".to_owned()];
        let mut todo = vec![whole.root()];
        while let Some(node) = todo.pop() {
            let own = node.path();
            paths.extend([
                own.replace("[0]", "[*]"),
                format!("{own}[99]"),
                format!("{own}.x"),
                own,
            ]);
            // Long rows have nothing new.
            todo.extend(node.children().into_iter().take(3));
        }
        then(path, &whole, &settings, &paths);
    }
}

#[test]
fn a_look_at_a_path_finds_what_the_whole_file_has() {
    with_paths(|path, whole, settings, paths| {
        let bytes = whole.as_bytes();
        let explained = document::explain(bytes, settings).unwrap().paths();
        let paths: Vec<_> = paths.iter().cloned().chain(explained).collect();
        assert!(paths.len() > 20, "{path}");
        let many = paths.len().div_ceil(100);
        for own in paths.iter().step_by(many).map(String::as_str) {
            let alone = document::get_all(bytes, settings, &[own], |all| {
                all.into_iter().map(found).collect::<Vec<_>>()
            });
            let expected = found(whole.get(own));
            assert_eq!(alone.unwrap(), [expected], "{path} {own}");
        }
    });
}

/// Makes changes as a document does and without one.
fn changed(whole: &Document, settings: &Settings, edits: &[Edit<'_>]) -> Option<Vec<u8>> {
    let mut document = Document::open(whole.as_bytes(), settings).unwrap();
    let all = document.edit(edits).map(|()| document.as_bytes().to_vec());
    let part = document::edit(whole.as_bytes(), settings, edits);
    let text = |made: Result<Vec<u8>, document::Error>| made.map_err(|why| why.to_string());
    let (all, part) = (text(all), text(part));
    assert!(all == part, "{edits:?}: {:?}, {:?}", all.as_ref().err(), part.err());
    all.ok()
}

#[test]
fn changes_of_a_part_are_those_of_the_whole_file() {
    with_paths(|path, whole, settings, paths| {
        let mut made = 0;
        for (at, own) in paths.iter().step_by(paths.len().div_ceil(40)).enumerate() {
            let value = ["7", "\"new\"", "true", "[1, 2]", "2.5"][at % 5];
            let last = if own.starts_with('/') { format!("{own}/-") } else { format!("{own}[-]") };
            let first = last.replace('-', "0");
            let field = format!("{own}[field 3]");
            let set = |path| Edit::Set { path, value: value.into(), kind: None };
            let insert = |path| Edit::Insert { path, value: value.into(), kind: None };
            for edits in [
                &[set(own)][..],
                &[Edit::Remove { path: own }],
                &[insert(own)],
                &[insert(&last)],
                &[insert(&first), set(&first)],
                &[insert(&field)],
                &[Edit::Remove { path: &first }],
            ] {
                made += usize::from(changed(whole, settings, edits).is_some());
            }
        }
        assert!(made > 5, "{path}: {made}");
    });
}

fn data_diff(old: &[u8], new: &[u8], settings: &Settings) -> Result<Vec<Change>, Error> {
    DecodedFile::read(old, settings)?.diff(&DecodedFile::read(new, settings)?, 40)
}

/// Compares two files, both ways round: they differ if what is shown of them does. Returns how many could be compared.
fn compared(old: &[u8], new: &[u8], settings: &Settings) -> usize {
    let files = [old, new].map(|bytes| Document::open(bytes, settings));
    let [Ok(before), Ok(after)] = files else { return 0 };
    let [is_same, is_same_back] = [(&before, &after), (&after, &before)]
        .map(|(before, after)| before.diff(after, 40).unwrap().is_empty());
    let [shown, other] = [&before, &after].map(|own| {
        let mut json = Vec::new();
        own.write_json(&mut json, Layout::Compact, false).map(|()| json).ok()
    });
    // Of a save of Resonite, identifiers and names that nothing has are no values.
    let is_shown = before.format() != Format::ResoniteBrson || shown == other;
    let wanted = if is_shown { shown == other } else { is_same };
    assert_eq!((is_same, is_same_back), (wanted, wanted), "{settings:?}");
    1
}

#[test]
fn files_differ_if_their_values_do() {
    with_paths(|path, whole, settings, paths| {
        let (bytes, mut count) = (whole.as_bytes(), 0);
        for (at, own) in paths.iter().step_by(paths.len().div_ceil(12)).enumerate() {
            let value = ["7", "\"new\"", "true", "[1, 2]", "2.5"][at % 5];
            let edits = [
                Edit::Set { path: own, value: value.into(), kind: None },
                Edit::Remove { path: own },
            ];
            for edit in edits {
                let made = document::edit(bytes, settings, &[edit]);
                count += made.map_or(0, |made| compared(bytes, &made, settings));
            }
        }
        count += with_flips(bytes, settings);
        let never = ["stream.dat", "project.binary", "Lamp", "lamp", "frames", ".xml"];
        assert!(count > 5 || never.iter().any(|own| path.contains(own)), "{path}: {count}");
    });
    let boss = Document::open(testdata("kiwi-pclass/boss.xml"), &settings("boss.xml")).unwrap();
    let mut target = Target::default();
    // Not compressed.
    target.pclass.flags = Some(gamewire::kiwi_pclass::types::SerializerFlags(3));
    let boss = boss.convert(&target).unwrap();
    let count = with_flips(&boss, &settings("boss.bin"));
    assert!(count > 5, "{count}");
}

/// So many values that there are no marks for all of them, and the same bytes under other flags.
#[test]
fn no_difference_is_passed_over() {
    use zeze_serialize::value::{Bean, List, Value as Zeze};
    let bean = |last: i64| {
        let list: List =
            (0..10_000).map(|at| Zeze::Int(if at == 9_999 { last } else { 1 })).collect();
        zeze_serialize::to_vec(&Zeze::Bean([(1, Zeze::List(list))].into_iter().collect::<Bean>()))
    };
    let zeze = Settings { format: Some(Format::ZezeSerialize), ..Settings::default() };
    compared(&bean(1).unwrap(), &bean(2).unwrap(), &zeze);
    let boss = Document::open(testdata("kiwi-pclass/boss.xml"), &settings("boss.xml")).unwrap();
    let files = [1, 3].map(|flags| {
        let mut target = Target::default();
        target.pclass.flags = Some(gamewire::kiwi_pclass::types::SerializerFlags(flags));
        boss.convert(&target).unwrap()
    });
    compared(&files[0], &files[1], &settings("boss.bin"));
    let value =
        variant!({ "a": [1, 2, "x"], "b": (godot_variant::types::Color::new(1.0, 0.5, 0.0, 1.0)) });
    let files = [godot_variant::Dialect::Godot4, godot_variant::Dialect::Godot3]
        .map(|own| godot_variant::Options::new().dialect(own).to_vec(&value).unwrap());
    // One value in two dialects.
    assert_eq!(data_diff(&files[0], &files[1], &Settings::default()).unwrap(), []);
}

/// Compares a file with those in which a bit is another one. The bytes of a value do not say all of it alone,
/// such as its kind.
fn with_flips(bytes: &[u8], settings: &Settings) -> usize {
    let mut count = 0;
    for at in (0..bytes.len()).step_by(bytes.len().div_ceil(25)) {
        let mut other = bytes.to_vec();
        for bit in [0, 2, 5] {
            other[at] = bytes[at] ^ 1 << bit;
            count += compared(bytes, &other, settings);
        }
    }
    count
}

/// A little memory is enough for files of which no tree fits in it.
#[test]
fn what_is_the_same_is_not_made_to_be_compared() {
    type File = BTreeMap<&'static str, Vec<BTreeMap<&'static str, u32>>>;
    let file = |middle| -> File {
        let row = |at| BTreeMap::from([("at", at), ("x", if at == 2_000 { middle } else { 7 })]);
        BTreeMap::from([("rows", (0..4_000).map(row).collect())])
    };
    let [old, new] = [file(7), file(1 << 30)];
    let plain = resonite_brson::Options::new().container(resonite_brson::Container::BSON);
    let bean = |file: &File| {
        use zeze_serialize::value::{Bean, List, Value};
        let int = |id: u32, value: u32| (id, Value::Int(value.into()));
        let row = |own: &BTreeMap<_, u32>| [int(1, own["at"]), int(2, own["x"])];
        let rows = file["rows"].iter().map(|own| Value::Bean(row(own).into_iter().collect()));
        let rows = (1, Value::List(rows.collect::<List>()));
        zeze_serialize::to_vec(&Value::Bean([rows].into_iter().collect::<Bean>())).unwrap()
    };
    for (name, [old, new]) in [
        ("godot-variant", [&old, &new].map(|own| godot_variant::to_vec(own).unwrap())),
        ("resonite-brson", [&old, &new].map(|own| plain.to_vec(own).unwrap())),
        ("o3de-json", [&old, &new].map(|own| o3de_json::to_vec(own).unwrap())),
        ("zeze-serialize", [&old, &new].map(bean)),
    ] {
        let mut settings = Settings { format: name.parse().ok(), ..Settings::default() };
        assert_eq!(compared(&old, &new, &settings), 1, "{name}");
        settings.limits.max_memory = Some(old.len() * if name.starts_with('z') { 14 } else { 3 });
        // Values that are ranges are not made to be opened.
        assert!(Document::open(&*old, &settings).is_ok(), "{name}");
        let changes = data_diff(&old, &new, &settings).unwrap();
        assert!(changes[0].path.contains("2000") && changes.len() == 1, "{name}: {changes:?}");
    }
}

/// The counts, lengths and tags around what comes and goes, in long rows of which most is skipped.
#[test]
fn counts_around_a_change_are_mended() {
    let numbers = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    for count in [1, 2, 14, 15, 16, 300] {
        let save = variant!({
            "rows": (numbers(count).into_iter().collect::<Value>()),
            "typed": (godot_variant::to_value(&TypedArray(numbers(count))).unwrap()),
            "at": { "x": 1, "y": [1.5, { "z": true }] },
        });
        let bean = zeze_bean(count);
        let tree = BTreeMap::from([("rows", numbers(count)), ("s", numbers(1))]);
        let files = [
            (godot_variant::to_vec(&save).unwrap(), Format::GodotVariant, "rows", "at"),
            (
                godot_variant::frame::Framing::new().big_endian(true).to_vec(&save).unwrap(),
                Format::GodotVariant,
                "typed",
                "at",
            ),
            (bean, Format::ZezeSerialize, "[field 1]", ""),
            (resonite_brson::to_vec(&tree).unwrap(), Format::ResoniteBrson, "rows", ""),
            (o3de_json::to_vec(&tree).unwrap(), Format::O3deJson, "rows", ""),
        ];
        for (bytes, format, rows, around) in files {
            let settings = Settings { format: Some(format), ..Settings::default() };
            let whole = Document::open(bytes, &settings).unwrap();
            let (middle, last) =
                (format!("{rows}[{}]", count / 2), format!("{rows}[{}]", count - 1));
            let end = format!("{rows}[-]");
            let is_zeze = format == Format::ZezeSerialize;
            let new = if is_zeze {
                "[field 4]".to_owned()
            } else {
                format!("{around}.b").trim_start_matches('.').to_owned()
            };
            let set = |path| Edit::Set { path, value: "\"longer than before\"".into(), kind: None };
            let insert = |path| Edit::Insert { path, value: "\"new\"".into(), kind: None };
            let remove = |path| Edit::Remove { path };
            for edits in [
                &[set(&middle)][..],
                &[set(&middle), set(&last)],
                &[remove(&middle)],
                &[remove(&middle), remove(&last), remove(&format!("{rows}[0]"))],
                &[insert(&middle)],
                &[insert(&end), insert(&end), remove(&middle), set(&last)],
                &[insert(&new)],
                &[remove(rows)],
                &[remove(&format!("{rows}[*]"))],
            ] {
                let made = changed(&whole, &settings, edits);
                assert!(made.is_some() || edits.len() > 3, "{format} {count} {edits:?}");
            }
        }
    }
}

/// A bean of a list, and of fields around where one may come.
fn zeze_bean(count: usize) -> Vec<u8> {
    use zeze_serialize::value::{Bean, List, Value};
    let list: List = (0..count).map(|at| Value::Bytes(at.to_string().into_bytes())).collect();
    let fields = [(1, Value::List(list)), (3, Value::Int(5)), (40, Value::Float(1.5))];
    zeze_serialize::to_vec(&Value::Bean(fields.into_iter().collect::<Bean>())).unwrap()
}

/// A picture says how much it leaves out, JSON has all.
#[test]
fn long_hierarchies_are_folded() {
    let rows = |count: i64| -> Value { (0..count).map(|at| variant!({ "at": (at) })).collect() };
    let save = variant!({ "rows": (rows(110)), "last": 7 });
    let bytes = gamewire::godot_variant::to_vec(&save).unwrap();
    let draw = |most, is_json| {
        let picture = TreeOptions { columns: None, most, see_more: "; --all shows them", is_json };
        document::tree(&bytes, &Settings::default(), picture).unwrap()
    };
    let folded = draw(TreeOptions::SCREEN, false).text;
    assert!(folded.contains("rows: Array, 110 elements"), "{folded}");
    assert!(folded.contains("[99]") && !folded.contains("[100]"), "{folded}");
    assert!(folded.contains("… 10 more; --all shows them"), "{folded}");
    assert!(folded.contains("last: 7"), "{folded}");
    let whole = draw(usize::MAX, false).text;
    assert!(whole.contains("[109]") && !whole.contains("more"), "{whole}");
    assert!(draw(TreeOptions::SCREEN, true).json.to_string().contains("[109]"));
    let picture = TreeOptions { columns: None, most: usize::MAX, see_more: "", is_json: false };
    let document = Document::open(&*bytes, &Settings::default()).unwrap();
    assert_eq!(document.tree(picture).unwrap().text, whole);
}

/// Values of a format go in as they are, whatever text in them looks like, and are refused where they would change.
#[test]
fn typed_values_stay_the_same_or_are_refused() {
    use document::{Input, Typed};
    use gamewire::godot_variant::{Value, from_slice};

    let save: Value = [
        ("name", Value::from("Edda")),
        ("hp", Value::Float(1.5)),
        ("gold", Value::Int(7)),
        ("none", Value::Nil),
        ("ints", Value::PackedInt32Array([1, 2].into_iter().collect())),
    ]
    .into_iter()
    .collect();
    let bytes = gamewire::godot_variant::to_vec(&save).unwrap();
    let mut file = Document::open(bytes, &Settings::default()).unwrap();
    let mut set = |path: &str, value: Value| {
        let value = Typed::Godot(std::borrow::Cow::Owned(value));
        let done = file.set(path, Input::Typed(&value)).map_err(|why| why.to_string());
        done.map(|()| from_slice::<Value>(file.as_bytes()).unwrap()[path].clone())
    };
    for text in ["sn:Edda", "true", "\"", "{}", "i:5", ""] {
        assert_eq!(set("name", text.into()).unwrap(), Value::from(text));
    }
    assert_eq!(set("hp", 3.into()).unwrap(), Value::Float(3.0));
    assert_eq!(set("none", true.into()).unwrap(), Value::Bool(true));
    let items: Value = [Value::Int(3), Value::Int(i64::from(i32::MIN))].into_iter().collect();
    assert_eq!(
        set("ints", items).unwrap(),
        Value::PackedInt32Array([3, i32::MIN].into_iter().collect())
    );
    let refused = [
        ("name", Value::Bool(true), "name: expected String, found bool"),
        ("name", Value::Nil, "name: expected String, found Nil"),
        ("gold", Value::Float(1.0), "gold: expected int, found float"),
        ("hp", Value::Int((1 << 53) + 1), "hp: does not fit: a float would round the number"),
        (
            "ints",
            [Value::Int(1 << 40)].into_iter().collect(),
            "ints: does not fit: 1099511627776 is out of range",
        ),
    ];
    for (path, value, why) in refused {
        assert_eq!(set(path, value).unwrap_err(), why);
    }
}
