//! Saves and packages of Resonite.

use std::path::Path;

use crate::run::{feed, run, run_in, session_in};
use gamewire_testkit::vectors::same_bytes;

/// A sample's path, from the folder in which the commands run.
fn lamp(name: &str) -> String {
    format!("../resonite-brson/{name}")
}

fn text(args: &[&str]) -> String {
    String::from_utf8(run(args).good()).unwrap()
}

/// Every sample but the package.
const FILES: [&str; 9] = [
    "lamp.brson",
    "lamp.7zbson",
    "lamp.lz4bson",
    "lamp.bson",
    "lamp.frame.lz4bson",
    "lamp.alone.7zbson",
    "lamp.legacy.7zbson",
    "lamp.legacy.lz4bson",
    "lamp.legacy.brson",
];

#[test]
fn containers_are_told_apart() {
    let mut args = vec!["detect".to_owned()];
    args.extend(FILES.iter().map(|name| lamp(name)));
    args.push(lamp("lamp.resonitepackage"));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    insta::assert_snapshot!(text(&args));
}

#[test]
fn trees_are_drawn() {
    insta::assert_snapshot!(text(&["tree", &lamp("lamp.brson")]));
    let package = text(&["tree", &lamp("lamp.resonitepackage")]);
    assert_eq!(package, text(&["tree", &lamp("lamp.legacy.7zbson")]));
    insta::assert_snapshot!("tree_of_a_save", text(&["tree", "savegame.dat"]));
}

#[test]
fn json_goes_there_and_back() {
    let plain = std::fs::read(crate::run::samples().join(lamp("lamp.bson"))).unwrap();
    for name in FILES.into_iter().chain(["lamp.resonitepackage"]) {
        let json = run(&["decode", &lamp(name), "-f", "resonite-brson"]).good();
        let bson = ["encode", "-", "-f", "resonite-brson", "--container", "bson"];
        assert!(feed(&bson, &json).good() == plain, "{name}");
    }
    // With its wrapper, the text says what is around the document.
    for name in FILES {
        let json = run(&["decode", &lamp(name), "-f", "resonite-brson", "--wrap"]).good();
        let file = feed("encode - -f resonite-brson", &json).good();
        let original = std::fs::read(crate::run::samples().join(lamp(name))).unwrap();
        assert!(file == original, "{name}");
    }
    let relaxed = text(&["decode", &lamp("lamp.brson"), "--relaxed"]);
    assert!(relaxed.contains("\"ColorManagement\": 0,"), "{relaxed}");
}

#[test]
fn files_are_converted_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let steps = ["a.7zbson", "b.lz4bson", "c.bson", "d.json", "e.brson"];
    let mut from = lamp("lamp.brson");
    for step in steps {
        let to = path(step);
        if from.ends_with(".json") {
            run(&["encode", &from, "-f", "resonite-brson", "-o", &to]).good();
        } else {
            run(&["convert", &from, &to]).good();
        }
        from = to;
    }
    for (name, kind) in
        [("a.7zbson", "FrDT, lzma"), ("b.lz4bson", "FrDT, lz4"), ("e.brson", "FrDT, brotli")]
    {
        let said = text(&["detect", &path(name)]);
        assert!(said.ends_with(&format!("{kind}\n")), "{said}");
    }
    let same = |name: &str, sample: &str| {
        let sample = std::fs::read(crate::run::samples().join(lamp(sample))).unwrap();
        same_bytes(name, &sample, &std::fs::read(path(name)).unwrap()).unwrap();
    };
    same("c.bson", "lamp.bson");
    same("e.brson", "lamp.brson");
    run(&["convert", &lamp("lamp.resonitepackage"), &path("main.brson")]).good();
    same("main.brson", "lamp.brson");
    let old = path("old.7zbson");
    run(&["convert", &lamp("lamp.brson"), &old, "--to-container", "legacy-7zbson"]).good();
    same("old.7zbson", "lamp.legacy.7zbson");
}

