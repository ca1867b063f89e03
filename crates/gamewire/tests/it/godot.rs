//! Godot's saves: the dialect of a file, the values that people type, and what containers take.

use gamewire::document::{self, Hint, Merge, Side, Target, Verdict, Wrapping};
use gamewire::godot_variant::frame::Framing;
use gamewire::godot_variant::types::{Color, ElementType, Transform3D, Type, Vector3};
use gamewire::godot_variant::value::{TypedArray, TypedDictionary};
use gamewire::godot_variant::wrapped::Generation;
use gamewire::godot_variant::{Dialect, Options, Value, variant};
use gamewire::{Document, Format, Settings};

fn open(bytes: Vec<u8>) -> Document {
    Document::open(bytes, &Settings::default()).unwrap()
}

/// A save as `store_var` of an engine writes it.
fn save(dialect: Dialect, value: &Value) -> Vec<u8> {
    Framing::new().options(Options::new().dialect(dialect)).to_vec(value).unwrap()
}

fn text(document: &Document, path: &str) -> String {
    document.get(path).unwrap()[0].text().unwrap()
}

#[test]
fn a_save_of_godot_3_is_one_without_being_told() {
    let value = variant!({ "hp": 7, "names": ["a", "b"], "deep": { "x": 1.5 } });
    let bytes = save(Dialect::Godot3, &value);
    let mut edited = open(bytes.clone());
    assert_eq!(edited.describe(), "store_var, 1 value, Godot 3");
    assert_eq!(text(&edited, "deep.x"), "1.5");
    let settings = Settings::default();
    assert_eq!(document::check(&bytes, &settings).unwrap(), Verdict::Identical);
    assert!(document::explain(&bytes, &settings).unwrap().error().is_none());
    edited.set("hp", "8").unwrap();
    let after = variant!({ "hp": 8, "names": ["a", "b"], "deep": { "x": 1.5 } });
    assert_eq!(edited.as_bytes(), save(Dialect::Godot3, &after));

    let mut theirs = open(bytes.clone());
    theirs.set("names[1]", "c").unwrap();
    let base = open(bytes.clone());
    let merged = Merge::new(Some(&base), &edited, &theirs).unwrap().resolve(Side::Ours).unwrap();
    assert_eq!((text(&merged, "hp"), text(&merged, "names[1]")), ("8".into(), "c".into()));
    assert_eq!(merged.describe(), base.describe());

    let mut json = Vec::new();
    base.write_json(&mut json, document::Layout::Compact, true).unwrap();
    let settings = Settings { format: Some(base.format()), ..settings };
    assert_eq!(Document::from_json(&json, &settings).unwrap().as_bytes(), bytes);

    let mut target = Target::default();
    target.godot.dialect = Some(Dialect::Godot4);
    assert_eq!(base.convert(&target).unwrap(), save(Dialect::Godot4, &value));

    // Where a dialect is named that does not read the file, the other one is.
    let mut wrong = settings;
    wrong.godot.dialect = Some(Dialect::Godot4);
    let deep = save(Dialect::Godot3, &variant!([{ "a": [1, 2, 3, 4, 5, 6] }]));
    match Document::open(deep, &wrong) {
        Err(error) => assert_eq!(error.hint(), Some(&Hint::Dialect("godot3"))),
        Ok(mut document) => assert!(document.set("[0]", "1").is_err()),
    }
}

#[test]
fn bytes_that_are_left_over_in_a_frame_are_not_lost() {
    let mut bytes = save(Dialect::Godot4, &variant!([1, 2]));
    let len = u32::from_le_bytes(*bytes.first_chunk().unwrap()) + 4;
    bytes[..4].copy_from_slice(&len.to_le_bytes());
    bytes.extend(*b"rest");
    let mut settings = Settings { format: Some(Format::GodotVariant), ..Settings::default() };
    let mut document = Document::open(bytes.clone(), &settings).unwrap();
    assert_eq!(text(&document, "[1]"), "2");
    let error = document.set("[1]", "3").unwrap_err();
    assert!(error.message().contains("bytes are left over in a frame"), "{error}");
    assert!(document.convert(&Target::default()).is_err());
    let verdict = document::check(&bytes, &settings).unwrap();
    assert!(matches!(&verdict, Verdict::Differs(why) if why.contains("left over")), "{verdict:?}");
    settings.godot.partial_frames = true;
    let mut document = Document::open(bytes, &settings).unwrap();
    document.set("[1]", "3").unwrap();
    assert_eq!(document.as_bytes(), save(Dialect::Godot4, &variant!([1, 3])));
}