#[test]
fn every_sample_is_written_back_identical() {
    let folder = std::fs::read_dir(crate::run::samples().join(lamp(""))).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> =
        names.filter(|name| name.starts_with("lamp.")).map(|name| lamp(&name)).collect();
    files.sort();
    let args: Vec<&str> = ["check"].into_iter().chain(files.iter().map(String::as_str)).collect();
    insta::assert_snapshot!(text(&args));
}

#[test]
fn differences_are_by_slot_and_member() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.7zbson").to_str().unwrap().to_owned();
    let json = text(&["decode", &lamp("lamp.brson"), "--relaxed"]);
    let changed = json
        .replace("\"Data\": 4.0", "\"Data\": 8.5")
        .replace("\"Data\": \"Stand\"", "\"Data\": \"Foot\"")
        .replace("\"Data\": \"@@home\"", "\"Data\": \"away\"")
        .replace("\"Data\": \"On\"", "\"Data\": \"Off\"");
    assert_ne!(json, changed);
    feed(&["encode", "-", "-f", "resonite-brson", "-o", &new], changed.as_bytes()).good();
    let ran = run(&["diff", &lamp("lamp.lz4bson"), &new]);
    assert_eq!(ran.end(), (1, ""));
    insta::assert_snapshot!(ran.text());
    // Other containers and identifiers are no differences.
    let same = run(&["diff", &lamp("lamp.bson"), &lamp("lamp.resonitepackage")]);
    assert_eq!((same.code, same.text()), (0, ""));
    let renumbered =
        json.replace("000-0000-0000-0000-000000000000", "fff-0000-0000-0000-000000000000");
    let other = folder.path().join("other.brson").to_str().unwrap().to_owned();
    feed(&["encode", "-", "-f", "resonite-brson", "-o", &other], renumbered.as_bytes()).good();
    let ran = run(&["diff", &lamp("lamp.bson"), &other]);
    let lines: Vec<&str> = ran.text().lines().collect();
    // Relaxed numbers lose their width, so those differ, and nothing else.
    assert!(lines.iter().all(|line| line.contains(".OrderOffset: ")), "{lines:?}");
}

#[test]
fn packages_are_explained_as_archives() {
    let shown = text(&["explain", &lamp("lamp.resonitepackage")]);
    for part in [
        "50 4b 03 04",
        "CRC-32 of the content",
        "directory entry",
        "end of the archive",
        "\nentry R-Main.record, ",
        "\nentry Assets/",
        "\ndecompressed body of Assets/",
        "VersionNumber: String",
    ] {
        assert!(shown.contains(part), "{part}");
    }
}

#[test]
fn bytes_are_explained() {
    let whole = text(&["explain", &lamp("lamp.legacy.7zbson")]);
    let head: Vec<&str> = whole.lines().take(24).collect();
    insta::assert_snapshot!(head.join("\n"));
    let chunks = text(&["explain", &lamp("lamp.lz4bson")]);
    let head: Vec<&str> = chunks.lines().take(8).collect();
    insta::assert_snapshot!(head.join("\n"));
}

#[test]
fn broken_files_are_shown_where_they_break() {
    let file = std::fs::read(crate::run::samples().join(lamp("lamp.brson"))).unwrap();
    let cut = feed("decode -", &file[..1000]);
    assert_eq!(cut.code, 1);
    let mut version = file.clone();
    version[4] = 1;
    let version = feed("decode -", &version);
    let mut inside = std::fs::read(crate::run::samples().join(lamp("lamp.bson"))).unwrap();
    inside[4] = 0x55;
    let inside = feed("decode - -f resonite-brson", &inside);
    insta::assert_snapshot!([cut.stderr, version.stderr, inside.stderr].join("\n"));
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn packages_are_listed_and_verified() {
    insta::assert_snapshot!(text(&["package", "list", &lamp("lamp.resonitepackage")]));
    let good = text(&["package", "verify", &lamp("lamp.resonitepackage")]);
    assert_eq!(good, "good  ../resonite-brson/lamp.resonitepackage\n");
    let bad = run(&["package", "verify", &lamp("lamp.brson")]);
    assert_eq!(bad.code, 1);
    assert_eq!(
        bad.text().trim_end(),
        "bad   ../resonite-brson/lamp.brson\n  expected a zip archive, found something else at byte 0x0"
    );
}

#[test]
fn packages_are_extracted_changed_and_built() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    run(&["package", "extract", &lamp("lamp.resonitepackage"), &path("item")]).good();
    run(&["package", "build", &path("item"), &path("same.resonitepackage")]).good();
    let original = std::fs::read(crate::run::samples().join(lamp("lamp.resonitepackage"))).unwrap();
    assert!(read(folder.path(), "same.resonitepackage") == original);

    // Another picture under the old name gets its own, and the save points to it.
    let picture = "item/Assets/c414cd0e204de974f73753c7e28d7638e7b3691bb8b1a2bab6b25bb7fed7ce77";
    std::fs::write(folder.path().join(picture), b"RIFF....WEBPVP8 ").unwrap();
    let new = path("new.resonitepackage");
    let ran = run(&["package", "build", &path("item"), &new, "--name", "Lamp"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    run(&["package", "verify", &new]).good();
    let listed = text(&["package", "list", &new]);
    assert!(listed.starts_with("name   Lamp\n") && listed.contains("16  WebP"), "{listed}");
    let ran = run(&["diff", &lamp("lamp.resonitepackage"), &new]);
    assert!(
        ran.text().starts_with("Assets.StaticTexture2D.URL: \"@packdb:///c414"),
        "{}",
        ran.text()
    );

    let built = path("built.resonitepackage");
    std::fs::write(folder.path().join("more.bin"), b"more").unwrap();
    run(&[
        "package",
        "build",
        &lamp("lamp.brson"),
        &built,
        "--asset",
        &path("more.bin"),
        "--incomplete",
    ])
    .good();
    let ran = run(&["package", "verify", &built]);
    assert_eq!(ran.code, 1, "the picture is missing");
    assert!(
        ran.text().contains("error: the save points to asset")
            && ran.text().contains("note: nothing points")
    );
}

/// Names that lead out of the folder are those of files in it.
#[test]
fn no_entry_is_written_elsewhere() {
    let bytes = std::fs::read(crate::run::samples().join(lamp("lamp.resonitepackage"))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let name = b"Assets/c414cd0e204de974f7375";
    for evil in [
        b"../../../../../../../../evi",
        b"C:\\evil\\aaaaaaaaaaaaaaaaaaaa",
        b"/evil/aaaaaaaaaaaaaaaaaaaaaa",
    ] as [&[u8]; 3]
    {
        let mut evil = evil.to_vec();
        evil.resize(name.len(), b'x');
        let mut changed = bytes.clone();
        let places: Vec<usize> =
            (0..changed.len() - name.len()).filter(|at| changed[*at..].starts_with(name)).collect();
        assert_eq!(places.len(), 2, "in the entry and in the directory");
        for at in places {
            changed[at..at + name.len()].copy_from_slice(&evil);
        }
        let file = folder.path().join("evil.resonitepackage");
        std::fs::write(&file, changed).unwrap();
        let to = folder.path().join("out");
        let args = ["package", "extract", file.to_str().unwrap(), to.to_str().unwrap()];
        let said = String::from_utf8(run(&args).good()).unwrap();
        assert!(said.contains("evi") && said.contains(" is written as "), "{said}");
        std::fs::remove_dir_all(to).unwrap();
        std::fs::remove_file(file).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn trees_and_lists_are_json_too() {
    let json =
        |args: &[&str]| -> serde_json::Value { serde_json::from_slice(&run(args).good()).unwrap() };
    let tree = json(&["tree", "--json", &lamp("lamp.brson")]);
    assert!(tree["root"]["line"].as_str().unwrap().starts_with("Desk Lamp"), "{tree}");
    assert_eq!(tree["root"]["children"].as_array().unwrap().len(), 2, "{tree}");
    let tree = json(&["tree", "--json", "../o3de-json/samples/Yard.prefab"]);
    assert!(tree["roots"][0]["children"].as_array().unwrap().len() > 1, "{tree}");
    let list = json(&["package", "list", "--json", &lamp("lamp.resonitepackage")]);
    let entries = list["entries"].as_array().unwrap();
    assert_eq!(entries.iter().filter(|entry| entry["main"] == true).count(), 1, "{list}");
    assert!(
        entries.iter().any(|entry| entry["kind"] == "WebP" || entry["kind"] == "PNG"),
        "{list}"
    );
}

#[test]
fn slots_are_listed_and_changed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["lamp.brson", "lamp.resonitepackage"] {
        std::fs::copy(crate::run::samples().join(lamp(name)), folder.path().join(name)).unwrap();
    }
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "slot ls lamp.brson",
            "slot ls lamp.resonitepackage Bulb --json",
            "slot extract lamp.resonitepackage Bulb -o bulb.resonitepackage",
            "package verify bulb.resonitepackage",
            "slot extract lamp.brson Stand -o stand.7zbson",
            "detect stand.7zbson",
            "slot insert lamp.resonitepackage bulb.resonitepackage --into Bulb/Switch",
            "package verify lamp.resonitepackage",
            "slot insert lamp.brson stand.7zbson",
            "slot ls lamp.brson",
            "slot rm lamp.brson Bulb/Switch Bulb -o less.brson",
            "slot ls less.brson",
            "slot rm lamp.brson Stand[0] --strip",
            "slot rm lamp.resonitepackage Stand --strip",
            "package verify lamp.resonitepackage",
            "slot ls lamp.brson",
            "slot rm lamp.brson Nothing",
            "slot ls lamp.brson --max-memory 10",
        ],
    ));
    // Not a byte changes of what is not written.
    let before = std::fs::read(folder.path().join("lamp.brson")).unwrap();
    for lines in [&["slot", "rm", "lamp.brson", "Desk Lamp"], &["slot", "rm", "lamp.brson", "?"]] {
        assert_eq!(run_in(folder.path(), lines).code, 1);
    }
    same_bytes("the bytes", &before, &std::fs::read(folder.path().join("lamp.brson")).unwrap())
        .unwrap();
}

/// What was taken out and put back is what was there, but for its place and identifiers.
#[test]
fn a_slot_that_is_taken_out_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let original = crate::run::samples().join(lamp("lamp.brson"));
    std::fs::copy(&original, folder.path().join("lamp.brson")).unwrap();
    let original = original.to_str().unwrap();
    run_in(folder.path(), "slot extract lamp.brson Bulb -o bulb.brson");
    run_in(folder.path(), "slot rm lamp.brson Bulb");
    run_in(folder.path(), "slot insert lamp.brson bulb.brson");
    let changed = run_in(folder.path(), &["diff", original, "lamp.brson"]);
    insta::assert_snapshot!(changed.text());
}