fn world() -> Value {
    let mut world = variant!({ "items": [], "f": 1.0, "tiles": {}, "names": { "a": 1 } });
    world["position"] = Value::from(Vector3::new(1.0, 2.0, 3.0));
    world["color"] = Value::from(Color::new(0.25, 0.5, 0.75, 1.0));
    let path = vec![Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)];
    world["path"] = Value::PackedVector3Array(path.into());
    world["place"] = Value::from(Transform3D::<f32>::default());
    world["counts"] = Value::PackedFloat32Array(vec![1.0, f32::INFINITY].into());
    let ints = ElementType::Builtin(Type::Int);
    let items = [Value::Int(1), Value::Int(2)].into_iter().collect();
    world["ints"] = Value::from(TypedArray { element: ints.clone(), items });
    let key = ElementType::Builtin(Type::StringName);
    let value = ElementType::Builtin(Type::Float);
    let entries = Default::default();
    world["stats"] = Value::from(TypedDictionary { key, value, entries });
    world
}

#[test]
fn values_are_typed_as_people_write_them() {
    let mut document = open(save(Dialect::Godot4, &world()));
    for (path, value, shown) in [
        ("position.x", "9", "9.0"),
        ("color.r", "0.5", "0.5"),
        ("path[1].z", "-1.5", "-1.5"),
        ("place.origin.y", "4", "4.0"),
        ("position", "Vector3(4, 5, 6)", r#"{"type":"Vector3","args":[4.0,5.0,6.0]}"#),
        ("color", r##"Color("#ff0000")"##, r#"{"type":"Color","args":[1.0,0.0,0.0,1.0]}"#),
        ("path[0]", "[7, 8, 9]", "[7.0,8.0,9.0]"),
        ("counts[0]", "inf", "inf"),
        ("ints", "[5, 6]", r#"["i:5","i:6"]"#),
        ("names", r#"{"b": 2, "c": [1, "x"]}"#, ""),
    ] {
        document.set(path, value).unwrap_or_else(|error| panic!("{path}: {error}"));
        let found = text(&document, path);
        assert!(shown.is_empty() || found == shown || path == "ints", "{path}: {found}");
    }
    assert_eq!(
        (text(&document, "names.c[1]"), text(&document, "names.b")),
        ("x".into(), "2".into())
    );
    assert_eq!(
        (text(&document, "ints[1]"), document.get("ints").unwrap()[0].kind()),
        ("6".into(), "Array".into())
    );
    for (path, value) in [
        ("items[-]", r#"{"id": 3, "n": "z"}"#),
        ("items[-]", r#"&"name""#),
        ("tiles[Vector2i(5, 6)]", "1"),
        ("tiles[&\"q\"]", "2"),
        ("tiles[3.5]", "3"),
        ("stats.mana", "3"),
    ] {
        document.insert(path, value).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    assert_eq!(text(&document, "items[0].n"), "z");
    assert_eq!(document.get("items[1]").unwrap()[0].kind(), "StringName");
    assert_eq!(text(&document, "tiles[Vector2i(5, 6)]"), "1");
    assert_eq!(text(&document, "tiles[3.5]"), "3");
    // A container holds its own types.
    assert_eq!(
        (text(&document, "stats.mana"), document.get("stats.mana").unwrap()[0].kind()),
        ("3.0".into(), "float".into())
    );
    let before = document.as_bytes().to_vec();
    for (path, value) in
        [("f", "1e400"), ("counts[0]", "1e39"), ("position.x", "1e39"), ("ints[0]", "x")]
    {
        assert!(document.set(path, value).is_err(), "{path}");
    }
    let text_in_ints = document.edit(&[document::Edit::Set {
        path: "ints[0]",
        value: "x".into(),
        kind: Some("String"),
    }]);
    assert!(text_in_ints.unwrap_err().message().contains("expected int"));
    for (path, value) in [("stats.name", "text"), ("ints[-]", "2.5")] {
        assert!(document.insert(path, value).is_err(), "{path}");
    }
    assert_eq!(document.as_bytes(), before);
}

#[test]
fn what_is_shown_is_taken_back() {
    let mut document = open(save(Dialect::Godot4, &world()));
    let before = document.as_bytes().to_vec();
    let all: Vec<(String, String)> = document
        .get("**")
        .unwrap()
        .iter()
        .map(|node| (node.path(), node.text().unwrap()))
        .collect();
    assert!(all.len() > 15, "{all:?}");
    for (path, text) in all {
        document.set(&path, &text).unwrap_or_else(|error| panic!("{path}={text}: {error}"));
        assert_eq!(document.as_bytes(), before, "{path}");
    }
}

#[test]
fn a_config_file_keeps_every_other_byte() {
    let source = "; Written by hand.\n[player]\n\nname=\"Edda\"   ; who\nhp=7\npos=Vector2(1, 2)\n\n[video]\nfull=true\n";
    let settings = Settings { name: Some("settings.cfg".into()), ..Settings::default() };
    let open = |source: &str| Document::open(source, &settings).unwrap();
    let mut ours = open(source);
    assert_eq!((text(&ours, "player.hp"), ours.describe()), ("7".into(), "config".into()));
    ours.set("player.hp", "8").unwrap();
    ours.set("player.pos.y", "5").unwrap();
    ours.insert("video.vsync", "false").unwrap();
    let after = source.replace("hp=7", "hp=8").replace("Vector2(1, 2)", "Vector2(1, 5)");
    let after = after.replace("full=true\n", "full=true\nvsync=false\n");
    assert_eq!(std::str::from_utf8(ours.as_bytes()).unwrap(), after);
    let (base, mut theirs) = (open(source), open(source));
    theirs.remove("video.full").unwrap();
    let merged = Merge::new(Some(&base), &ours, &theirs).unwrap().resolve(Side::Ours).unwrap();
    let both = after.replace("full=true\n", "");
    assert_eq!(std::str::from_utf8(merged.as_bytes()).unwrap(), both);
    assert_eq!(document::check(source.as_bytes(), &settings).unwrap(), Verdict::Identical);
}

#[test]
fn text_in_wrappers_is_edited_where_it_is() {
    let mut settings = Settings::default();
    settings.godot.secret = Some(document::Secret::Password("sesame".to_owned()));
    let encrypted = Wrapping::Encrypted(Generation::Godot4);
    let json = "{\"player\":{\"hp\":7,\"name\":\"Edda\"},\"items\":[1,2]}\n";
    let config = "[player]\n; Kept.\nhp=7\n";
    for (plain, path, after) in [
        (json, "player.hp", json.replace('7', "8")),
        (config, "player.hp", config.replace('7', "8")),
    ] {
        let bytes = document::wrap(plain.as_bytes().to_vec(), encrypted, &settings).unwrap();
        assert_eq!(document::unwrap(&bytes, &settings).unwrap(), plain.as_bytes());
        let base = Document::open(bytes.clone(), &settings).unwrap();
        let mut ours = Document::open(bytes.clone(), &settings).unwrap();
        assert_eq!(ours.as_bytes(), bytes);
        ours.set(path, "8").unwrap();
        assert_eq!(document::unwrap(ours.as_bytes(), &settings).unwrap(), after.as_bytes());
        assert_eq!(base.diff(&ours, 40).unwrap().len(), 1);
        let merged = Merge::new(Some(&base), &base, &ours).unwrap().resolve(Side::Ours).unwrap();
        assert_eq!(document::unwrap(merged.as_bytes(), &settings).unwrap(), after.as_bytes());
        let mut target = Target::default();
        target.godot.wrapping = Some(None);
        assert_eq!(ours.convert(&target).unwrap(), after.as_bytes());
        // Without the key nothing of the content is in the error.
        let error = Document::open(bytes, &Settings::default()).unwrap_err();
        assert!(error.message().contains("key") || error.message().contains("password"), "{error}");
    }
    let error = document::unwrap(b"plain", &settings).unwrap_err();
    assert!(error.message().starts_with("expected a compressed or encrypted file"), "{error}");
}