#[test]
fn slots_are_renamed_moved_and_copied() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.resonitepackage");
    let whole = std::fs::read(crate::run::samples().join(lamp("lamp.resonitepackage"))).unwrap();
    std::fs::write(&path, &whole).unwrap();
    let said = |line: &str| {
        let ran = run_in(folder.path(), format!("slot {line}").as_str());
        assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
        ran.stderr
    };
    let paths = || {
        let json = run_in(folder.path(), "slot ls a.resonitepackage --json").good();
        let rows: Vec<serde_json::Value> = serde_json::from_slice(&json).unwrap();
        rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(said("cp a.resonitepackage Bulb"), "note: the copy is Desk Lamp/Bulb[1]\n");
    assert_eq!(
        said("cp a.resonitepackage Bulb[0]/Switch Stand --name Knob"),
        "note: the copy is Desk Lamp/Stand/Knob\n"
    );
    assert_eq!(
        said("mv a.resonitepackage Bulb[1] Stand --at 0"),
        "note: it is Desk Lamp/Stand/Bulb now\n"
    );
    assert_eq!(said("rename a.resonitepackage Stand/Bulb/Switch Off"), "");
    // The record had the name of the root slot, and has the new one.
    let line: &[&str] = &["slot", "rename", "a.resonitepackage", "Desk Lamp", "Lantern"];
    assert_eq!(run_in(folder.path(), line).stderr, "");
    let name = run_in(folder.path(), "package record get a.resonitepackage name").good();
    assert_eq!(name, b"Lantern\n");
    run_in(folder.path(), "package record set a.resonitepackage name=Other").good();
    assert_eq!(
        said("rename a.resonitepackage Lantern Lamp"),
        "note: in the inventory it is called Other still: `package record set`\n"
    );
    assert_eq!(
        paths(),
        [
            "Lamp",
            "Lamp/Stand",
            "Lamp/Stand/Bulb",
            "Lamp/Stand/Bulb/Off",
            "Lamp/Stand/Knob",
            "Lamp/Bulb",
            "Lamp/Bulb/Switch"
        ]
    );
    let verified = run_in(folder.path(), "package verify a.resonitepackage");
    assert_eq!(verified.code, 0);
    for (line, why) in [
        ("mv a.resonitepackage Lamp Stand", "the root slot cannot be moved"),
        ("mv a.resonitepackage Bulb Bulb/Switch", "a slot cannot be moved into itself"),
        ("cp a.resonitepackage Nothing", "there is no slot Nothing"),
        ("rename a.resonitepackage Nothing x", "there is no slot Nothing"),
    ] {
        let ran = run_in(folder.path(), format!("slot {line}").as_str());
        assert_eq!(ran.code, 1, "{line}");
        assert!(ran.stderr.contains(why), "{line}: {}", ran.stderr);
    }
}

#[test]
fn components_are_counted() {
    let counted = text(&["tree", &lamp("lamp.brson"), "--count"]);
    assert_eq!(counted.lines().next(), Some("      1  Button"), "{counted}");
    assert_eq!(counted.lines().count(), 12, "{counted}");
    let ran = run("tree savegame.dat --count");
    let why = "error: savegame.dat: is not a save of Resonite; --count needs one\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, why));

    use resonite_save::model::{Members, SavedObject, SlotPath};
    let mut object = SavedObject::new("2026.8.12.1196", "Avatar");
    let root = SlotPath::root();
    let ids: Vec<String> = ["Hips", "Head"]
        .map(|name| object.add_slot(&root, name).unwrap())
        .iter()
        .map(|path| object.slot(path).unwrap().id().unwrap().to_owned())
        .collect();
    let bones: Vec<&str> = ids.iter().map(String::as_str).collect();
    let members = Members::new().list("Bones", bones).list("BlendShapeWeights", [0.0, 1.0, 0.5]);
    object.add_component(&root, "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer", members).unwrap();
    object.add_component(&root, "[FrooxEngine]FrooxEngine.Grabbable", Members::new()).unwrap();
    object.add_component(&root, "[FrooxEngine]FrooxEngine.Grabbable", Members::new()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.brson"), resonite_brson::to_vec(&object).unwrap())
        .unwrap();
    let counted = String::from_utf8(run_in(folder.path(), "tree a.brson --count").good()).unwrap();
    assert_eq!(
        counted,
        "      2  Grabbable\n      1  SkinnedMeshRenderer\n\
         Avatar:SkinnedMeshRenderer: 2 bones, 3 blend shapes\n  Avatar/Hips\n  Avatar/Head\n"
    );
    let json = run_in(folder.path(), "tree a.brson --count --json").good();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&json).unwrap(),
        serde_json::json!({
            "components": {"Grabbable": 2, "SkinnedMeshRenderer": 1},
            "skinned": [{
                "path": "Avatar:SkinnedMeshRenderer",
                "bones": ["Avatar/Hips", "Avatar/Head"],
                "blend_shapes": 3,
                "blend_shape_names": [],
            }],
        })
    );
}

/// A package with a mesh of three vertices, which a bone moves, and one blend shape.
#[test]
fn slots_become_gltf() {
    use resonite_save::model::{Members, SavedObject, SlotPath};
    use resonite_save::package::{Package, hash};
    let floats =
        |values: &[f32]| values.iter().flat_map(|own| own.to_le_bytes()).collect::<Vec<u8>>();
    let binding = [&[0; 4][..], &floats(&[1.0, 0.0, 0.0, 0.0])].concat();
    let mesh = [
        &b"\x05MeshX\x07\0\0\0\x08\0\0\0\x03\x01\x01\x01\0\x06Linear\0"[..],
        &floats(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0]),
        &binding.repeat(3),
        b"\x09Triangles\x01\0\0\0\0\x01\0\0\0\x02\0\0\0",
        b"\x04Hips",
        &floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
        b"\x05Smile\0\x01",
        &floats(&[1.0; 10]),
    ]
    .concat();
    let mut object = SavedObject::new("2026.8.12.1196", "Avatar");
    let root = SlotPath::root();
    let hips = object.add_slot(&root, "Hips").unwrap();
    let hips = object.slot(&hips).unwrap().id().unwrap().to_owned();
    let url = Members::new().field("URL", Package::url(&hash(&mesh)));
    let own = object.add_asset("[FrooxEngine]FrooxEngine.StaticMesh", url).unwrap();
    let own = object.component(&own).unwrap().id().unwrap().to_owned();
    let members = Members::new()
        .reference("Mesh", Some(&own))
        .list("Bones", [hips.as_str()])
        .list("BlendShapeWeights", [0.25]);
    object.add_component(&root, "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer", members).unwrap();
    let mut package = Package::new("Avatar", &object).unwrap();
    package.add_asset(mesh);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.resonitepackage"), package.to_vec().unwrap()).unwrap();
    std::fs::write(folder.path().join("a.brson"), package.main().unwrap()).unwrap();

    let ran = run_in(folder.path(), "slot glb a.resonitepackage -o a.glb");
    assert_eq!(ran.end(), (0, ""));
    let glb = std::fs::read(folder.path().join("a.glb")).unwrap();
    let text = String::from_utf8_lossy(&glb);
    for word in ["glTF\u{2}", "\"targetNames\":[\"Smile\"]", "\"JOINTS_0\"", "\"name\":\"Hips\""] {
        assert!(text.contains(word), "{word}");
    }
    let ran = run_in(folder.path(), "slot glb a.resonitepackage Hips -o hips.glb");
    assert_eq!(ran.end(), (0, ""));
    assert!(std::fs::read(folder.path().join("hips.glb")).unwrap().len() < glb.len());
    // What is not there is named.
    let ran = run_in(folder.path(), "slot glb a.brson -o b.glb");
    let url = format!(
        "note: packdb:///{} is not there\n",
        object.urls().next().unwrap().rsplit('/').next().unwrap()
    );
    assert_eq!(ran.end(), (0, url.as_str()));
    let ran = run_in(folder.path(), "slot glb a.brson Nowhere -o c.glb");
    assert_eq!(ran.code, 1);
    assert!(!folder.path().join("c.glb").exists());

    let counted = String::from_utf8(run_in(folder.path(), "tree a.resonitepackage --count").good());
    let end = "Avatar:SkinnedMeshRenderer: 1 bone, 1 blend shape\n  Avatar/Hips\n  Smile = 0.25\n";
    assert!(counted.unwrap().ends_with(end));
}

/// What is typed without `@` over an address gets it, or is refused.
#[test]
fn over_an_address_stands_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lamp.brson");
    let file = file.to_str().unwrap();
    let path = "Assets.StaticTexture2D.URL";
    std::fs::copy(crate::run::samples().join(lamp("lamp.brson")), file).unwrap();
    run(&["set", file, &format!("{path}=resdb:///00ff.webp")]).good();
    assert_eq!(text(&["get", file, path]), "@resdb:///00ff.webp\n");
    assert!(text(&["tree", file]).contains("  • StaticTexture2D  @resdb:///00ff.webp\n"));
    let before = std::fs::read(file).unwrap();
    for (set, expected) in [
        (
            format!("{path}=a.png"),
            "expected an address, such as `@resdb:///….webp`, found \"a.png\"",
        ),
        ("Object.Position=[1]".to_owned(), "expected 3 elements as before, found 1"),
        ("Object.Active=null".to_owned(), "expected true or false, found null"),
    ] {
        let ran = run(&["set", file, &set]);
        let (1, error) = ran.end() else { panic!("{set}") };
        assert!(error.contains(expected), "{error}");
        same_bytes("the bytes", &before, &std::fs::read(file).unwrap()).unwrap();
    }
}

/// A name that several siblings have means none of them.
#[test]
fn one_of_several_slots_of_a_name_has_to_be_said() {
    let twins = lamp("twins.brson");
    let lines = text(&["slot", "ls", &twins]);
    let paths: Vec<&str> = lines.lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(paths, ["Root", "Root/Slot[0]", "Root/Slot[1]", "Root/Slot[1][0]"]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.brson");
    let out = out.to_str().unwrap();
    for args in [
        vec!["rm", &twins, "Root/Slot", "-o", out],
        vec!["rm", &twins, "Slot", "-o", out],
        vec!["rename", &twins, "Slot", "Other", "-o", out],
        vec!["cp", &twins, "Slot", "-o", out],
        vec!["mv", &twins, "Slot[1]", "Slot", "-o", out],
        vec!["extract", &twins, "Slot", "-o", out],
        vec!["glb", &twins, "Slot", "-o", out],
    ] {
        let ran = run(&[vec!["slot"], args].concat());
        let (1, error) = ran.end() else { panic!("{ran:?}") };
        assert!(
            error.contains(
                "Slot may be any of 2 slots: \
                 Root/Slot[0] (00000083-0000-0000-0000-000000000000), \
                 Root/Slot[1] (0000008f-0000-0000-0000-000000000000)"
            ),
            "{error}"
        );
        assert!(!std::path::Path::new(out).exists());
    }
    for (slot, left) in [
        ("Root/Slot[1]", ["Root", "Root/Slot", "Root/Slot[1]"]),
        ("Root/Slot[1][0]", ["Root", "Root/Slot[0]", "Root/Slot[1]"]),
        ("000000a0-0000-0000-0000-000000000000", ["Root", "Root/Slot[0]", "Root/Slot[1]"]),
    ] {
        run(&["slot", "rm", &twins, slot, "-o", out]).good();
        let lines = text(&["slot", "ls", out]);
        let paths: Vec<&str> = lines.lines().filter_map(|line| line.split("  ").next()).collect();
        assert_eq!(paths, left, "{slot}");
    }
}

/// What has the same identifier in both saves is compared, wherever it stands among its siblings.
#[test]
fn slots_are_compared_by_their_identifiers() {
    let (four, three) = (lamp("cubes4.brson"), lamp("cubes3.brson"));
    let removed = "- Object.Cube[0]: a slot with 1 component and 0 children\n";
    assert_eq!(run(&["diff", &four, &three]).text(), removed);
    let added = "+ Object.Cube[0]: a slot with 1 component and 0 children\n";
    assert_eq!(run(&["diff", &three, &four]).text(), added);
}
